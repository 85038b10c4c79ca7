# SPDX-License-Identifier: MIT
"""A motor that is known, on a GPIO line with levels by software PWM and on a pad, beside a line that nothing is fitted to. What fits it is said here by
rules of thumb, without the daemon's model of a motor."""
import math

import lines
from daemon import Daemon, configuration, evdev, gpio
from harness import check, test
from pads import Pad
from test_ahap import LATER, LEVELS, PERIOD, STRENGTH, Felt
from test_gpio import warm_up
from timing import MS

# In ms: it takes long to start and to stop, and feels nothing shorter.
RISE, FALL, LEAST = 90, 60, 35
MOTOR = f"motor: {{ kind: erm, rise: {RISE}ms, fall: {FALL}ms, start: 40%, hold: 20%, minPulse: {LEAST}ms }}"
LENGTH = 500
HALF = {"tracks": [{"keyframes": [
    {"atMs": 0, "intensity": 0.5, "sharpness": 0}, {"atMs": LENGTH, "intensity": 0, "curve": "step"}]}]}
# A steady half of the force of a rotating mass.
ROOT = math.sqrt(0.5)


def strengths(felt):
    """What the pad was sent, without what is as it was."""
    sent = [effect["strong"] / 0xFFFF for _, effect in felt.effects]
    return [strength for before, strength in zip([0] + sent, sent) if abs(strength - before) > STRENGTH]


def check_half(felt, answer):
    """A kick, the root of the level, and an end before the pattern's, so that what is felt ends with it."""
    check(answer["pulses"] == 1, f"a level by software PWM counts as {answer['pulses']} pulses")
    kick, held, last = felt.levels[0], felt.levels[2:-1], felt.levels[-1]
    check(abs(kick[0]) <= MS, f"the kick begins at {kick[0] / MS:.3f} ms")
    check(PERIOD < kick[1] - kick[0] < 2 * RISE * MS, f"the kick takes {(kick[1] - kick[0]) / MS:.3f} ms")
    check(len(held) >= 40, f"only {len(held)} pulses hold the level")
    near = sum(abs(off - on - ROOT * PERIOD) <= 0.02 * PERIOD for on, off in held)
    check(near >= 0.9 * len(held), f"only {near} of {len(held)} pulses are as long as the level says")
    check(all(off - on <= ROOT * PERIOD + MS for on, off in held), "a pulse that holds the level is too long")
    check((LENGTH - FALL) * MS <= last[1] < (LENGTH - 1) * MS, f"the drive ends at {last[1] / MS:.3f} ms of {LENGTH}")

    check(len(felt.spans) == 1, f"the pad shakes {len(felt.spans)} times")
    on, off = felt.spans[0]
    check(abs(on) <= 10 * MS and (LENGTH - FALL) * MS <= off < LENGTH * MS, f"the pad shakes from {on / MS:.3f} to {off / MS:.3f} ms")
    sent = strengths(felt)
    check(len(sent) == 2 and all(abs(was - wanted) <= STRENGTH for was, wanted in zip(sent, (1, ROOT))), f"the pad was sent {sent}")
    return near, len(held)


def check_train(felt):
    """Three touches of 8 ms: each is lengthened until it is felt, and they stay three."""
    for name, spans, late in (("line", felt.levels, MS), ("pad", felt.spans, 10 * MS)):
        check(len(spans) == 3, f"{len(spans)} pulses on the {name}")
        for (on, off), (begin, _) in zip(spans, felt.pulses):
            check(abs(on - begin) <= late, f"a pulse begins {(on - begin) / MS:.3f} ms late on the {name}")
            check(LEAST * MS - late <= off - on <= 2 * LEAST * MS + late, f"a pulse takes {(off - on) / MS:.3f} ms on the {name}")


@test("fit: a known motor gets a kick, the root of its level, an early end and pulses that are felt, on a line and on a pad, in virtual time", "virtual")
def fit():
    actuators = gpio(), gpio("levels", LEVELS, f"pwm: 200Hz, {MOTOR}"), evdev("pad under test") + f", {MOTOR}"
    answers = []
    with Pad("pad under test", "rumble") as pad, Daemon(configuration(*actuators)) as daemon:
        for name in ("main", "levels", "pad"):
            daemon.wait_until_available(name)
        warm_up(daemon)
        half = Felt(pad, lambda: answers.append(daemon.call("play", pattern=HALF, wait=True, **LATER)))
        train = Felt(pad, lambda: daemon.call(
            "play", pattern="soft", steps=3, durationMs=900, curve="linear", wait=True, **{"class": "alarm"}))
        plain = daemon.call("play", pattern=HALF, fit="off", actuators=["levels"], wait=True, **LATER)
    # The line without levels is on all the time, and its pulses are as long as they are meant.
    half.check_pulses((0, LENGTH))
    near, held = check_half(half, answers[0])
    train.check_pulses((0, 8), (300, 308), (600, 608))
    check_train(train)
    check(plain["pulses"] == 1 and lines.level(LEVELS) == 0, f"without fitting: {plain['pulses']} pulses")
    return f"{near} of {held} levels to 0.02; pulses of {[round((off - on) / MS, 1) for on, off in train.levels]} ms"

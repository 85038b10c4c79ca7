# SPDX-License-Identifier: MIT
"""Force-feedback pads: what reaches them, judged by the device's side of uinput."""
import random
import time

import lines
import pads
import timing
from daemon import Daemon, configuration, evdev, gpio, steady
from harness import Failed, check, test, wait_for
from pads import Pad
from test_gpio import punctual_train, warm_up
from timing import MS

PREPARED = ("soft", "heavy", "success")


def felt(daemon, pad, pattern, is_prepared=False):
    """Plays a pattern; returns the effects that were played for it, in order. For a prepared pattern nothing may be uploaded meanwhile.

    Where the machine stands still for too long the daemon leaves out what is over, and says so: then it is played again. What begins
    late goes on level by level, which needs uploads.
    """
    for _ in range(10):
        left_out = daemon.call("status")["missedActuations"]
        start = time.monotonic_ns()
        daemon.play(pattern)
        if daemon.call("status")["missedActuations"] == left_out:
            pad.wait_for_play(since=start)
            uploads = pad.uploads(since=start)
            check(not is_prepared or not uploads, f"uploaded while playing what was prepared: {uploads}")
            return [pad.effect_of(play) for play in pad.plays(since=start)]
    raise Failed(f"{pattern} was ten times told as left out, in part or whole; the machine is too busy, or the daemon too late")


def check_effects(pad):
    """What holds for every effect ever uploaded: no hidden delay, no endless or long length."""
    for upload in pad.uploads():
        check(upload["delay"] == 0, f"an effect waits before it plays: {upload}")
        check(0 < upload["length"] <= 2000, f"an effect could outlive the daemon for long: {upload}")


def prepare(daemon):
    """Prepares the patterns."""
    daemon.wait_until_available("pad")
    daemon.ctl("prepare", *PREPARED)
    time.sleep(0.3)


@test("pad: rumble is shared between the strong and the weak motor by sharpness")
def rumble():
    with Pad("pad under test", "rumble") as pad, Daemon(configuration(evdev("pad under test"))) as daemon:
        prepare(daemon)
        soft, heavy, success = (felt(daemon, pad, pattern, is_prepared=True) for pattern in PREPARED)
        sharp = felt(daemon, pad, "rigid")
        check_effects(pad)
    for effects in (soft, heavy, success, sharp):
        check(all(one["type"] == pads.RUMBLE for one in effects), f"not rumble: {effects}")
    check(heavy[0]["strong"] > heavy[0]["weak"], f"a dull thud is not on the heavy motor: {heavy}")
    check(sharp[0]["weak"] > sharp[0]["strong"], f"a sharp tap is not on the light motor: {sharp}")
    check(heavy[0]["strong"] > soft[0]["strong"], f"heavy {heavy} is not stronger than soft {soft}")
    return f"strong/weak: heavy {heavy[0]['strong']}/{heavy[0]['weak']}, rigid {sharp[0]['strong']}/{sharp[0]['weak']}; " \
           f"{len(success)} plays for success"


@test("pad: periodic effects have a period by sharpness, and envelopes of the device's own")
def periodic():
    with Pad("pad under test", "periodic") as pad, Daemon(configuration(evdev("pad under test"))) as daemon:
        prepare(daemon)
        soft, heavy, success = (felt(daemon, pad, pattern, is_prepared=True) for pattern in PREPARED)
        sharp = felt(daemon, pad, "rigid")
        check_effects(pad)
    for effects in (soft, heavy, success, sharp):
        check(all(one["type"] == pads.PERIODIC for one in effects), f"driven by the rumble that the kernel emulates: {effects}")
        check(all(one["waveform"] in (pads.SINE, pads.SQUARE, pads.TRIANGLE) for one in effects), f"no waveform it has: {effects}")
    check(heavy[0]["magnitude"] > soft[0]["magnitude"], f"heavy {heavy} is not stronger than soft {soft}")
    check(sharp[0]["period"] < heavy[0]["period"], f"sharp {sharp} is not faster than dull {heavy}")
    check(any(one["attack"] > 0 for one in success) and any(one["fade"] > 0 for one in success),
          f"success swells and fades, its effects do not: {success}")
    return f"period: heavy {heavy[0]['period']} ms, rigid {sharp[0]['period']} ms; success in {len(success)} plays, " \
           f"attack {success[0]['attack']} ms, fade {success[-1]['fade']} ms"


@test("pad: its gain is set, whatever another program left")
def gain():
    with Pad("pad under test", "rumble", "gain") as pad:
        pad.set_gain(0x1000)
        with Daemon(configuration(evdev("pad under test"))) as daemon:
            prepare(daemon)
            effects = felt(daemon, pad, "heavy")
        check_effects(pad)
    first = pad.plays()[0]["t"]
    gains = [event["value"] for event in pad.events() if event["what"] == "gain" and event["t"] < first]
    check(gains[-1] == 0xFFFF, f"the gains before the first play were {gains}")
    return f"heavy is {effects[0]['strong']}/{effects[0]['weak']}"


@test("pad: one effect slot is enough")
def one_slot():
    with Pad("pad under test", "rumble", "slots=1") as pad, Daemon(configuration(evdev("pad under test"))) as daemon:
        prepare(daemon)
        soft, heavy, success = (felt(daemon, pad, pattern) for pattern in PREPARED)
        again = felt(daemon, pad, "soft")
        check_effects(pad)
        check(daemon.actuator("pad")["available"], f"the pad was given up: {daemon.log()}")
    check(heavy[0]["strong"] > soft[0]["strong"], f"heavy {heavy} is not stronger than soft {soft}")
    check(again[0]["strong"] == soft[0]["strong"], f"soft was {soft} and became {again}")
    return f"{len(success)} plays for success"


def slots_used(pad):
    """How many effects a pad has held at most."""
    held, most = set(), 0
    for event in pad.events():
        if event["what"] == "upload":
            held.add(event["id"])
        elif event["what"] == "erase":
            held.discard(event["id"])
        most = max(most, len(held))
    return most


@test("pad: after 1,000 plays all slots are free, of a pad with 16 and of one with a single slot", limit=120)
def many_plays():
    chance = random.Random(1)
    figures = []
    with Pad("many slots", "rumble", "slots=16") as many, Pad("one slot", "rumble", "slots=1") as one:
        both = configuration(evdev("many slots"), evdev("one slot", "single"))
        with Daemon(both) as daemon:
            daemon.wait_until_available("single")
            prepare(daemon)
            start = time.monotonic_ns()
            for _ in range(1000):  # prepared and not, each pre-empting what is left of the one before
                daemon.call("play", pattern=chance.choice(PREPARED), intensity=chance.choice((1, 0.5, chance.uniform(0.1, 1))),
                            **{"class": "alarm"})
                time.sleep(chance.choice((0.002, 0.012)))
            daemon.play(steady(1, 300))
            for name in ("pad", "single"):
                check(daemon.actuator(name)["available"], f"{name} was given up: {daemon.log()}")
            check("ENOSPC" not in daemon.log() and "No space" not in daemon.log(), daemon.log())
        for pad, slots in ((many, 16), (one, 1)):
            plays = len(pad.plays(since=start))
            check(plays >= 300, f"only {plays} of 1,000 plays reached {pad.name}")
            check_effects(pad)
            check(not pad.shakes_at(time.monotonic_ns()), f"{pad.name} still shakes")
            check(pad.free_slots() == slots, f"{pad.free_slots()} of {slots} slots of {pad.name} are free after the daemon")
            figures.append(f"{plays} plays reached {pad.name}, {slots_used(pad)} slots used at most")
    return "; ".join(figures)


@test("pad: a long effect is renewed before it ends, and ends in time")
def renewed():
    with Pad("pad under test", "rumble") as pad, Daemon(configuration(evdev("pad under test"))) as daemon:
        daemon.wait_until_available("pad")
        start = time.monotonic_ns()
        with timing.Yardstick() as yardstick:
            daemon.play(steady(0.8, 6000))
            wait_for("the pad to be still", lambda: not pad.shakes_at(time.monotonic_ns()))
        check_effects(pad)
        spans = [span for span in pad.spans() if span.on >= start]
    check(len(spans) == 1, f"6 s came in pieces: {spans}")
    length = spans[0].off - spans[0].on
    yardstick.check_length(6000 * MS, 200 * MS, *spans[0])
    return f"{length / MS:.0f} ms in {len(pad.plays())} plays"


@test("pad: one that hangs its uploads delays no other actuator and is told as lost", limit=240)
def hanging():
    trace = lines.Trace()
    with Daemon(configuration(gpio(), evdev("hanging pad"))) as daemon, Pad("hanging pad", "rumble", "hang-uploads") as pad:
        daemon.wait_until_available()
        warm_up(daemon)
        figures = punctual_train(trace, daemon, "linear")
        wait_for("the pad to be told as lost", lambda: not daemon.actuator("pad")["available"])
        told = daemon.ctl("actuators").stdout
        check("hangs" in told, f"hapticctl actuators does not say that the pad hangs:\n{told}")
        check(any(event["what"] == "hanging" for event in pad.events()), "nothing was uploaded, so nothing hung")
    return f"{figures}\n{told.strip()}"

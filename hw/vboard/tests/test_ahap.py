# SPDX-License-Identifier: MIT
"""Other people's AHAP files on two GPIO lines, one of them with levels by software PWM, and on a pad, all at once. What a file is meant to feel like
is said here by its times and numbers, or read from it without the daemon's code."""
import json
import math
import tempfile
import time
from pathlib import Path

import lines
from daemon import Daemon, configuration, evdev, gpio
from harness import check, test, wait_for
from pads import Pad
from test_gpio import warm_up
from timing import MS

FIXTURES = Path(__file__).resolve().parents[3] / "Tests/fixtures/ahap"
VIBRATION = FIXTURES / "ahap_from_valid_v1.ahap"    # for 9.96 s
LATER = {"steps": 1, "durationMs": 100, "class": "alarm"}
LEVELS = 24    # the line with software PWM
PERIOD = 5 * MS
# Rumble has 64 steps of strength and 16 of sharpness.
STRENGTH, SHARPNESS = 1 / 64, 1 / 16


class Felt:
    """What came out of a pattern, in ns from when it began on the first line."""

    def __init__(self, pad, play):
        """`play()` plays it and returns at its end. It lets it begin later: what begins at once is as late as deciding takes."""
        trace, before = lines.Trace(), len(pad.plays())
        play()
        wait_for("the pad to be still", lambda: not pad.shakes_at(time.monotonic_ns()))
        pulses, levels = trace.pulses(), trace.pulses(LEVELS)
        check(pulses and levels, f"it came out as {len(pulses)} pulses, and {len(levels)} with levels")
        check(lines.level() == lines.level(LEVELS) == 0, "a line is still on after the end")
        start = pulses[0].on
        self.pulses = [(pulse.on - start, pulse.off - start) for pulse in pulses]
        self.levels = [(pulse.on - start, pulse.off - start) for pulse in levels]
        self.effects = [(play["t"] - start, pad.effect_of(play)) for play in pad.plays()[before:]]
        self.spans = [(span.on - start, span.off - start) for span in pad.spans() if span.off > start - MS]

    def check_pulses(self, *expected):
        """The pulses of the line without levels, in ms of the file, each edge within 1 ms."""
        check(_are_near(self.pulses, expected, MS), f"{_in_ms(self.pulses)} ms on a line, not {expected}")
        return max(abs(was - wanted * MS) for pair, at in zip(self.pulses, expected) for was, wanted in zip(pair, at))

    def check_spans(self, *expected):
        """When the pad shook, within 10 ms: what is sent to it passes a thread of its own, and the kernel."""
        check(_are_near(self.spans, expected, 10 * MS), f"{_in_ms(self.spans)} ms on the pad, not {expected}")

    def check_periods(self, start, end, strengths):
        """The modulation from a time after silence on, in ms: `strengths(time)` is what is right from the least to the most, or nothing. Each edge is
        within 1 ms, and nine of ten falls say their level to 0.02. Returns how many do, of how many."""
        pulses = [pulse for pulse in self.levels if start * MS - MS <= pulse[0] < end * MS - MS]
        check(len(pulses) == (end - start) * MS // PERIOD, f"{len(pulses)} pulses with levels from {start} to {end} ms: {_in_ms(pulses)}")
        near = judged = 0
        for number, (on, off) in enumerate(pulses):
            begin = pulses[0][0] + number * PERIOD
            levels = strengths(begin / MS)
            if levels:
                least, most = (begin + level * PERIOD for level in (min(levels), max(levels)))
                exact = 0.02 * PERIOD
                check(on - begin <= MS and least - exact <= off <= most + MS,
                      f"on from {on / MS:.3f} to {off / MS:.3f} ms, in a period from {begin / MS:.3f} ms on, at a level of {max(levels):.3f}")
                judged += 1
                near += off <= most + exact
        check(near >= 0.9 * judged, f"only {near} of {judged} pulses with levels from {start} to {end} ms are as long as they should be")
        return near, judged

    def check_effect(self, at, strengths, sharpnesses):
        """What shakes the pad at a time, in ms, by both motors' share of it: between the least and the most of each list."""
        effect = [effect for began, effect in self.effects if began <= at * MS][-1]
        strong, weak = effect["strong"] / 0xFFFF, effect["weak"] / 0xFFFF
        found = math.hypot(strong, weak), math.atan2(weak, strong) / (math.pi / 2)
        for name, value, wanted, step in zip(("strength", "sharpness"), found, (strengths, sharpnesses), (STRENGTH, SHARPNESS)):
            check(min(wanted) - step <= value <= max(wanted) + step, f"at {at} ms the pad shakes with a {name} of {value:.3f}, not {wanted}")


def _in_ms(spans):
    return [(round(on / MS, 2), round(off / MS, 2)) for on, off in spans]


def _are_near(spans, expected, tolerance):
    return len(spans) == len(expected) and all(
        abs(was - wanted * MS) <= tolerance for span, at in zip(spans, expected) for was, wanted in zip(span, at))


class Curve:
    """A parameter's curves in a file whose points count from the start of the pattern, as those of some exporters do."""

    def __init__(self, file, parameter):
        curves = [entry["ParameterCurve"] for entry in json.loads(file.read_text())["Pattern"] if "ParameterCurve" in entry]
        self.points = sorted({(point["Time"] * 1000, point["ParameterValue"]) for curve in curves
                              if curve["ParameterID"] == parameter for point in curve["ParameterCurveControlPoints"]})

    def at(self, time):
        """At a time in ms from the first point on: straight from point to point, and as the last one from then on."""
        for (t0, v0), (t1, v1) in zip(self.points, self.points[1:]):
            if t0 <= time < t1:
                return v0 + (v1 - v0) * (time - t0) / (t1 - t0)
        return self.points[-1][1]

    def before(self, time):
        """What it was in the 5 ms before: a level stays until the next one."""
        return [self.at(max(0, time - 5 + k / 10)) for k in range(51)]


def event(kind, milliseconds, intensity, duration=None, sharpness=0.5):
    """An entry of an AHAP file."""
    entry = {"EventType": kind, "Time": milliseconds / 1000, "EventParameters": [
        {"ParameterID": "HapticIntensity", "ParameterValue": intensity}, {"ParameterID": "HapticSharpness", "ParameterValue": sharpness}]}
    return {"Event": entry | ({"EventDuration": duration / 1000} if duration else {})}


# Two taps that an on/off line plays and one that is too weak for it; then a vibration of a half, which a parameter makes a fifth.
RHYTHM = {"Version": 1, "Pattern": [
    event("HapticTransient", 0, 1), event("HapticTransient", 120, 0.2), event("HapticTransient", 200, 0.6),
    event("HapticContinuous", 300, 0.5, duration=200, sharpness=0),
    {"Parameter": {"ParameterID": "HapticIntensityControl", "ParameterValue": 0.4, "Time": 0.4}}]}


def play_for_a_second(daemon, pattern):
    daemon.call("play", pattern=pattern, **LATER)
    wait_for("it to begin", lambda: lines.level() == 1)
    time.sleep(1)
    daemon.call("cancel", all=True, mode="immediate")


@test("ahap: a file, a name and a tree on the wire play on lines, with and without levels, and on a pad, in virtual time", "virtual")
def ahap():
    with tempfile.TemporaryDirectory(dir="/run") as folder:
        (Path(folder) / "rhythm.ahap").write_text(json.dumps(RHYTHM))
        actuators = gpio(), gpio("levels", LEVELS, "pwm: 200Hz"), evdev("pad under test")
        with Pad("pad under test", "rumble") as pad, Daemon(configuration(*actuators, more=f"patterns: [{folder}]")) as daemon:
            for name in ("main", "levels", "pad"):
                daemon.wait_until_available(name)
            warm_up(daemon)
            tap = Felt(pad, lambda: daemon.play(FIXTURES / "valid_fields.ahap", "--steps", 1, "--duration", "100ms"))
            rhythm = Felt(pad, lambda: daemon.call("play", pattern="rhythm", wait=True, **LATER))
            vibration = Felt(pad, lambda: play_for_a_second(daemon, {"ahap": json.loads(VIBRATION.read_text())}))

    # Its curve begins when it is over.
    late = [tap.check_pulses((0, 8))]
    tap.check_spans((0, 8))
    tap.check_effect(4, [1], [0.6])
    check(_are_near(tap.levels, [(0, 8)], MS), f"{_in_ms(tap.levels)} ms with levels")

    late.append(rhythm.check_pulses((0, 8), (200, 208), (300, 400)))
    sounding = ((0, 8), (120, 128), (200, 208), (300, 500))
    rhythm.check_spans(*sounding)
    strays = [pulse for pulse in rhythm.levels if not any(on * MS - MS <= pulse[0] and pulse[1] <= off * MS + MS for on, off in sounding)]
    check(not strays, f"on at {_in_ms(strays)} ms")
    falls = [rhythm.check_periods(300, 500, lambda time: [0.5] if time < 400 else [0.2])]
    for at, strength, sharpness in ((4, 1, 0.5), (124, 0.2, 0.5), (204, 0.6, 0.5), (350, 0.5, 0), (450, 0.2, 0)):
        rhythm.check_effect(at, [strength], [sharpness])

    # Intensity 1 under curves. The tap at 200 ms is left out of what is judged with levels.
    for name, spans in (("line", vibration.pulses), ("pad", vibration.spans)):
        check(len(spans) == 1 and abs(spans[0][0]) <= 10 * MS and spans[0][1] > 900 * MS, f"{_in_ms(spans)} ms on the {name}")
    strengths, sharpnesses = Curve(VIBRATION, "HapticIntensityControl"), Curve(VIBRATION, "HapticSharpnessControl")
    falls.append(vibration.check_periods(0, 900, lambda time: [] if 199 < time < 209 else strengths.before(time)))
    for at in (50, 120, 280, 600, 900):
        vibration.check_effect(at, strengths.before(at), sharpnesses.before(at))
    plays = [len(felt.effects) for felt in (tap, rhythm, vibration)]
    levels = ", ".join(f"{near} of {judged}" for near, judged in falls)
    return f"edges at most {max(late) / MS:.3f} ms off; {levels} levels to 0.02; {plays} plays of the pad"

# SPDX-License-Identifier: MIT
"""The profile `reduced` keeps what success, warning and error mean, as the kernel's lights and lines saw it."""
import os
import signal
import time

import lines
import service
from daemon import Connection, gpio
from harness import check, check_figure, test, wait_for
from lights import Light
from service import Service
from timing import MS

SECOND = 1000 * MS
LEFT, RIGHT = lines.MOTOR, 19
RULES = "events:\n" + "\n".join(
    f'  - {{ match: "{side}.{event}", pattern: {pattern}, actuators: [{side}] }}'
    for side in ("left", "right") for event, pattern in (("succeeded", "success"), ("doubtful", "warning"), ("failed", "error")))


def flashes(changes):
    """When each flash began: the light got brighter after it was darker."""
    begun, last, rises = [], 0, False
    for change in changes:
        if change.value > last and not rises:
            begun.append(change.ns)
        if change.value != last:
            rises = change.value > last
        last = change.value
    return begun


def looks_like(lightness):
    """The brightness of 255 that looks like this share of the most, by CIE 1976."""
    return round(255 * ((100 * lightness + 16) / 116) ** 3)


def check_success(values):
    peak = values.index(max(values))
    check(0.95 * looks_like(0.8) <= values[peak] <= looks_like(0.8), f"it is to look 0.8 as bright as it can be: {values}")
    check(values == sorted(values[:peak]) + sorted(values[peak:], reverse=True) and len(set(values)) > 10, f"it does not swell and fade: {values}")


def check_warning(values):
    check(max(values) == looks_like(0.9), f"it is to look 0.9 as bright as it can be: {values}")
    check(len(set(values)) > 4, f"it does not go off softly: {values}")


def check_error(values):
    check(set(values) == {0, 255}, f"it does not flash hard: {values}")


class Kiosk:
    """The service under `reduced`, with two motors and beside each a light."""

    def __init__(self):
        self.trace = lines.Trace()
        self.lights = (Light("left-glow"), Light("right-glow"))
        self.board = Service(
            gpio("left", LEFT, "fallback: light"), gpio("right", RIGHT, "fallback: other light"),
            "name: light, backend: led, led: left-glow", "name: other light, backend: led, led: right-glow", more=RULES)
        self.board.ctl("profile", "reduced")
        self.wait_until_available()

    def wait_until_available(self):
        for name in ("left", "right", "light", "other light"):
            self.board.wait_until_available(name)

    def happen(self, *names):
        """These events, at one instant; returns where each was felt or seen."""
        connection = Connection(self.board.socket)
        decisions = [connection.call("event", name=name) for name in names]
        connection.close()
        for decision in decisions:
            check(decision["outcome"] == "played", f"one became nothing: {decision}")
        return [decision["actuators"] for decision in decisions]

    def flashes(self):
        """When each flash of either light began."""
        return sorted(ns for light in self.lights for ns in flashes(light.changes))

    def wait_until_dark(self):
        """Until no light has shown anything for a second."""
        def is_dark():
            since = max((light.changes[-1].ns for light in self.lights if light.changes), default=0)
            return all(light.level() == 0 for light in self.lights) and time.monotonic_ns() - since > SECOND

        wait_for("the lights to be dark for a second", is_dark, every=0.1)

    def pulses(self):
        return self.trace.pulses(LEFT) + self.trace.pulses(RIGHT)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.board.__exit__(*problem)
        for light in self.lights:
            light.__exit__(*problem)


@test("reduced: a light swells for success, flashes twice for a warning, thrice for an error; three flashes a second at most, then the motor ticks",
      "systemd-real", "systemd-virtual", limit=300)
def meanings():
    with Kiosk() as kiosk:
        light, other = kiosk.lights
        for event, count, check_shape in (("succeeded", 1, check_success), ("doubtful", 2, check_warning), ("failed", 3, check_error)):
            before = len(light.changes)
            check(kiosk.happen(f"left.{event}") == [["light"]], f"left.{event} is not shown by its light")
            wait_for(f"{count} flashes", lambda: len(flashes(light.changes[before:])) >= count)
            kiosk.wait_until_dark()
            shown = light.changes[before:]
            check(len(flashes(shown)) == count, f"left.{event} was {len(flashes(shown))} flashes: {shown}")
            check_shape([change.value for change in shown])
        check(not any(change.value for change in other.changes), f"the other light was on: {other.changes}")
        check(not kiosk.pulses(), f"a motor was on: {kiosk.pulses()}")

        # Two lights share the three flashes of a second; what would be more is felt.
        places = kiosk.happen("left.doubtful", "right.succeeded", "left.failed", "right.failed")
        check(places == [["light"], ["other light"], ["left"], ["right"]], f"with three flashes in a second more was on {places}")
        kiosk.wait_until_dark()
        # For three seconds something comes all the time, so that the lights flash as often as they may.
        many = []
        for _ in range(12):
            for name in ("left.failed", "right.succeeded"):
                many += kiosk.happen(name)
                time.sleep(0.12)
        seen, felt = (sum(place[0] in of for place in many) for of in (("light", "other light"), ("left", "right")))
        check(seen > 1 and felt > 1 and seen + felt == len(many), f"what came all the time was on {many}")
        kiosk.wait_until_dark()
        begun = kiosk.flashes()
        fastest = min(fourth - first for first, fourth in zip(begun, begun[3:]))
        # The daemon and the witness each have a thread for a light, which may be kept waiting.
        check(fastest > 0.6 * SECOND, f"the lights flashed four times in {fastest / MS:.0f} ms: {begun}")
        check_figure(fastest > 0.98 * SECOND, f"no four flashes within less than {fastest / MS:.0f} ms")
        lengths = [pulse.length for pulse in kiosk.pulses()]
        check(lengths and max(lengths) < 100 * MS, f"the motors were on for {lengths} ns: a tick is 10 ms")
        longest = max(lengths) / MS
    return f"of {len(many)} in a row {seen} were seen; {len(begun)} flashes; the longest of {len(lengths)} ticks was {longest:.1f} ms"


@test("reduced: SIGKILL in mid-flash leaves the light dark, and the profile set", "systemd-real", "systemd-virtual", limit=300)
def killed():
    with Kiosk() as kiosk:
        light = kiosk.lights[0]
        main = kiosk.board.main_pid
        kiosk.happen("left.failed")
        wait_for("the light to flash", lambda: len(flashes(light.changes)) > 0, every=0.002)
        lit, when = light.level() > 0, time.monotonic_ns()
        os.kill(main, signal.SIGKILL)
        wait_for("the light to be dark", lambda: light.level() == 0 and light.changes[-1].value == 0)
        begun = flashes(light.changes)
        service.wait_until_back(kiosk.board, main)
        off = light.changes[-1].ns
        check_figure(lit and off - when < 100 * MS, f"the light, {'lit' if lit else 'dark'} when killed, was dark after {max(off - when, 0) / MS:.1f} ms")
        kiosk.wait_until_available()
        check(flashes(light.changes) == begun and light.level() == 0, f"it flashed again: {light.changes}")
        check(not kiosk.pulses(), f"a motor was on: {kiosk.pulses()}")
        check(kiosk.happen("left.succeeded") == [["light"]], "the profile is forgotten")
        kiosk.wait_until_dark()

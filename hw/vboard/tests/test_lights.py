# SPDX-License-Identifier: MIT
"""Lights through the kernel's uleds."""
from daemon import Daemon, configuration, evdev, steady
from harness import check, test, wait_for
from lights import Light
from pads import Pad


@test("light: its brightness follows the intensity by perceptual gamma, and is 0 afterwards")
def brightness():
    with Light("glow") as light, Daemon(configuration("name: light, backend: led, led: glow")) as daemon:
        daemon.wait_until_available("light")
        peaks = []
        for level in (0.25, 0.5, 1):
            before = len(light.changes)
            daemon.play(steady(level, 300))
            wait_for("the light to go on", lambda: any(change.value for change in light.changes[before:]))
            wait_for("the light to go off", lambda: light.changes[-1].value == 0)
            check(light.level() == 0, f"the light is left at {light.level()}")
            peaks.append(max(change.value for change in light.changes[before:]))
    check(0 < peaks[0] < peaks[1] < peaks[2] == 255, f"0.25, 0.5 and 1 became {peaks} of 255")
    check(peaks[1] < 110, f"half the intensity is {peaks[1]} of 255: to the eye far more than half as bright")
    return f"0.25, 0.5 and 1 are {peaks} of 255"


@test("light: it glows in place of a pad that is missing, and no more once the pad is there")
def fallback():
    pad_and_light = configuration(evdev("late pad") + ", fallback: light", "name: light, backend: led, led: glow")
    with Light("glow") as light, Daemon(pad_and_light) as daemon:
        daemon.wait_until_available("light")
        daemon.play(steady(1, 300), "--actuator", "pad")
        wait_for("the light to glow", lambda: 255 in [change.value for change in light.changes])
        wait_for("the light to go off", lambda: light.changes[-1].value == 0)
        with Pad("late pad", "rumble") as pad:
            daemon.wait_until_available("pad")
            before = len(light.changes)
            daemon.play(steady(1, 300), "--actuator", "pad")
            pad.wait_for_play()
            check(len(light.changes) == before, f"the light glows beside the pad: {light.changes[before:]}")

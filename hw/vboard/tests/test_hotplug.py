# SPDX-License-Identifier: MIT
"""Devices that come and go while the daemon runs."""
import time

import lines
import timing
from daemon import Daemon, configuration, evdev, gpio, steady
from harness import check, test, wait_for
from pads import Pad
from timing import MS


def wait_until_lost(daemon, name):
    return wait_for(f"{name} to be told as lost", lambda: not daemon.actuator(name)["available"])


def endings(monitor):
    return [(one["ended"], one["reason"]) for one in monitor.told("playback")]


@test("pad: one that is plugged in after the daemon started is used")
def missing_at_start():
    with Daemon(configuration(evdev("late pad"))) as daemon:
        check(not daemon.actuator("pad")["available"], "a pad that is not there is available")
        told = daemon.ctl("actuators").stdout
        check("late pad" in told, f"hapticctl actuators does not say what is missing:\n{told}")
        with Pad("late pad", "rumble") as pad:
            start = time.monotonic()
            daemon.wait_until_available("pad")
            seconds = time.monotonic() - start
            daemon.play(steady(1, 300))
            pad.wait_for_play()
    return f"used {seconds:.2f} s after it was plugged in\n{told.strip()}"


@test("pad: unplugged in mid-pattern it is lost, the others play on; plugged in again it is used again")
def replugged_pad():
    trace = lines.Trace()
    long = steady(1, 2500)
    with Pad("pad under test", "rumble") as pad, Daemon(configuration(gpio(), evdev("pad under test"))) as daemon:
        daemon.wait_until_available()
        daemon.wait_until_available("pad")
        with daemon.monitor() as monitor:
            with timing.Yardstick() as yardstick:
                both = daemon.start_play(long)
                on = trace.wait_for_on()
                pad.wait_for_play()
                time.sleep(0.5)
                unplugged = pad.unplug()
                wait_until_lost(daemon, "pad")
                told = daemon.ctl("actuators").stdout
                both.wait(10)
                length = trace.off_after(on)
            yardstick.check_length(2500 * MS, 200 * MS, on, on + length)
            pad.plug_in()
            daemon.wait_until_available("pad")
            again = time.monotonic_ns()
            alone = daemon.start_play(long, "--actuator", "pad")
            pad.wait_for_play(since=again)
            time.sleep(0.3)
            pad.unplug()
            alone.wait(10)
            check(alone.returncode == 1, f"hapticctl ended with {alone.returncode} where its only actuator was pulled out")
            wait_for("its ending", lambda: endings(monitor)[-1:] == [("failed", "deviceLost")])
            there = [one["available"] for one in monitor.told("actuator") if one["actuator"] == "pad"]
            changes = [now for now, before in zip(there, [None, *there]) if now != before]
            check(changes == [False, True, False], f"the monitor told {monitor.told('actuator')}")
    return f"the line stayed on for {length / MS:.1f} ms, {(unplugged - on) / MS:.0f} ms of them with the pad\n{told.strip()}"


@test("gpio: a chip that goes away in mid-pattern is lost, the others play on; made again it is used again")
def remade_chip():
    trace = lines.Trace()
    try:
        with Pad("pad under test", "rumble") as pad, Daemon(configuration(gpio(), evdev("pad under test"))) as daemon:
            daemon.wait_until_available()
            daemon.wait_until_available("pad")
            both = daemon.start_play(steady(1, 2500))
            trace.wait_for_on()
            time.sleep(0.5)
            lines.remove_chip()
            removed = time.monotonic_ns()
            wait_until_lost(daemon, "main")
            told = daemon.ctl("actuators").stdout
            check("vboard" in told, f"hapticctl actuators does not say what is missing:\n{told}")
            # A quick machine gets here sooner; what the pad's record has of that instant comes after it.
            time.sleep(max(0, (removed + 1100 * MS - time.monotonic_ns()) / 1e9))
            check(pad.shakes_at(removed + 1000 * MS), "the pad stopped when the chip went away")
            both.wait(10)
            lines.make_chip()
            remade = time.monotonic()
            daemon.wait_until_available()
            seconds = time.monotonic() - remade
            trace = lines.Trace()
            daemon.play(steady(1, 300))
            check(len(trace.pulses()) == 1, f"one play on the new chip was {trace.edges()}")
            check(lines.consumer() == "hapticd", f"the new line's consumer is {lines.consumer()!r}")
    finally:
        if not lines.is_there():
            lines.make_chip()
    return f"used {seconds:.2f} s after it was made again\n{told.strip()}"

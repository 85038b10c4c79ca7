# SPDX-License-Identifier: MIT
"""hapticd --switch-off, the service's stop hook: what is left on where daemon and guard are killed at once goes off."""
import os
import signal
import subprocess
import time

import lines
from daemon import Daemon, Programs, configuration, gpio, steady
from harness import check, test, wait_for
from lights import Light
from pwmchip import PWMChip
from test_never_left_on import guard
from timing import MS

LOW_LINE = 21


def switch_off(daemon, status=0):
    """Runs it as the service manager does after the daemon's end; returns what it complained of, and how long it took in s."""
    start = time.monotonic()
    done = subprocess.run(
        [Programs.folder / "hapticd", "--switch-off", "--config", daemon.config, "--socket", daemon.socket],
        env=Programs.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False)
    said = done.stderr
    check(done.returncode == status, f"hapticd --switch-off ended with {done.returncode}: {said}")
    return said, time.monotonic() - start


def kill_both(daemon):
    """Kills daemon and guard so that neither sees the other's end; waits until both have gone."""
    guardian = wait_for("the guard", guard)
    daemon.kill(signal.SIGSTOP)
    os.kill(guardian, signal.SIGKILL)
    daemon.kill(signal.SIGKILL)
    daemon.process.wait()
    wait_for("the guard to be gone", lambda: guard() is None)


@test("switch off, gpio: lines, channel and light after SIGKILL of daemon and guard in mid-vibration")
def both_killed():
    trace, low = lines.Trace(), lines.Trace(at_rest=1)
    with PWMChip() as chip, Light("glow") as light, Daemon(configuration(
            gpio(), gpio("low", LOW_LINE, "activeLow: true"), "name: pwm, backend: pwm, chip: pwmchip0, channel: 0, frequency: 200Hz",
            "name: light, backend: led, led: glow")) as daemon:
        for name in ("main", "low", "pwm", "light"):
            daemon.wait_until_available(name)
        player = daemon.start_play(steady(0.7, 8000))
        trace.wait_for_on()
        wait_for("all to be on", lambda: light.level() > 0 and chip.is_on() and lines.level(LOW_LINE) == 0)
        kill_both(daemon)
        player.wait(20)
        time.sleep(0.3)
        check(lines.level() == 1 and lines.level(LOW_LINE) == 0 and light.level() > 0 and chip.is_on(),
              "something is off already: this shows nothing")
        check(lines.consumer() is None, f"{lines.consumer()} holds the line")
        said, seconds = switch_off(daemon)
        check(said == "", said)
        check(lines.level() == 0, "the line is on")
        check(lines.level(LOW_LINE) == 1, "the active-low line is on")
        check(light.level() == 0, f"the light is at {light.level()}")
        check(not chip.is_on(), f"the channel is on: {chip.states()[-1]}")
        check(len(trace.edges()) == 2, f"the line moved more than once: {trace.edges()}")
        check(len(low.edges(LOW_LINE)) == 2, f"the active-low line moved more than once: {low.edges(LOW_LINE)}")
    return f"all off by a program of {seconds:.2f} s"


@test("switch off, gpio: the guard of a killed daemon leaves, and the line stays off")
def guard_leaves():
    trace = lines.Trace()
    with Daemon(configuration(gpio())) as daemon:
        daemon.wait_until_available()
        player = daemon.start_play(steady(1, 8000))
        trace.wait_for_on()
        daemon.kill()
        daemon.process.wait()
        player.wait(20)
        wait_for("the guard to have switched off", lambda: lines.level() == 0)
        check(guard() is not None, "the guard has left by itself")
        said, _ = switch_off(daemon)
        check(said == "" and guard() is None, f"the guard is still there; {said}")
        check(lines.consumer() is None and lines.level() == 0, f"held by {lines.consumer()}, at {lines.level()}")
        check(len(trace.edges()) == 2, f"the line moved: {trace.edges()}")


@test("switch off, gpio: a guard that was stopped before its daemon was killed keeps nothing on")
def guard_stopped():
    trace = lines.Trace()
    with Daemon(configuration(gpio())) as daemon:
        daemon.wait_until_available()
        player = daemon.start_play(steady(1, 8000))
        trace.wait_for_on()
        os.kill(wait_for("the guard", guard), signal.SIGSTOP)
        daemon.kill()
        daemon.process.wait()
        player.wait(20)
        check(lines.level() == 1, "something is off already: this shows nothing")
        said, seconds = switch_off(daemon)
        check(said == "" and guard() is None, f"the guard is still there; {said}")
        check(lines.consumer() is None and lines.level() == 0, f"held by {lines.consumer()}, at {lines.level()}")
        check(len(trace.edges()) == 2, f"the line moved: {trace.edges()}")
    return f"off by a program of {seconds:.2f} s"


@test("switch off, gpio: what the daemon had, whatever the configuration says by now")
def changed_configuration():
    trace = lines.Trace()
    with Daemon(configuration(gpio())) as daemon:
        daemon.wait_until_available()
        player = daemon.start_play(steady(1, 8000))
        trace.wait_for_on()
        daemon.config.write_text(configuration("name: other, backend: simulated"))
        kill_both(daemon)
        player.wait(20)
        check(lines.level() == 1, "something is off already: this shows nothing")
        said, _ = switch_off(daemon)
        check(said == "" and lines.level() == 0, f"at {lines.level()}; {said}")


@test("switch off, gpio: a living daemon keeps its line; a line that another program holds is left to it")
def others():
    trace = lines.Trace()
    with Daemon(configuration(gpio())) as daemon:
        daemon.wait_until_available()
        player = daemon.start_play(steady(1, 9000))
        trace.wait_for_on()
        said, _ = switch_off(daemon, status=1)
        tried = time.monotonic_ns()
        check("a hapticd is running" in said, said)
        player.wait(20)
        check(len(trace.edges()) == 2, f"the line moved: {trace.edges()}")
        on, off = trace.edges()
        # On a slow machine the pulse may be over before the program is.
        check(off.ns > tried or off.ns - on.ns > 8000 * MS, f"the line was taken from the daemon after {(off.ns - on.ns) / MS:.0f} ms")
    with lines.HeldLine(lines.MOTOR, "door-opener") as line:
        line.set(1)
        said, _ = switch_off(daemon)
        check(said == "" and lines.level() == 1, f"at {lines.level()}; {said}")
        line.set(0)

# SPDX-License-Identifier: MIT
"""The PWM backend on a chip of the kernel."""
import signal
import subprocess
import time
from pathlib import Path

import timing
from daemon import Daemon, configuration, steady
from harness import check, test, wait_for
from pwmchip import PWMChip
from timing import MS

ACTUATOR = "name: main, backend: pwm, chip: pwmchip0, channel: 0, frequency: 200Hz"
PERIOD = 5 * MS


@test("pwm: exported, driven by duty, switched off and given back")
def driven():
    with PWMChip() as chip:
        with Daemon(configuration(ACTUATOR)) as daemon:
            daemon.wait_until_available()
            check(not chip.is_on(), "the channel is on before anything is played")
            duties = []
            for level in (0.2, 0.5, 1):
                before = len(chip.states())
                daemon.play(steady(level, 300))
                wait_for("the channel to be off", lambda: not chip.is_on())
                shown = chip.states()[before:]
                check(all(state.period == PERIOD for state in shown), f"periods {shown}")
                check(shown[-1].duty == 0 and shown[-1].enabled, f"off is {shown[-1]}, not a duty of 0 of an enabled channel")
                duties.append(max(state.duty for state in shown) / PERIOD)
            check(all(abs(duty - level) <= 0.001 for duty, level in zip(duties, (0.2, 0.5, 1))), f"duties {duties}")
        wait_for("the channel to be given back", lambda: not chip.is_exported())
    return f"duties {duties}"


@test("pwm: a channel that another program has exported is used, and left to it")
def shared():
    with PWMChip() as chip:
        (chip.folder / "export").write_text("0")
        with Daemon(configuration(ACTUATOR)) as daemon:
            daemon.wait_until_available()
            # Long, as everywhere here: a debug build's first actuation comes some 20 ms late, and a pulse of 20 ms would be left out.
            daemon.play(steady(1, 300))
        check(any(state.is_on for state in chip.states()), "it was not driven")
        check(chip.is_exported(), "it was taken from who had exported it")


@test("pwm: a channel that the chip does not have is told with those that it has")
def no_channel():
    with PWMChip(), Daemon(configuration(ACTUATOR.replace("channel: 0", "channel: 7"))) as daemon:
        error = wait_for("the reason", lambda: daemon.actuator()["error"])
        check("0 to 2" in error, error)
    return error


@test("pwm: a channel that another program has left on is switched off before its period changes")
def left_on():
    with PWMChip() as chip:
        for file, value in (("export", 0), ("pwm0/period", 1000 * 1000), ("pwm0/duty_cycle", 600 * 1000), ("pwm0/enable", 1)):
            (chip.folder / file).write_text(str(value))
        before = len(chip.states())
        check(chip.is_on(), "the stranger's channel is not on")
        with Daemon(configuration(ACTUATOR)) as daemon:
            daemon.wait_until_available()
            taken = chip.states()[before:]
            check(not any(state.is_on for state in taken), f"on while it was taken: {taken}")
            check(taken[0].duty == 0 and taken[-1].period == PERIOD, f"taken by {taken}")
    return f"{len(taken)} states, all off"


@test("pwm: a channel that a driver of the kernel holds is told as busy, with where to look who it is")
def held_by_the_kernel():
    debug = Path("/sys/kernel/debug")
    if not (debug / "pwm").exists():
        subprocess.run(["mount", "-t", "debugfs", "debugfs", debug], check=True)
    with PWMChip() as chip, Daemon(configuration(ACTUATOR.replace("channel: 0", "channel: 2"))) as daemon:
        error = wait_for("the reason", lambda: daemon.actuator()["error"])
        check("another driver" in error and str(debug / "pwm") in error, error)
        check("backlight" in (debug / "pwm").read_text(), "the file that it names does not say who")
        check(chip.states() == [], f"the driver's channel was changed: {chip.states()}")
    return error


@test("pwm: a chip without permission is told with the file and the group")
def forbidden():
    as_nobody = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")
    with PWMChip() as chip, Daemon(configuration(ACTUATOR), prefix=as_nobody) as daemon:
        error = wait_for("the reason", lambda: daemon.actuator()["error"])
        check(str(chip.folder / "export") in error, f"it does not name the file: {error}")
        check("group" in error and "hapticd" in error, f"it does not name the group: {error}")
        check(not chip.is_exported() and chip.states() == [], "the channel was changed")
    return error


def ended_by(number, limit):
    with PWMChip() as chip, Daemon(configuration(ACTUATOR)) as daemon:
        daemon.wait_until_available()
        player = daemon.start_play(steady(0.7, 8000))
        wait_for("the channel to be on", chip.is_on)
        time.sleep(0.3)
        with timing.Yardstick() as yardstick:
            when = daemon.kill(number)
            if number == signal.SIGKILL:
                daemon.process.wait()
                when = time.monotonic_ns()    # it takes its time to go
            wait_for("the channel to be off", lambda: not chip.is_on())
        last = chip.states()[-1]
        delay = max(last.ns - when, 0)
        yardstick.check_within(limit, when, when + delay, f"off after {delay / MS:.1f} ms")
        check(last.duty == 0 and last.enabled and last.by == "haptic-guard", f"switched off by {last}")
        if daemon.process.poll() is None:
            daemon.kill(signal.SIGKILL)
        player.wait(10)
    return f"off after {delay / MS:.1f} ms, by {last.by}"


@test("never left on, pwm: SIGKILL")
def killed():
    return ended_by(signal.SIGKILL, 100 * MS)


@test("never left on, pwm: SIGSTOP, off within 2 s")
def stopped():
    return ended_by(signal.SIGSTOP, 2000 * MS)

# SPDX-License-Identifier: MIT
"""The PWM backend against a directory that imitates /sys/class/pwm: the guest has no PWM."""
import time

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
            check(chip.value("period") == PERIOD, f"the period is {chip.value('period')} ns")
            check(not chip.is_on(), "the channel is on before anything is played")
            duties = []
            for level in (0.2, 0.5, 1):
                before = len(chip.writes)
                daemon.play(steady(level, 300))
                wait_for("the channel to be off", lambda: not chip.is_on())
                duties.append(max((one.value for one in chip.writes[before:] if one.file == "duty_cycle"), default=0) / PERIOD)
            check(all(abs(duty - level) <= 0.02 for duty, level in zip(duties, (0.2, 0.5, 1))), f"duties {duties}")
        wait_for("the channel to be given back", lambda: chip.value("enable") is None)
    return f"duties {duties}"


@test("never left on, pwm: SIGKILL")
def killed():
    with PWMChip() as chip:
        with Daemon(configuration(ACTUATOR)) as daemon:
            daemon.wait_until_available()
            player = daemon.start_play(steady(0.7, 8000))
            wait_for("the channel to be on", chip.is_on)
            time.sleep(0.3)
            daemon.kill()
            daemon.process.wait()
            gone = time.monotonic_ns()
            wait_for("the channel to be off", lambda: not chip.is_on(), every=0.001)
            delay = time.monotonic_ns() - gone
            player.wait(10)
        check(delay <= 100 * MS, f"off {delay / MS:.1f} ms after it had gone")
    return f"off {delay / MS:.1f} ms after it had gone"

# SPDX-License-Identifier: MIT
"""The board's PWM chip (pwm-sim), seen from the far side: the kernel traces each state that the chip is given."""
import re
from pathlib import Path
from typing import NamedTuple

_TRACING = Path("/sys/kernel/tracing")
_EVENT = re.compile(
    r"^\s*(\S+)-\d+\s+\[\d+\]\s+\S+\s+(\d+)\.(\d+): pwm_apply: \S+: period=(\d+) duty_cycle=(\d+) polarity=\d+ enabled=(\d)",
    re.MULTILINE)


class State(NamedTuple):
    """What the chip was told to do with a channel, when, and by which thread."""
    ns: int
    period: int
    duty: int
    enabled: bool
    by: str

    @property
    def is_on(self):
        return self.enabled and self.duty > 0


class PWMChip:
    """The one chip of the board, and a record of its states from the making of this on."""

    def __init__(self):
        self.folder = next(Path("/sys/class/pwm").glob("pwmchip*"))
        _TRACING.mkdir(exist_ok=True)
        (_TRACING / "trace_clock").write_text("mono")
        (_TRACING / "trace").write_text("")
        (_TRACING / "events/pwm/pwm_apply/enable").write_text("1")

    def states(self):
        return [
            State(int(seconds) * 10**9 + int(fraction.ljust(9, "0")), int(period), int(duty), enabled == "1", by)
            for by, seconds, fraction, period, duty, enabled in _EVENT.findall((_TRACING / "trace").read_text())]

    def is_on(self):
        states = self.states()
        return bool(states) and states[-1].is_on

    def is_exported(self, channel=0):
        return (self.folder / f"pwm{channel}").exists()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        (_TRACING / "events/pwm/pwm_apply/enable").write_text("0")
        for channel in (0, 1):
            if self.is_exported(channel):
                (self.folder / "unexport").write_text(str(channel))

# SPDX-License-Identifier: MIT
"""Lateness: the guest's own timer as a yardstick, percentiles, and the contract's formula for steps."""
import bisect
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from harness import check_figure, wait_for

SLEEPER = Path(os.environ["VBOARD_PROGRAMS"]) / "sleeper"
MS = 1_000_000


class Lateness(NamedTuple):
    """Percentiles of some latenesses, in ns."""
    p50: int
    p90: int
    worst: int

    def __str__(self):
        return f"p50 {self.p50 / MS:.3f}, p90 {self.p90 / MS:.3f}, worst {self.worst / MS:.3f} ms"


def summary(latenesses):
    ordered = sorted(latenesses)
    return Lateness(ordered[len(ordered) // 2], ordered[len(ordered) * 9 // 10], ordered[-1])


class Yardstick:
    """How late a real-time thread of the guest wakes every 2 ms while the block runs.

    An emulated board on a busy machine stands still now and then, for tens of ms: then its own timer is late too, and this
    tells when and by how much.
    """
    INTERVAL = 2 * MS

    def __enter__(self):
        self._output = tempfile.TemporaryFile("w+", encoding="ascii", dir="/run")
        self._process = subprocess.Popen([SLEEPER, str(self.INTERVAL)], stdout=self._output)
        wait_for("the yardstick to be ready", lambda: os.fstat(self._output.fileno()).st_size > 0, 300)
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(10)
        self._output.seek(0)
        next(self._output)
        ticks = [tuple(map(int, line.split())) for line in self._output]
        self._output.close()
        self._due = [due for due, _ in ticks]
        self.latenesses = [late for _, late in ticks]

    def stood_still(self, start, end):
        """For how long the guest had no processor from just before `start` to just after `end`, all pauses together, in ns.

        A tick later than what is left of the pause before it tells of another one. What is less than 1 ms is the guest's own latency.
        """
        first = bisect.bisect_left(self._due, start - 2 * self.INTERVAL)
        last = bisect.bisect_right(self._due, end + 2 * self.INTERVAL)
        total = left = 0
        for late in self.latenesses[first:last]:
            total += late - left if late - left > MS else 0
            left = max(late - self.INTERVAL, 0)
        return total

    def check_within(self, limit, start, end, finding):
        """Checks the figure whether `end` is at most `limit` ns after `start`, pauses of the machine not counted."""
        still = self.stood_still(start, end)
        check_figure(end - start <= limit + still, f"{finding}; the machine stood still for {still / MS:.1f} ms meanwhile")

    def check_length(self, length, tolerance, start, end):
        """Checks the figure whether `start` to `end` is about as long as it should be; a pause of the machine delays either of them."""
        still = self.stood_still(start, end)
        check_figure(abs(end - start - length) <= tolerance + still,
                     f"{length / MS:.0f} ms became {(end - start) / MS:.0f} ms; the machine stood still for {still / MS:.1f} ms meanwhile")


def curve(name, steps, duration):
    """The instants of a step train, in ns from its start, by the contract's formula."""
    if name == "linear":
        return [duration * k / steps for k in range(1, steps + 1)]

    def tick(p):
        a, b, c = 0.000035, 0.000665, 1.0024 * p
        return (-b + (b * b + 4 * a * c) ** 0.5) / (2 * a)

    return [duration * tick(k / steps) / 160 for k in range(1, steps + 1)]

# SPDX-License-Identifier: MIT
"""Lateness: the guest's own timer as a yardstick, and percentiles."""
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

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


def of_timer(instants):
    """How late a real-time thread of the guest wakes at these instants (ns from a start)."""
    done = subprocess.run(
        [SLEEPER], input="".join(f"{instant}\n" for instant in instants), capture_output=True, text=True, check=True)
    return [int(line) for line in done.stdout.split()]


def curve(name, steps, duration):
    """The instants of a step train, in ns from its start, by the contract's formula."""
    if name == "linear":
        return [duration * k / steps for k in range(1, steps + 1)]

    def tick(p):
        a, b, c = 0.000035, 0.000665, 1.0024 * p
        return (-b + (b * b + 4 * a * c) ** 0.5) / (2 * a)

    return [duration * tick(k / steps) / 160 for k in range(1, steps + 1)]

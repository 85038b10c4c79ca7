# SPDX-License-Identifier: MIT
"""The board's GPIO chip: its edges as the kernel traced them, its levels, who holds its lines. No libgpiod: a witness shares
no code with what it judges."""
import fcntl
import os
import re
import struct
from pathlib import Path
from typing import NamedTuple

from harness import check, wait_for

CHIP = os.environ["VBOARD_CHIP"]
MOTOR = 18
_CONFIG = Path("/sys/kernel/config/gpio-sim/vboard")
_TRACING = Path("/sys/kernel/tracing/instances/vboard")
_EVENT = re.compile(r"^\s*(\S+)-(\d+)\s+\[\d+\]\s+\S+\s+(\d+)\.(\d+): gpio_value: (\d+) set (\d)", re.MULTILINE)

# include/uapi/linux/gpio.h, version 2 of the interface
_GET_LINE = 0xC250B407
_GET_LINE_INFO = 0xC100B405
_SET_VALUES = 0xC010B40F
_LINE_BYTES, _INFO_BYTES = 592, 256
_USED, _OUTPUT = 1 << 0, 1 << 3


class Edge(NamedTuple):
    """A change of a line's level; `ns` of CLOCK_MONOTONIC, to the microsecond."""
    ns: int
    level: int
    by: str


class Pulse(NamedTuple):
    on: int
    off: int

    @property
    def length(self):
        return self.off - self.on


def _global_number(offset):
    """The kernel's own number of a line, which its trace events use."""
    for chip in Path("/sys/class/gpio").glob("gpiochip*"):
        if (chip / "label").read_text().strip() == "vboard":
            return int((chip / "base").read_text()) + offset
    raise LookupError("no chip vboard in /sys/class/gpio")


class Trace:
    """Records every edge of the board from its making on.

    The kernel traces each "set" of a line, also one that changes nothing; an edge is one that does.
    """

    def __init__(self, at_rest=0):
        """at_rest: the level of the lines that are looked at when the trace begins."""
        _TRACING.mkdir(exist_ok=True)
        (_TRACING / "trace_clock").write_text("mono")
        (_TRACING / "buffer_size_kb").write_text("8192")
        (_TRACING / "trace").write_text("")
        (_TRACING / "events/gpio/gpio_value/enable").write_text("1")
        self._at_rest = at_rest

    def edges(self, offset=MOTOR):
        """All edges of a line, in order."""
        number = str(_global_number(offset))
        level, found = self._at_rest, []
        for name, process, seconds, fraction, line, value in _EVENT.findall((_TRACING / "trace").read_text()):
            if line == number and int(value) != level:
                level = int(value)
                found.append(Edge(int(seconds) * 10**9 + int(fraction.ljust(9, "0")), level, f"{name}-{process}"))
        return found

    def pulses(self, offset=MOTOR):
        """All pulses of a line that have ended."""
        edges = self.edges(offset)
        return [Pulse(on.ns, off.ns) for on, off in zip(edges[::2], edges[1::2])]

    def wait_for_on(self, offset=MOTOR, limit=10.0):
        """Waits until the line is on; returns when it came on."""
        wait_for(f"line {offset} to come on", lambda: level(offset) == 1, limit, every=0.02)
        return self.edges(offset)[-1].ns

    def off_after(self, instant, offset=MOTOR, limit=10.0):
        """Waits until the line is off; returns how long after the instant that was, in ns."""
        wait_for(f"line {offset} to go off", lambda: level(offset) == 0, limit, every=0.02)
        last = self.edges(offset)[-1]
        check(last.level == 0, f"the simulated side of line {offset} is off, but the kernel traced no falling edge")
        return last.ns - instant


def level(offset=MOTOR):
    """The level of a line as the simulated outside world sees it."""
    return int((_simulated() / f"sim_gpio{offset}" / "value").read_text())


def environment():
    """Where the chip is now, as the guest tells it at the start: one that was made again may have another number."""
    return {"VBOARD_CHIP": f"/dev/{_simulated().name}", "VBOARD_SIM": str(_simulated())}


def _simulated():
    device = (_CONFIG / "dev_name").read_text().strip()
    chip = (_CONFIG / "bank0/chip_name").read_text().strip()
    return Path("/sys/devices/platform") / device / chip


def is_there():
    return (_CONFIG / "live").read_text().strip() == "1"


def remove_chip():
    (_CONFIG / "live").write_text("0")


def make_chip():
    (_CONFIG / "live").write_text("1")
    wait_for("the chip's node", lambda: os.path.exists(chip_path()))


def chip_path():
    """Where the chip is now: after it was made again, its number may be another."""
    return "/dev/" + (_CONFIG / "bank0/chip_name").read_text().strip()


def consumer(offset=MOTOR):
    """Who holds a line; None where nobody does."""
    descriptor = os.open(chip_path(), os.O_RDONLY | os.O_CLOEXEC)
    try:
        info = bytearray(_INFO_BYTES)
        struct.pack_into("=I", info, 64, offset)
        fcntl.ioctl(descriptor, _GET_LINE_INFO, info, True)
        flags, = struct.unpack_from("=Q", info, 72)
        return info[32:64].split(b"\0")[0].decode() if flags & _USED else None
    finally:
        os.close(descriptor)


class HeldLine:
    """A line requested as an output by this process, as a stranger would. path: of the chip, where it is known."""

    def __init__(self, offset, name, path=None):
        chip = os.open(path or chip_path(), os.O_RDONLY | os.O_CLOEXEC)
        try:
            request = bytearray(_LINE_BYTES)
            struct.pack_into("=I", request, 0, offset)
            struct.pack_into("=32s", request, 256, name.encode())
            struct.pack_into("=Q", request, 288, _OUTPUT)
            struct.pack_into("=I", request, 560, 1)
            fcntl.ioctl(chip, _GET_LINE, request, True)
            self._descriptor, = struct.unpack_from("=i", request, 588)
        finally:
            os.close(chip)

    def set(self, value):
        fcntl.ioctl(self._descriptor, _SET_VALUES, struct.pack("=QQ", value, 1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._descriptor)

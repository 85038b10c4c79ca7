# SPDX-License-Identifier: MIT
"""A hand: keys made through uinput, buttons on the board's lines, and what a subscriber hears of their holds."""
import fcntl
import json
import os
import select
import socket
import struct
import time
from pathlib import Path
from typing import NamedTuple

import lines
from harness import wait_for

POWER, VOLUME, MUTE = 116, 115, 14
BUTTON = 23
# include/uapi/linux/uinput.h
_SET_EVBIT, _SET_KEYBIT, _SETUP, _CREATE, _DESTROY, _SYSNAME = 0x40045564, 0x40045565, 0x405C5503, 0x5501, 0x5502, 0x8040552C
_SET_SWBIT = 0x4004556D
_SYN, _KEY, _SW = 0, 1, 5


def _event(kind, code, value):
    return struct.pack("=qqHHi", 0, 0, kind, code, value)


class Press(NamedTuple):
    """Between which instants the kernel took it, in ns of CLOCK_MONOTONIC."""
    after: int
    before: int


class Keyboard:
    """An input device with two keys and these switches, plugged in from its making on. Its ids are those of no other device."""

    def __init__(self, name, product=0x5678, switches=()):
        self._name, self._product, self._switches = name, product, switches
        self.plug_in()

    def plug_in(self):
        self._device = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
        fcntl.ioctl(self._device, _SET_EVBIT, _KEY)
        for key in (POWER, VOLUME):
            fcntl.ioctl(self._device, _SET_KEYBIT, key)
        if self._switches:
            fcntl.ioctl(self._device, _SET_EVBIT, _SW)
        for switch in self._switches:
            fcntl.ioctl(self._device, _SET_SWBIT, switch)
        fcntl.ioctl(self._device, _SETUP, struct.pack("=4H80sI", 3, 0x1234, self._product, 1, self._name.encode(), 0))
        fcntl.ioctl(self._device, _CREATE)
        system = bytearray(64)
        fcntl.ioctl(self._device, _SYSNAME, system, True)
        folder = Path("/sys/class/input") / system.split(b"\0")[0].decode()
        self.node = "/dev/input/" + wait_for("its event node", lambda: list(folder.glob("event*")))[0].name
        wait_for(self.node, lambda: os.path.exists(self.node))

    def unplug(self):
        fcntl.ioctl(self._device, _DESTROY)
        os.close(self._device)
        self._device = None

    def set(self, is_down, key=POWER):
        after = time.monotonic_ns()
        os.write(self._device, _event(_KEY, key, int(is_down)) + _event(_SYN, 0, 0))
        return Press(after, time.monotonic_ns())

    def toggle(self, switch, is_on):
        os.write(self._device, _event(_SW, switch, int(is_on)) + _event(_SYN, 0, 0))

    def chatter(self, presses):
        """Down and up so often, in one go."""
        once = b"".join(_event(_KEY, POWER, value) + _event(_SYN, 0, 0) for value in (1, 0))
        os.write(self._device, once * presses)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._device is not None:
            self.unplug()


class Button:
    """A button to ground, on a line of the board that a resistor holds up."""

    def __init__(self, offset=BUTTON):
        environment = lines.environment()
        self._pull = Path(environment["VBOARD_SIM"]) / f"sim_gpio{offset}" / "pull"
        self.set(False)

    def set(self, is_down):
        after = time.monotonic_ns()
        self._pull.write_text("pull-down" if is_down else "pull-up")
        return Press(after, time.monotonic_ns())

    def set_with_bounces(self, is_down, bounces=5, every=0.0003):
        """Its contact opens and closes some times before it rests. Returns the first edge."""
        first = self.set(is_down)
        for _ in range(bounces):
            for level in (not is_down, is_down):
                time.sleep(every)
                self.set(level)
        return first


class Subscriber:
    """Hears of holds and of decisions, from its making on."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._rest = b""
        self._heard = []
        self._socket.sendall(b'{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["holds","decisions"]}}\n')
        wait_for("the subscription", lambda: any("id" in one for one in self._all()))

    def _all(self):
        while select.select([self._socket], [], [], 0)[0]:
            data = self._socket.recv(1 << 16)
            if not data:
                break
            *whole, self._rest = (self._rest + data).split(b"\n")
            self._heard += map(json.loads, whole)
        return self._heard

    def holds(self, name):
        """What was said of this hold so far, in order."""
        return [one["params"] for one in self._all() if one.get("method") == "hold" and one["params"]["id"] == name]

    def states(self, name):
        return [one["state"] for one in self.holds(name)]

    def decisions(self, name):
        """Those of this hold's, and of its events."""
        return [one["params"] for one in self._all() if one.get("method") == "decision" and one["params"]["source"] == name]

    def forget(self):
        self._all()
        self._heard = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

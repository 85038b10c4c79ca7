# SPDX-License-Identifier: MIT
"""Lights made through the kernel's uleds, and the brightness that reached them."""
import os
import select
import struct
import threading
import time
from pathlib import Path
from typing import NamedTuple

from harness import wait_for


class Brightness(NamedTuple):
    ns: int
    value: int


class Light:
    """A light /sys/class/leds/NAME with a record of every change of its brightness."""

    def __init__(self, name, most=255):
        self.name, self.most = name, most
        self.changes = []
        self._descriptor = os.open("/dev/uleds", os.O_RDWR | os.O_CLOEXEC)
        os.write(self._descriptor, struct.pack("=64si", name.encode(), most))
        self.folder = Path("/sys/class/leds") / name
        wait_for(self.folder, self.folder.exists)
        self._ended, self._end = os.pipe()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        while self._ended not in select.select([self._descriptor, self._ended], [], [])[0]:
            value, = struct.unpack("=i", os.read(self._descriptor, 4))
            self.changes.append(Brightness(time.monotonic_ns(), value))

    def level(self):
        return int((self.folder / "brightness").read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.write(self._end, b".")
        self._reader.join()
        for descriptor in (self._descriptor, self._ended, self._end):
            os.close(descriptor)

# SPDX-License-Identifier: MIT
"""A PWM chip that looks like one of /sys/class/pwm: the kernel of the board has that class, and no chip in it."""
import ctypes
import errno
import os
import struct
import subprocess
import threading
import time
from pathlib import Path
from typing import NamedTuple

_CLASS = Path("/sys/class/pwm")
_libc = ctypes.CDLL(None, use_errno=True)
_IN_MODIFY = 2


class Write(NamedTuple):
    """A value that was written to one of a channel's files."""
    ns: int
    file: str
    value: int


class PWMChip:
    """/sys/class/pwm/pwmchip0 with one channel, made of plain files, and a record of what is written to the channel."""

    def __init__(self):
        subprocess.run(["mount", "-t", "tmpfs", "pwm", _CLASS], check=True)
        self.folder = _CLASS / "pwmchip0"
        self.folder.mkdir()
        (self.folder / "npwm").write_text("1\n")
        self.channel = self.folder / "pwm0"
        self.writes = []
        self._inotify = _libc.inotify_init1(os.O_CLOEXEC)
        self._names = {}
        for name in ("export", "unexport"):
            self._watch(self.folder / name, "")
        threading.Thread(target=self._serve, daemon=True).start()

    def _watch(self, path, text):
        path.write_text(text)
        number = _libc.inotify_add_watch(self._inotify, bytes(path), _IN_MODIFY)
        if number < 0:
            raise OSError(ctypes.get_errno(), str(path))
        self._names[number] = path

    def _serve(self):
        while True:
            try:
                events = os.read(self._inotify, 65536)
            except OSError as error:
                if error.errno == errno.EBADF:
                    return
                raise
            offset = 0
            while offset < len(events):
                number, _, _, length = struct.unpack_from("=iIII", events, offset)
                offset += 16 + length
                self._written(self._names.get(number))

    def _written(self, path):
        if path is None or not path.exists():
            return
        words = path.read_text().split()
        if not words:
            return
        if path.name == "export":
            self._export()
        elif path.name == "unexport":
            for file in self.channel.iterdir():
                file.unlink()
            self.channel.rmdir()
        else:
            self.writes.append(Write(time.monotonic_ns(), path.name, int(words[0])))
        if path.parent == self.folder:
            path.write_text("")

    def _export(self):
        made = self.folder / "making"
        made.mkdir()
        for name in ("period", "duty_cycle", "enable"):
            (made / name).write_text("0\n")
        (made / "polarity").write_text("normal\n")
        made.rename(self.channel)
        for name in ("period", "duty_cycle", "enable"):
            number = _libc.inotify_add_watch(self._inotify, bytes(self.channel / name), _IN_MODIFY)
            self._names[number] = self.channel / name

    def value(self, name):
        """What a file of the channel says now; None where the channel is not exported."""
        try:
            return int((self.channel / name).read_text().split()[0])
        except FileNotFoundError:
            return None

    def is_on(self):
        return bool(self.value("enable")) and bool(self.value("duty_cycle"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._inotify)
        subprocess.run(["umount", "-l", _CLASS], check=True)

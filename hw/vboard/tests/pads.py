# SPDX-License-Identifier: MIT
"""Force-feedback pads made by ffpad through uinput, and what reached them."""
import errno
import fcntl
import json
import os
import struct
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from harness import wait_for

FFPAD = Path(os.environ["VBOARD_PROGRAMS"]) / "ffpad"
RUMBLE, PERIODIC, CONSTANT = 0x50, 0x51, 0x52
SQUARE, TRIANGLE, SINE = 0x58, 0x59, 0x5A
# After so many seconds a pad that was forgotten goes. Virtual time may run for hours while the guest waits for a busy host.
_LIFETIME = "36000"
_UPLOAD, _ERASE = 0x40304580, 0x40044581
_MS = 1_000_000


class Span(NamedTuple):
    """A time in which the pad shook, in ns of CLOCK_MONOTONIC."""
    on: int
    off: int


class Pad:
    """A pad, plugged in from its making on. abilities: rumble, periodic, constant, gain, slots=N, hang-uploads."""

    def __init__(self, name, *abilities):
        self.name, self.abilities = name, abilities
        self._log = tempfile.NamedTemporaryFile(prefix="pad-", suffix=".jsonl", dir="/run")
        self._process = None
        self.plug_in()

    def plug_in(self):
        """Plugs the pad in (again); it keeps its record."""
        before = len(self._of("created"))
        with open(self._log.name, "a", encoding="utf-8") as log:
            self._process = subprocess.Popen([FFPAD, self.name, _LIFETIME, *self.abilities], stdout=log)
        created = wait_for(f"the pad {self.name}", lambda: self._of("created")[before:])
        folder = Path("/sys/class/input") / created[0]["sys"]
        self.node = "/dev/input/" + wait_for("its event node", lambda: list(folder.glob("event*")))[0].name
        wait_for(self.node, lambda: os.path.exists(self.node))

    def unplug(self):
        """Pulls the pad out; returns when, in ns."""
        when = time.monotonic_ns()
        self._process.terminate()
        self._process.wait(10)
        return when

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self.unplug()

    def events(self):
        """All that reached the pad, in order."""
        with open(self._log.name, encoding="utf-8") as log:
            return [json.loads(line) for line in log if line.endswith("\n")]

    def _of(self, *kinds, since=0):
        return [event for event in self.events() if event["what"] in kinds and event["t"] >= since]

    def uploads(self, since=0):
        return self._of("upload", since=since)

    def plays(self, since=0):
        return self._of("play", since=since)

    def effect_of(self, play):
        """The upload that a play refers to: the last one before it with its id."""
        return [upload for upload in self.uploads() if upload["id"] == play["id"] and upload["t"] <= play["t"]][-1]

    def spans(self):
        """When the pad shook: each play lasts for its effect's length, or until it is stopped, erased or unplugged.

        Spans that touch or overlap are one.
        """
        running, lengths, ended = {}, {}, []

        def end(effect, at):
            if effect in running:
                on, off = running.pop(effect)
                ended.append(Span(on, min(off, at)))

        for event in self.events():
            what, at = event["what"], event["t"]
            if what == "upload":
                lengths[event["id"]] = event["length"] * _MS
            elif what == "play":
                end(event["id"], at)
                running[event["id"]] = (at, at + lengths[event["id"]] * event["count"])
            elif what in ("stop", "erase"):
                end(event["id"], at)
            elif what == "destroyed":
                for effect in list(running):
                    end(effect, at)
        ended += [Span(on, off) for on, off in running.values()]
        joined = []
        for span in sorted(ended):
            if joined and span.on <= joined[-1].off:
                joined[-1] = Span(joined[-1].on, max(joined[-1].off, span.off))
            else:
                joined.append(span)
        return joined

    def shakes_at(self, instant):
        return any(span.on <= instant < span.off for span in self.spans())

    def wait_for_play(self, since=0, limit=5.0):
        return wait_for(f"{self.name} to be played", lambda: self.plays(since), limit)[0]

    def off_after(self, instant):
        """How long after the instant the pad still shakes by its record so far, in ns; at most 0 if it did not."""
        return max((span.off for span in self.spans()), default=0) - instant

    def set_gain(self, value):
        """What another program may have left: the gain stays when it closes the device."""
        with open(self.node, "wb", buffering=0) as node:
            node.write(struct.pack("=qqHHi", 0, 0, 0x15, 0x60, value))
        wait_for("the gain", lambda: any(event["value"] == value for event in self._of("gain")))

    def free_slots(self):
        """How many effects a newcomer can upload now; they are erased again."""
        descriptor = os.open(self.node, os.O_RDWR | os.O_CLOEXEC)
        ids = []
        try:
            while True:
                # struct ff_effect: type, id, direction, trigger (2), replay (length, delay), then the union at 16
                effect = bytearray(struct.pack("=HhHHHHH2xHH28x", RUMBLE, -1, 0, 0, 0, 100, 0, 0x4000, 0x4000))
                fcntl.ioctl(descriptor, _UPLOAD, effect, True)
                ids.append(struct.unpack_from("=h", effect, 2)[0])
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        finally:
            for effect_id in ids:
                fcntl.ioctl(descriptor, _ERASE, effect_id)
            os.close(descriptor)
        return len(ids)

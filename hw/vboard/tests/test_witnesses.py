# SPDX-License-Identifier: MIT
"""The witnesses see what is there: what they tell about the daemon counts only where this holds."""
import fcntl
import os
import struct
import time

import lines
import pads
import timing
from harness import check, test, wait_for
from lights import Light
from timing import MS


@test("witness: the kernel's trace tells each edge of a line")
def edges():
    trace = lines.Trace()
    with lines.HeldLine(3, "a stranger") as line:
        check(lines.consumer(3) == "a stranger", f"line 3 is held by {lines.consumer(3)!r}")
        asked, answered = [], []
        for _ in range(5):
            for value in (1, 0):
                asked.append(time.monotonic_ns())
                line.set(value)
                answered.append(time.monotonic_ns())
    seen = trace.edges(3)
    check([edge.level for edge in seen] == [1, 0] * 5, f"saw {seen}")
    # The trace tells whole microseconds.
    check(all(before - 1000 < edge.ns <= after for before, edge, after in zip(asked, seen, answered)),
          f"edges {seen} seem to be made at other times than {asked} to {answered}")
    latest = max(edge.ns - at for edge, at in zip(seen, asked))
    check(lines.consumer(3) is None, "line 3 is still held")
    return f"10 edges, each while it was made, at most {latest / MS:.2f} ms after it was asked for"


@test("witness: a line keeps its level when its user has gone, as on real boards")
def kept_level():
    with lines.HeldLine(4, "a stranger") as line:
        line.set(1)
    check(lines.level(4) == 1, "the line fell when it was released")
    with lines.HeldLine(4, "a stranger"):
        pass
    check(lines.level(4) == 0, "the line was requested as off, and is on")


@test("witness: a pad tells uploads, plays, stops and erases")
def pad():
    with pads.Pad("witnessed pad", "rumble", "slots=3") as one:
        check(one.free_slots() == 3, f"{one.free_slots()} of 3 slots are free")
        descriptor = os.open(one.node, os.O_RDWR)
        effect = bytearray(struct.pack("=HhHHHHH2xHH28x", pads.RUMBLE, -1, 0, 0, 0, 200, 0, 0x4000, 0x8000))
        fcntl.ioctl(descriptor, 0x40304580, effect, True)
        number, = struct.unpack_from("=h", effect, 2)
        start = time.monotonic_ns()
        os.write(descriptor, struct.pack("=qqHHi", 0, 0, 0x15, number, 1))
        play = one.wait_for_play(since=start)
        check(one.effect_of(play)["weak"] == 0x8000, f"it was told {one.effect_of(play)}")
        check(one.shakes_at(play["t"] + 199 * MS) and not one.shakes_at(play["t"] + 201 * MS), "not 200 ms long")
        os.close(descriptor)  # the kernel stops and erases what its owner leaves behind
        wait_for("the stop", lambda: any(event["what"] == "stop" for event in one.events()))
    return f"played {(play['t'] - start) / MS:.2f} ms after it was asked to"


@test("witness: a light tells its brightness")
def light():
    with Light("witnessed") as one:
        (one.folder / "brightness").write_text("77")
        wait_for("the brightness", lambda: [change for change in one.changes if change.value == 77])


def lateness_of_timer():
    # Until its program is in memory: virtual time runs on while the guest waits for the host's disk.
    for _ in range(50):
        with timing.Yardstick() as first:
            time.sleep(0.1)
        if first.latenesses:
            break
    with timing.Yardstick() as yardstick:
        time.sleep(1)
    # Of 500; its start, too, depends on the host.
    check(len(yardstick.latenesses) > 100, f"woke {len(yardstick.latenesses)} times in 1 s")
    return timing.summary(yardstick.latenesses)


@test("witness: the guest's own timer")
def timer():
    return str(lateness_of_timer())


@test("witness: the guest's own timer in virtual time", "virtual")
def virtual_timer():
    lateness = lateness_of_timer()
    check(lateness.worst < MS / 2, f"{lateness}: too late to hold anything within 1 ms")
    return str(lateness)

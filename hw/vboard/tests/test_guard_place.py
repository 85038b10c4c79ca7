# SPDX-License-Identifier: MIT
"""Where there is no room for the guard's lock: nothing is driven, it is told, and the rest goes on."""
import contextlib
import subprocess

import daemon as programs
import lines
from daemon import Daemon, configuration, gpio, steady
from harness import check, test, wait_for

_LINE = 20


@contextlib.contextmanager
def room_for(files):
    """The socket's folder as a disk of its own, with room for so many files; yields a function that changes the number."""
    place = programs._folder / "place"
    place.mkdir(exist_ok=True)

    def mount(files, *more):
        options = ",".join((f"nr_inodes={files + 1}", *more))    # one is the folder itself
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "small", place], check=True)

    mount(files)
    try:
        yield lambda files: mount(files, "remount")
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@test("gpio: without room for the guard's lock nothing is driven, the rest goes on, and room is noticed")
def no_room():
    trace = lines.Trace()
    text = configuration(gpio(line=_LINE), "name: other, backend: simulated")
    with room_for(2) as make_room, Daemon(text) as daemon:    # the socket and its lock
        error = wait_for("the reason", lambda: daemon.actuator()["error"])
        check(f"{daemon.socket}.guard" in error and "No space left" in error, error)
        check(not daemon.actuator()["available"], "the line is available")
        check(daemon.actuator("other")["available"], "the other actuator is missing too")
        daemon.play(steady(1, 300), "--actuator", "other")
        check(trace.edges(_LINE) == [], f"driven without a guard: {trace.edges(_LINE)}")
        make_room(10)
        daemon.wait_until_available(limit=20)
        daemon.play(steady(1, 300), "--actuator", "main")
        check(len(trace.edges(_LINE)) == 2, f"with a guard: {trace.edges(_LINE)}")
    return error

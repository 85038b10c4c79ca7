# SPDX-License-Identifier: MIT
"""The hook that systemd-sleep calls before the machine sleeps. The board itself stays awake."""
import os
import signal
import time
from pathlib import Path

import service
from harness import check, check_figure, test, wait_for
from timing import MS
from vibration import Vibration, text

HOOK = next((path for path in map(Path, ("/usr/lib/systemd/system-sleep/hapticd", "/lib/systemd/system-sleep/hapticd")) if path.exists()),
            Path("/usr/lib/systemd/system-sleep/hapticd"))
# What a hook may take of a machine that goes to sleep, with a daemon that hangs.
LIMIT = 1500 * MS


def call_hook(when):
    """Runs the hook as systemd-sleep does; when it began and when it was back, in ns of CLOCK_MONOTONIC."""
    began = time.monotonic_ns()
    service.run(HOOK, when, "suspend")
    return began, time.monotonic_ns()


def decision(board):
    return board.service.call("play", pattern="soft")["decision"]


@test("sleep: the hook has everything off before it is back, and nothing begins after it", "systemd-real", limit=300)
def prepared():
    with Vibration() as board:
        board.start()
        began, back = call_hook("pre")
        check(board.is_off(), "an output is on after the hook is back")
        offs = board.offs()
        check(max(offs.values()) <= back, f"an output went off after the hook was back: {text(offs, began)}; back {(back - began) / MS:.0f} ms")
        refused = decision(board)
        check(refused["outcome"] == "suppressed" and refused["reason"] == "suspended", f"something begins after it: {refused}")
        call_hook("post")
        check(board.is_off(), "an output has come on again")
        # The board has not slept: it is felt again after ten seconds.
        wait_for("something to be felt again", lambda: decision(board)["outcome"] == "played", limit=30, every=1)
        return f"{text(offs, began)}; back after {(back - began) / MS:.0f} ms"


@test("sleep: a daemon that hangs keeps no machine awake, and its guard has everything off", "systemd-real", limit=300)
def hanging():
    with Vibration() as board:
        board.start()
        main = board.service.main_pid
        os.kill(main, signal.SIGSTOP)
        began, back = call_hook("pre")
        offs = board.offs()
        check_figure(back - began <= LIMIT, "the hook is back within 1.5 s")
        check_figure(max(offs.values()) <= back, "everything is off when it is back")
        service.wait_until_back(board.service, main, limit=60)
        return f"{text(offs, began)}; back after {(back - began) / MS:.0f} ms"


@test("sleep: the hook starts no daemon", "systemd-real", limit=300)
def stopped():
    with service.Service():
        service.systemctl("stop", service.UNIT)
        call_hook("pre")
        check(service.show("ActiveState") == "inactive", "the hook has started a daemon")

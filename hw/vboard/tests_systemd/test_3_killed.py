# SPDX-License-Identifier: MIT
"""The daemon is killed, or stands still, in mid-vibration: outputs off, service back, clients go on.

In virtual time, on a processor of 1,000 million instructions a second. Virtual time runs on while the guest waits for the host's disk, so the limits are figures.
"""
import os
import signal
import subprocess
import time

import lines
import service
from daemon import Programs, gpio
from harness import check, check_figure, test, wait_for
from service import MEMBER, Journal, Service
from timing import MS
from vibration import LIMIT, Vibration, text

BACK_LIMIT = 2000 * MS
STALL_LIMIT = 2000 * MS


class Stream:
    """`hapticctl progress upload --stdin` of a member, which is told of values as they come."""

    def __init__(self):
        self._errors = open("/run/progress.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [Programs.folder / "hapticctl", "progress", "upload", "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=self._errors, text=True, env=Programs.environment, **service.as_user(MEMBER))

    def send(self, value):
        self.process.stdin.write(f"{value}\n")
        self.process.stdin.flush()

    def said(self):
        self._errors.seek(0)
        return self._errors.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(20)
        self._errors.close()


def is_told(monitor, value):
    return any(one["source"] == "upload" and one["value"] == value for one in monitor.told("decision"))


def check_goes_on(monitor, stream, value):
    """A value that is written after the daemon has come back is decided, and told, by clients that have been there all the time."""
    check(monitor.is_running(), "the monitor has ended")
    check(stream.process.poll() is None, f"`hapticctl progress --stdin` has ended with {stream.process.returncode}: {stream.said()}")

    def arrives():
        # While a client is on its way back it may leave out what is old: only that later ones arrive is promised.
        stream.send(value)
        return is_told(monitor, value)

    wait_for(f"the monitor to tell the progress of {value}", arrives, limit=20, every=0.5)


def kill_once(board):
    """Kills the daemon in mid-vibration; returns when, when each output went off, and when the service was ready again."""
    board.start()
    main = board.service.main_pid
    when = time.monotonic_ns()
    os.kill(main, signal.SIGKILL)
    offs = board.offs()
    return when, offs, service.wait_until_back(board.service, main)


@test("killed: SIGKILL in mid-vibration: all off, the service back, its clients go on", "systemd-kills", limit=400)
def killed():
    with Vibration() as board, board.service.monitor() as monitor, Stream() as stream:
        check_goes_on(monitor, stream, 0.25)
        kill_once(board)    # so that what this needs is in memory: virtual time runs fast while the guest waits for the host's disk
        check_goes_on(monitor, stream, 0.5)
        when, offs, back = kill_once(board)
        figures = f"after the kill: {text(offs, when)}; back after {(back - when) / MS:.0f} ms"
        check_figure(max(offs.values()) - when <= LIMIT, "off within 100 ms of the kill")
        check_figure(back - when <= BACK_LIMIT, "back within 2 s of the kill")
        check(board.is_off(), "an output came on again")
        check_goes_on(monitor, stream, 0.75)
        check(service.failed_units() == "", f"failed: {service.failed_units()}")
        board.start()    # and everything can be felt again
    return figures


@test("killed: SIGSTOP in mid-vibration: all off, the watchdog kills it, the service is back", "systemd-kills", limit=400)
def stopped():
    with Vibration() as board, board.service.monitor() as monitor, Stream() as stream:
        check_goes_on(monitor, stream, 0.25)
        kill_once(board)    # as above
        check_goes_on(monitor, stream, 0.5)
        board.start()
        main, journal = board.service.main_pid, Journal()
        when = time.monotonic_ns()
        os.kill(main, signal.SIGSTOP)
        offs = board.offs()
        back = service.wait_until_back(board.service, main, limit=60)
        killed_at = int(journal.wait_for("Watchdog timeout")["__MONOTONIC_TIMESTAMP"]) * 1000
        figures = f"after the stop: {text(offs, when)}; killed after {(killed_at - when) / MS:.0f} ms, back {(back - killed_at) / MS:.0f} ms after that"
        check_figure(max(offs.values()) - when <= STALL_LIMIT, "off within 2 s of the stop")
        check_figure(back - killed_at <= BACK_LIMIT, "back within 2 s of the watchdog's kill")
        check(board.is_off(), "an output came on again")
        check_goes_on(monitor, stream, 0.75)
        check(service.failed_units() == "", f"failed: {service.failed_units()}")
    return figures


@test("killed: again and again, the service always comes back, and holds no output on", "systemd-real", limit=300)
def killed_often():
    with Service(gpio()) as board:
        for _ in range(5):
            main = board.main_pid
            os.kill(main, signal.SIGKILL)
            service.wait_until_back(board, main)
            board.wait_until_available()
            check(lines.level() == 0, "the line is on")
        check(len(service.processes()) == 2, f"a daemon and its guard are to be left, there are {service.processes()}")

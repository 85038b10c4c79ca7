# SPDX-License-Identifier: MIT
"""What people set outlasts the service, however it ends; where it cannot be stored, that is said."""
import calendar
import json
import os
import pwd
import signal
import stat
import time

import lines
import service
from daemon import Connection, gpio, steady
from harness import check, check_figure, test, wait_for
from lights import Light
from service import STATE, STRANGER, UNIT, Journal, Service
from timing import MS

_FILE = STATE / "settings.json"
_NOT_STORED = -32006
# From reading the clock to taking what it shows; the guest may be slow.
_SLACK = 0.25


def change(board, **settings):
    """Sets them; the answer comes once they are stored, or cannot be."""
    connection = Connection(board.socket)
    try:
        return connection.answer("settings", set=settings)
    finally:
        connection.close()


def kill(board):
    """Ends the daemon by SIGKILL, and waits until the service is back."""
    main = board.main_pid
    os.kill(main, signal.SIGKILL)
    service.wait_until_back(board, main)


def is_off(board):
    return board.call("status")["settings"]["off"] is not None


def wait_for_stored(what, condition):
    """Waits until the condition holds for what is stored. Between putting one file aside and the next in its place there is none."""
    def holds():
        try:
            text = _FILE.read_text()
        except FileNotFoundError:
            return False
        return condition(json.loads(text))
    wait_for(what, holds)


@test("settings: off outlasts SIGKILL, a restart and a damaged file; the folder is the daemon's alone", "systemd-real", "systemd-virtual", limit=300)
def kept():
    with Service() as board:
        for settings in ({"off": True}, {"strength": 0.5}):
            check("result" in change(board, **settings), f"{settings} were refused")
        owner = pwd.getpwnam("hapticd").pw_uid
        for path, mode in ((STATE, 0o700), (_FILE, 0o600)):
            found = path.stat()
            check((found.st_uid, stat.S_IMODE(found.st_mode)) == (owner, mode), f"{path} is {found}")
        service.run("cat", _FILE, user=STRANGER, status=1)
        kill(board)
        check(is_off(board) and board.call("settings")["strength"]["value"] == 0.5, "it is forgotten after SIGKILL")
        answer = board.call("play", pattern="heavy")
        check(answer["decision"]["reason"] == "off", f"it was felt: {answer}")
        service.systemctl("restart", UNIT)
        check(is_off(board), "it is forgotten after a restart")
        # Half of it is gone, as after a power cut on a file system that does not keep order.
        log = Journal()
        service.systemctl("stop", UNIT)
        _FILE.write_bytes(_FILE.read_bytes()[:30])
        service.systemctl("start", UNIT)
        entry = log.wait_for("settings.damaged-1.json")
        check(int(entry["PRIORITY"]) == 3, f"the damage is logged with priority {entry['PRIORITY']}")
        check(is_off(board), "damage has undone it")
        check(board.call("settings")["strength"]["by"] == "configuration", "what was set last was not what was damaged")
        check("result" in change(board, off=None), "it cannot be switched on")
    return entry["MESSAGE"]


@test("settings: a full disk and a read-only one are named to who sets something, and lose nothing", "systemd-real", "systemd-virtual", limit=300)
def no_room():
    with Service() as board:
        service.systemctl("stop", UNIT)
        owner = pwd.getpwnam("hapticd")
        service.run("mount", "-t", "tmpfs", "-o", f"size=64k,mode=700,uid={owner.pw_uid},gid={owner.pw_gid}", "small", STATE)
        try:
            service.systemctl("start", UNIT)
            check("result" in change(board, off=True), "it was not stored on the small disk")
            filler = STATE / "filler"
            try:
                with open(filler, "wb", buffering=0) as file:
                    while True:
                        file.write(bytes(4096))
            except OSError:
                pass    # full
            full = change(board, off=None)
            filler.unlink()
            service.run("mount", "-o", "remount,ro", STATE)
            read_only = change(board, strength=0.5)
            service.run("mount", "-o", "remount,rw", STATE)
            for answer, words in ((full, "No space left on device; make room there"), (read_only, "Read-only file system; make it writable")):
                error = answer.get("error", {})
                check(error.get("code") == _NOT_STORED and words in error.get("message", ""), f"the answer was {answer}")
            check(json.loads(_FILE.read_text())["off"] is True, "what was stored is lost")
            kill(board)
            check(is_off(board), "what was stored does not count")
            check("result" in change(board, off=None), "there is room, and it was not stored")
            wait_for_stored("it to be stored", lambda settings: "off" not in settings)
        finally:
            service.systemctl("stop", UNIT)
            service.run("umount", STATE)
    return full["error"]["message"]


@test("settings: off stops a motor and a light at once, alarms too, and nothing is felt until on", "systemd-real", "systemd-virtual", limit=300)
def switched_off():
    trace = lines.Trace()
    with Light("glow") as light, Service(gpio(), "name: light, backend: led, led: glow") as board:
        for name in ("main", "light"):
            board.wait_until_available(name)
        player = board.start_play(steady(1, 9000))    # an alarm
        trace.wait_for_on()
        wait_for("the light to be on", lambda: light.level() == 255)
        before = time.monotonic_ns()
        check("result" in change(board, off=True), "it was refused")
        late = {"motor": trace.off_after(before)}
        wait_for("the light to be off", lambda: light.level() == 0 and light.changes[-1].value == 0)
        late["light"] = light.changes[-1].ns - before
        figures = ", ".join(f"{name} off {ns / MS:.1f} ms after it was asked for" for name, ns in late.items())
        check(max(late.values()) < 2000 * MS, f"the {figures}")
        check_figure(max(late.values()) < 100 * MS, "off within 100 ms")
        check(player.wait(20) == 1, "who waits for it does not learn that it ended early")
        edges, changes = len(trace.edges()), len(light.changes)
        board.play("alarm", status=1)
        check((len(trace.edges()), len(light.changes)) == (edges, changes), "an alarm was felt")
        board.ctl("on")
        board.play("heavy")
        check(len(trace.edges()) == edges + 2, f"it was not felt after `on`: {trace.edges()[edges:]}")
    return figures


def turn(board, text, is_quiet):
    """Sets the clock to some 1.6 s before a time, and has events come until after it; returns how late they were quiet, or no more, in s."""
    at = calendar.timegm(time.strptime(text, "%Y-%m-%d %H:%M:%S"))
    time.clock_settime(time.CLOCK_REALTIME, at - 1.6)
    connection = Connection(board.socket)

    def becomes_quiet():
        return connection.call("event", name="sync.failed")["reason"] == "quietHours"

    wait_for("the clock to be noticed", lambda: becomes_quiet() != is_quiet)
    while True:
        before, quiet, after = time.time(), becomes_quiet(), time.time()
        if quiet == is_quiet:
            check(after >= at, f"it came {at - after:.3f} s before {text}")
            connection.close()
            return before - at
        check(before < at + _SLACK, f"{before - at:.3f} s after {text} it has not come")
        time.sleep(0.01)


@test("settings: quiet hours begin and end when the clock on the wall shows it", "systemd-real", "systemd-virtual", limit=300)
def turns():
    with Service() as board:
        there = service.run("date", "+%s").stdout.strip()
        service.run("timedatectl", "set-ntp", "false", status=None)
        try:
            check("result" in change(board, quietHours=[{"from": "02:00", "to": "03:00"}]), "they were refused")
            begun, ended = turn(board, "2031-05-05 02:00:00", True), turn(board, "2031-05-05 03:00:00", False)
        finally:
            time.clock_settime(time.CLOCK_REALTIME, float(there))
    return f"begun {1000 * begun:.0f} ms and ended {1000 * ended:.0f} ms after it"


@test("settings: a clock that is set has quiet hours begin and end, and does not end off", "systemd-real", "systemd-virtual", limit=300)
def clock_set():
    with Service() as board:
        there = service.run("date", "+%s").stdout.strip()
        service.run("timedatectl", "set-ntp", "false", status=None)
        try:
            check("result" in change(board, quietHours=[{"from": "02:00", "to": "03:00"}], off={"forMs": 3_600_000}), "they were refused")
            service.run("date", "--utc", "--set", "2031-05-05 02:30:00")
            wait_for("the hours to be quiet", lambda: board.call("status")["settings"]["quiet"])
            wait_for_stored("the end of off to be that of the new clock", lambda settings: settings["off"]["until"].startswith("2031-05-05T03:"))
            check(is_off(board), "the clock has ended it")
            service.run("date", "--utc", "--set", "2031-05-05 04:30:00")
            wait_for("the hours to be over", lambda: not board.call("status")["settings"]["quiet"])
        finally:
            time.clock_settime(time.CLOCK_REALTIME, float(there))
            change(board, quietHours=None, off=None)

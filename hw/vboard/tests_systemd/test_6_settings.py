# SPDX-License-Identifier: MIT
"""What people set outlasts the service, however it ends, and is told where it cannot be stored."""
import json
import os
import pwd
import signal
import stat
import time

import service
from daemon import Connection
from harness import check, test, wait_for
from service import STATE, STRANGER, UNIT, Journal, Service

_FILE = STATE / "settings.json"
_NOT_STORED = -32006


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
        check(int(entry["PRIORITY"]) == 3, f"the damage is told with priority {entry['PRIORITY']}")
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
            wait_for("it to be stored", lambda: "off" not in json.loads(_FILE.read_text()))
        finally:
            service.systemctl("stop", UNIT)
            service.run("umount", STATE)
    return full["error"]["message"]


@test("settings: a clock that is set has quiet hours begin and end, and does not end off", "systemd-real", "systemd-virtual", limit=300)
def clock_set():
    with Service() as board:
        there = service.run("date", "+%s").stdout.strip()
        service.run("timedatectl", "set-ntp", "false", status=None)
        try:
            check("result" in change(board, quietHours=[{"from": "02:00", "to": "03:00"}], off={"forMs": 3_600_000}), "they were refused")
            until = json.loads(_FILE.read_text())["off"]["until"]
            service.run("date", "--utc", "--set", "2031-05-05 02:30:00")
            wait_for("the hours to be quiet", lambda: board.call("status")["settings"]["quiet"])
            wait_for("the end of off to be that of the new clock", lambda: json.loads(_FILE.read_text())["off"]["until"] != until)
            check(json.loads(_FILE.read_text())["off"]["until"].startswith("2031-05-05T03:"), _FILE.read_text())
            check(is_off(board), "the clock has ended it")
            service.run("date", "--utc", "--set", "2031-05-05 04:30:00")
            wait_for("the hours to be over", lambda: not board.call("status")["settings"]["quiet"])
        finally:
            time.clock_settime(time.CLOCK_REALTIME, float(there))
            change(board, quietHours=None, off=None)

# SPDX-License-Identifier: MIT
"""Stopped, disabled, removed, purged: no process, no file, no output left on."""
from pathlib import Path

import lines
import service
from harness import check, test, wait_for
from service import CONFIG, SOCKET, SOCKET_UNIT, STATE, UNIT, Service
from vibration import Vibration

_PLACES = ("/etc", "/run", "/usr/bin", "/usr/sbin", "/usr/lib/systemd", "/usr/lib/udev", "/usr/lib/sysusers.d", "/usr/lib/tmpfiles.d", "/usr/share",
           "/var/lib/hapticd", "/var/lib/systemd", "/var/lib/dpkg/info", "/var/cache/man")


def left_files():
    """What bears the name, where packages and services put files; not what dpkg and systemd remember of users and of their own work."""
    found = service.run("find", *filter(lambda place: Path(place).exists(), _PLACES), "-xdev", "-name", "*haptic*", status=None).stdout
    return [path for path in found.split() if not path.endswith(".deb")]


@test("gone: `systemctl stop` in mid-vibration: all off, no process", "systemd-real", limit=300)
def stopped():
    with Vibration() as board:
        board.start()
        service.systemctl("stop", UNIT)
        check(service.processes() == [], f"after the stop there are {service.processes()}")
        check(board.is_off(), "an output is on after `systemctl stop` has returned")
        wait_for("the line to be free", lambda: lines.consumer() is None)
        check(not board.chip.is_exported(), "the PWM channel was not given back")
        service.systemctl("stop", SOCKET_UNIT)
        check(not SOCKET.exists(), "the socket is left")
        check(service.failed_units() == "", f"failed: {service.failed_units()}")


@test("gone: removed in mid-vibration: all off, no process; the configuration stays, and counts again when it is installed again",
      "systemd-real", limit=300)
def removed():
    with Vibration() as board:
        board.start()
        mine = CONFIG.read_text()
        service.apt("remove", "hapticd")
        check(service.processes() == [], f"after the removal there are {service.processes()}")
        check(board.is_off(), "an output is on after the removal")
        check(CONFIG.read_text() == mine, "the configuration is gone")
        check(STATE.is_dir(), "what people have set is gone")
        check(not SOCKET.exists() and not Path("/usr/bin/hapticd").exists(), "files are left")
        service.install()
        board.service.wait_until_available()
        check(CONFIG.read_text() == mine, "installing it again has replaced the configuration")


@test("gone: stopped, disabled and purged: no process, no file, no failed unit", "systemd-real", limit=300)
def purged():
    with Service():
        service.systemctl("disable", "--now", UNIT, SOCKET_UNIT)
        check(service.systemctl("is-enabled", UNIT, status=None) == "disabled", "it is still enabled")
        service.apt("purge", "hapticd")
        check(service.processes() == [], f"there are {service.processes()}")
        service.systemctl("daemon-reload")
        left = left_files()
        check(left == [], f"left: {left}")
        check(lines.consumer() is None and lines.level() == 0, "a line is held")
        known = service.systemctl("list-units", "--all", "--no-legend", "--plain", "hapticd*")
        check(known == "", f"systemd still knows {known}")
        check(service.failed_units() == "", f"failed: {service.failed_units()}")


@test("gone: purged in mid-vibration, all at once: all off, no process, no file", "systemd-real", limit=300)
def purged_at_once():
    with Vibration() as board:
        board.start()
        service.apt("purge", "hapticd")
        check(board.is_off(), "an output is on after the purge")
        check(service.processes() == [], f"there are {service.processes()}")
        check(left_files() == [], f"left: {left_files()}")

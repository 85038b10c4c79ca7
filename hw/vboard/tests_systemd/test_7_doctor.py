# SPDX-License-Identifier: MIT
"""`hapticctl doctor` on a board that was broken on purpose: it names what is wrong, and what it says to type helps."""
import json
import os
import shutil
import subprocess
from pathlib import Path

import lines
import service
from daemon import Programs, gpio
from harness import check, test, wait_for
from lights import Light
from service import CONFIG, MEMBER, SOCKET_UNIT, STRANGER, UNIT, Service

_RULES = [Path(folder) / "udev/rules.d/70-hapticd.rules" for folder in ("/etc", "/run", "/usr/lib", "/lib")]


def examine(*arguments, user=None, env=()):
    """What the doctor finds, by its name, and the verdict."""
    done = service.run(
        Programs.folder / "hapticctl", "doctor", "--json", *arguments, user=user, status=None, env=dict(Programs.environment, **dict(env)))
    check(done.returncode in (0, 1), f"it ended with {done.returncode}: {done.stderr}")
    *rows, verdict = [json.loads(line) for line in done.stdout.splitlines()]
    found = {row["finding"]: row for row in rows if row["finding"] != "ok"}
    problems = {name for name, row in found.items() if row["state"] == "problem"}
    check(done.returncode == (1 if problems else 0) and verdict["problems"] >= len(problems), f"status {done.returncode}: {verdict}, {problems}")
    return found, verdict


def type_in(row, only=lambda command: True):
    """Types the commands of a finding as root does, who needs no `sudo`."""
    for command in row["commands"]:
        if only(command):
            service.run("bash", "-c", 'sudo() { "$@"; }; ' + command, env=Programs.environment, cwd="/tmp")


def problem(found, name):
    check(name in found, f"{name} is not among {sorted(found)}: {[row['what'] for row in found.values()]}")
    return found[name]


def expect_cured(name, *arguments, user=None):
    wait_for(f"{name} to be cured", lambda: name not in examine(*arguments, user=user)[0], limit=20, every=1)


@test("doctor: a service that works has no problem, for a member and for root", "systemd-real", limit=300)
def in_order():
    with Service():
        for user in (MEMBER, None):
            found, verdict = examine(user=user)
            check(verdict["problems"] == 0, f"{user}: {[row['what'] for row in found.values() if row['state'] == 'problem']}")
    return f"notes: {sorted(found)}"


@test("doctor: a stranger learns the name of the group, and becomes a member by what is typed", "systemd-real", limit=300)
def stranger():
    with Service():
        row = problem(examine(user=STRANGER)[0], "socket.group")
        check(row["commands"][0] == f"sudo usermod -aG haptics {STRANGER}", f"{row['commands']}")
        before = service.as_user(STRANGER)
        try:
            type_in(row, lambda command: "usermod" in command)
            # The session before has not got it yet.
            done = subprocess.run(
                [Programs.folder / "hapticctl", "doctor", "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                env=Programs.environment, **before)
            check(done.returncode == 1 and '"socket.login"' in done.stdout, f"{done.returncode}: {done.stdout}")
            expect_cured("socket.login", user=STRANGER)
        finally:
            service.run("gpasswd", "--delete", STRANGER, "haptics")


@test("doctor: a wrong $HAPTICD_SOCKET is named to a user, and ignored for root", "systemd-real", limit=300)
def wrong_socket():
    with Service():
        wrong = {"HAPTICD_SOCKET": "/run/none.sock"}
        row = problem(examine(user=MEMBER, env=wrong)[0], "socket.variable")
        check(row["commands"] == ["unset HAPTICD_SOCKET"], f"{row['commands']}")
        found, verdict = examine(env=wrong)
        check(verdict["problems"] == 0 and "socket.ignored" in found, f"{sorted(found)}")


@test("doctor: stopped and disabled units are named, and start by what is typed", "systemd-real", limit=300)
def stopped():
    with Service():
        try:
            service.systemctl("disable", "--now", SOCKET_UNIT, UNIT)
            found, _ = examine()
            type_in(problem(found, "service.stopped"))
            type_in(problem(found, "service.disabled"))
            expect_cured("service.stopped")
            check(service.systemctl("is-enabled", SOCKET_UNIT) == "enabled", "the socket is not enabled")
        finally:
            service.systemctl("enable", "--now", SOCKET_UNIT, UNIT)


@test("doctor: a bad file is what is fixed first, then the failed service starts by what is typed", "systemd-real", limit=300)
def bad_file():
    with Service() as board:
        board.give_up_soon()
        CONFIG.write_text(service.SIMULATED.replace("simulated", "simulatd"))
        service.systemctl("restart", UNIT, status=None)
        wait_for("the service to be given up", lambda: service.show("ActiveState") == "failed", limit=30, every=0.5)
        found, verdict = examine()
        row = problem(found, "configuration.invalid")
        check(verdict["first"] == "configuration.invalid" and any("did you mean" in line for line in row["details"]), f"{verdict}: {row}")
        failed = problem(found, "service.failed")
        # The editor is the tester's; the rest is typed.
        CONFIG.write_text(service.SIMULATED)
        type_in(row, lambda command: "editor" not in command)
        type_in(failed)
        expect_cured("service.failed")
        expect_cured("configuration.invalid")


# A program of somebody's that holds the motor's line, and has closed the chip.
_HOLDER = "import lines, signal; held = lines.HeldLine(lines.MOTOR, 'door-opener'); print('held', flush=True); signal.pause()"


@test("doctor: a held line is named with the program that holds it, which what is typed ends", "systemd-real", limit=300)
def held_line():
    with Service() as board:
        place = dict(os.environ, PYTHONPATH=str(Path(lines.__file__).parent))
        with subprocess.Popen(["python3", "-B", "-c", _HOLDER], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=place) as holder:
            try:
                check(holder.stdout.readline() == b"held\n", "the line is not held")
                board.configure(service.configuration(gpio()))
                row = problem(examine()[0], "device.held")
                check("door-opener" in row["what"] and row["commands"] == [f"kill {holder.pid}"], f"{row}")
                member = problem(examine(user=MEMBER)[0], "device.held")
                check(member["commands"] == ["sudo hapticctl doctor"], f"{member['commands']}")
                type_in(row)
                check(holder.wait(20) != 0, "it goes on")
                board.wait_until_available()
                expect_cured("device.held")
            finally:
                holder.kill()


@test("doctor: without udev rules and rights, rules for the device are made by what is typed", "systemd-real", limit=300)
def no_rules():
    rules = [path for path in _RULES if path.exists()]
    check(rules != [], "the package has no rules here")
    # /lib may be /usr/lib.
    kept = {path.resolve(): path.resolve().read_bytes() for path in rules}
    made = Path("/etc/udev/rules.d/70-hapticd.rules")
    with Service() as board:
        try:
            for path in kept:
                path.unlink()
            service.run("udevadm", "control", "--reload")
            os.chown(lines.CHIP, 0, 0)
            os.chmod(lines.CHIP, 0o600)
            if shutil.which("setfacl"):
                service.run("setfacl", "--remove-all", lines.CHIP)
            board.configure(service.configuration(gpio()))
            row = problem(examine(user=MEMBER)[0], "device.rules")
            check(row["needsRoot"] and str(made) in row["commands"][1], f"{row['commands']}")
            type_in(row)
            service.run("udevadm", "settle")
            board.wait_until_available(limit=30)
            expect_cured("device.rules")
        finally:
            made.unlink(missing_ok=True)
            Path("/tmp", made.name).unlink(missing_ok=True)
            for path, content in kept.items():
                path.write_bytes(content)
            service.run("udevadm", "control", "--reload")
            service.run("udevadm", "trigger", "--subsystem-match=gpio")
            service.run("udevadm", "settle")


@test("doctor: a light's files of another group get the daemon a drop-in with that group", "systemd-real", limit=300)
def other_group():
    drop_in = Path("/etc/systemd/system/hapticd.service.d/zz-hapticd-group-video.conf")
    with Service() as board, Light("doctor::lamp") as light:
        try:
            service.run("udevadm", "settle")
            for name in ("brightness", "trigger"):
                shutil.chown(light.folder / name, "root", "video")
                os.chmod(light.folder / name, 0o664)
            board.configure(service.configuration('name: lamp, backend: led, led: "doctor::lamp"'))
            row = problem(examine(user=MEMBER)[0], "device.group")
            check(any("SupplementaryGroups=video" in command for command in row["commands"]), f"{row['commands']}")
            type_in(row)
            board.wait_until_available("lamp")
            expect_cured("device.group")
        finally:
            drop_in.unlink(missing_ok=True)
            service.systemctl("daemon-reload")


@test("doctor: refused real time is named, and granted after what is typed", "systemd-real", limit=300)
def no_real_time():
    drop_in = Path("/etc/systemd/system/hapticd.service.d/zz-hapticd-realtime.conf")
    with Service() as board:
        try:
            board.drop_in("[Service]\nLimitRTPRIO=0\nLimitMEMLOCK=64K\n")
            board.configure(service.configuration("name: main, backend: simulated"))
            type_in(problem(examine(user=MEMBER)[0], "realtime.refused"))
            expect_cured("realtime.refused")
        finally:
            drop_in.unlink(missing_ok=True)
            service.systemctl("daemon-reload")

# SPDX-License-Identifier: MIT
"""Locked down: what the unit lets the daemon do, tried from inside, and nothing else."""
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import lines
import service
from daemon import configuration, evdev, gpio, steady
from harness import check, test, wait_for
from lights import Light
from pads import Pad
from pwmchip import PWMChip
from service import Journal, Service

_PROBE = Path(__file__).with_name("probe.py")
MOST_EXPOSURE = 1.2
FORBIDDEN_FILES = (
    "/etc/hapticd/hapticd.yaml", "/etc/probe", "/usr/bin/hapticd", "/usr/lib/probe", "/var/lib/probe", "/run/probe", "/boot/probe",
    "/proc/sys/kernel/hostname", "/sys/kernel/mm/ksm/run", "/sys/module/printk/parameters/time", "/sys/fs/cgroup/cgroup.procs",
    "/sys/fs/cgroup/system.slice/hapticd.service/cgroup.procs")
FORBIDDEN_DEVICES = ("/dev/uinput", "/dev/uleds", "/dev/mem", "/dev/kmsg", "/dev/ttyS0")


def probe(board, write=(), open_=(), as_root=False):
    """Has the unit start the probe before the daemon; returns what it found."""
    place = Path(tempfile.mkdtemp(prefix="probe-", dir="/usr/local/lib"))
    place.chmod(0o755)
    script = shutil.copy2(_PROBE, place)
    wanted = json.dumps({"write": list(map(str, write)), "open": list(map(str, open_))}).replace('"', '\\"')
    prefix = "!" if as_root else ""    # "!": root, but locked down all the same
    board.drop_in(f'[Service]\nTimeoutStartSec=60\nExecStartPre={prefix}/usr/bin/python3 -B {script} "{wanted}"\n')
    journal = Journal()
    service.systemctl("restart", service.UNIT)
    said = journal.wait_for("probe: ")["MESSAGE"]
    shutil.rmtree(place)
    return json.loads(said.removeprefix("probe: "))


@test("sandbox: the daemon drives a light and a PWM channel by files of sysfs, from inside the unit", "systemd-real", "systemd-virtual", limit=300)
def sysfs():
    actuators = ("name: light, backend: led, led: glow", "name: channel, backend: pwm, chip: pwmchip0, channel: 0, frequency: 200Hz")
    with Light("glow") as light, PWMChip() as chip, Service(*actuators) as board:
        for name in ("light", "channel"):
            board.wait_until_available(name)
        board.play(steady(1, 500))
        wait_for("the light to have been on", lambda: 255 in [change.value for change in light.changes])
        check(any(state.is_on for state in chip.states()), f"the PWM chip was told {chip.states()}")
        wait_for("both to be off", lambda: light.level() == 0 and not chip.is_on())
        check(service.run("ps", "-o", "user=", "-p", board.main_pid).stdout.strip() == "hapticd", "the daemon is not hapticd's")


@test("sandbox: nothing else can be written, no other device opened, no network, no capability; not even by root", "systemd-real", "systemd-virtual", limit=300)
def probed():
    with Light("glow") as light, Pad("pad under test", "rumble") as pad, Service(gpio(), evdev("pad under test")) as board:
        allowed = [lines.chip_path(), pad.node, "/dev/null"]
        brightness = light.folder / "brightness"
        there = [device for device in FORBIDDEN_DEVICES if os.path.exists(device)]
        check(len(there) >= 3, f"only {there} of the forbidden devices are there to be tried")
        for device in there:
            os.chmod(device, 0o666)    # so that it is the unit that forbids it
        for as_root in (False, True):
            found = probe(board, [*FORBIDDEN_FILES, brightness], [*allowed, *there], as_root)
            check(found["write"].pop(str(brightness)) is None, f"the light cannot be written: {found}")
            for path, error in found["write"].items():
                check(error is not None, f"{path} can be written{' by root' if as_root else ''}")
            for device in allowed:
                check(as_root or found["open"][device] is None, f"{device} cannot be opened: {found['open'][device]}")
            for device in there:
                check(found["open"][device] in ("EPERM", "EACCES"), f"{device} is not in the list of devices, and opened with {found['open'][device]}")
            sockets = found["socket"]
            check(sockets.pop("AF_UNIX") is None and set(sockets.values()) == {"EAFNOSUPPORT"}, f"sockets: {found['socket']}")
            # By systemd's filter of system calls, or from systemd 256 on by the kernel itself (PR_SET_MDWE).
            check(found["memory that is written and executed"] in ("EPERM", "EACCES"), f"memory can be written and executed: {found}")
            check(found["home"] is not None, "it sees /root")
            mine = found["privileges"]
            check(all(int(mine[name], 16) == 0 for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")), f"capabilities: {mine}")
            check(mine["NoNewPrivs"] == "1" and mine["Seccomp"] == "2", f"{mine}")
            if not as_root:
                check(found["SCHED_FIFO 40"] is None and found["locked memory without limit"], f"no real time: {found}")
                users = found
        return f"{len(users['write'])} files and {len(there)} devices"


@test("sandbox: real time is granted under the unit, without a capability", "systemd-real", "systemd-virtual", limit=300)
def real_time():
    with Service() as board:
        status = board.call("status")["realtime"]
        check(status["granted"]["priority"] is True and status["granted"]["lockMemory"] is True, f"{status}")
        check(not status["remedies"], f"{status}")
    return str(status["granted"])


@test("sandbox: `systemd-analyze security` exposes the installed unit at most 1.2", "systemd-real", "systemd-virtual", limit=300)
def exposure():
    with Service():
        said = service.run("systemd-analyze", "security", "--no-pager", service.UNIT, status=None).stdout
        level = float(re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)[1])
        check(level <= MOST_EXPOSURE, said)
    return f"{level}"

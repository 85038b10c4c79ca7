# SPDX-License-Identifier: MIT
"""The package: installed and used as it comes."""
import os
import shutil
import stat
from pathlib import Path

import lines
import service
import timing
from daemon import gpio
from harness import check, is_virtual, test, wait_for
from lights import Light
from pads import Pad
from people import entries
from pwmchip import PWMChip
from service import CONFIG, MEMBER, SOCKET, STRANGER, Service
from test_gpio import is_calm

_CHECKOUT = Path(__file__).resolve().parents[3]


@test("install: as docs/getting-started.md says, to the letter, up to a first pulse", "systemd-real", limit=400)
def guide():
    check(not service.is_installed(), "the package is installed on this machine already")
    service.make_person(MEMBER)
    commands = service.run(_CHECKOUT / "Tests/docs/run", "--install", _CHECKOUT / "docs/getting-started.md").stdout
    check("apt install" in commands and "hapticctl play" in commands, commands)
    place = Path("/run/guide")
    place.mkdir()
    shutil.copy2(service.PACKAGE, place)
    script = place / "script"
    # On the board there is only root. A first `hapticctl play` may come too late for its class, where each program's first run takes long.
    script.write_text('''
        sudo() { "$@"; }
        hapticctl() { command hapticctl "$@" || command hapticctl "$@" || command hapticctl "$@"; }
        ''' + commands)
    done = service.run("bash", "-e", script, cwd=place, env=dict(os.environ, USER=MEMBER, NO_COLOR="1", DEBIAN_FRONTEND="noninteractive"))
    check("completed" in done.stdout, f"nothing was felt: {done.stdout[-3000:]}")
    check(MEMBER in service.run("getent", "group", "haptics").stdout, "the user is not in the group")
    return f"{sum(line != '' and not line.startswith('#') for line in commands.splitlines())} commands"


@test("install: one command makes the user and the groups, enables and starts the service; nothing has failed", "systemd-real", "systemd-virtual", limit=300)
def installed():
    if not service.is_installed():
        service.install()
    for unit in (service.UNIT, service.SOCKET_UNIT):
        check(service.systemctl("is-enabled", unit) == "enabled", f"{unit} is not enabled")
        check(service.systemctl("is-active", unit) == "active", f"{unit} does not run")
    check(service.failed_units() == "", f"failed: {service.failed_units()}")
    user = service.run("id", "hapticd").stdout
    check(user.count("(hapticd)") == user.count("("), f"the daemon's user is {user}")
    status = SOCKET.stat()
    check(stat.S_IMODE(status.st_mode) == 0o660 and SOCKET.group() == "haptics", f"the socket is {oct(status.st_mode)}, of {SOCKET.group()}")
    check(SOCKET.owner() == "root", f"the socket is {SOCKET.owner()}'s, who could open it to others")
    owner = {Path(f"/proc/{number}").owner() for number, _ in service.processes()}
    check(owner == {"hapticd"}, f"it runs as {owner}: {service.processes()}")
    figures = [f"{Path(command.split()[0]).name} {resident(number)}" for number, command in service.processes()]
    return f"{service.show('StatusText')}; at rest {', '.join(figures)}"


def resident(process):
    """How much memory a process has, by the kernel's account."""
    rollup = dict(line.split(":", 1) for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:])
    return ", ".join(f"{int(rollup[name].split()[0]) / 1024:.1f} MB {name.lower().replace('_', ' ')}" for name in ("Rss", "Pss", "Private_Dirty"))


def play_75_steps(board, trace):
    """Plays them as a person would; returns the pulses, or None where the machine was too busy for all of them."""
    before = len(trace.pulses())
    with timing.Yardstick() as yardstick:
        done = service.run("hapticctl", "play", "--pattern", "soft", "--steps", 75, user=MEMBER, status=None)
    wait_for("the line to be at rest", lambda: lines.level() == 0)
    pulses = trace.pulses()[before:]
    is_stale = "(stale)" in done.stderr and not is_virtual()
    if is_stale or not is_calm(yardstick) and len(pulses) != 75:
        return None    # a play that is 100 ms old is too old, and a pulse 20 ms late is left out
    check(done.returncode == 0, f"hapticctl ended with {done.returncode}: {done.stderr}{board.log()}")
    return pulses


@test("install: `hapticctl play --pattern soft --steps 75` of a member is 75 pulses; a stranger is refused", "systemd-real", "systemd-virtual", limit=300)
def played():
    trace = lines.Trace()
    with Service(gpio()) as board:
        board.wait_until_available()
        pulses = next(filter(None, (play_75_steps(board, trace) for _ in range(8))), None)
        check(pulses is not None, "the machine was never calm enough for 75 pulses")
        check(len(pulses) == 75, f"75 steps are {len(pulses)} pulses")
        edges = len(trace.edges())
        refused = service.run("hapticctl", "play", "--pattern", "soft", "--steps", 75, user=STRANGER, status=None)
        check(refused.returncode == 1, f"a stranger's hapticctl ended with {refused.returncode}: {refused.stdout}{refused.stderr}")
        check("haptics" in refused.stderr, f"it does not name the group to join: {refused.stderr}")
        check(len(trace.edges()) == edges, "a stranger was felt")
    return refused.stderr.strip()


@test("install: the installed udev rules let hapticd use the devices, and haptics nothing", "systemd-real", "systemd-virtual", limit=300)
def devices():
    with Light("glow") as light, Pad("pad under test", "rumble") as pad, PWMChip() as chip, Service():
        service.run("udevadm", "settle")
        nodes, files = [Path(lines.chip_path()), Path(pad.node)], [chip.folder / "export", light.folder / "brightness"]
        found = {str(node): entries(node) for node in nodes}
        check(all(value == ["group:hapticd:rw-"] for value in found.values()), f"{found}")
        groups = {str(file): file.group() for file in nodes + files}
        check([groups[str(file)] == "hapticd" for file in nodes + files] == [False, False, True, True], f"{groups}")
        check(not any(file.stat().st_mode & 0o002 for file in nodes + files), "one can be written by everybody")
    everything = service.run("find", "/dev", "/sys", "-group", "haptics").stdout
    check(everything == "", f"of the group haptics: {everything}")
    return f"{len(nodes + files)} kinds of devices"


@test("upgrade: a configuration that was changed stays, the next version runs, the socket stays", "systemd-real", limit=300)
def upgraded():
    with Service(gpio()) as board:
        mine = CONFIG.read_text()
        before, socket = board.main_pid, SOCKET.stat().st_ino
        board.call("status")
        service.install(service.NEXT_PACKAGE)
        check(CONFIG.read_text() == mine, "the upgrade has replaced the configuration that was changed")
        check(board.main_pid not in (0, before), "the old daemon goes on after the upgrade")
        check(SOCKET.stat().st_ino == socket, "the socket file is another one after the upgrade")
        board.wait_until_available()
        check(service.failed_units() == "", f"failed: {service.failed_units()}")
        version = service.run("dpkg-query", "--show", "hapticd").stdout.split()[1]
        check(version.endswith("+next"), f"the version is {version}")
    return version

# SPDX-License-Identifier: MIT
"""Good manners: whoever could open a device without the package can open it with it, and after it; and the daemon no more than it needs."""
import os
import re
from pathlib import Path

import lines
import service
from daemon import evdev, gpio, steady
from harness import check, test, wait_for
from lights import Light
from pads import Pad
from people import Keyboard, as_person, entries, make_member, opens
from pwmchip import PWMChip
from service import Service

GPIO_USER, VIDEO_USER = "tinkerer", "viewer"
_OURS = ["group:hapticd:rw-"]
_RULES = Path("/run/udev/rules.d")
# The rules of another package, as Raspberry Pi OS has them in a file of this name, and as programs for backlights have them.
_OTHER = '''\
SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"
SUBSYSTEM=="pwm", ACTION!="remove", PROGRAM="/bin/sh -c 'chgrp -R gpio /sys%p && chmod -R g=u /sys%p'"
SUBSYSTEM=="leds", RUN+="/bin/chgrp video /sys%p/brightness", RUN+="/bin/chmod g+w /sys%p/brightness"
'''


def trigger(action="change"):
    """Has udev read its rules again, and apply them to what is there."""
    service.run("udevadm", "control", "--reload")
    service.run("udevadm", "trigger", f"--action={action}", *(f"--subsystem-match={name}" for name in ("gpio", "input", "pwm", "leds")))
    service.run("udevadm", "settle")


class Rules:
    """A rules file of udev, in force until the context is left. One of the same name elsewhere does not count meanwhile."""

    def __init__(self, name, text):
        self._file = _RULES / name
        _RULES.mkdir(parents=True, exist_ok=True)
        self._file.write_text(text)
        trigger("add")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.unlink(missing_ok=True)
        service.run("udevadm", "control", "--reload")


class Board:
    """The devices, and the strangers who use them."""

    def __init__(self):
        make_member(GPIO_USER, "gpio")
        make_member(VIDEO_USER, "video")
        self.pwm = PWMChip()
        self.light = Light("glow")
        self.pad = Pad("pad under test", "rumble")
        self.keyboard = Keyboard("keyboard under test")

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        for one in (self.keyboard, self.pad, self.light, self.pwm):
            one.__exit__(*problem)

    def check_strangers(self, when):
        """They have what they had."""
        chip = Path(lines.chip_path())
        check(chip.group() == "gpio", f"{when} the chip is of {chip.group()}")
        for what, found in {
            "open the chip": opens(GPIO_USER, chip), "drive a line": drive(chip),
            "open the chip's PWM": opens(GPIO_USER, self.pwm.folder / "export", os.O_WRONLY),
        }.items():
            check(found is None, f"{when} one of gpio cannot {what}: {found}")
        found = opens(VIDEO_USER, self.light.folder / "brightness", os.O_WRONLY)
        check(found is None, f"{when} one of video cannot set the light: {found}")
        check(opens(VIDEO_USER, chip) == "EACCES", f"{when} one of video can open the chip")
        check(opens(GPIO_USER, self.pad.node) == "EACCES", f"{when} one of gpio can open the pad")
        check(Path(self.pad.node).group() == "input", f"{when} the pad is of {Path(self.pad.node).group()}")

    def check_daemon(self, when):
        """It may use its devices, and nothing else."""
        for node in (lines.chip_path(), self.pad.node):
            check(entries(node) == _OURS, f"{when} {node} has the entries {entries(node)}")
            check(opens("hapticd", node) is None, f"{when} hapticd cannot open {node}")
        check(entries(self.keyboard.node) == [], f"{when} the keyboard has the entries {entries(self.keyboard.node)}")
        check(opens("hapticd", self.keyboard.node, os.O_RDONLY) == "EACCES", f"{when} hapticd can read the keyboard")
        groups = service.run("id", "--name", "--groups", "hapticd").stdout.split()
        check(groups == ["hapticd"], f"{when} hapticd is in {groups}")

    def check_nothing_is_left(self, when):
        for node in (lines.chip_path(), self.pad.node):
            check(entries(node) == [], f"{when} {node} has the entries {entries(node)}")
            mask = service.run("getfacl", "--omit-header", "--absolute-names", node).stdout
            check("mask" not in mask, f"{when} {node} has a mask: {mask}")
        left = service.run("find", "/dev", "/sys", "-group", "hapticd", status=None).stdout
        check(left == "", f"{when} there are of hapticd's group {left}")


def drive(chip):
    """What comes of it when one of gpio drives a line."""
    def action():
        with lines.HeldLine(20, "a program of gpio", chip) as line:
            line.set(1)
            line.set(0)

    return as_person(GPIO_USER, action)


def play_beside(board, when):
    """The daemon drives its line, while a stranger drives another one."""
    trace, chip = lines.Trace(), lines.chip_path()
    board.wait_until_available()
    player = board.start_play(steady(1, 5000))
    trace.wait_for_on(limit=30)
    found = drive(chip)
    check(found is None, f"{when} one of gpio cannot drive a line beside the daemon's: {found}")
    check(lines.consumer() == "hapticd", f"{when} the daemon's line is held by {lines.consumer()}")
    player.terminate()
    player.wait(20)
    wait_for(f"a whole pulse {when}", trace.pulses, limit=30)


def forget(*nodes):
    """Takes all access lists away, as if there had never been one."""
    for node in nodes:
        service.run("setfacl", "--remove-all", node)


@test("manners: those of gpio and video have what they had, before install and after it, after upgrade, remove and purge", "systemd-real", limit=900)
def strangers():
    if service.is_installed():
        service.apt("purge", "hapticd")
    with Board() as board, Rules("99-com.rules", _OTHER):
        board.check_strangers("before the package")
        board.check_nothing_is_left("before the package")
        with Service(gpio()) as daemon:
            service.run("udevadm", "settle")
            board.check_strangers("after the install")
            board.check_daemon("after the install")
            play_beside(daemon, "after the install")
            groups = re.search(r"^Groups:\s(.*)$", Path(f"/proc/{daemon.main_pid}/status").read_text(), re.MULTILINE)[1].split()
            check(len(groups) <= 1, f"the daemon's process is in the groups {groups}")
            trigger()
            board.check_strangers("after a change")
            board.check_daemon("after a change")
            service.install(service.NEXT_PACKAGE)
            service.run("udevadm", "settle")
            board.check_strangers("after the upgrade")
            board.check_daemon("after the upgrade")
            play_beside(daemon, "after the upgrade")
            service.apt("remove", "hapticd")
            service.run("udevadm", "settle")
            board.check_strangers("after the removal")
            board.check_nothing_is_left("after the removal")
        service.install()
        service.run("udevadm", "settle")
        board.check_daemon("after the second install")
        service.apt("purge", "hapticd")
        service.run("udevadm", "settle")
        board.check_strangers("after the purge")
        board.check_nothing_is_left("after the purge")


@test("manners: rules that come after ours give a group what they say; without them a chip is root's", "systemd-real", limit=400)
def late_rules():
    chip = lines.chip_path()
    make_member(GPIO_USER, "gpio")
    with Service(gpio()) as daemon:
        # As the kernel makes it.
        forget(chip)
        os.chown(chip, 0, 0)
        os.chmod(chip, 0o600)
        trigger()
        check(Path(chip).group() == "root" and opens(GPIO_USER, chip) == "EACCES", f"the chip is of {Path(chip).group()}")
        check(entries(chip) == _OURS, f"its entries are {entries(chip)}")
        with Rules("99-com.rules", _OTHER):
            check(opens(GPIO_USER, chip) is None, f"one of gpio cannot open the chip that is gpio's: {service.run('getfacl', chip).stdout}")
            play_beside(daemon, "with rules that came late")


@test("manners: a PWM chip of gpio is the daemon's, too, once its unit has SupplementaryGroups=gpio", "systemd-real", limit=300)
def supplementary():
    make_member(GPIO_USER, "gpio")
    with PWMChip() as chip, Rules("99-com.rules", _OTHER):
        with Service("name: channel, backend: pwm, chip: pwmchip0, channel: 0, frequency: 200Hz") as daemon:
            check((chip.folder / "export").group() == "gpio", f"export is of {(chip.folder / 'export').group()}")
            found = daemon.actuator("channel")
            check(not found["available"] and "permission denied" in found["error"], f"{found}")
            daemon.drop_in("[Service]\nSupplementaryGroups=gpio\n")
            service.systemctl("restart", service.UNIT)
            daemon.wait_until_available("channel")
    # It is the package's again.
    os.system(f"chgrp -R 0 {chip.folder}/ && chmod -R g-w {chip.folder}/")
    trigger()
    return found["error"]


@test("manners: `actuators --scan --udev` lets the daemon use the devices of its configuration, and no others", "systemd-real", limit=300)
def exact():
    actuators = (gpio(), evdev("pad under test"), "name: light, backend: led, led: glow",
                 "name: channel, backend: pwm, chip: pwmchip0, channel: 0, frequency: 200Hz")
    with Light("glow") as light, Light("other") as other, Pad("pad under test", "rumble") as pad, PWMChip(), Service(*actuators) as daemon:
        for name in ("main", "pad", "light", "channel"):
            daemon.wait_until_available(name)
        printed = service.run("hapticctl", "actuators", "--scan", "--udev")
        check(printed.stderr == "" and "pad under test" not in printed.stdout, f"{printed.stderr}{printed.stdout}")
        service.run("udevadm", "settle")
        service.systemctl("stop", service.UNIT, service.SOCKET_UNIT)
        with Rules("70-hapticd.rules", printed.stdout):
            # What the package's rules gave is taken away first, as the next start of the machine does.
            forget(lines.chip_path(), pad.node)
            for one in (light, other):
                os.chown(one.folder / "brightness", 0, 0)
            trigger()
            check(entries(lines.chip_path()) == entries(pad.node) == _OURS, f"{entries(lines.chip_path())}, {entries(pad.node)}")
            groups = {one.name: (one.folder / "brightness").group() for one in (light, other)}
            check(groups == {"glow": "hapticd", "other": "root"}, f"{groups} with {printed.stdout}")
            service.systemctl("start", service.SOCKET_UNIT, service.UNIT)
            for name in ("main", "pad", "light", "channel"):
                daemon.wait_until_available(name)
        pad.unplug()
        missing = service.run("hapticctl", "actuators", "--scan", "--udev", status=1)
        check("(evdev) has no rule: it is missing" in missing.stdout and "pad under test" in missing.stderr, f"{missing.stdout}{missing.stderr}")
        check(lines.chip_path() not in missing.stdout and "gpiochip[0-9]*" in missing.stdout, missing.stdout)
    trigger()
    return f"{sum('ENV{.HAPTICD}=' in line and not line.startswith('ENV') for line in printed.stdout.splitlines())} rules"

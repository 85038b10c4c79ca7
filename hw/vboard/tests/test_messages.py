# SPDX-License-Identifier: MIT
"""What people are told about a device that cannot be used: what happened, to what, and what to do."""
import os
import re
import subprocess
import time

import lines
from daemon import Daemon, Programs, configuration, evdev, gpio
from harness import check, test
from pads import Pad


def told(daemon, name="main"):
    """What `hapticctl actuators` says while an actuator cannot be used."""
    check(not daemon.actuator(name)["available"], f"{name} is available")
    return daemon.ctl("actuators").stdout


@test("gpio: a line that another process holds is told with that process's name")
def busy():
    holder = lines.HeldLine(21, "door-opener")
    with Daemon(configuration(gpio(line=21))) as daemon:
        with holder:
            text = told(daemon)
            check("door-opener" in text, f"hapticctl actuators does not name who holds the line:\n{text}")
            status = daemon.ctl("status").stdout
            check("door-opener" in status, f"hapticctl status does not name who holds the line:\n{status}")
            check("door-opener" in daemon.log(), f"the log does not name who holds the line:\n{daemon.log()}")
        start = time.monotonic()
        daemon.wait_until_available(limit=20)
    return f"used {time.monotonic() - start:.1f} s after it was let go\n{text.strip()}"


@test("gpio: a chip without permission is told with the group to join")
def forbidden():
    os.chmod(lines.chip_path(), 0o000)
    try:
        as_nobody = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")
        with Daemon(configuration(gpio()), prefix=as_nobody) as daemon:
            text = told(daemon)
            check("cannot be opened: permission denied" in text, f"it does not say that permission is missing:\n{text}")
            # Which of the board's chips is the one with this name, it cannot see.
            check(re.search(r"/dev/gpiochip\d+ ", text), f"it does not name a chip's node:\n{text}")
            check("group" in text and "hapticd" in text, f"it does not name the group:\n{text}")
    finally:
        os.chmod(lines.chip_path(), 0o600)
    return text.strip()


@test("pad: a name that matches two pads is told with both")
def ambiguous():
    with Pad("twin left", "rumble") as left, Pad("twin right", "rumble") as right:
        with Daemon(configuration(evdev("twin *"))) as daemon:
            text = told(daemon, "pad")
            check(left.name in text and right.name in text, f"it does not name both pads:\n{text}")
            check("phys or path" in text, f"it does not say what to do:\n{text}")
            right.unplug()
            daemon.wait_until_available("pad")
    return text.strip()


@test("scan: what the board has is listed, and its configuration can be used as it is")
def scan():
    with Pad("pad under test", "rumble"), lines.HeldLine(3, "door-opener"):
        run = [Programs.folder / "hapticctl", "actuators", "--scan"]
        listed = subprocess.run(run, env=Programs.environment, capture_output=True, text=True, check=False)
        check(listed.returncode == 0, f"hapticctl actuators --scan: {listed.stderr}")
        for word in ("vboard", "MOTOR", "door-opener", "pad under test"):
            check(word in listed.stdout, f"the scan does not show {word}:\n{listed.stdout}")
        yaml = subprocess.run([*run, "--yaml"], env=Programs.environment, capture_output=True, text=True, check=True).stdout
        with Daemon("version: 1\n" + yaml) as daemon:
            names = [one["name"] for one in daemon.call("actuators")["actuators"]]
    return f"{len(names)} actuators: {', '.join(names)}"

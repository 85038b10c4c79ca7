# SPDX-License-Identifier: MIT
"""The package as people install it, and its service under the guest's systemd."""
import json
import os
import pwd
import shutil
import subprocess
from pathlib import Path

import memory
from daemon import Control, Programs, configuration
from harness import Failed, check, wait_for

UNIT, SOCKET_UNIT = "hapticd.service", "hapticd.socket"
SOCKET = Path("/run/hapticd/hapticd.sock")
CONFIG = Path("/etc/hapticd/hapticd.yaml")
STATE = Path("/var/lib/hapticd")
DROP_INS = Path("/run/systemd/system/hapticd.service.d")
MEMBER, STRANGER = "member", "stranger"
# The package, and the same as it would be in its next version (run-tests makes it).
PACKAGE, NEXT_PACKAGE = (Path(os.environ.get(name, "")) for name in ("HAPTICD_DEB", "HAPTICD_DEB_NEXT"))
# In virtual time the guest's clock runs on, and fast, while it waits for the host's disk: nothing there is bounded by seconds.
_PATIENCE = 100_000
SIMULATED = configuration("name: main, backend: simulated")


def run(*command, status=0, user=None, **options):
    """Runs a command to its end; fails the test where it ends with another status (None: any)."""
    if user:
        options |= as_user(user)
    done = subprocess.run(
        [str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE, check=False, **options)
    check(status is None or done.returncode == status,
          f"`{' '.join(map(str, command))}` ended with {done.returncode}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done


def as_user(name):
    """What makes a process that user's, with the user's groups and no others."""
    one = pwd.getpwnam(name)
    return {"user": one.pw_uid, "group": one.pw_gid, "extra_groups": os.getgrouplist(name, one.pw_gid)}


def systemctl(*arguments, status=0):
    return run("systemctl", *arguments, status=status).stdout.strip()


def show(name, unit=UNIT):
    """A property of a unit."""
    # Asked again where systemd, busy, lets the question time out, which in virtual time is soon.
    for attempt in range(5):
        done = run("systemctl", "show", "--property", name, "--value", unit, status=0 if attempt == 4 else None)
        if done.returncode == 0:
            return done.stdout.strip()
    return None


def failed_units():
    return systemctl("--failed", "--no-legend", "--plain")


def apt(*arguments, status=0):
    return run("apt-get", "-y", "-o", "Dpkg::Options::=--force-confold", *arguments, status=status,
               env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))


def is_installed():
    return run("dpkg-query", "--show", "--showformat", "${db:Status-Status}", "hapticd", status=None).stdout == "installed"


def install(package=None):
    """Installs a package as `apt install ./hapticd.deb` does, from memory."""
    place = Path("/run/package")
    place.mkdir(exist_ok=True)
    copy = shutil.copy2(package or PACKAGE, place)
    return apt("install", copy)


def processes():
    """What runs of hapticd, its guard included, as (process, command)."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue    # it ended meanwhile
        if Path(os.fsdecode(words[0])).name.startswith(("hapticd", "haptic-guard")):
            found.append((int(folder.name), os.fsdecode(b" ".join(words)).strip()))
    return found


class Journal:
    """What the journal has of a unit from the making of this on."""

    def __init__(self, unit=UNIT):
        self._unit = unit
        run("journalctl", "--sync")
        self._cursor = json.loads(run("journalctl", "--lines", 1, "--output", "json").stdout)["__CURSOR"]

    def entries(self):
        """What the unit's processes have said, and systemd of the unit."""
        run("journalctl", "--sync")
        # Not with --unit: where the cursor's entry is another unit's, journalctl then leaves out the first one after it.
        text = run("journalctl", "--after-cursor", self._cursor, "--output", "json").stdout
        return [entry for entry in map(json.loads, text.splitlines()) if self._unit in (entry.get("_SYSTEMD_UNIT"), entry.get("UNIT"))]

    def messages(self):
        return [str(entry.get("MESSAGE")) for entry in self.entries()]

    def wait_for(self, words, limit=10.0):
        """Waits for an entry with these words; returns it."""
        def said():
            return next((entry for entry in self.entries() if words in str(entry.get("MESSAGE"))), None)

        try:
            return wait_for(f"the journal to say \"{words}\"", said, limit, every=0.3)
        except Failed as failed:
            raise Failed(f"{failed}; it says {self.messages()}") from failed


class Service(Control):
    """The installed service; the package is installed first where it is not. Leaving the context lets it drive nothing any more.

    Its clients are run as a member of `haptics`.
    """

    def __init__(self, *actuators, more=""):
        """actuators: as `configuration` takes them; more: what else the configuration says."""
        super().__init__(str(SOCKET))
        Programs.folder = Path("/usr/bin")
        if not is_installed():
            install()
            hold_in_memory()
        make_people()
        self.client_user = as_user(MEMBER)
        self.configure(configuration(*actuators, more=more) if actuators else SIMULATED)

    def configure(self, text):
        """Starts the service again with this configuration, and with nothing set; returns when it is ready, as systemd sees it."""
        run("udevadm", "settle")
        CONFIG.write_text(text)
        systemctl("reset-failed", UNIT, SOCKET_UNIT, status=None)
        for file in STATE.glob("*"):
            file.unlink()
        systemctl("restart", UNIT)

    def drop_in(self, text):
        """Adds to the unit until the context is left; takes effect with the next start."""
        DROP_INS.mkdir(parents=True, exist_ok=True)
        (DROP_INS / "test.conf").write_text(text)
        systemctl("daemon-reload")

    def give_up_soon(self):
        """Lets systemd give the unit up after three starts: on a slow host the unit's ten take longer than its 30 s, and it goes on."""
        self.drop_in("[Unit]\nStartLimitIntervalSec=600\nStartLimitBurst=3\n")

    @property
    def main_pid(self):
        return int(show("MainPID"))

    def is_back(self, other_than):
        """Whether another process than this one is the service, and ready."""
        return self.main_pid not in (0, other_than) and show("ActiveState") == "active"

    def log(self):
        return run("journalctl", "--unit", UNIT, "--lines", 30, "--output", "cat").stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if (DROP_INS / "test.conf").exists():
            (DROP_INS / "test.conf").unlink()
            # run-tests may have one there, too.
            if not any(DROP_INS.iterdir()):
                DROP_INS.rmdir()
            systemctl("daemon-reload")
        if is_installed():
            self.configure(SIMULATED)


def hold_in_memory():
    """What a restart of the service runs through, and what the tests look at it with."""
    programs = [f"/usr/bin/{name}" for name in ("hapticd", "hapticctl", "systemctl", "journalctl")]
    # What the udev rules run when a PWM channel is exported: the daemon waits half a second for that.
    programs += [f"/usr/bin/{name}" for name in ("find", "chgrp", "chmod")]
    # Those that no program is linked to: the daemon and the C library load them when they run.
    loaded = [found for name in ("libsystemd.so.0", "libnss_systemd.so.2") for found in Path("/lib").glob(f"*/{name}")]
    memory.hold(programs + loaded)


def make_people():
    """Makes a user in the group haptics and one who is not."""
    make_person(MEMBER)
    make_person(STRANGER)
    run("usermod", "--append", "--groups", "haptics", MEMBER)


def make_person(name):
    if run("getent", "passwd", name, status=None).returncode != 0:
        run("useradd", "--no-create-home", "--user-group", name)


def back_at():
    """When the service was ready last, in ns of CLOCK_MONOTONIC, as systemd noted it."""
    return int(show("ActiveEnterTimestampMonotonic")) * 1000


def wait_until_back(service, other_than, limit=30):
    # Seldom: each look is two programs on the one processor that the service needs to come back.
    wait_for("the service to be back", lambda: service.is_back(other_than), limit, every=1)
    return back_at()

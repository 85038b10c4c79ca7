# SPDX-License-Identifier: MIT
"""The udev rules, applied by the real udevd."""
import subprocess
from pathlib import Path

from harness import check, test

_SCRIPT = Path(__file__).resolve().parents[2] / "udev/guest-test"


@test("udev: the devices belong to the daemon's group, and nothing else does", limit=90)
def rules():
    done = subprocess.run(["sh", _SCRIPT], capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stdout + done.stderr)
    return f"{done.stdout.count('ok: ')} things are as they should be"

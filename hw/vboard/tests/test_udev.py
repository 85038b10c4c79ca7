# SPDX-License-Identifier: MIT
"""The udev rules, applied by the real udevd."""
import os
import subprocess
from pathlib import Path

import lines
from harness import check, test

_SCRIPT = Path(__file__).resolve().parents[2] / "udev/guest-test"


@test("udev: the daemon's group can use the devices and nothing else, and no other group loses one", limit=90)
def rules():
    done = subprocess.run(["sh", _SCRIPT], env=dict(os.environ, **lines.environment()), capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stdout + done.stderr)
    return f"{done.stdout.count('ok: ')} things are as they should be"

# SPDX-License-Identifier: MIT
"""Runs the virtual board's tests in the guest.

usage: main.py real|virtual|systemd-real|systemd-virtual|systemd-kills [TITLE]    the kind of this board; only tests whose title contains TITLE
HAPTICD_BIN: the folder of hapticd and hapticctl. With systemd, it is the package HAPTICD_DEB that is tested.
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

import harness
import memory
from daemon import Programs


def use(folder):
    """Takes the programs of a folder: from memory, and so that any user can run them, wherever the checkout is."""
    Programs.folder = Path(tempfile.mkdtemp(prefix="programs-", dir="/run"))
    Programs.folder.chmod(0o755)
    for name in ("hapticd", "hapticctl"):
        shutil.copy2(Path(folder) / name, Programs.folder)
    memory.hold([Programs.folder / "hapticd", Programs.folder / "hapticctl"])


def main(clock, wanted=""):
    os.system("dmesg -n 1")  # what the kernel says of a chip that is pulled out is no news here
    folder = Path(__file__).parent
    if clock.startswith("systemd"):
        folder = folder.with_name("tests_systemd")
        sys.path.insert(0, str(folder))
    else:
        use(os.environ["HAPTICD_BIN"])
    modules = sorted(file.stem for file in folder.glob("test_*.py"))
    modules.sort(key="test_witnesses".__ne__)  # what all others rely on comes first
    for module in modules:
        __import__(module)
    passed = harness.run(clock, wanted)
    harness.finish()
    return 0 if passed else 1


sys.exit(main(*sys.argv[1:]))

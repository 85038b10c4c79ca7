# SPDX-License-Identifier: MIT
"""Keeps the host's disk out of what is measured."""
import os
import subprocess
from pathlib import Path


def hold(files):
    """Has these programs and libraries, and the libraries that they are linked to, copied into the guest's memory for good.

    What has been read stays in memory in any case, but to open a file of the host, or to follow a link there, asks the host each time. In virtual
    time each of these takes 4 ms, and many times that on a host that is slow to answer: the clock runs on, and fast, while the guest waits.
    """
    listing = subprocess.run(["ldd", *files], capture_output=True, text=True, check=True).stdout
    linked = {word for line in listing.splitlines() for word in line.split() if word.startswith("/") and ":" not in word}
    for path in {*map(Path, linked), *map(Path, files)}:
        _copy_up(path)


def _copy_up(path):
    # The root is an overlay: what is changed, if only in the time of its change, lies in memory from then on.
    for step in (*reversed(path.parents), path):
        owner = step.lstat()
        if step.is_symlink():
            os.chown(step, owner.st_uid, owner.st_gid, follow_symlinks=False)
            _copy_up(step.parent / step.readlink() / path.relative_to(step))
            return
    os.chown(path, owner.st_uid, owner.st_gid)

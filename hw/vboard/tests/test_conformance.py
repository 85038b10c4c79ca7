# SPDX-License-Identifier: MIT
"""The drivers' own conformance suite, on the devices of a real kernel."""
import os
import re
import subprocess
from pathlib import Path

import lines
from harness import check, test


def run_suites(wanted, *titles):
    """Runs the suites of the unit tests' bundle whose names match, which have these titles; returns what it says of them all."""
    bundle = Path(os.environ["HAPTICD_TESTS"]) / "hapticdPackageTests.xctest"
    check(bundle.exists(), f"no {bundle}: `make test`, or for an arm64 board `make build-arm64-tests`, builds it")
    done = subprocess.run(
        [bundle, "--testing-library", "swift-testing", "--filter", wanted],
        env=dict(os.environ, HAPTICD_BOARD="1", LD_LIBRARY_PATH=os.environ["SWIFT_LIBRARIES"], **lines.environment()),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    check(done.returncode == 0, done.stdout[-3000:])
    for title in titles:
        check(re.search(rf"Suite .*{title}.* passed", done.stdout), f"the suite {title!r} did not run:\n{done.stdout[-3000:]}")
    return re.search(r"Test run with .*", done.stdout)[0]


@test("conformance: the drivers of lines and pads keep the contract", limit=180)
def drivers():
    return run_suites("EvdevConformance|GPIOConformance", "GPIO driver", "evdev driver")

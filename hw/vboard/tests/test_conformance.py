# SPDX-License-Identifier: MIT
"""The drivers' own conformance suite, on the devices of a real kernel."""
import os
import re
import subprocess
from pathlib import Path

import lines
from harness import check, test


@test("conformance: the drivers of lines and pads keep the contract", limit=180)
def drivers():
    bundle = Path(os.environ["HAPTICD_TESTS"]) / "hapticdPackageTests.xctest"
    check(bundle.exists(), f"no {bundle}: `make test`, or for an arm64 board `make build-arm64-tests`, builds it")
    done = subprocess.run(
        [bundle, "--testing-library", "swift-testing", "--filter", "EvdevConformance|GPIOConformance"],
        env=dict(os.environ, HAPTICD_BOARD="1", LD_LIBRARY_PATH=os.environ["SWIFT_LIBRARIES"], **lines.environment()),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    check(done.returncode == 0, done.stdout[-3000:])
    for suite in ("GPIO", "evdev"):
        check(re.search(rf"Suite .*{suite} driver.* passed", done.stdout), f"the suite of {suite} did not run:\n{done.stdout[-3000:]}")
    return re.search(r"Test run with .*", done.stdout)[0]

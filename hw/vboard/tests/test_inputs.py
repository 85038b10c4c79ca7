# SPDX-License-Identifier: MIT
"""Keys made by uinput and lines of gpio-sim, read by the room HapticInputs."""
import lines
from harness import test
from test_conformance import run_suites


@test("inputs: keys and buttons are read with the kernel's instants, and let go when their device goes", "real", "virtual", limit=180)
def keys_and_buttons():
    try:
        return run_suites("KernelInputsTests", "Keys and buttons of a real kernel")
    finally:
        if not lines.is_there():
            lines.make_chip()

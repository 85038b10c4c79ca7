# SPDX-License-Identifier: MIT
"""Switches that assert conditions: the example of an alert slider as it is shipped, and a switch and a line that are on from the start."""
import subprocess
from pathlib import Path

from daemon import Daemon, configuration, gpio
from harness import check, test, wait_for
from inputs import MUTE, Button, Keyboard

_EXAMPLE = Path(__file__).parents[3] / "Examples/alert-slider"
_LINE = 24


class Slider:
    """The example's slider, plugged in from its making on."""

    def __enter__(self):
        self._program = subprocess.Popen([_EXAMPLE / "slider"], stdin=subprocess.PIPE, text=True)
        return self

    def move(self, position):
        self._program.stdin.write(f"{position}\n")
        self._program.stdin.flush()

    def __exit__(self, *_):
        self._program.stdin.close()
        check(self._program.wait(20) == 0, "the slider failed")


def wait_for_conditions(daemon, *names):
    wait_for(f"the conditions {names}", lambda: daemon.call("settings")["conditions"] == list(names))


@test("slider: the position of the example's slider sets the profile, from the start on and until the slider is gone", "real", "virtual")
def slider():
    with Slider() as slider:
        slider.move(0)
        with Daemon((_EXAMPLE / "hapticd.yaml").read_text(encoding="utf-8")) as daemon:
            wait_for_conditions(daemon, "silent")
            decision = daemon.call("play", pattern="soft", **{"class": "notification"})["decision"]
            check((decision["outcome"], decision["reason"]) == ("suppressed", "condition"), f"the decision is {decision}")
            slider.move(1)
            wait_for_conditions(daemon, "quiet")
            slider.move(2)
            wait_for_conditions(daemon)
            slider.move(0)
            wait_for_conditions(daemon, "silent")
            slider.__exit__()
            wait_for_conditions(daemon)
            said = daemon.call("status")["inputs"]
            check([one["fault"] for one in said] == ["deviceLost"] * 2, f"the status is {said}")
            check([one["condition"] for one in said] == ["silent", "quiet"], f"the status is {said}")
            with Slider() as again:
                again.move(1)
                wait_for_conditions(daemon, "quiet")
    return "silent, quiet, ring, lost and back"


@test("slider: a switch (EV_SW) and a line that are on before the start assert their conditions, and a line that is off does not", "real", "virtual")
def switches():
    conditions = f"""conditions:
  - {{ match: muted, input: {{ match: {{ name: "board switch" }}, switch: SW_MUTE_DEVICE }}, profile: silent }}
  - {{ match: docked, input: {{ chip: vboard, line: {_LINE}, activeLow: true }}, profile: quiet }}"""
    button = Button(_LINE)
    with Keyboard("board switch", switches=(MUTE,)) as switch:
        switch.toggle(MUTE, True)
        with Daemon(configuration(gpio(), more=conditions)) as daemon:
            wait_for_conditions(daemon, "muted")
            button.set(True)
            wait_for_conditions(daemon, "muted", "docked")
            switch.toggle(MUTE, False)
            wait_for_conditions(daemon, "docked")
            button.set(False)
            wait_for_conditions(daemon)
            button.set(True)
            wait_for_conditions(daemon, "docked")
        with Daemon(configuration(gpio(), more=conditions)) as daemon:
            wait_for_conditions(daemon, "docked")
            # The condition of a client and that of a switch are one.
            check(daemon.call("condition", name="docked", on=True)["inForce"], "the client does not assert the condition")
            check(daemon.call("condition", name="docked", on=False)["inForce"], "the client has released the switch's condition")
            button.set(False)
            wait_for("the switch to be read", lambda: not daemon.call("condition", name="docked", on=False)["inForce"])
    return "muted, docked, both, none"

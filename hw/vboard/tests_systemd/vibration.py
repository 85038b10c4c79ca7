# SPDX-License-Identifier: MIT
"""Everything that can be felt or seen, driven at once by the installed service: a line, a PWM channel, a light and a pad."""
import time

import lines
from daemon import evdev, gpio, steady
from harness import wait_for
from lights import Light
from pads import Pad
from pwmchip import PWMChip
from service import Service
from timing import MS

OUTPUTS = ("main", "channel", "light", "pad")
LIMIT = 100 * MS


class Vibration:
    """The service with these four, all off; `start` has them on for 60 s, unless something ends that."""

    def __init__(self):
        self.trace = lines.Trace()
        self.chip = PWMChip()
        self.light = Light("glow")
        self.pad = Pad("pad under test", "rumble")
        self._players = []
        self.service = Service(
            gpio(), "name: channel, backend: pwm, chip: pwmchip0, channel: 0, frequency: 200Hz",
            "name: light, backend: led, led: glow", evdev("pad under test"))

    def start(self):
        for name in OUTPUTS:
            self.service.wait_until_available(name)
        # The pulse of each part is longer than any pause of the machine.
        self._players.append(self.service.start_play(steady(0.7, 9000), "--repeat", 6))
        for name, is_on in (("line", lambda: lines.level() == 1), ("PWM channel", self.chip.is_on), ("light", lambda: self.light.level() > 0),
                            ("pad", lambda: self.pad.shakes_at(time.monotonic_ns()))):
            wait_for(f"the {name} to be on", is_on)

    def offs(self, limit=10.0):
        """Waits until all is off; returns when each went off last, in ns of CLOCK_MONOTONIC."""
        wait_for("all outputs to be off", self.is_off, limit)
        return {"line": self.trace.edges()[-1].ns, "PWM channel": self.chip.states()[-1].ns, "light": self.light.changes[-1].ns,
                "pad": max(span.off for span in self.pad.spans())}

    def is_off(self):
        return lines.level() == 0 and not self.chip.is_on() and self.light.level() == 0 \
            and self.light.changes[-1].value == 0 and not self.pad.shakes_at(time.monotonic_ns())

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.service.__exit__(*problem)
        for player in self._players:
            player.terminate()
            player.wait(20)
        for one in (self.pad, self.light, self.chip):
            one.__exit__(*problem)


def text(offs, since):
    """How long after the instant each went off."""
    return ", ".join(f"{name} {max(at - since, 0) / MS:.1f} ms" for name, at in offs.items())

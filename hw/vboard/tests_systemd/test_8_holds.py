# SPDX-License-Identifier: MIT
"""Press and hold under the installed service: a real key and a real button, the motor's line judged by the kernel's trace."""
import os
import time
from pathlib import Path

import lines
import service
from daemon import gpio
from harness import check, check_exact, check_figure, is_virtual, test, wait_for
from inputs import BUTTON, Button, Keyboard, Subscriber
from service import Journal, Service
from timing import MS

# Else logind switches the board off at the first touch (docs/holds.md).
_LOGIND = Path("/etc/systemd/logind.conf.d/hapticd.conf")
_RULES = Path("/etc/udev/rules.d/70-hapticd.rules")
PRESS, TICK = 500 * MS, 10 * MS
LATEST = 5 * MS
FIRST_STEPS = 20


def holds():
    """The holds of the configuration."""
    # By a real clock the machine may stand still during a bounce, which then takes longer than the default of 10 ms.
    debounce = "" if is_virtual() else ", debounce: 100ms"
    return f"""holds:
  - {{ name: power, input: {{ match: {{ name: "board keys" }}, key: KEY_POWER }} }}
  - {{ name: unlock, input: {{ chip: vboard, line: {BUTTON}, activeLow: true{debounce} }} }}"""


def planned_steps():
    """When the steps of a hold come, from the press on: by the sum of increments that grow, as docs/patterns.md has the charge."""
    progress, increment, felt, instants = 0.0, 0.0007, 0.0, []
    for tick in range(1, 161):
        progress += increment
        increment += 0.00007
        if progress - felt >= 0.01 - 1e-9 or tick == 160:
            felt = progress
            instants.append(PRESS + tick * TICK)
    return instants


def steps_by(press, up):
    """When the steps come that a hand can have felt by when it let go, however late that was."""
    return [instant for instant in planned_steps() if instant <= up.before - press.after]


def apply_rules():
    for command in (("control", "--reload"), ("trigger", "--subsystem-match=gpio", "--subsystem-match=input"), ("settle",)):
        service.run("udevadm", *command)


def reload_logind():
    # Fails where logind does not run. That is fine: it reads the file when it begins.
    service.systemctl("kill", "-s", "HUP", "systemd-logind", status=None)


class Hand:
    """The service with a motor, a key that it may read by the rule that is printed for it, and a button."""

    def __enter__(self):
        self.trace = lines.Trace()
        self.button = Button()
        _LOGIND.parent.mkdir(parents=True, exist_ok=True)
        _LOGIND.write_text("[Login]\nHandlePowerKey=ignore\n")
        reload_logind()
        self.keyboard = Keyboard("board keys")
        self.journal = Journal()
        self.board = Service(gpio(), more=holds())
        self.refused = self.journal.wait_for("the hold `power` is not read")["MESSAGE"]
        rules = service.run("hapticctl", "actuators", "--scan", "--udev").stdout
        _RULES.write_text(rules)
        apply_rules()
        wait_for("the key to be read", lambda: self.fault("power") is None, limit=20, every=0.2)
        self.board.wait_until_available()
        self.subscriber = Subscriber(self.board.socket)
        return self

    def __exit__(self, *problem):
        _RULES.unlink(missing_ok=True)
        apply_rules()
        self.board.__exit__(*problem)
        self.subscriber.__exit__(*problem)
        self.keyboard.__exit__(*problem)
        # Only once no key can be touched any more.
        _LOGIND.unlink(missing_ok=True)
        reload_logind()

    def fault(self, hold):
        """Why the service cannot read it, in a word; None where it can."""
        return next(one["fault"] for one in self.board.call("status")["inputs"] if one["hold"] == hold)

    def pulses(self, since):
        """Those of the motor that began after an instant; all have ended."""
        wait_for("the motor to be off", lambda: lines.level() == 0)
        return [pulse for pulse in self.trace.pulses() if pulse.on >= since]

    def check_first_steps(self, name, set_down, count, length=0.65):
        """Presses and lets go, by default after the first step, `count` times. Returns how late the first steps were, in order."""
        late = []
        for _ in range(count):
            press = set_down(True)
            time.sleep(length)
            up = set_down(False)
            # Until the charge has fallen back, however long the hold was, for a press before that goes on from there.
            time.sleep(0.35)
            pulses = self.pulses(press.after)
            most = len(steps_by(press, up))
            check(len(pulses) <= most, f"{len(pulses)} pulses for a hold of {name} that has {most} steps at most")
            check_exact(len(pulses) >= most - 1, f"{len(pulses)} of {most} steps of {name} were felt")
            if pulses:
                late.append(pulses[0].on - press.after - PRESS - 10 * TICK)
                check(late[-1] >= -MS, f"a step of {name} came {-late[-1] / MS:.2f} ms before its instant")
        check(late, f"nothing was felt of {count} holds of {name}")
        check_exact(len(late) == count, f"{len(late)} of {count} holds of {name} were felt before they were let go of")
        late.sort()
        return late

    def check_works(self):
        self.check_first_steps("power", self.keyboard.set, 1, length=1)


def may_only_read(node):
    """Whether the daemon's group may read a node and no more."""
    said = service.run("getfacl", "--omit-header", "--absolute-names", node).stdout
    return "group:hapticd:r--" in said


@test("holds: a key is read by the printed rule, felt in 77 steps, each in time, and confirmed", "systemd-virtual", "systemd-real", limit=300)
def charged():
    with Keyboard("other keys", 0x9999) as other, Hand() as hand:
        check("--udev" in hand.refused and "permission denied" in hand.refused, f"the log says of a key without a rule: {hand.refused}")
        check(may_only_read(hand.keyboard.node), "the daemon's group may not read the key, or may do more")
        check("hapticd" not in service.run("getfacl", other.node).stdout, "the daemon's group may read another keyboard")
        check(service.run("ps", "-o", "user=", "-p", hand.board.main_pid).stdout.strip() == "hapticd", "the daemon is not hapticd's")
        press = hand.keyboard.set(True)
        time.sleep(2.6)
        hand.keyboard.set(False)
        time.sleep(0.3)
        said = hand.subscriber.states("power")
        steps = said.count("progress")
        check(said == ["began"] + ["progress"] * steps + ["confirmed"] and 1 <= steps <= 76, f"subscribers heard {said}")
        check_exact(steps == 76, f"{steps} of 76 steps came before it was confirmed")
        events = [one for one in hand.subscriber.decisions("power") if one["input"] == "event"]
        check(events == [], f"no rule is for the hold's own event, and still there are {events}")
        pulses, planned = hand.pulses(press.after), planned_steps()
        check(len(planned) == 77 and len(pulses) > steps / 2, f"{len(pulses)} pulses for {steps} of {len(planned)} steps")
        check_exact(len(pulses) > steps, f"{len(pulses)} pulses for {steps} steps and the confirmation")
        late = [pulse.on - press.after - instant for pulse, instant in zip(pulses, planned)]
        check(min(late) >= -MS, f"a step came {-min(late) / MS:.2f} ms before its instant")
        # The confirmation swells; that it begins when it should is said by the trace of the engine. Where a pulse is missing, the later
        # ones count as late by a step.
        worst = max(late[:steps])
        check_figure(worst <= LATEST, f"the latest of {steps} steps, number {late.index(worst) + 1}, came {worst / MS:.2f} ms after its instant; the next ones "
                                      + ", ".join(f"{one / MS:.2f}" for one in sorted(late[:steps])[-5:-1]))
        first = hand.check_first_steps("power", hand.keyboard.set, FIRST_STEPS)
        # All of them are a part of a hundred at most: the 99th percentile is no later.
        check_figure(first[-1] <= LATEST, f"first steps of {FIRST_STEPS} holds came up to {first[-1] / MS:.2f} ms after their instants")
        return f"steps at most {worst / MS:.2f} ms late; first steps of {FIRST_STEPS} holds at most {first[-1] / MS:.2f} ms; {len(pulses)} pulses"


@test("holds: let go early, bouncing, unplugged while it is held: nothing is left on, and nothing is felt after it", "systemd-virtual", "systemd-real",
      limit=300)
def let_go():
    with Hand() as hand:
        press = hand.keyboard.set(True)
        time.sleep(0.9)
        up = hand.keyboard.set(False)
        time.sleep(0.6)
        pulses = hand.pulses(press.after)
        expected = steps_by(press, up)
        check(1 <= len(pulses) <= len(expected) + 1, f"{len(pulses)} pulses in 0.9 s, not about {len(expected)}")
        check_exact(len(pulses) >= len(expected) - 1, f"{len(pulses)} pulses of {len(expected)} in 0.9 s")
        check_figure(pulses[-1].on <= up.before + LATEST, f"the last step came {(pulses[-1].on - up.before) / MS:.2f} ms after it was let go")
        check(hand.subscriber.states("power")[-1] == "released", f"subscribers heard {hand.subscriber.states('power')}")
        events = [one["name"] for one in hand.subscriber.decisions("power") if one["input"] == "event"]
        check(events == [], f"no rule is for the hold's own event, and still there are {events}")

        hand.subscriber.forget()
        press = hand.button.set_with_bounces(True)
        time.sleep(0.9)
        up = hand.button.set_with_bounces(False)
        time.sleep(0.3)
        reasons = [one["reason"] for one in hand.subscriber.decisions("unlock") if one["value"] in ("down", "up")]
        check(reasons == ["pressed", "released"], f"a press that bounces is {reasons}")
        pulses = hand.pulses(press.after)
        expected = steps_by(press, up)
        check(1 <= len(pulses) <= len(expected), f"{len(pulses)} pulses")
        check_exact(len(pulses) >= len(expected) - 1, f"{len(pulses)} pulses of {len(expected)} of a button that bounces")
        late = pulses[0].on - press.after - PRESS - 10 * TICK
        check_figure(-MS <= late <= LATEST, f"the first step of a button that bounces came {late / MS:.2f} ms after its instant from the first edge")

        hand.subscriber.forget()
        hand.keyboard.set(True)
        time.sleep(1.5)
        hand.keyboard.unplug()
        gone = time.monotonic_ns()
        wait_for("the hold to be let go", lambda: "released" in hand.subscriber.states("power"))
        time.sleep(0.3)
        last = hand.pulses(0)[-1]
        check_figure(last.off <= gone + 100 * MS, f"the motor was on until {(last.off - gone) / MS:.1f} ms after the device had gone")
        check(hand.fault("power") == "deviceLost", f"the status says {hand.fault('power')}")
        check(not [one for one in hand.subscriber.states("power") if one == "confirmed"], "it was confirmed by nobody")
        hand.keyboard.plug_in()
        wait_for("the key to be read again", lambda: hand.fault("power") is None, limit=20, every=0.2)
        hand.check_works()
        return f"{len(expected)} steps in 0.9 s; a bouncing button is one press; off at the latest {max(last.off - gone, 0) / MS:.1f} ms after the device had gone"


@test("holds: 10,000 presses a second are decided or looked past, nothing is felt, and the service answers", "systemd-virtual", "systemd-real", limit=300)
def chatter():
    with Hand() as hand:
        felt = len(hand.trace.edges())
        ticks = os.sysconf("SC_CLK_TCK")

        def used():
            fields = Path(f"/proc/{hand.board.main_pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / ticks

        before, start, sent, longest = used(), time.monotonic(), 0, 0.0
        while sent < 10_000:
            hand.keyboard.chatter(10)
            sent += 10
            if sent % 1000 == 0:
                asked = time.monotonic()
                hand.board.call("status")
                longest = max(longest, time.monotonic() - asked)
            time.sleep(max(0.0, start + sent / 10_000 - time.monotonic()))
        took, cost = time.monotonic() - start, used() - before
        wait_for("it to be up", lambda: hand.board.call("status")["playbacks"] == 0)
        check(len(hand.trace.edges()) == felt, "a key that chatters was felt")
        check(hand.fault("power") is None, "the key was given up")
        hand.check_works()
        check_figure(took < 1.1, f"{sent} presses in {took:.2f} s")
        check_figure(cost < took / 2, f"they cost {cost:.2f} s of the processor")
        return f"`status` took at most {longest * 1000:.1f} ms meanwhile"

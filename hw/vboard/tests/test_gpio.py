# SPDX-License-Identifier: MIT
"""A motor on a GPIO line: every edge judged by the kernel's own trace."""
import time

import lines
import timing
from daemon import Daemon, configuration, gpio, steady
from harness import check, test, wait_for
from timing import MS

DURATION = 1600 * MS
MARGIN = MS
CURVES = ("linear", "charge")


class Train:
    """75 steps of `soft` as they were planned and as they came out."""

    def __init__(self, trace, daemon, curve):
        with daemon.monitor() as monitor:
            before = len(trace.edges())
            with timing.Yardstick() as self.yardstick:
                daemon.play("soft", "--steps", 75, "--duration", "1.6s", "--curve", curve)
            wait_for("the monitor to tell the end", lambda: monitor.told("playback") and self._is_told(monitor))
        self.curve = curve
        self.edges = trace.edges()[before:]

    def _is_told(self, monitor):
        """Takes what the monitor told; returns whether the last off is in it."""
        told = [one for one in monitor.told("actuation") if one["actuator"] == "main"]
        self.on = [one["plannedNs"] for one in told if one["intensity"] > 0]
        self.off = [one["plannedNs"] for one in told if one["intensity"] == 0]
        return self.on and self.off and self.off[-1] > self.on[-1]

    def check_plan(self):
        """75 steps at the instants of the contract's formula, and 8 ms long where there is room."""
        check(len(self.on) == len(self.off) == 75, f"{len(self.on)} ons and {len(self.off)} offs are planned")
        instants = timing.curve(self.curve, 75, DURATION)
        wrong = max(abs((on - self.on[0]) - (at - instants[0])) for on, at in zip(self.on, instants))
        check(wrong <= 2000, f"a step of {self.curve} is planned {wrong} ns off the formula")
        if self.curve == "linear":
            lengths = {off - on for on, off in zip(self.on, self.off)}
            check(lengths == {8 * MS}, f"planned pulses are {lengths} ns long")

    def check_edges(self):
        rising = [edge for edge in self.edges if edge.level == 1]
        falling = [edge for edge in self.edges if edge.level == 0]
        check(len(rising) == 75 and len(falling) == 75, f"{len(rising)} rising and {len(falling)} falling edges")

    @property
    def planned(self):
        return [instant for pair in zip(self.on, self.off) for instant in pair]

    @property
    def lateness(self):
        return [edge.ns - planned for edge, planned in zip(self.edges, self.planned)]

    @property
    def wrong_lengths(self):
        """By how much each pulse is longer or shorter than planned."""
        late = self.lateness
        return [abs(off - on) for on, off in zip(late[::2], late[1::2])]


def warm_up(daemon):
    """A program's first run is the emulator's: it translates each piece of code when it is first executed, for tens of ms."""
    daemon.play("soft", "--steps", 75, "--duration", "0.8s")


def judge(train):
    """Holds a train within the lateness of the guest's own timer in the same seconds; returns the figures.

    MARGIN is what an emulated processor needs from waking up to setting the line. A single edge may also fall between two
    ticks of the yardstick, which does not see when the machine stands still for less than that.
    """
    excess = timing.summary([late - train.yardstick.worst_between(planned, edge.ns)
                             for late, planned, edge in zip(train.lateness, train.planned, train.edges)])
    late, timer, wrong = map(timing.summary, (train.lateness, train.yardstick.latenesses, train.wrong_lengths))
    figures = f"{train.curve}: edges {late}; lengths off by {wrong}; the timer {timer}"
    check(min(train.lateness) > -1000, f"an edge came {-min(train.lateness)} ns before its plan; {figures}")
    check(late.p50 <= timer.p50 + MARGIN and excess.p90 <= MARGIN and excess.worst <= train.yardstick.INTERVAL + MARGIN,
          f"edges later than the timer just then by {excess}; {figures}")
    odd = max(wrong - train.yardstick.worst_between(on, off)
              for wrong, on, off in zip(train.wrong_lengths, train.on, train.off))
    check(wrong.p50 <= MARGIN and odd <= train.yardstick.INTERVAL + MARGIN, f"pulses of wrong length; {figures}")
    return figures


def is_calm(yardstick):
    """Whether the machine has time for the board: otherwise the daemon leaves out what is late, as it should."""
    timer = timing.summary(yardstick.latenesses)
    return timer.p90 <= MS and timer.worst <= 10 * MS


def punctual_train(trace, daemon, curve):
    """Plays 75 steps and judges them; returns the figures.

    It waits a while for a calm machine. Where it was not calm meanwhile they are played again, four times at most, and the last
    time counts whatever it was.
    """
    for attempt in range(1, 5):
        for _ in range(10):
            with timing.Yardstick() as before:
                time.sleep(0.7)
            if is_calm(before):
                break
        train = Train(trace, daemon, curve)
        if is_calm(train.yardstick) or attempt == 4:
            train.check_plan()
            train.check_edges()
            return judge(train) + (f" (attempt {attempt})" if attempt > 1 else "")


def ready_for_steps(trace, daemon):
    daemon.wait_until_available()
    check(not trace.edges(), f"the line moved when the daemon started: {trace.edges()}")
    check(lines.consumer() == "hapticd", f"the line's consumer is {lines.consumer()!r}")


@test("gpio: 75 steps are 75 pulses, as punctual as the guest's timer", limit=180)
def punctual():
    trace = lines.Trace()
    with Daemon(configuration(gpio())) as daemon:
        ready_for_steps(trace, daemon)
        warm_up(daemon)
        return "\n".join(punctual_train(trace, daemon, curve) for curve in CURVES)


@test("gpio: 75 steps are 75 pulses, each edge within 1 ms of its plan, in virtual time", clock="virtual")
def exact():
    trace = lines.Trace()
    figures = []
    with Daemon(configuration(gpio())) as daemon:
        ready_for_steps(trace, daemon)
        for curve in CURVES:
            train = Train(trace, daemon, curve)
            train.check_plan()
            train.check_edges()
            late, wrong = timing.summary(train.lateness), timing.summary(train.wrong_lengths)
            timer = timing.summary(train.yardstick.latenesses)
            text = f"{curve}: edges {late}; lengths off by {wrong}; the timer {timer}"
            figures.append(text)
            check(min(train.lateness) > -1000, f"an edge came {-min(train.lateness)} ns before its plan; {text}")
            check(late.worst <= MS, f"edge {train.lateness.index(late.worst)} is late; {text}")
            check(wrong.worst <= MS, f"a pulse of wrong length; {text}")
    return "\n".join(figures)


@test("gpio: an active-low line rests high and never glitches")
def active_low():
    with lines.HeldLine(20, "a pull-up") as line:
        line.set(1)
    trace = lines.Trace(at_rest=1)
    with Daemon(configuration(gpio(line=20, more="activeLow: true"))) as daemon:
        daemon.wait_until_available()
        check(not trace.edges(20), f"the line moved when the daemon started: {trace.edges(20)}")
        daemon.play(steady(1, 300))
    check([edge.level for edge in trace.edges(20)] == [0, 1], f"one pulse on an active-low line was {trace.edges(20)}")
    check(lines.level(20) == 1, "the line does not rest high after the daemon")


@test("gpio: a line that was left on is switched off when the daemon takes it")
def left_on():
    with lines.HeldLine(22, "one that died") as line:
        line.set(1)
    trace = lines.Trace(at_rest=1)
    with Daemon(configuration(gpio(line=22))) as daemon:
        daemon.wait_until_available()
        check([edge.level for edge in trace.edges(22)] == [0], f"it became {trace.edges(22)}")


@test("gpio: a chip by path and by name, a line by its name")
def names():
    for chip in (lines.chip_path(), lines.chip_path().removeprefix("/dev/")):
        trace = lines.Trace()
        with Daemon(configuration(f"name: main, backend: gpio, chip: {chip}, line: MOTOR")) as daemon:
            daemon.wait_until_available()
            daemon.play(steady(1, 300))
        check(len(trace.pulses()) == 1, f"by {chip}: {trace.edges()}")


def duties():
    """Plays 1 s of each level by software PWM; yields the level and the pulses that came out."""
    with Daemon(configuration(gpio(more="pwm: 200Hz"))) as daemon:
        daemon.wait_until_available()
        for level in (0.1, 0.5, 0.9):
            trace = lines.Trace()
            daemon.play(steady(level, 1000))
            pulses = trace.pulses()
            check(pulses and lines.level() == 0, f"at {level}: {len(pulses)} pulses, level {lines.level()} after them")
            yield level, pulses


def measured(pulses):
    return sum(pulse.length for pulse in pulses) / (1000 * MS)


@test("gpio: software PWM at 200 Hz (its figures in real time)")
def pwm():
    return "; ".join(f"{level}: duty {measured(pulses):.3f}, {len(pulses)} pulses" for level, pulses in duties())


@test("gpio: software PWM at 200 Hz keeps its duty within 2 points, in virtual time", clock="virtual")
def exact_pwm():
    figures = []
    for level, pulses in duties():
        duty = measured(pulses)
        check(abs(duty - level) <= 0.02, f"duty {duty:.3f} for {level}")
        check(195 <= len(pulses) <= 205, f"{len(pulses)} pulses in 1 s at 200 Hz")
        figures.append(f"{level}: {duty:.4f}, {len(pulses)} pulses")
    return "; ".join(figures)

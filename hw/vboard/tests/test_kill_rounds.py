# SPDX-License-Identifier: MIT
"""Daemon, guard and both are killed, stopped and continued at random times, round after round; the kernel's trace is the judge.

Only states are asserted: what is on goes off, what is off stays off, lines are free or held low, the next daemon takes over and plays. How long it took is told.
VBOARD_ROUNDS: how many rounds (200). VBOARD_SEED: to repeat a walk; which faults it takes and when is all that it decides.
"""
import os
import random
import signal
import time
from pathlib import Path

import lines
from daemon import Daemon, Failed, configuration, gpio
from harness import check, test, wait_for
from test_switch_off import switch_off
from timing import MS

SOFT = 19
LINES = (lines.MOTOR, SOFT)
ROUNDS = int(os.environ.get("VBOARD_ROUNDS") or 200)
SEED = int(os.environ.get("VBOARD_SEED") or random.SystemRandom().randrange(2**32))
TEXT = configuration(gpio(), gpio("soft", SOFT, "pwm: 200Hz"))


def pulse(milliseconds):
    """A steady pattern, as a client gives it with its call."""
    frames = [{"atMs": 0, "intensity": 0.7, "sharpness": 0.3}, {"atMs": milliseconds, "intensity": 0, "curve": "step"}]
    return {"tracks": [{"keyframes": frames}]}


def guards_of(process):
    """The guards that this daemon has started and that have not ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if not (folder / "cmdline").read_bytes().startswith(b"haptic-guard"):
                continue
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == process and fields[0] not in "ZX":
                found.append(int(folder.name))
        except OSError:
            continue  # it ended meanwhile
    return found


class Round:
    """One daemon in mid-vibration, and what is done to it."""

    def __init__(self, random_source, daemon):
        self.random = random_source
        self.daemon = daemon
        self.guard = wait_for("the daemon's one guard", lambda: self._only_guard())
        self.story = []

    def _only_guard(self):
        guards = guards_of(self.daemon.process.pid)
        return guards[0] if len(guards) == 1 else None

    def wait_a_while(self, longest):
        """Sleeps for a random time, in s."""
        duration = self.random.uniform(0, longest)
        self.story.append(f"{duration * 1000:.0f} ms")
        time.sleep(duration)

    def send(self, who, number):
        self.story.append(f"{signal.Signals(number).name[3:]} {who}")
        try:
            os.kill(self.daemon.process.pid if who == "daemon" else self.guard, number)
        except ProcessLookupError:
            pass  # the guard has followed its daemon

    def gone(self):
        """Waits until the daemon has gone; returns the instant just after."""
        wait_for("the daemon to be gone", lambda: self.daemon.process.poll() is not None)
        return time.monotonic_ns()


# Each returns who has to see to it that everything goes off, and from when on that counts:
# "guard": the guard alone; "others": it may take who switches off, or the next daemon; "daemon": it lives, and goes on.


def daemon_killed(it):
    it.send("daemon", it.random.choice([signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV]))
    return "guard", it.gone()


def daemon_ended(it):
    it.send("daemon", it.random.choice([signal.SIGTERM, signal.SIGINT]))
    return "guard", it.gone()


def daemon_then_guard(it):
    it.send("daemon", signal.SIGKILL)
    it.wait_a_while(0.02)
    it.send("guard", signal.SIGKILL)
    return "others", it.gone()


def guard_then_daemon(it):
    it.send("guard", signal.SIGKILL)
    it.wait_a_while(0.05)
    it.send("daemon", signal.SIGKILL)
    return "others", it.gone()


def both_unseen(it):
    it.send("daemon", signal.SIGSTOP)
    it.wait_a_while(0.02)
    it.send("guard", signal.SIGKILL)
    it.send("daemon", signal.SIGKILL)
    return "others", it.gone()


def guard_stopped_daemon_killed(it):
    it.send("guard", signal.SIGSTOP)
    it.wait_a_while(0.3)
    it.send("daemon", signal.SIGKILL)
    return "others", it.gone()


def daemon_killed_guard_stopped(it):
    it.send("daemon", signal.SIGKILL)
    it.wait_a_while(0.02)
    it.send("guard", signal.SIGSTOP)
    return "others", it.gone()


def both_stopped_daemon_killed(it):
    it.send("daemon", signal.SIGSTOP)
    it.send("guard", signal.SIGSTOP)
    it.wait_a_while(0.3)
    it.send("daemon", signal.SIGKILL)
    return "others", it.gone()


def daemon_stopped_for_good(it):
    it.send("daemon", signal.SIGSTOP)
    stopped = time.monotonic_ns()
    wait_for("the guard to switch off what a stopped daemon drives", all_off)
    it.send("daemon", signal.SIGKILL)
    it.gone()
    return "guard", stopped


def daemon_stopped_for_a_while(it):
    it.send("daemon", signal.SIGSTOP)
    it.wait_a_while(2)
    it.send("daemon", signal.SIGCONT)
    return "daemon", time.monotonic_ns()


def guard_killed(it):
    it.send("guard", signal.SIGKILL)
    wait_for("another guard", lambda: it._only_guard() not in (None, it.guard))
    return "daemon", time.monotonic_ns()


def guard_stopped_for_a_while(it):
    it.send("guard", signal.SIGSTOP)
    it.wait_a_while(1)
    it.send("guard", signal.SIGCONT)
    return "daemon", time.monotonic_ns()


def guard_asked(it):
    it.send("guard", it.random.choice([signal.SIGTERM, signal.SIGINT, signal.SIGUSR2]))
    it.send("daemon", it.random.choice([signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGPIPE]))
    return "daemon", time.monotonic_ns()


FAULTS = [
    daemon_killed, daemon_ended, daemon_then_guard, guard_then_daemon, both_unseen, guard_stopped_daemon_killed, daemon_killed_guard_stopped,
    both_stopped_daemon_killed, daemon_stopped_for_good, daemon_stopped_for_a_while, guard_killed, guard_stopped_for_a_while, guard_asked,
]


def all_off():
    return all(lines.level(line) == 0 for line in LINES)


def check_at_rest(trace, when):
    """Off, held low or free, and off since this instant."""
    for line in LINES:
        holder = lines.consumer(line)
        check(lines.level(line) == 0, f"line {line} is on")
        check(holder in (None, "hapticd"), f"line {line} is held by {holder}")
        late = [edge for edge in trace.edges(line) if edge.ns > when and edge.level == 1]
        check(not late, f"line {line} came on {(late[0].ns - when) / MS if late else 0:.1f} ms after it was off")


def last_edge(trace):
    return max((edges[-1].ns for edges in map(trace.edges, LINES) if edges), default=0)


def check_plays(daemon):
    """A daemon drives both lines, and only as long as it is to. One pulse of three counts: where the machine stands still, one is left out for its lateness."""
    for _ in range(3):
        trace = lines.Trace()
        played = daemon.call("play", pattern=pulse(300), wait=True, **{"class": "alarm"})
        wait_for("the lines to be off after a play", all_off)
        count, soft = len(trace.edges()), len(trace.edges(SOFT))
        check(count in (0, 2), f"a pulse became {count} edges: {played}\n{daemon.log()}")
        if count == 2 and soft >= 2:
            return
    raise Failed(f"not both lines were driven, {count} edges and {soft} with software PWM: {played}\n{daemon.log()}")


class Figures:
    def __init__(self):
        self._values = {}

    def add(self, what, nanoseconds):
        self._values.setdefault(what, []).append(max(nanoseconds, 0) / MS)

    def __str__(self):
        def row(what, values):
            values = sorted(values)
            return f"{what}: {len(values)} times, median {values[len(values) // 2]:.1f}, worst {values[-1]:.1f} ms"
        return "\n".join(row(what, values) for what, values in sorted(self._values.items()))


def start(figures):
    begin = time.monotonic_ns()
    daemon = Daemon(TEXT)
    for name in ("main", "soft"):
        daemon.wait_until_available(name)
    figures.add("next daemon drives", time.monotonic_ns() - begin)
    return daemon


def one_round(source, daemon, figures, it):
    """Returns the daemon of the next round."""
    trace = lines.Trace()
    daemon.call("play", pattern=pulse(4000), **{"class": "alarm"})
    it.wait_a_while(0.5)
    fault = source.choice(FAULTS)
    keeper, since = fault(it)
    if keeper == "daemon":
        daemon.call("cancel", all=True, mode="immediate")
        wait_for("all to be off after it was cancelled", all_off)
        check_at_rest(trace, time.monotonic_ns())
        it.story.append("goes on")
        check_plays(daemon)
        return daemon
    daemon.__exit__(None, None, None)
    if keeper == "guard":
        wait_for("all to be off", all_off)
        figures.add(f"off after {fault.__name__.replace('_', ' ')}", last_edge(trace) - since)
    if source.random() < 0.5:
        it.story.append("switch off")
        before = time.monotonic_ns()
        said, _ = switch_off(daemon)
        check(said == "", said)
        check(all_off(), "not all is off after --switch-off")
        if keeper == "others":
            figures.add("--switch-off after both were killed, or the guard stopped", time.monotonic_ns() - before)
    successor = start(figures)
    try:
        it.story.append("next daemon")
        check_at_rest(trace, time.monotonic_ns())
        check_plays(successor)
        check(len(guards_of(successor.process.pid)) == 1, "the next daemon has not one guard")
    except Failed:
        # Else the tests that follow would meet it.
        successor.__exit__(None, None, None)
        raise
    return successor


@test("kill rounds: whatever is killed or stopped at whatever time, all goes off, and the next daemon plays", limit=max(60, 15 * ROUNDS))
def rounds():
    source = random.Random(SEED)
    figures = Figures()
    daemon = start(figures)
    try:
        for number in range(1, ROUNDS + 1):
            it = Round(source, daemon)
            try:
                daemon = one_round(source, daemon, figures, it)
            except Failed as finding:
                raise Failed(f"round {number} of seed {SEED} ({', '.join(it.story)}): {finding}") from finding
    finally:
        daemon.__exit__(None, None, None)
    return f"{ROUNDS} rounds, seed {SEED}\n{figures}"

# SPDX-License-Identifier: MIT
"""Whatever becomes of the daemon, within 100 ms after it has gone every output is off (2 s where it stands still).

The limits are of the guest's own time: what the machine took from it, by the yardstick, is not the daemon's."""
import os
import signal
import subprocess
import time
from pathlib import Path

import lines
import timing
from daemon import Daemon, Programs, configuration, evdev, gpio, steady
from harness import check, test, wait_for
from lights import Light
from pads import Pad
from timing import MS

PWM_LINE = 19
LIMIT = 100 * MS
STALL_LIMIT = 2000 * MS


class Shaking:
    """A daemon in mid-vibration on a line, a line with software PWM, a pad and a light."""

    def __init__(self, *pad_abilities):
        self.trace = lines.Trace()
        self.pad = Pad("pad under test", *(pad_abilities or ("rumble",)))
        self.light = Light("glow")
        self.daemon = Daemon(configuration(
            gpio(more="motor: { maxOn: 60s }"), gpio("soft", PWM_LINE, "pwm: 200Hz"), evdev("pad under test"),
            "name: light, backend: led, led: glow"))
        self._players = []

    def start(self, *actuators, milliseconds=8000):
        for name in actuators or ("main", "soft", "pad", "light"):
            self.daemon.wait_until_available(name)
        arguments = [word for name in actuators for word in ("--actuator", name)]
        self._players.append(self.daemon.start_play(steady(0.7, milliseconds), *arguments))
        self.trace.wait_for_on()
        if not actuators:
            self.trace.wait_for_on(PWM_LINE)
            self.pad.wait_for_play()
            wait_for("the light to be on", lambda: self.light.level() > 0)
        time.sleep(0.7)
        check(lines.level() == 1, "the line does not stay on")

    def offs(self, instant):
        """Waits until all is off; returns when each went off after the instant, in ns."""
        wait_for("the light to be off", lambda: self.light.level() == 0)
        delays = {"line": self.trace.off_after(instant)}
        time.sleep(0.3)
        check(lines.level() == 0 and lines.level(PWM_LINE) == 0, "a line came on again")
        delays["PWM line"] = self.trace.edges(PWM_LINE)[-1].ns - instant
        delays["pad"] = self.pad.off_after(instant)
        delays["light"] = self.light.changes[-1].ns - instant
        return delays

    def is_driven_by(self, daemon):
        """Whether a play of the daemon reaches the line. Where the machine stands still one may be left out, so it has three tries."""
        for _ in range(3):
            edges = len(self.trace.edges())
            daemon.play(steady(1, 300))
            if len(self.trace.edges()) == edges + 2:
                return True
        return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pad.__exit__()
        self.daemon.__exit__()
        for player in self._players:
            player.wait(10)
        self.light.__exit__()


def text(delays):
    return ", ".join(f"{name} {max(delay, 0) / MS:.1f} ms" for name, delay in delays.items())


def end_by(board, number):
    """Ends the daemon by a signal; returns how long after it had gone each output went off, in ns."""
    with timing.Yardstick() as yardstick:
        signalled = board.daemon.kill(number)
        board.daemon.process.wait()
        gone = time.monotonic_ns()
        delays = board.offs(gone)
    figures = f"gone {(gone - signalled) / MS:.1f} ms after the signal, {text(delays)} after that"
    off = gone + max(delays.values())
    yardstick.check_within(LIMIT, gone, off, figures)
    # A daemon that takes its time to go must not leave anything on meanwhile.
    yardstick.check_within(STALL_LIMIT, signalled, off, figures)
    return figures


def off_by(number):
    with Shaking() as board:
        board.start()
        return end_by(board, number)


@test("never left on, gpio: and pad: SIGKILL; the line is held until the next daemon takes it", "real", "virtual")
def killed():
    with Shaking() as board:
        board.start()
        figures = end_by(board, signal.SIGKILL)
        time.sleep(1)
        holder = lines.consumer()
        check(holder is not None, "nobody holds the line after the daemon was killed: it could float")
        edges = len(board.trace.edges())
        with Daemon(configuration(gpio())) as successor:
            successor.wait_until_available()
            check(len(board.trace.edges()) == edges, "the line moved when the next daemon took it")
            check(board.is_driven_by(successor), "the next daemon does not drive the line")
    return f"{figures}; held by {holder!r} meanwhile"


@test("never left on, gpio: SIGKILL of the daemon and all of its process group")
def killed_group():
    with Shaking() as board:
        board.start()
        with timing.Yardstick() as yardstick:
            os.killpg(board.daemon.process.pid, signal.SIGKILL)
            board.daemon.process.wait()
            gone = time.monotonic_ns()
            delays = board.offs(gone)
        yardstick.check_within(LIMIT, gone, gone + max(delays.values()), text(delays))
        check(lines.consumer() is not None, "nobody holds the line")
    return text(delays)


def guard():
    """The process that looks after the outputs when the daemon has gone."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes().startswith(b"haptic-guard"):
                return int(folder.name)
        except OSError:
            continue  # it ended meanwhile
    return None


@test("never left on, gpio: SIGKILL of the guard, then of the daemon")
def guard_killed():
    with Shaking() as board:
        board.start()
        first = wait_for("the guard", guard)
        os.kill(first, signal.SIGKILL)
        wait_for("another guard", lambda: guard() not in (None, first))
        time.sleep(0.5)
        return end_by(board, signal.SIGKILL)


@test("never left on, gpio: a guard that is stopped, then SIGKILL of the daemon: the next daemon brings the line off and plays")
def guard_stopped_then_next():
    with Shaking() as board:
        board.start()
        stopped = wait_for("the guard", guard)
        os.kill(stopped, signal.SIGSTOP)
        board.daemon.kill()
        board.daemon.process.wait()
        check(lines.level() == 1, "something has switched it off: this shows nothing")
        began = time.monotonic_ns()
        with Daemon(configuration(gpio(), gpio("soft", PWM_LINE, "pwm: 200Hz"), "name: light, backend: led, led: glow")) as successor:
            successor.wait_until_available()
            taken = time.monotonic_ns()
            check(lines.level() == 0, "the line is on with the next daemon")
            check(guard() != stopped, "the stopped guard is still there")
            check(board.is_driven_by(successor), "the next daemon does not drive the line")
    return f"taken over {(taken - began) / MS:.0f} ms after the next daemon was started"


@test("never left on, gpio: a guard that is stopped beside a living daemon is not killed, whoever asks")
def guard_stopped_beside_living():
    with Shaking() as board:
        # However long a machine that is short of time takes to ask.
        board.start(milliseconds=50_000)
        stopped = wait_for("the guard", guard)
        os.kill(stopped, signal.SIGSTOP)
        asked = subprocess.run(
            [Programs.folder / "hapticd", "--switch-off", "--config", board.daemon.config, "--socket", board.daemon.socket],
            env=Programs.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        check(asked.returncode == 1 and "a hapticd is running" in asked.stderr, f"{asked.returncode}: {asked.stderr}")
        check(lines.level() == 1, f"the line was taken from the daemon: {board.trace.edges()}")
        os.kill(stopped, signal.SIGCONT)
        check(guard() == stopped, "the guard was killed")
        return end_by(board, signal.SIGKILL)


@test("never left on, gpio: pkill -9 hapticd, which goes by parts of names")
def killed_by_name():
    with Shaking() as board:
        board.start()
        with timing.Yardstick() as yardstick:
            subprocess.run(["pkill", "-9", "hapticd"], check=True)
            board.daemon.process.wait()
            gone = time.monotonic_ns()
            delays = board.offs(gone)
        yardstick.check_within(LIMIT, gone, gone + max(delays.values()), text(delays))
    return text(delays)


@test("never left on, gpio: a guard that is killed and cannot be replaced leaves nothing driven")
def no_guard():
    trace = lines.Trace()
    with Daemon(configuration(gpio())) as daemon:
        daemon.wait_until_available()
        daemon.start_play(steady(1, 8000))
        on = trace.wait_for_on()
        lock = Path(daemon.socket + ".guard")
        away = Path(str(lock.parent) + "-away")
        lock.parent.rename(away)
        try:
            subprocess.run(["pkill", "-9", "haptic-guard"], check=True)
            length = trace.off_after(on)
            wait_for("the line to be told as missing", lambda: not daemon.actuator()["available"])
            check(str(lock) in daemon.actuator()["error"], daemon.actuator()["error"])
            check(len(trace.edges()) == 2, f"driven without a guard: {trace.edges()}")
        finally:
            away.rename(lock.parent)
        daemon.wait_until_available()
        daemon.play(steady(1, 300))
        check(len(trace.edges()) == 4, "not driven with the next guard")
    return f"off after {length / MS:.0f} ms"


@test("never left on, gpio: and pad: SIGABRT, as a crash or a watchdog's kill")
def crashed():
    return off_by(signal.SIGABRT)


@test("never left on, gpio: and pad: SIGINT, as Ctrl-C")
def interrupted():
    return off_by(signal.SIGINT)


@test("never left on, gpio: and pad: SIGTERM")
def terminated():
    return off_by(signal.SIGTERM)


@test("never left on, gpio: and pad: SIGSTOP, off within 2 s")
def stopped():
    with Shaking() as board:
        board.start()
        with timing.Yardstick() as yardstick:
            stopped_at = board.daemon.kill(signal.SIGSTOP)
            delays = board.offs(stopped_at)
        yardstick.check_within(STALL_LIMIT, stopped_at, stopped_at + max(delays.values()), text(delays))
        board.daemon.kill(signal.SIGKILL)
        time.sleep(0.3)
        check(lines.level() == 0 and lines.level(PWM_LINE) == 0, "a line came on when the stopped daemon was killed")
    return text(delays)


@test("never left on, gpio: SIGKILL while a pad hangs the daemon", limit=90)
def killed_while_hanging():
    with Shaking("rumble", "hang-uploads") as board:
        board.start("main", "soft", "light")
        wait_for("the pad to hang", lambda: any(event["what"] == "hanging" for event in board.pad.events()), limit=3)
        with timing.Yardstick() as yardstick:
            killed_at = board.daemon.kill(signal.SIGKILL)
            delays = board.offs(killed_at)
        delays.pop("pad")
        # It has not gone: the kernel keeps it, with all that it has open, until the pad answers or 30 s are over. But its other threads have.
        yardstick.check_within(LIMIT, killed_at, killed_at + max(delays.values()), text(delays))
        board.pad.unplug()
    return text(delays)


@test("never left on, gpio: Ctrl-C of the hapticctl that waits for its play")
def interrupted_client():
    trace = lines.Trace()
    with Daemon(configuration(gpio())) as daemon:
        daemon.wait_until_available()
        player = daemon.start_play(steady(1, 8000))
        trace.wait_for_on()
        with timing.Yardstick() as yardstick:
            when = time.monotonic_ns()
            player.send_signal(signal.SIGINT)
            delay = trace.off_after(when)
        player.wait(10)
    yardstick.check_within(5 * LIMIT, when, when + delay, f"off after {delay / MS:.1f} ms")
    return f"off after {delay / MS:.1f} ms"


@test("never left on, gpio: a bad reload changes nothing, a good one without the actuator switches it off")
def reloaded():
    trace = lines.Trace()
    with Daemon(configuration(gpio())) as daemon:
        daemon.wait_until_available()
        with timing.Yardstick() as yardstick:
            player = daemon.start_play(steady(1, 2000))
            on = trace.wait_for_on()
            daemon.config.write_text("version: 1\nactuators: nonsense\n")
            daemon.ctl("reload", status=1)
            length = trace.off_after(on)
        player.wait(10)
        yardstick.check_length(2000 * MS, 200 * MS, on, on + length)
        player = daemon.start_play(steady(1, 8000))
        trace.wait_for_on()
        daemon.config.write_text(configuration("name: other, backend: simulated"))
        with timing.Yardstick() as yardstick:
            daemon.ctl("reload")
            answered = time.monotonic_ns()
            delay = trace.off_after(answered)
        player.wait(10)
        yardstick.check_within(LIMIT, answered, answered + delay, f"off {delay / MS:.1f} ms after the reload was answered")
    return f"{length / MS:.1f} ms with the bad one; off {delay / MS:.1f} ms after the good one was answered"


@test("never left on, gpio: a full disk under the log, the socket and the lock")
def full_disk():
    trace = lines.Trace()
    with Daemon(configuration(gpio()), small_disk=True) as daemon:
        daemon.wait_until_available()
        daemon.fill_disk()
        daemon.process.send_signal(signal.SIGHUP)    # so that there is something to log
        with timing.Yardstick() as yardstick:
            daemon.start_play(steady(1, 1000))
            on = trace.wait_for_on()
            length = trace.off_after(on)
        yardstick.check_length(1000 * MS, 200 * MS, on, on + length)
        daemon.start_play(steady(1, 8000))
        trace.wait_for_on()
        with timing.Yardstick() as yardstick:
            daemon.kill()
            daemon.process.wait()
            gone = time.monotonic_ns()
            delay = trace.off_after(gone)
        yardstick.check_within(LIMIT, gone, gone + delay, f"off after {delay / MS:.1f} ms")
    # Its lock went with the disk, so no later daemon's guard finds it.
    subprocess.run(["pkill", "haptic-guard"], check=True)
    wait_for("the line to be free", lambda: lines.consumer() is None)
    return f"off {max(delay, 0) / MS:.1f} ms after it had gone"

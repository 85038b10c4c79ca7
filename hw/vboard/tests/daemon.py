# SPDX-License-Identifier: MIT
"""The real hapticd and hapticctl."""
import errno
import itertools
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from harness import Failed, check, wait_for

_folder = Path(tempfile.mkdtemp(prefix="vboard-", dir="/run"))
_folder.chmod(0o755)
_number = itertools.count(1)


class Programs:
    """Where the programs under test are, and what they find in their environment."""
    folder = Path(os.environ.get("HAPTICD_BIN", ""))
    environment = dict(os.environ, NO_COLOR="1")


def configuration(*actuators, more=""):
    """The text of a configuration with these actuators, each the inside of a YAML flow mapping. An undescribed motor gets
    `motor: none`: the tests compare the kernel's trace with the pattern, and an assumed motor would be fitted to."""
    lines = ["version: 1"]
    if more:
        lines.append(more)
    return "\n".join(lines + ["actuators:"] + [f"  - {{ {_unfitted(actuator)} }}" for actuator in actuators]) + "\n"


def _unfitted(actuator):
    if not any(f"backend: {backend}" in actuator for backend in ("gpio", "pwm", "evdev")):
        return actuator
    if "motor:" not in actuator:
        return actuator + ", motor: none"
    return actuator.replace("motor: { maxOn", "motor: { model: none, maxOn")


def gpio(name="main", line=18, more=""):
    return f"name: {name}, backend: gpio, chip: vboard, line: {line}" + (f", {more}" if more else "")


def evdev(pad_name, name="pad"):
    return f'name: {name}, backend: evdev, match: {{ name: "{pad_name}" }}'


def pattern_file(name, text):
    """A pattern in a file of its own; returns its path."""
    path = _folder / f"{name}.yaml"
    path.write_text(f"version: 1\nname: {name}\ndescription: a test's\ntracks:\n  - keyframes:\n{text}")
    return str(path)


def steady(level, milliseconds):
    """A pattern of constant intensity; returns its file's path."""
    return pattern_file(
        f"steady-{int(level * 100)}-{milliseconds}",
        f"      - {{ at: 0ms, intensity: {level}, sharpness: 0.3 }}\n"
        f"      - {{ at: {milliseconds}ms, intensity: 0, curve: step }}\n")


class Connection:
    """A client's socket."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(20)
        self._socket.connect(path)
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self._ids = itertools.count(1)

    def call(self, method, **params):
        """One request; returns its result, and fails the test on an error."""
        answer = self.answer(method, **params)
        check("result" in answer, f"{method} was refused: {answer.get('error')}")
        return answer["result"]

    def answer(self, method, **params):
        number = next(self._ids)
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        for line in self._lines:
            message = json.loads(line)
            if message.get("id") == number:
                return message
        raise Failed(f"the daemon closed the connection instead of answering {method}")

    def close(self):
        self._lines.close()
        self._socket.close()


class Control:
    """A daemon by its socket: what a client can ask of it, and hapticctl."""

    def __init__(self, path):
        self.socket = path
        self.client_user = {}    # as subprocess takes them: who hapticctl is run as
        self.client_complaints = subprocess.DEVNULL    # of one that is left to itself

    def call(self, method, **params):
        """One request, on a connection of its own; returns its result, and fails the test on an error."""
        connection = Connection(self.socket)
        try:
            return connection.call(method, **params)
        finally:
            connection.close()

    def log(self):
        """What the daemon has said."""
        raise NotImplementedError

    def actuator(self, name="main"):
        """What the daemon tells about one of its actuators."""
        return next(one for one in self.call("actuators")["actuators"] if one["name"] == name)

    def wait_until_available(self, name="main", limit=10):
        try:
            wait_for(f"{name} to be available", lambda: self.actuator(name)["available"], limit)
        except Failed as failure:
            raise Failed(f"{failure}: {self.actuator(name)}") from failure

    def ctl(self, *arguments, status=0):
        """Runs hapticctl to its end; fails the test where its exit status is another."""
        done = subprocess.run(
            [Programs.folder / "hapticctl", *map(str, arguments), "--socket", self.socket], env=Programs.environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=40, check=False, **self.client_user)
        check(done.returncode == status,
              f"hapticctl {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr.strip()}\n{self.log()}")
        return done

    def start_ctl(self, *arguments):
        """Starts hapticctl and leaves it to itself."""
        return subprocess.Popen(
            [Programs.folder / "hapticctl", *map(str, arguments), "--socket", self.socket], env=Programs.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.client_complaints, **self.client_user)

    # Without a deadline: in a debug build on an emulated processor, hapticctl needs more than the 100 ms of an interaction from the
    # instant that it gives for a play to the daemon's reading of it.
    _PLAY = ("play", "--class", "alarm", "--pattern")

    def play(self, pattern, *arguments, status=0):
        """Plays a pattern to its end through hapticctl."""
        return self.ctl(*self._PLAY, pattern, *arguments, status=status)

    def start_play(self, pattern, *arguments):
        """Starts hapticctl play, which waits for the end by itself."""
        return self.start_ctl(*self._PLAY, pattern, *arguments)

    def monitor(self):
        return Monitor(self)


class Daemon(Control):
    """A started hapticd that answers. Leaving the context ends it.

    prefix: the words of a command that runs it, such as one that changes the user.
    """

    def __init__(self, text, prefix=(), small_disk=False):
        """small_disk: the socket, the lock files and the log are on a disk of their own, which `fill_disk` fills."""
        number = next(_number)
        # One socket for all, as on a real board: by its place a daemon finds what the one before it has left.
        # One with a prefix may be another user's and has a place of its own.
        place = _folder / (f"place-{number}" if prefix else "place")
        place.mkdir(exist_ok=True)
        place.chmod(0o777)
        self._disk = place if small_disk else None
        if small_disk:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "small", place], check=True)
        super().__init__(str(place / "hapticd.sock"))
        self.config = _folder / f"hapticd-{number}.yaml"
        self.config.write_text(text)
        self._log_path = (place if small_disk else _folder) / f"hapticd-{number}.log"
        self._log = open(self._log_path, "w", encoding="utf-8")
        self.client_complaints = self._log
        command = [*prefix, Programs.folder / "hapticd", "--config", self.config, "--socket", self.socket, "--state", "none"]
        self.process = subprocess.Popen(
            command, stdout=self._log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env=Programs.environment, start_new_session=True)
        self._connection = None
        wait_for("hapticd to answer", self._is_there, limit=20)

    def _is_there(self):
        if self.process.poll() is not None:
            raise Failed(f"hapticd ended with {self.process.returncode}; it said:\n{self.log()}")
        try:
            self._connection = Connection(self.socket)
        except OSError:
            return False
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._connection:
            self._connection.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(40)
        self._log.close()
        if self._disk:
            subprocess.run(["umount", "--lazy", self._disk], check=True)

    def fill_disk(self):
        """Leaves no room for a single byte more."""
        with open(self._disk / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError as error:
                check(error.errno == errno.ENOSPC, str(error))

    def log(self):
        return self._log_path.read_text(encoding="utf-8")

    def call(self, method, **params):
        try:
            return self._connection.call(method, **params)
        except OSError as error:
            self.process.wait(10)
            raise Failed(f"hapticd ended with {self.process.returncode} during {method} ({error}); it said:\n{self.log()}") from error

    def kill(self, number=signal.SIGKILL):
        """Sends a signal; returns the instant just before, in ns."""
        when = time.monotonic_ns()
        os.kill(self.process.pid, number)
        return when


class Monitor:
    """hapticctl monitor --json, from when the daemon knows of it."""

    def __init__(self, daemon):
        self._output = tempfile.NamedTemporaryFile("r", encoding="utf-8", prefix="monitor-", dir=_folder)
        before = daemon.call("status")["subscribers"]
        with open(self._output.name, "w", encoding="utf-8") as output:
            self._process = subprocess.Popen(
                [Programs.folder / "hapticctl", "monitor", "--json", "--socket", daemon.socket],
                env=Programs.environment, stdin=subprocess.DEVNULL, stdout=output, **daemon.client_user)
        wait_for("the monitor", lambda: daemon.call("status")["subscribers"] > before)

    def told(self, kind):
        """What it told of one kind so far: decision, playback, actuation, actuator, missed."""
        self._output.seek(0)
        objects = [json.loads(line) for line in self._output.read().splitlines(True) if line.endswith("\n")]
        return [one[kind] for one in objects if kind in one]

    def is_running(self):
        return self._process.poll() is None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(10)
        self._output.close()

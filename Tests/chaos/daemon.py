# SPDX-License-Identifier: MIT
"""A real daemon on simulated motors, in a directory of its own, and connections to it."""
import json
import os
import random
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time


def bounded(what, seconds, condition, pause=0.02):
    """Waits until `condition()` is true; what was waited for is said where it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(pause)
    raise AssertionError(f"waited {seconds} s in vain for {what}")


CONFIG = """actuators:
  - { name: main, backend: simulated }
  - { name: second, backend: simulated, motor: { minGap: 20ms } }
progress: [{ match: "*", step: 0.01, pattern: soft }]
events: [{ match: "*.succeeded", pattern: success }, { match: "*.failed", pattern: error }]
conditions: [{ match: camera, classes: { texture: half } }]
"""
NOBODY = 65_534

# The limits of which a connection hears as it is closed.
REFUSED = ["clients", "clientsPerUser", "backlog"]


class Peer:
    """A client that knows lines and no more."""

    def __init__(self, path, patience=30.0):
        self.socket = socket.socket(socket.AF_UNIX)
        # Python's own time limit would not wait where the queue of the socket is full.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(patience), 0))
        self.socket.connect(path)
        self.socket.settimeout(patience)
        self.pending = b""
        self.asked = 0

    def send(self, *messages):
        self.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def write(self, data):
        self.socket.sendall(data)

    def line(self):
        """The next line as a value; None at the end of the stream. ConnectionRefusedError where it says that there are too many clients."""
        while b"\n" not in self.pending:
            data = self.socket.recv(1 << 20)
            if not data:
                return None
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        line = json.loads(line)
        if isinstance(line, dict) and line.get("id", 0) is None and line["error"].get("data", {}).get("limit") in REFUSED:
            raise ConnectionRefusedError(line["error"]["message"])
        return line

    def ask(self, method, **params):
        self.asked += 1
        self.send(request(method, self.asked, **params))
        while True:
            answer = self.line()
            if answer is None:
                raise ConnectionError(f"the daemon hung up on {method}")
            if answer.get("id") == self.asked:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]

    def close(self):
        self.socket.close()


def witness(path, end, results):
    """Another user who asks for something small each 5 ms: when, and how long it took."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    waits = []
    try:
        peer = Peer(path)
        while time.monotonic() < end:
            start = time.monotonic()
            peer.ask("settings")
            waits.append((start, time.monotonic() - start))
            time.sleep(0.005)
    except (OSError, RuntimeError) as error:
        results.put((waits, [f"the witness was not served: {error!r}"]))
        return
    results.put((waits, []))


def request(method, number=None, **params):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return message if number is None else {**message, "id": number}


class Daemon:
    """`config`: the text of its configuration. Anyone may connect, so that a witness may be another user."""

    def __init__(self, bin, config):
        self.folder = tempfile.TemporaryDirectory(prefix="hapticd-chaos-")
        os.chmod(self.folder.name, 0o755)
        self.path = f"{self.folder.name}/hapticd.sock"
        self.config = f"{self.folder.name}/hapticd.yaml"
        self.signs_of_life = [time.monotonic()]
        self.is_ready = False
        with open(self.config, "w") as file:
            file.write('version: 1\nsocket: { mode: "0666" }\nrealtime: { priority: none, lockMemory: false }\n' + config)
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind(f"{self.folder.name}/manager")
        self.log = open(f"{self.folder.name}/log", "w+b")
        # As a service manager would have it: so often it must give a sign of life.
        environment = dict(os.environ, NOTIFY_SOCKET=f"{self.folder.name}/manager", WATCHDOG_USEC="1000000")
        environment.pop("WATCHDOG_PID", None)
        self.process = subprocess.Popen(
            [f"{bin}/hapticd", "--config", self.config, "--socket", self.path, "--state", "none"], stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log, env=environment)
        threading.Thread(target=self._listen, args=(manager,), daemon=True).start()
        # Not the socket's file: that is there a moment before anyone may connect.
        bounded("the daemon to be ready", 30, lambda: self.is_ready or self.process.poll() is not None)
        self.expect_alive()

    def _listen(self, manager):
        while True:
            said = manager.recv(4096)
            if b"READY=1" in said:
                self.is_ready = True
            if b"WATCHDOG=1" in said:
                self.signs_of_life.append(time.monotonic())

    def expect_alive(self):
        status = self.process.poll()
        if status is not None:
            self.log.seek(0)
            tail = self.log.read()[-2000:].decode(errors="replace")
            raise AssertionError(f"the daemon has died with status {status}; its last words:\n{tail}")

    def log_lines(self, text):
        """Those lines of its log that contain `text`."""
        with open(f"{self.folder.name}/log", errors="replace") as file:
            return [line.strip() for line in file if text in line]

    def expect_planned_ends(self):
        """That nothing was cut for lack of a plan: what is planned is what is played."""
        cut = self.log_lines("nothing more planned")
        assert not cut, f"{len(cut)} times an end was not planned: {cut[0]}"

    def peer(self):
        return Peer(self.path)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory(self):
        """In MB."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def signal(self, number):
        self.expect_alive()
        self.process.send_signal(number)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise AssertionError("the daemon did not stop within 10 s of SIGTERM")
        self.log.close()
        self.folder.cleanup()


def step_pattern(dice, stretches):
    """Levels that are held, as a pattern of the wire, and when each begins: [(ms, level)], the last one 0."""
    at, levels = 0, []
    for _ in range(stretches):
        level = round(dice.uniform(0.2, 1), 2)
        if not levels or levels[-1][1] != level:
            levels.append((at, level))
        at += dice.randint(10, 450)
    levels.append((at, 0))
    keyframes = [{"atMs": at, "intensity": level, "curve": "step"} for at, level in levels]
    return {"tracks": [{"keyframes": keyframes}]}, levels


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def seeded(seed):
    return random.Random(seed)

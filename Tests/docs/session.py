# SPDX-License-Identifier: MIT
"""What the examples of one page run in: a folder, a daemon with simulated actuators, and everything they start."""
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from blocks import Wrong

# The longest that any example may take, in seconds: only a failure does.
PATIENCE = 60


class Session:
    """The examples of a page run one after the other in the same folder, as a reader would run them."""

    def __init__(self, root, programs):
        # Short: a socket's path has at most 107 bytes.
        self.folder = tempfile.mkdtemp(prefix="hapticd-docs-", dir="/tmp")
        self.socket = os.path.join(self.folder, "hapticd.sock")
        self.log = os.path.join(self.folder, "hapticd.log")
        self.daemon = None
        self.groups = []
        # Who is started in the background by a shell ignores Ctrl-C, and so would every example.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in ("configs", "hw", "Examples"):
            os.symlink(os.path.join(root, name), os.path.join(self.folder, name))
        # What the examples copy.
        with open(os.path.join(self.folder, "big.iso"), "wb") as file:
            file.write(bytes(1_000_000))
        self.environment = {
            "PATH": f"{programs}:{os.environ['PATH']}", "HAPTICD_SOCKET": self.socket, "HOME": self.folder,
            "STATE_DIRECTORY": os.path.join(self.folder, "state"), "TMPDIR": self.folder,
            "USER": "someone", "LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1",
        }

    def close(self):
        self.stop_daemon()
        for group in self.groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    # The daemon

    def connect(self):
        peer = socket.socket(socket.AF_UNIX)
        peer.settimeout(PATIENCE)
        try:
            peer.connect(self.socket)
        except OSError:
            peer.close()
            return None
        return peer

    def need_daemon(self):
        """Starts one where none listens: a page may have started its own. Nothing is playing then: readers are slower than tests."""
        if peer := self.connect():
            peer.close()
            self.ask("cancel", all=True, mode="immediate")
            return
        with open(self.log, "w", encoding="utf-8") as log:
            self.daemon = subprocess.Popen(
                ["hapticd", "--simulate", "--socket", self.socket], env=self.environment, cwd=self.folder, stderr=log)
        end = time.monotonic() + PATIENCE
        while not (peer := self.connect()):
            if self.daemon.poll() is not None or time.monotonic() > end:
                with open(self.log, encoding="utf-8") as log:
                    raise Wrong(f"hapticd does not listen; it said:\n{log.read()}")
            time.sleep(0.05)
        peer.close()

    def stop_daemon(self):
        if self.daemon:
            self.daemon.terminate()
            self.daemon.wait(PATIENCE)
            self.daemon = None

    # Programs

    def run(self, arguments, interrupt=False):
        """Runs a program to its end and returns its status and what it said on both streams.

        What it leaves running in the background goes on until the page ends. `interrupt`: it runs until Ctrl-C, which it gets
        once it has said something.
        """
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
            program = subprocess.Popen(
                arguments, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True)
            self.groups.append(program.pid)
            if interrupt:
                self.provoke(program, output)
                os.killpg(program.pid, signal.SIGINT)
            try:
                status = program.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                raise Wrong(f"has not ended within {PATIENCE} s") from None
            output.seek(0)
            return status, output.read()

    def provoke(self, program, output):
        """Lets something happen until `program` has said that it saw it."""
        end = time.monotonic() + PATIENCE
        while not os.fstat(output.fileno()).st_size:
            if program.poll() is not None or time.monotonic() > end:
                raise Wrong("said nothing of what happened, or ended by itself")
            subprocess.run(
                ["hapticctl", "play", "--pattern", "tick"], env=self.environment, check=False,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # The protocol

    def ask(self, method, **params):
        """The result of one request to a daemon that is there."""
        with self.connect() as peer, peer.makefile("rw", encoding="utf-8") as stream:
            stream.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
            stream.flush()
            return json.loads(stream.readline())["result"]

    def talk(self, lines):
        """Sends the lines of a client one after the other, and holds what the daemon answers against those it is to say."""
        self.need_daemon()
        with self.connect() as peer, peer.makefile("rw", encoding="utf-8", newline="\n") as stream:
            for number, line in enumerate(lines, 1):
                message = json.loads(line)
                if is_from_client(message):
                    stream.write(line + "\n")
                    stream.flush()
                    continue
                answer = json.loads(stream.readline())
                if difference := unlike(message, answer):
                    raise Wrong(f"line {number}: the daemon says {json.dumps(answer, ensure_ascii=False)}: {difference}")
            # All that was asked is answered, then the daemon closes too.
            peer.shutdown(socket.SHUT_WR)
            for line in stream:
                if '"id":' in line:
                    raise Wrong(f"this answer is not shown: {line}")


NOTICES = {"decision", "playback", "actuation", "actuator", "missed"}
# Numbers that are others each time.
VARYING = {"seq", "playback", "uptimeMs", "clients", "user", "process", "kept", "newest"}


def is_from_client(message):
    first = message[0] if isinstance(message, list) else message
    return "method" in first and first["method"] not in NOTICES


def unlike(expected, actual, name="it"):
    """How `actual` differs from what a page shows; None: not at all, but for times and numbers that count."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        if list(expected) != list(actual):
            return f"the members of `{name}` are {', '.join(actual)}"
        return next(filter(None, (unlike(expected[key], actual[key], key) for key in expected)), None)
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            return f"`{name}` has {len(actual)} items"
        return next(filter(None, (unlike(*pair, name) for pair in zip(expected, actual))), None)
    varies = name in VARYING or name.endswith("Ns")
    same = type(expected) is type(actual) if varies else expected == actual
    return None if same else f"`{name}` is {json.dumps(actual, ensure_ascii=False)}"

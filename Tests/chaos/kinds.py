# SPDX-License-Identifier: MIT
"""The kinds of clients: each function is one round of one, from its connection to its end."""
import socket
import time

from daemon import Peer, request, step_pattern

TOPICS = ["decisions", "playbacks", "actuations", "actuators"]


def reader(path, dice):
    """Asks, reads, and gets exactly one answer to each."""
    peer = Peer(path)
    count = dice.randint(1, 40)
    peer.send(*[request("event", number, name=f"job{dice.randint(0, 9)}.succeeded") for number in range(count)])
    answered = sorted(peer.line()["id"] for _ in range(count))
    assert answered == list(range(count)), f"answered were {answered} of {count}"
    peer.close()


def non_reader(path, dice):
    """Asks for all that the kernel takes, and reads nothing."""
    peer = Peer(path)
    peer.socket.setblocking(False)
    lines = b'{"jsonrpc":"2.0","id":1,"method":"patterns"}\n' * 200
    try:
        for _ in range(20):
            peer.write(lines)
    except (BlockingIOError, BrokenPipeError, ConnectionResetError):
        pass
    time.sleep(dice.uniform(0, 0.1))
    peer.close()


def subscriber(path, dice):
    """Subscribes to everything for a while, reads it or does not, and leaves in the middle of it."""
    peer = Peer(path)
    peer.send(request("subscribe", 1, topics=TOPICS))
    reads = dice.random() < 0.7
    end = time.monotonic() + dice.uniform(0, 0.3)
    peer.socket.settimeout(0.05)
    while time.monotonic() < end:
        try:
            if not reads:
                time.sleep(0.02)
            elif peer.line() is None:
                break
        except TimeoutError:
            pass
    peer.close()


def vanishing(path, dice):
    """Waits for an answer, writes once more, and is gone without having read anything."""
    peer = Peer(path)
    peer.send(request("play", 1, pattern="soft", wait=True))
    time.sleep(dice.choice([0.002, 0.008, 0.008, 0.02]))
    peer.send(request("progress", 2, value=dice.random()))
    peer.close()


def door_client(path, dice):
    """Speaks for a client of a door, which may not assert a condition, and is gone with a hold pressed."""
    peer = Peer(path)
    scope = f"page{dice.randint(0, 9)}"
    peer.send(
        request("hello", 1, app="chaos", scope=scope, methods=["condition", "hold"]),
        request("condition", 2, name="camera", on=True), request("hold", 3, id="pay", state="down"))
    if dice.random() < 0.7:
        assert peer.line()["result"]["scope"] == scope, "the `hello` is answered with its scope"
        assert "error" in peer.line(), "a scope asserts no condition"
        assert peer.line()["id"] == 3, "the hold is answered"
    peer.close()


def asserting(path, dice):
    """Asserts a condition, and is gone without releasing it."""
    peer = Peer(path)
    peer.send(request("condition", 1, name="camera", on=True))
    if dice.random() < 0.7:
        assert peer.line()["result"]["inForce"], "an asserted condition is in force"
    peer.close()


def half_line(path, dice):
    peer = Peer(path)
    line = b'{"jsonrpc":"2.0","id":1,"method":"status"}\n'
    cut = dice.randint(1, len(line) - 1)
    peer.write(line[:cut])
    time.sleep(dice.uniform(0, 0.02))
    if dice.random() < 0.5:
        peer.write(line[cut:])
        assert peer.line()["id"] == 1, "the answer to a line in two pieces"
    peer.close()


def half_closer(path, dice):
    """Closes its half with answers pending, and gets all of them."""
    peer = Peer(path)
    peer.send(*[request("play", number, pattern="tick", id=f"half{dice.random()}", wait=True) for number in range(3)])
    peer.socket.shutdown(socket.SHUT_WR)
    answers = []
    while (line := peer.line()) is not None:
        answers.append(line["id"])
    assert sorted(answers) == [0, 1, 2], f"answered were {answers}"
    peer.close()


def oversized(path, dice):
    """A line that is too long is answered, and the connection closed."""
    peer = Peer(path)
    try:
        peer.write(b"[" * dice.randint(65_600, 200_000))
        while peer.line() is not None:
            pass
    except (BrokenPipeError, ConnectionResetError):
        pass
    peer.close()


def garbage(path, dice):
    peer = Peer(path)
    peer.write(bytes(dice.randrange(256) for _ in range(dice.randint(1, 3000))) + b"\n")
    peer.write(b'{"jsonrpc":"2.0","id":"after","method":"settings"}\n')
    while (line := peer.line()).get("id") != "after":
        assert line["id"] is None and "error" in line, f"garbage was answered with {line}"
    peer.close()


def flood(path, dice):
    peer = Peer(path)
    name = f"flood{dice.randint(0, 3)}"
    peer.send(*[request("progress", id=name, value=step / 2000) for step in range(2000)])
    peer.send(request("settings", 1))
    while peer.line().get("id") != 1:
        pass
    peer.close()


def batch(path, dice):
    peer = Peer(path)
    method = dice.choice(["event", "rpc.discover", "patterns", "status"])
    params = {"name": "batch.failed"} if method == "event" else {}
    peer.send([request(method, number, **params) for number in range(256)])
    answers = peer.line()
    assert len(answers) == 256, f"a batch of 256 has {len(answers)} answers"
    peer.close()


def inline(path, dice):
    """Patterns of its own, also such as cost the most."""
    peer = Peer(path)
    if dice.random() < 0.5:
        pattern, _ = step_pattern(dice, dice.randint(1, 40))
    else:
        pattern = {
            "tracks": [{"events": [{"atMs": at, "type": "transient", "intensity": 0.5} for at in range(0, 640, 10)]}],
            "parameterCurves": [{"parameter": "intensity", "points": [{"atMs": 0, "value": 1}]}] * 128,
        }
    peer.send([request("play", number, pattern=pattern, **{"class": "alarm"}) for number in range(4)])
    peer.line()
    if dice.random() < 0.5:
        peer.send(request("cancel", 9, all=True, mode="immediate"))
        peer.line()
    peer.close()


def combining(path, dice):
    """The text that takes longest to compare by letters."""
    peer = Peer(path)
    worst = "\u0344\u0334" * dice.randint(100, 7000)
    where = dice.choice(["response", "value", "name", "mode"])
    if where == "response":
        curve = {"spring": {"responseMs": worst, "dampingFraction": 1}}
        params = {"pattern": {"tracks": [{"keyframes": [{"atMs": 0, "intensity": 1, "curve": curve}]}]}}
    else:
        params = {where: worst}
    peer.send(request("play" if where == "response" else "event", 1, **params))
    assert "error" in peer.line(), "the worst text is refused"
    peer.close()


def crowd(path, dice):
    """As many connections of one user as there may be, all asking at once."""
    peers = []
    try:
        for _ in range(240):
            peers.append(Peer(path))
            peers[-1].send(request("event", 1, name="crowd.succeeded"), request("patterns", 2))
        for peer in peers:
            try:
                while (line := peer.line()) is not None and line.get("id") == 1:
                    pass
            except ConnectionRefusedError:
                pass
    except (BlockingIOError, ConnectionError):
        pass
    for peer in peers:
        peer.close()


def reloading(path, dice):
    peer = Peer(path)
    peer.send(request("reload", 1))
    if dice.random() < 0.5:
        peer.line()
    peer.close()


# With how often each comes in relation to the others.
KINDS = {
    reader: 10, non_reader: 3, subscriber: 5, vanishing: 30, door_client: 3, asserting: 3, half_line: 5, half_closer: 2,
    oversized: 2, garbage: 5, flood: 2, batch: 3, inline: 4, combining: 2, crowd: 1, reloading: 1,
}

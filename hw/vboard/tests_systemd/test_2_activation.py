# SPDX-License-Identifier: MIT
"""The socket is systemd's: the first client starts the daemon, and nothing that is sent meanwhile is lost."""
import json
import socket

import service
from harness import check, test, wait_for
from service import SOCKET, UNIT, Service

BATCH = 256


def knock(count, number):
    """Connects and sends a batch of events and the end of it, all at once, without waiting for anybody; returns the connection."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(40)
    connection.connect(str(SOCKET))
    batch = [{"jsonrpc": "2.0", "id": index, "method": "event", "params": {"name": "sync.failed", "id": f"knock-{number}-{index}"}}
             for index in range(count)]
    connection.sendall(json.dumps(batch).encode() + b"\n")
    connection.shutdown(socket.SHUT_WR)
    return connection


def answers(connection):
    """Reads to the end; returns what came."""
    with connection, connection.makefile("r", encoding="utf-8") as stream:
        return [answer for line in stream for answer in json.loads(line)]


def total(board):
    return sum(one["count"] for one in board.call("status")["decisions"])


def descriptor():
    """The kernel's own number of the socket that listens."""
    with open("/proc/net/unix", encoding="ascii") as table:
        listening = [line.split() for line in table if line.rstrip().endswith(f" {SOCKET}")]
    return {row[6] for row in listening if row[3] == "00010000"}


@test("activation: the first connection starts the daemon; of its batch of 256 events none is lost", "systemd-real", "systemd-virtual", limit=300)
def first_connection():
    with Service() as board:
        service.systemctl("stop", UNIT)
        check(service.systemctl("is-active", UNIT, status=None) == "inactive" and service.processes() == [], f"{service.processes()}")
        told = answers(knock(BATCH, 0))
        check(sorted(answer["id"] for answer in told) == list(range(BATCH)), f"{len(told)} of {BATCH} events were answered")
        check(all("outcome" in answer.get("result", {}) for answer in told), f"not all were decided: {told[:3]}")
        check(total(board) == BATCH, f"the daemon counts {total(board)} decisions")
        check(service.systemctl("is-active", UNIT) == "active", "the daemon is not the service's")
    return f"{len(told)} decisions"


@test("activation: ten clients that come while the daemon is down are all served", "systemd-real", "systemd-virtual", limit=300)
def many():
    with Service() as board:
        service.systemctl("stop", UNIT)
        connections = [knock(10, number) for number in range(10)]
        counts = [len(answers(connection)) for connection in connections]
        check(counts == [10] * 10, f"answers: {counts}")
        check(total(board) == 100, f"the daemon counts {total(board)} decisions")


@test("activation: the socket's file and descriptor survive a restart, and a client is never refused meanwhile", "systemd-real", limit=300)
def restarted():
    with Service() as board:
        file, listening, before = SOCKET.stat().st_ino, descriptor(), board.main_pid
        check(len(listening) == 1, f"sockets that listen: {listening}")
        service.systemctl("restart", "--no-block", UNIT)
        connects = 0
        while not board.is_back(before):
            one = socket.socket(socket.AF_UNIX)
            one.connect(str(SOCKET))    # would fail where nobody listens
            one.close()
            connects += 1
        check(SOCKET.stat().st_ino == file, "the socket's file is another one")
        check(descriptor() == listening, f"{listening} became {descriptor()}")
        service.systemctl("stop", UNIT)
        check(SOCKET.exists() and descriptor() == listening, "the socket went with the daemon")
        late = knock(3, 0)
        check(len(answers(late)) == 3, "a client that came while the daemon was down is not served")
        wait_for("the service", lambda: service.systemctl("is-active", UNIT) == "active")
    return f"{connects} connections while it restarted"

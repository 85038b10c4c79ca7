# SPDX-License-Identifier: MIT
"""`systemctl reload` while events come in."""
import threading
import time

import service
from daemon import Connection, configuration
from harness import check, test, wait_for
from service import CONFIG, UNIT, Journal, Service

_BAD = "version: 1\nactuators:\n  - { name: main, backend: simulated, colour: red }\n"


class Traffic:
    """Events, one after the other, each of which has to be decided."""

    def __init__(self, board):
        self._connection = Connection(board.socket)
        self._ended = threading.Event()
        self.answers = []
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        while not self._ended.is_set():
            try:
                self.answers.append(self._connection.answer("event", name="sync.failed", id=f"traffic-{len(self.answers) % 50}"))
            except Exception as error:
                self.answers.append({"error": str(error)})
                return
            time.sleep(0.02)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join(30)
        self._connection.close()

    def wait_for_more(self):
        before = len(self.answers)
        wait_for("more events to be decided", lambda: len(self.answers) >= before + 5)


@test("reload: a bad file changes nothing and is told, a good one is in force; no event is lost meanwhile", "systemd-real", limit=300)
def reloaded():
    with Service() as board, Traffic(board) as traffic:
        traffic.wait_for_more()
        main, log = board.main_pid, Journal()
        CONFIG.write_text(_BAD)
        service.systemctl("reload", UNIT)
        entry = log.wait_for("colour")
        check(int(entry["PRIORITY"]) <= 4, f"it is told with priority {entry['PRIORITY']}: {entry['MESSAGE']}")
        traffic.wait_for_more()
        check([one["name"] for one in board.call("actuators")["actuators"]] == ["main"], "the old configuration is no longer in force")
        CONFIG.write_text(configuration("name: main, backend: simulated", "name: second, backend: simulated"))
        service.systemctl("reload", UNIT)
        wait_for("the new actuator", lambda: "second" in [one["name"] for one in board.call("actuators")["actuators"]])
        traffic.wait_for_more()
        check(board.main_pid == main and service.systemctl("is-active", UNIT) == "active", "a reload has started another daemon")
    wrong = [answer for answer in traffic.answers if "outcome" not in answer.get("result", {})]
    check(wrong == [], f"{len(wrong)} of {len(traffic.answers)} events were not decided: {wrong[:3]}")
    return f"{len(traffic.answers)} events; {entry['MESSAGE']}"

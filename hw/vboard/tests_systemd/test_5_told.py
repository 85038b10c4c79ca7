# SPDX-License-Identifier: MIT
"""What the service tells: to systemd when it is ready and how it is, to the journal what it decided."""
import service
from daemon import Connection, configuration, evdev, gpio
from harness import check, check_figure, test, wait_for
from pads import Pad
from service import CONFIG, UNIT, Journal, Service
from timing import MS

_DEBUG = "[Service]\nExecStart=\nExecStart=/usr/bin/hapticd --log-level debug\n"
READY_LIMIT = 2000 * MS
COMPUTING = 100 * MS    # for five actuators more than one, at 1,000 million instructions a second


def time_to_ready():
    """How long the last start took until the service was ready, in ns."""
    return service.back_at() - int(service.show("ExecMainStartTimestampMonotonic")) * 1000


@test("ready: once each actuator has been tried, also with one missing and one that hangs", "systemd-kills", limit=300)
def ready():
    with Pad("pad under test", "rumble") as _, Pad("hanging pad", "rumble", "hang-uploads") as hanging, Service() as board:
        board.configure(service.SIMULATED)
        alone = time_to_ready()    # what this processor needs to start a program
        text = configuration(gpio(), gpio("missing", 99), evdev("pad under test"), evdev("no such pad", "gone"), evdev("hanging pad", "hanging"))
        board.configure(text)
        told = board.call("actuators")["actuators"]
        taken = time_to_ready()
        states = {one["name"]: one["available"] for one in told}
        for one in told:
            check(one["available"] or one["error"], f"ready before {one['name']} was tried: {one}")
        check(states["main"] and states["pad"] and not states["missing"] and not states["gone"], f"{states}")
        # The kernel holds a process whose upload hangs for 30 s, whatever is sent to it; that is no part of this.
        hanging.unplug()
        figures = f"ready after {taken / MS:.0f} ms, {alone / MS:.0f} ms with a simulated actuator alone"
        check_figure(taken <= READY_LIMIT + alone + COMPUTING, "ready within 2 s beside a plain start")
    return f"{figures}; {states}"


@test("status: systemctl tells the actuators and the clients, as they come and go", "systemd-real", limit=300)
def status_text():
    with Service(gpio(), evdev("late pad")) as board:
        board.wait_until_available()

        def says():
            return service.show("StatusText")

        first = wait_for("a status text", says)
        with Pad("late pad", "rumble"):
            board.wait_until_available("pad")
            second = wait_for("the pad in the status text", lambda: says() != first and says())
        clients = [Connection(board.socket) for _ in range(3)]
        third = wait_for("three clients in the status text", lambda: "3 clients" in says() and says())
        for client in clients:
            client.close()
        wait_for("their leaving in the status text", lambda: "3 clients" not in says())
    return f"{first} / {second} / {third}"


@test("journal: at the default level nothing for each event; with debug each decision with source, outcome and reason", "systemd-real", limit=300)
def journal():
    with Service() as board:
        board.call("event", name="sync.failed", id="quiet")
        log = Journal()
        for number in range(100):
            board.call("event", name="sync.failed", id=f"quiet-{number}")
            board.call("event", name="nobody.knows", id=f"quiet-{number}")
        said = log.messages()
        check(said == [], f"200 events are {len(said)} entries: {said[:5]}")
        board.drop_in(_DEBUG)
        service.systemctl("restart", UNIT)
        log = Journal()
        board.call("event", name="nobody.knows", id="door-1")
        board.call("play", pattern="soft", id="door-2")
        entries = {name: wait_for(f"the decision about {name}", lambda name=name: next(
            (entry for entry in log.entries() if entry.get("HAPTICD_SOURCE") == name), None), every=0.5) for name in ("door-1", "door-2")}
        one, other = entries["door-1"], entries["door-2"]
        check(one["HAPTICD_OUTCOME"] == "suppressed" and one["HAPTICD_REASON"] == "noRule", f"{one}")
        check(other["HAPTICD_OUTCOME"] == "played", f"{other}")
        check(one["PRIORITY"] == "7" and one["SYSLOG_IDENTIFIER"] == "hapticd", f"{one}")
    return one["MESSAGE"]


@test("journal: a daemon that cannot start says what is wrong, and is served again once that is fixed", "systemd-real", limit=300)
def fixed():
    with Service() as board:
        board.give_up_soon()
        log = Journal()
        CONFIG.write_text("version: 1\nactuators: nonsense\n")
        service.systemctl("restart", UNIT, status=None)
        wait_for("it to be given up", lambda: service.systemctl("is-failed", UNIT, status=None) == "failed", limit=40, every=0.5)
        said = log.wait_for(str(CONFIG))["MESSAGE"]
        check("nonsense" in said or ":2:" in said, f"it does not say what is wrong: {log.messages()}")
        CONFIG.write_text(service.SIMULATED)
        service.systemctl("reset-failed", UNIT, service.SOCKET_UNIT)
        service.systemctl("start", service.SOCKET_UNIT)
        check(board.call("status")["version"], "it is not served")
    return said

# SPDX-License-Identifier: MIT
"""Runs tests one after the other and prints a line for each: what was measured, or what is wrong."""
import signal
import sys
import time
import traceback

_tests = []
# By how much longer everything may take before it counts as hanging. In virtual time the clock runs on, and fast, while the guest waits for the
# host's disk; with a real clock the host may have others to serve.
_PATIENCE = {"systemd-virtual": 100, "systemd-kills": 100, "virtual": 10, "systemd-real": 10, "real": 10}
_patience = 1
_clock = ""
_figures = []


class Failed(Exception):
    """A test's finding, in a sentence."""


def test(title, *clocks, limit=60):
    """Registers a function as a test. It returns its figures as text, or raises.

    clocks: the kinds of board that it runs on (`run-tests` has the list), "real" if none is named. CI boots "virtual" and "systemd-virtual" alone, so a test for
    these is decided by virtual time, counts and orders. limit: the seconds after which it has failed.
    """
    def register(function):
        _tests.append((title, clocks or ("real",), limit, function))
        return function
    return register


def check_figure(holds, finding):
    """Fails the test unless it holds where virtual time decides; elsewhere the host may have spoilt it, and the report has it as a figure."""
    if _clock == "virtual":
        check(holds, finding)
    else:
        _figures.append(f"figure: {finding}" + ("" if holds else " (MORE THAN WANTED)"))


def is_virtual():
    """Whether this board runs in virtual time."""
    return "virtual" in _clock


def check_exact(holds, finding):
    """Fails the test unless it holds in virtual time; by a real clock the host may have spoilt it, and the report has it as a figure."""
    if is_virtual():
        check(holds, finding)
    else:
        check_figure(holds, finding)


def check(holds, finding):
    """Fails the test with this finding unless it holds."""
    if not holds:
        raise Failed(finding)


def wait_for(what, condition, limit=10.0, every=0.02):
    """Waits until condition() is true and returns what it returned; fails the test after `limit` seconds."""
    end = time.monotonic() + limit * _patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"waited {limit * _patience:g} s in vain for {what}")
        time.sleep(every)


def _out_of_time(signal_number, frame):
    raise Failed("ran out of time:\n" + "".join(traceback.format_stack(frame)[-3:]))


def _say(line):
    """To the console at once, and into the report that the host counts by."""
    print(line, flush=True)
    with open("/mnt/report", "a", encoding="utf-8") as report:
        report.write(line + "\n")


def _run_one(name, limit, function):
    signal.signal(signal.SIGALRM, _out_of_time)
    signal.alarm(limit * _patience)
    start = time.monotonic()
    _figures.clear()
    try:
        figures = function()
        verdict, text = "ok", figures
    except Failed as finding:
        verdict, text = "not ok", str(finding)
    except Exception:  # a mistake in the test itself must not end the others
        verdict, text = "not ok", traceback.format_exc()
    finally:
        signal.alarm(0)
    seconds = time.monotonic() - start
    lines = (text or "").splitlines() or [""]
    _say(f"{verdict} - {name}" + (f": {lines[0]}" if lines[0] else "") + f" [{seconds:.1f} s]")
    for line in lines[1:] + _figures:
        _say(f"    {line}")
    return verdict


def run(clock, wanted):
    """Runs the tests for a board with this clock whose title contains `wanted`; returns whether none failed."""
    global _clock, _patience
    _clock, _patience = clock, _PATIENCE[clock]
    failed = 0
    for title, clocks, limit, function in _tests:
        if clock in clocks and wanted in title:
            failed += _run_one(title, limit, function) == "not ok"
    sys.stdout.flush()
    return failed == 0


def finish():
    """Says that the report is whole: without this line a board that crashed would look as if it had passed."""
    with open("/mnt/report", "a", encoding="utf-8") as report:
        report.write("end of report\n")

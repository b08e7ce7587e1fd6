"""Parts that die come back, parts that keep dying are given time, and nothing is left when the stack ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hotline.clock import Clock
from hotline.commands.supervise import Part, Supervisor

SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")
SUPERVISE = """
import sys, time, pathlib
from hotline.clock import Clock
from hotline.commands.supervise import Part, Supervisor
supervisor = Supervisor(pathlib.Path(sys.argv[1]), {}, Clock(), print)
supervisor.start(Part("sleeper", (sys.executable, "-c", "import time; time.sleep(600)")))
time.sleep(0.3)
print(supervisor.pids()["sleeper"], flush=True)
time.sleep(600)
"""


def eventually(holds: Callable[[], bool], seconds: float = 8) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


def test_a_part_that_is_killed_is_started_again(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor = Supervisor(tmp_path, {}, Clock(), said.append)
    supervisor.start(Part("sleeper", SLEEP))
    supervisor.watch()
    try:
        first = supervisor.pids()["sleeper"]
        os.kill(first, signal.SIGKILL)
        eventually(lambda: supervisor.pids().get("sleeper", first) != first)
        eventually(lambda: len(said) > 0)
        assert said == [f"sleeper stopped (signal 9); starting it again, see {tmp_path / 'sleeper.log'}"]
    finally:
        supervisor.stop()


def test_a_part_is_started_again_while_nobody_takes_the_news(tmp_path: Path) -> None:
    """The terminal is stopped, or whoever reads the pipe hangs: the second death is seen to all the same."""
    reads_again = threading.Event()
    supervisor = Supervisor(tmp_path, {}, Clock(), lambda said: reads_again.wait(60) and None)
    supervisor.start(Part("sleeper", SLEEP))
    supervisor.watch()
    try:
        for _ in range(2):
            first = supervisor.pids()["sleeper"]
            os.kill(first, signal.SIGKILL)
            eventually(lambda first=first: supervisor.pids().get("sleeper", first) != first)
    finally:
        supervisor.stop()
        reads_again.set()


def test_a_part_that_keeps_dying_is_given_more_and_more_time(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor = Supervisor(tmp_path, {}, Clock(), said.append)
    supervisor.start(Part("broken", (sys.executable, "-c", "raise SystemExit('no such table')")))
    supervisor.watch()
    time.sleep(2)
    supervisor.stop()
    assert 2 <= len(said) <= 4
    assert supervisor.log_of("broken").read_text().splitlines()[0] == "no such table"


def test_stopping_leaves_nothing_not_even_a_part_that_will_not_listen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hotline.commands.supervise.PATIENCE", 0.3)
    deaf = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
    )
    supervisor = Supervisor(tmp_path, {}, Clock(), print)
    supervisor.start(Part("sleeper", SLEEP))
    supervisor.start(Part("deaf", (sys.executable, "-c", deaf)))
    eventually(lambda: supervisor.log_of("deaf").read_text() == "deaf\n")
    pids = supervisor.pids()
    supervisor.stop()
    assert [is_alive(pid) for pid in pids.values()] == [False, False]


def test_what_a_dead_part_had_started_goes_with_it(tmp_path: Path) -> None:
    parent = "import subprocess, sys, time; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); time.sleep(600)"
    supervisor = Supervisor(tmp_path, {}, Clock(), lambda _: None)
    supervisor.start(Part("parent", (sys.executable, "-c", parent, *SLEEP)))
    supervisor.watch()
    try:
        eventually(lambda: supervisor.log_of("parent").read_text() != "")
        child = int(supervisor.log_of("parent").read_text())
        os.kill(supervisor.pids()["parent"], signal.SIGKILL)
        eventually(lambda: not is_alive(child))
    finally:
        supervisor.stop()


def test_parts_do_not_outlive_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", SUPERVISE, str(tmp_path)], stdout=subprocess.PIPE) as supervisor:
        assert supervisor.stdout is not None
        part = int(supervisor.stdout.readline())
        assert is_alive(part)
        supervisor.kill()
        eventually(lambda: not is_alive(part))

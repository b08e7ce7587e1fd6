"""Keeps the parts of a stack running: starts them, starts them again when they die, stops them in order.

What the parts are stands in `stack`. Each writes to its own log file; none shares the terminal's Ctrl-C, so that they
stop in the order given here and not all at once.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hotline.clock import Clock
from hotline.commands import leash

FIRST_WAIT = 0.2
LONGEST_WAIT = 2.0
"""Seconds at most before a part that keeps dying is tried again: to a caller every one of them is a dead line."""
STEADY_AFTER = 10.0
"""A part that ran so long before it died is started again at once; one that keeps dying is given more and more time."""
PATIENCE = 10.0
"""Seconds a part has to stop before it is killed."""
LOG_KEPT = 20 * 1024 * 1024
"""A log file larger than this at start is put aside as `<name>.log.1`."""


@dataclass(frozen=True)
class Part:
    """One program of the stack.

    `passed` are file descriptors it inherits. One that `is_needed` stops when the others have: they may still need it.
    """

    name: str
    command: Sequence[str]
    passed: tuple[int, ...] = ()
    is_needed: bool = False


@dataclass
class Running:
    """A part, its process, and how it has fared. `again_at` is when to start it next, monotonic seconds."""

    part: Part
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    again_at: float = 0.0
    wait: float = FIRST_WAIT
    deaths: int = field(default=0)


class Supervisor:
    """Starts parts in the order they are added and stops them, those that others need last.

    `told` hears one sentence about each death, in a thread of its own: a terminal or a pipe that takes no more words
    must not keep a dead part waiting. `watch` runs in another until `stop`.
    """

    def __init__(self, logs: Path, environment: Mapping[str, str], clock: Clock, told: Callable[[str], None]) -> None:
        self._logs = logs
        self._environment = dict(environment)
        self._clock = clock
        self._told = told
        self._running: list[Running] = []
        self._stopping = threading.Event()
        self._news: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._watcher = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        self._teller = threading.Thread(target=self._tell, name="news", daemon=True)
        logs.mkdir(parents=True, exist_ok=True, mode=0o700)

    def start(self, part: Part) -> None:
        """Start one more part."""
        running = Running(part)
        self._spawn(running)
        self._running.append(running)

    def watch(self) -> None:
        """From now on start again what dies."""
        self._watcher.start()
        self._teller.start()

    def pids(self) -> dict[str, int]:
        """The process of each part that runs, by name."""
        return {each.part.name: each.process.pid for each in self._running if each.process and _is_up(each.process)}

    def log_of(self, name: str) -> Path:
        """Where a part writes."""
        return self._logs / f"{name}.log"

    def has_died(self, name: str) -> bool:
        """Whether the part has died at least once."""
        return any(
            each.deaths or not (each.process and _is_up(each.process))
            for each in self._running
            if each.part.name == name
        )

    def stop(self) -> None:
        """Stop everything. Returns when nothing is left running."""
        self._stopping.set()
        if self._watcher.is_alive():
            self._watcher.join()
        for is_needed in (False, True):
            processes = [each.process for each in self._running if each.part.is_needed == is_needed and each.process]
            _end(processes, self._clock)

    def _watch(self) -> None:
        while not self._stopping.wait(0.1):
            for running in self._running:
                self._tend(running)

    def _tend(self, running: Running) -> None:
        now = self._clock.monotonic()
        if running.process is None:
            if now >= running.again_at:
                self._spawn(running)
        elif (code := running.process.poll()) is not None:
            steady = now - running.started_at >= STEADY_AFTER
            running.wait = FIRST_WAIT if steady else min(running.wait * 2, LONGEST_WAIT)
            running.again_at = now + running.wait
            _sweep_up(running.process.pid)
            running.process = None
            running.deaths += 1
            name = running.part.name
            self._news.put(f"{name} stopped ({_reason(code)}); starting it again, see {self.log_of(name)}")

    def _tell(self) -> None:
        while True:
            self._told(self._news.get())

    def _spawn(self, running: Running) -> None:
        part = running.part
        path = self.log_of(part.name)
        if path.exists() and path.stat().st_size > LOG_KEPT:
            path.replace(path.with_suffix(".log.1"))
        with path.open("ab") as log:
            running.process = subprocess.Popen(
                [sys.executable, "-E", "-S", leash.__file__, str(os.getpid()), *part.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment,
                pass_fds=part.passed,
                process_group=0,
            )
        running.started_at = self._clock.monotonic()


def _is_up(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is None


def _reason(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit {code}"


def _end(processes: Sequence[subprocess.Popen[bytes]], clock: Clock) -> None:
    """Ask them all to stop, and kill those that have not when patience is at an end."""
    for process in processes:
        process.terminate()
    deadline = clock.monotonic() + PATIENCE
    for process in processes:
        try:
            process.wait(max(0.0, deadline - clock.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _sweep_up(process.pid)


def _sweep_up(group: int) -> None:
    """Ends what a dead part left behind in its process group, e.g. a web worker whose master was killed."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)

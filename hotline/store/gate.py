"""Processes that write one SQLite file queue here instead of in SQLite; the threads of each queue in `commits`.

SQLite lets a writer that finds the file busy sleep and try again; who has slept longest does not come first. Measured
with two processes of eight threads that never pause, on two busy cores: one turn in a hundred took 0.2 to 0.9 s, the
unluckiest 2 to 5 s, and some gave up. Queued here most wait a little (the median is 10 to 50 ms, as sixteen in a line
must), one turn in a hundred takes 40 to 250 ms, the unluckiest half a second, and none gives up.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from hotline.clock import Clock
from hotline.errors import NotRecorded

_QUEUE, _FILE = 0, 1
"""Bytes of the lock file. `_QUEUE` is held while waiting for `_FILE`: who was just served cannot overtake."""


class WriterGate:
    """One writer at a time. A lock dies with the process that holds it, so a crash never closes the gate.

    One thread of each process waits at the gate. A gate belongs to the process that made it, which makes one for a
    file: a second one would let it in twice, and closing either would drop the lock of both.
    """

    def __init__(self, lock_file: Path, seconds: float, poll: float = 0.0002) -> None:
        self._path, self._seconds, self._poll = lock_file, seconds, poll
        self._clock = Clock()
        self._handle: int | None = None

    def enter(self, deadline: float | None = None) -> None:
        """Wait until it is our turn. Raises `NotRecorded` when nobody let us in for `seconds`, or by `deadline`."""
        handle = self._open()
        deadline = self._clock.monotonic() + self._seconds if deadline is None else deadline
        self._take(handle, _QUEUE, deadline)
        try:
            self._take(handle, _FILE, deadline)
        finally:
            fcntl.lockf(handle, fcntl.LOCK_UN, 1, _QUEUE)

    def leave(self) -> None:
        """Let the next one in. Any thread of the process may do it."""
        fcntl.lockf(self._open(), fcntl.LOCK_UN, 1, _FILE)

    def _open(self) -> int:
        if self._handle is None:
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._handle

    def _take(self, handle: int, place: int, deadline: float) -> None:
        while True:
            try:
                fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
                return
            except BlockingIOError:
                if self._clock.monotonic() > deadline:
                    raise self._closed() from None
                self._clock.sleep(self._poll)

    def _closed(self) -> NotRecorded:
        return NotRecorded(f"Another writer has held the database for {self._seconds:g} seconds")

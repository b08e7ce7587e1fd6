"""Where log lines go: to a thread of their own, so that whoever has something to say waits for no reader.

A pipe whose reader hangs, as when a log collector is stuck, takes 64 KiB and then holds whoever writes to it. On a line
that would be every caller. Lines that find no room are lost and counted; the count is written once there is room again.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import queue
import re
import sys
import threading

from hotline.clock import Clock

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
MOST = 2000
"""Lines that wait to be written."""
_PLAIN = re.compile(r"[\w.:/+-]+").fullmatch

LAST_SECONDS = 1.0
"""How long a process that ends waits for its last lines to be written."""


def begin(level: int) -> None:
    """Have everything of this process from `level` up logged to its standard error, from now on."""
    root = logging.getLogger()
    root.setLevel(level)
    handler = Unhurried(sys.stderr.fileno(), Clock())
    handler.setFormatter(logging.Formatter(FORMAT))
    root.addHandler(handler)
    atexit.register(handler.finish)


def told(what: str, **facts: object) -> str:
    """What happened, and its facts by name: "turn call=CA1 status=200". None is left out.

    A value that is not one plain word is quoted, so that every line can be taken apart again, and none makes two.
    """
    return " ".join((what, *(f"{name}={_spelled(value)}" for name, value in facts.items() if value is not None)))


def _spelled(value: object) -> str:
    text = str(value)
    return text if _PLAIN(text) else json.dumps(text)


class Unhurried(logging.Handler):
    """Takes log lines for the open file `file` and never waits; guards the lines that are still to be written.

    The thread that writes belongs to one process: after a fork the child begins with none, and starts its own.
    """

    def __init__(self, file: int, clock: Clock, most: int = MOST) -> None:
        super().__init__()
        self._file, self._clock, self._most = file, clock, most
        self._process, self._lost = 0, 0
        self._lines: queue.Queue[str] = queue.Queue(most)

    def emit(self, record: logging.LogRecord) -> None:
        """Take one line."""
        if self._process != os.getpid():
            self._start()
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            self._lost += 1
        except Exception:  # a line that cannot be put into words is our bug, and no reason to drop the call
            self.handleError(record)

    def finish(self, seconds: float = LAST_SECONDS) -> None:
        """Wait until what was taken is written, but no longer than that."""
        deadline = self._clock.monotonic() + seconds
        while self._process == os.getpid() and self._lines.unfinished_tasks and self._clock.monotonic() < deadline:
            self._clock.sleep(0.01)

    def _start(self) -> None:
        self._process, self._lost, self._lines = os.getpid(), 0, queue.Queue(self._most)
        threading.Thread(target=self._write, args=(self._lines,), name="log", daemon=True).start()

    def _write(self, lines: queue.Queue[str]) -> None:
        while True:
            line = lines.get()
            lost, self._lost = self._lost, 0
            self._put(f"{line}\n{lost} log lines found no room and are lost\n" if lost else f"{line}\n")
            lines.task_done()

    def _put(self, text: str) -> None:
        """Straight to the file: a lock of Python's own that this thread held at the end would abort the process."""
        left = text.encode("utf-8", "backslashreplace")
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError:  # a full disk, a closed pipe: there is nowhere to say so until it takes lines again
            self._lost += text.count("\n")

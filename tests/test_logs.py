"""Log lines nobody reads are lost, counted, and waited for by nobody."""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Iterator

import pytest

from hotline.clock import Clock
from hotline.logs import Unhurried

MOST = 10


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Where lines are read, and where they are written."""
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("test", logging.WARNING, "", 0, text, (), None)


def fill(end: int) -> int:
    """Everything a pipe takes; how much that is."""
    os.set_blocking(end, False)
    size = 0
    try:
        while True:
            size += os.write(end, b"." * 4096)
    except BlockingIOError:
        os.set_blocking(end, True)
        return size


def test_lines_are_written_in_order_and_whole(pipe: tuple[int, int]) -> None:
    """Also one longer than the pipe's own room, and one that is no text of UTF-8."""
    handler = Unhurried(pipe[1], Clock())
    for text in ("first", "\ud800", "last"):
        handler.handle(record(text))
    handler.finish()
    assert b"first\n\\ud800\nlast\n" == os.read(pipe[0], 4096)


def test_a_full_pipe_holds_nobody_up_and_what_is_lost_is_counted(pipe: tuple[int, int]) -> None:
    """One line is in the writer's hand, ten wait; the rest are lost, and the log says how many once it is read."""
    handler, size = Unhurried(pipe[1], Clock(), MOST), fill(pipe[1])
    handler.handle(record("line 0"))
    while handler._lines.qsize():
        Clock().sleep(0.01)
    for n in range(1, MOST + 6):
        handler.handle(record(f"line {n}"))
    while size:
        size -= len(os.read(pipe[0], size))
    handler.finish(10)
    said = os.read(pipe[0], 4096).decode()
    assert [f"line {n}" for n in range(MOST + 1)] == [each for each in said.splitlines() if each.startswith("line")]
    assert "5 log lines found no room and are lost\n" in said


def test_a_process_ends_though_nobody_reads(pipe: tuple[int, int]) -> None:
    """Neither its last lines nor the thread that would write them keep it."""
    fill(pipe[1])
    child = multiprocessing.get_context("fork").Process(target=_say, args=(pipe[1],))
    child.start()
    child.join(10)
    assert 0 == child.exitcode


def _say(end: int) -> None:
    handler = Unhurried(end, Clock())
    handler.handle(record("nobody reads this"))
    handler.finish(0.1)


def test_a_forked_child_writes_its_own(pipe: tuple[int, int]) -> None:
    """The web part forks after its first line was logged."""
    handler = Unhurried(pipe[1], Clock())
    handler.handle(record("parent"))
    handler.finish()
    child = multiprocessing.get_context("fork").Process(target=_say_by, args=(handler,))
    child.start()
    child.join(10)
    assert b"parent\nchild\n" == os.read(pipe[0], 4096)


def _say_by(handler: Unhurried) -> None:
    handler.handle(record("child"))
    handler.finish()


def test_a_closed_pipe_is_no_trouble_of_the_callers(pipe: tuple[int, int]) -> None:
    """What could not be written is counted as lost."""
    read, write = os.pipe()
    os.close(read)
    handler = Unhurried(write, Clock())
    handler.handle(record("nowhere"))
    handler.finish()
    assert 1 == handler._lost
    os.close(write)

"""A process that files reports as fast as it may, for tests of what others do meanwhile; imported by new processes."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event

from hotline.clock import Clock
from hotline.events.kinds import TallyGiven
from hotline.services.line import Line
from hotline.store.database import connect
from hotline.store.ledger import Ledger
from tests.services.reports import confirmed, iowa

TALLIES = 20
"""Events of a call before its report."""


def file_reports(url: str, reports: list[object], stopping: Event, told: Connection) -> None:
    """File the reports over and over, each a version more; in the end tells the seconds each of them took."""
    engine = connect(url)
    ledger, took, version = Ledger(engine, Clock()), [], 0
    while not stopping.is_set():
        version += 1
        for code, sheet in reports:  # type: ignore[misc]
            before = time.perf_counter()
            given = [TallyGiven(code, "first", "Biden", n) for n in range(TALLIES)]
            ledger.append([*given, confirmed(code, sheet, version)])
            took.append(time.perf_counter() - before)
            if stopping.is_set():
                break
    engine.dispose()
    told.send(took)


@contextmanager
def reports_coming_in(line: Line, count: int) -> Iterator[list[float]]:
    """Another process files reports on the line while the block lasts; after it the list has the seconds each took."""
    spawning = multiprocessing.get_context("spawn")
    stopping, took = spawning.Event(), list[float]()
    here, there = spawning.Pipe(duplex=False)
    reports = list(iowa(line).items())[:count]
    before = line.ledger.head()
    process = spawning.Process(
        target=file_reports, args=(line.settings.database_url, reports, stopping, there), daemon=True
    )
    process.start()
    there.close()  # or waiting for a process that died would never end
    try:
        deadline = time.monotonic() + 60
        while line.ledger.head() < before + 10 * TALLIES:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield took
    finally:
        stopping.set()
        took += here.recv()
        process.join(60)

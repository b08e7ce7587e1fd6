"""Writers that wait for one another share a commit, and nothing but the commit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, event

from hotline.errors import NotRecorded
from hotline.events.decisions import SiteClosed
from hotline.store.database import writing
from hotline.store.ledger import Ledger

CODES = [f"{n:04}x" for n in range(8)]


@pytest.fixture
def commits(engine: Engine) -> Iterator[list[int]]:
    """How many commits there were, as a list that grows."""
    seen: list[int] = []

    def note(_connection: object) -> None:
        seen.append(1)

    event.listen(engine, "commit", note)
    yield seen
    event.remove(engine, "commit", note)


@contextmanager
def queued(engine: Engine, pool: ThreadPoolExecutor, work: Callable[[str], None]) -> Iterator[list[Future[None]]]:
    """`work` for each code in a thread of its own, all waiting until the block has ended."""
    commits = engine.get_execution_options()["hotline_commits"]
    futures: list[Future[None]] = []
    with writing(engine):
        futures += [pool.submit(work, code) for code in CODES]
        while commits._waiting < len(CODES):
            threading.Event().wait(0.001)
        yield futures


def closed(ledger: Ledger) -> set[str]:
    return {recorded.precinct for recorded in ledger.events()}


def test_writers_that_wait_share_one_commit(engine: Engine, ledger: Ledger, commits: list[int]) -> None:
    """Eight behind a first one: nine parts, one way to the disk, everything kept."""
    with ThreadPoolExecutor(len(CODES)) as pool:
        with queued(engine, pool, lambda code: ledger.append([SiteClosed(code, "", "ana")])) as futures:
            assert not any(future.done() for future in futures)
        [future.result() for future in futures]
    assert closed(ledger) == set(CODES)
    assert len(commits) == 1


def test_a_part_that_fails_undoes_itself_alone(engine: Engine, ledger: Ledger) -> None:
    """The others in the same commit are kept."""

    def append(code: str) -> None:
        with writing(engine) as connection:
            connection.exec_driver_sql("INSERT INTO meta (key, value) VALUES (?, ?)", (code, code))
            if code in CODES[2:5]:
                raise KeyError(code)

    with ThreadPoolExecutor(len(CODES)) as pool, queued(engine, pool, append) as futures:
        pass
    failed = {code for code, future in zip(CODES, futures, strict=True) if future.exception()}
    with engine.connect() as connection:
        kept = {row.key for row in connection.exec_driver_sql("SELECT key FROM meta")} & set(CODES)
    assert (failed, kept) == (set(CODES[2:5]), set(CODES) - failed)


def test_a_commit_that_fails_fails_for_all(engine: Engine, ledger: Ledger) -> None:
    """Nobody is told that a part is kept, none is, and the next writer is let in."""

    def refuse(_connection: object) -> None:
        raise OSError("no space left on device")

    with ThreadPoolExecutor(len(CODES)) as pool:
        with (
            pytest.raises(NotRecorded),
            queued(engine, pool, lambda code: ledger.append([SiteClosed(code, "", "ana")])) as futures,
        ):
            event.listen(engine, "commit", refuse)
        troubles = [future.exception() for future in futures]
    event.remove(engine, "commit", refuse)
    assert all(isinstance(trouble, NotRecorded) for trouble in troubles)
    assert closed(ledger) == set()
    ledger.append([SiteClosed(CODES[0], "", "ana")])
    assert closed(ledger) == {CODES[0]}


def test_a_transaction_the_database_gave_up_takes_its_parts_with_it(engine: Engine, ledger: Ledger) -> None:
    """A full disk undoes everything that is open; who had done a part is told, and the next is let in."""

    def give_up(code: str) -> None:
        with writing(engine) as connection:
            connection.exec_driver_sql("INSERT INTO meta (key, value) VALUES (?, ?)", (code, code))
            if code == CODES[0]:
                connection.exec_driver_sql("ROLLBACK")
                raise KeyError(code)

    with ThreadPoolExecutor(len(CODES)) as pool:
        with pytest.raises(NotRecorded), queued(engine, pool, give_up) as futures:
            pass
        troubles = [future.exception() for future in futures]
    assert any(isinstance(trouble, KeyError) for trouble in troubles)
    ledger.append([SiteClosed(CODES[1], "", "ana")])
    with engine.connect() as connection:
        kept = {row.key for row in connection.exec_driver_sql("SELECT key FROM meta")} & set(CODES)
    assert kept == {code for code, trouble in zip(CODES, troubles, strict=True) if trouble is None}

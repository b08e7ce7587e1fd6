"""Many writers, few commits: threads that wait for one another on SQLite share a transaction and its way to the disk.

A commit is on the disk before anybody hears of it, and the disk takes its time: half a millisecond on a good one, five
on a busy one. One commit a turn would hold a whole line to what the disk can do, so a thread that has done its part
hands the open transaction on to the next in the queue, and the last one commits for all. Each part stands in a
savepoint of its own: one that fails undoes itself and nobody else. Nobody is told that a part is kept before the commit
is through; if the commit fails, it fails for all of them, and each may try again.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from hotline.clock import Clock
from hotline.errors import NotRecorded
from hotline.store.gate import WriterGate
from hotline.store.text import told_by

MOST = 16
"""Parts in one commit: the first of them waits for the last."""
LOOK_SECONDS = 0.02
"""How often one who waits for the commit looks whether somebody is still going to make it."""


class _Batch:
    """A transaction in the making. `trouble` is why it was not committed, set before `done`."""

    def __init__(self, engine: Engine, connection: Connection) -> None:
        self.engine, self.connection, self.transaction = engine, connection, connection.begin()
        self.parts = 0
        self.trouble: BaseException | None = None
        self.done = threading.Event()


def commits_of(lock_file: Path, seconds: float) -> SharedCommits:
    """What the writers of one database file share: one a process, however often the file was opened in it."""
    return _commits(os.getpid(), lock_file.absolute(), seconds)


@cache
def _commits(_process: int, lock_file: Path, seconds: float) -> SharedCommits:
    return SharedCommits(WriterGate(lock_file, seconds), seconds)


class SharedCommits:
    """The write transactions of one database file in one process; guards the one that is open."""

    def __init__(self, gate: WriterGate, seconds: float) -> None:
        self._gate, self._seconds, self._clock = gate, seconds, Clock()
        self._baton = threading.Lock()
        """Held by the thread whose part is being done."""
        self._counting = threading.Lock()
        self._waiting = 0
        self._holder = 0
        self._open: _Batch | None = None
        self._idle: tuple[Engine, Connection] | None = None
        """The connection of the last transaction, for the next: fetching one from the pool costs as much as a turn's
        statements."""
        self._inherited: object = None
        os.register_at_fork(after_in_child=self._part)

    @contextmanager
    def part(self, engine: Engine) -> Iterator[Connection]:
        """Do a part in the transaction that is open, or open one by `engine`; after the block it is on the disk.

        Raises `NotRecorded` when it is not our turn in time or the commit failed.
        """
        batch = self._join(engine)
        try:
            yield batch.connection
            _tell(batch, "RELEASE part")
        except BaseException:
            self._undo(batch)
            self._leave(batch)
            raise
        self._leave(batch)
        if batch.trouble is not None:
            raise NotRecorded(f"The database did not take it: {told_by(batch.trouble)}") from batch.trouble

    def _part(self) -> None:
        """In a forked child: the parent's connection is kept out of use, and open, since closing it would be felt."""
        self._inherited, self._idle = self._idle, None

    def _join(self, engine: Engine) -> _Batch:
        if self._holder == threading.get_ident():
            raise RuntimeError("A write inside a write would wait for itself: use the connection that is open")
        deadline = self._clock.monotonic() + self._seconds
        self._queue()
        batch = self._open
        try:
            if batch is None:
                batch = self._open = self._begun(engine, deadline)
            _tell(batch, "SAVEPOINT part")
        except BaseException as error:
            if batch is not None:
                self._end(batch, error)
            self._baton.release()
            raise
        batch.parts += 1
        self._holder = threading.get_ident()
        return batch

    def _queue(self) -> None:
        with self._counting:
            self._waiting += 1
        try:
            if not self._baton.acquire(timeout=self._seconds):
                raise NotRecorded(f"Other writers have held the database for {self._seconds:g} seconds")
        finally:
            with self._counting:
                self._waiting -= 1

    def _begun(self, engine: Engine, deadline: float) -> _Batch:
        self._gate.enter(deadline)
        try:
            connection = self._connection(engine)
            try:
                return _Batch(engine, connection)
            except BaseException:
                connection.close()
                raise
        except BaseException:
            self._gate.leave()
            raise

    def _connection(self, engine: Engine) -> Connection:
        idle, self._idle = self._idle, None
        if idle is not None:
            if idle[0] is engine:
                return idle[1]
            idle[1].close()
        return engine.connect().execution_options(hotline_writes=True)

    def _leave(self, batch: _Batch) -> None:
        """Hand the transaction on when somebody waits for it, else end it; in any case stay until it is ended."""
        self._holder = 0
        if self._open is batch and not (self._waiting and batch.parts < MOST):
            self._end(batch)
        self._baton.release()
        while not batch.done.wait(LOOK_SECONDS):
            # Whoever was handed the transaction may have given up waiting in the same moment.
            if self._baton.acquire(blocking=False):
                if self._open is batch:
                    self._end(batch)
                self._baton.release()

    def _undo(self, batch: _Batch) -> None:
        """Undo one part. Where that cannot be, as after a full disk, nothing of the transaction is left to commit."""
        try:
            _tell(batch, "ROLLBACK TO part")
            _tell(batch, "RELEASE part")
        except Exception as error:
            self._end(batch, error)

    def _end(self, batch: _Batch, trouble: BaseException | None = None) -> None:
        """Commit, or with `trouble` undo, and let everybody know. The baton is ours."""
        self._open, batch.trouble = None, trouble
        try:
            if trouble is None:
                batch.transaction.commit()
        except Exception as error:
            batch.trouble = error
        finally:
            if batch.trouble is None:
                self._idle = (batch.engine, batch.connection)
            else:
                with suppress(SQLAlchemyError):  # what is broken cannot be undone again; closing drops it
                    batch.transaction.rollback()
                batch.connection.close()
            self._gate.leave()
            batch.done.set()


def _tell(batch: _Batch, statement: str) -> None:
    batch.connection.connection.cursor().execute(statement)

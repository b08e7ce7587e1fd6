"""One of several at a time: whoever holds a name leads, the others stand by and take over when it is gone.

On PostgreSQL the name is an advisory lock of a session, on SQLite a lock on a file beside the database. Either is gone
with the process, or with the connection, that holds it. What a leader does must still be safe to do twice: one that is
cut off from the database learns of it only at its next look.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError


class Leading:
    """Holds, or waits for, one name; guards the lock. One thread of a process uses it."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine, self._name = engine, name
        self._session: Connection | None = None
        self._file: int | None = None

    def is_ours(self) -> bool:
        """Whether we lead now; takes the lead when nobody has it. To be asked before each round of work."""
        return self._lock_file() if self._engine.dialect.name == "sqlite" else self._lock_name()

    def give_up(self) -> None:
        """Let another lead."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._drop_session()

    def _lock_file(self) -> bool:
        if self._file is not None:
            return True
        handle = os.open(
            Path(f"{self._engine.url.database}-{self._name}"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        self._file = handle
        return True

    def _lock_name(self) -> bool:
        """The session that took the lock must be the one that is asked: a new connection holds nothing."""
        try:
            if self._session is not None:
                self._session.execute(text("SELECT 1"))
                return True
            session = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._session = session
            taken = text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")
            if session.execute(taken, {"name": f"hotline leads {self._name}"}).scalar_one():
                return True
        except SQLAlchemyError:
            pass  # a database that is away has no leader: everybody asks again
        self._drop_session()
        return False

    def _drop_session(self) -> None:
        if self._session is not None:
            self._session.invalidate()  # closes it for good: back in the pool it would go on holding the name
            self._session.close()
            self._session = None

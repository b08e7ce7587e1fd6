"""Copies a SQLite database while others write it, and brings a copy back.

The copy is taken in one read transaction: on a write-ahead log neither waits for the other, and what is copied is what
stood there when the transaction began, however long it takes.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Engine

from hotline.errors import SetupError
from hotline.store.database import reading
from hotline.store.moment import Moment, moment_of

SIDE_FILES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database that is open or was left in a hurry."""


def copy(engine: Engine, to: Path) -> Moment:
    """Copy the database into the new file `to`, whole and by itself; what stood in it. Raises `SetupError`."""
    with reading(engine) as connection:
        moment = moment_of(connection)
        source: Any = connection.connection.dbapi_connection
        target = sqlite3.connect(to)
        try:
            source.backup(target)
        finally:
            target.close()
    _check(to, moment)
    return moment


def require_empty(engine: Engine) -> None:
    """Refuse a place where a database is, or where one was whose log would be taken for the new one's."""
    file = _file(engine)
    for each in (file, *(file.with_name(file.name + end) for end in SIDE_FILES)):
        if os.path.lexists(each):
            raise SetupError(f"{each} is there already: restore into an empty folder, named with --data")


def bring_back(engine: Engine, stream: IO[bytes], moment: Moment) -> None:
    """Write the copy beside its place, check it, and only then give it its name."""
    file = _file(engine)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=file.parent) as folder:
        copy = Path(folder) / file.name
        with os.fdopen(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            shutil.copyfileobj(stream, out)
        _check(copy, moment)
        with copy.open("rb+") as out:
            os.fsync(out.fileno())
        os.rename(copy, file)
    settle(file.parent)


def settle(folder: Path) -> None:
    """Have the names in a folder on the disk, as a new file's content already is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check(copy: Path, moment: Moment) -> None:
    """Have SQLite read the whole copy and look it over; it is one plain file afterwards, without a log beside it."""
    connection = sqlite3.connect(copy, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
        found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        strays = connection.execute("PRAGMA foreign_key_check").fetchall()
        (head,) = connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()
    except sqlite3.DatabaseError as error:
        raise SetupError(f"the copy is damaged: {error}") from error
    finally:
        connection.close()
    if found != ["ok"] or strays:
        raise SetupError(f"the copy is damaged: {found[0] if found != ['ok'] else 'rows without those they belong to'}")
    if head != moment.newest_seq:
        raise SetupError(f"the copy ends at event {head}; it should end at {moment.newest_seq}")


def _file(engine: Engine) -> Path:
    assert engine.url.database is not None
    return Path(engine.url.database)

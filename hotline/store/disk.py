"""What the disk alone takes to keep something for good: the measure for whatever ends in a commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROW = b"x" * 1024
"""About what a turn of a call leaves behind."""


@contextmanager
def safe_insert(folder: Path) -> Iterator[Callable[[], None]]:
    """Yields a function that keeps one row in a SQLite file of its own in `folder`, back when it is on the disk.

    As bare as it gets: Python's own driver, one table, one statement, journal and durability as the ledger's.
    """
    connection = sqlite3.connect(folder / "disk.db", isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS kept (body BLOB NOT NULL)")
        yield lambda: _insert(connection)
    finally:
        connection.close()


def _insert(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO kept VALUES (?)", (ROW,))

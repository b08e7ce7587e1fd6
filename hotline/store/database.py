"""Connections and transactions: one way to read, one way to write, on SQLite or PostgreSQL.

What the two databases promise stands here; no table does. On SQLite every write transaction takes the write lock when
it begins, so that it never fails half way because another writer came first; reading never takes it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from hotline.errors import NotRecorded, SetupError
from hotline.store.commits import SharedCommits, commits_of
from hotline.store.forks import part_after_fork
from hotline.store.text import told_by

BUSY_MS = 1_100
"""How long SQLite waits for a writer that does not queue at our gate: somebody's own program."""

GATE_SECONDS = 2.5
"""How long a writer waits for the writers before it. With `BUSY_MS` under the four seconds within which a caller who
has to wait is told so."""

LOCK_MS = 1_700
"""How long PostgreSQL waits for what another transaction holds, a call's row as a rule: twice, where others wait for it
as well, once for its place in the queue and once at its head."""

_GONE_AFTER = {
    "connect_timeout": 3,
    "tcp_user_timeout": 3_000,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""When a PostgreSQL server is taken to be gone whose machine is: nothing says so, and the system waits a quarter of an
hour. Seconds, the second one milliseconds. A server that is only slow goes on answering for its connections."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",  # readers and the writer do not wait for each other
    "PRAGMA synchronous = FULL",  # a commit is on the disk before the caller hears "recorded"
    "PRAGMA foreign_keys = ON",
    f"PRAGMA busy_timeout = {BUSY_MS}",
    "PRAGMA cache_size = -65536",  # KiB: the inner pages of a whole night stay in memory
    "PRAGMA wal_autocheckpoint = 8000",  # pages: a page written in many turns is moved to its place once
)


def connect(url: str, *, threads: int = 16) -> Engine:
    """An engine for `sqlite:///file` or `postgresql+psycopg://…`, with a connection for each of `threads` threads.

    A process that forks opens SQLite after the fork; see `forks`.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise SetupError(f"DATABASE_URL is not a database address: {error}") from error
    match parsed.get_backend_name():
        case "sqlite":
            engine = _sqlite(parsed, threads)
        case "postgresql":
            engine = create_engine(
                parsed, pool_size=threads, max_overflow=threads, pool_timeout=5, connect_args=_GONE_AFTER
            )
            event.listen(engine, "connect", _limit_waits)
        case other:
            raise SetupError(f"DATABASE_URL names {other}; sqlite and postgresql+psycopg are the two that are known")
    part_after_fork(engine)
    return engine


def _sqlite(url: URL, threads: int) -> Engine:
    if url.database in (None, "", ":memory:"):
        raise SetupError("DATABASE_URL must name a SQLite file: a database in memory keeps nothing")
    engine = create_engine(url, pool_size=threads, max_overflow=threads, pool_timeout=5)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine.execution_options(hotline_commits=commits_of(Path(f"{url.database}-gate"), GATE_SECONDS))


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # else Python opens transactions by itself, and late
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("hotline_writes", False)
    driver: Any = connection.connection.dbapi_connection
    try:
        driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
    except sqlite3.OperationalError as error:
        raise NotRecorded(f"The database did not take it: {error}") from error


def _limit_waits(connection: Any, _record: object) -> None:
    connection.execute(f"SET lock_timeout = {LOCK_MS}")
    connection.commit()  # else it is undone with the first transaction that is


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection to read with: one steady view on SQLite, committed rows on PostgreSQL. Blocks no writer."""
    with _translated(engine, "The database did not answer"), engine.connect() as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One write transaction: committed when the block ends, undone when it raises.

    What the database could not do (locked, full, gone, contested) is raised as `NotRecorded`: nothing of the block was
    kept or, if the connection broke in the very commit, the same (call, turn) taken again finds out.
    """
    commits: SharedCommits | None = engine.get_execution_options().get("hotline_commits")
    with (
        _translated(engine, "The database did not take it"),
        commits.part(engine) if commits else engine.begin() as connection,
    ):
        yield connection


def run(connection: Connection, sql: str, values: Mapping[str, Any] | list[dict[str, Any]]) -> Any:
    """Run ready text in the transaction of `connection`, straight through its driver; a list runs once for each.

    Returns the driver's cursor. Only for the hot path: what SQLAlchemy adds to a statement costs three times what the
    statement does.
    """
    cursor = connection.connection.cursor()
    if isinstance(values, list):
        cursor.executemany(sql, values)
    else:
        cursor.execute(sql, values)
    return cursor


@contextmanager
def _translated(engine: Engine, trouble: str) -> Iterator[None]:
    """Turn what a database may do into `NotRecorded`; a statement it cannot understand is our bug and rises."""
    try:
        yield
    except _mishaps(engine) as error:
        raise NotRecorded(f"{trouble}: {told_by(error)}") from error
    except PoolExhausted as error:
        raise NotRecorded(f"{trouble}: every connection is busy") from error


def _mishaps(engine: Engine) -> tuple[type[Exception], ...]:
    """What goes wrong outside our power, as SQLAlchemy names it and as the driver does (see `run`)."""
    driver: Any = engine.dialect.loaded_dbapi
    ours = (OperationalError, IntegrityError, InterfaceError, InternalError)
    return (*ours, *(getattr(driver, error.__name__) for error in ours))


def in_line(connection: Connection, name: str) -> None:
    """Wait until no other transaction has taken `name`, and take it until this one ends.

    PostgreSQL lets transactions read side by side; SQLite has one writer anyhow.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name})


def upsert(connection: Connection, table: Table) -> Any:
    """An INSERT that can say `on_conflict_do_update`, in the dialect of the connection."""
    build = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    return build(table)

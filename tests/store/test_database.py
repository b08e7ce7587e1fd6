"""What each database is asked to promise, and what is said when it cannot."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, text

from hotline.errors import NotRecorded, SetupError
from hotline.store import database
from hotline.store.database import connect, reading, writing
from hotline.store.gate import WriterGate
from hotline.store.migrate import migrate, require_current
from hotline.store.schema import metadata
from hotline.store.text import told_by
from tests.store.held import BOTH

on_both = pytest.mark.parametrize("url", BOTH, indirect=True)


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 1100)]
)
def test_sqlite_is_set_to_lose_nothing(engine: Engine, pragma: str, value: object) -> None:
    """Write-ahead log, full synchronisation, keys checked, a second of patience: on every connection."""
    with reading(engine) as first, reading(engine) as second:
        for connection in (first, second):
            assert value == connection.execute(text(f"PRAGMA {pragma}")).scalar()


def test_write_holds_the_lock_from_its_beginning_and_read_never(engine: Engine, url: str) -> None:
    """A write transaction has the write lock before its first statement; a read has none, even while it is open."""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=0, isolation_level=None)
    try:
        with reading(engine) as connection:
            connection.execute(text("SELECT count(*) FROM events"))
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        with writing(engine), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
    finally:
        other.close()


@on_both
def test_failed_block_is_undone(engine: Engine) -> None:
    """Everything of the block or nothing of it, and the driver's complaint comes without the values."""
    insert = text("INSERT INTO meta (key, value) VALUES (:key, 'x')")
    with pytest.raises(NotRecorded) as caught, writing(engine) as connection:
        connection.execute(insert, [{"key": "+15155551234"}, {"key": "+15155551234"}])
    assert "15155551234" not in str(caught.value)
    with reading(engine) as connection:
        assert 0 == connection.execute(text("SELECT count(*) FROM meta")).scalar()


def test_locked_database_is_not_recorded(
    engine: Engine, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another program holds the file: in the end we say that nothing was recorded."""
    monkeypatch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, "PRAGMA busy_timeout = 50"))
    impatient = connect(url)
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(NotRecorded, match="locked"), writing(impatient):
            pass
    finally:
        other.close()
        impatient.dispose()


@on_both
def test_lock_of_another_program_is_waited_for_four_seconds_at_most(engine: Engine, url: str) -> None:
    """So a caller who has to wait is told so within four seconds. However many writers wait, none waits longer."""
    other = create_engine(url)
    is_sqlite = engine.dialect.name == "sqlite"
    with writing(engine) as connection:
        connection.execute(text("INSERT INTO meta (key, value) VALUES ('held', '1')"))
    with other.connect() as holder:
        holder.execute(text("DELETE FROM meta" if is_sqlite else "SELECT * FROM meta FOR UPDATE"))
        with ThreadPoolExecutor(8) as pool:
            waits = [each.result() for each in [pool.submit(_waited, engine) for _ in range(8)]]
        holder.rollback()
    other.dispose()
    assert all(each is not None and each < 4 for each in waits), waits
    assert _waited(engine) is None


def _waited(engine: Engine) -> float | None:
    """Seconds until a write was given up; None when it was kept."""
    began = time.monotonic()
    try:
        with writing(engine) as connection:
            connection.execute(text("UPDATE meta SET value = '2' WHERE key = 'held'"))
    except NotRecorded:
        return time.monotonic() - began
    return None


@pytest.mark.outside
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_machine_that_is_gone_is_noticed_in_three_seconds(engine: Engine) -> None:
    """Pulled off the network it says nothing more; measured so, with these, a query in hand and a new one gave up."""
    with reading(engine) as connection:
        driver = connection.connection.dbapi_connection
        assert driver is not None
        given = driver.info.get_parameters()
    assert {"tcp_user_timeout": "3000", "connect_timeout": "3"}.items() <= given.items()
    assert 3 >= int(given["keepalives_idle"]) + int(given["keepalives_interval"]) * (int(given["keepalives_count"]) - 1)


def test_server_that_is_gone_is_not_recorded(tmp_path: Path) -> None:
    """PostgreSQL cannot be reached: reading and writing say so alike."""
    engine = connect(f"postgresql+psycopg://hotline@/hotline?host={tmp_path}")
    for use in (reading, writing):
        with pytest.raises(NotRecorded, match="The database did not"), use(engine):
            pass
    engine.dispose()


@pytest.mark.parametrize("url", ["", "nonsense", "sqlite://", "sqlite:///:memory:", "mysql://host/x"])
def test_address_that_keeps_nothing_is_refused(url: str) -> None:
    """What is no address, or no place to keep anything, stops the start."""
    with pytest.raises(SetupError, match="DATABASE_URL"):
        connect(url)


@on_both
def test_migrations_make_the_tables_as_declared(engine: Engine) -> None:
    """The migrated database has exactly the schema the code speaks of."""
    with reading(engine) as connection:
        assert [] == compare_metadata(MigrationContext.configure(connection), metadata)


@on_both
def test_migrating_again_changes_nothing(url: str) -> None:
    """A database behind is named as such, and migrating may be done any number of times."""
    engine = connect(url)
    with pytest.raises(SetupError, match="hotline migrate"):
        require_current(engine)
    migrate(engine)
    migrate(engine)
    require_current(engine)
    engine.dispose()


def test_broken_migration_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A migration that fails is undone whole, tables included."""
    engine = connect(url)
    monkeypatch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, "PRAGMA max_page_count = 8"))
    with pytest.raises(NotRecorded, match="full"):
        migrate(connect(url))
    with reading(engine) as connection:
        assert [] == connection.execute(text("SELECT name FROM sqlite_master")).all()
    engine.dispose()


def test_write_inside_a_write_is_told_at_once(engine: Engine) -> None:
    """It would wait for itself; that is our bug and rises as one."""
    with pytest.raises(RuntimeError, match="inside a write"), writing(engine), writing(engine):
        pass
    with writing(engine):
        pass


def test_two_engines_of_one_file_share_its_gate(engine: Engine, url: str) -> None:
    """Opened twice in one process, the file still has one writer at a time, and one gate that tells."""
    twin = connect(url)
    with pytest.raises(RuntimeError, match="inside a write"), writing(engine), writing(twin):
        pass
    twin.dispose()


def test_gate_opens_when_its_holder_dies(tmp_path: Path) -> None:
    """While another process holds the gate nobody else passes; killed, it holds nothing."""
    file = tmp_path / "gate"
    holding = (
        "import sys, time; from pathlib import Path; from hotline.store.gate import WriterGate\n"
        "WriterGate(Path(sys.argv[1]), 1).enter(); print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", holding, file], stdout=subprocess.PIPE, cwd=Path.cwd()) as other:
        assert other.stdout is not None
        assert b"held\n" == other.stdout.readline()
        gate = WriterGate(file, 0.05)
        with pytest.raises(NotRecorded, match="Another writer"):
            gate.enter()
        other.kill()
        other.wait()
    gate.enter()
    gate.leave()


def test_trouble_is_told_in_one_line_and_never_without_a_word() -> None:
    """The first line of what the driver said, or at least what kind of trouble it was."""
    assert told_by(OSError("disk full\nINSERT INTO calls")) == "disk full"
    assert told_by(OSError()) == "OSError"

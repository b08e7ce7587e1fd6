"""Migrations run one at a time wherever they are started, and the release before works on what they leave."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

import pytest
from sqlalchemy import create_engine, inspect, text

from hotline.errors import SetupError
from hotline.store.database import connect
from hotline.store.migrate import FOLDER, known_schemas, migrate, require_current, require_started
from tests.house.sources import ROOT
from tests.store.held import BOTH

MIGRATE = [sys.executable, "-m", "hotline", "migrate"]
AT_ONCE = 3

CONTRACTS: Mapping[str, str] = {}
"""Migrations that take something away: the file's name, and why no release that uses it can come back."""

TAKES_AWAY = {"drop_table", "drop_column", "drop_constraint", "drop_index", "rename_table", "batch_alter_table"}
HARMLESS = {"comment", "server_default", "schema"}
SQL = re.compile(r"\b(DROP|RENAME|ALTER\s+(TABLE|COLUMN)|(UPDATE|DELETE\s+FROM|TRUNCATE)\s+events)\b(?!\s+ON)", re.I)


def started(url: str, monkeypatch: pytest.MonkeyPatch, count: int) -> list[subprocess.Popen[str]]:
    """So many `hotline migrate` at once, as from as many machines."""
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return [subprocess.Popen(MIGRATE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(count)]


def ended(processes: list[subprocess.Popen[str]]) -> list[tuple[str, str]]:
    """What each said, on both streams."""
    return [process.communicate(timeout=120) for process in processes]


def migrations() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted((FOLDER / "versions").glob("*.py"))}


def taken_away(source: str) -> Iterator[str]:
    """What a migration does that the release before may not survive."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (found := SQL.search(node.value)):
            yield found[0]
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name, given = node.func.attr, {each.arg or "**": each.value for each in node.keywords}
        if name in TAKES_AWAY:
            yield name
        if name == "alter_column":
            yield from (f"{name} {arg}" for arg, value in given.items() if not _is_harmless(arg, value))
        if name == "add_column":
            columns = [
                {each.arg: each.value for each in arg.keywords} for arg in node.args if isinstance(arg, ast.Call)
            ]
            yield from (
                f"{name} required"
                for each in columns
                if _is_false(each.get("nullable")) and "server_default" not in each
            )


def _is_harmless(arg: str, value: ast.expr) -> bool:
    return arg in HARMLESS or arg.startswith("existing_") or (arg == "nullable" and not _is_false(value))


def _is_false(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is False


@pytest.mark.parametrize("url", BOTH, indirect=True)
def test_migrations_started_at_once_are_run_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every one of them ends well, and the database is where it should be."""
    said = ended(started(url, monkeypatch, AT_ONCE))
    assert said == [("the database has this version's schema\n", "")] * AT_ONCE
    engine = connect(url)
    require_current(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM alembic_version")).scalar() == 1
    engine.dispose()


@pytest.mark.outside
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_migration_waits_for_the_one_that_runs(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another has the lock it does nothing; then it goes on."""
    admin = create_engine(url, isolation_level="AUTOCOMMIT")
    waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    with admin.connect() as other:
        other.execute(text("SELECT pg_advisory_lock(hashtext('hotline migrate'))"))
        processes = started(url, monkeypatch, 1)
        deadline = time.monotonic() + 60
        while not other.execute(waiting).scalar():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert inspect(other).get_table_names() == []
        other.execute(text("SELECT pg_advisory_unlock(hashtext('hotline migrate'))"))
        assert ended(processes) == [("the database has this version's schema\n", "")]
        assert "events" in inspect(other).get_table_names()
    admin.dispose()


def test_parts_start_on_a_database_of_a_newer_release_and_not_on_an_older(url: str) -> None:
    """Migrations only add, so a release that is rolled back works on what the newer one left."""
    engine = connect(url)
    migrate(engine)
    set_to = text("UPDATE alembic_version SET version_num = :schema")
    with engine.begin() as connection:
        connection.execute(set_to, {"schema": "v9999"})
    require_started(engine)
    with engine.begin() as connection:
        connection.execute(set_to, {"schema": known_schemas()[1]})
    with pytest.raises(SetupError, match=f"is at schema {known_schemas()[1]}, this release needs {known_schemas()[0]}"):
        require_started(engine)
    engine.dispose()


def test_migrations_only_add() -> None:
    """Whatever takes something away is listed here, with why it may."""
    found = {name: [*taken_away(source)] for name, source in migrations().items()}
    assert len(found) >= 3
    assert {name: what for name, what in found.items() if what and name not in CONTRACTS} == {}
    assert set(CONTRACTS) - set(found) == set()


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('op.drop_table("calls")', ["drop_table"]),
        ('op.drop_column("calls", "block")', ["drop_column"]),
        ('op.rename_table("calls", "rings")', ["rename_table"]),
        ('op.alter_column("calls", "seconds", type_=sa.Text())', ["alter_column type_"]),
        ('op.alter_column("calls", "seconds", new_column_name="s")', ["alter_column new_column_name"]),
        ('op.alter_column("calls", "block", existing_type=sa.Text(), nullable=False)', ["alter_column nullable"]),
        ('op.alter_column("calls", "block", existing_type=sa.Text(), nullable=True)', []),
        ('op.add_column("calls", sa.Column("x", sa.Text(), nullable=False))', ["add_column required"]),
        ('op.add_column("calls", sa.Column("x", sa.Text(), nullable=False, server_default=""))', []),
        ('op.add_column("calls", sa.Column("x", sa.Text(), nullable=True))', []),
        ('op.execute("ALTER TABLE calls ALTER COLUMN seconds TYPE text")', ["ALTER TABLE"]),
        ('op.execute(f"drop table {name}")', ["drop"]),
        ("op.execute(\"UPDATE events SET body = '{}'\")", ["UPDATE events"]),
        ('op.execute("CREATE TRIGGER t BEFORE UPDATE ON events BEGIN SELECT 1; END")', []),
    ],
)
def test_what_takes_something_away_is_recognised(line: str, what: list[str]) -> None:
    """The rule above sees each way to do it."""
    assert what == [*taken_away(line)]

"""The application's role adds to the ledger and cannot change it, and can do everything else its work needs."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import ProgrammingError

from hotline.clock import Clock
from hotline.commands.parts import migrate as migrate_command
from hotline.errors import SetupError
from hotline.events.decisions import SiteClosed
from hotline.practice.rehearsal import read_sheets
from hotline.services import publication
from hotline.services.line import Line, open_line
from hotline.services.tabulation import rebuild, tabulate
from hotline.settings import config_folder, load
from hotline.store.backup import back_up
from hotline.store.database import connect
from hotline.store.ledger import Ledger
from hotline.store.migrate import migrate
from hotline.store.privileges import MAY, grant, require_granted
from hotline.store.roster import Roster
from hotline.store.schema import metadata
from tests.house.sources import modules, tree
from tests.lines import BASE, SECRETS
from tests.practice.evening import PRECINCTS, evening_on
from tests.services.callers import WHOLE, confirmation, signed_in

CALLS = {"insert": ("INSERT",), "update": ("UPDATE",), "delete": ("DELETE",), "upsert": ("INSERT", "UPDATE")}
IOWA = config_folder() / "contests" / "iowa-2020"
DENIED = "42501"
TRIED = (
    "UPDATE events SET body = '{}'",
    "DELETE FROM events",
    "TRUNCATE events",
    "TRUNCATE events CASCADE",
    "DROP TRIGGER events_refuse_delete ON events",
    "ALTER TABLE events DISABLE TRIGGER ALL",
    "ALTER TABLE events ADD COLUMN more text",
    "DROP TABLE events CASCADE",
    "CREATE TRIGGER mine BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "CREATE RULE mine AS ON INSERT TO events DO INSTEAD NOTHING",
    "CREATE OR REPLACE FUNCTION events_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "SET session_replication_role = replica",
    "SET ROLE hotline",
    "UPDATE seals SET head = ''",
    "DELETE FROM seals",
    "TRUNCATE seals",
    "DROP TABLE seals",
    "UPDATE turns SET answer = ''",
    "DELETE FROM outbox",
    "UPDATE alembic_version SET version_num = 'v0000'",
    "CREATE TABLE mine (x int)",
    "DROP SCHEMA public CASCADE",
)

on_postgresql = pytest.mark.parametrize("url", ["postgresql"], indirect=True)
_numbered = itertools.count(1)


@pytest.fixture
def role(engine: Engine) -> str:
    """A role of its own for the application, given what it may do."""
    name = f"Caucus app {next(_numbered)}"
    as_owner(engine, f'CREATE ROLE "{name}" LOGIN')
    grant(engine, name)
    return name


@pytest.fixture
def application(engine: Engine, role: str) -> Iterator[Engine]:
    """The database as the application signs in to it."""
    opened = connect(engine.url.set(username=role).render_as_string())
    yield opened
    opened.dispose()


@pytest.fixture
def line(application: Engine, tmp_path: Path) -> Iterator[Line]:
    """A line of that role's, which loaded the contest itself."""
    Roster(application, Clock()).load_folder(IOWA)
    url = application.url.render_as_string()
    opened = open_line(load({}, HOTLINE_DATA=tmp_path, DATABASE_URL=url, PUBLIC_BASE_URL=BASE, **SECRETS))
    yield opened
    opened.ledger.engine.dispose()


def as_owner(engine: Engine, *statements: str) -> None:
    owner = create_engine(engine.url, isolation_level="AUTOCOMMIT")
    with owner.connect() as connection:
        for each in statements:
            connection.execute(text(each))
    owner.dispose()


def test_every_table_has_its_privileges_said() -> None:
    """A table that is not listed in `privileges` could not be used by a line whose role is not the owner."""
    assert set(metadata.tables) - set(MAY) == set()


def test_privileges_cover_every_statement_of_the_store() -> None:
    """Each table the store's code inserts into, updates or deletes from, read out of the code itself."""
    done = {done for module in modules("hotline") if module.parts[1] == "store" for done in changes(module)}
    assert {("pins", "DELETE"), ("calls", "DELETE"), ("results", "UPDATE"), ("events", "INSERT")} <= done
    assert sorted(f"{verb} on {table}" for table, verb in done if verb not in MAY[table]) == []


def changes(module: Path) -> Iterator[tuple[str, str]]:
    """Table and verb of each change a module makes, by SQLAlchemy or in SQL."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            for table in {each.id for each in node.args if isinstance(each, ast.Name)} & metadata.tables.keys():
                yield from ((table, verb) for verb in CALLS.get(node.func.id, ()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            inserted = ""
            for verb, table in re.findall(r"(INSERT INTO|DELETE FROM|DO UPDATE|UPDATE)\s+(\w+)", node.value):
                inserted = table if verb == "INSERT INTO" else inserted
                if (changed := inserted if verb == "DO UPDATE" else table) in metadata.tables:
                    yield changed, verb.removeprefix("DO ").split()[0]


def test_sqlite_has_no_roles(engine: Engine) -> None:
    with pytest.raises(SetupError, match="a SQLite file has no roles"):
        grant(engine, "app")
    require_granted(engine)


@pytest.mark.outside
@on_postgresql
def test_role_of_the_application_cannot_change_the_ledger(engine: Engine, application: Engine) -> None:
    """It is the database that refuses each way, before any trigger is asked; adding and reading go on."""
    Ledger(engine, Clock()).append([SiteClosed("00013", "did not convene", "ana")])
    with application.begin() as connection:  # PostgreSQL only warns that nothing was granted
        connection.execute(text("GRANT UPDATE, DELETE ON events TO CURRENT_USER"))
    for statement in TRIED:
        with pytest.raises(ProgrammingError) as caught, application.begin() as connection:
            connection.execute(text(statement))
        assert (statement, DENIED) == (statement, getattr(caught.value.orig, "sqlstate", None))
    ledger = Ledger(application, Clock())
    ledger.append([SiteClosed("00021", "did not convene", "ana")])
    assert [each.precinct for each in ledger.events()] == ["00013", "00021"]
    with application.connect() as connection:
        assert connection.execute(text("SELECT * FROM seals")).all() == []


@pytest.mark.outside
@on_postgresql
def test_whole_call_and_its_results_work_as_that_role(line: Line) -> None:
    """From the first ring to the results, PINs issued and a wrong one tried on the way."""
    require_granted(line.ledger.engine)
    (packet,) = line.pins.issue(["16885"])
    caller = signed_in(line, "16885", "00000000")
    caller.keys("16885", packet.pin, "1")
    assert confirmation(caller.keys(*WHOLE, "1")) != ""
    caller.hang_up()
    (job,) = [each for each in line.outbox.pending(10) if not each.is_notice]
    line.outbox.mark_relayed([job])
    tabulate(line, job.precinct)
    assert publication.night(line).outcomes["16885"].version == 1


@pytest.mark.outside
@on_postgresql
def test_whole_night_works_as_that_role(line: Line, tmp_path: Path) -> None:
    """Chairs and pranksters over HTTP: everything the screening keeps is kept; then a backup, by the same role."""
    evening = evening_on(line, read_sheets(line.contest, IOWA))
    assert evening.hold().completed == PRECINCTS
    for code in evening.packets:
        tabulate(line, code)
    assert rebuild(line) == publication.night(line).outcomes
    made = back_up(line.ledger.engine, tmp_path / "night.zip", Clock())
    assert made.moment.newest_seq == line.ledger.head()


@pytest.mark.outside
@on_postgresql
@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("", "there is no role"),
        ('CREATE ROLE "{}" SUPERUSER', "nothing can be kept from it"),
        ('CREATE ROLE "{}" CREATEROLE', "nothing can be kept from it"),
        ('CREATE ROLE "{}" IN ROLE hotline', "nothing can be kept from it"),
        ('CREATE ROLE "{}" NOINHERIT IN ROLE hotline', "nothing can be kept from it"),
        ('CREATE ROLE "{}" IN ROLE pg_write_all_data', "would still have UPDATE on events, DELETE on events"),
    ],
)
def test_role_that_could_change_the_ledger_all_the_same_is_refused(engine: Engine, made: str, said: str) -> None:
    """Nothing is granted to it either."""
    name = f"other {next(_numbered)}"
    if made:
        as_owner(engine, made.format(name))
    with pytest.raises(SetupError, match=said):
        grant(engine, name)
    with engine.connect() as connection:
        given = text("SELECT count(*) FROM information_schema.role_table_grants WHERE grantee = :name")
        assert connection.execute(given, {"name": name}).scalar() == 0


@pytest.mark.outside
@on_postgresql
def test_what_everybody_could_do_is_taken_away(engine: Engine) -> None:
    """Earlier grants, to the role or to all, do not outlive a new one."""
    name = f"other {next(_numbered)}"
    as_owner(
        engine,
        f'CREATE ROLE "{name}"',
        f'GRANT ALL ON events, outbox TO PUBLIC, "{name}"',
        f'GRANT UPDATE (body) ON events TO "{name}"',
        "GRANT CREATE ON SCHEMA public TO PUBLIC",
    )
    grant(engine, name)
    asked = text(
        "SELECT has_table_privilege(:name, 'events', 'UPDATE'), has_any_column_privilege(:name, 'events', 'UPDATE'),"
        " has_table_privilege(:name, 'outbox', 'TRUNCATE'), has_schema_privilege(:name, 'public', 'CREATE')"
    )
    with engine.connect() as connection:
        assert tuple(connection.execute(asked, {"name": name}).one()) == (False, False, False, False)


@pytest.mark.outside
@on_postgresql
def test_role_migrates_nothing_and_starts_nothing_before_it_is_told_what_it_may(url: str) -> None:
    """Both are said in a sentence, with what to run."""
    owner, name = connect(url), f"other {next(_numbered)}"
    as_owner(owner, f'CREATE ROLE "{name}" LOGIN')
    application = connect(owner.url.set(username=name).render_as_string())
    with pytest.raises(SetupError, match=r"permission denied .* run hotline migrate with the owner's DATABASE_URL"):
        migrate(application)
    migrate(owner)
    with pytest.raises(SetupError, match=r"its role has no .* run hotline migrate --role NAME"):
        require_granted(application)
    grant(owner, name)
    require_granted(application)
    application.dispose()
    owner.dispose()


@pytest.mark.outside
@on_postgresql
def test_command_migrates_and_grants_in_one(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`hotline migrate --role NAME`, on a new database and again."""
    owner, name = connect(url), f"other {next(_numbered)}"
    as_owner(owner, f'CREATE ROLE "{name}" LOGIN')
    monkeypatch.setenv("DATABASE_URL", url)
    for _ in range(2):
        migrate_command.main(["--role", name], standalone_mode=False)
        assert f"{name} may read and add to the ledger, and not change it" in capsys.readouterr().out
    application = connect(owner.url.set(username=name).render_as_string())
    require_granted(application)
    application.dispose()
    owner.dispose()

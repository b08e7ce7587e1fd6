"""The drill: a night with reports coming in, a backup in the middle of it, and the line again somewhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from hotline.clock import Clock
from hotline.services import publication
from hotline.services.line import Line, open_line
from hotline.services.tabulation import rebuild, tabulate
from hotline.settings import config_folder, load
from hotline.store.backup import back_up, restore
from hotline.store.database import connect
from hotline.store.migrate import migrate
from hotline.store.roster import Roster
from tests.lines import BASE, SECRETS
from tests.services.reports import confirm, iowa
from tests.store.held import BOTH
from tests.store.reporting import reports_coming_in

EARLIER, LATER = 30, 60


def line_at(url: str, folder: Path) -> Line:
    return open_line(load({}, HOTLINE_DATA=folder, DATABASE_URL=url, PUBLIC_BASE_URL=BASE, **SECRETS))


@pytest.fixture
def line(url: str, tmp_path: Path) -> Iterator[Line]:
    """A night on which some precincts have reported and are worked out."""
    engine = connect(url)
    migrate(engine)
    Roster(engine, Clock()).load_folder(config_folder() / "contests" / "iowa-2020")
    engine.dispose()
    opened = line_at(url, tmp_path)
    for code, sheet in list(iowa(opened).items())[-EARLIER:]:
        confirm(opened, code, sheet)
        tabulate(opened, code)
    yield opened
    opened.ledger.engine.dispose()


@pytest.fixture
def elsewhere(url: str, tmp_path: Path) -> str:
    """Where nothing is yet, on a database of the same kind."""
    if url.startswith("sqlite"):
        return f"sqlite:///{tmp_path / 'new machine' / 'hotline.db'}"
    admin = create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {admin.url.database}_restored"))
    admin.dispose()
    return f"{url.replace(f'/{admin.url.database}?', f'/{admin.url.database}_restored?')}"


def results(line: Line, as_of: int) -> str:
    documents: dict[str, Any] = publication.results(line, as_of, include_held=True)
    return json.dumps(documents)


@pytest.mark.parametrize("url", BOTH, indirect=True)
def test_line_restored_from_a_backup_made_under_load_is_the_line_of_that_moment(
    line: Line, elsewhere: str, tmp_path: Path
) -> None:
    """Every event up to the manifest's newest and none behind it, and the same results, kept and worked out again.

    Meanwhile no report waited longer than callers may: one in a hundred a second.
    """
    file = tmp_path / "night.zip"
    with reports_coming_in(line, LATER) as took:
        before = line.ledger.head()
        manifest = back_up(line.ledger.engine, file, Clock())
        after = line.ledger.head()
    newest = manifest.moment.newest_seq
    assert before <= newest < after
    assert restore(elsewhere, file) == manifest
    again = line_at(elsewhere, tmp_path)
    try:
        assert list(line.ledger.events(upto=newest)) == list(again.ledger.events())
        assert results(line, newest) == results(again, newest)
        for each in again.outbox.pending(10_000):
            tabulate(again, each.precinct)
        assert rebuild(line, newest) == publication.night(again).outcomes
        confirm(again, "00013", iowa(again)["00013"], 1_000)
        assert again.ledger.head() > newest
    finally:
        again.ledger.engine.dispose()
    assert sorted(took)[int(len(took) * 0.99)] < 1.0


@pytest.mark.parametrize("url", BOTH, indirect=True)
def test_what_has_anything_in_it_is_never_restored_over(line: Line, url: str, tmp_path: Path) -> None:
    """The line itself is such a place: it is refused, and stays as it is."""
    file = tmp_path / "night.zip"
    back_up(line.ledger.engine, file, Clock())
    confirm(line, "00013", iowa(line)["00013"], 1_000)
    head = line.ledger.head()
    with pytest.raises(Exception, match="already"):
        restore(url, file)
    assert head == line.ledger.head()


@pytest.mark.outside
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_password_reaches_the_programs_of_postgresql_and_stands_in_no_command_line(line: Line, tmp_path: Path) -> None:
    """An address with a password works as one without."""
    address = line.ledger.engine.url.set(password=r"a:b\c")
    engine = connect(address.render_as_string(hide_password=False))
    assert back_up(engine, tmp_path / "night.zip", Clock()).moment.newest_seq == line.ledger.head()
    engine.dispose()

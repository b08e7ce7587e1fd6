"""A real line to call: a database of its own with a contest loaded, and the secrets it signs by."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hotline.clock import Clock
from hotline.services.line import open_line
from hotline.settings import config_folder, load
from hotline.store.database import connect
from hotline.store.migrate import migrate
from hotline.store.roster import Roster
from tests.calls.call_file import BASE, SECRETS


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A database with the contest loaded; each call gets a copy of it. By contest name."""
    made = {}

    def database(contest: str) -> Path:
        if contest not in made:
            made[contest] = tmp_path_factory.mktemp(contest) / "hotline.db"
            engine = connect(f"sqlite:///{made[contest]}")
            migrate(engine)
            Roster(engine, Clock()).load_folder(config_folder() / "contests" / contest)
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            engine.dispose()
        return made[contest]

    return database


@pytest.fixture
def line_of(loaded, tmp_path):
    """Open a line for the contest on a database of its own."""
    opened = []

    def open_for(contest: str):
        shutil.copy(loaded(contest), tmp_path / "hotline.db")
        settings = load({}, HOTLINE_DATA=tmp_path, PUBLIC_BASE_URL=BASE, **SECRETS)
        opened.append(open_line(settings))
        return opened[-1]

    yield open_for
    for line in opened:
        line.ledger.engine.dispose()

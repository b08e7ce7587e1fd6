"""An open line on a database of its own, for tests of whatever stands above the store."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from hotline.clock import Clock
from hotline.services.line import Line, open_line
from hotline.settings import config_folder, load
from hotline.store.database import connect
from hotline.store.migrate import migrate
from hotline.store.roster import Roster

BASE = "https://line.example"
ACCOUNT = "AC" + "1" * 32
TOKEN = "0123456789abcdef0123456789abcdef"
SECRETS = {
    "TWILIO_ACCOUNT_SID": ACCOUNT,
    "TWILIO_AUTH_TOKEN": TOKEN,
    "HOTLINE_PEPPER": "fedcba9876543210fedcba9876543210",
    "HOTLINE_SECRET_KEY": "00112233445566778899aabbccddeeff",
    "HOTLINE_SEAL_KEY": "a1" * 32,
}


def prepared_database(folder: Path, contest: str = "iowa-2020") -> Path:
    """A database at the newest schema with the contest loaded, closed: to be copied, one copy a test."""
    file = folder / "hotline.db"
    engine = connect(f"sqlite:///{file}")
    migrate(engine)
    Roster(engine, Clock()).load_folder(config_folder() / "contests" / contest)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return file


def line_on(
    database: Path, folder: Path, clock: Clock | None = None, *, keeps_hours: bool = False, **settings: Any
) -> Line:
    """A line on a copy of `database` in `folder`; dispose of `line.ledger.engine` in the end.

    Tests are run on any day: unless the line keeps the hours of its contest, nobody knows them.
    """
    if not (folder / "hotline.db").exists():
        shutil.copy(database, folder / "hotline.db")
    line = open_line(load({}, HOTLINE_DATA=folder, PUBLIC_BASE_URL=BASE, **SECRETS, **settings), clock)
    return line if keeps_hours else replace(line, contest=replace(line.contest, hours=None))

"""The data folder a command works on: which one is meant, and a clear word when there is no line in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from hotline import settings
from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.services.line import Line, open_line
from hotline.settings import Settings
from hotline.store.database import connect
from hotline.store.migrate import require_current
from hotline.store.roster import Roster

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The line's data folder.  [default: HOTLINE_DATA or ./hotline-data]",
)


def settings_in(data: Path | None) -> Settings:
    """The settings, for the folder named on the command line or else for the one the environment names.

    Raises SetupError when nothing was ever started there and no other database is named.
    """
    found = settings.load(HOTLINE_DATA=data)
    file = found.database_url.removeprefix("sqlite:///")
    if file != found.database_url and not Path(file).is_file():
        raise SetupError(f"there is no line in {found.data}: start one with hotline up, or name its folder with --data")
    return found


@contextmanager
def roster_in(data: Path | None) -> Iterator[Roster]:
    """The roster of the line in the data folder; for what needs no contest yet."""
    engine = connect(settings_in(data).database_url, threads=1)
    try:
        require_current(engine)
        yield Roster(engine, Clock())
    finally:
        engine.dispose()


@contextmanager
def line_in(data: Path | None) -> Iterator[Line]:
    """The line in the data folder, its contest read."""
    with roster_in(data):
        line = open_line(settings_in(data))
    try:
        yield line
    finally:
        line.ledger.engine.dispose()

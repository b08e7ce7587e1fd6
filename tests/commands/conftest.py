"""The command line as a person uses it, on a data folder with the Iowa contest."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hotline import cli, settings
from hotline.services.line import Line, open_line
from tests.lines import prepared_database


@dataclass(frozen=True)
class Said:
    """What one command printed, and its exit code."""

    out: str
    err: str
    code: int


Hotline = Callable[..., Said]


@pytest.fixture
def hotline(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hotline:
    """Runs `hotline` with these arguments."""

    def run(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["hotline", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return Said(said.out, said.err, int(ended.value.code or 0))

    return run


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def data(database: Path, tmp_path: Path) -> Path:
    """A data folder as `hotline up` leaves it."""
    folder = tmp_path / "line"
    settings.ensure_secrets(folder)
    shutil.copy(database, folder / "hotline.db")
    return folder


@pytest.fixture
def line(data: Path) -> Iterator[Line]:
    """The line in that folder."""
    opened = open_line(settings.load({}, HOTLINE_DATA=data))
    yield opened
    opened.ledger.engine.dispose()

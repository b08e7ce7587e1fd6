"""A line with the real Iowa contest behind the console, its clock held."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from hotline.services.line import Line
from hotline.web.app import create_app
from tests.lines import line_on, prepared_database
from tests.store.held import HeldClock


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
def line(database: Path, tmp_path: Path, clock: HeldClock) -> Iterator[Line]:
    opened = line_on(database, tmp_path, clock)
    yield opened
    opened.ledger.engine.dispose()


@pytest.fixture
def app(line: Line) -> Flask:
    return create_app(line)

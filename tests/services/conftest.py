"""A line with the real Iowa contest on a SQLite file, fresh for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hotline.services.line import Line
from tests.lines import line_on, prepared_database


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def line(database: Path, tmp_path: Path) -> Iterator[Line]:
    opened = line_on(database, tmp_path)
    yield opened
    opened.ledger.engine.dispose()

"""A line with the Iowa contest on a SQLite file, fresh for each test; its queue is the shared Valkey."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hotline.services.line import Line
from hotline.store.embedded import Embedded
from tests.lines import line_on, prepared_database
from workers import jobs


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def line(database: Path, tmp_path: Path, valkey: Embedded, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """The line, which is also the one jobs of this process work for."""
    opened = line_on(database, tmp_path, REDIS_URL=valkey.url)
    monkeypatch.setattr(jobs, "line", lambda: opened)
    yield opened
    opened.ledger.engine.dispose()

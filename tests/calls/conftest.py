"""A real line to call: a database of its own with a contest loaded, and the secrets it signs by."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lines import line_on, prepared_database


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A database with the contest loaded; each call gets a copy of it. By contest name."""
    made = {}

    def database(contest: str) -> Path:
        if contest not in made:
            made[contest] = prepared_database(tmp_path_factory.mktemp(contest), contest)
        return made[contest]

    return database


@pytest.fixture
def line_of(loaded, tmp_path):
    """Open a line for the contest on a database of its own."""
    opened = []

    def open_for(contest: str):
        opened.append(line_on(loaded(contest), tmp_path))
        return opened[-1]

    yield open_for
    for line in opened:
        line.ledger.engine.dispose()

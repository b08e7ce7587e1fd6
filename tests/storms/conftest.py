"""The Iowa contest on a real SQLite file, fresh for each storm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lines import prepared_database


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))

"""A part of a real line that could lose a report, or the job of one, does not start, and says what to set."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis

from hotline.commands.start import settings_to_start
from hotline.store import database
from hotline.store.embedded import Embedded
from tests.commands.conftest import Hotline

parts = pytest.mark.parametrize("part", ["web", "worker", "relay"])


@pytest.fixture(autouse=True)
def _line(data: Path, valkey: Embedded, connection: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOTLINE_DATA", str(data))
    monkeypatch.setenv("REDIS_URL", valkey.url)


def test_line_as_we_set_it_up_may_start(data: Path) -> None:
    assert settings_to_start().data == data


@parts
def test_part_on_a_database_that_can_lose_a_commit_is_refused(
    hotline: Hotline, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, "PRAGMA synchronous = NORMAL"))
    said = hotline(part)
    assert (said.code, "SQLite's synchronous is 1" in said.err) == (2, True)


@parts
def test_part_on_a_queue_that_can_lose_jobs_is_refused(hotline: Hotline, part: str, connection: redis.Redis) -> None:
    connection.config_set("appendonly", "no")
    try:
        said = hotline(part)
    finally:
        connection.config_set("appendonly", "yes")
    assert (said.code, said.err) == (
        2,
        "hotline: REDIS_URL: appendonly is no; jobs would vanish with the server. Set it to yes\n",
    )


@parts
def test_part_on_a_database_that_is_behind_is_refused(
    hotline: Hotline, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'new.db'}")
    said = hotline(part)
    assert (said.code, "schema none" in said.err, "run hotline migrate" in said.err) == (2, True, True)


def test_part_does_not_wait_for_a_redis_that_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls go on without it."""
    monkeypatch.setenv("REDIS_URL", f"unix://{tmp_path}/nobody.sock")
    assert settings_to_start().redis_url == f"unix://{tmp_path}/nobody.sock"

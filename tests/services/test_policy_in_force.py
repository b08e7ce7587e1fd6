"""The policy file read while the line runs: a change is in force at once and on record, a broken file is not."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from hotline.errors import SetupError
from hotline.events.guard import PolicyChanged
from hotline.services import policy
from hotline.services.line import Line
from hotline.settings import config_folder
from tests.lines import line_on

SHIPPED = (config_folder() / "screening.toml").read_text("utf-8")
NOW = tomllib.loads(SHIPPED)["version"]
VERSION = f'version = "{NOW}"'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    own = tmp_path / "screening.toml"
    own.write_text(SHIPPED, "utf-8")
    return own


@pytest.fixture
def line(database: Path, tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    monkeypatch.setattr(policy, "LOOK_SECONDS", 0.0)
    opened = line_on(database, tmp_path, HOTLINE_SCREENING=str(file))
    yield opened
    opened.ledger.engine.dispose()


def versions(line: Line) -> list[str]:
    return [each.event.policy for each in line.ledger.events() if isinstance(each.event, PolicyChanged)]


def test_changed_file_is_in_force_and_on_record(line: Line, file: Path) -> None:
    """The next ring is judged by it; which policy judges since when stands in the ledger, once."""
    assert line.policy.now().version == NOW
    file.write_text(SHIPPED.replace(VERSION, 'version = "2031-2"').replace("cap = 40 ", "cap = 50 "), "utf-8")
    assert [line.policy.now().version for _ in range(3)] == ["2031-2"] * 3
    assert line.policy.now().features["AB-01"]["cap"] == 50
    assert versions(line) == [NOW, "2031-2"]


@pytest.mark.parametrize("broken", ["", "nonsense", SHIPPED.replace("cap = 40 ", "cap = -1 "), None, b"\xff"])
def test_broken_file_changes_nothing_and_is_told(line: Line, file: Path, broken: str | bytes | None) -> None:
    """The last good policy goes on judging, one alert says why, and a good file takes it down."""
    before = line.policy.now()
    if broken is None:
        file.unlink()
    else:
        file.write_bytes(broken if isinstance(broken, bytes) else broken.encode())
    assert [line.policy.now() is before for _ in range(3)] == [True] * 3
    (alert,) = line.alerts.standing()
    assert (alert.kind, f"{NOW} stays in force" in alert.text) == ("policy", True)
    file.write_text(SHIPPED.replace(VERSION, 'version = "2031-3"'), "utf-8")
    assert line.policy.now().version == "2031-3"
    assert line.alerts.standing() == []


def test_file_is_looked_at_once_a_second(line: Line, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at every ring."""
    line.policy.now()
    monkeypatch.setattr(policy, "LOOK_SECONDS", 60.0)
    file.write_text(SHIPPED.replace(VERSION, 'version = "2031-2"'), "utf-8")
    assert line.policy.now().version == NOW


def test_line_does_not_open_without_a_policy(line: Line, database: Path, tmp_path: Path, file: Path) -> None:
    """There is none before it to fall back to."""
    file.write_text("nonsense", "utf-8")
    with pytest.raises(SetupError, match=r"screening\.toml cannot be read"):
        line_on(database, tmp_path, HOTLINE_SCREENING=str(file))

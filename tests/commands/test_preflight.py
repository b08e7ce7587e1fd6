"""`hotline preflight` and `hotline provision` as they are run: what they print, and what they exit with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from hotline.cli import hotline
from hotline.commands import preflight as commands
from tests.carrier import OURS, CarrierApi, Near, number
from tests.lines import BASE, SECRETS, prepared_database


@pytest.fixture
def carrier(monkeypatch: pytest.MonkeyPatch) -> Iterator[CarrierApi]:
    """A carrier near by, in the place of the real one."""
    api = CarrierApi()
    monkeypatch.setattr(commands, "Timed", lambda _: Near(api.server_address[1]))
    with api.serving():
        yield api


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    prepared_database(tmp_path)
    for name, value in (*SECRETS.items(), ("PUBLIC_BASE_URL", BASE), ("HOTLINE_NUMBERS", OURS)):
        monkeypatch.setenv(name, value)
    return tmp_path


def test_go_live_check_says_what_it_found_and_fails_when_one_fails(data: Path, carrier: CarrierApi) -> None:
    """As JSON for a monitor, as lines for a person, each trouble with what to do."""
    answer = CliRunner().invoke(hotline, ["preflight", "--json", "--data", str(data)], catch_exceptions=False)
    checks = json.loads(answer.output)["checks"]
    assert [each["name"] for each in checks][:4] == ["settings", "secrets", "contest", "database"]
    assert {each["name"]: each["status"] for each in checks}[f"number {OURS}"] == "pass"
    assert {frozenset(each) for each in checks} == {frozenset({"name", "status", "detail", "fix"})}
    assert answer.exit_code == 1
    told = CliRunner().invoke(hotline, ["preflight", "--no-carrier", "--data", str(data)], catch_exceptions=False)
    assert "FAIL  pins: 1,765 precincts have no PIN" in told.output
    assert "      -> hotline pins issue --out" in told.output
    assert "carrier profile" not in told.output


def test_folder_without_a_line_is_one_failed_check(tmp_path: Path) -> None:
    answer = CliRunner().invoke(hotline, ["preflight", "--json", "--data", str(tmp_path)], catch_exceptions=False)
    (found,) = json.loads(answer.output)["checks"]
    assert (found["name"], found["status"], answer.exit_code) == ("settings", "fail", 1)
    assert "there is no line in" in found["detail"]


def test_numbers_are_set_with_apply_and_shown_without(data: Path, carrier: CarrierApi) -> None:
    """A dry run changes nothing; after the real one nothing differs."""
    carrier.numbers[0] = number(voice_url="https://old.example/x")

    def provisioned(*more: str) -> str:
        words = ["provision", "--data", str(data), *more]
        return CliRunner().invoke(hotline, words, catch_exceptions=False).output

    dry = provisioned()
    assert f"{OURS}  voice URL: https://old.example/x -> {BASE}/voice/answer" in dry
    assert "1 numbers differ; --apply sets them" in dry
    assert carrier.numbers[0]["voice_url"] == "https://old.example/x"
    assert "1 numbers were set" in provisioned("--apply")
    assert "1 numbers reach this line already" in provisioned()

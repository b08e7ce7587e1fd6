"""`hotline staff`: what is printed once is what lets somebody in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hotline.commands.staff import staff
from hotline.errors import SetupError
from tests.lines import SECRETS, prepared_database


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    prepared_database(tmp_path)
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    return tmp_path


def said(*words: str, data: Path) -> str:
    """What the command prints."""
    return CliRunner().invoke(staff, [*words, "--data", str(data)], catch_exceptions=False).output


def test_account_is_made_listed_reset_and_closed(data: Path) -> None:
    """Each prints what is to be known; a new password each time, shown that once."""
    assert "0 accounts; hotline staff add" in said("list", data=data)
    made = said("add", "Ana", "--role", "supervisor", data=data)
    password = re.search(r"password  (\S+)", made)
    assert password
    assert "otpauth://totp/hotline:ana?secret=" in made
    assert "/staff/sign-in" in made
    listed = said("list", data=data)
    assert re.search(r"^ana +supervisor +never signed in$", listed, re.M)
    assert password[1] not in listed
    assert password[1] not in said("reset", "ana", data=data)
    said("disable", "ana", data=data)
    assert re.search(r"^ana +supervisor +never signed in, closed 20", said("list", data=data), re.M)


def test_role_is_one_of_five(data: Path) -> None:
    """Anything else is named, and nothing is made."""
    answer = CliRunner().invoke(staff, ["add", "ana", "--role", "root", "--data", str(data)])
    assert answer.exit_code == 2
    assert "0 accounts" in said("list", data=data)


def test_account_that_is_not_there_is_named(data: Path) -> None:
    with pytest.raises(SetupError, match="ben has no account"):
        said("disable", "ben", data=data)

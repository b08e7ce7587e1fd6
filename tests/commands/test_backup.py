"""`hotline backup` and `hotline restore` as a person uses them."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from hotline.commands import claim
from hotline.services.line import Line
from hotline.services.tabulation import tabulate
from hotline.settings import read_secrets
from tests.commands.conftest import Hotline
from tests.services.reports import confirm, iowa


@pytest.fixture
def file(hotline: Hotline, line: Line, data: Path, tmp_path: Path) -> Path:
    """The backup of a line with some results."""
    for code, sheet in list(iowa(line).items())[:20]:
        confirm(line, code, sheet)
        tabulate(line, code)
    said = hotline("backup", tmp_path / "night.zip", "--data", data)
    assert said.code == 0, said.err
    assert f"night.zip: iowa-2020, up to event {line.ledger.head():,} at " in said.out
    assert f"secrets are not in it: keep {data / 'secrets.env'}" in said.out
    return tmp_path / "night.zip"


@pytest.mark.parametrize("shape", ["json", "csv", "table"])
def test_results_after_a_restore_are_the_same_byte_for_byte(
    hotline: Hotline, data: Path, file: Path, tmp_path: Path, shape: str
) -> None:
    """In a folder that has nothing but the secrets, which the operator brings."""
    new = tmp_path / "new"
    new.mkdir(mode=0o700)
    shutil.copy(data / "secrets.env", new)
    before = hotline("results", "--format", shape, "--data", data)
    said = hotline("restore", file, "--data", new)
    assert (said.code, "before hotline up, bring the line's secrets.env" in said.out) == (0, True)
    assert hotline("results", "--format", shape, "--data", new) == before


def test_no_secret_is_in_a_backup(data: Path, file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist())
    assert [name for name, value in read_secrets(data).items() if value.encode() in whole] == []


def test_folder_of_a_line_is_not_restored_into(hotline: Hotline, data: Path, file: Path) -> None:
    kept = (data / "hotline.db").read_bytes()
    said = hotline("restore", file, "--data", data)
    assert said.code == 2
    assert said.err.endswith(
        f"hotline: {data / 'hotline.db'} is there already: restore into an empty folder, named with --data\n"
    )
    assert (data / "hotline.db").read_bytes() == kept


def test_folder_where_a_line_is_starting_is_not_restored_into(hotline: Hotline, file: Path, tmp_path: Path) -> None:
    with claim.folder(tmp_path / "new"):
        said = hotline("restore", file, "--data", tmp_path / "new")
    assert (said.code, "already has a line running" in said.err) == (2, True)


def test_backup_of_no_line_says_so(hotline: Hotline, tmp_path: Path) -> None:
    said = hotline("backup", tmp_path / "night.zip", "--data", tmp_path / "nothing")
    assert (said.code, "there is no line in" in said.err) == (2, True)
    assert not (tmp_path / "night.zip").exists()

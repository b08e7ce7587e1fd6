"""`contest` and `site` change only what they say, and name what is wrong in one line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hotline.events.decisions import SiteClosed, SiteReopened
from hotline.services.line import Line
from hotline.settings import config_folder
from tests.commands.conftest import Hotline
from tests.services.reports import confirm, worksheet

IOWA = config_folder() / "contests" / "iowa-2020"


@pytest.mark.parametrize("command", [("results",), ("checks",), ("contest", "list"), ("site", "reopen", "00013")])
def test_a_folder_without_a_line_is_named(hotline: Hotline, tmp_path: Path, command: tuple[str, ...]) -> None:
    said = hotline(*command, "--data", tmp_path / "none")
    wanted = (
        f"hotline: there is no line in {tmp_path / 'none'}: start one with hotline up, or name its folder with --data"
    )
    assert (said.out, said.err, said.code) == ("", wanted + "\n", 2)
    assert not (tmp_path / "none").exists()


def test_contest_check_says_what_is_there(hotline: Hotline) -> None:
    said = hotline("contest", "check", IOWA)
    assert said.out == (
        f"{IOWA} is sound: iowa-2020 (Iowa Democratic caucuses, 3 February 2020): 1,678 precincts in 99 counties, "
        "87 satellites, 14 preferences, 0 numbers on file\n"
    )


def test_a_folder_with_bad_rows_loads_nothing_and_lists_them(hotline: Hotline, data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(IOWA, folder)
    rows = (folder / "precincts.csv").read_text("utf-8").replace("00013,", "00014,").replace(",11\n", ",eleven\n", 1)
    (folder / "precincts.csv").write_text(rows, "utf-8")
    for command in (("check", folder), ("load", folder, "--data", data)):
        said = hotline("contest", *command)
        assert said.code == 2
        assert "precincts.csv line 2, column code" in said.err
        assert "precincts.csv line 3, column delegates" in said.err
        assert said.err.splitlines()[-1].endswith("problems; nothing was loaded")
    assert "iowa-2020" in hotline("contest", "list", "--data", data).out


def test_load_list_and_activate(hotline: Hotline, data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(IOWA, folder)
    contest = (folder / "contest.toml").read_text("utf-8")
    (folder / "contest.toml").write_text(contest.replace("iowa-2020", "iowa-2024", 1), "utf-8")
    assert hotline("contest", "load", folder, "--data", data).out.startswith("loaded iowa-2024 (")
    assert [line[:11] for line in hotline("contest", "list", "--data", data).out.splitlines()] == [
        "* iowa-2020", "  iowa-2024",
    ]  # fmt: skip
    assert hotline("contest", "activate", "iowa-2024", "--data", data).code == 0
    assert "* iowa-2024" in hotline("contest", "list", "--data", data).out
    assert "hotline: No contest iowa-1846 is loaded" in hotline("contest", "activate", "iowa-1846", "--data", data).err


def test_a_doubtful_number_is_a_warning(hotline: Hotline, data: Path, tmp_path: Path, line: Line) -> None:
    """By line, not by number; it is on file all the same."""
    folder = tmp_path / "again"
    shutil.copytree(IOWA, folder)
    (folder / "chairs.csv").write_text("number,code,role\n(915) 155-0144,00013,chair\n", "utf-8")
    for command in (("check", folder), ("load", folder, "--data", data)):
        said = hotline("contest", *command)
        assert (said.code, said.err.startswith("warning: chairs.csv line 2, column number: is kept, but")) == (0, True)
        assert "0144" not in said.out + said.err
    assert ("00013",) == line.roster.on_file("+19151550144")


def test_closing_and_reopening_a_site_are_events(hotline: Hotline, data: Path, line: Line) -> None:
    said = hotline("site", "close", "00013", "--why", "did not convene", "--data", data)
    assert said.out == "Adair, 1NW ADAIR (00013) is closed: did not convene\n"
    assert hotline("site", "reopen", "00013", "--data", data).code == 0
    assert [type(each.event) for each in line.ledger.history("00013")] == [SiteClosed, SiteReopened]


def test_a_site_is_not_closed_over_its_report(hotline: Hotline, data: Path, line: Line) -> None:
    confirm(line, "00013", worksheet())
    said = hotline("site", "close", "00013", "--why", "snow", "--data", data)
    assert said.err == "hotline: 00013 has reported (version 1); reject the report first\n"
    assert hotline("site", "reopen", "00013", "--data", data).err == "hotline: 00013 is not closed\n"
    assert hotline("site", "close", "1", "--why", "snow", "--data", data).err.startswith("hotline: 1 is no precinct")
    assert hotline("site", "close", "00021", "--why", " ", "--data", data).code == 2


def test_migrate_brings_an_empty_database_to_the_schema(
    hotline: Hotline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
    monkeypatch.setenv("HOTLINE_DATA", str(tmp_path))
    assert hotline("migrate").out == "the database has this version's schema\n"
    assert hotline("contest", "list").out == ""


def test_every_command_has_help(hotline: Hotline) -> None:
    """Loading each also shows that the table of commands names what exists."""
    from hotline.cli import COMMANDS

    page = hotline("--help").out
    for name in COMMANDS:
        assert f"\n  {name} " in page
        assert hotline(name, "--help").code == 0

"""`results` and `checks` of a contest without equivalents, and of results that chance settled."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from hotline.commands import results
from hotline.services import publication
from hotline.settings import config_folder
from tests.commands.conftest import Hotline
from tests.services.nights import night_of, shipped


def shown(name: str, columns: int = 80) -> list[str]:
    """The lines of `hotline results --include-held` of a whole shipped contest."""
    contest, sheets = shipped(name)
    console = Console(file=io.StringIO(), width=columns)
    results.show(publication.results_of(contest, night_of(contest, sheets), include_held=True), contest, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.replace("┃", "│").split("│")]


def test_delegates_decide_and_there_is_no_column_of_equivalents() -> None:
    lines = shown("nevada-2020")
    assert cells(lines[2]) == ["Preference", "First", "Final", "Delegates", "Share"]
    assert cells(lines[4])[0] == "Bernie Sanders"
    won = [int(cells(line)[3].replace(",", "")) for line in lines[4:16]]
    assert won == sorted(won, reverse=True)
    _, sheets = shipped("nevada-2020")
    assert sum(won) == sum(sum(sheet.delegates.values()) for sheet in sheets.values())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nevada-sample", "1 site settled by chance (high card), recorded as the chair said"),
        ("nevada-2020", "2 sites settled by chance (high card), recorded as the chair said"),
        ("iowa-2020", "124 sites settled by chance (coin toss), recorded as the chair said"),
    ],
)
def test_what_chance_settled_stands_under_the_table(name: str, said: str) -> None:
    assert shown(name)[-2] == said


def test_iowa_keeps_its_columns() -> None:
    assert cells(shown("iowa-2020")[2]) == ["Preference", "First", "Final", "Delegates", "SDE", "Share"]


def test_checks_of_a_published_file_say_what_chance_settled(hotline: Hotline) -> None:
    file = config_folder() / "contests" / "nevada-2020" / "worksheets.csv"
    asked = ("checks", "--worksheets", file, "--contest", "nevada-2020")
    messages = {row["precinct"]: row["message"] for row in json.loads(hotline(*asked, "--json").out)}
    assert messages["20855"].endswith("high card among Sanders, Warren for 1; settled by chance: Warren")
    page = hotline(*asked).out
    assert "settled by chance: Buttigieg" in " ".join(page.split())
    assert "equivalents" not in page


def test_the_help_says_that_a_file_has_its_early_ballots(hotline: Hotline) -> None:
    said = " ".join(hotline("checks", "--help").out.split())
    assert "A file holds published figures: early ballots are in them already and are not added again" in said

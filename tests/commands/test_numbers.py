"""`results`, `checks` and `caucus explain` say what is so, in the shape asked for."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from hotline.services.line import Line
from hotline.services.tabulation import tabulate
from hotline.settings import config_folder
from hotline.store import meta
from hotline.store.database import writing
from tests.commands.conftest import Hotline
from tests.services.reports import confirm, worksheet

WORKSHEETS = config_folder() / "contests" / "iowa-2020" / "worksheets.csv"


@pytest.fixture
def reported(line: Line) -> Line:
    """One sound report and one that is held."""
    confirm(line, "00013", worksheet())
    confirm(line, "00021", worksheet("00021", final={"Biden": 60, "Buttigieg": 50}))
    for code in ("00013", "00021"):
        tabulate(line, code)
    return line


@pytest.mark.usefixtures("reported")
@pytest.mark.parametrize("columns", [80, 120])
def test_the_table_reads_well_at_common_widths(
    hotline: Hotline, data: Path, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    said = hotline("results", "--data", data)
    lines = said.out.splitlines()
    assert lines[:2] == [
        "Iowa Democratic caucuses, 3 February 2020  unofficial, partial",
        "2 of 1,765 reported · 1 held (not in these totals) · 1,763 outstanding",
    ]
    assert lines[4].split("│")[0].strip() == "Pete Buttigieg"
    assert max(map(len, lines)) <= columns
    assert (said.err, said.code) == ("", 0)


@pytest.mark.usefixtures("reported")
def test_json_and_csv_hold_the_same_figures(hotline: Hotline, data: Path) -> None:
    document = json.loads(hotline("results", "--data", data, "--format", "json", "--include-held").out)
    rows = list(
        csv.DictReader(io.StringIO(hotline("results", "--data", data, "--format", "csv", "--include-held").out))
    )
    statewide = {row["preference"]: row["sde_exact"] for row in rows if row["area"] == "iowa-2020"}
    assert statewide == {key: figures["sde_exact"] for key, figures in document["totals"].items()}
    assert document["held_included"] is True


@pytest.mark.usefixtures("reported")
def test_results_as_of_an_earlier_event(hotline: Hotline, data: Path) -> None:
    document = json.loads(hotline("results", "--data", data, "--format", "json", "--as-of", 1).out)
    assert (document["as_of"], document["precincts"]["reported"], document["precincts"]["held"]) == (1, 1, 0)


def test_a_rehearsal_says_so(hotline: Hotline, data: Path, reported: Line) -> None:
    with writing(reported.ledger.engine) as connection:
        meta.put(connection, meta.REHEARSAL, "seed 1")
    assert json.loads(hotline("results", "--data", data, "--format", "json").out)["rehearsal"] is True
    assert hotline("results", "--data", data).out.startswith(" REHEARSAL  Iowa Democratic caucuses")


def test_formats_that_are_not_there_yet_are_not_offered(hotline: Hotline, data: Path) -> None:
    said = hotline("results", "--data", data, "--format", "nist-xml")
    assert (said.code, "'table', 'json', 'csv'" in said.err) == (2, True)


@pytest.mark.usefixtures("reported")
def test_checks_of_the_line_as_a_list_and_as_a_page(hotline: Hotline, data: Path) -> None:
    found = json.loads(hotline("checks", "--data", data, "--json").out)
    assert [row["precinct"] for row in found if row["code"] == "FINAL_EXCEEDS_FIRST"] == ["00021"]
    page = hotline("checks", "--data", data).out
    assert " broken rules at 1 sites, " in page
    assert "FINAL_EXCEEDS_FIRST 00021\n" in page


def test_checks_of_a_published_file_need_no_line(hotline: Hotline, tmp_path: Path) -> None:
    """The errors the press and the party found in the first release of 2020."""
    found = json.loads(hotline("checks", "--worksheets", WORKSHEETS, "--json", "--data", tmp_path / "none").out)
    hard = Counter(row["code"] for row in found if row["severity"] == "hard")
    expected = {
        "FINAL_EXCEEDS_FIRST": 84,
        "DELEGATES_OVER_ALLOTMENT": 14,
        "DELEGATES_UNDER_ALLOTMENT": 14,
        "EMPTY_GROUP_GIVEN_DELEGATES": 8,
        "DUPLICATE_RECORD": 6,
        "COLUMN_SHIFT": 2,
    }
    assert {code: hard[code] for code in expected} == expected
    assert hard["COUNTY_SDE_OFF_ALLOTMENT"] + hard["POOL_SDE_OFF_ALLOTMENT"] == 17


def test_bad_rows_of_a_file_are_all_listed(hotline: Hotline, tmp_path: Path) -> None:
    rows = WORKSHEETS.read_text("utf-8").splitlines()[:3]
    rows[1] = "9" + rows[1][1:]
    rows[2] = rows[2].replace(",", ",x", 1)
    (tmp_path / "bad.csv").write_text("\n".join(rows), "utf-8")
    said = hotline("checks", "--worksheets", tmp_path / "bad.csv")
    assert said.code == 2
    assert [line.split(",")[0].split(":")[0] for line in said.err.splitlines()[:2]] == [
        "bad.csv line 2", "bad.csv line 3",
    ]  # fmt: skip
    assert said.err.splitlines()[-1] == "hotline: 2 problems; nothing was loaded"


def test_explain_shows_the_working_and_the_same_as_json(hotline: Hotline) -> None:
    asked = ("caucus", "explain", "--delegates", 4, "--headcount", 13, "--final", "Biden=6 sanders=3 Warren=2 Yang=2")
    assert hotline(*asked).out.splitlines()[0] == "1. Threshold: 13 x 3 / 20 = 1.95, rounded up: 2."
    document = json.loads(hotline(*asked, "--json").out)
    assert set(document) == {"threshold", "viable", "raw", "outcomes", "steps"}
    assert document["outcomes"] == [{"Biden": 1, "Sanders": 1, "Warren": 1, "Yang": 1}]


@pytest.mark.parametrize(
    ("final", "said"),
    [
        ("Bidden=6", "--final: iowa-2020 has no group 'Bidden'; it has "),
        ("Biden=six", "--final: 'Biden=six' is no count; write Biden=13"),
        ("Biden", "--final: 'Biden' is no count; write Biden=13"),
        ("Biden=1 biden=2", "--final: Biden stands there twice"),
    ],
)
def test_a_slip_in_the_alignment_is_named(hotline: Hotline, final: str, said: str) -> None:
    ended = hotline("caucus", "explain", "--delegates", 4, "--headcount", 13, "--final", final)
    assert (ended.code, ended.err.startswith(f"hotline: {said}")) == (2, True)

"""What is published where nothing turns into equivalents and ballots were cast before the night."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

from hotline.caucus.early import folded_sheets
from hotline.services import publication
from hotline.services.figures import ranked
from hotline.services.tabulation import tabulate
from tests.lines import line_on, prepared_database
from tests.services.nights import night_of, shipped
from tests.services.reports import confirmed

FOLDED = {"headcount": 12, "first": 12, "final": 11}
"""Sample 2: nine in the room and three ballots, one of which names no viable group."""


def test_there_is_not_a_word_of_equivalents() -> None:
    """Not as zeros either: not in the document, the table, a county's precincts or the findings."""
    contest, sheets = shipped("nevada-2020")
    at = night_of(contest, sheets)
    document = publication.results_of(contest, at, include_held=True)
    assert set(document["totals"]["Sanders"]) == {"first", "final", "delegates"}
    assert set(document["counties"]["White Pine"]) == {"precincts", "totals", "findings", "chance"}
    told = json.dumps(
        [document, publication.findings_of(contest, at), publication.sites_of(contest, at, "White Pine")]
    ) + publication.as_csv(document)
    assert [word for word in ("sde", "equivalent", "0.0000") if word in told.lower()] == []


def test_the_table_has_the_columns_there_are() -> None:
    contest, sheets = shipped("nevada-2020")
    document = publication.results_of(contest, night_of(contest, sheets), include_held=True)
    rows = list(csv.DictReader(io.StringIO(publication.as_csv(document))))
    assert list(rows[0]) == ["area", "preference", "first", "final", "delegates"]
    assert len(rows) == (1 + 17) * 12
    won = {row["preference"]: int(row["delegates"]) for row in rows if row["area"] == "nevada-2020" and row["final"]}
    reported: Counter[str] = Counter()
    for sheet in sheets.values():
        reported.update(sheet.delegates)
    assert won == {key: reported[key] for key in contest.keys}


def test_who_has_more_delegates_leads_and_then_who_has_more_people() -> None:
    rows = {
        "Biden": {"first": 9, "final": 9, "delegates": 2},
        "Sanders": {"first": 1, "final": 1, "delegates": 3},
        "Warren": {"first": 8, "final": 10, "delegates": 2},
    }
    assert [key for key, _ in ranked(rows)] == ["Sanders", "Warren", "Biden"]


def test_totals_have_the_early_ballots_and_the_room_once_each() -> None:
    """Totals, precincts and the findings of areas rest on the same folded numbers."""
    contest, keyed = shipped("nevada-sample")
    at = night_of(contest, keyed)
    document = publication.results_of(contest, at)
    assert document["precincts"]["held"] == 0
    room = {key: sum(sheet.first.get(key, 0) for sheet in keyed.values()) for key in contest.keys}
    for bundles in contest.early_ballots.values():
        for bundle in bundles:
            room[bundle.choices[0]] += bundle.count
    assert {key: figures["first"] for key, figures in document["totals"].items()} == room
    sites = {site["name"]: site for site in publication.sites_of(contest, at, "Sample")}
    assert {part: sites["2"][part] for part in FOLDED} == FOLDED
    assert sum(site["final"] for site in sites.values()) == sum(row["final"] for row in document["totals"].values())
    assert not [row for row in publication.findings_of(contest, at) if not row["precinct"]]


def test_published_figures_have_their_early_ballots_already() -> None:
    """Folded in again they would be judged wrong; so the file gives what the night gave."""
    contest, keyed = shipped("nevada-sample")
    published = folded_sheets(contest, keyed)
    of_file = publication.findings_of_sheets(contest, published)
    assert of_file == publication.findings_of(contest, night_of(contest, keyed))
    assert of_file != publication.findings_of_sheets(contest, folded_sheets(contest, published))


def test_copies_are_looked_for_among_what_was_published_or_keyed() -> None:
    """Alike in the room and apart with their ballots, or the other way round."""
    contest, keyed = shipped("nevada-sample")
    alike = {"00037": keyed["00045"], "00045": keyed["00045"]}
    assert _copies(publication.findings_of(contest, night_of(contest, alike))) == ["00037", "00045"]
    assert _copies(publication.findings_of_sheets(contest, folded_sheets(contest, alike))) == []
    assert _copies(publication.findings_of_sheets(contest, alike)) == ["00037", "00045"]


def test_a_line_publishes_what_its_ledger_says_early_ballots_and_chance_included(tmp_path: Path) -> None:
    """Keyed for the room, worked out by the workers: the same document as of the night itself."""
    line = line_on(prepared_database(tmp_path, "nevada-sample"), tmp_path)
    contest, keyed = shipped("nevada-sample")
    line.ledger.append([replace(confirmed(code, sheet), origin="chance") for code, sheet in keyed.items()])
    for code in keyed:
        tabulate(line, code)
    found = publication.results(line)
    at = night_of(contest, keyed)
    line.ledger.engine.dispose()
    assert found["totals"] == publication.results_of(contest, at)["totals"]
    assert found["counties"]["Sample"]["chance"] == list(keyed)


def _copies(found: list[publication.Document]) -> list[str]:
    return [row["precinct"] for row in found if row["code"] == "DUPLICATE_RECORD"]

"""What is published adds up exactly, says how far it is, and holds nothing about a person."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest

from hotline.caucus.across import duplicates
from hotline.caucus.equivalents import shown
from hotline.events.decisions import SiteClosed
from hotline.services import publication
from hotline.services.line import Line
from hotline.services.tabulation import Outcome, rebuild, tabulate
from tests.services.reports import confirm, confirmed, iowa, worksheet

FIRST_RELEASE = {"Buttigieg": "564.012", "Sanders": "562.497"}


def test_before_any_report_everything_is_outstanding_and_zero(line: Line) -> None:
    found = publication.results(line)
    assert (found["contest"], found["status"], found["as_of"], found["held_included"]) == (
        "iowa-2020", "unofficial-partial", 0, False,
    )  # fmt: skip
    assert found["precincts"] == {"total": 1765, "reported": 0, "held": 0, "closed": 0, "outstanding": 1765}
    assert found["totals"]["Biden"] == {"first": 0, "final": 0, "delegates": 0, "sde": "0.0000", "sde_exact": "0/1"}
    assert (list(found["totals"]), len(found["counties"])) == (list(line.contest.keys), 99 + 5)


def test_a_counted_report_stands_in_its_county_and_in_the_state(line: Line) -> None:
    confirm(line, "00013", worksheet())
    tabulate(line, "00013")
    found = publication.results(line)
    adair = line.contest.counties["Adair"]
    expected = 4 * adair.equivalents / adair.delegates
    assert found["totals"]["Buttigieg"]["sde_exact"] == f"{expected.numerator}/{expected.denominator}"
    assert found["counties"]["Adair"]["totals"] == found["totals"]
    assert found["counties"]["Adair"]["precincts"]["reported"] == 1
    assert (found["as_of"], found["at"]) == (1, next(line.ledger.events()).at)


def test_a_held_report_is_reported_but_outside_the_totals_unless_asked_for(line: Line) -> None:
    confirm(line, "00013", worksheet(final={"Biden": 60, "Buttigieg": 50}))
    tabulate(line, "00013")
    without, included = publication.results(line), publication.results(line, include_held=True)
    assert without["precincts"] == included["precincts"]
    assert (without["precincts"]["reported"], without["precincts"]["held"]) == (1, 1)
    assert (without["totals"]["Biden"]["final"], included["totals"]["Biden"]["final"]) == (0, 60)
    assert (without["held_included"], included["held_included"]) == (False, True)


def test_a_pool_is_provisional_until_its_last_site_has_reported_or_is_closed(line: Line) -> None:
    sites = [code for code, precinct in line.contest.precincts.items() if precinct.county == "CD4"]
    confirm(line, sites[0], worksheet())
    tabulate(line, sites[0])
    assert publication.results(line, include_held=True)["counties"]["CD4"]["provisional"] is True
    line.ledger.append([SiteClosed(code, "did not convene", "ana") for code in sites[1:]])
    for code in sites[1:]:
        tabulate(line, code)
    found = publication.results(line, include_held=True)["counties"]["CD4"]
    assert (found["provisional"], found["precincts"]["outstanding"]) == (False, 0)


def test_the_status_is_complete_only_when_nothing_is_outstanding_or_held(line: Line) -> None:
    outcomes = {code: Outcome(code, "closed") for code in line.contest.precincts}
    outcomes["00013"] = Outcome("00013", "counted", 1, "rule", worksheet())
    assert status(line, outcomes) == "unofficial-complete"
    assert status(line, {**outcomes, "00021": Outcome("00021", "outstanding")}) == "unofficial-partial"
    assert status(line, {**outcomes, "00021": Outcome("00021", "held", 1, "rule", worksheet())}) == "unofficial-partial"


def status(line: Line, outcomes: dict[str, Outcome]) -> str:
    word = publication.results_of(line.contest, publication.Night(1, "2020-02-03T19:00:00.000Z", outcomes))["status"]
    assert isinstance(word, str)
    return word


@pytest.fixture
def caucus_night(line: Line) -> Line:
    """Every report of 2020 in the ledger, worked out from there."""
    line.ledger.append([confirmed(code, sheet) for code, sheet in iowa(line).items()])
    return line


def test_the_first_release_of_2020_comes_out_as_it_was_published(caucus_night: Line) -> None:
    """Held included, the leaders agree with the party's figures at three decimals, and the checks find its errors."""
    head = caucus_night.ledger.head()
    found = publication.results(caucus_night, as_of=head, include_held=True)
    assert found["precincts"]["reported"] == 1761
    shares = {key: Fraction(found["totals"][key]["sde_exact"]) for key in FIRST_RELEASE}
    assert {key: shown(share, 3) for key, share in shares.items()} == FIRST_RELEASE
    hard = [row["code"] for row in publication.findings(caucus_night, as_of=head) if row["severity"] == "hard"]
    counted = {code: hard.count(code) for code in ("FINAL_EXCEEDS_FIRST", "DUPLICATE_RECORD")}
    assert counted == {"FINAL_EXCEEDS_FIRST": 84, "DUPLICATE_RECORD": 6}
    assert hard.count("COUNTY_SDE_OFF_ALLOTMENT") + hard.count("POOL_SDE_OFF_ALLOTMENT") == 17


def test_what_workers_kept_equals_what_the_ledger_says(line: Line) -> None:
    """Jobs in any order, some twice: the same results, findings and documents as from nothing.

    The counties with the duplicate records of 2020 and a satellite pool: some 200 sites.
    """
    sheets = iowa(line)
    areas = {line.contest.precincts[code].county for code in duplicates(line.contest, sheets)} | {"CD4"}
    some = {code: sheet for code, sheet in sheets.items() if line.contest.precincts[code].county in areas}
    line.ledger.append([confirmed(code, sheet) for code, sheet in some.items()])
    for code in (*reversed(some), *list(some)[:50]):
        tabulate(line, code)
    head = line.ledger.head()
    assert publication.night(line).outcomes == rebuild(line)
    assert publication.results(line) == publication.results(line, as_of=head)
    assert publication.findings(line) == publication.findings(line, as_of=head)


def test_findings_come_in_one_order_and_one_shape(line: Line) -> None:
    for code in ("00021", "00013"):
        confirm(line, code, worksheet(code))
        tabulate(line, code)
    found = publication.findings(line)
    assert [set(row) for row in found] == [{"code", "severity", "precinct", "county", "message", "numbers"}] * len(
        found
    )
    order = [(row["code"], row["county"], row["precinct"]) for row in found]
    assert order == sorted(order)
    assert [row["precinct"] for row in found if row["code"] == "DUPLICATE_RECORD"] == ["00013", "00021"]


def test_the_table_has_a_row_for_every_area_and_preference(line: Line) -> None:
    confirm(line, "00013", worksheet())
    tabulate(line, "00013")
    rows = list(csv.DictReader(io.StringIO(publication.as_csv(publication.results(line)))))
    assert len(rows) == (1 + 99 + 5) * 14
    assert rows[3] == {
        "area": "iowa-2020", "preference": "Buttigieg", "first": "40", "final": "50", "delegates": "4",
        "sde": rows[3]["sde"], "sde_exact": rows[3]["sde_exact"],
    }  # fmt: skip


def test_nothing_about_a_person_is_published(line: Line) -> None:
    """Only the shapes above: no call, no number, no confirmation number."""
    confirm(line, "00013", worksheet())
    tabulate(line, "00013")
    text = json.dumps([publication.results(line), publication.findings(line)])
    assert "000001" not in text
    assert "+1" not in text

"""A precinct's result is what its ledger says, however often, late or crowded it is worked out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import pytest

from hotline.errors import SetupError
from hotline.events.decisions import ReportAccepted, ReportRejected, SiteClosed, SiteReopened
from hotline.events.kinds import Event
from hotline.services import publication
from hotline.services.line import Line
from hotline.services.tabulation import Outcome, rebuild, tabulate
from tests.services.reports import confirm, worksheet


def kept(line: Line) -> dict[str, Outcome]:
    """What is stored, in the shape of `rebuild`."""
    return dict(publication.night(line).outcomes)


def codes(outcome: Outcome) -> list[str]:
    return [finding.code for finding in outcome.findings if finding.severity == "hard"]


def open_jobs(line: Line) -> int:
    return line.outbox.backlog().depth


def decide(line: Line, *events: Event) -> None:
    line.ledger.append(events)


def test_a_sound_report_is_counted_and_its_job_acknowledged(line: Line) -> None:
    confirm(line, "00013", worksheet())
    assert open_jobs(line) == 1
    assert tabulate(line, "00013") == "counted"
    assert open_jobs(line) == 0
    assert kept(line)["00013"].worksheet == worksheet()


def test_a_report_that_breaks_a_rule_is_held_until_staff_accept_it(line: Line) -> None:
    confirm(line, "00013", worksheet(final={"Biden": 60, "Buttigieg": 50}))
    assert tabulate(line, "00013") == "held"
    decide(line, ReportAccepted("00013", 1, "ana", "that is what the worksheet says"))
    assert tabulate(line, "00013") == "counted"
    assert "FINAL_EXCEEDS_FIRST" in codes(kept(line)["00013"])


def test_a_correction_replaces_the_version_before_and_is_judged_anew(line: Line) -> None:
    confirm(line, "00013", worksheet(final={"Biden": 60, "Buttigieg": 50}))
    tabulate(line, "00013")
    confirm(line, "00013", worksheet(), version=2)
    assert tabulate(line, "00013") == "counted"
    assert (kept(line)["00013"].version, codes(kept(line)["00013"])) == (2, [])


def test_rejecting_a_version_lets_the_one_before_count_again(line: Line) -> None:
    confirm(line, "00013", worksheet())
    confirm(line, "00013", worksheet(first={"Yang": 100}), version=2)
    decide(line, ReportRejected("00013", 2, "ana", "misread"))
    tabulate(line, "00013")
    assert kept(line)["00013"].version == 1
    decide(line, ReportRejected("00013", 1, "ana", "a prank"))
    assert tabulate(line, "00013") == "outstanding"
    assert kept(line)["00013"] == Outcome("00013", "outstanding")


def test_a_closed_site_does_not_count_until_it_is_open_again_or_reports(line: Line) -> None:
    decide(line, SiteClosed("00013", "did not convene", "ana"))
    assert tabulate(line, "00013") == "closed"
    decide(line, SiteReopened("00013", "ana"))
    assert tabulate(line, "00013") == "outstanding"
    decide(line, SiteClosed("00013", "did not convene", "ana"))
    confirm(line, "00013", worksheet())
    assert tabulate(line, "00013") == "counted"


def test_running_twice_is_running_once(line: Line) -> None:
    confirm(line, "00013", worksheet())
    tabulate(line, "00013")
    once = publication.results(line)
    tabulate(line, "00013")
    assert publication.results(line) == once


def test_ten_workers_at_once_come_to_one_result(line: Line) -> None:
    confirm(line, "00013", worksheet())
    confirm(line, "00021", worksheet("00021"))
    with ThreadPoolExecutor(10) as pool:
        list(pool.map(lambda code: tabulate(line, code), ["00013", "00021"] * 5))
    assert kept(line) == rebuild(line)
    assert open_jobs(line) == 0


@pytest.mark.parametrize("order", [*permutations(("00013", "00021"))])
def test_the_same_alignments_twice_are_found_at_both_whoever_is_worked_out_first(
    line: Line, order: tuple[str, ...]
) -> None:
    for code in order:
        confirm(line, code, worksheet(code))
        tabulate(line, code)
    assert {code: codes(kept(line)[code]) for code in order} == {code: ["DUPLICATE_RECORD"] for code in order}
    assert {kept(line)[code].status for code in order} == {"held"}


def test_a_correction_releases_the_precinct_it_was_mistaken_for(line: Line) -> None:
    for code in ("00013", "00021"):
        confirm(line, code, worksheet(code))
        tabulate(line, code)
    moved = {"Biden": 31, "Buttigieg": 40, "Klobuchar": 9, "Sanders": 20}
    confirm(line, "00021", worksheet("00021", first=moved), version=2)
    tabulate(line, "00021")
    assert [kept(line)[code].status for code in ("00013", "00021")] == ["counted", "held"]
    assert kept(line) == rebuild(line)


def test_two_small_precincts_that_agree_are_no_finding(line: Line) -> None:
    few = {"Biden": 5}
    for code in ("00013", "00021"):
        confirm(line, code, worksheet(code, first=few, final=few))
        tabulate(line, code)
    assert all("DUPLICATE_RECORD" not in codes(kept(line)[code]) for code in ("00013", "00021"))


def test_rebuild_as_of_an_event_is_the_night_as_it_stood_then(line: Line) -> None:
    confirm(line, "00013", worksheet())
    then = line.ledger.head()
    confirm(line, "00021", worksheet("00021"))
    assert rebuild(line, then)["00021"] == Outcome("00021", "outstanding")
    assert rebuild(line, then)["00013"].status == "counted"
    assert rebuild(line)["00013"].status == "held"
    assert rebuild(line, 0)["00013"].status == "outstanding"


def test_a_precinct_the_contest_does_not_have_is_named(line: Line) -> None:
    with pytest.raises(SetupError, match="99999 is no precinct of iowa-2020; its report is in the ledger"):
        tabulate(line, "99999")

"""Two reports for one precinct that differ hold it until one corrects the other or staff decide."""

from __future__ import annotations

from dataclasses import replace

from hotline.caucus.worksheet import Finding
from hotline.events.decisions import ReportAccepted, ReportRejected
from hotline.services import publication
from hotline.services.line import Line
from hotline.services.tabulation import rebuild, tabulate
from tests.services.reports import confirm, worksheet

OTHER = worksheet(first={"Biden": 31, "Buttigieg": 40, "Klobuchar": 9, "Sanders": 20})
"""As sound as `worksheet()`, but not the same."""


def conflicts(line: Line) -> list[Finding]:
    """What the kept result of the precinct says of other reports; the rebuilt one says the same."""
    kept = publication.night(line).outcomes
    assert kept == rebuild(line)
    return [finding for finding in kept["00013"].findings if finding.code == "CONFLICTING_REPORTS"]


def test_two_reports_that_differ_hold_the_precinct(line: Line) -> None:
    confirm(line, "00013", worksheet())
    confirm(line, "00013", OTHER, version=2, base=0)
    assert tabulate(line, "00013") == "held"
    assert [finding.message for finding in conflicts(line)] == [
        "Adair, 1NW ADAIR: version 2 and version 1 differ and neither corrects the other: first Biden 31 and 30, "
        "first Klobuchar 9 and 10"
    ]


def test_two_that_agree_do_not(line: Line) -> None:
    """Two chairs who read out the same worksheet."""
    confirm(line, "00013", worksheet())
    confirm(line, "00013", replace(worksheet(), first={**worksheet().first, "Yang": 0}), version=2, base=0)
    assert tabulate(line, "00013") == "counted"
    assert conflicts(line) == []


def test_a_correction_of_the_newest_settles_it(line: Line) -> None:
    confirm(line, "00013", worksheet())
    confirm(line, "00013", OTHER, version=2, base=0)
    tabulate(line, "00013")
    confirm(line, "00013", worksheet(), version=3, base=2)
    assert tabulate(line, "00013") == "counted"
    assert conflicts(line) == []


def test_staff_settle_it_by_accepting_or_rejecting(line: Line) -> None:
    """Accepted, the version counts and what it was up against stays to be read; rejected, the other one counts."""
    confirm(line, "00013", worksheet())
    confirm(line, "00013", OTHER, version=2, base=0)
    line.ledger.append([ReportAccepted("00013", 2, "ana", "the chair has the worksheet")])
    assert tabulate(line, "00013") == "counted"
    assert len(conflicts(line)) == 1
    line.ledger.append([ReportRejected("00013", 2, "ana", "the other chair has it")])
    assert tabulate(line, "00013") == "counted"
    assert conflicts(line) == []
    assert publication.night(line).outcomes["00013"].worksheet == worksheet()

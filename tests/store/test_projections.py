"""Results are kept one transaction at a time: nobody works from what another is about to change."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import Engine

from hotline.caucus.worksheet import Finding, Worksheet
from hotline.errors import NotRecorded
from hotline.events.decisions import SiteClosed
from hotline.events.kinds import ReportConfirmed
from hotline.store.ledger import Ledger
from hotline.store.outbox import Outbox
from hotline.store.projections import Named, Projections, Result
from tests.store.held import BOTH, HeldClock

CODE, OTHER = "00013", "00021"
SHEET = Worksheet(30, {"Biden": 20, "Yang": 10}, {"Biden": 30}, {"Biden": 3})
SAME = Worksheet(31, {"Yang": 10, "Biden": 20}, {"Biden": 30}, {"Biden": 4})
FINDING = Finding("ROUND_MISMATCH", "notice", "final", "six left", {"first": 30, "final": 24}, ("Biden",))
pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)


@pytest.fixture
def projections(engine: Engine, clock: HeldClock, ledger: Ledger) -> Projections:
    ledger.append(
        [
            ReportConfirmed(code, 1, "123450", sheet.headcount or 0, sheet.first, sheet.final, sheet.delegates, "rule")
            for code, sheet in ((CODE, SHEET), (OTHER, SAME))
        ]
    )
    return Projections(engine, clock)


def keep(projections: Projections, code: str, sheet: Worksheet | None, *findings: Finding) -> None:
    with projections.tabulating() as work:
        work.standing(code)
        work.put(Result(code, 0, "counted" if sheet else "outstanding", 1 if sheet else 0, "", sheet), findings)


def test_a_result_replaces_the_one_before_with_its_findings(projections: Projections) -> None:
    keep(projections, CODE, SHEET, FINDING, FINDING)
    keep(projections, CODE, SHEET, FINDING)
    found, named, newest = projections.published()
    assert (found, named, newest) == ({CODE: Result(CODE, 2, "counted", 1, "", SHEET)}, [Named(CODE, FINDING)], 2)


def test_keeping_a_result_acknowledges_what_was_read_for_it_and_nothing_else(
    projections: Projections, ledger: Ledger, engine: Engine, clock: HeldClock
) -> None:
    keep(projections, CODE, SHEET)
    ledger.append([SiteClosed(CODE, "did not convene", "ana")])
    assert [each.job for each in Outbox(engine, clock).pending()] == [f"tab-{OTHER}-1-2", f"tab-{CODE}-0-3"]


def test_a_worker_that_dies_before_the_commit_has_done_nothing(
    projections: Projections, engine: Engine, clock: HeldClock
) -> None:
    def die() -> None:
        with projections.tabulating() as work:
            work.standing(CODE)
            work.put(Result(CODE, 0, "counted", 1, "", SHEET), ())
            raise SystemExit

    with pytest.raises(SystemExit):
        die()
    assert projections.results() == {}
    assert Outbox(engine, clock).backlog().depth == 2


def test_the_same_alignments_are_found_whatever_order_headcount_and_delegates(projections: Projections) -> None:
    keep(projections, CODE, SHEET)
    with projections.tabulating() as work:
        assert work.alike(SAME, OTHER) == [CODE]
        assert work.alike(SHEET, CODE) == []
        assert work.alike(None, OTHER) == []
        assert (work.worksheet(CODE), work.worksheet(OTHER)) == (SHEET, None)


def test_an_empty_room_is_like_no_other(projections: Projections) -> None:
    """Everywhere nobody came the numbers agree; that says nothing."""
    empty = Worksheet(0, {}, {}, {})
    keep(projections, CODE, empty)
    with projections.tabulating() as work:
        assert work.alike(empty, OTHER) == []


def test_two_workers_with_the_same_alignments_see_one_another(projections: Projections) -> None:
    """One waits for the other: were both to look before either has kept its result, neither would find the twin."""
    start, seen = threading.Barrier(2), dict[str, list[str]]()

    def tabulate(code: str, sheet: Worksheet) -> None:
        start.wait()
        with projections.tabulating() as work:
            work.standing(code)
            seen[code] = work.alike(sheet, code)
            work.put(Result(code, 0, "counted", 1, "", sheet), ())

    both = [threading.Thread(target=tabulate, args=each) for each in ((CODE, SHEET), (OTHER, SAME))]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert sorted(seen.values()) in ([[], [CODE]], [[], [OTHER]])


def test_a_result_is_not_kept_for_a_precinct_whose_events_were_not_read(projections: Projections) -> None:
    with pytest.raises(KeyError), projections.tabulating() as work:
        work.put(Result(CODE, 0, "counted", 1, "", SHEET), ())
    assert projections.results() == {}


def test_what_the_database_cannot_take_is_not_recorded(projections: Projections) -> None:
    with pytest.raises(NotRecorded):
        keep(projections, CODE, SHEET, Finding("", None, "final", "no severity"))  # type: ignore[arg-type] # on purpose
    assert projections.results() == {}

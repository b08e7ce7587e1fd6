"""Reports that outlive a call: half given, on two phones, on file and corrected."""

import pytest

from hotline.events.kinds import (
    CallTakenOver,
    CorrectionOpened,
    CorrectionRefused,
    PersonCalledFor,
    ReportConfirmed,
    ReportResumed,
    ReportStarted,
)
from tests.dialog.calling import CORRECTION, FOUR, PIN, TWO, Line

WHOLE = ("100", "40", "30", "20", "10", "1", "40", "30", "30", "0", "1", "1")
"""From the headcount to the read-back."""


def filed_line() -> Line:
    line = Line()
    line.ring().report().key(*WHOLE, "1")
    return line


@pytest.mark.parametrize("given", range(1, len(WHOLE) + 1))
def test_a_hang_up_at_any_question_loses_nothing_before_it(given: int) -> None:
    """The next call goes on at the very question, and what it files is the same."""
    line = Line()
    stopped = line.ring().report().key(*WHOLE[:given])
    again = line.ring().key(FOUR, PIN)
    assert "1 to go on where you stopped" in again.said
    assert stopped.state == again.key("1").state
    assert ReportResumed(FOUR, stopped.session.call) in again.events
    again.key(*WHOLE[given:], "1")
    assert next(event for event in again.events if isinstance(event, ReportConfirmed)).headcount == 100
    assert again.state == "done"


def test_a_hang_up_before_anything_was_given_leaves_nothing_to_go_on_with() -> None:
    """The next call simply reports."""
    line = Line()
    line.ring().report()
    assert "1 to report" in line.ring().key(FOUR, PIN).said


def test_a_half_given_report_survives_a_call_that_only_signed_in() -> None:
    """The third phone goes on where the first one stopped."""
    line = Line()
    line.ring().report().key("100", "40")
    line.ring().key(FOUR, PIN)
    assert line.ring().key(FOUR, PIN, "1").state == "first.Sanders"


def test_going_back_in_a_resumed_report_goes_over_the_earlier_call() -> None:
    """The questions are the report's, not the call's."""
    line = Line()
    line.ring().report().key("100", "40", "30")
    call = line.ring().key(FOUR, PIN, "1", "*2")
    assert call.state == "first.Sanders"
    assert call.key(*["*2"] * 5).state == "precinct"


def test_a_half_given_report_can_be_started_again() -> None:
    """What was given is left behind."""
    line = Line()
    line.ring().report().key("100", "40")
    call = line.ring().key(FOUR, PIN, "2")
    assert call.state == "headcount"
    assert ReportStarted(FOUR) in call.events
    assert call.key("90").session.report.first == {}


def test_the_newest_of_two_phones_owns_the_report() -> None:
    """The other is told at its next key, and its call ends; no key of it counts."""
    line = Line()
    older = line.ring().report().key("100", "40")
    newer = line.ring().key(FOUR, PIN, "1")
    older.key("30")
    assert older.turn.reply.then == "hang-up"
    assert "Another phone has gone on with this report" in older.said
    assert older.events[-1] == CallTakenOver(FOUR)
    assert newer.key("31").session.report.first == {"Biden": 40, "Sanders": 31}


def test_a_filed_report_is_heard_and_comes_back_to_the_question() -> None:
    """With code and PIN the totals are read back at any time."""
    call = filed_line().ring().key(FOUR, PIN)
    assert "A report is on file, confirmation" in call.said
    call.key("1")
    assert "Final alignment: Biden 40, Sanders 30, Warren 30, all others zero." in call.said
    assert call.said.endswith("1 to hear it, 2 to correct it, 3 if that is not your precinct.")
    assert call.state == "precinct"


def test_a_correction_is_a_new_version_and_the_old_one_is_kept() -> None:
    """With the packet's correction code; only what changes is asked."""
    line = filed_line()
    call = line.ring().key(FOUR, PIN, "2", CORRECTION, "3", "1", "45", "1", "1", "1")
    assert CorrectionOpened(FOUR, 1) in call.events
    versions = [event for _, event in line.events if isinstance(event, ReportConfirmed)]
    assert [(1, 0), (2, 1)] == [(version.version, version.base) for version in versions]
    assert [40, 45] == [version.final["Biden"] for version in versions]
    assert versions[0].first == versions[1].first
    assert versions[0].confirmation != versions[1].confirmation


def test_three_wrong_correction_codes_lead_to_a_person() -> None:
    """Each is an event; the report stands."""
    call = filed_line().ring().key(FOUR, PIN, "2", "0000", "0000")
    assert "That is not the correction code" in call.said
    assert call.key("0000").turn.reply.then == "person"
    assert [CorrectionRefused(FOUR)] * 3 == [event for event in call.events if isinstance(event, CorrectionRefused)]
    assert call.events[-1] == PersonCalledFor(FOUR, "correction-code")


def test_going_back_does_not_buy_more_correction_codes() -> None:
    """Three in a call are three."""
    call = filed_line().ring().key(FOUR, PIN, "2", "0000", "*2", "2", "0000", "*2", "2")
    assert call.key("0000").turn.reply.then == "person"


def test_a_half_given_correction_asks_for_its_code_again() -> None:
    """Another call must prove it may change a filed report, and then goes on where the first one stopped."""
    line = filed_line()
    line.ring().key(FOUR, PIN, "2", CORRECTION, "3", "1", "45")
    call = line.ring().key(FOUR, PIN)
    assert "1 to go on where you stopped" in call.said
    assert call.key("1").state == "correction"
    assert call.key(CORRECTION).state == "final.check"
    assert call.session.report.final["Biden"] == 45


def test_a_half_given_correction_can_be_started_again() -> None:
    """From the report on file, with its code."""
    line = filed_line()
    line.ring().key(FOUR, PIN, "2", CORRECTION, "3", "1", "45")
    call = line.ring().key(FOUR, PIN, "2", CORRECTION)
    assert call.state == "change"
    assert call.session.report.final["Biden"] == 40


def test_a_correction_that_changed_nothing_leaves_the_report_to_be_heard() -> None:
    """Its totals can be read back at any time."""
    line = filed_line()
    line.ring().key(FOUR, PIN, "2", CORRECTION)
    assert "1 to hear it" in line.ring().key(FOUR, PIN).said


def test_a_correction_keeps_what_the_report_before_it_kept() -> None:
    """A rule broken in a section that is not touched is still broken."""
    line = Line()
    line.ring().report().key("90", *WHOLE[1:], "1")
    line.ring().key(FOUR, PIN, "2", CORRECTION, "3", "1", "45", "1", "1", "1")
    versions = [event for _, event in line.events if isinstance(event, ReportConfirmed)]
    assert ("FIRST_EXCEEDS_HEADCOUNT",) == versions[0].kept
    assert versions[1].kept[0] == "FIRST_EXCEEDS_HEADCOUNT"


def test_not_my_precinct_leaves_its_report_alone() -> None:
    """Back to the code; the next sign-in is another precinct's."""
    call = Line().ring().key(FOUR, PIN, "2")
    assert call.state == "code"
    assert call.session.precinct is None
    assert "Second Ward" in call.key(TWO, PIN).said

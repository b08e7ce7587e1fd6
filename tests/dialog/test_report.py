"""Inside a report: what is heard at the checks, who gets the delegates, what a change leads to, what is recorded."""

from dataclasses import replace

import pytest

from hotline.dialog import machine
from hotline.dialog.facts import Facts, Heard
from hotline.events.kinds import (
    DelegatesGiven,
    DelegatesSettled,
    HeadcountGiven,
    PersonCalledFor,
    ReportConfirmed,
    TallyGiven,
)
from tests.dialog.calling import FOUR, ONE, SCRIPT, SITE, TWO, Call, Line

FIRST, FINAL = ("40", "30", "20", "10"), ("40", "30", "30", "0")
TO_DELEGATES = ("100", *FIRST, "1", *FINAL, "1")


def reporting(precinct: str = FOUR, *keys: str) -> Call:
    return Line().ring().report(precinct).key(*keys)


def filed(call: Call) -> ReportConfirmed:
    return next(event for event in reversed(call.events) if isinstance(event, ReportConfirmed))


def test_a_report_from_the_headcount_to_its_number() -> None:
    """What was keyed is what is recorded, zeros left out, under the number that is spoken."""
    call = reporting(FOUR, *TO_DELEGATES, "1", "1")
    expected = ReportConfirmed(
        FOUR,
        1,
        filed(call).confirmation,
        100,
        {"Biden": 40, "Sanders": 30, "Warren": 20, "Uncommitted": 10},
        {"Biden": 40, "Sanders": 30, "Warren": 30},
        filed(call).delegates,
        "rule",
    )
    assert expected == filed(call)
    assert sum(expected.delegates.values()) == 4
    assert call.said.count(" ".join(expected.confirmation)) == 2


def test_each_question_begins_with_the_answer_before_it() -> None:
    """Hearing the wrong number is noticed at once."""
    call = reporting()
    assert call.key("100").said.startswith("100 people.")
    assert call.said.endswith("First alignment. Biden?")
    assert call.key("40").said == "40. Next, Sanders?"
    assert call.key("*3").said.startswith("Zero for Sanders and the groups not given yet.")
    assert call.key("1", "40").said == "40. Next, Sanders?"


def test_one_delegate_has_no_threshold_and_goes_to_the_largest_group() -> None:
    """The caucus elects it as a whole: only the total is said, and both alignments are collected."""
    call = reporting(ONE, "9", "4", "5", "*3")
    assert "First alignment, 9 in all. 1 to go on" in call.said
    call.key("1", "4", "5", "*3", "1")
    assert "The delegate goes to the largest group, Sanders." in call.said
    assert {"Sanders": 1} == filed(call.key("1", "1")).delegates


def test_one_delegate_on_a_tie_goes_as_the_coin_fell() -> None:
    """The outcomes are numbered; the chair says which one happened."""
    call = reporting(ONE, "8", "4", "4", "*3", "1", "4", "4", "*3", "1")
    assert "went by coin toss. 1 if Biden won. 2 if Sanders won. 9 to enter" in call.said
    assert {"Sanders": 1} == filed(call.key("2", "1")).delegates
    assert filed(call).origin == "chance"


def test_two_delegates_and_three_viable_groups() -> None:
    """One is certain, the other is tossed for."""
    call = reporting(TWO, "11", "5", "3", "3", "0", "1", "5", "3", "3", "0", "1")
    assert "By the rule, the delegates are: Biden 1. The last delegate went by coin toss." in call.said
    assert "1 if Sanders won. 2 if Warren won. 9 to enter" in call.said
    assert {"Biden": 1, "Warren": 1} == filed(call.key("2", "1")).delegates


@pytest.mark.parametrize(("headcount", "delegates"), [("20", 4), ("21", 5), ("101", 9)])
def test_a_satellites_delegates_follow_its_headcount(headcount: str, delegates: int) -> None:
    """The bands are the party's."""
    call = reporting(SITE, headcount, headcount, "*3", "1", headcount, "*3", "1")
    assert f"Biden {delegates}." in call.said


def test_a_satellites_changed_headcount_offers_the_delegates_again() -> None:
    """D moved, so the split by rule moved with it."""
    call = reporting(SITE, "20", "20", "*3", "1", "20", "*3", "1", "1", "2", "1", "21")
    assert call.state == "first.check"
    assert call.key("1").state == "final.check"
    assert call.key("1").state == "delegates"
    assert "Biden 5." in call.said


def test_a_satellite_is_named_with_its_pool() -> None:
    """There is no county to name."""
    assert "The Library, First District satellites." in reporting(SITE, "*2").said


def test_nobody_came() -> None:
    """Zero is asked about, and then there is nothing to ask."""
    call = reporting(FOUR, "0")
    assert "Nobody came? 1 yes, 2 no." in call.said
    assert call.key("1").state == "readback"
    assert "Headcount 0." in call.said
    call.key("2")
    assert "2 first alignment" not in call.said
    assert call.key("5", "1").state == "done"
    assert filed(call).headcount == 0
    assert filed(call).first == filed(call).final == filed(call).delegates == {}


def test_somebody_came_after_all() -> None:
    """A headcount changed from zero asks everything that was not asked."""
    call = reporting(FOUR, "0", "1", "2", "1", "12")
    assert call.state == "first.Biden"


def test_nobody_viable_means_the_delegates_are_entered() -> None:
    """There is no rule to offer; the paper has the answer, zero for all included."""
    call = reporting(FOUR, "100", "9", "9", "9", "9", "1", "9", "9", "9", "9")
    assert "No group reaches 15. The largest has 9." in call.said
    assert call.key("1").state == "delegates.Biden"
    assert call.key("*3").state == "delegates.check"
    assert filed(call.key("1", "1")).origin == "worksheet"


def test_delegates_by_rule_are_accepted_whole() -> None:
    """One event for the split, not one for each group."""
    call = reporting(FOUR, *TO_DELEGATES, "1")
    settled = [event for event in call.events if isinstance(event, DelegatesSettled)]
    assert [("rule", 4)] == [(event.origin, sum(event.delegates.values())) for event in settled]
    assert not any(isinstance(event, DelegatesGiven) for event in call.events)


def test_one_group_changed_from_the_read_back() -> None:
    """To its check, then through the checks behind it and the delegates, never through tallies already given."""
    call = reporting(FOUR, *TO_DELEGATES, "1", "2", "3", "1")
    assert call.state == "final.Biden"
    assert call.key("45").state == "final.check"
    assert call.key("1").state == "delegates"
    assert call.key("1").state == "readback"
    assert "Biden 45" in call.said


def test_the_same_number_keyed_again_offers_no_delegates_again() -> None:
    """Nothing changed, so the split still follows from it; its check is heard all the same."""
    call = reporting(FOUR, *TO_DELEGATES, "1", "2", "3", "1", "40")
    assert call.state == "final.check"
    assert call.key("1").state == "readback"


def test_a_first_alignment_changed_passes_both_checks() -> None:
    """A lock-in may break by it."""
    call = reporting(FOUR, *TO_DELEGATES, "1", "2", "2", "1", "41")
    assert call.state == "first.check"
    assert call.key("1").state == "final.check"
    assert "Biden had 41, now 40" in call.said


def test_delegates_from_the_worksheet_are_not_offered_again() -> None:
    """They are what the paper says; their check is heard again."""
    call = reporting(FOUR, *TO_DELEGATES, "2", "2", "1", "1", "0", "1", "2", "1", "101")
    assert call.key("1").state == "final.check"
    assert call.key("1").state == "delegates.check"
    assert call.key("1").state == "readback"


def test_a_whole_section_changed_asks_every_group_again() -> None:
    """0 and pound; the old numbers stand until the new ones are keyed."""
    call = reporting(FOUR, *TO_DELEGATES, "1", "2", "2", "0")
    assert [call.key(count).state for count in ("41", "29", "20", "10")] == [
        "first.Sanders",
        "first.Warren",
        "first.Uncommitted",
        "first.check",
    ]


def test_all_delegates_changed_are_entered() -> None:
    """Every group in worksheet order, then their check."""
    call = reporting(FOUR, *TO_DELEGATES, "1", "2", "4", "0", "2", "1", "1", "0")
    assert call.state == "delegates.check"
    assert filed(call.key("1", "1")).origin == "worksheet"


def test_one_group_of_a_split_by_rule_changed() -> None:
    """The other groups keep what the rule gave them; the whole is now as the worksheet says."""
    call = reporting(FOUR, *TO_DELEGATES, "1", "2", "4", "4", "1")
    assert call.state == "delegates.check"
    assert "5 delegates of 4." in call.said
    assert filed(call.key("1", "1")).origin == "worksheet"


def test_no_detour_confirms_a_report_that_is_not_whole() -> None:
    """A changed headcount took the split away; nothing to change, or going back, does not get around that."""
    changed = (*TO_DELEGATES, "1", "2", "1", "101")
    for detour in (("*2", "*2", "5"), ("*2", "*2", "*2"), ("2", "5")):
        call = reporting(FOUR, *changed, *detour)
        assert call.state not in ("readback", "done")


def test_a_report_with_a_hole_is_never_confirmed() -> None:
    """However the read-back was reached, 1 leads to the question that is open."""
    call = reporting(FOUR, *TO_DELEGATES, "1")
    holed = replace(call.session, draft=replace(call.session.report, final={"Biden": 40}))
    turn = machine.step(holed, Heard("1"), Facts(version=1, confirmation="123450"), SCRIPT)
    assert turn.session.state == "final.Sanders"
    assert turn.events == ()


def test_zero_for_the_rest_is_an_event_for_each_group() -> None:
    """The ledger knows each of them was said."""
    call = reporting(FOUR, "100", "40", "*3")
    given = [(event.group, event.count) for event in call.events if isinstance(event, TallyGiven)]
    assert [("Biden", 40), ("Sanders", 0), ("Warren", 0), ("Uncommitted", 0)] == given


def test_back_after_zero_for_the_rest_asks_the_rest_after_all() -> None:
    """Keyed too early: back to where it was keyed, and the groups behind it are asked."""
    call = reporting(FOUR, "100", "40", "*3", "*2")
    assert call.state == "first.Sanders"
    assert [call.key(count).state for count in ("30", "20", "10")] == [
        "first.Warren",
        "first.Uncommitted",
        "first.check",
    ]


def test_a_group_filled_with_zero_and_then_given_is_not_asked_again() -> None:
    """Going back to where zero was keyed opens the groups behind it only while the zeros stand."""
    call = reporting(FOUR, "100", "40", "*3", "2", "2", "3", "20")
    assert call.state == "first.check"
    call.key(*["*2"] * 5)
    assert call.state == "first.Sanders"
    assert call.key("30").state == "first.check"
    assert call.session.report.first == {"Biden": 40, "Sanders": 30, "Warren": 20, "Uncommitted": 0}


def test_back_again_and_again_reaches_the_precinct_and_no_further() -> None:
    """Nothing given is lost on the way; forward goes on where nothing is given yet."""
    call = reporting(FOUR, "100", "40", "30", *["*2"] * 9)
    assert call.state == "precinct"
    assert "1 to go on where you stopped" in call.said
    assert call.key("1").state == "first.Warren"
    assert call.session.report.first == {"Biden": 40, "Sanders": 30}


def test_a_number_keyed_again_after_going_back_goes_on_where_the_chair_was() -> None:
    """Never through tallies already given."""
    call = reporting(FOUR, "100", "40", "30", "*2", "*2")
    assert call.state == "first.Biden"
    assert call.key("41").said == "41. Next, Warren?"


def test_without_a_number_nothing_is_confirmed() -> None:
    """The caller hears that it is not recorded yet, and goes to a person with everything kept."""
    call = reporting(FOUR, "0", "1")
    turn = machine.step(call.session, Heard("1"), Facts(), SCRIPT)
    assert turn.reply.then == "person"
    assert "not-recorded" in [words.prompt for words in turn.reply.words]
    assert (PersonCalledFor(FOUR, "not-recorded"),) == turn.events


def test_a_person_at_any_question_keeps_what_was_given() -> None:
    """And says so."""
    call = reporting(FOUR, "100", "40", "*0")
    assert call.turn.reply.then == "person"
    assert "What you have given is kept." in call.said
    assert call.session.report.headcount == 100
    assert HeadcountGiven(FOUR, 100) in call.events


def test_three_precincts_in_one_call() -> None:
    """A county chair keys each with its own code and PIN."""
    call = reporting(FOUR, "0", "1", "1", "1").report(TWO).key("0", "1", "1", "1").report(ONE).key("0", "1", "1")
    reports = [event.precinct for event in call.events if isinstance(event, ReportConfirmed)]
    assert [FOUR, TWO, ONE] == reports

"""A precinct where ballots were cast before the night: the room is keyed, everybody is judged, both are read out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotline.caucus.contest import EarlyBallots, Preference
from hotline.dialog.script import Script
from hotline.events.kinds import HeadcountGiven, ReportConfirmed, TallyGiven, from_body, kind_of, to_body
from tests.caucus.party_rules import BANDS, NEVADA
from tests.dialog.calling import CONTEST, CORRECTION, FOUR, ONE, PIN, SITE, TWO, Call, Line
from tests.dialog.test_any_keys import KEYS, play
from tests.dialog.test_report import filed

EARLY = replace(
    CONTEST,
    rules=replace(NEVADA, satellite_delegates=BANDS),
    early_ballots={
        FOUR: (EarlyBallots(10, ("Warren", "Biden", "Sanders")), EarlyBallots(4, ("Sanders", "Warren", "Biden"))),
        TWO: (EarlyBallots(4, ("Biden", "Warren", "Sanders")), EarlyBallots(1, ("Warren", "Warren", "Warren"))),
        ONE: (EarlyBallots(3, ("Warren", "Biden", "Sanders")), EarlyBallots(2, ("Biden", "Warren", "Sanders"))),
        SITE: (EarlyBallots(3, ("Warren", "Biden", "Sanders")),),
    },
)
SOME_EARLY = replace(EARLY, early_ballots={FOUR: EARLY.early_ballots[FOUR]})
FIRST, FINAL = ("40", "25", "3", "7"), ("43", "25", "0", "7")
TO_DELEGATES = ("75", *FIRST, "1", *FINAL, "1")
EMPTY_ROOM = ("0", "1")


def reporting(precinct: str = FOUR, *keys: str) -> Call:
    return Line(Script(EARLY)).ring().report(precinct).key(*keys)


def test_the_room_alone_is_asked_for_before_each_count() -> None:
    """Said with the headcount and at the head of both alignments, again when a question is repeated in full."""
    call = reporting()
    assert "Early ballots are in our count already. Key only the people in the room. How many" in call.said
    assert "In the room only. How many eligible people" in call.key("x").said
    assert "75 people. In the room only. First alignment. Biden?" in call.key("75").said
    assert "In the room" not in call.key("40").said
    assert "In the room only. First alignment. Sanders?" in call.key("*1").said
    assert "In the room only. Final alignment. Biden?" in call.key("25", "3", "7", "1").said
    assert "In the room" not in call.key("43", "25", "0", "7", "1", "2").said


def test_what_the_ballots_add_is_told_at_both_checks() -> None:
    """89 people make the threshold 14, not the room's 12; Warren's ballots are 13 with hers and move on to Biden."""
    call = reporting(FOUR, "75", *FIRST)
    assert (
        "First alignment, 75 in all. Early ballots add 14: Sanders 4, Warren 10. With them 89 in all. "
        "A group needs 14 to be viable. Viable: Biden, Sanders." in call.said
    )
    assert (
        "Final alignment, 75 in all. Early ballots add 14: Biden 10, Sanders 4. With them 89 in all. "
        "A group needs 14 to be viable. Viable: Biden, Sanders." in call.key("1", *FINAL).said
    )


def test_ballots_that_name_no_viable_group_are_told_of() -> None:
    """24 people make the threshold six; Warren has two, and the one ballot of hers names nobody else."""
    call = reporting(TWO, "19", "11", "7", "1", "0", "1", "11", "8", "0", "0")
    assert "Early ballots add 4: Biden 4. With them 23 in all. Early ballots with no viable choice: 1." in call.said


def test_the_split_is_everybodys() -> None:
    """53 and 29 of 89 are three delegates and one; the room's 43 and 25 of 75 would be two and two."""
    call = reporting(FOUR, *TO_DELEGATES)
    assert "By the rule, the delegates are: Biden 3, Sanders 1." in call.said


def test_the_read_back_has_what_was_keyed_and_where_it_differs_what_is_counted() -> None:
    """Biden's 40 are everybody's 40, so no second figure is read for them."""
    call = reporting(FOUR, *TO_DELEGATES, "1")
    assert (
        "Headcount 75. With early ballots, 89. "
        "First alignment: Biden 40, Sanders 25, Warren 3, Uncommitted 7. "
        "With early ballots: Sanders 29, Warren 13. "
        "Final alignment: Biden 43, Sanders 25, Uncommitted 7, all others zero. "
        "With early ballots: Biden 53, Sanders 29. "
        "Delegates: Biden 3, Sanders 1, all others zero. 1 to confirm" in call.said
    )


def test_events_keep_what_was_keyed_and_the_counted_figures_stand_beside_it() -> None:
    """No event has a folded number in place of a keyed one; the folded ones have a field of their own."""
    call = reporting(FOUR, *TO_DELEGATES, "1", "1")
    report = filed(call)
    assert [each.count for each in call.events if isinstance(each, HeadcountGiven)] == [75]
    keyed = [str(each.count) for each in call.events if isinstance(each, TallyGiven)]
    assert keyed == [*FIRST, *FINAL]
    assert (report.headcount, dict(report.final)) == (75, {"Biden": 43, "Sanders": 25, "Uncommitted": 7})
    assert report.counted == {
        "headcount": 89,
        "first": {"Biden": 40, "Sanders": 29, "Warren": 13, "Uncommitted": 7},
        "final": {"Biden": 53, "Sanders": 29, "Uncommitted": 7},
    }
    assert from_body(kind_of(report), json.loads(json.dumps(to_body(report)))) == report


def test_a_report_of_before_counted_figures_can_be_read() -> None:
    """Older events have no such field, and neither have new ones where nobody voted early."""
    body = to_body(ReportConfirmed(FOUR, 1, "123450", 9, {"Biden": 9}, {"Biden": 9}, {"Biden": 4}, "rule"))
    assert "counted" not in body
    older = from_body("ReportConfirmed", body)
    assert isinstance(older, ReportConfirmed)
    assert older.counted is None


@pytest.mark.parametrize(
    "keys", [(*TO_DELEGATES, "1"), EMPTY_ROOM, ("9", "4", "5", "*3", "1", "4", "5", "*3", "1", "1")]
)
def test_a_precinct_without_early_ballots_hears_what_it_always_heard(keys: tuple[str, ...]) -> None:
    """Word for word, in a contest where another precinct has early ballots; and its report has no second figures."""
    without = replace(SOME_EARLY, early_ballots={})
    calls = [Line(Script(contest)).ring().report(TWO) for contest in (SOME_EARLY, without)]
    for entry in (*keys, "1"):
        one, other = (call.key(entry) for call in calls)
        assert one.turn.reply == other.turn.reply
    assert one.state == "done"
    assert "counted" not in to_body(filed(one))


def test_an_empty_room_still_elects_by_its_ballots() -> None:
    """No tally is asked for; the checks tell what the ballots come to, and the split is theirs."""
    call = reporting(TWO, "0")
    assert "The early ballots still count. Nobody came? 1 yes, 2 no." in call.said
    call.key("1")
    assert call.state == "first.check"
    assert "Nobody came. First alignment, 0 in all. Early ballots add 5: Biden 4, Warren 1." in call.said
    assert "A group needs 2 to be viable. Viable: Biden." in call.said
    assert "Early ballots add 4: Biden 4. With them 4 in all. Early ballots with no viable" in call.key("1").said
    assert "By the rule, the delegates are: Biden 2." in call.key("1").said
    call.key("1")
    assert "Headcount 0. With early ballots, 5. First alignment: all zero. With early ballots: Biden 4," in call.said
    report = filed(call.key("1"))
    assert (report.headcount, report.first, report.final, report.delegates) == (0, {}, {}, {"Biden": 2})
    assert report.counted == {"headcount": 5, "first": {"Biden": 4, "Warren": 1}, "final": {"Biden": 4}}
    assert report.kept == ()


def test_an_empty_room_whose_ballots_stand_nowhere_is_told_so_and_enters_its_delegates() -> None:
    """Two ballots for each of five groups, a threshold of three: all are exhausted, and the broken rule is named."""
    preferences = (*CONTEST.preferences, Preference("Yang", 5, "Yang", "Yang"))
    scattered = tuple(EarlyBallots(2, (each.key,) * 3) for each in preferences)
    call = Line(Script(replace(EARLY, preferences=preferences, early_ballots={TWO: scattered}))).ring()
    call.report(TWO).key(*EMPTY_ROOM, "1")
    assert (
        "Final alignment, 0 in all. Early ballots with no viable choice: 10. A group needs 3 to be viable. "
        "No group is viable. No group reaches 3. The largest has 0. 1 to keep it" in call.said
    )
    assert call.key("1").state == "delegates.Biden"
    assert filed(call.key("*3", "1", "1")).kept == ("NO_VIABLE_GROUP",)


def test_one_delegate_counts_every_ballot_with_its_first_choice() -> None:
    """Nobody's ballot moves on: Sanders leads the room with five, Warren with three ballots everybody with seven."""
    call = reporting(ONE, "9", "0", "5", "4", "0", "1", "0", "5", "4", "0")
    assert "Early ballots add 5: Biden 2, Warren 3. With them 14 in all. 1 to go on" in call.said
    assert "The delegate goes to the largest group, Warren." in call.key("1").said


def test_a_satellites_delegates_follow_from_everybody() -> None:
    """18 in the room elect four; with three ballots they are 21 and elect five."""
    call = reporting(SITE, "18", "18", "*3", "1", "18", "*3", "1")
    assert "the delegates are: Biden 5." in call.said


@pytest.mark.parametrize(
    "keys", [("75", *FIRST), ("75", *FIRST, "1", *FINAL), TO_DELEGATES, (*TO_DELEGATES, "1"), EMPTY_ROOM]
)
def test_another_phone_hears_the_same_figures(keys: tuple[str, ...]) -> None:
    """What is folded follows from what was keyed, whoever asks."""
    line = Line(Script(EARLY))
    before = line.ring().report(FOUR).key(*keys, "*1")
    after = line.ring().key(FOUR, PIN, "1")
    assert after.prompts[0] == "echo-going-on"
    assert before.turn.reply.words == after.turn.reply.words[1:]
    assert before.state == after.state


def test_going_back_over_an_empty_room_on_another_phone_asks_for_no_tally() -> None:
    """`*2#` returns to what was asked: the checks, then the headcount."""
    line = Line(Script(EARLY))
    line.ring().report(FOUR).key(*EMPTY_ROOM, "1", "1")
    call = line.ring().key(FOUR, PIN, "1")
    states = [call.state, *(call.key("*2").state for _ in range(4))]
    assert states == ["delegates", "final.check", "first.check", "headcount", "precinct"]


def test_an_empty_room_that_fills_is_asked_for_its_tallies() -> None:
    """The headcount was a slip: from the check back to it, and every group is asked for."""
    call = reporting(FOUR, *EMPTY_ROOM, "2", "1")
    assert call.state == "headcount"
    assert call.key("75").state == "first.Biden"
    assert call.key(*FIRST, "1").state == "final.Biden"


def test_a_correction_is_offered_the_split_anew_and_counted_anew() -> None:
    """Ten more in the room: the second version has its own counted figures, the first keeps its own."""
    line = Line(Script(EARLY))
    line.ring().report(FOUR).key(*TO_DELEGATES, "1", "1")
    call = line.ring().key(FOUR, PIN, "1")
    assert "Headcount 75. With early ballots, 89. First alignment:" in call.said
    call.key("2", CORRECTION, "1", "85", "1", "1", "1", "1")
    versions = [event for _, event in line.events if isinstance(event, ReportConfirmed)]
    counted = [report.counted["headcount"] for report in versions if report.counted]
    assert [report.headcount for report in versions] == [75, 85]
    assert counted == [89, 99]


def test_a_rule_broken_in_the_room_is_named_with_the_rooms_numbers() -> None:
    """What was keyed is what the chair can look up: 80 in groups, 75 present."""
    call = reporting(FOUR, "75", "45", "25", "3", "7")
    assert "With them 94 in all." in call.said
    assert "That is more than the headcount: 80 in groups, 75 present. 1 to keep it" in call.said


def test_a_rule_broken_by_the_room_alone_is_not_named() -> None:
    """Of 20 in the room Sanders' 3 would be viable and be locked in; of 34 they are not, and may join Biden."""
    keys = ("20", "17", "3", "*3", "1", "20", "*3")
    early = replace(EARLY, early_ballots={FOUR: (EarlyBallots(14, ("Biden", "Warren", "Uncommitted")),)})
    call, other = (Line(Script(contest)).ring().report(FOUR).key(*keys) for contest in (early, CONTEST))
    assert call.prompts[-1] == "check-keys"
    assert "A group viable at first alignment may not get smaller. Sanders had 3, now 0." in other.said


@settings(max_examples=80, deadline=None)
@given(st.lists(KEYS, max_size=90), st.sampled_from([FOUR, TWO, ONE, SITE]), st.integers(0, 2))
def test_a_report_of_random_keys_never_breaks_with_early_ballots(keys: list[str], precinct: str, calls: int) -> None:
    """From inside a report, hung up now and then: what was given is what its events say, keyed numbers throughout."""
    line = Line(Script(EARLY))
    for part in range(calls + 1):
        call = line.ring().key(precinct, PIN)
        play(call, ["1", *EMPTY_ROOM, *keys[part * 30 :]])

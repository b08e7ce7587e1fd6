"""What checks say of the people in the room where others voted early, and of a site where nobody was counted."""

from __future__ import annotations

from dataclasses import replace

from hotline.caucus.checks import report_findings
from hotline.caucus.early import folded, in_the_room
from hotline.caucus.worksheet import Finding, Worksheet
from tests.caucus.party_rules import IOWA, contest_of
from tests.caucus.test_early_votes import BUNDLES, nonzero, voting_early


def found(keyed: Worksheet) -> dict[str, Finding]:
    """The findings by code on what a chair keyed, with nine ballots cast before: 4 for Ash, 3 for Elm, 2 for Fir."""
    contest, precinct = voting_early(5, *BUNDLES)
    return {finding.code: finding for finding in report_findings(contest, precinct, folded(contest, precinct, keyed))}


def test_the_room_is_what_was_keyed() -> None:
    """Taken out of everybody again, the ballots leave the headcount and the delegates the chair keyed, too."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(40, {"Ash": 20, "Birch": 20}, {"Ash": 19, "Birch": 20}, {"Ash": 3, "Birch": 2})
    everybody = folded(contest, precinct, keyed)
    assert everybody.headcount == 49
    room = in_the_room(contest, precinct, everybody)
    assert (room.headcount, room.delegates) == (40, {"Ash": 3, "Birch": 2})
    assert (nonzero(room.first), nonzero(room.final)) == (keyed.first, keyed.final)


def test_more_align_in_the_room_than_were_counted_there() -> None:
    """12 of 10 in the room are told as such, not as 21 of 19."""
    exceeds = found(Worksheet(10, {"Ash": 12}, {"Ash": 12}, {"Ash": 5}))["FIRST_EXCEEDS_HEADCOUNT"]
    assert exceeds.message == (
        "Polk, First Ward: first alignment 12 exceeds headcount 10 in the room: everybody who aligns has been counted"
    )
    assert exceeds.numbers == {"first": 12, "headcount": 10}


def test_who_walks_in_while_ballots_are_exhausted_has_not_left() -> None:
    """One more in the room and two ballots fewer in all: the final is below the first for the ballots' sake alone."""
    fewer = found(Worksheet(20, {"Ash": 20}, {"Ash": 21}, {"Ash": 5}))["ROUND_MISMATCH"]
    assert fewer.message == (
        "Polk, First Ward: final alignment 28 is below first alignment 29: early ballots with no viable choice: 2"
    )


def test_ballots_at_a_satellite_move_by_the_threshold_of_what_it_elects() -> None:
    """27 people elect five, so 5 are viable: Elm's 3 ballots stay with its 2 in the room. At one half none would."""
    contest, precinct = voting_early(5, *BUNDLES, rules=IOWA)
    satellite = replace(precinct, delegates=None)
    everybody = folded(contest, satellite, Worksheet(18, {"Ash": 16, "Elm": 2}, {"Ash": 16, "Elm": 2}, {}))
    assert {key: size for key, size in everybody.final.items() if size} == {"Ash": 20, "Elm": 5}


def test_where_nobody_was_counted_no_group_is_locked_in() -> None:
    """A satellite of headcount 0 elects nobody, so nobody there was viable; that people aligned is told once."""
    contest, precinct = contest_of(4, IOWA)
    satellite = replace(precinct, delegates=None)
    sheet = Worksheet(0, {"Ash": 5}, {"Ash": 3}, {})
    codes = {finding.code for finding in report_findings(contest, satellite, sheet)}
    assert codes == {"NOBODY_CAME", "FIRST_EXCEEDS_HEADCOUNT", "ROUND_MISMATCH"}

"""Early ballots: dealt out once by what is viable after the first alignment of everybody, and told from the room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotline.caucus.across import column_shift, record
from hotline.caucus.checks import report_findings
from hotline.caucus.contest import Contest, EarlyBallots, Precinct, RuleSet
from hotline.caucus.early import (
    EarlyVotes,
    ballots,
    early_votes,
    final_choices,
    first_choices,
    folded,
    in_the_room,
)
from hotline.caucus.viability import threshold
from hotline.caucus.worksheet import Finding, Tallies, Worksheet
from tests.caucus.party_rules import BANDS, KEYS, NEVADA, contest_of

BUNDLES = (
    EarlyBallots(4, ("Ash", "Birch", "Cedar")),
    EarlyBallots(3, ("Elm", "Birch", "Ash")),
    EarlyBallots(2, ("Fir", "Fir", "Fir")),
)


def voting_early(delegates: int, *bundles: EarlyBallots, rules: RuleSet = NEVADA) -> tuple[Contest, Precinct]:
    """A contest of one precinct with early ballots."""
    contest, precinct = contest_of(delegates, rules)
    return replace(contest, early_ballots={precinct.code: bundles}), precinct


def nonzero(tallies: Tallies) -> dict[str, int]:
    """The counts there are."""
    return {key: count for key, count in tallies.items() if count}


def found(contest: Contest, precinct: Precinct, keyed: Worksheet, code: str) -> Finding | None:
    """The finding of one code on what a chair keyed, or None."""
    findings = report_findings(contest, precinct, folded(contest, precinct, keyed))
    return next((finding for finding in findings if finding.code == code), None)


def test_first_choices_are_counted_whole() -> None:
    """Every ballot stands with its first choice; bundles with the same first choice add up."""
    assert first_choices(BUNDLES) == {"Ash": 4, "Elm": 3, "Fir": 2}
    assert first_choices((*BUNDLES, EarlyBallots(5, ("Ash", "Elm")))) == {"Ash": 9, "Elm": 3, "Fir": 2}


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        (("Ash", "Elm"), {"Ash": 4, "Elm": 3}),
        (("Birch",), {"Birch": 7}),
        (("Ash",), {"Ash": 7}),
        (("Cedar", "Fir"), {"Cedar": 4, "Fir": 2}),
        ((), {}),
    ],
)
def test_a_ballot_counts_once_for_its_highest_choice_standing(standing: tuple[str, ...], expected: Tallies) -> None:
    """The first of its choices that stands takes it, whatever comes after; with none it is out."""
    assert final_choices(BUNDLES, standing) == expected


def test_the_fold_adds_ballots_to_both_alignments_and_the_headcount() -> None:
    """40 in the room and 9 ballots: 49 people, threshold 8; Elm's and Fir's are below it, so their ballots move on."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(
        40, {"Ash": 12, "Birch": 20, "Elm": 4, "Fir": 4}, {"Ash": 20, "Birch": 20}, {"Birch": 3, "Ash": 2}
    )
    everybody = folded(contest, precinct, keyed)
    assert everybody == Worksheet(
        49,
        {"Ash": 16, "Birch": 20, "Elm": 7, "Fir": 6},
        {"Ash": 24, "Birch": 23},
        {"Birch": 3, "Ash": 2},
    )
    votes = EarlyVotes(9, {"Ash": 4, "Elm": 3, "Fir": 2}, {"Ash": 4, "Birch": 3}, 2)
    assert early_votes(contest, precinct, everybody) == votes


def test_ballots_alone_can_make_a_group_viable_after_the_first() -> None:
    """Nobody in the room stands with Elm, yet its three ballots reach the threshold of everybody and stay there."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(8, {"Ash": 8}, {"Ash": 8}, {})
    assert nonzero(folded(contest, precinct, keyed).final) == {"Ash": 12, "Elm": 3}


def test_the_threshold_is_that_of_everybody() -> None:
    """Birch's 6 are viable of the 40 in the room and not of the 49 with ballots, so no ballot moves to it."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(40, {"Ash": 30, "Birch": 6, "Elm": 4}, {"Ash": 30, "Birch": 6}, {})
    assert (threshold(NEVADA, 5, 40), threshold(NEVADA, 5, 49)) == (6, 8)
    assert nonzero(folded(contest, precinct, keyed).final) == {"Ash": 37, "Birch": 6}


def test_the_headcount_counts_those_who_never_aligned() -> None:
    """Elm's 8 are viable of the 49 who aligned and not of the 60 who came, so its ballots move on to Birch."""
    contest, precinct = voting_early(5, *BUNDLES)
    aligned = {"Ash": 15, "Birch": 20, "Elm": 5}
    assert nonzero(folded(contest, precinct, Worksheet(40, aligned, {}, {})).final) == {"Ash": 4, "Elm": 3}
    assert nonzero(folded(contest, precinct, Worksheet(51, aligned, {}, {})).final) == {"Ash": 4, "Birch": 3}


def test_a_group_viable_only_by_realignment_gets_no_ballot() -> None:
    """Cedar is short after the first and large in the final; ballots were dealt out in between."""
    contest, precinct = voting_early(5, EarlyBallots(5, ("Cedar", "Oak", "Ash")))
    keyed = Worksheet(75, {"Ash": 55, "Cedar": 6, "Oak": 14}, {"Ash": 55, "Cedar": 20}, {})
    assert nonzero(folded(contest, precinct, keyed).final) == {"Ash": 55, "Cedar": 20, "Oak": 5}


def test_one_delegate_asks_for_no_threshold_so_ballots_stay() -> None:
    """The caucus elects its one delegate as a whole: each ballot stays with its first choice."""
    contest, precinct = voting_early(1, *BUNDLES)
    everybody = folded(contest, precinct, Worksheet(6, {"Ash": 6}, {"Ash": 6}, {"Ash": 1}))
    assert nonzero(everybody.final) == {"Ash": 10, "Elm": 3, "Fir": 2}
    assert early_votes(contest, precinct, everybody).exhausted == 0


def test_a_satellites_delegates_follow_from_everybody() -> None:
    """18 in the room and 9 ballots are 27 people: five delegates, not four."""
    contest, precinct = voting_early(
        5, *BUNDLES, rules=RuleSet(NEVADA.thresholds, "each-keeps-one", "high card", BANDS)
    )
    site = replace(precinct, delegates=None)
    keyed = Worksheet(18, {"Ash": 18}, {"Ash": 18}, {"Ash": 4})
    under = found(contest, site, keyed, "DELEGATES_UNDER_ALLOTMENT")
    assert under is not None
    assert under.numbers == {"delegates": 4, "allotment": 5}


def test_nobody_in_the_room_is_not_nobody() -> None:
    """Ballots alone elect: the headcount is theirs, and NOBODY_CAME is not found."""
    contest, precinct = voting_early(2, *BUNDLES)
    keyed = Worksheet(0, {}, {}, {"Ash": 1, "Elm": 1})
    everybody = folded(contest, precinct, keyed)
    assert (everybody.headcount, nonzero(everybody.final)) == (9, {"Ash": 4, "Elm": 3})
    assert [f.code for f in report_findings(contest, precinct, everybody) if f.severity == "hard"] == []
    assert found(contest, precinct, keyed, "NOBODY_CAME") is None


def test_without_ballots_the_fold_is_the_worksheet_itself() -> None:
    """Nothing is copied, added or ordered anew where nobody voted early, and no finding speaks of a room."""
    contest, precinct = contest_of(5)
    keyed = Worksheet(40, {"Ash": 30}, {"Ash": 31}, {})
    assert ballots(contest, precinct) == ()
    assert folded(contest, precinct, keyed) is keyed
    assert in_the_room(contest, precinct, keyed) is keyed
    assert early_votes(contest, precinct, keyed) == EarlyVotes(0, {}, {}, 0)


def test_a_headcount_nobody_took_stays_unknown() -> None:
    """The first alignment of everybody stands for it where ballots are dealt out: 31 people, threshold 5."""
    contest, precinct = voting_early(4, *BUNDLES)
    keyed = Worksheet(None, {"Ash": 12, "Birch": 10}, {"Ash": 12, "Birch": 90}, {})
    everybody = folded(contest, precinct, keyed)
    assert everybody.headcount is None
    assert nonzero(everybody.final) == {"Ash": 16, "Birch": 93}
    assert in_the_room(contest, precinct, everybody) == replace(
        keyed, first={"Ash": 12, "Birch": 10, "Elm": 0, "Fir": 0}, final={"Ash": 12, "Birch": 90}
    )


counts = st.dictionaries(st.sampled_from(KEYS), st.integers(0, 30), max_size=len(KEYS))
bundles = st.lists(
    st.builds(EarlyBallots, st.integers(1, 9), st.lists(st.sampled_from(KEYS), min_size=1, max_size=5).map(tuple)),
    max_size=6,
)


@settings(deadline=None)
@given(st.integers(1, 12), st.integers(0, 90), counts, counts, bundles)
def test_every_ballot_is_in_one_final_group_or_exhausted_and_the_room_comes_back(
    delegates: int, headcount: int, first: Mapping[str, int], final: Mapping[str, int], cast: list[EarlyBallots]
) -> None:
    """For any room and ballots, none is lost or doubled, and taking the ballots out gives what was keyed."""
    contest, precinct = voting_early(delegates, *cast)
    keyed = Worksheet(headcount, first, final, {"Ash": 1})
    everybody = folded(contest, precinct, keyed)
    votes = early_votes(contest, precinct, everybody)
    assert votes.cast == sum(bundle.count for bundle in cast) == sum(votes.first.values())
    assert sum(votes.final.values()) + votes.exhausted == votes.cast
    assert sum(everybody.first.values()) == sum(first.values()) + votes.cast
    assert sum(everybody.final.values()) == sum(final.values()) + votes.cast - votes.exhausted
    room = in_the_room(contest, precinct, everybody)
    assert (room.headcount, room.delegates) == (headcount, keyed.delegates)
    assert (nonzero(room.first), nonzero(room.final)) == (nonzero(first), nonzero(final))


@settings(deadline=None, max_examples=40)
@given(counts, bundles)
def test_the_order_of_the_bundles_does_not_matter(first: Mapping[str, int], cast: list[EarlyBallots]) -> None:
    """A file sorted in another way is the same ballots."""
    keyed = Worksheet(sum(first.values()), first, first, {})
    folds = set()
    for order in list(permutations(cast))[:6]:
        contest, precinct = voting_early(4, *order)
        everybody = folded(contest, precinct, keyed)
        folds.add((frozenset(nonzero(everybody.first).items()), frozenset(nonzero(everybody.final).items())))
    assert len(folds) == 1


def test_one_who_enters_is_not_hidden_by_an_exhausted_ballot() -> None:
    """22 in the room after 20: of everybody 29 come after 29, for two ballots are exhausted; still two walked in."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(20, {"Ash": 20}, {"Ash": 22}, {})
    everybody = folded(contest, precinct, keyed)
    assert (sum(everybody.first.values()), sum(everybody.final.values())) == (29, 29)
    entered = found(contest, precinct, keyed, "FINAL_EXCEEDS_FIRST")
    assert entered is not None
    assert (entered.severity, entered.numbers) == ("hard", {"first": 20, "final": 22})
    assert entered.message == (
        "Polk, First Ward: final alignment 22 exceeds first alignment 20 in the room: "
        "nobody may enter between the rounds"
    )


def test_one_who_moves_is_not_hidden_by_a_ballot_that_joins() -> None:
    """Birch's room went from 20 to 18; three ballots joined it and its group grew. Still two members moved."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(40, {"Ash": 16, "Birch": 20, "Elm": 4}, {"Ash": 22, "Birch": 18}, {})
    assert folded(contest, precinct, keyed).final["Birch"] == 21
    moved = found(contest, precinct, keyed, "VIABLE_GROUP_SHRANK")
    assert moved is not None
    assert moved.numbers == {"threshold": 8, "first.Birch": 20, "final.Birch": 18}
    assert moved.message.startswith("Polk, First Ward: Birch went from 20 to 18 in the room: viable at first alignment")


def test_a_group_viable_by_its_ballots_is_locked_in() -> None:
    """Elm's 6 in the room are short of 8, with 3 ballots they are not: none of the 6 may move."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(40, {"Ash": 34, "Elm": 6}, {"Ash": 35, "Elm": 5}, {})
    moved = found(contest, precinct, keyed, "VIABLE_GROUP_SHRANK")
    assert moved is not None
    assert moved.groups == ("Elm",)


def test_exhausted_ballots_are_told_from_people_who_left() -> None:
    """Three fewer in the final: one left the room, two ballots name no viable group."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(40, {"Ash": 20, "Birch": 20}, {"Ash": 20, "Birch": 19}, {"Ash": 3, "Birch": 2})
    fewer = found(contest, precinct, keyed, "ROUND_MISMATCH")
    assert fewer is not None
    assert fewer.message == (
        "Polk, First Ward: final alignment 46 is below first alignment 49: 1 left, "
        "early ballots with no viable choice: 2"
    )
    assert fewer.numbers == {"first": 49, "final": 46}
    stayed = found(contest, precinct, replace(keyed, final={"Ash": 20, "Birch": 20}), "ROUND_MISMATCH")
    assert stayed is not None
    assert stayed.message.endswith("is below first alignment 49: early ballots with no viable choice: 2")


def test_a_shifted_column_shows_although_ballots_stay_in_their_own() -> None:
    """The room's Ash column reads 0 in the final and Birch has its people; Ash's ballots do not hide it."""
    contest, precinct = voting_early(8, *BUNDLES)
    keyed = Worksheet(70, {"Ash": 40, "Elm": 30}, {"Birch": 40, "Elm": 30}, {})
    shifted = column_shift(contest, precinct, folded(contest, precinct, keyed))
    assert shifted is not None
    assert shifted.groups == ("Ash",)
    assert shifted.message == (
        "Polk, First Ward: Ash 40 then 0, Birch beside it 0 then 40: an alignment looks moved one preference over"
    )


def test_a_group_of_ballots_alone_is_no_shifted_column() -> None:
    """Fir is viable by 12 ballots and nobody in the room ever stood there: nothing is missing from its column."""
    contest, precinct = voting_early(5, EarlyBallots(12, ("Fir", "Ash", "Oak")))
    keyed = Worksheet(40, {"Ash": 20, "Oak": 20}, {"Ash": 20, "Oak": 20}, {})
    assert column_shift(contest, precinct, folded(contest, precinct, keyed)) is None


def test_copies_are_recognised_by_what_was_keyed() -> None:
    """Two precincts with one worksheet differ once their own ballots are in: duplicates are asked of what was keyed."""
    contest, precinct = voting_early(5, *BUNDLES)
    keyed = Worksheet(40, {"Ash": 40}, {"Ash": 40}, {})
    assert record(folded(contest, precinct, keyed)) != record(keyed)

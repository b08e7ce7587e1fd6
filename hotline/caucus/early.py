"""Early ballots in both alignments: what the chair keys are the people in the room, what the rules see is everybody.

A ballot stands in the first alignment with its first choice. In the final it counts for its highest choice that was
viable after the first alignment; with none it is exhausted, and stands in the headcount and the first alignment only,
like somebody who left. What is viable after the first alignment is judged on everybody, room and ballots together: the
threshold is that of the folded headcount. Where one delegate is elected no threshold applies and a ballot stays with
its first choice. A group that becomes viable only by realignment gets no ballot: those were dealt out before.

Sources: that ballots are ranked, counted with the room and moved on to the next viable choice, the Nevada State
Democratic Party's rules of 2020 as it announced them for early voting of 15 to 18 February. That a single delegate's
groups need not be viable shows in its results: Clark 1067 elected one with 3 of 6, others keeping 2 and 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hotline.caucus.contest import Contest, EarlyBallots, Precinct
from hotline.caucus.viability import allotment, threshold, viable
from hotline.caucus.worksheet import Tallies, Worksheet


@dataclass(frozen=True)
class EarlyVotes:
    """What a precinct's early ballots add: how many were cast, and their part in each alignment.

    `first` sums to `cast`; `final` and the `exhausted` together sum to `cast`.
    """

    cast: int = 0
    first: Tallies = field(default_factory=dict)
    final: Tallies = field(default_factory=dict)
    exhausted: int = 0


def ballots(contest: Contest, precinct: Precinct) -> tuple[EarlyBallots, ...]:
    """The early ballots of a precinct; () where none were cast."""
    return contest.early_ballots.get(precinct.code, ())


def first_choices(bundles: Sequence[EarlyBallots]) -> dict[str, int]:
    """Ballots by their first choice."""
    sums: Counter[str] = Counter()
    for bundle in bundles:
        sums[bundle.choices[0]] += bundle.count
    return dict(sums)


def final_choices(bundles: Sequence[EarlyBallots], standing: Collection[str]) -> dict[str, int]:
    """Ballots by their highest choice among the groups still `standing`; those with none are left out."""
    sums: Counter[str] = Counter()
    for bundle in bundles:
        for key in bundle.choices:
            if key in standing:
                sums[key] += bundle.count
                break
    return dict(sums)


def early_votes(contest: Contest, precinct: Precinct, everybody: Worksheet) -> EarlyVotes:
    """The early ballots' part in a worksheet that counts `everybody`, room and ballots together.

    Only its headcount and first alignment matter; where nobody took a headcount, the first alignment stands for it.
    """
    bundles = ballots(contest, precinct)
    if not bundles:
        return EarlyVotes()
    first = first_choices(bundles)
    final = final_choices(bundles, _standing(contest, precinct, everybody))
    cast = sum(first.values())
    return EarlyVotes(cast, first, final, cast - sum(final.values()))


def folded(contest: Contest, precinct: Precinct, keyed: Worksheet) -> Worksheet:
    """The worksheet the rules see: the numbers keyed for the room, with the early ballots in both alignments.

    Delegates are won by everybody and stay as keyed. A precinct without early ballots gets its own worksheet back.
    """
    bundles = ballots(contest, precinct)
    if not bundles:
        return keyed
    cast = sum(bundle.count for bundle in bundles)
    headcount = None if keyed.headcount is None else keyed.headcount + cast
    everybody = replace(keyed, headcount=headcount, first=_added(keyed.first, first_choices(bundles)))
    return replace(everybody, final=_added(keyed.final, early_votes(contest, precinct, everybody).final))


def in_the_room(contest: Contest, precinct: Precinct, everybody: Worksheet) -> Worksheet:
    """The numbers keyed for the room, from a folded worksheet: what is left without the early ballots."""
    votes = early_votes(contest, precinct, everybody)
    if not votes.cast:
        return everybody
    headcount = None if everybody.headcount is None else everybody.headcount - votes.cast
    first, final = _less(everybody.first, votes.first), _less(everybody.final, votes.final)
    return replace(everybody, headcount=headcount, first=first, final=final)


def folded_sheets(contest: Contest, keyed: Mapping[str, Worksheet]) -> dict[str, Worksheet]:
    """Every precinct's worksheet folded, by code: what totals and checks are worked out from."""
    return {code: folded(contest, contest.precincts[code], sheet) for code, sheet in keyed.items()}


def _standing(contest: Contest, precinct: Precinct, everybody: Worksheet) -> Collection[str]:
    """The groups a ballot may count for in the final: viable after the first alignment, any where one is elected."""
    headcount = sum(everybody.first.values()) if everybody.headcount is None else everybody.headcount
    elected = allotment(contest, precinct, headcount)
    if elected == 1:
        return contest.keys
    return viable(everybody.first, threshold(contest.rules, elected, headcount))


def _added(tallies: Tallies, more: Tallies) -> dict[str, int]:
    return {key: tallies.get(key, 0) + more.get(key, 0) for key in dict.fromkeys((*tallies, *more))}


def _less(tallies: Tallies, fewer: Tallies) -> dict[str, int]:
    return {key: count - fewer.get(key, 0) for key, count in tallies.items()}

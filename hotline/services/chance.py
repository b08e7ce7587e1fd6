"""Which results chance settled: coin toss or high card in the room. The chair's word stands; this tells them apart.

A report says so itself when the chair named the outcome that happened. One keyed as on the worksheet says it by its
numbers: the rule leaves delegates to chance, and those reported are one of the legal outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable

from hotline.caucus.case import Case
from hotline.caucus.contest import Contest
from hotline.caucus.early import folded
from hotline.caucus.viability import assumed_headcount
from hotline.caucus.worksheet import Finding, Worksheet
from hotline.services.tabulation import Outcome

TIE = "TIE_BY_CHANCE"


def winners(contest: Contest, code: str, everybody: Worksheet, findings: Iterable[Finding]) -> tuple[str, ...]:
    """The groups chance gave a delegate at a precinct, in worksheet order; `everybody` has early ballots in it.

    () where the checks found no tie, and where the delegates are none of its legal outcomes.
    """
    if not any(finding.code == TIE for finding in findings):
        return ()
    division = Case(contest, contest.precincts[code], everybody, assumed_headcount(everybody)).division
    if division is None or not division.allows(everybody.delegates):
        return ()
    return tuple(key for key in contest.keys if everybody.delegates.get(key, 0) > division.certain.get(key, 0))


def winners_of(contest: Contest, outcome: Outcome) -> tuple[str, ...]:
    """The groups chance gave a delegate in a report, which is as keyed for the room."""
    if outcome.worksheet is None:
        return ()
    everybody = folded(contest, contest.precincts[outcome.precinct], outcome.worksheet)
    return winners(contest, outcome.precinct, everybody, outcome.findings)


def is_settled_by_chance(contest: Contest, outcome: Outcome) -> bool:
    """Whether the chair said which outcome of a tie happened, or keyed one of them as on the worksheet."""
    return outcome.origin == "chance" or bool(winners_of(contest, outcome))

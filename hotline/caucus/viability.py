"""Viability: how many delegates a site elects, and how large a group must be to elect one. Integers only.

Sources: the thresholds and the satellite schedule are the help of the 2020 Iowa reporting app; that the threshold is
fixed by the headcount at first alignment and stays when people leave is the Nevada State Democratic Party's math memo
of 26 September 2019. The numbers themselves stand in the contest's rule set.
"""

from __future__ import annotations

from collections.abc import Mapping

from hotline.caucus.contest import Contest, Precinct, RuleSet
from hotline.caucus.worksheet import Tallies, Worksheet


def threshold(rules: RuleSet, delegates: int, headcount: int) -> int:
    """The smallest group that may elect a delegate, in people, for `delegates` elected by a headcount.

    One delegate takes over half; more take the rule set's share, rounded up. Never below 1: an empty group is not
    viable, nobody having come included.
    """
    last = max(rules.thresholds)
    share = rules.thresholds[min(max(delegates, 1), last)]
    if delegates == 1:
        return headcount * share.numerator // share.denominator + 1
    return max(1, -(-headcount * share.numerator // share.denominator))


def satellite_delegates(rules: RuleSet, headcount: int) -> int:
    """The delegates a satellite site elects for its headcount; 0 when nobody came."""
    if not headcount:
        return 0
    return next(
        delegates for largest, delegates in rules.satellite_delegates if largest is None or headcount <= largest
    )


def allotment(contest: Contest, precinct: Precinct, headcount: int) -> int:
    """D: the delegates this site elects; for a satellite they depend on the headcount."""
    if precinct.delegates is None:
        return satellite_delegates(contest.rules, headcount)
    return precinct.delegates


def viable(final: Tallies, smallest: int) -> Mapping[str, int]:
    """The groups of an alignment that reach a `threshold` (1 or more), with their sizes, in the order given."""
    return {group: size for group, size in final.items() if size >= smallest}


def assumed_headcount(worksheet: Worksheet) -> int:
    """The headcount as taken, or the fewest people who can have been there: the larger of the two alignments."""
    if worksheet.headcount is not None:
        return worksheet.headcount
    return max(sum(worksheet.first.values()), sum(worksheet.final.values()))

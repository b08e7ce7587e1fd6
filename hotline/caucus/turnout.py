"""Whether a headcount is far from what came to the precinct before, where the roster says what came. Pure.

No party rule stands behind this: a precinct may grow or empty, so it is a notice for whoever reviews, never a reason to
hold a report. What it is meant to catch is a digit keyed too much or too little, or another precinct's headcount.
"""

from __future__ import annotations

from hotline.caucus.contest import Precinct
from hotline.caucus.viability import assumed_headcount
from hotline.caucus.worksheet import Finding, Worksheet

TIMES = 3
"""Far is more than three times the past attendance, or less than a third of it.

A whole state's attendance may nearly double from one caucus to the next (Iowa's Democrats counted some 124,000 in 2004
and 239,000 in 2008), so twice as many is an election year and not yet a precinct's slip; a digit too much or too little
is about ten times.
"""

FEWEST_APART = 20
"""People between the two, below which nothing is said: where five came before, sixteen are a family and its friends."""


def headcount_outlier(precinct: Precinct, worksheet: Worksheet) -> Finding | None:
    """HEADCOUNT_OUTLIER when everybody counted is far from the precinct's past attendance; None where that is unknown.

    Past attendance counts everybody, so the worksheet is to count everybody too, early ballots folded in. Where nobody
    took a headcount, the larger alignment stands for it and the finding says so.
    """
    past, headcount = precinct.past_attendance, assumed_headcount(worksheet)
    if past is None or abs(headcount - past) < FEWEST_APART:
        return None
    if past <= TIMES * headcount and headcount <= TIMES * past:
        return None
    is_assumed = worksheet.headcount is None
    numbers = {
        "headcount": headcount,
        "past_attendance": past,
        **({"assumed_headcount": headcount} if is_assumed else {}),
    }
    text = (
        f"{precinct.county}, {precinct.name}: headcount {headcount} is "
        f"{'more than three times' if headcount > past else 'less than a third of'} the past attendance of {past}"
        f"{f' (assumed headcount {headcount})' if is_assumed else ''}"
    )
    return Finding("HEADCOUNT_OUTLIER", "notice", "first", text, numbers)

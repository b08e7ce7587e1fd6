"""How many sites should have reported by when: a simple curve over the contest's hours, where it has any.

Nobody is expected before a caucus is over. From then on the share of its sites grows evenly until, an hour and a half
later, nine in ten are expected; the last may take all night. Half a day later nothing is expected any more: what is
called then is no caucus night. It is a curve to notice silence by and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from hotline.caucus.contest import Contest, Hours

REPORTING = timedelta(minutes=90)
MOST = 0.9
OVER = timedelta(hours=12)
PATIENCE = timedelta(minutes=20)
"""A county is silent that has been under half of the curve for so long."""


def expected(contest: Contest, at: datetime) -> Mapping[str, float]:
    """Sites expected to have reported by then, by county or pool; none where no hours are known."""
    due: dict[str, float] = {}
    for site in contest.precincts.values():
        hours = site.hours or contest.hours
        if hours is not None:
            due[site.county] = due.get(site.county, 0.0) + _share(hours, at)
    return due


def silent(contest: Contest, counties: Mapping[str, Mapping[str, int]], at: datetime) -> list[str]:
    """Counties under half of the curve for `PATIENCE`: reports only grow, so what is missing now was missing then."""
    due = expected(contest, at - PATIENCE)
    return [
        name
        for name, counted in counties.items()
        if due.get(name, 0.0) >= 1 and counted["reported"] + counted["closed"] < due[name] / 2
    ]


def is_peak(contest: Contest, at: datetime) -> bool:
    """Whether most calls should be coming in now: the hour after the caucuses; False where no hours are known."""
    hours = contest.hours
    return hours is not None and hours.closes <= at < hours.closes + timedelta(hours=1)


def _share(hours: Hours, at: datetime) -> float:
    since = at - hours.closes
    return min(MOST, max(0.0, MOST * (since / REPORTING))) if since < OVER else 0.0

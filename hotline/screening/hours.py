"""Whether a call comes outside the hours of the event (AB-10): long before doors open, or long after the close."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from hotline.caucus.contest import Hours
from hotline.screening.policy_file import Policy


def is_outside(at: datetime, sites: Collection[Hours | None], policy: Policy) -> bool:
    """Whether at that instant no report is due from any of the sites the caller may report for.

    `sites` are the hours of those the number is on file for, of all sites when it is on file for none: whoever calls
    from an unlisted phone may be the chair of a satellite abroad. Where a site's hours are not known (None), or the
    policy does not weigh them, nothing is outside.
    """
    weights = policy.features.get("AB-10")
    if weights is None:
        return False
    before, after = timedelta(minutes=weights["before"]), timedelta(minutes=weights["after"])
    return not any(each is None or each.opens - before <= at <= each.closes + after for each in sites)

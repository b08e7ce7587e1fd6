"""Outside the hours of the event: by the site of the caller where it is known, by all sites where it is not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hotline.caucus.contest import Hours
from hotline.screening.hours import is_outside
from tests.screening.calling import NOW, policy

HERE = Hours(NOW, NOW + timedelta(hours=2))
ABROAD = Hours(NOW - timedelta(hours=9), NOW - timedelta(hours=7))
IOWA = policy()


@pytest.mark.parametrize(
    ("hours", "outside"),
    [(-2.01, True), (-2, False), (0, False), (2, False), (14, False), (14.01, True), (24 * 365, True)],
)
def test_from_two_hours_before_doors_to_twelve_after_the_close(hours: float, outside: bool) -> None:
    """Both ends belong to it."""
    assert outside == is_outside(NOW + timedelta(hours=hours), [HERE], IOWA)


def test_whoever_may_be_any_sites_chair_has_the_hours_of_all() -> None:
    """In the morning only a satellite abroad has caucused; a number on file for another site is early then."""
    morning = NOW - timedelta(hours=6)
    assert [True, False, False] == [is_outside(morning, sites, IOWA) for sites in ([HERE], [ABROAD], [HERE, ABROAD])]


def test_unknown_hours_are_never_over() -> None:
    """Nor are those the policy does not weigh."""
    long_after = NOW + timedelta(days=300)
    assert not is_outside(long_after, [None], IOWA)
    assert not is_outside(long_after, [HERE, None], IOWA)
    assert is_outside(long_after, [HERE], IOWA)
    assert not is_outside(long_after, [HERE], policy({"features.AB-10.on": False}))


def test_policy_says_how_long_before_and_after() -> None:
    """To the minute."""
    short = policy({"features.AB-10.before": 5, "features.AB-10.after": 7})
    found = [is_outside(NOW + timedelta(minutes=minutes), [HERE], short) for minutes in (-6, -5, 127, 128)]
    assert [True, False, False, True] == found

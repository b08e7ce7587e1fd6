"""The curve a county's reports are held against."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hotline.caucus.contest import Contest, Hours
from hotline.services.expected import expected, is_peak, silent
from tests.services.nights import shipped

CLOSES = datetime(2020, 2, 4, 3, 0, tzinfo=UTC)
HOURS = Hours(CLOSES - timedelta(hours=2), CLOSES)


def contest(hours: Hours | None = HOURS) -> Contest:
    found, _ = shipped("iowa-2020")
    sites = {code: replace(site, hours=None) for code, site in found.precincts.items() if site.county == "Polk"}
    return replace(found, precincts=sites, hours=hours)


def polk(reported: int, closed: int = 0) -> dict[str, dict[str, int]]:
    return {"Polk": {"total": 177, "reported": reported, "held": 0, "closed": closed, "outstanding": 177 - reported}}


@pytest.mark.parametrize(
    ("minutes", "sites"), [(-5, 0.0), (0, 0.0), (45, 79.65), (90, 159.3), (600, 159.3), (12 * 60, 0.0)]
)
def test_the_curve_climbs_for_an_hour_and_a_half_and_ends_after_half_a_day(minutes: int, sites: float) -> None:
    """Polk has 177 precincts, of which nine in ten are expected in the end."""
    assert sites == pytest.approx(expected(contest(), CLOSES + timedelta(minutes=minutes))["Polk"])


def test_a_site_with_hours_of_its_own_is_expected_by_them() -> None:
    ours = contest()
    code = next(iter(ours.precincts))
    early = Hours(CLOSES - timedelta(hours=9), CLOSES - timedelta(hours=6))
    ours = replace(ours, precincts={**ours.precincts, code: replace(ours.precincts[code], hours=early)})
    assert pytest.approx(0.9) == expected(ours, CLOSES)["Polk"]


def test_a_county_is_silent_after_twenty_minutes_under_half_of_it() -> None:
    """What was due twenty minutes ago counts: 45 minutes after the close half of 79.65 sites."""
    at = CLOSES + timedelta(minutes=65)
    assert ["Polk"] == silent(contest(), polk(39), at)
    assert [] == silent(contest(), polk(40), at)
    assert [] == silent(contest(), polk(30, closed=10), at)
    assert [] == silent(contest(), polk(0), CLOSES + timedelta(minutes=20))


def test_without_hours_nothing_is_expected() -> None:
    nobody_knows = contest(hours=None)
    assert ({}, [], False) == (
        dict(expected(nobody_knows, CLOSES)),
        silent(nobody_knows, polk(0), CLOSES + timedelta(hours=2)),
        is_peak(nobody_knows, CLOSES),
    )


@pytest.mark.parametrize(("minutes", "is_now"), [(-1, False), (0, True), (59, True), (60, False)])
def test_the_peak_is_the_hour_after_the_caucuses(minutes: int, is_now: bool) -> None:
    assert is_now == is_peak(contest(), CLOSES + timedelta(minutes=minutes))

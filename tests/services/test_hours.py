"""Calls before doors open and long after the close: a few points for strangers, and no harm to a chair."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hotline.caucus.contest import Hours
from hotline.events.guard import CallScreened
from hotline.services import intake
from hotline.services.screening import outlook
from hotline.telephony.inbound import InboundCall
from tests.lines import line_on
from tests.services.callers import sid
from tests.services.numbered import CHAIR, CODE, OURS, STRANGER, events
from tests.store.held import HeldClock

DOORS = datetime(2020, 2, 4, 1, tzinfo=UTC)
EARLY, LATE = DOORS - timedelta(hours=3), DOORS + timedelta(hours=15)
ABROAD = "16798"


@pytest.fixture
def clock():
    return HeldClock([EARLY])


@pytest.fixture
def line(database, tmp_path, clock):
    opened = line_on(database, tmp_path, clock, keeps_hours=True)
    opened.roster.register_number(CHAIR, CODE, "chair")
    yield opened
    opened.ledger.engine.dispose()


def met(line, n, number, verstat="none"):
    """What a ring is worth by its hour, and how it is met."""
    intake.answer_call(line, InboundCall(sid(n), number, OURS, verstat))
    screened = events(line, CallScreened)[-1]
    return screened.parts.get("AB-10", 0), screened.decision


def with_satellite(line):
    """The line with a satellite that caucuses nine hours before the state."""
    own = Hours(DOORS - timedelta(hours=9), DOORS - timedelta(hours=7))
    site = replace(line.contest.precincts[ABROAD], hours=own)
    return replace(line, contest=replace(line.contest, precincts={**line.contest.precincts, ABROAD: site}))


@pytest.mark.parametrize(("at", "points"), [(EARLY, 10), (DOORS, 0), (DOORS + timedelta(hours=13), 0), (LATE, 10)])
def test_stranger_outside_the_hours_has_ten_points(line, clock, at, points):
    """Which challenge nobody by themselves; withheld or not."""
    clock.at[0] = at
    assert [(points, "admit")] * 2 == [met(line, n + 1, number) for n, number in enumerate((STRANGER, None))]
    assert (points > 0) == ("outside the hours" in outlook(line, STRANGER).told)


def test_number_on_file_is_let_in_at_any_hour(line, clock):
    """The points are told and harm nobody."""
    for n, at in enumerate((EARLY, DOORS, LATE)):
        clock.at[0] = at
        assert met(line, n + 1, CHAIR)[1] == "admit"


def test_satellite_keeps_its_own_hours(line):
    """Its chair is not early, a chair of the state is; whoever is on file for neither may be the satellite's."""
    other = with_satellite(line)
    other.roster.register_number("+442079460123", ABROAD, "chair")
    assert (0, 10, 0) == tuple(
        met(other, n + 1, number)[0] for n, number in enumerate(("+442079460123", CHAIR, STRANGER))
    )


def test_number_on_file_for_a_precinct_of_no_contest_is_judged_by_all(line):
    """What is left of another contest names no hours."""
    line.roster.register_number("+15155550888", "99992", "substitute")
    assert met(line, 1, "+15155550888") == (10, "admit")


def test_rehearsal_has_no_hours(line, database, tmp_path, clock):
    """It is held on any day; so is a contest whose hours nobody knows."""
    line.roster.mark_rehearsal()
    rehearsing = line_on(database, tmp_path, clock, keeps_hours=True)
    assert rehearsing.is_rehearsal
    assert met(rehearsing, 1, STRANGER) == (0, "admit")
    rehearsing.ledger.engine.dispose()
    unknown = replace(line, contest=replace(line.contest, hours=None))
    assert met(unknown, 2, STRANGER) == (0, "admit")

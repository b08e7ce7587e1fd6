"""When doors open and close: of the contest, of a site that has its own, and what is said of hours that are none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from hotline.caucus.contest import Contest, Hours
from hotline.caucus.folder import read_contest
from tests.caucus.test_contest_folder import Folder, problems

OPENS, CLOSES = datetime(2020, 2, 4, 1, tzinfo=UTC), datetime(2020, 2, 4, 3, tzinfo=UTC)
TABLE = b"[hours]\nopens = 2020-02-03T19:00:00-06:00\ncloses = 2020-02-03T21:00:00-06:00\n[rules]"
UNCLEAR = "must be a time with its offset from UTC, like 2020-02-03T19:00:00-06:00"


@pytest.fixture
def with_hours(small: Folder) -> Folder:
    small["contest.toml"] = small["contest.toml"].replace(b"[rules]", TABLE, 1)
    return small


def test_hours_are_instants(with_hours: Folder) -> None:
    """Seven in the evening in Iowa is one in the morning, UTC: whichever clock a machine has."""
    contest = read_contest(with_hours)
    assert contest.hours == Hours(OPENS, CLOSES)
    assert contest.hours is not None
    assert contest.hours.opens.tzinfo == timezone(timedelta(hours=-6))
    assert {Hours(OPENS, CLOSES)} == contest.every_hours


def test_contest_may_do_without(small: Folder) -> None:
    """Nobody knows its hours then, nor any site's."""
    contest = read_contest(small)
    assert contest.hours is None
    assert {None} == contest.every_hours == contest.hours_of(["00013"])


@pytest.mark.parametrize("file", ["satellites.csv", "precincts.csv"])
def test_site_may_have_its_own(with_hours: Folder, file: str) -> None:
    """As a satellite abroad does, or a precinct that meets in the morning; all others keep the contest's."""
    code, own = ("00045", Hours(OPENS - timedelta(hours=7), CLOSES - timedelta(hours=7)))
    if file == "satellites.csv":
        with_hours[file] = (
            b"code,pool,name,spoken,opens,closes\n"
            b"00045,CD1,Library,,2020-02-03T19:00:00+01:00,2020-02-03T21:00:00+01:00\n"
        )
    else:
        code = "00037"
        rows = with_hours[file].decode().splitlines()
        rows[0] += ",closes,opens"
        rows[3] += ",2020-02-03T20:00Z,2020-02-03T18:00Z"
        with_hours[file] = "\n".join(rows).encode()
    contest = read_contest(with_hours)
    assert own == contest.precincts[code].hours
    assert {own} == contest.hours_of([code])
    assert {own, Hours(OPENS, CLOSES)} == contest.every_hours == contest.hours_of([code, "00013"])
    assert frozenset() == contest.hours_of([])
    assert contest.precincts["00013"].hours is None


SLIPS = [
    (b"opens = 2020-02-03T19:00:00-06:00", b"", [f"hours.opens: {UNCLEAR}"]),
    (b"closes = 2020-02-03T21:00:00-06:00", b"", [f"hours.closes: {UNCLEAR}"]),
    (b"19:00:00-06:00", b"19:00:00", [f"hours.opens: {UNCLEAR}"]),
    (b"2020-02-03T21:00:00-06:00", b"2020-02-03", [f"hours.closes: {UNCLEAR}"]),
    (b"2020-02-03T21:00:00-06:00", b'"2020-02-03T21:00:00-06:00"', [f"hours.closes: {UNCLEAR}"]),
    (TABLE, b"[hours]\n[rules]", [f"hours.opens: {UNCLEAR}", f"hours.closes: {UNCLEAR}"]),
    (b"T21:00", b"T19:00", ["hours.closes: must be later than opens"]),
    (b"T21:00", b"T18:59", ["hours.closes: must be later than opens"]),
    (b"[hours]", b"[hours]\nlunch = 12", ["hours, lunch: is not known; known here: closes, opens"]),
]


@pytest.mark.parametrize(("sound", "slip", "told"), SLIPS)
def test_slip_in_the_hours_is_named(with_hours: Folder, sound: bytes, slip: bytes, told: list[str]) -> None:
    """Where it is, and what to write."""
    assert sound in with_hours["contest.toml"]
    with_hours["contest.toml"] = with_hours["contest.toml"].replace(sound, slip, 1)
    assert [f"contest.toml, {line}" for line in told] == problems(with_hours)


def test_hours_written_as_something_else(small: Folder) -> None:
    """They are a table, as other rules are."""
    small["contest.toml"] = b'hours = "7 pm"\n' + small["contest.toml"]
    assert ["contest.toml, hours: must be written as an [hours] table"] == problems(small)


@pytest.mark.parametrize(
    ("opens", "closes", "told"),
    [
        ("7 pm", "2020-02-03T21:00Z", [f"opens: {UNCLEAR}"]),
        ("2020-02-03T19:00Z", "", [f"closes: {UNCLEAR}"]),
        ("", "2020-02-03T21:00", [f"opens: {UNCLEAR}", f"closes: {UNCLEAR}"]),
        ("2020-02-03T19:00Z", "2020-02-03T19:00Z", ["closes: must be later than opens"]),
    ],
)
def test_slip_in_a_sites_hours_is_named(small: Folder, opens: str, closes: str, told: list[str]) -> None:
    """By file, line and column."""
    small["satellites.csv"] = f"code,pool,name,opens,closes\n00045,CD1,Library,{opens},{closes}\n".encode()
    assert [f"satellites.csv line 2, column {line}" for line in told] == problems(small)


@pytest.mark.parametrize(
    ("name", "opens", "closes"),
    [
        ("iowa", "2020-02-04T01:00:00+00:00", "2020-02-04T03:00:00+00:00"),
        ("nevada", "2020-02-22T18:00:00+00:00", "2020-02-22T23:00:00+00:00"),
    ],
)
def test_hours_as_shipped(name: str, opens: str, closes: str, request: pytest.FixtureRequest) -> None:
    """Iowa's caucuses at seven in the evening, Nevada's doors at ten in the morning, of the place."""
    contest: Contest = request.getfixturevalue(name)
    assert contest.hours is not None
    assert (opens, closes) == tuple(
        each.astimezone(UTC).isoformat() for each in (contest.hours.opens, contest.hours.closes)
    )

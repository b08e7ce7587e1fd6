"""What staff and machines are shown of the line: every figure is what was called, reported and left waiting."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hotline.services import tabulation
from hotline.services.line import Line
from hotline.services.monitoring import FRESH_SECONDS, Monitor, abandoned, age, completed, quantile
from hotline.store.tallies import Ending, Ringing, Tally
from tests.services.callers import Caller, sid, signed_in
from tests.services.reports import confirm, worksheet


def test_calls_of_the_last_minutes_stand_by_lane_and_decision(line: Line) -> None:
    """One hangs up at the code, one rings on."""
    caller = Caller(line, sid(1))
    caller.ring()
    caller.hang_up(seconds=12)
    Caller(line, sid(2)).ring()
    figures = Monitor(line).figures()
    assert {Ringing("unknown", "admit", False): 2} == figures.minute.began == figures.lately.began
    assert (1, {"code": 1}, 0) == (figures.gauges.live, abandoned(figures.lately), completed(figures.lately))


def test_sites_are_counted_in_total_and_by_county(line: Line) -> None:
    """A report is outstanding until it was worked out, then among the reported; a held one is so too."""
    confirm(line, "00013", worksheet())
    confirm(line, "00021", worksheet("00021", first={"Yang": 100}))
    assert 0 == Monitor(line).figures().precincts["reported"]
    for code in ("00013", "00021"):
        tabulation.tabulate(line, code)
    figures = Monitor(line).figures()
    county = line.contest.precincts["00013"].county
    total = len(line.contest.precincts)
    assert {"total": total, "reported": 2, "held": 1, "closed": 0, "outstanding": total - 2} == figures.precincts
    assert (2, 1) == (figures.counties[county]["reported"], figures.counties[county]["held"])
    assert total == sum(each["total"] for each in figures.counties.values())
    assert 1 == figures.gauges.held.count


def test_alerts_and_the_state_of_the_night_are_shown(line: Line) -> None:
    line.conditions.set_state("attack", by="ana", why="a test")
    figures = Monitor(line).figures()
    assert ("attack", ["attack"]) == (figures.state, [each.kind for each in figures.alerts])


def test_wrong_pins_count_towards_the_budget(line: Line) -> None:
    packet = line.pins.issue(["00013"])[0]
    caller = Caller(line, sid(1))
    caller.ring()
    caller.keys("00013", "12345670" if packet.pin != "12345670" else "12345671")
    time.sleep(FRESH_SECONDS)  # what is known of the night at a ring is kept for a second
    figures = Monitor(line).figures()
    assert (1, "quiet", frozenset()) == (figures.guesses, figures.guessing, figures.contested)


def test_without_redis_the_rest_is_still_shown(line: Line) -> None:
    assert Monitor(line).figures().queue is None


def test_who_asks_again_at_once_is_given_the_same_look(line: Line) -> None:
    monitor = Monitor(line)
    first = monitor.figures()
    assert first is monitor.figures()
    time.sleep(FRESH_SECONDS)
    assert first is not monitor.figures()


def test_a_chair_who_reported_has_not_left(line: Line) -> None:
    """Where hanging up leaves nothing unfinished, and whose number is on file."""
    tally = Tally(
        {},
        {Ending("done", True, True): 5, Ending("first", True, True): 2, Ending("code", False, False): 3},
        (100, 120, 140, 160, 500),
    )
    assert {"first": 2, "code": 3} == abandoned(tally)
    assert {"first": 2} == abandoned(tally, chairs_only=True)
    assert (5, 140, 500) == (completed(tally), quantile(tally.seconds, 50), quantile(tally.seconds, 95))
    assert quantile((), 50) is None


@pytest.mark.parametrize(
    ("oldest", "seconds"), [(None, 0.0), ("2020-02-03T19:00:00.000Z", 90.5), ("2020-02-03T19:02:00.000Z", 0.0)]
)
def test_how_long_something_has_waited(oldest: str | None, seconds: float) -> None:
    """Nothing waits for less than no time, though clocks differ."""
    assert seconds == age(oldest, "2020-02-03T19:01:30.500Z")


def test_the_disk_is_the_data_folders(line: Line, tmp_path: Path) -> None:
    assert 0 < Monitor(line).figures().free < 1


def test_a_call_that_was_signed_in_and_done_has_its_length_told(line: Line) -> None:
    packet = line.pins.issue(["00013"])[0]
    caller = signed_in(line, "00013", packet.pin)
    caller.hang_up(seconds=33)
    assert (0, {"precinct": 1}) == (
        completed(Monitor(line).figures().lately),
        dict(abandoned(Monitor(line).figures().lately)),
    )

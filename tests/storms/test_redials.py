"""After an outage of ours every chair calls again at once, some again and again: nobody is banned for it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hotline.caucus.roster import ChairNumber
from hotline.events.guard import CallScreened
from hotline.screening.signals import EventState
from hotline.store.database import reading
from hotline.store.schema import blocks
from tests.storms.weather import Storm, numbers, storm_on

MINUTE = 60
SIZES = [150, pytest.param(1765, marks=[pytest.mark.storm, pytest.mark.timeout(1800)])]


def chairs_of(storm: Storm) -> dict[str, bool]:
    """A number for each precinct, and whether it is on file: four of five are."""
    known = {number: n % 5 > 0 for n, number in enumerate(numbers("515", len(storm.packets)))}
    pairs = zip(known, storm.packets, strict=True)
    listed = [ChairNumber(number, code, "chair") for number, code in pairs if known[number]]
    storm.line.roster.register_numbers(listed)
    return known


def cut_off(storm: Storm, known: dict[str, bool]) -> None:
    """The outage: each is cut off in mid-call, and at once when they ring again."""
    for number in known:
        caller = storm.ring(number)
        caller.key(next(iter(storm.packets)))
        caller.hang_up()
        storm.ring(number).hang_up(seconds=3)
    storm.clock.move(minutes=2)


def redial(storm: Storm, known: dict[str, bool], times: int) -> list[CallScreened]:
    """Each rings `times` within a minute; all calls but the last are cut off at once."""
    before = storm.line.ledger.head()
    for turn in range(1, times + 1):
        for number in known:
            caller = storm.ring(number)
            if turn < times:
                caller.hang_up(seconds=3)
            storm.clock.move(seconds=MINUTE / (times * len(known)))
    events = [each.event for each in storm.line.ledger.events(before)]
    return [event for event in events if isinstance(event, CallScreened)]


@pytest.mark.parametrize("sites", SIZES)
@pytest.mark.parametrize("state", ["calm", "attack"])
def test_all_chairs_calling_again_are_let_in(
    sites: int, state: EventState, database: Path, tmp_path: Path, valkey, connection
) -> None:
    """The whole state within a minute: all are admitted, on file or not, in an attack as well.

    That is 1,765 rings, under the 2,000 a minute that one of our numbers takes before strangers are asked to wait.
    """
    storm = storm_on(database, tmp_path, sites, REDIS_URL=valkey.url)
    try:
        known = chairs_of(storm)
        storm.line.conditions.set_state(state, by="Ana", why="a test")
        cut_off(storm, known)
        connection.flushall()  # Redis goes by its own clock: for it, too, the outage lasted minutes
        screened = redial(storm, known, 1)
        assert {"admit": sites} == Counter(each.decision for each in screened)
        assert {"chair": sum(known.values()), "unknown": sites - sum(known.values())} == Counter(
            each.lane for each in screened
        )
    finally:
        storm.line.ledger.engine.dispose()


@pytest.mark.parametrize("state", ["calm", "watch", "attack"])
def test_even_the_impatient_are_not_banned(state: EventState, database: Path, tmp_path: Path) -> None:
    """Six rings each in a minute: those on file are admitted each time, the others asked for three digits at most."""
    storm = storm_on(database, tmp_path, 40)
    try:
        known = chairs_of(storm)
        storm.line.conditions.set_state(state, by="Ana", why="a test")
        cut_off(storm, known)
        screened = redial(storm, known, 6)
        assert {"admit"} == {each.decision for each in screened if each.lane == "chair"}
        assert {"admit", "challenge"} == {each.decision for each in screened if each.lane != "chair"}
        assert 6 * sum(known.values()) == sum(each.lane == "chair" for each in screened)
        with reading(storm.line.ledger.engine) as database_connection:
            assert [] == list(database_connection.execute(blocks.select()))
    finally:
        storm.line.ledger.engine.dispose()

"""Phones whose keys are never heard, by the dozen: chairs reach somebody, pranksters nobody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hotline.caucus.roster import ChairNumber
from hotline.events.guard import CallScreened
from hotline.events.kinds import PersonCalledFor
from hotline.events.verification import CallBackRequested
from tests.services.callers import Caller, spoken
from tests.storms.weather import Storm, numbers, storm_on

STAFF = "+15155550190"
SITES = 30


@pytest.fixture
def storm(database: Path, tmp_path: Path) -> Iterator[Storm]:
    """Staff are on duty, and every precinct has a number on file."""
    storm = storm_on(database, tmp_path, SITES, HOTLINE_STAFF_NUMBERS=STAFF)
    pairs = zip(numbers("515", SITES), storm.packets, strict=True)
    storm.line.roster.register_numbers(ChairNumber(number, code, "chair") for number, code in pairs)
    yield storm
    storm.line.ledger.engine.dispose()


def silent(storm: Storm, caller: Caller) -> str:
    """Nothing is heard until the line has had enough; its last words."""
    said = ""
    while not storm.session(caller).ended:
        said = caller.key(None)
    caller.hang_up()
    return said


def of(storm: Storm, kind: type) -> list:
    return [each.event for each in storm.line.ledger.events() if isinstance(each.event, kind)]


def test_numbers_on_file_reach_a_person(storm: Storm) -> None:
    """Every one of them, at their first call and their third."""
    for _ in range(3):
        for number in numbers("515", SITES):
            assert STAFF in silent(storm, storm.ring(number))
    assert 3 * SITES == len(of(storm, PersonCalledFor))


def test_other_phones_get_a_call_to_the_number_on_file(storm: Storm) -> None:
    """A code was heard and no PIN: the number on file is called, once each; nobody is put through."""
    for number, code in zip(numbers("641", SITES), storm.packets, strict=True):
        caller = storm.ring(number)
        caller.key(code)
        assert "We will call the chair's number on file" in spoken(silent(storm, caller))
    assert list(storm.packets) == [event.precinct for event in of(storm, CallBackRequested)]
    assert set(storm.packets) == {each.precinct for each in storm.line.call_backs.due(SITES)}
    assert [] == of(storm, PersonCalledFor)


def test_pranksters_reach_nobody(storm: Storm) -> None:
    """Fifty hold the line in silence, again and again: no person, no call to anyone; and they are met more coolly."""
    for _ in range(4):
        for number in numbers("202", 50):
            assert STAFF not in silent(storm, storm.ring(number))
            storm.clock.move(seconds=5)
    assert ([], []) == (of(storm, PersonCalledFor), of(storm, CallBackRequested))
    assert {"slow", "reject"} >= {each.decision for each in of(storm, CallScreened)[-50:]}


def test_many_silences_at_one_code_make_one_call(storm: Storm) -> None:
    """Who has a photographed packet's code cannot have its chair called again and again, nor whoever was slowed."""
    code = next(iter(storm.packets))
    for number in numbers("202", 50):
        caller = storm.ring(number)
        caller.key(code)
        silent(storm, caller)
    (waiting,) = storm.line.call_backs.due(9)
    assert storm.line.call_backs.claim(waiting.id, numbers("515", SITES)[0])
    caller = storm.ring("+12025559999")
    caller.key(code)
    silent(storm, caller)
    assert [] == storm.line.call_backs.due(9)

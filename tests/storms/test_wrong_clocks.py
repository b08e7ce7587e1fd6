"""A clock that jumps, forward or back: nobody is banned for it, no ban is forgotten, and order stays order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from hotline.caucus.roster import ChairNumber
from hotline.dialog.session import Session
from hotline.screening.verdict import Decision
from hotline.services.screening import screen
from hotline.store.database import reading
from hotline.store.ledger import Keeping, NewCall
from hotline.store.schema import pin_attempts
from hotline.telephony.inbound import InboundCall
from tests.services.callers import WHOLE, Caller, confirmation, sid
from tests.storms.weather import OURS, Storm, numbers, storm_on

SITES = 30
JUMPS = [pytest.param(60, id="an hour on"), pytest.param(-60, id="an hour back"), pytest.param(-5, id="5 minutes back")]
BLOCKED, GUESSER, HASTY = "+12025550100", "+12125550100", "+13125550100"


@pytest.fixture
def storm(database: Path, tmp_path: Path) -> Iterator[Storm]:
    """Chairs on file; one number blocked by staff, one that has used up its guesses of a day, one with a bad call."""
    storm = storm_on(database, tmp_path, SITES)
    pairs = zip(numbers("515", SITES), storm.packets, strict=True)
    storm.line.roster.register_numbers(ChairNumber(number, code, "chair") for number, code in pairs)
    storm.line.blocks.block(BLOCKED, span=timedelta(hours=12), why="abusive", by="Ana")
    while guess(storm, GUESSER, has_passed=True) != "person":
        storm.clock.move(minutes=2)
    for _ in range(4):
        guess(storm, HASTY, has_passed=True)
    yield storm
    storm.line.ledger.engine.dispose()


def guess(storm: Storm, number: str, *, has_passed: bool = False) -> str | None:
    """One wrong PIN in a call of its own, at a precinct of its own, the ring not screened; what came of it."""
    caller = Caller(storm.line, sid(10**9 + storm.rings), number)
    with storm.line.ledger.open_call(NewCall(caller.sid, number, OURS)) as opened:
        opened.record(Keeping([], Session(caller.sid, has_passed=has_passed).to_json(), "<first/>"))
    code = list(storm.packets)[storm.rings]
    storm.rings += 1
    caller.keys(code, f"{(int(storm.packets[code].pin) + 70_361_548) % 10**8:08}")
    state = storm.session(caller).state
    caller.hang_up()
    return state


def judged(storm: Storm) -> int:
    """How many PINs were looked at."""
    with reading(storm.line.ledger.engine) as connection:
        return connection.execute(select(func.count()).select_from(pin_attempts)).scalar_one()


def met(storm: Storm, number: str) -> Decision:
    """How a call of the number would be met now; nothing is kept of it."""
    return screen(storm.line, InboundCall(sid(10**6), number, OURS)).verdict.decision


def standing_of(storm: Storm) -> dict[str, Decision]:
    """Everybody's standing: chairs, strangers, the bad ones."""
    everyone = [*numbers("515", SITES), *numbers("641", SITES), BLOCKED, GUESSER, HASTY]
    return {number: met(storm, number) for number in everyone}


@pytest.mark.parametrize("minutes", JUMPS)
def test_jump_bans_nobody_and_frees_no_one_blocked(storm: Storm, minutes: int) -> None:
    """Chairs and strangers without a fault are let in as before; a block and a day's used-up guesses hold."""
    before = standing_of(storm)
    storm.clock.set_wrong(minutes=minutes)
    after = standing_of(storm)
    honest = [*numbers("515", SITES), *numbers("641", SITES)]
    assert {"admit"} == {standing[number] for number in honest for standing in (before, after)}
    assert "reject" == before[BLOCKED] == after[BLOCKED]
    guesses = judged(storm)
    assert "person" == guess(storm, GUESSER, has_passed=True)
    assert guesses == judged(storm), "not one guess more"


@pytest.mark.parametrize("minutes", JUMPS)
def test_clock_put_right_leaves_no_trace(storm: Storm, minutes: int) -> None:
    """Scores are worked out anew from what was recorded: an hour that never was is forgotten with the error."""
    before = standing_of(storm)
    storm.clock.set_wrong(minutes=minutes)
    standing_of(storm)
    storm.clock.set_wrong(minutes=-minutes)
    assert before == standing_of(storm)
    assert "admit" != before[HASTY]


@pytest.mark.parametrize("minutes", [-60, -5])
def test_clock_that_falls_back_lets_no_bad_caller_go(storm: Storm, minutes: int) -> None:
    """Marks of the future count as fresh ones."""
    before = met(storm, HASTY)
    storm.clock.set_wrong(minutes=minutes)
    assert before == met(storm, HASTY)


@pytest.mark.parametrize("minutes", JUMPS)
def test_last_word_is_the_last_said(storm: Storm, minutes: int) -> None:
    """A report and its correction across the jump: the correction counts, and a live call goes on to its end."""
    number, code = numbers("515", 1)[0], next(iter(storm.packets))
    packet = storm.packets[code]
    assert confirmation(storm.ring(number).keys(code, packet.pin, "1", *WHOLE, "1"))
    again = storm.ring(number)
    again.keys(code, packet.pin, "2", packet.correction_code)
    storm.clock.set_wrong(minutes=minutes)
    said = again.keys("1", "50")
    while not confirmation(said):
        said = again.key("1")  # what follows from the new headcount is kept as the rules have it
    current = storm.line.ledger.standing(code).current
    assert current is not None
    assert (2, 50) == (current[1].version, current[1].headcount)

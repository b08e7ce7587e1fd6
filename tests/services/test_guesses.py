"""Guessing over a whole line: patterns, contested precincts, attacks and limits, from the keys to the alert."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hotline.events.guard import EventStateChanged
from hotline.events.kinds import ChairSignedIn, SignInFailed
from hotline.services.line import Line
from hotline.store import embedded
from hotline.store.database import reading
from tests.conftest import Runs
from tests.lines import line_on
from tests.services.callers import Caller, sid, spoken

STRANGER = "+15155550101"


def events(line: Line, kind: type) -> list[object]:
    return [each.event for each in line.ledger.events() if isinstance(each.event, kind)]


def guesses(line: Line, *pins: str, number: str | None = STRANGER, first: int = 1, code: str = "00013") -> None:
    """Key each PIN in a call of its own, past the challenge when one is asked for."""
    for n, pin in enumerate(pins):
        caller = Caller(line, sid(first + n), number)
        caller.ring()
        kept = line.ledger.session(caller.sid)
        assert kept is not None
        if kept["challenge"]:
            caller.key(kept["challenge"])
        caller.keys(code, pin)


def test_pins_in_steps_are_guesses_by_the_third(line: Line) -> None:
    """Each by itself looks like any PIN; together they climb. The PINs themselves stand nowhere."""
    pins = ("70361548", "70361549", "70361550")
    guesses(line, *pins)
    marks = [mark.kind for mark in line.callers.known(STRANGER).marks]
    assert marks.count("guess") == 3
    assert [event.pattern for event in events(line, SignInFailed)] == ["", *["a step from one before"] * 2]
    kept = (Path(line.settings.data) / "hotline.db-wal").read_bytes()
    assert not [pin for pin in pins if pin.encode() in kept]


def test_same_slip_twice_is_no_pattern(line: Line) -> None:
    """A misread packet is misread again."""
    guesses(line, "70361548", "70361548")
    assert [event.pattern for event in events(line, SignInFailed)] == ["", ""]


def test_accepted_pin_leaves_no_trace(line: Line) -> None:
    """A keyed mark of a right PIN would be one to try PINs against."""
    (packet,) = line.pins.issue([next(iter(line.contest.precincts))])
    guesses(line, packet.pin, code=packet.precinct)
    assert len(events(line, ChairSignedIn)) == 1
    with reading(line.ledger.engine) as connection:
        found = connection.exec_driver_sql("SELECT outcome, trace, caller FROM pin_attempts").all()
    assert [(row.outcome, row.trace, len(row.caller)) for row in found] == [("accepted", "", 32)]


def test_precinct_guessed_at_by_many_is_contested_at_once(line: Line) -> None:
    """Five failures from three numbers: an alert with the fifth, and the right PIN from a stranger is in doubt."""
    packets = line.pins.issue(list(line.contest.precincts)[:2])
    code = packets[0].precinct
    for n in range(5):
        assert line.alerts.standing() == []
        guesses(line, f"7036154{n}", number=f"+1515555{n:04}", first=10 * n + 1, code=code)
    assert [(each.kind, each.subject) for each in line.alerts.standing()] == [("contested", code)]
    for n, packet in enumerate(packets):
        guesses(line, packet.pin, number="+15155559999", first=100 + n, code=packet.precinct)
        kept = line.ledger.session(sid(100 + n))
        assert kept is not None
        assert kept["is_unverified"] is (packet.precinct == code)


def test_chair_number_is_not_in_doubt_on_a_contested_precinct(line: Line) -> None:
    """What strangers do there costs a number on file nothing."""
    (packet,) = line.pins.issue([next(iter(line.contest.precincts))])
    for n in range(5):
        guesses(line, f"7036154{n}", number=f"+1515555{n:04}", first=10 * n + 1, code=packet.precinct)
    line.roster.register_number(STRANGER, packet.precinct, "chair")
    caller = Caller(line, sid(100), STRANGER)
    caller.ring()
    caller.keys("1", packet.pin)
    kept = line.ledger.session(caller.sid)
    assert kept is not None
    assert (kept["precinct"], kept["is_unverified"]) == (packet.precinct, False)


@pytest.mark.timeout(120)
def test_many_failures_and_few_successes_are_an_attack(line: Line) -> None:
    """The state changes with the fiftieth failure, on record and with its alert; it is left by a person only."""
    codes = list(line.contest.precincts)
    for n in range(50):
        assert line.conditions.state() != "attack"
        guesses(line, "70361548", number=f"+1319555{n:04}", first=n + 1, code=codes[n])
    assert line.conditions.state() == "attack"
    assert "attack" in [each.kind for each in line.alerts.standing()]
    changed = events(line, EventStateChanged)[-1]
    assert (changed.state, changed.by) == ("attack", "line")
    assert line.conditions.set_state("calm", by="ana", why="over")
    guesses(line, "70361548", number="+13195559999", first=200, code=codes[60])
    assert line.conditions.state() == "calm"


def test_two_hundred_guesses_at_once_are_five_judged(
    database: Path, tmp_path: Path, running: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One number, 200 calls open at once, Redis up and then killed: exactly five PINs are looked at each time."""
    server = embedded.in_folder(tmp_path, tmp_path)
    with running(server) as process:
        line = line_on(database, tmp_path, REDIS_URL=server.url)
        judged: list[str] = []
        monkeypatch.setattr(line.pins, "check", lambda precinct, pin: judged.append(pin) is not None)
        monkeypatch.setattr(line.pins, "burn", lambda: False)
        for number in ("+15155551111", "+15155552222"):
            calls = [Caller(line, f"CA{number[1:]}{n:021x}", number) for n in range(200)]
            assert all("<Gather" in each.ring() for each in calls)
            for n, each in enumerate(calls):
                each.key(list(line.contest.precincts)[n])
            with ThreadPoolExecutor(16) as pool:
                said = list(pool.map(lambda each: spoken(each.key("70361548")), calls))
            assert len(judged) == 5
            assert sum("do not match" in each for each in said) == 5
            judged.clear()
            process.kill()
        line.ledger.engine.dispose()

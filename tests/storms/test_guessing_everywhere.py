"""Five wrong PINs on every precinct, from hundreds of numbers: chairs get in all the same, and staff know at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from hotline.caucus.roster import ChairNumber
from hotline.dialog.facts import PinCheck
from hotline.dialog.session import Session
from hotline.events.guard import EventStateChanged
from hotline.events.verification import CallBackRequested
from hotline.services.sign_in import judge
from hotline.store.database import reading
from hotline.store.ledger import Keeping, NewCall
from hotline.store.schema import alerts, pin_attempts
from tests.counted import counted
from tests.services.callers import WHOLE, confirmation
from tests.storms.weather import OURS, Storm, numbers, seconds_between, storm_on

PER_PRECINCT, WITHIN = 5, 10
PAUSE = 2 * 3600 / (PER_PRECINCT * 1765)
SIZES = [
    pytest.param((100, 34), id="small"),
    pytest.param((1765, 600), id="full", marks=[pytest.mark.storm, pytest.mark.timeout(1800)]),
]


@pytest.fixture
def storm(request: pytest.FixtureRequest, database: Path, tmp_path: Path) -> Iterator[Storm]:
    """Every guess comes to the gate: the attackers were never slowed at the ring, and passed the challenge each time.

    Were they screened as they call, most would be gone after three guesses; this is the worst that could come.
    """
    sites, attackers = request.param
    storm = storm_on(database, tmp_path, sites)
    on_file = zip(numbers("563", sites), storm.packets, strict=True)
    storm.line.roster.register_numbers(ChairNumber(number, code, "chair") for number, code in on_file)
    guess_everywhere(storm, numbers("202", attackers))
    yield storm
    storm.line.ledger.engine.dispose()


def guess_everywhere(storm: Storm, callers: list[str]) -> None:
    """Precinct by precinct, each guess from the next number, three guesses a call: the whole state takes two hours."""
    guesses = 0
    for code in storm.packets:
        for _ in range(PER_PRECINCT):
            number = callers[guesses % len(callers)]
            call, turn = divmod(guesses // len(callers), 3)
            name = f"CA{number[1:]}{call}"
            with storm.line.ledger.open_call(NewCall(name, number, OURS)) as opened:
                if opened.stored is None:
                    opened.record(Keeping([], Session(name).to_json(), "<first/>"))
            wrong = f"{(int(storm.packets[code].pin) + 70_361_548 + guesses) % 10**8:08}"
            assert wrong != storm.packets[code].pin
            judged = judge(storm.line, name, turn + 1, PinCheck(code, wrong), Session(name, has_passed=True))
            assert "accepted" != judged.sign_in
            guesses += 1
            storm.clock.move(seconds=PAUSE)


@pytest.mark.parametrize("storm", SIZES, indirect=True)
def test_chairs_get_in_and_staff_know_within_seconds(storm: Storm) -> None:
    """All chairs on numbers on file sign in. On other phones they sign in too, or one call-back is on its way to them.

    Staff are told of each precinct, and of the attack, within ten seconds of the failure that made it one.
    """
    check_alerts(storm)
    on_file = zip(numbers("563", len(storm.packets)), storm.packets, strict=True)
    assert [] == [code for number, code in on_file if not storm.enters(code, number).has_signed_in]

    elsewhere = {
        code: storm.enters(code, number) for number, code in zip(numbers("641", 60), storm.packets, strict=False)
    }
    wanted = [each.event.precinct for each in storm.line.ledger.events() if isinstance(each.event, CallBackRequested)]
    assert [] == [code for code, session in elsewhere.items() if not (session.has_signed_in or code in wanted)]
    assert len(wanted) == len(set(wanted)), "nobody waits for two"
    storm.clock.move(seconds=2)  # what is looked at once a second is looked at now
    with counted(storm.line.ledger.engine) as statements:
        storm.ring("+16415550999")
    assert len(statements) < 60, "a ring costs what it costs, however many precincts are guessed at"


@pytest.mark.parametrize("storm", [(5, 5)], indirect=True)
def test_report_from_another_phone_costs_one_call_back(storm: Storm) -> None:
    """While the guessing goes on: the chair hears the same closing words, and is called once at the number on file."""
    code = next(iter(storm.packets))
    caller = storm.ring("+16415550100")
    said = caller.keys(code, storm.packets[code].pin, "1", *WHOLE, "1")
    assert confirmation(said)
    requested = [each.event for each in storm.line.ledger.events() if isinstance(each.event, CallBackRequested)]
    assert [CallBackRequested(code, "contested", 1)] == requested
    assert [code] == [each.precinct for each in storm.line.call_backs.due(9)]
    assert {1} == set(storm.line.ledger.standing(code).unverified), "held until the chair says it is theirs"


def check_alerts(storm: Storm) -> None:
    """As soon as the fifth failure: per precinct an alert, and for the line the state of attack."""
    with reading(storm.line.ledger.engine) as connection:
        tries = connection.execute(select(pin_attempts).order_by(pin_attempts.c.id)).all()
        raised = {row.subject: row.raised_at for row in connection.execute(select(alerts)) if row.kind == "contested"}
    refused = defaultdict(list)
    for row in tries:
        if row.outcome == "refused":
            refused[row.precinct].append(row.at)
    became = {code: at[PER_PRECINCT - 1] for code, at in refused.items() if len(at) >= PER_PRECINCT}
    assert became.keys() == raised.keys()
    assert len(raised) >= len(storm.packets) // 2, (
        "most precincts were guessed at five times before the numbers ran out"
    )
    assert all(0 <= seconds_between(at, raised[code]) <= WITHIN for code, at in became.items())

    attack = [each for each in storm.line.ledger.events() if isinstance(each.event, EventStateChanged)]
    (began,) = [each.at for each in attack if each.event.state == "attack"]
    fiftieth = sorted(at for times in refused.values() for at in times)[49]
    assert 0 <= seconds_between(fiftieth, began) <= WITHIN

"""What a simulated night remembers is what the store reads off a real ledger of the same calls.

A few hand-made histories are simulated, and their calls are then made to a real line at the same moments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from hotline.dialog.session import Session
from hotline.events.guard import CallScreened
from hotline.events.verification import CallBackRequested
from hotline.practice.simulated.history import instant
from hotline.practice.simulated.live import Live
from hotline.practice.simulated.night import Night
from hotline.practice.simulated.people import Caller, Phone, Plan
from hotline.practice.simulated.talk import Dialog
from hotline.screening.signals import Mark
from hotline.services import intake
from hotline.services.line import Line
from hotline.telephony.inbound import CallStatus, InboundCall, InboundTurn
from tests.lines import line_on, prepared_database
from tests.services.callers import sid
from tests.store.held import HeldClock

CODE, OTHER, NOBODYS = "00013", "00026", "99990"
CHAIR, GUESSER, SILENT, NEXT_TO_IT, LAST = (
    "+15152340100",
    "+15152350101",
    "+13192350301",
    "+13192350302",
    "+13192350909",
)
Doing = Callable[[Line, HeldClock], None]


class Watched(Night):
    """A night that notes what is to be done to a real line, so that the same happens there."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.doings: list[tuple[float, Doing]] = []
        self.has_called_back = False

    def _call_back(self, call: Live) -> None:
        super()._call_back(call)
        self.has_called_back = True

    def _count_live(self, call: Live, step: int) -> None:
        super()._count_live(call, step)
        name, verdict, number = sid(int(call.ringing.name)), call.verdict, call.ringing.number
        if step > 0:
            phone = self._crowd[call.caller].phone
            ring = InboundCall(name, number or None, "+15155550199", phone.verstat)
            self.doings.append((self._now, lambda line, clock: void(intake.answer_call(line, ring))))
        else:
            status = "busy" if verdict.decision == "reject" else "completed"
            over = CallStatus(name, status, int(self._now - call.ringing.at))
            self.doings.append((self._now, lambda line, clock: intake.end_call(line, over)))

    def _take(self, call: Live) -> None:
        assert call.step is not None
        assert call.answer is not None
        name, heard, digits = sid(int(call.ringing.name)), call.answer.heard, call.step.turn.session.challenge

        def key(line: Line, clock: HeldClock) -> None:
            session = Session.from_json(line.ledger.session(name) or {})
            right = type(heard)(session.challenge) if digits and heard.keys == digits else heard
            intake.take_turn(line, InboundTurn(name, session.turn, right))

        self.doings.append((self._now, key))
        super()._take(call)


def void(_answer: str) -> None:
    """What the caller hears is of no interest here."""


def calls(number: str, *plans: Plan, on_file: tuple[str, ...] = (), pin: str = "", verstat: str = "none") -> Caller:
    """A prankster's calls, or with a PIN a chair's."""
    area = number[2:5] if number else ""
    errands = ((CODE, pin),) if pin else ()
    return Caller(("somebody",), Phone(number, verstat, area, on_file), plans, errands, 100.0)


def silent(at: float, lasts: float | None = None) -> Plan:
    return Plan(at, "silent", 4.0, lasts=lasts)


def keyed(at: float, *tries: tuple[str, str], **more: Any) -> Plan:
    return Plan(at, "keys", 4.0, tries=tries, **more)


def one_silent_phone(_pins: Mapping[str, str]) -> list[Caller]:
    """Hang-ups, dead air, then the challenge, the slow lane, and again."""
    return [calls(SILENT, silent(0, 3.0), silent(60, 4.9), silent(120, 5.0), *(silent(60.0 * n) for n in range(3, 12)))]


def one_guesser(_pins: Mapping[str, str]) -> list[Caller]:
    """PINs counted up, one over several precincts, a code of nobody's; the challenge passed and missed."""
    counted = [(CODE, f"5839201{n}") for n in range(9)]
    return [
        calls(
            GUESSER,
            keyed(0, *counted[:3]),
            keyed(200, (OTHER, "58392010"), (NOBODYS, "12345678")),
            keyed(400, *counted[3:6], challenges=(False, True)),
            keyed(600, *counted[6:], challenges=(False, False)),
            keyed(800, (CODE, "11111111")),
            keyed(20_000, (CODE, "73920185")),
        )
    ]


def a_chair_who_mistypes(pins: Mapping[str, str]) -> list[Caller]:
    """On file and not: wrong PINs, then the right one; a call cut off and made again."""
    slip = (CODE, "58392010")
    right = (CODE, pins[CODE])
    return [
        calls(CHAIR, keyed(0, slip, slip, right, breaks_off=50.0), keyed(60, right), on_file=(CODE,), pin=pins[CODE]),
        calls(GUESSER, keyed(900, slip, slip, right), pin=pins[CODE]),
        calls("", keyed(1800, slip, (OTHER, "12345678")), keyed(1900, slip)),
    ]


def a_block(_pins: Mapping[str, str]) -> list[Caller]:
    """Neighbours who misbehave, and one of the block who calls while they do; a number the carrier does not believe."""
    return [
        calls(SILENT, keyed(0, (CODE, "58392010"), (CODE, "58392011")), verstat="passed-A"),
        calls(NEXT_TO_IT, keyed(100, (CODE, "58392010"), (CODE, "11111111"), (OTHER, "58392010")), silent(300)),
        calls(LAST, silent(330), silent(500, 2.0), silent(1200), verstat="failed"),
    ]


def a_chair_in_a_jam(_pins: Mapping[str, str]) -> list[Caller]:
    """On file, and cut off at once again and again."""
    return [calls(CHAIR, *(silent(90.0 * n, 3.0) for n in range(8)), on_file=(CODE,))]


def a_chair_who_may_be_forged(pins: Mapping[str, str]) -> list[Caller]:
    """On file, and the carrier's check fails: challenges missed and passed, wrong PINs and the right one."""
    slip, right = (CODE, "58392010"), (CODE, pins[CODE])
    return [
        calls(
            CHAIR,
            silent(0),
            keyed(100, slip, slip, challenges=(True, True)),
            keyed(400, slip, challenges=(False, False)),
            keyed(900, slip, right, challenges=(False, True)),
            on_file=(CODE,),
            verstat="failed-B",
        )
    ]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock([instant(-10)])


@pytest.fixture
def line(database: Path, tmp_path: Path, clock: HeldClock) -> Iterator[Line]:
    opened = line_on(database, tmp_path, clock)
    yield opened
    opened.ledger.engine.dispose()


def told(marks: Sequence[Mark]) -> list[tuple[float, str, str, str]]:
    """Marks in order of time, their calls by name, as either side tells them."""
    return sorted((round(mark.at.timestamp(), 2), mark.kind, mark.call, mark.precinct) for mark in marks)


@pytest.mark.parametrize(
    "history",
    [one_silent_phone, one_guesser, a_chair_who_mistypes, a_block, a_chair_in_a_jam, a_chair_who_may_be_forged],
)
def test_simulation_remembers_what_the_ledger_tells(
    line: Line, clock: HeldClock, history: Callable[[Mapping[str, str]], list[Caller]]
) -> None:
    """At every ring the same decision, and in the end the same marks of each number and its neighbours."""
    pins = dict.fromkeys(line.contest.precincts, "") | {
        packet.precinct: packet.pin for packet in line.pins.issue([CODE, OTHER])
    }
    crowd = history(pins)
    for code in crowd[0].phone.on_file:
        line.roster.register_number(crowd[0].phone.number, code, "chair")
    policy = line.policy.now().at("", line.contest.state)
    night = Watched(crowd, pins, Dialog(line.script, line.prompts), policy)
    night.run()
    for at, do in night.doings:
        clock.at[0] = instant(at)
        do(line, clock)
    decided = [each.event.decision for each in line.ledger.events() if isinstance(each.event, CallScreened)]
    simulated = [decision for (_, decision), count in night._tally.decisions.items() for _ in range(count)]
    assert sorted(simulated) == sorted(decided)
    is_called = any(isinstance(each.event, CallBackRequested) for each in line.ledger.events())
    assert is_called == night.has_called_back
    now = night.doings[-1][0]
    for number in {caller.phone.number for caller in crowd} - {""}:
        known = line.callers.known(number)
        renamed = [Mark(m.kind, m.at, sid(int(m.call)), m.precinct) for m in night._history.marks(number, now)]
        assert told(renamed) == told(known.marks)
        if not known.on_file:
            assert night._history.neighbours(number, now) == known.neighbours

"""How the night stands: its state and threat levels with who changed them, live calls, guessing, alerts raised once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import ClassVar

import pytest
from sqlalchemy import Engine

from hotline.events.guard import CallerBlocked, CallerUnblocked, EventStateChanged, PolicyChanged, ThreatChanged
from hotline.screening.policy import pin_gate
from hotline.screening.sections import Contested
from hotline.screening.states import Activity
from hotline.store.alerts import Alerts
from hotline.store.blocks import Blocks
from hotline.store.conditions import Guesses, NightConditions
from hotline.store.counters import Attempt, Counters
from hotline.store.ledger import Keeping, Ledger, NewCall
from hotline.store.roster import Roster
from tests.store.held import BOTH, KEY, HeldClock

pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)
OURS, CODE = "+15155550000", "00013"
RULE = Contested(failures=5, numbers=3, minutes=15, held=3)
Rings = Callable[..., str]


@pytest.fixture
def conditions(engine: Engine, clock: HeldClock) -> NightConditions:
    return NightConditions(engine, clock, KEY, capacity=500, staff=4)


@pytest.fixture
def alerts(engine: Engine, clock: HeldClock) -> Alerts:
    return Alerts(engine, clock)


@pytest.fixture
def ring(ledger: Ledger) -> Rings:
    """A call that is answered; its sid."""
    made: list[str] = []

    def ring(number: str = "+15155551234", state: str = "code", precinct: str | None = None) -> str:
        made.append(number)
        sid = f"CA{len(made):04}"
        with ledger.open_call(NewCall(sid, number, OURS)) as turn:
            turn.record(Keeping([], {"state": state}, "<first/>", precinct))
        return sid

    return ring


def events(ledger: Ledger, kind: type) -> list[object]:
    return [each.event for each in ledger.events() if isinstance(each.event, kind)]


def test_state_is_changed_once_and_on_record(conditions: NightConditions, ledger: Ledger, alerts: Alerts) -> None:
    """An attack raises its alert, and who ends it takes it down; saying it twice changes nothing."""
    assert "calm" == conditions.at_ring(OURS).state
    assert conditions.set_state("attack", by="line", why="many failed")
    assert not conditions.set_state("attack", by="line", why="many failed")
    assert "attack" == conditions.at_ring(OURS).state
    assert [("attack", "")] == [(each.kind, each.subject) for each in alerts.standing()]
    assert conditions.set_state("calm", by="ana", why="over")
    assert ("calm", []) == (conditions.state(), alerts.standing())
    assert [
        EventStateChanged("attack", "calm", "many failed", "line"),
        EventStateChanged("calm", "attack", "over", "ana"),
    ] == events(ledger, EventStateChanged)


def test_threat_is_of_one_number(conditions: NightConditions, ledger: Ledger) -> None:
    """A photographed packet burns one number, and the event shows its last four digits alone."""
    assert conditions.set_threat(OURS, "registered-only", by="ana", why="photographed")
    assert not conditions.set_threat(OURS, "registered-only", by="ana", why="photographed")
    assert ("registered-only", "open") == (conditions.at_ring(OURS).threat, conditions.at_ring("+15155550001").threat)
    assert [ThreatChanged("…0000", "registered-only", "open", "photographed", "ana")] == events(ledger, ThreatChanged)


def test_change_elsewhere_is_seen_within_two_seconds(conditions: NightConditions, engine: Engine) -> None:
    """Another process changed it: what was read is a second old at most."""
    still = HeldSeconds()
    here = NightConditions(engine, still, KEY)
    assert "open" == here.at_ring(OURS).threat
    conditions.set_threat(OURS, "guarded", by="ana", why="odd calls")
    assert "open" == here.at_ring(OURS).threat
    still.seconds[0] += 1.0
    assert "guarded" == here.at_ring(OURS).threat


class HeldSeconds(HeldClock):
    """A clock whose monotonic seconds stand still too."""

    seconds: ClassVar[list[float]] = [100.0]

    def monotonic(self) -> float:
        return self.seconds[0]


def test_live_calls_are_those_without_an_end(
    conditions: NightConditions, ring: Rings, ledger: Ledger, clock: HeldClock, engine: Engine
) -> None:
    """Strangers among them are those neither on file nor signed in; one in four staff talks; an hour ends all."""
    Roster(engine, clock).register_number("+15155550101", CODE, "chair")
    ring("+15155550101")
    ring(precinct=CODE)
    ring(state="person")
    ledger.end_call(ring(), "completed", 30)
    found = NightConditions(engine, clock, KEY, capacity=500, staff=4).at_ring(OURS)
    assert (3, 1, 500, 25) == (found.live_calls, found.live_strangers, found.capacity, found.staff_busy)
    clock.move(hours=1, seconds=1)
    assert 0 == NightConditions(engine, clock, KEY).at_ring(OURS).live_calls
    assert NightConditions(engine, clock, KEY).at_ring(OURS).staff_busy is None


def test_refused_call_is_over_at_once(ledger: Ledger, conditions: NightConditions) -> None:
    """It was never answered: it takes no line, and the carrier's word on it changes nothing."""
    with ledger.open_call(NewCall("CA1", "", OURS)) as turn:
        turn.record(Keeping([], {"state": "over"}, "<reject/>", is_refused=True))
    assert 0 == conditions.at_ring(OURS).live_calls
    assert not ledger.end_call("CA1", "busy", 0)


def fail(ring: Rings, counters: Counters, number: str, *, right: bool = False, ours: bool = False) -> None:
    attempt = Attempt(ring(number), 1, CODE, ours, has_passed=True)
    counters.reserve(attempt, lambda attempts: "evaluate")
    counters.settle(attempt, is_accepted=right)


def test_guessing_is_counted_while_it_lasts(
    conditions: NightConditions, ring: Rings, counters: Counters, clock: HeldClock
) -> None:
    """Numbers on file do not count, each withheld call is a number of its own, and a quarter of an hour ends it."""
    for number in ("+15155550001", "+15155550001", "+15155550002", "", ""):
        fail(ring, counters, number)
    fail(ring, counters, "+15155550003", ours=True)
    assert Guesses(5, 4) == conditions.guessing(CODE, 15)
    clock.move(minutes=15, seconds=1)
    assert Guesses(0, 0) == conditions.guessing(CODE, 15)


def test_activity_is_that_of_the_whole_line(
    conditions: NightConditions, ring: Rings, counters: Counters, ledger: Ledger, clock: HeldClock
) -> None:
    """Failed and other sign-ins, contested precincts, calls gone bad; from the last change of state on."""
    for n in range(5):
        fail(ring, counters, f"+1515555{n:04}")
    fail(ring, counters, "+15155550101", right=True)
    ledger.end_call(ring(), "completed", 2)
    assert Activity(failed=5, succeeded=1, contested=1, strikes=1) == conditions.activity(10, RULE)
    clock.move(seconds=1)
    conditions.set_state("attack", by="line", why="…")
    clock.move(seconds=1)
    conditions.set_state("calm", by="ana", why="over")
    assert Activity(contested=1) == conditions.activity(10, RULE), "what led to the attack does not lead to the next"


def test_policy_is_noted_once(conditions: NightConditions, ledger: Ledger) -> None:
    """Two processes read the same file; one event."""
    assert [True, False, True] == [conditions.note_policy("2020-1", digest) for digest in ("a", "a", "b")]
    assert [PolicyChanged("2020-1", "a"), PolicyChanged("2020-1", "b")] == events(ledger, PolicyChanged)


def test_alert_is_raised_once_until_it_is_cleared(alerts: Alerts) -> None:
    """For each subject; cleared it may be raised again."""
    assert [True, False, True] == [alerts.raise_once("contested", "…", code) for code in ("1", "1", "2")]
    assert [True, False] == [alerts.clear("contested", "1") for _ in range(2)]
    assert alerts.raise_once("contested", "…", "1")
    assert ["2", "1"] == [each.subject for each in alerts.standing()]


def test_blocks_are_on_record_and_masked(engine: Engine, clock: HeldClock, ledger: Ledger) -> None:
    """Who, why and until when; lifting one that does not stand says so."""
    blocks = Blocks(engine, clock, KEY)
    number = "+15155551234"
    made = blocks.block(number, span=timedelta(hours=12), why="abusive", by="ana")
    assert [made] == blocks.standing()
    assert blocks.unblock(number, why="appeal", by="ben")
    assert not blocks.unblock(number, why="appeal", by="ben")
    found = blocks.of(number)
    assert found is not None
    assert (False, []) == (found.stands(clock.now()), blocks.standing())
    assert [
        CallerBlocked("…1234", KEY(number), "2020-02-04T07:00:00.000Z", "abusive", "ana"),
        CallerUnblocked("…1234", KEY(number), "appeal", "ben"),
    ] == [*events(ledger, CallerBlocked), *events(ledger, CallerUnblocked)]


def test_gate_is_asked_under_the_counts(ring: Rings, counters: Counters) -> None:
    """The helper above passes by the gate; the real one stops the sixth."""
    attempts = [Attempt(ring(), 1, f"{n:05}", False) for n in range(6)]
    assert ["evaluate"] * 5 + ["challenge"] == [counters.reserve(each, pin_gate).gate for each in attempts]

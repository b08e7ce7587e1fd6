"""Chairs whose calls are lost again and again: the number on file is called, once, and nobody else's ever is."""

from __future__ import annotations

import pytest

from hotline.dialog.values import replace
from hotline.events.verification import CallBackRequested
from tests.lines import line_on
from tests.services.callers import Caller, sid
from tests.services.numbered import CHAIR, CODE, OURS, STRANGER, events
from tests.store.held import HeldClock

LOST = CallBackRequested(CODE, "lost")


@pytest.fixture
def clock():
    return HeldClock()


@pytest.fixture
def line(database, tmp_path, clock):
    opened = line_on(database, tmp_path, clock, HOTLINE_NUMBERS=OURS)
    opened.roster.register_number(CHAIR, CODE, "chair")
    yield opened
    opened.ledger.engine.dispose()


def lose(line, clock, first, count, number=CHAIR, *, minutes=1.0, keys=()):
    """Calls that are cut off, one after the other."""
    for n in range(first, first + count):
        caller = Caller(line, sid(n), number)
        caller.ring()
        caller.keys(*keys) if keys else None
        caller.hang_up(seconds=20)
        clock.move(minutes=minutes)


def test_sixth_lost_call_within_ten_minutes_is_the_last(line, clock):
    """The chair need not call a seventh time; a call-back is on its way, and there is one of them."""
    lose(line, clock, 1, 5)
    assert events(line, CallBackRequested) == []
    lose(line, clock, 6, 1)
    assert events(line, CallBackRequested) == [LOST]
    lose(line, clock, 7, 3)
    assert [each.precinct for each in line.call_backs.waiting()] == [CODE]


def test_end_that_is_told_twice_counts_once(line, clock):
    """The carrier repeats itself."""
    lose(line, clock, 1, 6)
    Caller(line, sid(6), CHAIR).hang_up(seconds=20)
    assert events(line, CallBackRequested) == [LOST]


def test_slow_trickle_is_no_jam(line, clock):
    """Six calls in an hour are six calls."""
    lose(line, clock, 1, 9, minutes=10)
    assert events(line, CallBackRequested) == []


@pytest.mark.parametrize("number", [STRANGER, None])
def test_nobody_not_on_file_is_called(line, clock, number):
    """A stranger's number is never called, nor a withheld one."""
    lose(line, clock, 1, 9, number)
    assert events(line, CallBackRequested) == []


def test_who_got_in_is_not_called(line, clock):
    """A call cut off in the middle of a report is resumed by the next; nor is who was handed to a person."""
    (packet,) = line.pins.issue([CODE])
    lose(line, clock, 1, 5)
    lose(line, clock, 6, 1, keys=("1", packet.pin))
    lose(line, clock, 7, 1)
    assert events(line, CallBackRequested) == []
    clock.move(minutes=20)
    lose(line, clock, 10, 5)
    lose(line, clock, 15, 1, keys=("*0",))
    assert LOST not in events(line, CallBackRequested)


def test_policy_that_does_not_count_calls_calls_nobody(line, clock, monkeypatch):
    """It is the same feature."""
    policy = line.policy.latest
    without = {code: weights for code, weights in policy.features.items() if code != "AB-15"}
    monkeypatch.setattr(line.policy, "_policy", replace(policy, features=without))
    lose(line, clock, 1, 9)
    assert events(line, CallBackRequested) == []

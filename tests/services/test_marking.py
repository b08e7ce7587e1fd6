"""What staff say of a caller, and what comes of it at the next ring."""

from __future__ import annotations

import pytest

from hotline.errors import FormRefused, NotPermitted, SetupError, UnknownCall
from hotline.events.guard import CallerMarked, CallScreened
from hotline.services import marking
from hotline.services.screening import outlook
from tests.lines import line_on
from tests.services.callers import Caller, sid
from tests.services.numbered import CHAIR, CODE, STRANGER, events
from tests.store.held import HeldClock


@pytest.fixture
def clock():
    return HeldClock()


@pytest.fixture
def line(database, tmp_path, clock):
    opened = line_on(database, tmp_path, clock)
    yield opened
    opened.ledger.engine.dispose()


def met(line, n, number=STRANGER):
    """How a ring is met, and why."""
    Caller(line, sid(n), number).ring()
    screened = events(line, CallScreened)[-1]
    return screened.decision, screened.parts.get("AB-16", 0)


@pytest.mark.parametrize("word", ["abusive", "prank"])
def test_bad_word_counts_a_hundred_for_twelve_hours(line, clock, word):
    """While the night is calm it slows, once lines are scarce it refuses; then it is over by itself."""
    marking.mark(line, STRANGER, word, why="swore at an agent", by="ana")
    assert met(line, 1) == ("slow", 100)
    line.conditions.set_state("watch", by="ana", why="many pranks")
    clock.move(hours=11, minutes=59)
    assert met(line, 2) == ("reject", 100)
    clock.move(minutes=1, seconds=1)
    assert met(line, 3) == ("admit", 0)


def test_word_of_a_call_is_one_of_its_number(line):
    """Staff see a call, not a number; the event names the call."""
    Caller(line, sid(1), STRANGER).ring()
    marking.mark_call(line, sid(1), "prank", why="a joke", by="ana")
    assert met(line, 2)[1] == 100
    (kept,) = [each for each in line.ledger.events() if isinstance(each.event, CallerMarked)]
    assert (kept.call, kept.event.word) == (sid(1), "prank")
    assert "found abusive by staff" in outlook(line, STRANGER).told


def test_genuine_takes_it_back_and_what_was_counted_before(line, clock):
    """By anybody of staff, at once."""
    for n in range(4):
        caller = Caller(line, sid(n + 1), STRANGER)
        caller.ring()
        caller.hang_up(seconds=2)
    marking.mark(line, STRANGER, "abusive", why="swore", by="ana")
    clock.move(seconds=1)
    marking.mark(line, STRANGER, "genuine", why="was a chair after all", by="ben")
    assert met(line, 9) == ("admit", 0)


def test_number_on_file_is_let_in_all_the_same(line):
    """Anybody may have forged it; the word is on record."""
    line.roster.register_number(CHAIR, CODE, "chair")
    marking.mark(line, CHAIR, "abusive", why="swore", by="ana")
    assert met(line, 1, CHAIR) == ("admit", 100)


def test_longer_takes_a_second_person(line, clock):
    """Twelve hours from their word on."""
    marking.mark(line, STRANGER, "abusive", why="swore", by="ana")
    clock.move(hours=11)
    with pytest.raises(NotPermitted):
        marking.mark(line, STRANGER, "abusive", why="swore", by="ana")
    marking.mark(line, STRANGER, "abusive", why="goes on", by="ben")
    clock.move(hours=11)
    assert met(line, 1)[1] == 100


def test_what_cannot_be_said_is_said_why(line, tmp_path, database):
    """Of nobody, for no reason, of no call; or where the policy does not count it."""
    Caller(line, sid(1), None).ring()
    with pytest.raises(FormRefused, match="withheld"):
        marking.mark_call(line, sid(1), "prank", why="a joke", by="ana")
    with pytest.raises(FormRefused, match="reason"):
        marking.mark(line, STRANGER, "prank", why=" ", by="ana")
    with pytest.raises(UnknownCall):
        marking.mark_call(line, sid(2), "prank", why="a joke", by="ana")
    lax = tmp_path / "screening.toml"
    lax.write_text(line.settings.screening.read_text().replace("[features.AB-16]", "[features.AB-16]\non = false"))
    other = line_on(database, tmp_path, HOTLINE_SCREENING=lax)
    with pytest.raises(SetupError, match="AB-16"):
        marking.mark(other, STRANGER, "prank", why="a joke", by="ana")
    other.ledger.engine.dispose()
    assert events(line, CallerMarked) == []

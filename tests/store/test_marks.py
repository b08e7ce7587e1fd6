"""What staff say of a number: the last word counts, for a term; longer takes two, and the database sees to it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError

from hotline.errors import NotPermitted, UnknownCall
from hotline.events.guard import CallerMarked
from hotline.store.callers import Callers
from hotline.store.ledger import Keeping, Ledger, NewCall
from hotline.store.marks import StaffMarks, Word
from tests.store.held import BOTH, KEY, HeldClock

pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)
NUMBER, OTHER = "+15155551234", "+15155551235"
TERM = timedelta(hours=12)


@pytest.fixture
def marks(engine: Engine, clock: HeldClock) -> StaffMarks:
    return StaffMarks(engine, clock, KEY)


@pytest.fixture
def callers(engine: Engine, clock: HeldClock) -> Callers:
    return Callers(engine, clock, KEY)


def say(marks: StaffMarks, word: Word = "abusive", by: str = "ana", number: str = NUMBER, call: str = "") -> None:
    marks.mark(number, word, term=TERM, why="swore", by=by, call=call)


def kinds(callers: Callers, number: str = NUMBER) -> list[str]:
    return [mark.kind for mark in callers.known(number).marks]


@pytest.mark.parametrize(("word", "kind"), [("abusive", "abusive"), ("prank", "abusive"), ("genuine", "genuine")])
def test_word_is_a_mark_of_the_number_from_its_next_ring(
    marks: StaffMarks, callers: Callers, ledger: Ledger, word: Word, kind: str
) -> None:
    """Of that number alone, whether it ever called or not; on record masked, with the call where there was one."""
    say(marks, word, call="CA7")
    assert ([kind], []) == (kinds(callers), kinds(callers, OTHER))
    (kept,) = ledger.events()
    assert CallerMarked("…1234", KEY(NUMBER), word, "swore", "ana", "") == kept.event
    assert "CA7" == kept.call
    found = marks.of(NUMBER)
    assert found is not None
    assert ("…1234", word, "swore", "ana") == (found.caller, found.word, found.why, found.by)
    assert marks.of(OTHER) is None


def test_last_word_stands(marks: StaffMarks, callers: Callers, clock: HeldClock, ledger: Ledger) -> None:
    """A number found genuine is marked ill no more; what was said before is in the ledger."""
    say(marks)
    clock.move(minutes=5)
    say(marks, "genuine", by="ben")
    assert ["genuine"] == kinds(callers)
    assert ["abusive", "genuine"] == [each.event.word for each in ledger.events()]


def test_word_is_read_for_a_day(marks: StaffMarks, callers: Callers, clock: HeldClock) -> None:
    """As all that a number did; how long it counts is the policy's to say."""
    say(marks)
    clock.move(hours=23, minutes=59)
    assert ["abusive"] == kinds(callers)
    clock.move(minutes=1)
    assert [] == kinds(callers)


def test_going_on_takes_somebody_else(marks: StaffMarks, callers: Callers, clock: HeldClock, ledger: Ledger) -> None:
    """Within the term the same person can add nothing; another can, and then the first again."""
    say(marks)
    clock.move(hours=11)
    with pytest.raises(NotPermitted, match="…1234 was marked by ana already"):
        say(marks, "prank")
    say(marks, by="ben")
    with pytest.raises(NotPermitted):
        say(marks, by="ben")
    clock.move(hours=11)
    say(marks)
    assert [("ana", ""), ("ben", "ana"), ("ana", "ben")] == [(e.event.by, e.event.extends) for e in ledger.events()]
    assert clock.now() == callers.known(NUMBER).marks[0].at


def test_when_it_is_over_one_person_is_enough(marks: StaffMarks, clock: HeldClock) -> None:
    """What the number did since is judged anew."""
    say(marks)
    clock.move(hours=12)
    say(marks)
    found = marks.of(NUMBER)
    assert found is not None
    assert found.extends == ""


def test_taking_back_is_no_way_to_a_longer_term(marks: StaffMarks, clock: HeldClock) -> None:
    """Whoever marked, took back and would mark again needs another, as they did before."""
    say(marks)
    clock.move(hours=6)
    say(marks, "genuine")
    with pytest.raises(NotPermitted):
        say(marks)
    say(marks, by="ben")


def test_word_of_one_number_binds_no_other(marks: StaffMarks) -> None:
    """Ana may mark as many as she meets."""
    say(marks)
    say(marks, number=OTHER)


def test_database_refuses_one_person_in_twos_place(marks: StaffMarks, engine: Engine) -> None:
    """Whatever writes the row."""
    say(marks)
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(text("""UPDATE marks SET extends = "by" """))


def test_call_is_of_a_number(callers: Callers, ledger: Ledger) -> None:
    """By which it is marked; a withheld one has none, and of a call nobody had nothing is known."""
    for sid, number in (("CA1", NUMBER), ("CA2", "")):
        with ledger.open_call(NewCall(sid, number, "+15155550000")) as turn:
            turn.record(Keeping([], {}, "<first/>"))
    assert (NUMBER, "") == (callers.number_of("CA1"), callers.number_of("CA2"))
    with pytest.raises(UnknownCall, match="CA3"):
        callers.number_of("CA3")

"""Many at once: threads of one process, and processes that share nothing but the database."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine

from hotline.clock import Clock
from hotline.events.decisions import SiteClosed
from hotline.store.database import connect, reading
from hotline.store.history import head
from hotline.store.ledger import Keeping, Ledger, NewCall
from tests.store.crowd import CODE, SESSION, crowd, guess, repeat_turns, take_calls
from tests.store.held import BOTH

pytestmark = pytest.mark.parametrize("url", BOTH, indirect=True)
TRIES = 200
STRANGERS = 40

DYING = f"""
import sys, time
from hotline.clock import Clock
from hotline.events.kinds import HeadcountGiven
from hotline.events.decisions import SiteClosed
from hotline.store.database import connect, reading
from hotline.store.history import head
from hotline.store.ledger import Keeping, Ledger
with Ledger(connect(sys.argv[1]), Clock()).turn("CA1", 1) as turn:
    turn.record(Keeping([HeadcountGiven("{CODE}", 104)], {{}}, "<lost/>", "{CODE}", claim_draft=True))
    print("recorded", flush=True)
    time.sleep(60)
"""


def ring(ledger: Ledger, sid: str, caller: str) -> str:
    with ledger.open_call(NewCall(sid, caller, "+15155550000")) as turn:
        turn.record(Keeping([], SESSION, "<first/>"))
    return sid


def test_repeated_turn_is_one_transition_with_one_answer(url: str, engine: Engine, ledger: Ledger) -> None:
    """The same turn in two processes of eight threads: one of them records, and all hear what that one said."""
    ring(ledger, "CA1", "")
    heard = crowd(repeat_turns, [(url, "CA1", 6, "one", 8), (url, "CA1", 6, "two", 8)])
    assert 5 * 16 == len(heard)
    assert {1, 2, 3, 4, 5} == {n for n, _ in heard}
    assert 5 == len(set(heard)) == ledger.head()


def test_no_turn_waits_long_and_none_is_lost(url: str, engine: Engine, ledger: Ledger) -> None:
    """Two processes of eight threads that never pause: every turn is kept, and one in a hundred waits a second."""
    took = sorted(crowd(take_calls, [(url, "a", 8, 20), (url, "b", 8, 20)]))
    assert 16 * 19 == len(took) == ledger.head()
    assert took[int(len(took) * 0.99)] < 1.0
    seqs = [recorded.seq for recorded in ledger.events()]
    assert sorted(set(seqs)) == seqs


@pytest.mark.parametrize(("is_chair_number", "limit"), [(False, 10), (True, 20)])
def test_parallel_guesses_on_one_precinct_stop_at_the_limit(
    url: str, engine: Engine, ledger: Ledger, is_chair_number: bool, limit: int
) -> None:
    """200 wrong PINs at once, from as many numbers, in two processes: exactly as many are judged as one by one."""
    sids = [ring(ledger, f"CA{n}", f"+1515555{n:04}") for n in range(TRIES)]
    half = TRIES // 2
    gates = crowd(guess, [(url, part, [CODE] * half, is_chair_number) for part in (sids[:half], sids[half:])])
    assert limit == gates.count("evaluate")
    assert TRIES - limit == gates.count("person" if is_chair_number else "limit")


def test_parallel_guesses_of_one_number_stop_at_the_limit(url: str, engine: Engine, ledger: Ledger) -> None:
    """One number, 200 calls, a precinct each, two processes: five are judged in all, then a challenge comes first."""
    sids = [ring(ledger, f"CA{n}", "+15155551234") for n in range(TRIES)]
    codes = [f"{n:05}" for n in range(TRIES)]
    half = TRIES // 2
    gates = crowd(guess, [(url, sids[:half], codes[:half], False), (url, sids[half:], codes[half:], False)])
    assert (5, TRIES - 5) == (gates.count("evaluate"), gates.count("challenge"))


def test_withheld_numbers_are_not_one_caller(url: str, engine: Engine, ledger: Ledger) -> None:
    """Callers who withhold their number have nothing in common: none pays for the others' guesses."""
    sids = [ring(ledger, f"CA{n}", "") for n in range(STRANGERS)]
    gates = guess(url, sids, [f"{n:05}" for n in range(STRANGERS)], False)
    assert STRANGERS == gates.count("evaluate")


def test_process_killed_in_a_turn_leaves_nothing(url: str, engine: Engine, ledger: Ledger) -> None:
    """Killed after everything was written and before the commit: no event, no answer, no claim, and nobody waits."""
    ring(ledger, "CA1", "")
    with subprocess.Popen([sys.executable, "-c", DYING, url], stdout=subprocess.PIPE, cwd=Path.cwd()) as process:
        assert process.stdout is not None
        assert b"recorded\n" == process.stdout.readline()
        process.kill()
    with ledger.turn("CA1", 1) as turn:
        assert (None, 1, SESSION) == (turn.stored, turn.expected, turn.session)
        assert turn.half_given(CODE) is None
    assert 0 == ledger.head()


def test_forked_child_leaves_the_connections_of_its_parent_alone(url: str, engine: Engine, ledger: Ledger) -> None:
    """It has its own on PostgreSQL, and on SQLite is told to open the database after the fork; its parent goes on."""
    closed = SiteClosed(CODE, "did not convene", "ana")
    child = multiprocessing.get_context("fork").Process(target=ledger.append, args=([closed],))
    with reading(engine) as connection:
        child.start()
        child.join(30)
        assert 0 == head(connection) or engine.dialect.name == "postgresql"
    kept = 1 if engine.dialect.name == "postgresql" else 0
    assert (1 - kept, kept) == (child.exitcode, ledger.head())
    ledger.append([closed])
    assert kept + 1 == len(ledger.history(CODE))


def test_reader_never_waits_for_a_writer(url: str, engine: Engine, ledger: Ledger) -> None:
    """While a turn is open, others read what was committed before it, at once."""
    ring(ledger, "CA1", "")
    other = connect(url)
    with ledger.turn("CA1", 1) as turn:
        turn.record(Keeping([], {"state": "later"}, "<next/>"))
        assert SESSION == Ledger(other, Clock()).session("CA1")
    other.dispose()
    assert {"state": "later"} == ledger.session("CA1")

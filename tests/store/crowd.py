"""What several processes do at once in the concurrency tests; a module of its own, for new processes to import."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from hotline.clock import Clock
from hotline.errors import NotRecorded
from hotline.events.kinds import TallyGiven
from hotline.screening.policy import pin_gate
from hotline.store.counters import Attempt, Counters
from hotline.store.database import connect
from hotline.store.ledger import Keeping, Ledger, NewCall
from tests.store.held import KEY

CODE = "00013"
SESSION = {"state": "first.Biden", "precinct": CODE, "draft": {"first": {f"Group {n}": n for n in range(14)}}}


T = TypeVar("T")


def crowd(work: Callable[..., list[T]], jobs: Sequence[tuple[object, ...]]) -> list[T]:
    """Run `work(*job)` for each job, each in a fresh process, all at once."""
    with ProcessPoolExecutor(len(jobs), mp_context=multiprocessing.get_context("spawn")) as pool:
        running = [pool.submit(work, *job) for job in jobs]
        return [each for future in running for each in future.result()]


def repeat_turns(url: str, sid: str, turns: int, who: str, threads: int) -> list[tuple[int, str]]:
    """Take each turn in several threads at once, each with words of its own; what each was told at which turn."""
    engine = connect(url)
    ledger, ready = Ledger(engine, Clock()), threading.Barrier(threads)

    def take(n: int, thread: int) -> tuple[int, str]:
        ready.wait()
        with ledger.turn(sid, n) as turn:
            if turn.stored is None:
                answer = f"<{who}{thread}/>"
                turn.record(Keeping([TallyGiven(CODE, "first", "Biden", n)], SESSION, answer, CODE))
            return n, turn.stored or ""

    try:
        with ThreadPoolExecutor(threads) as pool:
            return [told for n in range(1, turns) for told in pool.map(take, [n] * threads, range(threads))]
    finally:
        engine.dispose()


def take_calls(url: str, who: str, threads: int, turns: int) -> list[float]:
    """Take whole calls in several threads at once; how many seconds each turn took."""
    engine = connect(url)
    ledger = Ledger(engine, Clock())

    def call(thread: int) -> list[float]:
        sid, took = f"CA{who}{thread}", []
        with ledger.open_call(NewCall(sid, "", "")) as turn:
            turn.record(Keeping([], SESSION, "<first/>"))
        for n in range(1, turns):
            before = time.perf_counter()
            with ledger.turn(sid, n) as turn:
                turn.record(Keeping([TallyGiven(CODE, "first", "Biden", n)], SESSION, "<next/>", CODE))
            took.append(time.perf_counter() - before)
        return took

    try:
        with ThreadPoolExecutor(threads) as pool:
            return [each for took in pool.map(call, range(threads)) for each in took]
    finally:
        engine.dispose()


def insistent(keep: Callable[[], T]) -> T:
    """Ask again whenever the database was busy too long, as a caller who was asked to hold the line does."""
    while True:
        with suppress(NotRecorded):
            return keep()


def guess(url: str, sids: Sequence[str], precincts: Sequence[str], is_chair_number: bool) -> list[str]:
    """Guess wrong once for each call, all at once; the gate each came to. A guess that is judged is settled."""
    engine = connect(url, threads=len(sids))
    counters, ready = Counters(engine, Clock(), KEY), threading.Barrier(len(sids))

    def attempt(sid: str, precinct: str) -> str:
        ready.wait()
        this = Attempt(sid, 1, precinct, is_chair_number)
        reservation = insistent(lambda: counters.reserve(this, pin_gate))
        if reservation.gate == "evaluate":
            insistent(lambda: counters.settle(this, is_accepted=False))
        return reservation.gate

    try:
        with ThreadPoolExecutor(len(sids)) as pool:
            return list(pool.map(attempt, sids, precincts))
    finally:
        engine.dispose()

"""Rings for measuring: what it takes to decide on a call before it is answered, on a line that has seen many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

from hotline.services import intake
from hotline.services.line import Line
from hotline.services.screening import screen
from hotline.services.trial_refusals import Callers
from hotline.store.crowd import fill
from hotline.telephony.inbound import InboundCall

A_SECOND, THREADS = 50, 16
OURS, BUSIEST = "+15155550100", "+15155550101"

NUMBERS, WITHHELD_EVERY = 6_000, 7
"""Of a flood: telephones that call, and one ring in so many without a number."""
SIGN_INS_EVERY = 0.2
"""Seconds between two guesses at PINs during a flood."""


def rings(line: Line, past: int, count: int = 4 * A_SECOND) -> list[float]:
    """Seconds of `count` decisions, 50 begun a second, with `past` calls behind the line; a fifth are of one number."""
    numbers = [BUSIEST if n % 5 == 0 else f"+1515{2_000_000 + n % 3_500:07}" for n in range(17_500)]
    fill(line.ledger.engine, line.clock, numbers, past)
    return _paced(line, count, lambda n: screen(line, InboundCall(f"CAc1{n:030x}", numbers[n % len(numbers)], OURS)))


def flood(line: Line, seconds: int) -> list[float]:
    """Seconds of the rings of a flood, 50 begun a second, each decided, answered or rejected, and kept.

    The line is under attack, the rings come from 6,000 telephones and from withheld numbers, and PINs are guessed
    beside them. Whoever called before the flood is whoever `rings` left behind.
    """
    line.conditions.set_state("attack", by="bench", why="to see how fast rings are judged")

    def ring(n: int) -> object:
        number = None if n % WITHHELD_EVERY == 0 else f"+1515{2_000_000 + n * 7_919 % NUMBERS:07}"
        return intake.answer_call(line, InboundCall(f"CAc2{n:030x}", number, OURS))

    with _guessing(line):
        return _paced(line, seconds * A_SECOND, ring)


def _paced(line: Line, count: int, ring: Callable[[int], object]) -> list[float]:
    """Seconds of each of `count` rings, 50 begun a second whatever the others take, in rising order."""
    began = line.clock.monotonic()

    def one(n: int) -> float:
        line.clock.sleep(max(0.0, began + n / A_SECOND - line.clock.monotonic()))
        before = line.clock.monotonic()
        ring(n)
        return line.clock.monotonic() - before

    with ThreadPoolExecutor(THREADS) as pool:
        return sorted(pool.map(one, range(count)))


@contextmanager
def _guessing(line: Line) -> Iterator[None]:
    """Wrong PINs, one after the other, while the block lasts."""
    over, callers = Event(), Callers(line, "d1")
    code = next(iter(line.contest.precincts))

    def guess() -> None:
        while not over.wait(SIGN_INS_EVERY):
            callers.sign_in(code, line.clock.digits(8))

    with ThreadPoolExecutor(1) as pool:
        guesser = pool.submit(guess)
        try:
            yield
        finally:
            over.set()
        guesser.result()

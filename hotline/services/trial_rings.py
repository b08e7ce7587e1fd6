"""Rings for measuring: what it takes to decide on a call before it is answered, on a line that has seen many."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hotline.services.line import Line
from hotline.services.screening import screen
from hotline.store.crowd import fill
from hotline.telephony.inbound import InboundCall

A_SECOND, THREADS = 50, 16
OURS, BUSIEST = "+15155550100", "+15155550101"


def rings(line: Line, past: int, count: int = 4 * A_SECOND) -> list[float]:
    """Seconds of `count` decisions, 50 begun a second, with `past` calls behind the line; a fifth are of one number."""
    numbers = [BUSIEST if n % 5 == 0 else f"+1515{2_000_000 + n % 3_500:07}" for n in range(17_500)]
    fill(line.ledger.engine, line.clock, numbers, past)
    began = line.clock.monotonic()

    def ring(n: int) -> float:
        line.clock.sleep(max(0.0, began + n / A_SECOND - line.clock.monotonic()))
        before = line.clock.monotonic()
        screen(line, InboundCall(f"CAc1{n:030x}", numbers[n], OURS))
        return line.clock.monotonic() - before

    with ThreadPoolExecutor(THREADS) as pool:
        return sorted(pool.map(ring, range(count)))

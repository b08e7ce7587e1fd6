"""How fast calls come in, counted on Redis over a sliding minute: of a number, of one of ours, of the line.

Nothing here is a limit: SQL holds those. What is told is that somebody is over a rate, and while Redis is away nobody
is. A ring waits for Redis a quarter of a second at most, and after one failure nobody asks it for five seconds.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from limits import RateLimitItemPerMinute
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from hotline.clock import Clock
from hotline.screening import sections
from hotline.store import queues
from hotline.store.keyed import Keying

OPEN_SECONDS = 5.0
"""How long nobody asks Redis after it failed."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pace:
    """What a ring was told: the number is over its rate (`is_hurried`), ours or the line over theirs (`is_flooded`)."""

    is_hurried: bool = False
    is_flooded: bool = False


CALM = Pace()
"""What everybody is told while Redis is away."""


class Rates:
    """Counts rings; guards the client of Redis, and the breaker that keeps rings from waiting for it."""

    def __init__(self, url: str | None, clock: Clock, key: Keying) -> None:
        self._clock, self._key = clock, key
        self._closed_from = 0.0
        self._limiter = _limiter(url) if url else None

    def ring(self, number: str, called: str, rates: sections.Rates) -> Pace:
        """Count a ring from `number` ("" when withheld) to `called`; who is over a rate with it."""
        if self._limiter is None or self._clock.monotonic() < self._closed_from:
            return CALM
        try:
            return self._counted(self._limiter, number, called, rates)
        except queues.Unreachable as trouble:
            self._closed_from = self._clock.monotonic() + OPEN_SECONDS
            log.warning("Redis does not count calls: %s; asked again in %g s", trouble, OPEN_SECONDS)
            return CALM

    def _counted(
        self, limiter: SlidingWindowCounterRateLimiter, number: str, called: str, rates: sections.Rates
    ) -> Pace:
        def is_over(rate: int, *of: str) -> bool:
            return not limiter.hit(RateLimitItemPerMinute(rate), *of)

        if self._closed_from:  # Redis failed, and this ring is the first to ask again: the others need not wait with it
            self._closed_from = self._clock.monotonic() + OPEN_SECONDS
        # what floods one of our numbers is not counted on: a leaked number must not close the others
        is_flooded = is_over(rates.called, "called", self._key(called)) or is_over(rates.line, "line")
        is_hurried = bool(number) and is_over(rates.number, "number", self._key(number))
        self._closed_from = 0.0
        return Pace(is_hurried, is_flooded)


def _limiter(url: str) -> SlidingWindowCounterRateLimiter:
    pool = queues.client(url).connection_pool
    return SlidingWindowCounterRateLimiter(RedisStorage(url, connection_pool=pool, key_prefix="rate"))

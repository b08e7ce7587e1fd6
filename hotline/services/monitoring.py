"""The line at one look: what staff and machines are shown of it, read from SQL and Redis, decided nowhere.

A look costs some milliseconds and is shared: whoever asks again within a second or two is given the same one.
"""

from __future__ import annotations

import shutil
import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import cast

from hotline.screening.signals import EventState, Guessing
from hotline.services.figures import progress
from hotline.services.line import Line
from hotline.services.tabulation import Outcome
from hotline.store import queues
from hotline.store.alerts import Alert
from hotline.store.gauges import Gauges, gauges
from hotline.store.projections import Status
from hotline.store.queue_health import QueueHealth, health
from hotline.store.tallies import Tallies, Tally
from hotline.store.text import instant

FRESH_SECONDS = 1.5
MINUTE, WINDOW = 60, 600
"""Seconds: what "per minute" and "lately" mean of calls."""
DIALOG_OVER = ("done", "over", "person")
"""Steps at which hanging up leaves nothing unfinished."""


@dataclass(frozen=True)
class Figures:
    """The line at the instant `at`.

    `minute` and `lately` are the calls of the last minute and ten; `precincts` and `counties` count sites by standing
    (see `figures.progress`), with held reports among the reported; `queue` is None while Redis is away; `guesses` are
    wrong PINs in a day and `guessing` what their number asks for; `free` is the share of the data folder's disk that is
    free, from 0 to 1, and `staff` how many telephones of staff take calls.
    """

    at: str
    gauges: Gauges
    minute: Tally
    lately: Tally
    precincts: Mapping[str, int]
    counties: Mapping[str, Mapping[str, int]]
    queue: QueueHealth | None
    state: EventState
    contested: frozenset[str]
    guesses: int
    guessing: Guessing
    alerts: tuple[Alert, ...]
    free: float
    staff: int


class Monitor:
    """Looks at a line; guards the newest look and what its tallies remember."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._tallies = Tallies(line.ledger.engine, line.clock)
        self._redis = queues.client(line.settings.redis_url) if line.settings.redis_url else None
        self._looking = threading.Lock()
        self._newest: Figures | None = None
        self._good_until = 0.0

    def figures(self) -> Figures:
        """The newest look, not older than a second or two. Raises `NotRecorded` when the database does not answer."""
        with self._looking:
            if self._newest is None or self._line.clock.monotonic() >= self._good_until:
                self._newest = self._look()
                self._good_until = self._line.clock.monotonic() + FRESH_SECONDS
            return self._newest

    def _look(self) -> Figures:
        line = self._line
        now, policy = gauges(line.ledger.engine, line.clock), line.policy.latest
        outcomes = {code: Outcome(code, _status(now.statuses.get(code))) for code in line.contest.precincts}
        sites = defaultdict(list)
        for code, precinct in line.contest.precincts.items():
            sites[precinct.county].append(outcomes[code])
        return Figures(
            at=instant(line.clock.now()),
            gauges=now,
            minute=self._tallies.last(MINUTE),
            lately=self._tallies.last(WINDOW),
            precincts=progress(outcomes.values()),
            counties={name: progress(several) for name, several in sites.items()},
            queue=self._queue(),
            state=line.conditions.state(),
            contested=frozenset(line.conditions.contested(policy.contested)),
            guesses=line.conditions.guesses(),
            guessing=line.lookout.guessing(policy),
            alerts=tuple(line.alerts.standing()),
            free=_free(line.settings.data),
            staff=len(line.settings.staff_numbers),
        )

    def _queue(self) -> QueueHealth | None:
        try:
            return health(self._redis, self._line.clock) if self._redis is not None else None
        except queues.Unreachable:
            return None


def abandoned(tally: Tally, *, chairs_only: bool = False) -> Mapping[str, int]:
    """Calls that ended before the line or the caller had said all, by the step they were at."""
    left: dict[str, int] = defaultdict(int)
    for ending, count in tally.ended.items():
        if ending.step not in DIALOG_OVER and (ending.is_chair or not chairs_only):
            left[ending.step] += count
    return dict(left)


def completed(tally: Tally) -> int:
    """Calls that were signed in and ended with the line's last words."""
    return len(tally.seconds)


def quantile(values: tuple[int, ...], per_cent: int) -> int | None:
    """The value that so many of a hundred do not exceed; None of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * per_cent // 100)] if ordered else None


def age(oldest_at: str | None, at: str) -> float:
    """Seconds from one instant to another as they are written down; 0 where nothing waits."""
    if oldest_at is None:
        return 0.0
    return max(0.0, (datetime.fromisoformat(at) - datetime.fromisoformat(oldest_at)).total_seconds())


def _status(kept: str | None) -> Status:
    return cast(Status, kept or "outstanding")


def _free(folder: Path) -> float:
    use = shutil.disk_usage(folder)
    return use.free / use.total

"""Has the call-backs that are due made, one at a time, and closes those whose time is over."""

from __future__ import annotations

import logging

from hotline.services.line import Line
from hotline.services.outgoing import NO_NUMBER
from hotline.store import queues
from workers import jobs
from workers.jobs import CALL_BACK

log = logging.getLogger(__name__)


class Calling:
    """The relay's part in call-backs, to be run once a second; remembers which ones it has said are stuck."""

    def __init__(self, line: Line, connection: queues.Client) -> None:
        self._line, self._connection = line, connection
        self._told: set[int] = set()

    def run(self) -> int:
        """Queue the next call-back that is due; how many were queued, 0 or 1. Raises `Unreachable`, `NotRecorded`."""
        self._line.call_backs.expire()
        if jobs.carrier() is None:
            self._say_they_wait()
            return 0
        due = self._line.call_backs.due(limit=1)
        now = self._line.clock.now()
        placed = [
            queues.replace(self._connection, "notify", f"back-{each.id}", CALL_BACK, [each.id], now) for each in due
        ]
        return placed.count("queued")

    def _say_they_wait(self) -> None:
        waiting = self._line.call_backs.waiting()
        for each in waiting:
            if each.id not in self._told:
                log.warning("call-back %d for %s waits: %s", each.id, each.precinct, NO_NUMBER)
        self._told = {each.id for each in waiting}

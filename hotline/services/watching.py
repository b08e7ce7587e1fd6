"""Watching the line: looks, judges, and has the alerts stand that should, no sooner and no longer.

An alert stands at once; it is taken down when its cause has been gone for a minute, so that one that comes and goes
does not become twenty. Everything it goes by is read afresh, so a watch that dies and another that takes over raise
nothing twice.
"""

from __future__ import annotations

import logging

from hotline.services.alarms import KINDS, Known, alarms
from hotline.services.expected import is_peak, silent
from hotline.services.line import Line
from hotline.services.monitoring import Monitor
from hotline.services.patrol import Patrol
from hotline.store import request_counts
from hotline.store.request_counts import LastMinute

CALM_SECONDS = 60.0
"""How long a cause must be gone."""

log = logging.getLogger(__name__)


class Watch:
    """Watches one line; guards what it saw at its last looks."""

    def __init__(self, line: Line) -> None:
        self._line, self._monitor, self._patrol = line, Monitor(line), Patrol(line)
        self._last_minute = LastMinute(line.clock)
        self._held_at: dict[tuple[str, str], float] = {}

    def look(self) -> None:
        """One look, and what follows from it. Raises `NotRecorded` when the database does not answer."""
        due = {(alarm.kind, alarm.subject): alarm for alarm in alarms(self._known())}
        standing = {(each.kind, each.subject) for each in self._line.alerts.standing() if each.kind in KINDS}
        now = self._line.clock.monotonic()
        for key, alarm in due.items():
            self._held_at[key] = now
            if key not in standing and self._line.alerts.raise_once(alarm.kind, alarm.text, alarm.subject):
                log.warning("alert %s: %s", alarm.kind, alarm.text)
        for key in standing - due.keys():
            if now - self._held_at.setdefault(key, now) >= CALM_SECONDS and self._line.alerts.clear(*key):
                log.warning("alert %s is over%s", key[0], f": {key[1]}" if key[1] else "")

    def _known(self) -> Known:
        line, figures, at = self._line, self._monitor.figures(), self._line.clock.now()
        counted = request_counts.counted(line.settings.data / request_counts.FOLDER)
        is_real = not line.roster.is_rehearsal()
        return Known(
            figures=figures,
            requests=self._last_minute.of(counted),
            expected=line.settings.calls_a_minute,
            is_peak=is_real and is_peak(line.contest, at),
            silent=tuple(silent(line.contest, figures.counties, at)) if is_real else (),
            broken=self._patrol.step(),
            has_queue=line.settings.redis_url is not None,
        )

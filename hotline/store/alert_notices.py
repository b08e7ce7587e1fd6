"""Which alerts somebody was told of: each is taken by one teller, once, and stays taken."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine, select

from hotline.clock import Clock
from hotline.store.alerts import Alert
from hotline.store.database import reading, writing
from hotline.store.schema import alerts
from hotline.store.statements import ask
from hotline.store.text import instant
from hotline.store.watch_tables import alert_notices

_TAKE = "INSERT INTO alert_notices (alert, at) VALUES (:alert, :at) ON CONFLICT DO NOTHING"


class AlertNotices:
    """Hands alerts to whoever tells people; guards the engine."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def untold(self) -> dict[int, Alert]:
        """Alerts that stand and nobody was told of, by number, oldest first."""
        columns = (alerts.c.id, alerts.c.kind, alerts.c.subject, alerts.c.text, alerts.c.raised_at)
        told = select(alert_notices.c.alert).where(alert_notices.c.alert == alerts.c.id).exists()
        found = select(*columns).where(alerts.c.cleared_at.is_(None), ~told).order_by(alerts.c.id)
        with reading(self._engine) as connection:
            return {row[0]: Alert(*row[1:]) for row in connection.execute(found)}

    def take(self, numbers: Sequence[int]) -> list[int]:
        """Take alerts to tell them: those that nobody else has taken."""
        with writing(self._engine) as connection:
            at = instant(self._clock.now())
            return [number for number in numbers if ask(connection, _TAKE, {"alert": number, "at": at}).rowcount]

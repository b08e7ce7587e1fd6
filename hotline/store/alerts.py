"""Alerts: what staff must look at now, raised once and standing until it is cleared."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Engine, select, update

from hotline.clock import Clock
from hotline.store.database import reading, upsert, writing
from hotline.store.schema import alerts
from hotline.store.text import instant


@dataclass(frozen=True)
class Alert:
    """One alert that stands. `kind` is its word ("contested", "attack", "policy"), `subject` what it is about."""

    kind: str
    subject: str
    text: str
    raised_at: str


class Alerts:
    """Raises and clears alerts; guards the engine."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def raise_once(self, kind: str, text: str, subject: str = "") -> bool:
        """Raise an alert, unless one of that kind stands on that subject. True when it is new."""
        standing = select(alerts.c.id).where(*_open(kind, subject))
        with reading(self._engine) as connection:
            if connection.execute(standing).first():
                return False
        with writing(self._engine) as connection:
            return put(connection, kind, subject, text, instant(self._clock.now()))

    def clear(self, kind: str, subject: str = "") -> bool:
        """Take an alert down. False when none stood."""
        with writing(self._engine) as connection:
            return take_down(connection, kind, subject, instant(self._clock.now()))

    def clear_all(self, kind: str, subjects: Collection[str]) -> None:
        """Take down the alerts of a kind on these subjects, all together."""
        if not subjects:
            return
        at = instant(self._clock.now())
        with writing(self._engine) as connection:
            for subject in sorted(subjects):
                take_down(connection, kind, subject, at)

    def standing(self) -> list[Alert]:
        """The alerts that stand, oldest first."""
        columns = (alerts.c.kind, alerts.c.subject, alerts.c.text, alerts.c.raised_at)
        with reading(self._engine) as connection:
            found = select(*columns).where(alerts.c.cleared_at.is_(None)).order_by(alerts.c.id)
            return [Alert(*row) for row in connection.execute(found)]


def put(connection: Connection, kind: str, subject: str, text: str, at: str) -> bool:
    """Raise an alert in the transaction of `connection`, unless one stands. True when it is new."""
    row = {"kind": kind, "subject": subject, "text": text, "raised_at": at}
    raised = upsert(connection, alerts).values(row).on_conflict_do_nothing().returning(alerts.c.id)
    return connection.execute(raised).first() is not None  # PostgreSQL's driver tells no count of such a statement


def take_down(connection: Connection, kind: str, subject: str, at: str) -> bool:
    """Take an alert down in the transaction of `connection`. False when none stood."""
    return bool(connection.execute(update(alerts).where(*_open(kind, subject)).values(cleared_at=at)).rowcount)


def _open(kind: str, subject: str) -> tuple[ColumnElement[bool], ...]:
    return alerts.c.kind == kind, alerts.c.subject == subject, alerts.c.cleared_at.is_(None)

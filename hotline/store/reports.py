"""Reports as staff look at them: which are held, what the workers last made of one, what happened to a precinct.

Read only. Each query is bounded: a precinct that was called ten thousand times has its page as fast as any.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Engine, and_, select

from hotline.caucus.worksheet import Finding
from hotline.events.kinds import from_body
from hotline.events.standing import Recorded
from hotline.store.database import reading
from hotline.store.projections import Status
from hotline.store.schema import events, findings, results
from hotline.store.text import load

NEWEST = 200
"""Events of one precinct that are shown, the newest."""


@dataclass(frozen=True)
class HeldReport:
    """A report that waits for staff: its version, since when, by code the rules it breaks and what else was noticed."""

    precinct: str
    version: int
    since: str
    rules: tuple[str, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True)
class KeptResult:
    """What the workers last made of a precinct."""

    status: Status
    version: int
    findings: tuple[Finding, ...]


class Reports:
    """Reads what waits and what was; guards the engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def held(self) -> list[HeldReport]:
        """Every held report, in order of precinct codes."""
        confirmed = and_(
            events.c.precinct == results.c.precinct,
            events.c.version == results.c.version,
            events.c.kind == "ReportConfirmed",
        )
        rows = select(results.c.precinct, results.c.version, events.c.at).join(events, confirmed)
        of_held = select(findings.c.precinct, findings.c.severity, findings.c.code)
        of_held = of_held.join(results, results.c.precinct == findings.c.precinct).where(results.c.status == "held")
        named: dict[tuple[str, str], list[str]] = defaultdict(list)
        with reading(self._engine) as connection:
            for row in connection.execute(of_held.order_by(findings.c.precinct, findings.c.place)):
                named[row.precinct, row.severity].append(row.code)
            held = connection.execute(rows.where(results.c.status == "held").order_by(results.c.precinct)).all()
        return [HeldReport(*row, tuple(named[row[0], "hard"]), tuple(named[row[0], "notice"])) for row in held]

    def kept(self, precinct: str) -> KeptResult | None:
        """The precinct's result and findings; None before there is any."""
        with reading(self._engine) as connection:
            row = connection.execute(
                select(results.c.status, results.c.version).where(results.c.precinct == precinct)
            ).first()
            named = select(findings).where(findings.c.precinct == precinct).order_by(findings.c.place)
            found = connection.execute(named).all()
        if row is None:
            return None
        told = tuple(
            Finding(each.code, each.severity, each.section, each.message, load(each.numbers), tuple(load(each.groups)))
            for each in found
        )
        return KeptResult(row.status, row.version, told)

    def happened(self, precinct: str, kinds: Collection[str], limit: int = NEWEST) -> list[Recorded]:
        """The newest events of these kinds at a precinct, newest first."""
        columns = (events.c.seq, events.c.at, events.c.call, events.c.precinct, events.c.kind, events.c.body)
        newest = select(*columns).where(events.c.precinct == precinct, events.c.kind.in_(kinds))
        with reading(self._engine) as connection:
            rows = connection.execute(newest.order_by(events.c.seq.desc()).limit(limit)).all()
        return [Recorded(*row[:4], from_body(row.kind, load(row.body))) for row in rows]

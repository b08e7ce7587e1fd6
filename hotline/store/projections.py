"""What the workers made of the ledger: one result a precinct, and its findings. Everything here can be made again.

A result knows how far the ledger had been read when it was worked out (`seq`). A newer one replaces an older one, never
the other way, so jobs may run twice, late and out of order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import Connection, Engine, Row, bindparam, delete, func, insert, select, text

from hotline.caucus.across import record
from hotline.caucus.worksheet import Finding, Tallies, Worksheet
from hotline.clock import Clock
from hotline.events.standing import PrecinctStanding
from hotline.store import history
from hotline.store.database import reading, writing
from hotline.store.outbox import acknowledge, open_jobs
from hotline.store.schema import findings, results
from hotline.store.statements import ask
from hotline.store.text import dump, dump_tallies, instant, load

Status = Literal["counted", "held", "closed", "outstanding"]
"""In the totals; recorded and out of them until staff act; closed by staff; nothing that counts."""

PUT = """
INSERT INTO results
  (precinct, seq, status, version, origin, headcount, first, final, delegates, digest, tabulated_at)
VALUES
  (:precinct, :seq, :status, :version, :origin, :headcount, :first, :final, :delegates, :digest, :tabulated_at)
ON CONFLICT (precinct) DO UPDATE SET
  seq = excluded.seq, status = excluded.status, version = excluded.version, origin = excluded.origin,
  headcount = excluded.headcount, first = excluded.first, final = excluded.final, delegates = excluded.delegates,
  digest = excluded.digest, tabulated_at = excluded.tabulated_at
WHERE excluded.seq >= results.seq"""
"""A newer result over an older one, never the other way."""

_RESULTS = select(
    *(results.c[name] for name in ("precinct", "seq", "status", "version", "origin", "headcount")),
    *(results.c[name] for name in ("first", "final", "delegates")),
)


@dataclass(frozen=True)
class Result:
    """What one precinct comes to. `worksheet` is None and `version` 0 when no version counts.

    `seq` is the last event that was read for it, `origin` where the delegates come from ("" without a worksheet).
    """

    precinct: str
    seq: int
    status: Status
    version: int = 0
    origin: str = ""
    worksheet: Worksheet | None = None


@dataclass(frozen=True)
class Named:
    """A finding at a precinct; `other` is the other precinct it speaks of, "" when there is none."""

    precinct: str
    finding: Finding
    other: str = ""


class Projections:
    """Keeps and tells results and findings; guards the engine."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    @contextmanager
    def tabulating(self) -> Iterator[Tabulating]:
        """One transaction to work results out in and keep them; nobody else does meanwhile, callers may go on."""
        with writing(self._engine) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("LOCK TABLE results IN SHARE ROW EXCLUSIVE MODE"))
            yield Tabulating(connection, instant(self._clock.now()))

    def results(self) -> dict[str, Result]:
        """Every result there is, by precinct code."""
        with reading(self._engine) as connection:
            return _results(connection)

    def findings(self) -> list[Named]:
        """Every finding there is, by precinct, in the order the checks named them."""
        with reading(self._engine) as connection:
            return _findings(connection)

    def published(self) -> tuple[dict[str, Result], list[Named], int]:
        """Results and findings that belong together, and the newest `seq` among them; 0 when there are none."""
        with reading(self._engine) as connection:
            newest = connection.execute(select(func.max(results.c.seq))).scalar() or 0
            return _results(connection), _findings(connection), newest


# Built once: a worker runs these for every report of the night, beside the calls.
_ONE = _RESULTS.where(results.c.precinct == bindparam("code"))
_ALIKE = (
    select(results.c.precinct)
    .where(results.c.digest == bindparam("mark"), results.c.precinct != bindparam("code"))
    .order_by(results.c.precinct)
)
_ADD = insert(findings)
_FORGET = delete(findings).where(findings.c.precinct == bindparam("code"))


class Tabulating:
    """The one transaction results are worked out in: the ledger as it stands, and the results kept so far."""

    def __init__(self, connection: Connection, at: str) -> None:
        self._connection, self._at = connection, at
        self._seen: dict[str, list[str]] = {}
        self._head = history.head(connection)

    def standing(self, precinct: str) -> PrecinctStanding:
        """Where the precinct stands. The jobs that are open now are the ones `put` acknowledges."""
        self._seen[precinct] = open_jobs(self._connection, precinct)
        return history.standing(self._connection, precinct)

    def worksheet(self, precinct: str) -> Worksheet | None:
        """The worksheet of the precinct's result so far."""
        row = self._connection.execute(_ONE, {"code": precinct}).first()
        return _result(row, [load(tallies) for tallies in row[-3:]]).worksheet if row else None

    def alike(self, worksheet: Worksheet | None, precinct: str) -> list[str]:
        """Codes of other precincts whose result has the same alignments; none when too few people tell them apart."""
        mark = digest(worksheet)
        return list(self._connection.execute(_ALIKE, {"mark": mark, "code": precinct}).scalars()) if mark else []

    def put(self, result: Result, named: Sequence[Finding]) -> None:
        """Keep a precinct's result and findings in place of those before, and acknowledge its jobs."""
        _put_result(self._connection, replace(result, seq=self._head), self._at)
        self._connection.execute(_FORGET, {"code": result.precinct})
        if named:
            rows = [_finding_row(n, Named(result.precinct, each)) for n, each in enumerate(named)]
            self._connection.execute(_ADD, rows)
        acknowledge(self._connection, self._seen[result.precinct], self._at)


def digest(worksheet: Worksheet | None) -> str:
    """A mark of a worksheet's alignments, equal for equal ones; "" when too few people aligned to tell anything."""
    written = record(worksheet) if worksheet is not None else None
    return hashlib.sha256(written.encode()).hexdigest() if written is not None else ""


def _put_result(connection: Connection, result: Result, at: str) -> bool:
    sheet = result.worksheet or Worksheet(None, {}, {}, {})
    row = {
        "precinct": result.precinct,
        "seq": result.seq,
        "status": result.status,
        "version": result.version,
        "origin": result.origin,
        "headcount": sheet.headcount,
        "first": dump_tallies(sheet.first),
        "final": dump_tallies(sheet.final),
        "delegates": dump_tallies(sheet.delegates),
        "digest": digest(result.worksheet),
        "tabulated_at": at,
    }
    return bool(ask(connection, PUT, row).rowcount)


def _finding_row(place: int, named: Named) -> dict[str, Any]:
    finding = named.finding
    return {
        "precinct": named.precinct,
        "place": place,
        "code": finding.code,
        "severity": finding.severity,
        "section": finding.section,
        "message": finding.message,
        "numbers": dump(dict(finding.numbers)),
        "groups": dump(list(finding.groups)),
        "other": named.other,
    }


def _results(connection: Connection) -> dict[str, Result]:
    rows = connection.execute(_RESULTS.order_by(results.c.precinct)).all()
    sheets = _loaded(f"[{first},{final},{delegates}]" for *_, first, final, delegates in rows)
    return {row[0]: _result(row, sheet) for row, sheet in zip(rows, sheets, strict=True)}


def _result(row: Row[Any], sheet: Sequence[Tallies]) -> Result:
    precinct, seq, status, version, origin, headcount = tuple(row)[:6]
    return Result(precinct, seq, status, version, origin, Worksheet(headcount, *sheet) if version else None)


def _findings(connection: Connection) -> list[Named]:
    order = (findings.c.precinct, findings.c.place)
    rows = connection.execute(select(findings).order_by(*order)).all()
    extras = _loaded(f"[{row.numbers},{row.groups}]" for row in rows)
    return [_named(row, *extra) for row, extra in zip(rows, extras, strict=True)]


def _named(row: Row[Any], numbers: Mapping[str, int], groups: Sequence[str]) -> Named:
    finding = Finding(row.code, row.severity, row.section, row.message, numbers, tuple(groups))
    return Named(row.precinct, finding, row.other)


def _loaded(texts: Iterable[str]) -> list[Any]:
    """Many small JSON texts read at one go, several times as fast as one by one."""
    return list(load(f"[{','.join(texts)}]"))

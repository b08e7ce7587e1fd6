"""What staff and commands did, read off the ledger: every event that says whose word it is, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, literal_column, select

from hotline.events.kinds import from_body, to_body
from hotline.events.standing import Recorded
from hotline.store.database import reading
from hotline.store.schema import events
from hotline.store.staff_tables import BY_STAFF, staff_sessions
from hotline.store.text import dump, load

CHUNK = 1_000


@dataclass(frozen=True)
class Act:
    """One act. `address` is where its session was signed in from, "" where it is not known."""

    recorded: Recorded
    by: str
    address: str


@dataclass(frozen=True)
class Sought:
    """Which acts are meant; "" asks for nothing. `before`: of seqs below it, 0 for the newest."""

    by: str = ""
    kind: str = ""
    precinct: str = ""
    before: int = 0


class Audit:
    """Reads acts; guards the engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def page(self, sought: Sought, count: int) -> list[Act]:
        """The newest acts that are meant."""
        with reading(self._engine) as connection:
            rows = connection.execute(_meant(sought).limit(count)).all()
        return self._acts(
            Recorded(seq, at, call, precinct, from_body(kind, load(body)))
            for seq, at, call, precinct, kind, body in rows
        )

    def everything(self, sought: Sought) -> Iterator[Act]:
        """All of them, newest first, read in pieces so that an export of any length holds nothing up."""
        before = sought.before
        while True:
            acts = self.page(Sought(sought.by, sought.kind, sought.precinct, before), CHUNK)
            yield from acts
            if len(acts) < CHUNK:
                return
            before = acts[-1].recorded.seq

    def _acts(self, recorded: Iterable[Recorded]) -> list[Act]:
        found = [(each, to_body(each.event)) for each in recorded]
        sessions = {str(body["session"]) for _, body in found if body.get("session")}
        addresses = self._addresses(sessions)
        return [Act(each, str(body.get("by", "")), addresses.get(body.get("session", ""), "")) for each, body in found]

    def _addresses(self, marks: set[str]) -> dict[str, str]:
        if not marks:
            return {}
        lowest, highest = min(marks), max(marks)
        kept = select(staff_sessions.c.token, staff_sessions.c.address)
        kept = kept.where(staff_sessions.c.token >= lowest, staff_sessions.c.token <= f"{highest}~")
        with reading(self._engine) as connection:
            return {row.token[:8]: row.address for row in connection.execute(kept) if row.token[:8] in marks}


def _meant(sought: Sought) -> Select[Any]:
    columns = (events.c.seq, events.c.at, events.c.call, events.c.precinct, events.c.kind, events.c.body)
    acts = select(*columns).where(literal_column(BY_STAFF)).order_by(events.c.seq.desc())
    if sought.by:
        acts = acts.where(events.c.body.contains(f'"by":{dump(sought.by)}', autoescape=True))
    if sought.kind:
        acts = acts.where(events.c.kind == sought.kind)
    if sought.precinct:
        acts = acts.where(events.c.precinct == sought.precinct)
    if sought.before:
        acts = acts.where(events.c.seq < sought.before)
    return acts

"""The numbers on file and how calling them back went, as staff look at them: masked, for many precincts at once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import Engine, func, select

from hotline.store.database import reading
from hotline.store.schema import call_backs, chair_numbers
from hotline.store.text import masked


@dataclass(frozen=True)
class OnFile:
    """A number on file, masked, and whose it is."""

    caller: str
    role: str


@dataclass(frozen=True)
class CallingBack:
    """One call-back: `placed_at` None while it waits, `closed_at` None while something may come of it."""

    precinct: str
    why: str
    requested_at: str
    placed_at: str | None
    closed_at: str | None
    outcome: str


class Chairs:
    """Reads numbers on file and call-backs; guards the engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def on_file(self) -> dict[str, list[OnFile]]:
        """Every precinct's numbers, by code."""
        found: dict[str, list[OnFile]] = defaultdict(list)
        rows = select(chair_numbers.c.precinct, chair_numbers.c.number, chair_numbers.c.role)
        with reading(self._engine) as connection:
            for precinct, number, role in connection.execute(rows.order_by(chair_numbers.c.number)):
                found[precinct].append(OnFile(masked(number), role))
        return found

    def last_call_backs(self) -> dict[str, tuple[CallingBack, int]]:
        """Each precinct's newest call-back and how many it had, by code."""
        newest = select(func.max(call_backs.c.id), func.count()).group_by(call_backs.c.precinct).subquery()
        last = select(*_COLUMNS, newest.c[1]).join(newest, newest.c[0] == call_backs.c.id)
        with reading(self._engine) as connection:
            return {row[0]: (CallingBack(*row[:-1]), row[-1]) for row in connection.execute(last)}


_COLUMNS = tuple(
    call_backs.c[name] for name in ("precinct", "why", "requested_at", "placed_at", "closed_at", "outcome")
)

"""Precincts as staff look after them: found by name, with status, numbers on file and call-backs; and who to chase.

Whoever has reported is not called again for the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotline.caucus.contest import Precinct
from hotline.errors import NotFound, Overtaken
from hotline.events.verification import CallBackRequested
from hotline.services.line import Line
from hotline.services.review import subject
from hotline.store.chairs import CallingBack, OnFile
from hotline.store.reviews import Claim
from hotline.store.staff import Session


@dataclass(frozen=True)
class Row:
    """One precinct: its status as last worked out, numbers on file, its newest call-back and how many there were."""

    precinct: Precinct
    status: str
    on_file: Sequence[OnFile]
    call_back: CallingBack | None
    call_backs: int
    claim: Claim | None


def rows(line: Line) -> list[Row]:
    """Every precinct, in roster order."""
    results, on_file, last = line.projections.results(), line.chairs.on_file(), line.chairs.last_call_backs()
    claims = line.reviews.claims()
    found = []
    for code, precinct in line.contest.precincts.items():
        status = results[code].status if code in results else "outstanding"
        call_back, count = last.get(code, (None, 0))
        found.append(Row(precinct, status, on_file.get(code, ()), call_back, count, claims.get(subject(code))))
    return found


def call_back(line: Line, session: Session, code: str) -> None:
    """Have the number on file called, so that the chair can report. Raises `Overtaken` when they have, or it waits."""
    if code not in line.contest.precincts:
        raise NotFound(f"{code} is no precinct of this contest.")
    with line.reviews.deciding(session, subject(code)) as work:
        standing = work.standing(code)
        if standing.current is not None or standing.closed is not None:
            raise Overtaken("This precinct has reported or is closed: nobody calls it again for the same numbers.")
        work.record(CallBackRequested(code, "staff"))
        work.let_go()

"""Who is at what for the moment, and what two of staff decide together.

A proposal and the decision of it are rows that only ever come; the decision's row names the proposer, by a key the
database checks, and the database takes no approval by that name. The events of a decision are written in its
transaction: it is decided whole, once, or not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Engine, Select, delete, insert, or_, select

from hotline.clock import Clock
from hotline.errors import Overtaken
from hotline.events.decisions import CallWord, What
from hotline.events.kinds import Event
from hotline.events.standing import PrecinctStanding
from hotline.store import history
from hotline.store.database import in_line, reading, upsert, writing
from hotline.store.staff import Session
from hotline.store.staff_tables import claims, decisions, flags, proposals
from hotline.store.statements import statements
from hotline.store.text import dump, instant, load
from hotline.store.writer import write_events

HELD_FOR = timedelta(minutes=5)
Word = Literal["approved", "declined"]


@dataclass(frozen=True)
class Claim:
    """Somebody is at something; whoever else wants it waits until then."""

    subject: str
    by: str
    until: str


@dataclass(frozen=True)
class Proposal:
    """What somebody proposed of a precinct's report, and what became of it; `word` is "" while it waits."""

    id: int
    what: What
    precinct: str
    version: int
    changes: Mapping[str, int] = field(hash=False)
    why: str
    by: str
    at: str
    word: Literal["approved", "declined", ""] = ""
    decided_by: str = ""


class Reviews:
    """Claims, proposals and decisions; guards the engine."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock
        self._sql = statements(engine.dialect)

    def claim(self, subject: str, by: str) -> Claim:
        """Take something for five minutes, or for five more. Raises `Overtaken` when another has it."""
        with writing(self._engine) as connection:
            return _take(connection, subject, by, self._clock)

    def release(self, subject: str, by: str) -> None:
        """Give it back."""
        with writing(self._engine) as connection:
            connection.execute(delete(claims).where(claims.c.subject == subject, claims.c.by == by))

    def claims(self, subjects: Collection[str] = ()) -> dict[str, Claim]:
        """Who is at which of these, or at anything, by subject."""
        held = select(claims).where(claims.c.until > instant(self._clock.now()))
        if subjects:
            held = held.where(claims.c.subject.in_(subjects))
        with reading(self._engine) as connection:
            return {row.subject: Claim(*row) for row in connection.execute(held)}

    def waiting(self) -> list[Proposal]:
        """The proposals that wait for a second word, oldest first."""
        return self._read(_PROPOSALS.where(decisions.c.word.is_(None)))

    def of(self, precinct: str) -> list[Proposal]:
        """Everything that was proposed of a precinct, oldest first."""
        return self._read(_PROPOSALS.where(proposals.c.precinct == precinct))

    def find(self, proposal: int) -> Proposal | None:
        """One proposal."""
        found = self._read(_PROPOSALS.where(proposals.c.id == proposal))
        return found[0] if found else None

    @contextmanager
    def deciding(self, session: Session, subject: str) -> Iterator[Deciding]:
        """One transaction to decide something in. Raises `Overtaken` when another is at it; ours it is afterwards."""
        with writing(self._engine) as connection:
            in_line(connection, subject)
            _take(connection, subject, session.staff, self._clock)
            yield Deciding(connection, self, session, subject, instant(self._clock.now()))

    def write(self, connection: Connection, events: Sequence[Event], at: str, call: str) -> None:
        """Write events in a transaction of `deciding`. Use `Deciding.record`."""
        write_events(connection, self._sql, events, call, at)

    def _read(self, wanted: Select[Any]) -> list[Proposal]:
        with reading(self._engine) as connection:
            return [_proposal(row) for row in connection.execute(wanted.order_by(proposals.c.id))]


class Deciding:
    """The one transaction something is decided in: what stands, and what is written of it."""

    def __init__(self, connection: Connection, reviews: Reviews, session: Session, subject: str, at: str) -> None:
        self._connection, self._reviews, self._session, self._subject = connection, reviews, session, subject
        self._at = at

    def standing(self, precinct: str) -> PrecinctStanding:
        """Where the precinct stands, as this transaction sees it."""
        return history.standing(self._connection, precinct)

    def waiting(self, precinct: str) -> list[Proposal]:
        """What waits for a second word of the precinct."""
        open_ones = _PROPOSALS.where(proposals.c.precinct == precinct, decisions.c.word.is_(None))
        return [_proposal(row) for row in self._connection.execute(open_ones)]

    def propose(self, what: What, precinct: str, version: int, changes: Mapping[str, int], why: str) -> int:
        """Keep a proposal; its number. Whoever decides next is another, so the claim is given back."""
        row = {"what": what, "precinct": precinct, "version": version, "changes": dump(dict(changes)), "why": why}
        row |= {"by": self._session.staff, "session": self._session.mark, "at": self._at}
        made: int = self._connection.execute(insert(proposals).values(row).returning(proposals.c.id)).scalar_one()
        self.let_go()
        return made

    def decide(self, proposal: Proposal, word: Word, why: str) -> None:
        """Keep the second word. Raises `Overtaken` when there is one already."""
        given = select(decisions.c.by, decisions.c.word).where(decisions.c.proposal == proposal.id)
        before = self._connection.execute(given).first()
        if before is not None:
            raise Overtaken(f"{before.by} has {before.word} proposal {proposal.id} already.")
        row = {"proposal": proposal.id, "proposed_by": proposal.by, "by": self._session.staff, "word": word}
        row |= {"why": why, "session": self._session.mark, "at": self._at}
        self._connection.execute(insert(decisions).values(row))
        self.let_go()

    def record(self, *events: Event, call: str = "") -> None:
        """Write what was decided into the ledger; `call` is the one it is about."""
        self._reviews.write(self._connection, events, self._at, call)

    def word_of(self, call: str) -> str | None:
        """What staff have said of a call, "" while it waits, None where it was never flagged."""
        return self._connection.execute(select(flags.c.word).where(flags.c.call == call)).scalar()

    def judge(self, call: str, word: CallWord | Literal[""], why: str) -> None:
        """Keep what a call was, or with "" that it waits again. One that was not flagged is, from now on."""
        said: dict[str, str | None] = {"word": word, "why": why, "by": self._session.staff if word else ""}
        said["decided_at"] = self._at if word else None
        row = {"call": call, "at": self._at, "risk": 0, "reasons": " staff ", **said}
        put = upsert(self._connection, flags).values(row)
        self._connection.execute(put.on_conflict_do_update(index_elements=["call"], set_=said))

    def let_go(self) -> None:
        """Done with it: others may take it."""
        self._connection.execute(delete(claims).where(claims.c.subject == self._subject))


_PROPOSALS = select(
    *(proposals.c[name] for name in ("id", "what", "precinct", "version", "changes", "why", "by", "at")),
    decisions.c.word,
    decisions.c.by.label("decided_by"),
).join(decisions, decisions.c.proposal == proposals.c.id, isouter=True)


def _proposal(row: Any) -> Proposal:
    number, what, precinct, version, changes, why, by, at, word, decided_by = row
    return Proposal(number, what, precinct, version, load(changes), why, by, at, word or "", decided_by or "")


def _take(connection: Connection, subject: str, by: str, clock: Clock) -> Claim:
    now = clock.now()
    wanted = Claim(subject, by, instant(now + HELD_FOR))
    free = or_(claims.c.by == by, claims.c.until <= instant(now))
    put = upsert(connection, claims).values(vars(wanted))
    taken = put.on_conflict_do_update(index_elements=["subject"], set_=vars(wanted), where=free)
    if connection.execute(taken.returning(claims.c.by)).first() is None:
        held = connection.execute(select(claims).where(claims.c.subject == subject)).one()
        raise Overtaken(f"{held.by} is at this until {held.until[11:16]} UTC. Nothing of yours was done.")
    return wanted

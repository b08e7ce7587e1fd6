"""The ledger: every turn of every call, and what it recorded, kept in one transaction each.

Standing rules: a turn is taken once, and a repeat gets the very same bytes; events, session, answer, draft and outbox
row are kept together or not at all; events are never changed (triggers refuse it). Reading the ledger back stands in
`history`, handing its jobs to the queue in `outbox`.

`seq` grows without gaps on SQLite, which has one writer at a time. PostgreSQL numbers rows before they commit, so there
a number may be missing (undone) or appear after a higher one (committed later): rows of one call, and the versions of
one precinct, are still in order, since their transactions wait for one another. Whoever needs one order for all rows,
such as a seal, has to assign it afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Engine, select

from hotline.clock import Clock
from hotline.dialog.facts import HalfGiven
from hotline.errors import NotRecorded, UnknownCall
from hotline.events.kinds import CallEnded, Event
from hotline.events.standing import PrecinctStanding, Recorded
from hotline.events.verification import NoticeWanted
from hotline.store import history
from hotline.store.database import reading, run, writing
from hotline.store.schema import events
from hotline.store.statements import statements
from hotline.store.text import dump, instant, load
from hotline.store.writer import write_events
from hotline.telephone_numbers import block_of

REFUSED = "busy"
"""What the carrier calls a call that was not answered on purpose."""


@dataclass(frozen=True)
class NewCall:
    """A call at its first ring. `caller` is the whole number, "" when withheld; `called` is ours."""

    sid: str
    caller: str
    called: str


@dataclass(frozen=True)
class Keeping:
    """What one turn leaves behind.

    `session` is the dialog's JSON after the turn, `answer` what the carrier is told. `precinct` is the precinct the
    call is signed in for, None before. `claim_draft`: the report of `precinct` is from now on this call's, whoever held
    it. `close_draft`: its report is filed, nothing is half given any more. `parked`: the precinct the call has left and
    the draft it leaves there. `is_refused`: the call is not answered, so this is its end.
    """

    events: Sequence[Event]
    session: Mapping[str, Any]
    answer: str
    precinct: str | None = None
    claim_draft: bool = False
    close_draft: bool = False
    parked: tuple[str, Mapping[str, Any]] | None = None
    is_refused: bool = False


@dataclass(frozen=True)
class Found:
    """A call as its last turn left it, and the answer to the turn asked about. `owner`: who has open what it holds."""

    session: str = ""
    turn: int = 0
    holds: str = ""
    owner: str | None = None
    answer: str | None = None


class OpenTurn:
    """A turn being taken: what stood before it, and the one chance to record it.

    Its reads see the transaction it is in. Left without `record`, nothing is kept.
    """

    sid: str
    n: int
    stored: str | None
    """The answer this turn was given before, or None when it is new."""
    expected: int
    """The number of the next turn of this call; a turn with another number must not be recorded."""
    session: dict[str, Any] | None
    """The dialog's session as the last turn left it; None at the first ring."""
    taken_over: bool
    """This call had the precinct's report open, and a newer call has opened it since (and may have filed it)."""

    def __init__(self, connection: Connection, ledger: Ledger, sid: str, n: int, found: Found) -> None:
        self._connection, self._ledger, self._holds = connection, ledger, found.holds
        self.sid, self.n, self.stored, self.expected = sid, n, found.answer, found.turn
        self.session = load(found.session) if found.session else None
        self.taken_over = found.holds != "" and found.owner != sid
        self.is_recorded = False

    def record(self, keeping: Keeping) -> None:
        """Keep the turn; it is on the disk when the block of `turn` or `open_call` has ended without an error."""
        if self.stored is not None or self.n != self.expected:
            raise ValueError(f"Turn {self.n} of {self.sid} cannot be recorded: turn {self.expected} is next")
        self._ledger.keep(self._connection, self, self._holds, keeping)
        self.stored, self.expected, self.is_recorded = keeping.answer, self.n + 1, True

    def standing(self, precinct: str) -> PrecinctStanding:
        """Where the precinct stands, as this transaction sees it."""
        return history.standing(self._connection, precinct)

    def was_told(self, precinct: str, why: str, within: timedelta) -> bool:
        """Whether the numbers on file for the precinct are told of this already, by a notice not older than that."""
        since = instant(self._ledger.clock.now() - within)
        notices = select(events.c.body).where(
            events.c.precinct == precinct, events.c.kind == NoticeWanted.__name__, events.c.at > since
        )
        return any(load(body)["why"] == why for body in self._connection.execute(notices).scalars())

    def half_given(self, precinct: str) -> HalfGiven | None:
        """The report left unfinished for the precinct, as this transaction sees it."""
        return history.half_given(self._connection, precinct)


class Ledger:
    """Writes turns and events; guards the engine and the statements prepared for it."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self.engine, self.clock = engine, clock
        self._sql = statements(engine.dialect)

    @contextmanager
    def open_call(self, call: NewCall) -> Iterator[OpenTurn]:
        """Take turn 0, the first ring. A repeated first ring finds `stored` set."""
        with writing(self.engine) as connection:
            at = instant(self.clock.now())
            row = {"sid": call.sid, "caller": call.caller, "called": call.called, "at": at}
            row["block"] = block_of(call.caller)
            is_new = run(connection, self._sql.open_call, row).rowcount
            turn = OpenTurn(connection, self, call.sid, 0, Found() if is_new else self._find(connection, call.sid, 0))
            yield turn
            if is_new and not turn.is_recorded:
                run(connection, self._sql.forget_call, {"sid": call.sid})

    @contextmanager
    def turn(self, sid: str, n: int) -> Iterator[OpenTurn]:
        """Take turn `n` of a call, alone: the same turn arriving twice waits here and finds `stored` set.

        Raises `UnknownCall` when the line never answered `sid`, `NotRecorded` when the database could not keep it.
        Do nothing slow inside, such as judging a PIN: on SQLite every other call waits. Leave, judge, come back.
        """
        with writing(self.engine) as connection:
            yield OpenTurn(connection, self, sid, n, self._find(connection, sid, n))

    def append(self, events: Sequence[Event], call: str = "") -> None:
        """Record what staff or a command decided."""
        with writing(self.engine) as connection:
            write_events(connection, self._sql, events, call, instant(self.clock.now()))

    def end_call(self, sid: str, status: str, seconds: int) -> bool:
        """Note the carrier's word that a call is over. True the first time; later words change nothing."""
        with writing(self.engine) as connection:
            session, at = self._find(connection, sid, 0).session, instant(self.clock.now())
            end = {"sid": sid, "status": status, "seconds": seconds, "at": at}
            if not run(connection, self._sql.end_call, end).rowcount:
                return False
            state = str(load(session).get("state", "")) if session else ""
            write_events(connection, self._sql, [CallEnded(status, state, seconds)], sid, at)
            return True

    def history(self, precinct: str) -> list[Recorded]:
        """Everything recorded of one precinct, in order."""
        with reading(self.engine) as connection:
            return history.history(connection, precinct)

    def standing(self, precinct: str) -> PrecinctStanding:
        """Where one precinct stands."""
        with reading(self.engine) as connection:
            return history.standing(connection, precinct)

    def standings(self, upto: int | None = None) -> dict[str, PrecinctStanding]:
        """Where every precinct stands that anything moved, as of `upto`; by code."""
        with reading(self.engine) as connection:
            return history.standings(connection, upto)

    def half_given(self, precinct: str) -> HalfGiven | None:
        """The report left unfinished for the precinct."""
        with reading(self.engine) as connection:
            return history.half_given(connection, precinct)

    def events(self, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """The ledger in order of `seq`, from behind `after` up to and including `upto`; read it to its end."""
        with reading(self.engine) as connection:
            yield from history.events_between(connection, after, upto)

    def session(self, sid: str) -> dict[str, Any] | None:
        """The dialog's session of a call as its last turn left it; None when the line never answered it."""
        with reading(self.engine) as connection:
            return history.session(connection, sid)

    def head(self) -> int:
        """The highest `seq` so far, 0 for an empty ledger."""
        with reading(self.engine) as connection:
            return history.head(connection)

    def keep(self, connection: Connection, turn: OpenTurn, held: str, keeping: Keeping) -> None:
        """Write one turn, in its transaction. `held` is the precinct whose report the call had open. Use `record`."""
        sql, precinct = self._sql, keeping.precinct or ""
        holds = precinct if keeping.claim_draft or (held == precinct and not keeping.close_draft) else ""
        session = dump(keeping.session)
        run(connection, sql.keep_turn, {"sid": turn.sid, "n": turn.n, "answer": keeping.answer})
        run(
            connection,
            sql.keep_session,
            {"sid": turn.sid, "turn": turn.n + 1, "session": session, "precinct": precinct, "holds": holds},
        )
        at = instant(self.clock.now())
        write_events(connection, sql, keeping.events, turn.sid, at)
        if keeping.is_refused:
            run(connection, sql.end_call, {"sid": turn.sid, "status": REFUSED, "seconds": 0, "at": at})
        if keeping.parked:
            left, left_draft = keeping.parked
            run(connection, sql.park_draft, {"precinct": left, "sid": turn.sid, "draft": dump(left_draft)})
        draft = {"precinct": precinct, "sid": turn.sid}
        if keeping.claim_draft:
            run(connection, sql.claim_draft, draft)
        if keeping.close_draft:
            closed = run(connection, sql.close_draft, draft).rowcount
            if held == precinct and not closed:
                raise NotRecorded(f"A newer call opened the report of {precinct} in the same moment")

    def _find(self, connection: Connection, sid: str, n: int) -> Found:
        row = run(connection, self._sql.find_turn, {"sid": sid, "n": n}).fetchone()
        if row is None:
            raise UnknownCall(f"Call {sid} was never answered here")
        found = Found(*row)
        if found.answer is None and n < found.turn:
            # PostgreSQL waited for the call's row, then showed the joined turn as it was before the wait.
            answer = run(connection, self._sql.find_answer, {"sid": sid, "n": n}).fetchone()[0]
            found = replace(found, answer=answer)
        return found

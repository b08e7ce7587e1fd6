"""Taking calls: the only place that knows the order in which a turn is claimed, judged, stepped, committed and spoken.

Ledger before voice: the answer is returned only after the transaction that keeps it is on the disk. A repeated turn is
answered with the stored bytes, a turn out of order with the current question; neither records anything.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from hotline.dialog import machine
from hotline.dialog.facts import (
    ChallengeWanted,
    CorrectionCheck,
    Facts,
    Inquiry,
    NumberWanted,
    PinCheck,
)
from hotline.dialog.machine import Opening, Turn
from hotline.dialog.session import Session
from hotline.dialog.values import replace
from hotline.errors import NotRecorded, UnknownCall
from hotline.events.kinds import (
    CallAnswered,
    CallBackPromised,
    ChairSignedIn,
    Event,
    PersonCalledFor,
    ReportConfirmed,
)
from hotline.events.verification import CallBackRequested
from hotline.services import lost_calls
from hotline.services.line import Line
from hotline.services.screening import Screened, doubts, screen
from hotline.services.sign_in import judge
from hotline.store.ledger import Keeping, NewCall, OpenTurn
from hotline.store.numbers import NoNumberLeft
from hotline.store.text import masked
from hotline.telephony.inbound import CallFailure, CallStatus, InboundCall, InboundTurn, QueueLeft
from hotline.telephony.twiml import apology, call_back, call_later, goodbye, hold, rejected, twiml

WAITS = (0.25, 1.0)
"""Seconds before a commit that failed is tried again, twice: the database may be starting again."""
HOLDS = 8
"""Times a caller is asked to hold the line for some seconds, when that was not enough. Then a person takes over."""

PATIENCE = 1.0
"""Seconds in one request after which the caller is asked to hold rather than left in silence."""

FINAL = ("completed", "busy", "failed", "no-answer", "canceled")
"""What the carrier calls a call that is over."""

log = logging.getLogger(__name__)


def answer_call(line: Line, call: InboundCall) -> str:
    """The first ring: TwiML with the first question. A repeated ring gets the same bytes."""
    return _insist(line, Session(call.sid), "/voice/answer", call.held, lambda: _answer(line, call))


def take_turn(line: Line, inbound: InboundTurn) -> str:
    """One answer of the caller: TwiML with what they hear next.

    Raises `UnknownCall` when the line never answered this call. If the database cannot commit, the caller is asked to
    hold the line, then told that nothing is recorded yet and goes to a person; no confirmation number is spoken.
    """
    waiting = Session(inbound.sid, language=inbound.language)
    return _insist(line, waiting, f"/voice/turn/{inbound.turn}", inbound.held, lambda: _take(line, inbound))


def end_call(line: Line, status: CallStatus) -> None:
    """The carrier says the call is over. What was given stays; late or repeated words change nothing."""
    if status.status in FINAL and line.ledger.end_call(status.sid, status.status, status.seconds):
        lost_calls.call_back(line, status.sid)


def leave_queue(line: Line, left: QueueLeft) -> str:
    """The attempt to reach a person ended: nothing more after a talk, else a call-back is promised and recorded.

    What cannot be recorded is not promised: the caller is asked to hold, and in the end to call again.
    """
    if left.status in ("completed", "bridged", "hangup"):
        return goodbye(line.prompts, left.language)
    try:
        return _promise(line, left.sid)
    except NotRecorded as trouble:
        log.error("call %s: no call-back is promised, held %d times: %s", left.sid, left.held, trouble)
    if left.held < HOLDS:
        return hold(line.prompts, f"/voice/queue/left?held={left.held + 1}", left.language)
    return call_later(line.prompts, left.language)


def _promise(line: Line, sid: str) -> str:
    stored = line.ledger.session(sid)
    if stored is None:
        raise UnknownCall(f"Call {sid} was never answered here")
    session = Session.from_json(stored)
    line.ledger.append(_promised(session), call=sid)
    return call_back(line.prompts, session.language)


def fallback(line: Line, failure: CallFailure) -> str:
    """The carrier could not use our answer: the caller hears that nothing given is lost, and goes to a person."""
    log.error("call %s: the carrier could not run %s: error %s", failure.sid, failure.url, failure.error)
    return apology(line.prompts, line.settings.staff_numbers, failure.language)


def _insist(line: Line, waiting: Session, address: str, held: int, take: Callable[[], str]) -> str:
    """Take the turn, against a database that may be away for a moment; `held` times the caller has waited for it.

    Whoever waits asks the same turn again, with no keys. If it was committed after all they hear its answer. `waiting`
    is what is known of the call without the database: which it is, and the language its address names.
    """
    began = line.clock.monotonic()
    for wait in (*WAITS, None):
        try:
            return take()
        except NotRecorded as trouble:
            log.error("call %s: not recorded, held %d times: %s", waiting.call, held, trouble)
            if wait is None or line.clock.monotonic() - began > PATIENCE:
                break
            line.clock.sleep(wait)
    if held < HOLDS:
        return hold(line.prompts, f"{address}?held={held + 1}", waiting.language)
    reply = machine.not_recorded(waiting, line.script)
    return twiml(reply, 0, line.prompts, line.settings.staff_numbers)


def _answer(line: Line, call: InboundCall) -> str:
    screened = screen(line, call)
    with line.ledger.open_call(NewCall(call.sid, call.caller or "", call.called)) as turn:
        if turn.stored is not None:
            return turn.stored
        verdict = screened.verdict
        judged = (screened.event, *doubts(screened, turn))
        if verdict.decision == "reject":
            return _turned_away(turn, call, screened, judged, rejected())
        answered = CallAnswered(masked(call.caller or ""), masked(call.called), verdict.lane)
        if verdict.decision == "message":
            return _turned_away(turn, call, screened, (answered, *judged), call_later(line.prompts))
        opened = machine.open_call(_opening(line, call, screened), line.script)
        return _keep(line, turn, None, opened, (answered, *judged))


def _opening(line: Line, call: InboundCall, screened: Screened) -> Opening:
    digits = line.clock.digits(3) if screened.verdict.decision == "challenge" else None
    is_slow = screened.verdict.decision == "slow"
    return Opening(call.sid, screened.on_file, digits, is_slow=is_slow, doubted=screened.doubted)


def _turned_away(turn: OpenTurn, call: InboundCall, screened: Screened, events: tuple[Event, ...], answer: str) -> str:
    """Keep a call that never becomes a conversation: rejected, or told to call later. Later turns hear its end."""
    session = Session(call.sid, state="over", on_file=screened.on_file)
    is_refused = screened.verdict.decision == "reject"
    turn.record(Keeping(events, session.to_json(), answer, is_refused=is_refused))
    return answer


def _take(line: Line, inbound: InboundTurn) -> str:
    """Look, and when the keys are a PIN step outside to judge it: slow work never holds the database."""
    judged = Facts()
    while True:
        with line.ledger.turn(inbound.sid, inbound.turn) as turn:
            if turn.stored is not None:
                return turn.stored
            session = Session.from_json(turn.session or {})
            if inbound.turn != session.turn or session.ended:
                return twiml(
                    machine.current(session, line.script), session.turn, line.prompts, line.settings.staff_numbers
                )
            inquiry = None if turn.taken_over else machine.inquire(session, inbound.heard)
            if not isinstance(inquiry, PinCheck) or judged.sign_in is not None:
                facts = _facts(line, turn, inquiry, judged)
                stepped = machine.step(session, inbound.heard, facts, line.script)
                return _keep(line, turn, session, stepped)
        judged = judge(line, inbound.sid, inbound.turn, inquiry, session)


def _facts(line: Line, turn: OpenTurn, inquiry: Inquiry | None, judged: Facts) -> Facts:
    """What the machine must be told, read in the transaction that will keep what follows from it."""
    match inquiry:
        case PinCheck(precinct) if judged.sign_in == "accepted":
            return replace(judged, standing=turn.standing(precinct), half_given=turn.half_given(precinct))
        case PinCheck():
            return judged
        case CorrectionCheck(precinct, code):
            is_right = line.pins.check_correction(precinct, code)
            return Facts(correction="accepted" if is_right else "refused")
        case NumberWanted(precinct):
            return _numbered(line, precinct, turn.standing(precinct).next_version)
        case ChallengeWanted():
            return Facts(challenge=line.clock.digits(3))
        case None:
            return Facts(taken_over=turn.taken_over)


def _numbered(line: Line, precinct: str, version: int) -> Facts:
    """The next version's confirmation number. When they are used up there is none, and a person takes over."""
    try:
        return Facts(version=version, confirmation=line.numbers.confirmation(precinct, version))
    except NoNumberLeft as used_up:
        log.error("%s", used_up)
        return Facts()


def _keep(line: Line, turn: OpenTurn, before: Session | None, after: Turn, first: tuple[Event, ...] = ()) -> str:
    """Commit the turn with the words that answer it; the words leave only once the transaction is through."""
    events = (*first, *after.events)
    staff = line.settings.staff_numbers
    if not staff and any(isinstance(event, PersonCalledFor) for event in events):
        events = (*events, *_promised(after.session))
    answer = twiml(after.reply, after.session.turn, line.prompts, staff)
    is_filed = any(isinstance(event, ReportConfirmed) for event in events)
    turn.record(
        Keeping(
            events=events,
            session=after.session.to_json(),
            answer=answer,
            precinct=after.session.precinct,
            claim_draft=any(isinstance(event, ChairSignedIn) for event in events),
            close_draft=is_filed,
            parked=_left_behind(before, after.session),
        )
    )
    return answer


def _promised(session: Session) -> tuple[Event, ...]:
    """Nobody is free: the number on file for the caller's precinct is to be called, where that is known."""
    precinct = session.site or next(iter((*session.on_file, *session.doubted)), "")
    promised = CallBackPromised(session.site)
    return (promised, CallBackRequested(precinct, "promised")) if precinct else (promised,)


def _left_behind(before: Session | None, after: Session) -> tuple[str, Mapping[str, Any]] | None:
    """The report a call walks away from half given, when it goes to another precinct: it stays with the first."""
    if before is None or before.precinct is None or before.precinct == after.precinct or not before.report.is_begun:
        return None
    return before.precinct, before.to_json()["draft"]

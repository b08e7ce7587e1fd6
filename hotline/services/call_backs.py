"""The number on file that was called picks up, or does not: what it hears, and what the ledger keeps of it.

Placing the call stands in `outgoing`. What is heard before a key is pressed says nothing: see `dialog.called_back`.
"""

from __future__ import annotations

import logging

from hotline.dialog import machine
from hotline.dialog.called_back import CalledBack
from hotline.dialog.machine import Opening
from hotline.dialog.session import Session
from hotline.errors import NotRecorded
from hotline.events.kinds import ChairSignedIn
from hotline.events.standing import PrecinctStanding
from hotline.events.verification import CallBackAnswered
from hotline.services.line import Line
from hotline.store.call_backs import CallBack
from hotline.store.ledger import Keeping, NewCall
from hotline.telephony.inbound import CallStatus, InboundCall
from hotline.telephony.twiml import goodbye, twiml

UNANSWERED = ("busy", "no-answer", "failed", "canceled")

log = logging.getLogger(__name__)


def answer(line: Line, request: int, call: InboundCall) -> str:
    """Somebody, or a machine, picked up: TwiML with the first words. A repeated request gets the same bytes.

    `call` is from our number to theirs. A call we did not place, one too late and one answered before get no more than
    a goodbye; so does everybody while the database cannot: a machine is not to be put through to a person.
    """
    try:
        return _answer(line, request, call)
    except NotRecorded as trouble:
        log.error("call %s: call-back %d is not recorded: %s", call.sid, request, trouble)
        return goodbye(line.prompts)


def _answer(line: Line, request: int, call: InboundCall) -> str:
    wanted = line.call_backs.answer(request, call.sid, call.called)
    if wanted is None or wanted.precinct not in line.contest.precincts:
        log.warning("call %s: no call-back %d is to be answered", call.sid, request)
        return goodbye(line.prompts)
    language = _language(line, wanted.precinct)
    with line.ledger.open_call(NewCall(call.sid, call.called, call.caller or "")) as turn:
        if turn.stored is not None:
            return turn.stored
        about = _about(wanted, turn.standing(wanted.precinct), language)
        opened = machine.open_call(Opening(call.sid, about=about), line.script)
        words = twiml(opened.reply, opened.session.turn, line.prompts, line.settings.staff_numbers)
        answered = CallBackAnswered(wanted.precinct, wanted.id)
        turn.record(Keeping((answered,), opened.session.to_json(), words))
        return words


def _language(line: Line, precinct: str) -> str:
    """The language of the last call that signed in for the precinct, "" when none did."""
    signed_in = [each.call for each in line.ledger.history(precinct) if isinstance(each.event, ChairSignedIn)]
    session = line.ledger.session(signed_in[-1]) if signed_in else None
    return Session.from_json(session).language if session else ""


def _about(wanted: CallBack, standing: PrecinctStanding, language: str) -> CalledBack:
    """What the chair is asked: the version, unless it was settled meanwhile. Then, and without one, they may report."""
    reports = {version.version: version for _, version in standing.versions if version.version in standing.unverified}
    return CalledBack(wanted.precinct, reports.get(wanted.version), language)


def end(line: Line, request: int, status: CallStatus) -> None:
    """The carrier's word that a call-back is over: nobody picked up, or a call like any other has ended."""
    if status.status in UNANSWERED:
        line.call_backs.fail(request, status.status)
    elif line.ledger.session(status.sid) is not None:
        line.ledger.end_call(status.sid, status.status, status.seconds)

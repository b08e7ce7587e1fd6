"""The carrier's doors: each parses, calls intake, and hands its document back. Nothing is decided here.

Routes of `calls` have a caller listening, so whatever breaks in them is answered in words (`errors`); those of
`notices` have none.
"""

from __future__ import annotations

from flask import Blueprint, Response, g, request

from hotline.dialog.reply import Words
from hotline.telephony import inbound
from hotline.telephony.speech import FIRST_LANGUAGE, text
from hotline.telephony.twiml import text_answer
from hotline.web.access import signed_by_twilio
from hotline.web.doors import doors

calls = Blueprint("calls", __name__)
notices = Blueprint("notices", __name__)

TWIML = "text/xml"
TEXTS_NOT_READ = Words("line.texts-not-read")


@calls.post("/voice/answer")
@signed_by_twilio
def answer() -> Response:
    """The first ring."""
    return _document(doors().intake.answer_call(doors().line, inbound.call(g.form, request.args.get("held", ""))))


@calls.post("/voice/turn/<number>")
@signed_by_twilio
def turn(number: str) -> Response:
    """Keys at one question. The number is text: what is not a turn is refused in words, not by the router."""
    keyed = inbound.turn(g.form, number, request.args.get("held", ""), language())
    return _document(doors().intake.take_turn(doors().line, keyed))


@calls.post("/voice/back/answer/<int(max=2147483647):request>")
@signed_by_twilio
def answer_back(request: int) -> Response:
    """A number on file that the line called has picked up."""
    return _document(doors().call_backs.answer(doors().line, request, inbound.call(g.form)))


@calls.post("/voice/fallback")
@signed_by_twilio
def fallback() -> Response:
    """The carrier could not run what we answered."""
    return _document(doors().intake.fallback(doors().line, inbound.failure(g.form)))


@calls.post("/voice/queue/left")
@signed_by_twilio
def queue_left() -> Response:
    """Reaching a person has ended, one way or the other."""
    left = inbound.queue_left(g.form, language(), request.args.get("held", ""))
    return _document(doors().intake.leave_queue(doors().line, left))


@notices.post("/voice/ended")
@signed_by_twilio
def ended() -> Response:
    """The call is over. The ledger keeps the first word on it; later ones change nothing."""
    doors().intake.end_call(doors().line, inbound.status(g.form))
    return Response(status=204)


@notices.post("/voice/back/ended/<int(max=2147483647):request>")
@signed_by_twilio
def ended_back(request: int) -> Response:
    """A call-back is over, or nobody picked up."""
    doors().call_backs.end(doors().line, request, inbound.status(g.form))
    return Response(status=204)


@notices.post("/messages/incoming")
@signed_by_twilio
def message() -> Response:
    """A text. Nobody reads texts to this number, and the answer says so rather than leaving the sender waiting."""
    return _document(text_answer(text(TEXTS_NOT_READ, FIRST_LANGUAGE, doors().line.prompts)))


def language() -> str:
    """The caller's language, as our own address names it: the first one's is not named."""
    return request.args.get("language", FIRST_LANGUAGE)


def _document(twiml: str) -> Response:
    return Response(twiml, mimetype=TWIML)

"""What the line does of its own accord: calls back the numbers on file, and texts them.

Without a number of ours to call from nothing goes out: call-backs stay waiting for staff to see, texts are noted in the
log. A carrier that says it is busy did nothing and is asked again; whatever else it says, or fails to say, ends the
matter, since nobody can know that it did not ring.
"""

from __future__ import annotations

import logging

from hotline.dialog.reply import Words
from hotline.events.verification import CallBackPlaced, NoticeWanted
from hotline.services.line import Line
from hotline.store.text import masked
from hotline.telephony.outbound import Carrier, CarrierBusy, CarrierRefused
from hotline.telephony.speech import FIRST_LANGUAGE, text

NO_NUMBER = "the line has no number of its own to call from (HOTLINE_NUMBERS), or is a rehearsal's"
TEXTS = {"failures-elsewhere": "line.text-signed-in", "possible-spoof": "line.text-possible-spoof"}
"""The prompt of a text by why it is sent."""

log = logging.getLogger(__name__)


def carrier_of(line: Line) -> Carrier | None:
    """The carrier, calling from the first of our numbers; None when we have none, as on a practice line.

    A rehearsal has none either, whatever is set: its numbers on file are made up, and may be somebody's.
    """
    settings = line.settings
    if not settings.numbers or line.roster.is_rehearsal():
        return None
    return Carrier(settings.account_sid or "", settings.auth_token or "", settings.numbers[0], settings.public_base_url)


def call_back(line: Line, carrier: Carrier, request: int) -> str:
    """Call a number on file: says what came of it. Run twice, or by two at once, it rings once.

    Raises `CarrierBusy`: to be run again later.
    """
    wanted = line.call_backs.find(request)
    number = next_number(line, wanted.precinct) if wanted else None
    if wanted is None or number is None:
        log.warning("call-back %d: no number is on file to be called", request)
        return "no-number" if line.call_backs.fail(request, "no-number") else "closed"
    if not line.call_backs.claim(request, number):
        return "not due"
    try:
        carrier.call(number, f"/voice/back/answer/{request}", f"/voice/back/ended/{request}")
    except CarrierBusy:
        line.call_backs.give_back(request)
        raise
    except CarrierRefused as refused:
        log.error("call-back %d to %s was not made: %s", request, masked(number), refused)
        line.call_backs.fail(request, "refused")
        return "refused"
    line.ledger.append([CallBackPlaced(wanted.precinct, request, masked(number))])
    return "placed"


def next_number(line: Line, precinct: str) -> str | None:
    """The number on file that was called least for the precinct; None when none is on file. Never a caller's say-so."""
    called = line.call_backs.called_before(precinct, line.roster.numbers_of(precinct))
    return min(called, key=lambda number: (called[number], number), default=None)


def tell(line: Line, carrier: Carrier | None, job: str, precinct: str) -> int:
    """Text the numbers on file what the notice of `job` says; how many were told.

    Told twice does no harm, so the job is acknowledged last. Raises `CarrierBusy`.
    """
    numbers = line.roster.numbers_of(precinct) if precinct in line.contest.precincts else ()
    told = 0
    if carrier is None:
        log.warning("%s is not told by text: %s", precinct, NO_NUMBER)
    else:
        words = _words(line, precinct, job) if numbers else ""
        for number in numbers:
            try:
                carrier.text(number, words)
                told += 1
            except CarrierRefused as refused:
                log.error("%s: no text to %s: %s", precinct, masked(number), refused)
    line.outbox.acknowledge(job)
    return told


def _words(line: Line, precinct: str, job: str) -> str:
    """The text of a notice; the job's name ends in its event's place in the ledger."""
    seq = int(job.rpartition("-")[2])
    (why,) = [each.event.why for each in line.ledger.events(seq - 1, seq) if isinstance(each.event, NoticeWanted)]
    about = {"line": line.contest.line, "precinct": line.script.precinct(precinct).spoken}
    return text(Words(TEXTS[why], about), FIRST_LANGUAGE, line.prompts)

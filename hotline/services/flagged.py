"""Flagged calls: one with everything that is known of it, what staff say it was, and that taken back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hotline.caucus.contest import Precinct
from hotline.errors import NotFound, NotPermitted, Overtaken
from hotline.events.decisions import CallJudged, CallUnjudged, CallWord
from hotline.events.guard import CallScreened
from hotline.events.kinds import ChairSignedIn, SignInFailed
from hotline.events.standing import Recorded
from hotline.services import marking
from hotline.services.line import Line
from hotline.services.review import read_reason
from hotline.store.blocks import Block
from hotline.store.call_records import Attempt, CallRow
from hotline.store.marks import StaffMark
from hotline.store.reviews import Claim
from hotline.store.staff import Session
from hotline.telephony.heard import words_of

WORDS: tuple[CallWord, ...] = ("genuine", "typo", "prank", "abusive", "unsure")
ILL: tuple[CallWord, ...] = ("prank", "abusive")
"""What is said against somebody: it needs a reason, and counts for the number."""


@dataclass(frozen=True)
class CallCard:
    """A call and what is known of it. `screened` is how it was met; `said` what the caller heard, turn by turn;
    `precincts` those that were tried in it, `attempts` who else tried the first of them."""

    call: CallRow
    screened: CallScreened | None
    events: tuple[Recorded, ...]
    said: tuple[str, ...]
    others: tuple[CallRow, ...]
    precincts: tuple[str, ...]
    attempts: tuple[Attempt, ...]
    on_file: tuple[Precinct, ...]
    mark: StaffMark | None
    block: Block | None
    claim: Claim | None


def subject(sid: str) -> str:
    """What is claimed by whoever is at a call."""
    return f"call-{sid}"


def card(line: Line, sid: str) -> CallCard:
    """One call. Raises `NotFound`."""
    call = line.calls.find(sid)
    if call is None:
        raise NotFound("There is no such call.")
    recorded = tuple(line.calls.events(sid))
    precincts = tuple(_tried(recorded))
    number = line.callers.number_of(sid)
    block = line.blocks.of(number) if number else None
    return CallCard(
        call=call,
        screened=next((each.event for each in recorded if isinstance(each.event, CallScreened)), None),
        events=recorded,
        said=tuple(words_of(answer) for answer in line.calls.answers(sid)),
        others=tuple(line.calls.calls_of(number, but=sid)),
        precincts=precincts,
        attempts=tuple(line.calls.attempts(precincts[0])) if precincts else (),
        on_file=tuple(
            line.contest.precincts[each] for each in line.roster.on_file(number) if each in line.contest.precincts
        ),
        mark=line.marks.of(number) if number else None,
        block=block if block and block.stands(line.clock.now()) else None,
        claim=line.reviews.claims((subject(sid),)).get(subject(sid)),
    )


def judge(line: Line, session: Session, sid: str, word: CallWord, why: str) -> None:
    """Say what a call was. A bad word, and that it was genuine, counts for the number from its next ring on.

    Raises `FormRefused` for a bad word without a reason and `Overtaken` when another is at it or has said it already.
    """
    reason = read_reason(why) if word in ILL or why.strip() else ""
    line.reviews.claim(subject(sid), session.staff)
    _require_word(line, sid, "")
    is_marked = _marked(line, session, sid, word, reason)
    with line.reviews.deciding(session, subject(sid)) as work:
        if work.word_of(sid):
            raise Overtaken("Somebody has said already what this call was.")
        work.judge(sid, word, reason)
        work.record(CallJudged(word, reason, session.staff, is_marked), call=sid)
        work.let_go()


def undo(line: Line, session: Session, sid: str, why: str) -> None:
    """Take the word on a call back: it waits again, and a bad word no longer counts for the number."""
    reason = read_reason(why)
    line.reviews.claim(subject(sid), session.staff)
    found = _require_word(line, sid, None)
    if found.word in ILL and line.callers.number_of(sid):
        marking.mark_call(line, sid, "genuine", why=f"taken back: {reason}", by=session.staff)
    with line.reviews.deciding(session, subject(sid)) as work:
        word = work.word_of(sid)
        if word not in WORDS:
            raise Overtaken("This call waits already.")
        work.judge(sid, "", "")
        work.record(CallUnjudged(word, reason, session.staff), call=sid)
        work.let_go()


def _require_word(line: Line, sid: str, word: str | None) -> CallRow:
    found = line.calls.find(sid)
    if found is None:
        raise NotFound("There is no such call.")
    if word is not None and found.word != word:
        raise Overtaken(f"{found.by} has said already that this call was {found.word}.")
    if word is None and not found.word:
        raise Overtaken("Nobody has said what this call was: there is nothing to take back.")
    return found


def _marked(line: Line, session: Session, sid: str, word: CallWord, reason: str) -> bool:
    """Whether the word counts for the number: a withheld number is nobody's, and one person does not extend a mark."""
    if word not in ("genuine", "prank", "abusive") or not line.callers.number_of(sid):
        return False
    try:
        marking.mark_call(line, sid, word, why=reason or "a genuine caller", by=session.staff)
    except NotPermitted:
        return False
    return True


def _tried(recorded: Iterable[Recorded]) -> Iterable[str]:
    """The precincts a call signed in to or tried to, once each."""
    tried = [each.event.precinct for each in recorded if isinstance(each.event, SignInFailed | ChairSignedIn)]
    return dict.fromkeys(tried)

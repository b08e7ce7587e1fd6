"""What an answer does to a call, before it is put into words, and the ways a call ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hotline.dialog.draft import Draft
from hotline.dialog.reply import Words
from hotline.dialog.script import Script, next_question
from hotline.dialog.session import Session, asking, having
from hotline.dialog.values import replace
from hotline.events.kinds import CallTakenOver, Event, PersonCalledFor
from hotline.events.verification import CallBackRequested

Form = Literal["full", "short"]


@dataclass(frozen=True)
class Move:
    """The session moved on, what happened, and the words that open the next question: the echo of the answer.

    `is_accepted` is False when nothing was answered: strikes stay. `form` overrides how the question is spoken, in
    full after an accepted answer and short otherwise.
    """

    session: Session
    events: tuple[Event, ...] = ()
    echo: tuple[Words, ...] = ()
    is_accepted: bool = True
    form: Form | None = None


def repeated(session: Session, *echo: Words) -> Move:
    """Nothing was answered and nobody is to blame: the same question, shorter."""
    return Move(session, echo=echo, is_accepted=False)


def given(session: Session, script: Script, events: tuple[Event, ...], *echo: Words) -> Move:
    """Events of the report are recorded; on to the first question that is still open."""
    return onward(having(session, *events), script, events, *echo)


def onward(session: Session, script: Script, events: tuple[Event, ...] = (), *echo: Words) -> Move:
    """On to the first question of the report that is still open."""
    question = next_question(script, session.site, session.report)
    return Move(asking(session, question), events, echo)


def steered(session: Session, **changes: object) -> Session:
    """The session with its draft's course changed (`checked`, `again`, `is_entering`), never its numbers."""
    draft: Draft = replace(session.report, **changes)  # type: ignore[arg-type]
    return replace(session, draft=draft)


def to_person(session: Session, why: str, *echo: Words, events: tuple[Event, ...] = ()) -> Move:
    """The caller goes to a person. Only for callers on file, challenged, or signed in."""
    kept = (Words("person-kept"),) if session.report.is_begun else ()
    called = PersonCalledFor(session.site, why)
    return Move(replace(session, state="person"), (*events, called), (*echo, *kept, Words("person")))


def farewell(session: Session, *words: Words, events: tuple[Event, ...] = ()) -> Move:
    """The call ends politely, with the way back for whoever needs one."""
    return Move(replace(session, state="over"), events, words)


def out_of_patience(session: Session, why: str, events: tuple[Event, ...] = ()) -> Move:
    """Silence, nonsense or a loop has gone on too long: a chair goes to a person, a stranger is bidden farewell.

    Nobody may be there when the line called: a machine is never put through to a person. Some phones send the keys of
    one answer and no more: whoever keyed a code and then nothing is helped by a call to that code's number on file. Of
    a code that is no precinct's they hear the same.
    """
    if session.state == "done":
        return farewell(session, Words("goodbye"), events=events)
    if session.state == "back":
        return farewell(session, Words("back-unanswered"), events=events)
    if session.precinct or (session.on_file and not session.is_slow):
        return to_person(session, why, events=events)
    if session.state == "pin" and why == "silence" and not session.is_slow:
        called = (*events, CallBackRequested(session.code, "silence"))
        return farewell(session, Words("heard-nothing"), Words("farewell-slow"), events=called)
    return farewell(session, Words("farewell-unheard"), events=(*events, *called_instead(session)))


def called_instead(session: Session) -> tuple[Event, ...]:
    """What a chair gets who did not get in because the carrier's check of the number failed: a call to that number."""
    is_wanted = session.doubted and not session.has_signed_in
    return (CallBackRequested(session.doubted[0], "doubted"),) if is_wanted else ()


def taken_over(session: Session) -> Move:
    """A newer call signed in for the same report: told so, and out."""
    return farewell(session, Words("taken-over"), events=(CallTakenOver(session.site),))

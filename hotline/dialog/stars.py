"""The star commands, the same at every question: repeat, go back, zero for the rest, a person, and the list of them."""

from __future__ import annotations

from hotline.dialog.draft import Draft
from hotline.dialog.facts import Facts
from hotline.dialog.keys import Keyed
from hotline.dialog.move import Move, repeated, steered, to_person
from hotline.dialog.reply import Words
from hotline.dialog.script import Script, next_question, section_of, split
from hotline.dialog.sections import zero_rest
from hotline.dialog.session import Session
from hotline.dialog.sign_in import wish_for_person
from hotline.dialog.values import replace


def take(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move:
    """What a star command does here."""
    match keyed.text:
        case "*0":
            return _person(session, facts)
        case "*2":
            return _back(session, script)
        case "*3" if _zeroes(session):
            return zero_rest(session, script)
        case "*":
            return repeated(session, Words("commands"))
        case _:
            return _repeat(session)


def wants_challenge(session: Session, keyed: Keyed) -> bool:
    """Whether the caller must pass a challenge before the person they ask for."""
    return keyed.text == "*0" and not session.is_known and session.state != "challenge"


def _person(session: Session, facts: Facts) -> Move:
    if session.is_known:
        return to_person(session, "star")
    return _repeat(session) if session.state == "challenge" else wish_for_person(session, facts)


def _repeat(session: Session) -> Move:
    return Move(session, is_accepted=False, form="full")


def _zeroes(session: Session) -> bool:
    return section_of(session.state) is not None and not session.state.endswith(".check")


def _back(session: Session, script: Script) -> Move:
    """The question before, with what was given left standing; where `*3#` was keyed, its groups are open again."""
    history = session.history
    while history:
        state, history = history[-1], history[:-1]
        if _can_be_asked(state, session, script):
            gone_back = replace(session, state=state, history=history, pending=None)
            return Move(_reopened(gone_back), is_accepted=False, echo=(Words("echo-back"),), form="full")
    return _repeat(session)


def _can_be_asked(state: str, session: Session, script: Script) -> bool:
    """A read-back needs a whole report and a split a legal outcome; a change since may have taken either away."""
    if state == "readback":
        return next_question(script, session.site, _without_detours(session).report) == "readback"
    if state == "delegates":
        return bool(split(script, session.site, session.report))
    return True


def _without_detours(session: Session) -> Session:
    return steered(session, again=()) if session.draft else session


def _reopened(session: Session) -> Session:
    if session.state == "readback" or session.state.startswith("change"):
        return _without_detours(session)
    section = section_of(session.state)
    filled = session.filled.get(section, ()) if section else ()
    if not filled or filled[0] != session.state:
        return session
    draft: Draft = session.report
    again = (*(question for question in draft.again if question not in filled), *filled)
    rest = {other: questions for other, questions in session.filled.items() if other != section}
    return steered(replace(session, filled=rest), again=again)

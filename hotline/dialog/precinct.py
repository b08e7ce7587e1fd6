"""Right after the PIN: is this your precinct, and what to do with a report that is half given or on file already."""

from __future__ import annotations

from typing import Literal

from hotline.dialog import closing
from hotline.dialog.draft import Draft, fold
from hotline.dialog.facts import Facts
from hotline.dialog.keys import Keyed, choice
from hotline.dialog.move import Move, given, onward, repeated, to_person
from hotline.dialog.reply import Words
from hotline.dialog.script import Script, next_question
from hotline.dialog.session import Session, asking
from hotline.dialog.sign_in import spaced
from hotline.dialog.values import replace
from hotline.events.kinds import CorrectionOpened, CorrectionRefused, Event, ReportResumed, ReportStarted

CORRECTION_LENGTH, CORRECTION_TRIES = 4, 3

Version = Literal["fresh", "half", "filed"]
"""The three versions of the question: nothing yet, a half-given report, a report on file."""


def version(session: Session) -> Version:
    """Which of the three the caller hears. What is half given comes first: it is the newest."""
    if session.report.is_begun:
        return "half"
    return "filed" if session.filed else "fresh"


def full(session: Session, script: Script) -> tuple[Words, ...]:
    """The precinct's name, what there is of its report, then the choices."""
    said = (_name(session, script), *short(session, script))
    match version(session):
        case "half":
            return (said[0], Words("precinct-half-given"), *said[1:])
        case "filed":
            confirmation = spaced(session.filed.confirmation if session.filed else "")
            return (said[0], Words("precinct-on-file", {"confirmation": confirmation}), *said[1:])
        case _:
            return said


def short(session: Session, script: Script) -> tuple[Words, ...]:
    """The choices alone."""
    choices = {"fresh": "precinct-fresh-keys", "half": "precinct-half-given-keys", "filed": "precinct-on-file-keys"}
    return (Words(choices[version(session)]),)


def take(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Report, go on, start again, hear, correct, or somebody else's precinct."""
    chosen = choice(keyed, "12" if version(session) == "fresh" else "123")
    match version(session), chosen:
        case _, None:
            return None
        case ("fresh", "2") | (_, "3"):
            return _not_mine(session)
        case "filed", "1":
            read = closing.totals(session.site, session.filed, script) if session.filed else ()
            return Move(session, echo=read, form="short")
        case "filed", _:
            return _wish_to_correct(replace(session, starts_again=False), script)
        case "half", "1":
            return _go_on(replace(session, starts_again=False), script)
        case _:
            return _start(session, script)


def take_correction(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Accepted: the filed report may be changed, or a half-given correction goes on. Three wrong: a person."""
    if keyed.is_short_of(CORRECTION_LENGTH) or (len(keyed.text) == CORRECTION_LENGTH and facts.correction is None):
        return repeated(session, Words("cut-short"))
    if len(keyed.text) != CORRECTION_LENGTH:
        return None
    if facts.correction == "accepted":
        return _cleared(replace(session, tries=0, is_cleared=True), script)
    refused: tuple[Event, ...] = (CorrectionRefused(session.site),)
    after = replace(session, tries=session.tries + 1)
    if after.tries >= CORRECTION_TRIES:
        return to_person(after, "correction-code", Words("correction-refused"), events=refused)
    return replace(repeated(after, Words("correction-refused")), events=refused)


def _name(session: Session, script: Script) -> Words:
    site = script.precinct(session.site)
    if site.is_satellite:
        pool = script.contest.pools[site.county]
        return Words("precinct-satellite", {"precinct": site.spoken, "pool": pool.spoken or pool.name})
    return Words("precinct", {"precinct": site.spoken, "county": site.county})


def _not_mine(session: Session) -> Move:
    """Back to the code. What was half given stays with its precinct."""
    after = replace(
        session, state="code", precinct=None, filed=None, draft=None, from_call=None, is_opened=False, history=()
    )
    return Move(replace(after, offers_on_file=False), echo=(Words("echo-not-mine"),))


def _start(session: Session, script: Script) -> Move:
    """A new report; begun again on a filed one it is a correction."""
    if session.filed:
        return _wish_to_correct(replace(session, starts_again=True), script)
    started = ReportStarted(session.site)
    opened = replace(session, is_opened=True, from_call=None, filled={})
    return given(opened, script, (started,), Words("echo-reporting"))


def _go_on(session: Session, script: Script) -> Move:
    """Where the report stopped. A correction needs its code once per call."""
    if session.report.base and not session.is_cleared:
        return Move(asking(session, "correction"))
    if session.is_opened:
        return onward(session, script, (), Words("echo-going-on"))
    return _resumed(session, script, ())


def _resumed(session: Session, script: Script, events: tuple[Event, ...]) -> Move:
    resumed = ReportResumed(session.site, session.from_call or session.call)
    question = next_question(script, session.site, session.report)
    behind = ("precinct", *_answered_before(script, session.site, session.report, question))
    opened = replace(session, state=question, is_opened=True, from_call=None, history=behind, filled={})
    return Move(opened, (*events, resumed), (Words("echo-going-on"),))


def _answered_before(script: Script, code: str, draft: Draft, question: str) -> tuple[str, ...]:
    """The questions an earlier call answered, so that `*2#` goes back over them too."""
    order = ["headcount"]
    if not script.came_nobody(code, draft):
        asked = () if draft.has_empty_room else script.groups
        for section in ("first", "final"):
            order += [*(f"{section}.{group}" for group in asked), f"{section}.check"]
    if draft.is_entering or draft.origin == "worksheet":
        order += [*(f"delegates.{group}" for group in script.groups), "delegates.check"]
    return tuple(order[: order.index(question)] if question in order else order)


def _wish_to_correct(session: Session, script: Script) -> Move:
    if session.is_cleared:
        return _cleared(session, script)
    return Move(asking(session, "correction"))


def _cleared(session: Session, script: Script) -> Move:
    """The filed report is open for change: what was half given goes on, otherwise "what should be changed?"."""
    assert session.filed, "a correction corrects a filed report"
    opened = CorrectionOpened(session.site, session.filed.version)
    if session.report.is_begun and not session.starts_again:
        if session.is_opened:
            return onward(session, script, (opened,), Words("echo-going-on"))
        return _resumed(session, script, (opened,))
    events: tuple[Event, ...] = (ReportStarted(session.site), opened) if session.report.is_begun else (opened,)
    draft = fold(events, session.filed, session.draft)
    fresh = replace(session, draft=draft, is_opened=True, from_call=None, starts_again=False, filled={})
    return Move(asking(fresh, "change"), events, (Words("echo-correcting"),))

"""The conversation with a number on file that the line called: is this report yours, or will you report now?

Whoever picks up may be a machine: before a key is pressed it hears which line calls about which precinct and nothing
else, and what it leaves unpressed confirms nothing and reaches nobody. A report is confirmed by `1` and the packet's
correction code, never by the number alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotline.dialog import closing
from hotline.dialog.facts import Facts
from hotline.dialog.keys import Keyed, choice
from hotline.dialog.move import Move, farewell, repeated, to_person
from hotline.dialog.precinct import CORRECTION_LENGTH, CORRECTION_TRIES
from hotline.dialog.reply import Words
from hotline.dialog.script import Script
from hotline.dialog.session import Session, asking
from hotline.dialog.sign_in import whole
from hotline.dialog.values import replace
from hotline.events.kinds import Event, ReportConfirmed
from hotline.events.verification import CallBackRequested, ReportDisputed, ReportVerified, VerificationWanted


@dataclass(frozen=True)
class CalledBack:
    """Why a number on file is called: its precinct, and the version to be verified, None when it may report now.

    `language` is the one its chair spoke last, "" when none has called yet.
    """

    precinct: str
    report: ReportConfirmed | None = None
    language: str = ""


def opened(call: str, about: CalledBack, script: Script) -> Session:
    """The session of a number on file that picked up."""
    return Session(
        call=call,
        state="back",
        language=about.language if about.language in script.languages else script.languages[0],
        on_file=(about.precinct,),
        code=about.precinct,
        filed=whole(about.report, script) if about.report else None,
    )


def full(session: Session, script: Script) -> tuple[Words, ...]:
    """Who calls, about which precinct, and the key that says somebody is there."""
    about = {"line": script.contest.line, "precinct": script.precinct(session.code).spoken}
    return (Words("back", about), Words("back-key"))


def short(session: Session, script: Script) -> tuple[Words, ...]:
    """The key once more."""
    return (Words("back-key"),)


def take(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Somebody is there: on to the report that waits for their word, or to the PIN."""
    if choice(keyed, "1") is None:
        return None
    if session.filed is None:
        return Move(asking(session, "pin"), echo=(Words("back-report-now"),))
    return Move(asking(session, "back.totals"), echo=(Words("back-given"),))


def totals_full(session: Session, script: Script) -> tuple[Words, ...]:
    """The report that was given, read out, then the choice."""
    read = closing.totals(session.code, session.filed, script) if session.filed else ()
    return (*read, Words("back-keys"))


def totals_short(session: Session, script: Script) -> tuple[Words, ...]:
    """The choice alone."""
    return (Words("back-keys"),)


def take_totals(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Theirs: the correction code. Not theirs: it stays held, and staff are told."""
    match choice(keyed, "123"):
        case "1":
            return Move(asking(session, "back.code"))
        case "2":
            disputed = (ReportDisputed(session.code, _version(session)),)
            return farewell(session, Words("back-disputed"), Words("goodbye"), events=disputed)
        case "3":
            return Move(session)
        case _:
            return None


def take_code(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """The packet's correction code verifies the version. Three wrong ones: a person."""
    if keyed.is_short_of(CORRECTION_LENGTH) or (len(keyed.text) == CORRECTION_LENGTH and facts.correction is None):
        return repeated(session, Words("cut-short"))
    if len(keyed.text) != CORRECTION_LENGTH:
        return None
    if facts.correction == "accepted":
        verified = (ReportVerified(session.code, _version(session)),)
        return farewell(session, Words("back-verified"), Words("goodbye"), events=verified)
    after = replace(session, tries=session.tries + 1)
    if after.tries >= CORRECTION_TRIES:
        return to_person(after, "correction-code", Words("correction-refused"))
    return repeated(after, Words("correction-refused"))


def doubted(session: Session, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events of a turn; a version confirmed where the sign-in was in doubt has to be verified by a call-back."""
    if not session.is_unverified:
        return events
    wanted: list[Event] = []
    for event in events:
        wanted.append(event)
        if isinstance(event, ReportConfirmed):
            wanted.append(VerificationWanted(event.precinct, event.version, "contested"))
            wanted.append(CallBackRequested(event.precinct, "contested", event.version))
    return tuple(wanted)


def _version(session: Session) -> int:
    assert session.filed, "only a version can be verified or disputed"
    return session.filed.version

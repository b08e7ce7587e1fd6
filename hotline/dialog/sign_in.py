"""Before the PIN is accepted: the challenge, the precinct code, the PIN. A PIN is never spoken, stored or in an event.

A wrong code and a wrong PIN sound the same and take the same steps: a code with a right check digit always goes on to
the PIN. A wrong check digit is a typo, and digits cut short by time are slowness; neither is held against the caller.
"""

from __future__ import annotations

from hotline.caucus.codes import is_valid
from hotline.dialog import draft as drafts
from hotline.dialog.draft import Draft
from hotline.dialog.facts import Facts
from hotline.dialog.keys import Keyed
from hotline.dialog.move import Move, called_instead, farewell, repeated, to_person
from hotline.dialog.reply import Words
from hotline.dialog.script import Script
from hotline.dialog.session import Session, asking
from hotline.dialog.values import replace
from hotline.events.kinds import (
    ChairSignedIn,
    ChallengeFailed,
    ChallengePassed,
    Event,
    ReportConfirmed,
    SignInFailed,
)
from hotline.events.verification import CallBackRequested, NoticeWanted

CODE_LENGTH, PIN_LENGTH = 5, 8
CHALLENGE_TRIES = 2
SIGN_INS = 3
"""Wrong sign-ins in one call before a person, or the end."""


def challenge_full(session: Session, script: Script) -> tuple[Words, ...]:
    """Three digits to be keyed as heard."""
    asked = Words("challenge", {"digits": spaced(session.challenge or "")})
    return (asked, *_offer("challenge-other-language", session, script))


def challenge_short(session: Session, script: Script) -> tuple[Words, ...]:
    """The same digits again, or those that took their place at the second try."""
    digits = {"digits": spaced(session.challenge or "")}
    return (Words("challenge-missed", digits) if session.tries else Words("challenge-again", digits),)


def wants_other_language(keyed: Keyed) -> bool:
    """Whether `9#` was keyed. A lone 9 that time ended is the beginning of something else."""
    return keyed.text == "9" and not keyed.timed_out


def take_challenge(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move:
    """The digits as heard let the caller on, or to the person they asked for; anything else is a missed try.

    Another language is no answer: the same digits are spoken again.
    """
    if wants_other_language(keyed):
        return replace(_other_language(session, script), is_accepted=False)
    if keyed.text != session.challenge:
        return miss_challenge(session, facts)
    passed = replace(session, challenge=None, tries=0, has_passed=True, wants_person=False)
    if session.wants_person:
        return to_person(passed, "star", events=(ChallengePassed(),))
    return Move(replace(passed, state="code"), (ChallengePassed(),), (Words("challenge-passed"),))


def miss_challenge(session: Session, facts: Facts) -> Move:
    """A missed try: fresh digits, or after the last try the way back and the end."""
    if not may_try_again(session) or facts.challenge is None:
        events = (ChallengeFailed(), *called_instead(session))
        return farewell(replace(session, challenge=None), Words("farewell-unchallenged"), events=events)
    return repeated(replace(session, challenge=facts.challenge, tries=session.tries + 1))


def may_try_again(session: Session) -> bool:
    """Whether a missed challenge is followed by another."""
    return session.tries + 1 < CHALLENGE_TRIES


def wish_for_person(session: Session, facts: Facts) -> Move:
    """A stranger asks for a person: first the three digits."""
    if facts.challenge is None:
        return repeated(session)
    asked = replace(asking(session, "challenge"), challenge=facts.challenge, tries=0, wants_person=True)
    return Move(asked, echo=(Words("challenge-first"),), is_accepted=False, form="full")


def code_full(session: Session, script: Script) -> tuple[Words, ...]:
    """The code, or for a number on file for one precinct: is it that one?"""
    other = _offer("code-other-language", session, script)
    offered = _offered(session)
    if offered:
        return (Words("code-on-file", {"precinct": script.precinct(offered).spoken}), *other)
    return (Words("code"), *other)


def code_short(session: Session, script: Script) -> tuple[Words, ...]:
    """The code once more."""
    offered = _offered(session)
    if offered:
        return (Words("code-on-file-again", {"precinct": script.precinct(offered).spoken}),)
    return (Words("code-again"),)


def take_code(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """A code goes on to its PIN whether or not it is a precinct's; only a wrong check digit is a typo, said at once."""
    offered = _offered(session)
    if keyed.text == "1" and offered and not keyed.timed_out:
        return _code_given(session, offered)
    if wants_other_language(keyed):
        return _other_language(session, script)
    if keyed.is_short_of(CODE_LENGTH):
        return repeated(session, Words("cut-short"))
    if len(keyed.text) != CODE_LENGTH:
        return None
    if not is_valid(keyed.text):
        return repeated(session, Words("code-typo"))
    return _code_given(session, keyed.text)


def take_pin(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move | None:
    """Accepted: the precinct's question. Refused: the code again, and after three a person or the end.

    The precinct's question is asked of numbers on file too, who did not have to key its code: the order of questions
    and their keys is on paper, and a chair who keys the 1 it names must never key it into the headcount.
    """
    if keyed.is_short_of(PIN_LENGTH) or (len(keyed.text) == PIN_LENGTH and facts.sign_in is None):
        return repeated(session, Words("cut-short"))
    if len(keyed.text) != PIN_LENGTH:
        return None
    if facts.sign_in == "challenge":
        return _challenged(session, facts)
    if facts.sign_in == "accepted" and session.code in script.contest.precincts:
        return _signed_in(session, facts, script)
    return _refused(session, facts)


def spaced(digits: str) -> str:
    """Digits to be spoken one by one."""
    return " ".join(digits)


def _offered(session: Session) -> str | None:
    """The one precinct a number is on file for, offered until the caller says it is another."""
    return session.on_file[0] if session.offers_on_file and len(session.on_file) == 1 else None


def _offer(prompt: str, session: Session, script: Script) -> tuple[Words, ...]:
    """The next language, offered in its own words and voice; a chair who has signed in has chosen already."""
    following = _next_language(session, script)
    return (Words(prompt, language=following),) if following and not session.has_signed_in else ()


def _next_language(session: Session, script: Script) -> str | None:
    """The language after the caller's, round and round; None when there is only one."""
    if len(script.languages) == 1:
        return None
    known = session.language in script.languages
    after = script.languages.index(session.language) + 1 if known else 0
    return script.languages[after % len(script.languages)]


def _other_language(session: Session, script: Script) -> Move:
    """The question again in the next language; with only one, shorter."""
    following = _next_language(session, script)
    return Move(replace(session, language=following), form="full") if following else repeated(session)


def _code_given(session: Session, code: str) -> Move:
    return Move(asking(replace(session, code=code), "pin"), echo=(Words("echo-digits", {"digits": spaced(code)}),))


def _challenged(session: Session, facts: Facts) -> Move:
    """The number failed too often lately: three spoken digits, then code and PIN again. This PIN was not judged."""
    if facts.challenge is None:
        return repeated(session)
    asked = replace(session, state="challenge", code="", history=(), challenge=facts.challenge, tries=0)
    asked = replace(asked, wants_person=False)
    return Move(asked, echo=(Words("challenge-before-code"),), is_accepted=False, form="full")


def _refused(session: Session, facts: Facts) -> Move:
    """In the same words whatever the reason. Where PINs are judged no more the number on file is called instead."""
    reason = facts.refusal or ("limit" if facts.sign_in == "person" else "wrong-pin")
    failed: tuple[Event, ...] = (SignInFailed(session.code, reason, facts.pattern),)
    if session.is_slow:
        return _refused_slowly(session, facts, failed)
    if facts.sign_in == "refused" and reason == "limit":
        failed = (*failed, CallBackRequested(session.code, "limit"))
    after = replace(session, state="code", code="", history=(), failures=session.failures + 1)
    if facts.sign_in == "person" or after.failures >= SIGN_INS:
        if after.is_known:
            return to_person(after, "sign-in", Words("sign-in-refused"), events=failed)
        return farewell(after, Words("sign-in-refused"), Words("farewell-sign-in"), events=failed)
    return Move(after, failed, (Words("sign-in-refused"),), form="short")


def _refused_slowly(session: Session, facts: Facts, failed: tuple[Event, ...]) -> Move:
    """The one sign-in failed: staff when they have time and the number is known, else the chair is called."""
    if session.is_known and facts.has_staff:
        return to_person(session, "sign-in", Words("sign-in-refused"), events=failed)
    called = (*failed, CallBackRequested(session.code, "slow"))
    return farewell(session, Words("sign-in-refused"), Words("farewell-slow"), events=called)


def _signed_in(session: Session, facts: Facts, script: Script) -> Move:
    """The precinct, its report on file and what another call left half given, now this call's."""
    current = facts.standing.current if facts.standing else None
    filed = whole(current[1], script) if current else None
    half = drafts.from_json(facts.half_given.draft) if facts.half_given else None
    if half and not _is_worth_going_on(half, filed):
        half = None
    after = replace(
        session,
        state="precinct",
        precinct=session.code,
        code="",
        has_signed_in=True,
        is_slow=False,
        is_unverified=facts.is_doubtful,
        tries=0,
        filed=filed,
        draft=half,
        from_call=facts.half_given.call if facts.half_given and half else None,
        is_opened=False,
        is_cleared=False,
        starts_again=False,
        history=(),
        filled={},
    )
    told = (NoticeWanted(session.code, "failures-elsewhere"),) if facts.failed_elsewhere else ()
    return Move(after, (ChairSignedIn(session.code), *told), (Words("echo-thanks"),))


def _is_worth_going_on(half: Draft, filed: ReportConfirmed | None) -> bool:
    """Not when it was begun on a version that no longer counts, nor when a correction has changed nothing yet."""
    if filed is None:
        return half.base == 0
    numbers = (half.headcount, half.first, half.final, half.delegates)
    return half.base == filed.version and numbers != (filed.headcount, filed.first, filed.final, filed.delegates)


def whole(report: ReportConfirmed, script: Script) -> ReportConfirmed:
    """The report with its zeros written out, as the questions see them."""
    first, final, delegates = (
        {group: counts.get(group, 0) for group in script.groups}
        for counts in (report.first, report.final, report.delegates)
    )
    return replace(report, first=first, final=final, delegates=delegates)

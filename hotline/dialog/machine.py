"""The conversation, as a pure function of what was known and what was keyed.

Standing rules:

* Every answer is keys, then `#`. What is keyed is text until a question reads it.
* Every reply speaks, and until the call ends every reply asks.
* An accepted answer is an event; the draft is the fold of its events.
* A bare `#` is never a strike. Silence and nonsense are: two before the PIN, three after it.
* The next question of a report is the first one still open (`script.next_question`); no question is skipped or stuck.

| state             | accepts            | goes to                                                                 |
|-------------------|--------------------|-------------------------------------------------------------------------|
| `challenge`       | digits heard, `9`  | `code`, or `person` if one was asked for; missed twice: `over`          |
| `back`            | `1`                | where the line calls: `back.totals`, with nothing to verify `pin`       |
| `back.totals`     | `1` `2` `3`        | `back.code`; not theirs: `over`; again                                  |
| `back.code`       | 4 digits           | `over`, verified; thrice wrong: `person`                                |
| `code`            | 5 digits, `1`, `9` | `pin`; `9`: the next language                                           |
| `pin`             | 8 digits           | `precinct`; refused: `code`; thrice: `person` or `over`; or `challenge` |
| `precinct`        | `1` `2` `3`        | the first open question; `correction`; not mine: `code`                 |
| `correction`      | 4 digits           | `change`, or where a half-given correction stopped; thrice wrong: person |
| `headcount`       | a count            | `headcount.zero` for 0, otherwise the first open question               |
| `headcount.zero`  | `1` `2`            | `readback`, where ballots were cast early `first.check`; `headcount`    |
| `first.<group>`   | a count            | the next open group, then `first.check`                                 |
| `first.check`     | `1` `2`            | `final.<group>`; `change`                                               |
| `final.<group>`   | a count            | the next open group, then `final.check`                                 |
| `final.check`     | `1` `2`            | `delegates`, `delegates.<group>` or `readback`; `change`                |
| `delegates`       | `1`-`9`            | `readback`; to be entered: `delegates.<group>`                          |
| `delegates.<g.>`  | a count            | the next open group, then `delegates.check`                             |
| `delegates.check` | `1` `2`            | `readback`; `change`                                                    |
| `readback`        | `1` `2` `3`        | `done`; `change`; again                                                 |
| `change`          | `1`-`5`            | `headcount`; `change.<section>`; back                                   |
| `change.<sect.>`  | a group's number, 0 | that group's question, or every group's                                |
| `done`            | `1`                | `code`; silence: `over`                                                 |
| `person`          | nothing            | dead: a person has the call                                             |
| `over`            | nothing            | dead: the line has hung up                                              |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hotline.dialog import called_back, closing, delegates, precinct, sections, sign_in, stars
from hotline.dialog.called_back import CalledBack
from hotline.dialog.facts import ChallengeWanted, CorrectionCheck, Facts, Heard, Inquiry, NumberWanted, PinCheck
from hotline.dialog.keys import Keyed, read
from hotline.dialog.move import Move, farewell, out_of_patience, repeated, taken_over
from hotline.dialog.reply import Listen, Reply, Words
from hotline.dialog.script import Script, section_of
from hotline.dialog.session import Session
from hotline.dialog.values import replace
from hotline.events.kinds import Event

STRIKES_BEFORE_PIN, STRIKES_AFTER_PIN = 2, 3
POUNDS = 10
"""Bare pounds in a row that are forgiven; more are silence, from a carrier that does not tell the two apart."""
PATIENCE = 30
"""Turns without progress (before the PIN: without a sign-in) after which a call goes the way of silence."""
SLOW_SLIPS = 2
"""Turns that do not lead to the one sign-in of a slow caller; with the second the call ends, within 30 s of speech."""
TURNS = 1000
"""Turns in one call: ten precincts and some. Nothing loops for ever."""

Asking = Callable[[Session, Script], tuple[Words, ...]]
Taking = Callable[[Session, Keyed, Facts, Script], Move | None]


@dataclass(frozen=True)
class Question:
    """How one kind of question sounds, in full and once more, how long it listens, and what takes its answer."""

    listen: Listen
    full: Asking
    short: Asking
    take: Taking


def _said(prompt: str) -> Asking:
    """A question that always sounds the same."""
    return lambda session, script: (Words(prompt),)


QUESTIONS = {
    "challenge": Question("challenge", sign_in.challenge_full, sign_in.challenge_short, sign_in.take_challenge),
    "back": Question("key", called_back.full, called_back.short, called_back.take),
    "back.totals": Question("key", called_back.totals_full, called_back.totals_short, called_back.take_totals),
    "back.code": Question("digits", _said("correction"), _said("correction-again"), called_back.take_code),
    "code": Question("digits", sign_in.code_full, sign_in.code_short, sign_in.take_code),
    "pin": Question("digits", _said("pin"), _said("pin-again"), sign_in.take_pin),
    "precinct": Question("key", precinct.full, precinct.short, precinct.take),
    "correction": Question("digits", _said("correction"), _said("correction-again"), precinct.take_correction),
    "headcount": Question("digits", sections.headcount_full, sections.headcount_short, sections.take_headcount),
    "headcount.zero": Question("key", sections.zero_full, sections.zero_full, sections.take_zero),
    "<section>.<group>": Question("digits", sections.tally_full, sections.tally_short, sections.take_tally),
    "<section>.check": Question("key", sections.check_full, sections.check_short, sections.take_check),
    "delegates": Question("key", delegates.full, delegates.short, delegates.take),
    "readback": Question("key", closing.readback_full, _said("readback-keys"), closing.take_readback),
    "change": Question("key", closing.change_full, closing.change_full, closing.take_change),
    "change.<section>": Question("digits", closing.group_full, _said("change-group-again"), closing.take_group),
    "done": Question("key", closing.done_full, closing.done_short, closing.take_done),
}


@dataclass(frozen=True)
class Opening:
    """A call that was let in: the precincts its number is on file for, and digits to challenge it with, if any.

    `is_slow`: one sign-in. `about`: the line itself called. `doubted`: it is on file for these, unless forged.
    """

    call: str
    on_file: tuple[str, ...] = ()
    challenge: str | None = None
    is_slow: bool = False
    about: CalledBack | None = None
    doubted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One turn of the call: what is now known, what happened, and what to say."""

    session: Session
    events: tuple[Event, ...]
    reply: Reply


def open_call(opening: Opening, script: Script) -> Turn:
    """The first words of a call."""
    if opening.about:
        session = called_back.opened(opening.call, opening.about, script)
        return Turn(session, (), current(session, script))
    challenge = None if opening.is_slow else opening.challenge
    session = Session(
        call=opening.call,
        state="challenge" if challenge else "code",
        language=script.languages[0],
        on_file=tuple(code for code in opening.on_file if code in script.contest.precincts),
        doubted=opening.doubted,
        offers_on_file=not opening.is_slow,
        challenge=challenge,
        is_slow=opening.is_slow,
    )
    greeting = Words("greeting", {"line": script.contest.line})
    return Turn(session, (), _reply(session, (greeting, *_question(session).full(session, script))))


def inquire(session: Session, heard: Heard) -> Inquiry | None:
    """What `step` must be told before it can take these keys; None when it needs nothing."""
    keyed = _as_meant(session, read(heard))
    if session.ended:
        return None
    if session.state == "challenge":
        return ChallengeWanted() if _is_missed_challenge(session, keyed) and sign_in.may_try_again(session) else None
    if keyed.meaning == "star" and not session.is_slow:
        return ChallengeWanted() if stars.wants_challenge(session, keyed) else None
    return _inquiry_of(session, keyed) if keyed.meaning == "digits" else None


def step(session: Session, heard: Heard, facts: Facts, script: Script) -> Turn:
    """The call after one more answer. Cannot fail: odd keys are a transition like any other."""
    if session.ended:
        return Turn(replace(session, turn=session.turn + 1), (), current(session, script))
    move = _bounded(_move(session, _as_meant(session, read(heard)), facts, script), session)
    after = _counted(move, session)
    return Turn(
        after, called_back.doubted(session, move.events), _reply(after, (*move.echo, *_words(move, session, script)))
    )


def current(session: Session, script: Script) -> Reply:
    """The question that is up, in full: for a turn out of order. A call that ended hears its end again."""
    if session.ended:
        return _reply(session, (Words("person" if session.state == "person" else "goodbye"),))
    return _reply(session, _question(session).full(session, script))


def not_recorded(session: Session, script: Script) -> Reply:
    """The answer could not be committed, try as we might: said so, and to a person. Never a confirmation number."""
    return Reply((Words("not-recorded"), Words("person")), None, "person", session.language)


def _question(session: Session) -> Question:
    state = session.state
    if state in QUESTIONS:
        return QUESTIONS[state]
    if state.startswith("change."):
        return QUESTIONS["change.<section>"]
    return QUESTIONS["<section>.check" if state.endswith(".check") else "<section>.<group>"]


def _as_meant(session: Session, keyed: Keyed) -> Keyed:
    """A bare pound confirms a count that time ended; after too many in a row it is silence."""
    if keyed.meaning != "pound":
        return keyed
    if session.pending is not None:
        return Keyed("digits", str(session.pending))
    return keyed if session.pounds < POUNDS else Keyed("silence")


def _is_missed_challenge(session: Session, keyed: Keyed) -> bool:
    if keyed.meaning == "digits":
        return keyed.text != session.challenge and not sign_in.wants_other_language(keyed)
    return keyed.meaning in ("silence", "nonsense")


def _inquiry_of(session: Session, keyed: Keyed) -> Inquiry | None:
    if session.state == "pin" and len(keyed.text) == sign_in.PIN_LENGTH:
        return PinCheck(session.code, keyed.text)
    if session.state == "correction" and len(keyed.text) == precinct.CORRECTION_LENGTH:
        return CorrectionCheck(session.site, keyed.text)
    if session.state == "back.code" and len(keyed.text) == precinct.CORRECTION_LENGTH:
        return CorrectionCheck(session.code, keyed.text)
    if session.state == "readback" and keyed.text == "1":
        return NumberWanted(session.site)
    return None


def _move(session: Session, keyed: Keyed, facts: Facts, script: Script) -> Move:
    if facts.taken_over and session.precinct and session.state != "done":
        return taken_over(session)
    if keyed.meaning == "pound":
        return repeated(replace(session, pounds=session.pounds + 1))
    if keyed.meaning == "star":
        return repeated(session) if session.is_slow else stars.take(session, keyed, facts, script)
    if session.state == "challenge" and _is_missed_challenge(session, keyed):
        return sign_in.miss_challenge(session, facts)
    move = _question(session).take(session, keyed, facts, script) if keyed.meaning == "digits" else None
    return move or _missed(session, keyed)


def _missed(session: Session, keyed: Keyed) -> Move:
    """Silence or nonsense: the question again, until it is a person's turn or time to end."""
    why = "silence" if keyed.meaning == "silence" else "nonsense"
    after = replace(session, strikes=session.strikes + 1)
    limit = STRIKES_AFTER_PIN if session.precinct else STRIKES_BEFORE_PIN
    if session.state == "done" and why == "silence":
        return farewell(after, Words("goodbye"))
    if after.strikes >= limit:
        return out_of_patience(after, why)
    return repeated(after, Words("heard-nothing" if why == "silence" else "not-understood"))


def _bounded(move: Move, before: Session) -> Move:
    """No call loops for ever: too long without progress, or too long altogether, goes the way of silence."""
    after = move.session
    is_stuck = _is_spent(after, before) or (before.idle >= PATIENCE and not _is_progress(move))
    if after.ended or not (is_stuck or (before.turn >= TURNS and after.state != "done")):
        return move
    return out_of_patience(after, "silence", move.events)


def _is_spent(after: Session, before: Session) -> bool:
    """Whether a slow caller has had all the turns there are for one sign-in."""
    return after.is_slow and before.idle + 1 - (after.state == "pin") >= SLOW_SLIPS


def _is_progress(move: Move) -> bool:
    return move.is_accepted and move.session.has_signed_in


def _counted(move: Move, before: Session) -> Session:
    """The session with its turn counted; an accepted answer forgets strikes, the end of a call keeps them on record."""
    after = replace(move.session, turn=before.turn + 1)
    if not move.is_accepted or after.ended:
        return replace(after, idle=before.idle + 1)
    return replace(after, strikes=0, pounds=0, idle=0 if _is_progress(move) else before.idle + 1)


def _words(move: Move, before: Session, script: Script) -> tuple[Words, ...]:
    """The question that is now up: in full when it is new, the name alone from one group to the next."""
    after = move.session
    if after.ended:
        return ()
    question = _question(after)
    if (move.form or ("full" if move.is_accepted else "short")) == "short":
        return question.short(after, script)
    if question.take is sections.take_tally and _follows(before.state, after.state) and move.form is None:
        return sections.tally_next(after, script)
    return question.full(after, script)


def _follows(before: str, after: str) -> bool:
    """Whether one group's question came right after another's of the same section."""
    return section_of(before) == section_of(after) is not None


def _reply(session: Session, words: tuple[Words, ...]) -> Reply:
    match session.state:
        case "person":
            return Reply(words, None, "person", session.language)
        case "over":
            return Reply(words, None, "hang-up", session.language)
        case _:
            return Reply(words, _listen(session), "listen", session.language)


def _listen(session: Session) -> Listen:
    is_stranger_again = session.state == "code" and session.strikes > 0 and not session.is_known
    return "again" if is_stranger_again else _question(session).listen

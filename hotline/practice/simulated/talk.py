"""One simulated call before the PIN, through the real dialog machine, and what such a caller does at each question.

The machine is a pure function, so its turns are remembered: thousands of calls take the same few steps. The PIN itself
is left out of what is remembered, because the machine does not look at it: it is told whether it was right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hotline.dialog import machine
from hotline.dialog.facts import ChallengeWanted, Facts, Heard, Inquiry, PinCheck
from hotline.dialog.machine import Opening, Turn
from hotline.dialog.reply import Listen, Reply
from hotline.dialog.script import Script
from hotline.dialog.session import Session
from hotline.dialog.sign_in import PIN_LENGTH
from hotline.practice.simulated.people import Plan
from hotline.screening.verdict import Decision
from hotline.telephony.speech import Prompts, seconds, spoken
from hotline.telephony.twiml import BETWEEN_KEYS, FIRST_KEY

DIGITS, FRESH_DIGITS = "471", "582"
"""The digits of the challenge: which they are is all one, since whether a caller keys them right is drawn."""
MOST_REMEMBERED = 2000
"""Answers remembered at one step: every precinct's code, not every one that was ever made up."""
INTERRUPTED = 0.7
"""How much of a question is heard by somebody who knows what to key."""


@dataclass(eq=False)
class Step:
    """The call after some answers: the machine's turn, how long its words take, and the steps taken from here."""

    turn: Turn
    words: float
    then: dict[tuple[str, bool, Facts], Step] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What is pressed, and when it is done, in seconds after the words began. `keys` None: the caller hangs up."""

    keys: str | None
    after: float
    timed_out: bool = False

    @property
    def heard(self) -> Heard:
        """As the carrier sends it."""
        return Heard(self.keys, self.timed_out)


class Dialog:
    """The machine with a memory, for one script; guards the steps remembered."""

    def __init__(self, script: Script, prompts: Prompts) -> None:
        self._script, self._prompts = script, prompts
        self._openings: dict[tuple[tuple[str, ...], Decision, bool], Step] = {}
        self._another: dict[tuple[str, ...], Step] = {}

    def ring(self, on_file: tuple[str, ...], decision: Decision, *, is_doubted: bool = False) -> Step:
        """A call that is answered: let in, challenged or slowed. `is_doubted`: its number on file may be forged."""
        key = (on_file, decision, is_doubted)
        if key not in self._openings:
            digits = DIGITS if decision == "challenge" else None
            known, doubted = ((), on_file) if is_doubted else (on_file, ())
            opening = Opening("", known, digits, is_slow=decision == "slow", doubted=doubted)
            self._openings[key] = self._step(machine.open_call(opening, self._script))
        return self._openings[key]

    def another(self, on_file: tuple[str, ...]) -> Step:
        """The question after a report was recorded and the chair has one more precinct."""
        if on_file not in self._another:
            session = Session("", on_file=on_file, offers_on_file=False, has_signed_in=True)
            self._another[on_file] = self._step(Turn(session, (), machine.current(session, self._script)))
        return self._another[on_file]

    def inquiry(self, step: Step, heard: Heard) -> Inquiry | None:
        """What the machine must be told before it takes these keys."""
        return machine.inquire(step.turn.session, heard)

    def take(self, step: Step, heard: Heard, inquiry: Inquiry | None, sign_in: Facts | None) -> Step:
        """The call after one more answer. `sign_in` is the judgement of a PIN, when the inquiry was for one."""
        facts = sign_in or (Facts(challenge=FRESH_DIGITS) if isinstance(inquiry, ChallengeWanted) else Facts())
        keys = "0" * PIN_LENGTH if isinstance(inquiry, PinCheck) else heard.keys or ""
        key = (keys, heard.timed_out, facts)
        after = step.then.get(key)
        if after is None:
            said = Heard(keys, heard.timed_out)
            after = self._step(machine.step(step.turn.session, said, facts, self._script))
            if len(step.then) < MOST_REMEMBERED:
                step.then[key] = after
        return after

    def _step(self, turn: Turn) -> Step:
        return Step(turn, self._seconds(turn.reply))

    def _seconds(self, reply: Reply) -> float:
        return sum(map(seconds, spoken(reply, self._prompts)))


@dataclass
class Place:
    """How far a caller is with what was planned: slips and tries made, entries pressed. `tries` are this call's.

    `has_keyed_code`: a code was keyed last; whoever only guesses goes on to another when it is asked again.
    """

    tries: tuple[tuple[str, str], ...]
    slipped: int = 0
    tried: int = 0
    pressed: int = 0
    has_keyed_code: bool = False


def answer(plan: Plan, place: Place, step: Step, *, is_chair: bool) -> Answer:
    """What the caller does at the question that is up before the PIN is accepted; `place` moves on."""
    state = step.turn.session.state
    if plan.manner == "silent":
        return _silence(step)
    if plan.manner == "anything":
        place.pressed += 1
        return _pressed(plan, step, place.pressed - 1)
    if state == "challenge":
        return _challenge(plan, step)
    if plan.manner == "person":
        return _keyed(plan, step, "*0")
    if state == "code" and place.slipped < len(plan.slips):
        place.slipped += 1
        return _slip(plan, step, plan.slips[place.slipped - 1])
    if state == "code" and place.has_keyed_code and not is_chair:
        place.tried += 1
    place.has_keyed_code = state == "code"
    if not place.tries or (place.tried >= len(place.tries) and not is_chair):
        return Answer(None, step.words + plan.pace)
    code, pin = place.tries[min(place.tried, len(place.tries) - 1)]
    if state == "pin":
        place.tried += 1
        return _keyed(plan, step, pin)
    return _keyed(plan, step, "1" if step.turn.session.on_file == (code,) else code)


def _silence(step: Step) -> Answer:
    return Answer("", step.words + FIRST_KEY[_listens(step)], timed_out=True)


def _listens(step: Step) -> Listen:
    """How long the line waits for keys at the question that is up, by its name."""
    listen = step.turn.reply.listen
    assert listen, "only a question is answered"
    return listen


def _keyed(plan: Plan, step: Step, keys: str) -> Answer:
    return Answer(keys, INTERRUPTED * step.words + plan.pace)


def _slip(plan: Plan, step: Step, keys: str) -> Answer:
    """A code that is wrong, "123," one that time cuts off, or "" nothing at all."""
    if not keys:
        return _silence(step)
    if keys.endswith(","):
        return Answer(keys[:-1], INTERRUPTED * step.words + plan.pace + BETWEEN_KEYS[_listens(step)], timed_out=True)
    return _keyed(plan, step, keys)


def _pressed(plan: Plan, step: Step, turn: int) -> Answer:
    if turn >= len(plan.entries):
        return Answer(None, step.words + plan.pace)
    return _keyed(plan, step, plan.entries[turn]) if plan.entries[turn] else _silence(step)


def _challenge(plan: Plan, step: Step) -> Answer:
    session = step.turn.session
    digits = session.challenge or ""
    is_right = plan.challenges[min(session.tries, 1)]
    return Answer(digits if is_right else digits[::-1], step.words + plan.pace)

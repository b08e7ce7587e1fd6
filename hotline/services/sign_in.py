"""Judging a sign-in: an attempt is written down before its PIN is looked at, and settled before its verdict is spoken.

Unknown code, wrong PIN and a guess past the limit take the same steps and the same work.
"""

from __future__ import annotations

from hotline.dialog.facts import Facts, PinCheck
from hotline.dialog.session import Session
from hotline.dialog.values import replace
from hotline.screening.guessing import Tried, match
from hotline.screening.policy import Gate, is_staff_free, pin_gate
from hotline.screening.policy_file import Policy
from hotline.screening.signals import PinAttempts
from hotline.services.line import Line
from hotline.store.counters import Attempt

NOTICE_AT = 3
"""Failures from other phones after which a sign-in is told to the numbers on file (AU-13)."""


def judge(line: Line, sid: str, turn: int, check: PinCheck, session: Session) -> Facts:
    """What the machine is told of this PIN. Slow (one Argon2id) and to be called outside any transaction.

    An accepted sign-in comes without the precinct's standing: that is read in the transaction that records it.
    """
    policy = line.policy.now()
    attempt = Attempt(sid, turn, check.precinct, check.precinct in session.on_file, session.has_passed)
    is_contested = not attempt.is_chair_number and line.lookout.is_contested(policy, check.precinct)
    gate = _reserved(line, policy, attempt, is_contested=is_contested)
    if gate != "evaluate":
        line.pins.burn()
        return _unjudged(line, policy, gate, session)
    if line.pins.check(check.precinct, check.pin):
        line.counters.settle(attempt, is_accepted=True)
        is_told = line.counters.failed_elsewhere(attempt) >= NOTICE_AT
        return Facts(sign_in="accepted", is_doubtful=is_contested, failed_elsewhere=is_told)
    line.counters.settle(attempt, is_accepted=False, trace=line.pins.trace(check.pin))
    pattern = _pattern(line, attempt, check.pin)
    line.lookout.at_failure(policy, check.precinct)
    return Facts(
        sign_in="refused",
        refusal="wrong-pin" if check.precinct in line.contest.precincts else "unknown-code",
        pattern=pattern,
        has_staff=_has_staff(line, policy, session),
    )


def _reserved(line: Line, policy: Policy, attempt: Attempt, *, is_contested: bool) -> Gate:
    """Whether this PIN is judged; then the attempt is written down, as wrong until it is settled."""
    is_full = is_contested and len(line.ledger.standing(attempt.precinct).unverified) >= policy.contested.held
    guessing = line.lookout.guessing(policy)

    def gate(attempts: PinAttempts) -> Gate:
        known = replace(attempts, is_contested=is_contested, is_full_of_held=is_full, guessing=guessing)
        return pin_gate(known, policy.pins)

    return line.counters.reserve(attempt, gate, policy.pins).gate


def _unjudged(line: Line, policy: Policy, gate: Gate, session: Session) -> Facts:
    has_staff = _has_staff(line, policy, session)
    if gate == "challenge":
        return Facts(sign_in="challenge", challenge=line.clock.digits(3), has_staff=has_staff)
    return Facts(sign_in="person" if gate == "person" else "refused", refusal="limit", has_staff=has_staff)


def _pattern(line: Line, attempt: Attempt, pin: str) -> str:
    """The pattern of guessing a refused PIN fits with those before it, "" for none; kept with all it goes with."""
    before = line.counters.tried(attempt)
    tried = [Tried(each.precinct, each.trace) for each in before]
    found = match(attempt.precinct, pin, tried, line.pins.trace)
    if found is None:
        return ""
    line.counters.mark_guesses(attempt, found.why, [before[place].id for place in found.follows])
    return found.why


def _has_staff(line: Line, policy: Policy, session: Session) -> bool:
    """Whether staff have time for a slow caller; of others nobody asks."""
    return session.is_slow and is_staff_free(line.conditions.at_ring(""), policy)

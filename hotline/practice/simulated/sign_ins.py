"""Judging a simulated sign-in as `services/sign_in` does: the real ceilings, and the patterns of guessers."""

from __future__ import annotations

from collections.abc import Mapping

from hotline.dialog.facts import Facts
from hotline.practice.simulated.history import History, Ringing, Tried
from hotline.practice.simulated.talk import FRESH_DIGITS
from hotline.screening import guessing
from hotline.screening.policy import pin_gate
from hotline.screening.sections import PinCeilings


class SignIns:
    """Judges the PINs of one night; guards what is remembered of them. `pins` are the true ones, by precinct code."""

    def __init__(self, history: History, pins: Mapping[str, str], ceilings: PinCeilings) -> None:
        self._history, self._pins, self._ceilings = history, pins, ceilings

    def judge(self, attempt: Tried, call: Ringing, *, has_passed: bool) -> Facts:
        """What the machine is told of the attempt, and what is remembered of it."""
        at, precinct, is_chair = attempt.at, attempt.precinct, attempt.is_chair_number
        attempts = self._history.attempts(call, precinct, at, has_passed=has_passed, is_chair=is_chair)
        gate = pin_gate(attempts, self._ceilings)
        if gate == "challenge":
            return Facts(sign_in="challenge", challenge=FRESH_DIGITS)
        if gate != "evaluate":
            self._history.unjudged(precinct, at, is_chair=is_chair)
            return Facts(sign_in="person" if gate == "person" else "refused", refusal="limit")
        if not attempt.is_accepted:
            self._look_for_pattern(attempt, call)
        self._history.judged(attempt)
        return self.evaluate(attempt)

    def evaluate(self, attempt: Tried) -> Facts:
        """Whether the PIN is right, without any ceiling."""
        if attempt.is_accepted:
            return Facts(sign_in="accepted")
        return Facts(sign_in="refused", refusal="wrong-pin" if attempt.precinct in self._pins else "unknown-code")

    def is_right(self, precinct: str, pin: str) -> bool:
        """Whether the PIN is the precinct's."""
        return self._pins.get(precinct) == pin

    def _look_for_pattern(self, attempt: Tried, call: Ringing) -> None:
        """A guess makes guesses of those before it that it goes with."""
        before = self._history.tried(call, attempt.at)
        fingerprints = [guessing.Tried(each.precinct, each.pin) for each in before]
        if found := guessing.match(attempt.precinct, attempt.pin, fingerprints, str):
            for each in (attempt, *(before[place] for place in found.follows)):
                each.pattern = each.pattern or found.why

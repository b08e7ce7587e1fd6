"""The state of the event on a simulated night: what all numbers did lately, put to the real rules of the states.

Counted as `store/conditions` counts it. No supervisor ends an attack on a simulated night.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Literal

from hotline.screening.policy_file import Policy
from hotline.screening.signals import EventState
from hotline.screening.states import Activity, is_contested, next_state

MINUTE = 60.0
LOOKS = 1.0
"""Seconds between two looks."""

What = Literal["failed", "succeeded", "struck"]
"""A PIN judged wrong; one judged right; a sign-in or a challenge failed, or a hang-up."""


class Alarm:
    """Counts what happened lately and keeps the state; guards both."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._lately: deque[tuple[float, What]] = deque()
        self._came: Counter[What] = Counter()
        self._wrong: deque[tuple[float, str, str]] = deque()
        self._failures: Counter[str] = Counter()
        self._guessers: dict[str, Counter[str]] = {}
        self._busy: set[str] = set()
        self._looked_at = float("-inf")
        self.state: EventState = "calm"
        self.since: dict[EventState, float] = {"calm": 0.0}

    def note(self, what: What, at: float) -> None:
        """Somebody did this, whatever the number."""
        self._lately.append((at, what))
        self._came[what] += 1

    def stranger_failed(self, precinct: str, caller: str, at: float) -> None:
        """A PIN was wrong from a number not on file for the precinct; `caller` is the call when it is withheld."""
        self._wrong.append((at, precinct, caller))
        self._failures[precinct] += 1
        self._guessers.setdefault(precinct, Counter())[caller] += 1
        if self._failures[precinct] >= self._policy.contested.failures:
            self._busy.add(precinct)

    def look(self, at: float) -> EventState:
        """The state now, a second old at most."""
        if at - self._looked_at < LOOKS or self.state == "attack":
            return self.state
        self._looked_at = at
        self._forget(at)
        activity = Activity(self._came["failed"], self._came["succeeded"], self._contested(), self._came["struck"])
        self.state = next_state(self.state, activity, self._policy)
        self.since.setdefault(self.state, at)
        return self.state

    def _forget(self, at: float) -> None:
        """What is out of the windows."""
        while self._lately and self._lately[0][0] <= at - MINUTE * self._policy.watch.minutes:
            self._came[self._lately.popleft()[1]] -= 1
        while self._wrong and self._wrong[0][0] <= at - MINUTE * self._policy.contested.minutes:
            _, precinct, caller = self._wrong.popleft()
            self._failures[precinct] -= 1
            self._guessers[precinct][caller] -= 1
            if self._failures[precinct] < self._policy.contested.failures:
                self._busy.discard(precinct)

    def _contested(self) -> int:
        """How many precincts are guessed at by many (AB-12)."""
        return sum(
            is_contested(self._failures[precinct], len(+self._guessers[precinct]), self._policy.contested)
            for precinct in self._busy
        )

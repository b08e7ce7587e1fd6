"""Keeping watch over the whole line: what many callers do together changes the state of the night and raises alerts.

Looked at right where a failed sign-in is settled, and at rings at most once a second. What has to be decided stands in
`screening.states`; here it is counted, decided and put on record.
"""

from __future__ import annotations

import threading

from hotline.clock import Clock
from hotline.screening.policy_file import Policy
from hotline.screening.signals import Guessing
from hotline.screening.states import Activity, guessing, is_contested, next_state, odds
from hotline.store.alerts import Alerts
from hotline.store.conditions import LINE, NightConditions
from hotline.store.pins import PIN_DIGITS

LOOK_SECONDS = 1.0
CONTESTED, GUESSES = "contested", "guesses"


class Lookout:
    """Looks at the whole line; guards when it last did."""

    def __init__(self, clock: Clock, conditions: NightConditions, alerts: Alerts) -> None:
        self._clock, self._conditions, self._alerts = clock, conditions, alerts
        self._looking = threading.Lock()
        self._looked_at: float | None = None

    def at_ring(self, policy: Policy) -> None:
        """Look, unless somebody did within the second."""
        last = self._looked_at
        if (last is not None and self._clock.monotonic() - last < LOOK_SECONDS) or not self._looking.acquire(
            blocking=False
        ):
            return
        try:
            self._looked_at = self._clock.monotonic()
            self._calm_down(policy)
            self._judge_state(policy)
        finally:
            self._looking.release()

    def at_failure(self, policy: Policy, precinct: str) -> None:
        """A sign-in at the precinct has just failed: is it contested, is the line under attack, is the budget spent?"""
        if self.is_contested(policy, precinct):
            told = f"Precinct {precinct} is being guessed at from several numbers: reports from others are held"
            self._alerts.raise_once(CONTESTED, told, precinct)
        self._judge_state(policy)
        if self.guessing(policy) != "quiet":
            told = f"{self._conditions.guesses()} PINs were guessed wrong within a day"
            self._alerts.raise_once(GUESSES, told)

    def is_contested(self, policy: Policy, precinct: str) -> bool:
        """Whether a precinct is being guessed at by many right now (AB-12)."""
        found = self._conditions.guessing(precinct, policy.contested.minutes)
        return is_contested(found.failures, found.numbers, policy.contested)

    def guessing(self, policy: Policy) -> Guessing:
        """How likely it has become that some guess of the night was right (AU-08)."""
        return guessing(odds(self._conditions.guesses(), PIN_DIGITS), policy.pins)

    def _judge_state(self, policy: Policy) -> None:
        state = self._conditions.state()
        if state == "attack":
            return  # left by a supervisor only
        activity = self._conditions.activity(policy.watch.minutes, policy.contested)
        after = next_state(state, activity, policy)
        if after != state:
            self._conditions.set_state(after, by=LINE, why=_told(activity, policy))

    def _calm_down(self, policy: Policy) -> None:
        """Take down the alerts of precincts that are contested no more."""
        if told := {alert.subject for alert in self._alerts.standing() if alert.kind == CONTESTED}:
            self._alerts.clear_all(CONTESTED, told - self._conditions.contested(policy.contested))


def _told(activity: Activity, policy: Policy) -> str:
    return (
        f"{activity.failed} sign-ins failed and {activity.succeeded} did not in {policy.watch.minutes} minutes, "
        f"{activity.contested} precincts contested, {activity.strikes} calls gone bad"
    )

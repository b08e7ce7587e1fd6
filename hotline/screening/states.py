"""What many numbers do together: contested precincts, the state of the event, and the odds that a guess was right.

The store counts in sliding windows and asks; each change of state becomes an event there. Attack is entered by itself
and left only by a supervisor; watch comes and goes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hotline.screening.policy_file import Policy
from hotline.screening.sections import Contested, PinCeilings, Watch
from hotline.screening.signals import EventState, Guessing


@dataclass(frozen=True)
class Activity:
    """The whole line in the last `policy.watch.minutes`.

    `failed` and `succeeded` are sign-ins judged or refused; `contested` precincts that are so now; `strikes` the bad
    marks of all numbers, withheld ones too.
    """

    failed: int = 0
    succeeded: int = 0
    contested: int = 0
    strikes: int = 0


def is_contested(failures: int, numbers: int, rule: Contested) -> bool:
    """Whether a precinct is being guessed at by many (AB-12).

    `failures` are failed sign-ins within `rule.minutes` from numbers not on file for the precinct, `numbers` how many
    different ones; a withheld call is a number of its own. Its own chairs' slips contest no precinct.
    """
    return failures >= rule.failures and numbers >= rule.numbers


def next_state(state: EventState, activity: Activity, policy: Policy) -> EventState:
    """The state of the event after `activity` (AB-13).

    Attack: many failed sign-ins, and far more than successes. Watch: fewer of both, several precincts contested at
    once, or a flood of bad marks without any sign-in; it ends when all three are well under, so that it does not
    flicker. An attack goes on, whatever is counted.
    """
    if state == "attack" or _outweighs(activity, policy.attack.failures, policy.attack.ratio):
        return "attack"
    if _is_watched(activity, policy.watch):
        return "watch"
    return "calm" if state == "calm" or _is_well_under(activity, policy.watch) else "watch"


def odds(guesses: int, digits: int) -> Fraction:
    """The chance, at most, that one of so many judged guesses hit a PIN of so many random digits (AU-08), exactly."""
    return min(Fraction(guesses, 10**digits), Fraction(1))


def guessing(chance: Fraction, ceilings: PinCeilings) -> Guessing:
    """What that chance asks for: nothing, an alert, or call-backs only for numbers not on file."""
    if chance >= Fraction(1, ceilings.call_back_one_in):
        return "call-back"
    return "alert" if chance >= Fraction(1, ceilings.alert_one_in) else "quiet"


def _outweighs(activity: Activity, failures: int, ratio: int) -> bool:
    return activity.failed >= failures and activity.failed > ratio * activity.succeeded


def _is_watched(activity: Activity, watch: Watch) -> bool:
    return (
        _outweighs(activity, watch.failures, watch.ratio)
        or activity.contested >= watch.contested
        or activity.strikes >= watch.strikes
    )


def _is_well_under(activity: Activity, watch: Watch) -> bool:
    return (
        activity.failed < watch.calm_below
        and 2 * activity.contested < watch.contested
        and 2 * activity.strikes < watch.strikes
    )

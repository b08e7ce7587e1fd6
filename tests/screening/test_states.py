"""What many numbers do together: contested precincts, the state of the event, the odds of the night's guesses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotline.screening.signals import EventState
from hotline.screening.states import Activity, guessing, is_contested, next_state, odds
from tests.screening.calling import policy

IOWA = policy()
ACTIVITIES = st.builds(Activity, *[st.integers(0, 200)] * 4)


@pytest.mark.parametrize(
    ("failures", "numbers", "expected"), [(5, 3, True), (4, 3, False), (5, 2, False), (99, 1, False), (99, 99, True)]
)
def test_a_precinct_is_contested_by_many(failures: int, numbers: int, expected: bool) -> None:
    """Five failures from three numbers; one stubborn caller contests nothing."""
    assert expected == is_contested(failures, numbers, IOWA.contested)


@pytest.mark.parametrize(
    ("state", "activity", "expected"),
    [
        ("calm", Activity(), "calm"),
        ("calm", Activity(failed=50, succeeded=16), "attack"),
        ("calm", Activity(failed=51, succeeded=17), "watch"),
        ("calm", Activity(failed=49), "watch"),
        ("calm", Activity(failed=20, succeeded=9), "watch"),
        ("calm", Activity(failed=20, succeeded=10), "calm"),
        ("calm", Activity(failed=19), "calm"),
        ("calm", Activity(failed=300, succeeded=1765), "calm"),
        ("calm", Activity(contested=2, strikes=59), "calm"),
        ("calm", Activity(contested=3), "watch"),
        ("calm", Activity(strikes=60), "watch"),
        ("watch", Activity(failed=10), "watch"),
        ("watch", Activity(failed=9, contested=1, strikes=29), "calm"),
        ("watch", Activity(contested=2), "watch"),
        ("watch", Activity(strikes=30), "watch"),
        ("watch", Activity(failed=50), "attack"),
        ("attack", Activity(), "attack"),
        ("attack", Activity(strikes=99), "attack"),
    ],
)
def test_state_of_the_event(state: EventState, activity: Activity, expected: EventState) -> None:
    """Attack at more than three failures for each success and fifty of them; watch earlier, and for longer."""
    assert expected == next_state(state, activity, IOWA)


@given(ACTIVITIES, st.lists(ACTIVITIES))
def test_no_count_ends_an_attack(first: Activity, then: list[Activity]) -> None:
    """Once in, the event stays in it whatever the lines are like, until a supervisor says otherwise."""
    state = next_state("attack", first, IOWA)
    for activity in then:
        state = next_state(state, activity, IOWA)
    assert state == "attack"


@given(ACTIVITIES)
def test_watch_does_not_flicker(activity: Activity) -> None:
    """The counts that end a watch never begin one."""
    if next_state("watch", activity, IOWA) == "calm":
        assert next_state("calm", activity, IOWA) == "calm"


@pytest.mark.parametrize(
    ("guesses", "digits", "chance", "level"),
    [
        (0, 8, Fraction(0), "quiet"),
        (9_999, 8, Fraction(9_999, 10**8), "quiet"),
        (10_000, 8, Fraction(1, 10_000), "alert"),
        (99_999, 8, Fraction(99_999, 10**8), "alert"),
        (100_000, 8, Fraction(1, 1_000), "call-back"),
        (100, 6, Fraction(1, 10_000), "alert"),
        (1_000, 6, Fraction(1, 1_000), "call-back"),
        (10**9, 8, Fraction(1), "call-back"),
    ],
)
def test_odds_that_a_guess_was_right(guesses: int, digits: int, chance: Fraction, level: str) -> None:
    """Exact, and never above certainty; staff are told at one in 10,000, strangers' PINs are over at one in 1,000."""
    assert (chance, level) == (odds(guesses, digits), guessing(odds(guesses, digits), IOWA.pins))

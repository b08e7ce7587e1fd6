"""What holds for every caller there can be: a verdict, reasons that add up, and no way for others to harm the known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from hotline.screening.policy import judge, pin_gate
from hotline.screening.policy_file import FEATURES
from hotline.screening.score import BAD
from hotline.screening.signals import (
    Conditions,
    EventState,
    Guessing,
    Mark,
    MarkKind,
    Neighbours,
    PinAttempts,
    Recent,
    Threat,
)
from hotline.screening.words import sentence
from tests.screening.calling import NOW, policy

POLICIES = (policy(), policy(state="NV"), policy({"ladder.attack.challenge": 0}), policy(state="GU"))
COUNTS = st.integers(0, 500)
KINDS = get_args(MarkKind)
WORDS = st.sampled_from(("passed-A", "passed-B", "passed-C", "failed", "failed-A", "none", "", "forged"))


def marks(kinds: Any = KINDS) -> st.SearchStrategy[Mark]:
    """Any mark of the kinds, up to a day old, or of a clock a little ahead."""
    ages = st.integers(-300, 24 * 3600).map(lambda seconds: NOW - timedelta(seconds=seconds))
    return st.builds(
        Mark, st.sampled_from(sorted(kinds)), ages, st.sampled_from("123"), st.sampled_from(["", *"abcdef"])
    )


CONDITIONS = st.builds(
    Conditions,
    st.sampled_from(get_args(EventState)),
    st.sampled_from(get_args(Threat)),
    COUNTS,
    COUNTS,
    COUNTS,
    st.none() | st.integers(0, 100),
    st.booleans(),
)
CALLERS = st.builds(
    Recent,
    at=st.just(NOW),
    marks=st.lists(marks(), max_size=40).map(tuple),
    is_hurried=st.booleans(),
    is_withheld=st.booleans(),
    area=st.sampled_from(("", "515", "212", "999")),
    is_on_file=st.booleans(),
    verstat=WORDS,
    blocked_until=st.none() | st.integers(-60, 60).map(lambda minutes: NOW + timedelta(minutes=minutes)),
    live=st.integers(0, 3),
    is_outside_hours=st.booleans(),
    is_decoy_line=st.booleans(),
    neighbours=st.builds(Neighbours, COUNTS, COUNTS),
    conditions=CONDITIONS,
)
ANY_POLICY = st.sampled_from(POLICIES)


@given(CALLERS, ANY_POLICY)
def test_everybody_gets_a_verdict_that_adds_up(recent: Recent, policy: Any) -> None:
    """The parts sum to the score, every part is a feature's, and the sentence tells three reasons at most."""
    verdict = judge(recent, policy)
    assert verdict.score == sum(verdict.parts.values())
    assert set(verdict.parts) <= set(FEATURES)
    assert {code for code, points in verdict.parts.items() if points > 0} <= set(verdict.reasons)
    assert verdict.policy == policy.version
    told = sentence(verdict, policy)
    assert (told.count("."), told.count(",") <= 2) == (1, True)


@settings(max_examples=500)
@given(CALLERS, ANY_POLICY)
def test_a_known_number_is_never_rejected_nor_slowed_without_staff(recent: Recent, policy: Any) -> None:
    """Whatever it did, however full the line: let in. Where the check failed, at worst challenged or told to wait."""
    is_blocked = (recent.blocked_until or NOW) > NOW
    is_marked = not recent.is_on_file and any(mark.kind == "abusive" for mark in recent.marks)
    if recent.is_known and not is_blocked and not is_marked:
        verdict = judge(recent, policy)
        is_doubted = recent.verstat.startswith("failed")
        assert verdict.decision == "admit" or (is_doubted and verdict.decision in ("challenge", "message"))


@given(CALLERS, marks(BAD), ANY_POLICY)
def test_a_bad_mark_more_never_lowers_the_score(recent: Recent, mark: Mark, policy: Any) -> None:
    """Nor does any other part shrink for it."""
    before, after = judge(recent, policy), judge(replace(recent, marks=(*recent.marks, mark)), policy)
    assert all(points <= after.parts.get(code, 0) for code, points in before.parts.items())
    assert before.score <= after.score


@given(CALLERS, st.lists(marks(BAD | {"rang", "challenge-passed"}), max_size=40), ANY_POLICY)
def test_expired_marks_do_not_matter(recent: Recent, old: list[Mark], policy: Any) -> None:
    """A day older than they may count: the verdict is the very same."""
    expired = tuple(replace(mark, at=mark.at - timedelta(hours=25)) for mark in old)
    assert judge(recent, policy) == judge(replace(recent, marks=(*expired, *recent.marks)), policy)


@given(st.text("0123456789", max_size=3), st.sampled_from(get_args(EventState)), WORDS)
def test_an_area_code_alone_changes_nothing(area: str, state: Any, verstat: str) -> None:
    """In any state, whatever the carrier says: the decision with it is the decision without."""
    caller = Recent(NOW, verstat=verstat, conditions=Conditions(state))
    assert judge(caller, POLICIES[0]).decision == judge(replace(caller, area=area), POLICIES[0]).decision


@given(CALLERS, st.permutations(range(40)), ANY_POLICY)
def test_the_order_of_marks_does_not_matter(recent: Recent, order: list[int], policy: Any) -> None:
    """Only their times do: two machines may write in another order."""
    shuffled = tuple(recent.marks[place] for place in order if place < len(recent.marks))
    assert judge(recent, policy) == judge(replace(recent, marks=shuffled), policy)


@given(CALLERS, ANY_POLICY, st.datetimes(timezones=st.just(UTC)))
def test_a_clock_gone_mad_raises_nothing(recent: Recent, policy: Any, at: datetime) -> None:
    """An hour ahead, a century behind: still a verdict, and still none against the known."""
    verdict = judge(replace(recent, at=at, blocked_until=None), policy)
    assert verdict.score == sum(verdict.parts.values())


FEW = st.integers(0, 25)


@given(
    st.builds(
        PinAttempts,
        in_call=st.integers(0, 3),
        by_number=FEW,
        by_number_lately=FEW,
        has_passed=st.booleans(),
        on_precinct=FEW,
        is_chair_number=st.booleans(),
        guessing=st.sampled_from(get_args(Guessing)),
        is_contested=st.booleans(),
        is_full_of_held=st.booleans(),
    ),
    FEW,
)
def test_one_more_wrong_pin_never_opens_a_gate(attempts: PinAttempts, more: int) -> None:
    """The gate only narrows as attempts fail, whichever count they are in."""
    order = ("evaluate", "challenge", "limit", "person")
    for count in ("in_call", "by_number", "on_precinct"):
        later = replace(attempts, **{count: getattr(attempts, count) + more})
        assert order.index(pin_gate(attempts)) <= order.index(pin_gate(later))

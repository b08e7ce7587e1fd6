"""Each feature's points at its edges: what counts, how much at most, for how long, and what takes it away."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hotline.screening.policy import judge
from hotline.screening.policy_file import FEATURES
from hotline.screening.score import points_of
from hotline.screening.signals import Mark, Neighbours, Recent
from hotline.telephony.inbound import VERSTAT
from tests.screening.calling import NOW, mark, marked, policy

IOWA = policy()


@pytest.mark.parametrize(
    ("recent", "expected"),
    [
        (marked(), {}),
        (marked("hung-up"), {"AB-01": 10}),
        (marked(*["hung-up"] * 4), {"AB-01": 40}),
        (marked(*["hung-up"] * 5), {"AB-01": 40}),
        (marked(*["dead-air"] * 3), {"AB-02": 45}),
        (marked(*["dead-air"] * 4), {"AB-02": 45}),
        (marked(*["unknown-code"] * 3), {"AB-03": 30}),
        (marked(*["wrong-pin"] * 2), {"AB-04": 30}),
        (marked(*["wrong-pin"] * 3), {"AB-04": 45}),
        (marked(*["guess"] * 2), {}),
        (marked(*["guess"] * 3), {"AB-06": 40}),
        (marked(*["guess"] * 9), {"AB-06": 40}),
        (marked(is_withheld=True), {"AB-07": 15}),
        (marked(is_outside_hours=True), {"AB-10": 10}),
        (marked(*["rang"] * 4), {}),
        (marked(*["rang"] * 5), {"AB-15": 10}),
        (marked(is_hurried=True), {"AB-15": 10}),
        (marked(*["rang"] * 50, is_on_file=True), {}),
        (marked("abusive", "abusive"), {"AB-16": 100}),
        (marked("honeypot", "honeypot"), {"AB-18": 60}),
        (marked("honeypot", is_decoy_line=True), {"AB-18": 60}),
        (marked("challenge-passed", "challenge-passed"), {"GR-03": -20}),
        (marked("challenge-failed", "challenge-passed"), {"GR-03": 25}),
        (marked(*["challenge-failed"] * 4), {"GR-03": 45}),
    ],
)
def test_points_of_each_sign(recent: Recent, expected: dict[str, int]) -> None:
    """As the table of features has them, caps included."""
    assert expected == points_of(recent, IOWA)


@pytest.mark.parametrize(
    ("kinds", "minutes"),
    [
        (["hung-up"], 60),
        (["dead-air"], 60),
        (["unknown-code"], 60),
        (["wrong-pin"], 60),
        (["guess"] * 3, 60),
        (["rang"] * 5, 10),
        (["abusive"], 720),
        (["honeypot"], 1440),
        (["challenge-passed"], 60),
        (["challenge-failed"], 60),
    ],
)
def test_windows_slide(kinds: list[str], minutes: int) -> None:
    """A mark counts to the end of its window and not a second longer; one of a clock that is ahead counts as now."""
    for seconds, counts in ((minutes * 60, True), (minutes * 60 + 1, False), (-300, True)):
        marks = tuple(Mark(kind, NOW - timedelta(seconds=seconds), f"CA{n}") for n, kind in enumerate(kinds))
        assert counts == bool(points_of(Recent(NOW, marks), IOWA)), seconds


def test_three_wrong_pins_in_one_call_are_a_strike_more() -> None:
    """Three in one call 45 and 10; spread over two calls 45; two such calls twice that."""
    in_one = [mark("wrong-pin", call="CA1")] * 3
    assert points_of(Recent(NOW, tuple(in_one)), IOWA) == {"AB-04": 55}
    assert points_of(Recent(NOW, (*in_one[:2], mark("wrong-pin", call="CA2"))), IOWA) == {"AB-04": 45}
    assert points_of(Recent(NOW, (*in_one, *[mark("wrong-pin", call="CA2")] * 3)), IOWA) == {"AB-04": 110}


@pytest.mark.parametrize(
    ("calls", "precincts", "expected"),
    [
        ("111", "abc", 30),
        ("112", "abc", 0),
        ("111", "aba", 0),
        ("12345", "abcde", 60),
        ("1234", "abcd", 0),
        ("11111", "abcde", 60),
        ("111", "ab ", 0),
    ],
)
def test_many_precincts_without_success(calls: str, precincts: str, expected: int) -> None:
    """Three different in one call 30, five within the hour 60, the larger of the two; no code is no precinct."""
    tries = zip(calls, precincts, strict=True)
    marks = tuple(mark("unknown-code", call=call, precinct=precinct.strip()) for call, precinct in tries)
    assert expected == points_of(Recent(NOW, marks), IOWA).get("AB-05", 0)


@pytest.mark.parametrize("precincts", range(1, 11))
def test_a_shared_phone_that_succeeds_is_normal(precincts: int) -> None:
    """A county chair, or ten precincts of one school on one phone, each after a slip: nothing is left of it."""
    slips = [mark("wrong-pin", minutes=5, precinct=f"{n}") for n in range(precincts)]
    sign_ins = [mark("signed-in", minutes=4, precinct=f"{n}") for n in range(precincts)]
    verdict = judge(Recent(NOW, (*slips, *sign_ins)), IOWA)
    assert ("admit", 0, ()) == (verdict.decision, verdict.score, verdict.flags)


def test_an_eleventh_precinct_from_a_number_not_on_file_is_flagged() -> None:
    """It is let in all the same: a flag is for staff."""
    eleven = tuple(mark("signed-in", precinct=f"{n}") for n in range(11))
    assert ("admit", ("many-precincts",)) == _met(Recent(NOW, eleven))
    assert ("admit", ()) == _met(Recent(NOW, eleven, is_on_file=True))


def test_a_success_forgives_that_precinct_alone() -> None:
    """As for the ceilings: the number's wrong PINs on another precinct stay, and so does one after the success."""
    signed_in = mark("signed-in", minutes=5, precinct="a")
    for precinct, minutes, expected in (("a", 6, {}), ("a", 5, {}), ("b", 6, {"AB-04": 15}), ("a", 4, {"AB-04": 15})):
        recent = Recent(NOW, (mark("wrong-pin", minutes=minutes, precinct=precinct), signed_in))
        assert expected == points_of(recent, IOWA)


def test_staff_finding_a_number_genuine_clears_it() -> None:
    """Whatever it did before, a verdict of abuse included; what it does after counts."""
    before = [mark(kind, minutes=9) for kind in ("hung-up", "dead-air", "wrong-pin", "guess", "honeypot", "abusive")]
    assert points_of(Recent(NOW, (*before, mark("genuine", minutes=9))), IOWA) == {}
    assert points_of(Recent(NOW, (*before, mark("genuine", minutes=5))), IOWA) == {}
    assert points_of(Recent(NOW, (*before, mark("genuine", minutes=5), mark("hung-up"))), IOWA) == {"AB-01": 10}


@pytest.mark.parametrize("verstat", sorted({*VERSTAT.values(), "", "passed-A-forged", "Failed", "failed-D"}))
def test_every_word_of_the_carrier(verstat: str) -> None:
    """Matched whole: a spelling we do not know is neither a pass nor a failure."""
    known = {"failed": 30, "failed-A": 30, "failed-B": 30, "failed-C": 30, "passed-C": 10, "passed-A": -10}
    assert known.get(verstat, 0) == points_of(marked(verstat=verstat), IOWA).get("AB-08", 0)


@pytest.mark.parametrize(
    ("area", "state", "expected"),
    [
        ("515", "IA", 0),
        ("402", "IA", 0),
        ("212", "IA", 5),
        ("515", "NV", 5),
        ("702", "NV", 0),
        ("", "IA", 0),
        ("212", "GU", 0),
    ],
)
def test_an_area_code_from_far_away(area: str, state: str, expected: int) -> None:
    """Outside the state and its neighbours; a state whose codes nobody listed has no far away."""
    recent = marked(area=area)
    assert expected == sum(points_of(recent, policy(state=state)).values())
    assert judge(recent, policy(state=state)).decision == "admit"


@pytest.mark.parametrize(("strikes", "successes", "expected"), [(4, 0, 0), (5, 0, 25), (99, 0, 25), (99, 1, 0)])
def test_neighbours_count_against_unknown_numbers_only(strikes: int, successes: int, expected: int) -> None:
    """A block where somebody signed in is no prankster's; a known number is not judged by its neighbours."""
    block = Neighbours(strikes, successes)
    assert expected == sum(points_of(marked(neighbours=block), IOWA).values())
    assert points_of(marked(neighbours=block, is_on_file=True), IOWA) == {}
    assert points_of(marked("signed-in", neighbours=block), IOWA) == {}


@pytest.mark.parametrize("code", sorted(set(FEATURES) - {"AB-14"}))
def test_each_feature_can_be_switched_off(code: str) -> None:
    """For the whole line, and for one number of ours."""
    everything = marked(
        *["hung-up", "dead-air", "unknown-code", "guess", "guess", "guess", "abusive", "honeypot", "challenge-failed"],
        *["rang"] * 6,
        is_withheld=True,
        verstat="failed",
        area="212",
        is_outside_hours=True,
        neighbours=Neighbours(9),
    )
    tries = tuple(mark("wrong-pin", call="CA1", precinct=precinct) for precinct in "abc")
    recent = Recent(**{**vars(everything), "marks": (*everything.marks, *tries)})
    every = points_of(recent, IOWA)
    without = {other: points for other, points in every.items() if other != code}
    assert code in every
    assert without == points_of(recent, policy({f"features.{code}.on": False}))
    assert without == points_of(recent, policy({f"lines.+15155550100.{code}.on": False}))
    assert every == points_of(recent, policy({f"lines.+15155550199.{code}.on": False}))


def _met(recent: Recent) -> tuple[str, tuple[str, ...]]:
    verdict = judge(recent, IOWA)
    return verdict.decision, verdict.flags

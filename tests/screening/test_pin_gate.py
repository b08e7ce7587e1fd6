"""How many PINs are judged: every ceiling at its edge, and strangers never in a chair's way."""

import pytest

from hotline.screening.policy import is_held, pin_gate
from hotline.screening.sections import PinCeilings
from hotline.screening.signals import PinAttempts


@pytest.mark.parametrize(
    ("attempts", "expected"),
    [
        (PinAttempts(), "evaluate"),
        (PinAttempts(in_call=2), "evaluate"),
        (PinAttempts(in_call=3), "person"),
        (PinAttempts(by_number=9), "evaluate"),
        (PinAttempts(by_number=10), "person"),
        (PinAttempts(by_number=4, by_number_lately=4), "evaluate"),
        (PinAttempts(by_number=5, by_number_lately=5), "challenge"),
        (PinAttempts(by_number=5, by_number_lately=5, is_chair_number=True), "challenge"),
        (PinAttempts(by_number=5, by_number_lately=5, has_passed=True), "evaluate"),
        (PinAttempts(by_number=9, by_number_lately=9, has_passed=True), "evaluate"),
        (PinAttempts(by_number=10, by_number_lately=10, has_passed=True), "person"),
        (PinAttempts(on_precinct=9), "evaluate"),
        (PinAttempts(on_precinct=10), "limit"),
        (PinAttempts(on_precinct=10, in_call=3), "person"),
        (PinAttempts(on_precinct=19, is_chair_number=True), "evaluate"),
        (PinAttempts(on_precinct=20, is_chair_number=True), "person"),
        (PinAttempts(in_call=3, is_chair_number=True), "person"),
        (PinAttempts(by_number=10, is_chair_number=True), "person"),
        (PinAttempts(guessing="alert"), "evaluate"),
        (PinAttempts(guessing="call-back"), "limit"),
        (PinAttempts(is_contested=True), "evaluate"),
        (PinAttempts(is_contested=True, is_full_of_held=True), "limit"),
    ],
)
def test_each_ceiling_holds_at_its_edge(attempts: PinAttempts, expected: str) -> None:
    """The attempt that reaches a ceiling is the last one judged; reaching it is silent only for strangers."""
    assert expected == pin_gate(attempts)


@pytest.mark.parametrize("strangers", range(0, 1000, 50))
def test_strangers_never_stop_a_chair_number(strangers: int) -> None:
    """What other numbers did to the precinct is not in a chair number's counts, so it cannot matter."""
    assert pin_gate(PinAttempts(on_precinct=strangers)) == ("evaluate" if strangers < 10 else "limit")
    chair = PinAttempts(is_chair_number=True, guessing="call-back", is_contested=True, is_full_of_held=True)
    assert pin_gate(chair) == "evaluate"


def test_other_ceilings_of_the_policy_hold_too() -> None:
    """Six-digit PINs, for one, need a lower ceiling for strangers."""
    strict = PinCeilings(strangers=5)
    assert ["evaluate", "limit"] == [pin_gate(PinAttempts(on_precinct=count), strict) for count in (4, 5)]


@pytest.mark.parametrize(("is_contested", "is_chair", "expected"), [(True, False, True), (True, True, False)])
def test_reports_of_strangers_are_held_while_many_guess(is_contested: bool, is_chair: bool, expected: bool) -> None:
    """The precinct's own numbers file as ever; so does everybody once the guessing is over."""
    assert expected == is_held(PinAttempts(is_contested=is_contested, is_chair_number=is_chair))
    assert not is_held(PinAttempts(is_chair_number=is_chair))

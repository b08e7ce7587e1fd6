"""Who gets through: every ceiling at its edge, and every word of the carrier."""

import pytest

from hotline.screening.policy import lane, pin_gate
from hotline.screening.signals import PinAttempts
from hotline.telephony.inbound import VERSTAT


@pytest.mark.parametrize(
    ("attempts", "expected"),
    [
        (PinAttempts(), "evaluate"),
        (PinAttempts(in_call=2), "evaluate"),
        (PinAttempts(in_call=3), "person"),
        (PinAttempts(by_number=9), "evaluate"),
        (PinAttempts(by_number=10), "person"),
        (PinAttempts(on_precinct=9), "evaluate"),
        (PinAttempts(on_precinct=10), "limit"),
        (PinAttempts(on_precinct=10, in_call=3), "person"),
        (PinAttempts(on_precinct=19, is_chair_number=True), "evaluate"),
        (PinAttempts(on_precinct=20, is_chair_number=True), "person"),
        (PinAttempts(in_call=3, is_chair_number=True), "person"),
        (PinAttempts(by_number=10, is_chair_number=True), "person"),
    ],
)
def test_each_ceiling_holds_at_its_edge(attempts: PinAttempts, expected: str) -> None:
    """The attempt that reaches a ceiling is the last one judged; reaching it is silent only for strangers."""
    assert expected == pin_gate(attempts)


@pytest.mark.parametrize("strangers", range(0, 1000, 50))
def test_strangers_never_stop_a_chair_number(strangers: int) -> None:
    """What other numbers did to the precinct is not in a chair number's counts, so it cannot matter."""
    assert pin_gate(PinAttempts(on_precinct=strangers)) == ("evaluate" if strangers < 10 else "limit")
    assert pin_gate(PinAttempts(on_precinct=0, is_chair_number=True)) == "evaluate"


@pytest.mark.parametrize("verstat", sorted({*VERSTAT.values(), "none", "", "Passed-A", "passed-A-forged"}))
def test_a_number_not_on_file_has_no_lane_whatever_the_carrier_says(verstat: str) -> None:
    """Attestation proves the number, not the person: an attested stranger is a stranger."""
    assert lane(is_on_file=False, verstat=verstat) == "unknown"


@pytest.mark.parametrize(
    ("verstat", "expected"),
    [
        ("passed-A", "chair-attested"),
        ("passed-B", "chair"),
        ("passed-C", "chair"),
        ("none", "chair"),
        ("", "chair"),
        ("passed-A-forged", "chair"),
        ("failed", "unknown"),
        ("failed-A", "unknown"),
        ("failed-B", "unknown"),
        ("failed-C", "unknown"),
    ],
)
def test_a_number_on_file_goes_by_the_word_of_the_carrier(verstat: str, expected: str) -> None:
    """Only a passed A is vouched for, matched whole; a failed check may be a forged number."""
    assert expected == lane(is_on_file=True, verstat=verstat)

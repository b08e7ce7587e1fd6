"""A mistyped code never reaches another precinct: Damm's check digit catches the two slips that keypads make most."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotline.caucus.codes import check_digit, is_valid, with_check_digit

DIGITS = st.text(alphabet="0123456789", min_size=1, max_size=9)


def test_the_published_example() -> None:
    """572 takes check digit 4, as in Damm's own example."""
    assert (check_digit("572"), with_check_digit("572"), is_valid("5724")) == ("4", "5724", True)


def test_the_shortest_code_is_one_digit_and_its_check_digit() -> None:
    """A check digit follows from the one digit before it; alone it says nothing."""
    assert (with_check_digit("1"), is_valid("13"), is_valid("31"), is_valid("0")) == ("13", True, False, False)


def test_every_single_wrong_digit_and_neighbour_swap_of_a_roster_is_caught() -> None:
    """For every seventh of the 10,000 codes, no wrong digit and no swap of unequal neighbours gives a valid code."""
    for number in range(0, 10_000, 7):
        code = with_check_digit(f"{number:04d}")
        slips = {code[:at] + digit + code[at + 1 :] for at in range(5) for digit in "0123456789"}
        slips |= {code[:at] + code[at + 1] + code[at] + code[at + 2 :] for at in range(4)}
        assert [slip for slip in sorted(slips - {code}) if is_valid(slip)] == []


@given(DIGITS)
def test_a_code_with_its_check_digit_is_valid(digits: str) -> None:
    """Whatever the digits, leading zeros included, writing the check digit behind them makes a valid code."""
    assert is_valid(with_check_digit(digits))


@given(DIGITS, st.integers(min_value=0), st.sampled_from("0123456789"))
def test_one_wrong_digit_is_caught_at_any_length(digits: str, at: int, digit: str) -> None:
    """A single digit changed anywhere is refused."""
    code = with_check_digit(digits)
    at %= len(code)
    slip = code[:at] + digit + code[at + 1 :]
    assert is_valid(slip) == (slip == code)


@pytest.mark.parametrize("text", ["", "0", "12a4", "٣٤", "1 2", "-1", "12*4", "²²"])
def test_what_is_not_a_code_is_refused(text: str) -> None:
    """Keys other than the ten digits, another script's digits among them, and a bare check digit are no code."""
    assert not is_valid(text)


@pytest.mark.parametrize("text", ["", "12a", "٣"])
def test_only_digits_have_a_check_digit(text: str) -> None:
    """Asking for the check digit of anything else is our own mistake and raises."""
    with pytest.raises(ValueError, match="not a row of digits"):
        check_digit(text)

"""Telephone numbers as people write them, and as the carrier shows them."""

from __future__ import annotations

import pytest

from hotline.telephone_numbers import E164, area_of, block_of, read_number


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("(515) 555-0100", "+15155550100"),
        ("515.555.0100", "+15155550100"),
        ("515/555 0100", "+15155550100"),
        ("1-515-555-0100", "+15155550100"),
        ("515–555–0100", "+15155550100"),
        ("+15155550100", "+15155550100"),
        ("+44 20 7946 0123", "+442079460123"),
        ("+44 (0)20 7946 0123", "+442079460123"),
        ("011 44 20 7946 0123", "+442079460123"),
        ("+39 06 698 12345", "+390669812345"),
    ],
)
def test_usual_spellings_are_one_number(written: str, number: str) -> None:
    """At home without the country, abroad with it; Italy keeps its zero."""
    assert (number, "", False) == (read_number(written).number, read_number(written).problem, False)


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("", "is not a telephone number"),
        ("none", "is not a telephone number"),
        ("515-555-O100", "is not a telephone number"),
        ("515-CAU-CUSS", "is not a telephone number"),
        ("5.15556E+09", "is not a telephone number"),
        ("+1 515 555 0100 ext 5", "is not a telephone number"),
        ("٥١٥٥٥٥٠١٠٠", "is not a telephone number"),
        ("5155550100.0", "has too many digits"),
        ("+123456789012345", "has too many digits"),
        ("515 555 0100 / 515 555 0101", "is not a telephone number"),
        ("911", "has too few digits"),
        ("555-0100", "has no area code"),
        ("+999 123 456", "has no known country code"),
        ("+354 1234 5678", "has as many digits as no telephone number of its country"),
        ("9" * 300, "is not a telephone number"),
    ],
)
def test_what_cannot_be_called_is_refused_and_told_how_to_write_it(written: str, problem: str) -> None:
    """Spreadsheets' own spoilings are among it; no message repeats a digit of what stood there."""
    read = read_number(written)
    assert ("", True, True) == (read.number, read.problem.startswith(problem), "write it like" in read.problem)


def test_a_number_of_no_known_owner_is_doubtful() -> None:
    """Area codes never begin with 0 or 1."""
    assert ("+11155550100", True) == (read_number("115-555-0100").number, read_number("115-555-0100").is_doubtful)


@pytest.mark.parametrize(
    ("number", "area", "block"),
    [
        ("+15155550100", "515", "+15155550"),
        ("+442079460123", "", ""),
        ("+1515555010", "", ""),
        ("+151555501000", "", ""),
        ("", "", ""),
    ],
)
def test_a_north_american_number_has_an_area_and_a_block(number: str, area: str, block: str) -> None:
    """Any other number, and a withheld one, has neither."""
    assert (area, block) == (area_of(number), block_of(number))


@pytest.mark.parametrize("sent", ["", "15155550100", "+0155550100", "+1515555٠١٠٠", "+15155550100\n", "anonymous"])
def test_nothing_else_is_a_number_in_full(sent: str) -> None:
    """A plus, a country and up to 15 digits in all."""
    assert E164.fullmatch("+15155550100")
    assert not E164.fullmatch(sent)

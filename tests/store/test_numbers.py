"""Confirmation numbers: one for each version, valid, not to be guessed, unmoved by anything but the key."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hotline.caucus.codes import is_valid, with_check_digit
from hotline.store.numbers import VERSIONS, NoNumberLeft, Numbers

KEY = "the secret key of this test, 32 bytes and more"


def test_every_version_of_every_precinct_has_a_number_of_its_own() -> None:
    """All slots there are: six digits, a good check digit, no number twice."""
    numbers = Numbers(KEY)
    codes = [with_check_digit(f"{n:04}") for n in range(0, 10_000, 5)]
    given = [numbers.confirmation(code, version) for code in codes for version in range(1, VERSIONS + 1)]
    assert len(codes) * VERSIONS == len(set(given))
    assert all(len(number) == 6 and is_valid(number) for number in given)


def test_number_depends_on_the_key_alone() -> None:
    """The same under the same key, whenever asked; another under another key."""
    code = with_check_digit("0001")
    assert Numbers(KEY).confirmation(code, 1) == Numbers(KEY).confirmation(code, 1)
    others = {Numbers(f"{KEY}{n}").confirmation(code, 1) for n in range(50)}
    assert len(others) > 45


def test_neighbours_have_unrelated_numbers() -> None:
    """Who knows one number does not know the next version's or the next precinct's."""
    numbers = Numbers(KEY)
    given = [int(numbers.confirmation(with_check_digit(f"{n:04}"), 1)[:5]) for n in range(200)]
    steps = {after - before for before, after in pairwise(given)}
    assert len(steps) > 190


@pytest.mark.parametrize("version", [0, VERSIONS + 1])
def test_versions_beyond_the_slots_are_refused(version: int) -> None:
    """The eleventh version has no number: a person has to help."""
    with pytest.raises(NoNumberLeft, match="00013"):
        Numbers(KEY).confirmation("00013", version)


@pytest.mark.parametrize("code", ["00014", "0001", "", "abcde", "000130"])
def test_what_is_no_code_has_no_number(code: str) -> None:
    """A code with a wrong check digit or length is a mistake of ours."""
    with pytest.raises(ValueError, match="no precinct code"):
        Numbers(KEY).confirmation(code, 1)

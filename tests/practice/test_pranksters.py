"""Simulated pranksters: bounded, repeatable, and never able to change what a chair may do."""

from __future__ import annotations

from collections import Counter

import pytest

from hotline.caucus.contest import Contest
from hotline.clock import seeded
from hotline.practice import pranksters
from hotline.practice.gather import KEYS
from hotline.practice.pranksters import CALLS_A_NUMBER, SHARES, TRIES, WITHHELD, Prankster
from hotline.telephony.inbound import caller_number
from hotline.telephony.speech import Prompts
from tests.practice.conversing import ear_for

PRANKS = 2000
PER_NUMBER_LIMIT = 10
"""Wrong PINs after which a number is judged no more that day."""


@pytest.fixture(scope="module")
def pranks(contest: Contest, prompts: Prompts) -> list[Prankster]:
    ear, codes = ear_for(prompts, contest), sorted(contest.precincts)
    return [pranksters.draw(seeded(1, "prank", place), place, ear, codes) for place in range(PRANKS)]


def test_every_kind_calls(pranks: list[Prankster]) -> None:
    """In about the shares that are printed with a night's result."""
    kinds = Counter(prank.kind for prank in pranks)
    for kind, share in SHARES.items():
        assert abs(kinds[kind] / PRANKS - share / 100) < 0.05


def test_withheld_numbers_are_read_as_none(pranks: list[Prankster]) -> None:
    """Every spelling of a withheld number stands for nobody; the others are numbers."""
    withheld = [prank for prank in pranks if prank.number in WITHHELD]
    assert {prank.number for prank in withheld} == set(WITHHELD)
    assert all(caller_number(prank.number) is None for prank in withheld)
    assert all(caller_number(prank.number) for prank in pranks if prank not in withheld)


def test_guesses_stay_under_every_limit(contest: Contest, pranks: list[Prankster]) -> None:
    """No number and no precinct gets near its limit, so the order of calls decides nothing."""
    guessing = [prank for prank in pranks if prank.kind == "guesses"]
    by_number = Counter(prank.number for prank in guessing for _ in prank.guesses if prank.number not in WITHHELD)
    by_precinct = Counter(code for prank in guessing for code, _ in prank.guesses if code in contest.precincts)
    assert max(by_number.values()) <= TRIES * CALLS_A_NUMBER < PER_NUMBER_LIMIT
    assert max(by_precinct.values()) < PER_NUMBER_LIMIT


def test_a_guesser_follows_the_questions(contest: Contest, prompts: Prompts) -> None:
    """A code where the code is asked for, a PIN after it; then the next guess, then the phone is put down."""
    texts = prompts["en"].texts
    prank = Prankster("guesses", "anonymous", ear_for(prompts, contest), [("00018", "12345678"), ("11111", "0" * 8)])
    said = [texts["code"], texts["pin"], texts["code-again"], texts["pin"], texts["code-again"]]
    pressed = [answer.keys if (answer := prank.answer(each)) else None for each in said]
    assert ["00018#", "12345678#", "11111#", "00000000#", None] == pressed


def test_only_keys_of_a_telephone_are_pressed(pranks: list[Prankster]) -> None:
    """Garbage, but such as a phone can send."""
    assert all(KEYS.issuperset(entry) for prank in pranks for entry in prank.entries)


def test_pranks_can_be_had_again(contest: Contest, prompts: Prompts, pranks: list[Prankster]) -> None:
    """Each depends on the seed and its place alone."""
    ear, codes = ear_for(prompts, contest), sorted(contest.precincts)
    again = [pranksters.draw(seeded(1, "prank", place), place, ear, codes) for place in reversed(range(100))]
    assert [(p.kind, p.number, p.guesses, p.entries) for p in reversed(again)] == [
        (p.kind, p.number, p.guesses, p.entries) for p in pranks[:100]
    ]

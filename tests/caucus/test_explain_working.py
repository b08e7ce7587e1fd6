"""The working on paper reads as a person would check it, and agrees with the rule it explains."""

from __future__ import annotations

import pytest
from hypothesis import given

from hotline.caucus.apportion import outcomes
from hotline.caucus.explain import explain
from hotline.caucus.worksheet import Worksheet
from tests.caucus.party_rules import IOWA, NEVADA, contest_of, rooms


def test_taking_one_away() -> None:
    """Bellair/Lincoln as the party's recanvass put it right."""
    contest, _ = contest_of(4)
    working = explain(contest, 4, 13, {"Oak": 0, "Cedar": 2, "Ash": 6, "Birch": 3, "Elm": 2})
    assert (working.threshold, working.viable) == (2, ("Ash", "Birch", "Cedar", "Elm"))
    assert working.raw == {"Ash": "1.8462", "Birch": "0.9231", "Cedar": "0.6154", "Elm": "0.6154"}
    assert working.outcomes == ({"Ash": 1, "Birch": 1, "Cedar": 1, "Elm": 1},)
    assert working.steps == (
        "Threshold: 13 x 3 / 20 = 1.95, rounded up: 2.",
        "Viable: Ash 6, Birch 3, Cedar 2, Elm 2.",
        "Ash: 6 x 4 / 13 = 1.8462, rounded to 2.",
        "Birch: 3 x 4 / 13 = 0.9231, rounded to 1.",
        "Cedar: 2 x 4 / 13 = 0.6154, rounded to 1.",
        "Elm: 2 x 4 / 13 = 0.6154, rounded to 1.",
        "Sum 5: 1 more than the 4 delegates.",
        "Furthest from its next delegate: Ash, 3 - raw = 1.1538: -1, now 1.",
        "Delegates: Ash 1, Birch 1, Cedar 1, Elm 1.",
    )


@pytest.mark.parametrize(
    ("delegates", "headcount", "final", "expected"),
    [
        (7, 59, {"Ash": 11, "Birch": 27, "Cedar": 20},
         "Closest to its next delegate: Cedar, 3 - raw = 0.6271: +1, now 3."),
        (2, 11, {"Ash": 5, "Birch": 3, "Cedar": 3},
         "Birch and Cedar are equally small with 3; 1 of them drops out, by coin toss."),
        (2, 12, {"Ash": 5, "Birch": 4, "Cedar": 3},
         "More viable groups than delegates: Cedar with 3 is the smallest and drops out."),
        (5, 60, {"Ash": 20, "Birch": 20, "Cedar": 20},
         "Ash, Birch and Cedar are equally far from their next delegate (1.3333); -1 for 1 of them, by coin toss."),
        (5, 40, {"Ash": 10, "Birch": 10},
         "Ash and Birch are equally close to their next delegate (1.7500); +1 for 1 of them, by coin toss."),
        (1, 9, {"Ash": 4, "Birch": 4},
         "Ash and Birch are equally large with 4; 1 of them wins the delegate, by coin toss."),
        (1, 9, {"Ash": 4, "Birch": 5}, "Birch is the largest group with 5."),
        (1, 9, {"Ash": 4}, "One delegate: the caucus elects it as a whole, so no group has to reach a threshold."),
        (4, 100, {"Ash": 20, "Birch": 14}, "Viable: Ash 20. Not viable: Birch 14."),
        (4, 100, {"Ash": 3}, "Nothing is allocated."),
        (4, 100, {"Ash": 60, "Birch": 40}, "Threshold: 100 x 3 / 20 = 15: 15."),
        (50, 1, {"Ash": 9999, "Birch": 9999}, "499923 rounds of -1 for each of Ash and Birch."),
    ],
)  # fmt: skip
def test_each_kind_of_step(delegates: int, headcount: int, final: dict[str, int], expected: str) -> None:
    """Every move of the rule has its sentence, with the numbers that decide it."""
    contest, _ = contest_of(delegates)
    assert expected in explain(contest, delegates, headcount, final).steps


def test_nevada_says_what_it_adds_and_how_chance_decides() -> None:
    """The rule set's own words are used: an added delegate, a high card."""
    contest, _ = contest_of(4, NEVADA)
    five = {"Ash": 13, "Birch": 13, "Cedar": 13, "Elm": 13, "Fir": 24}
    added = "Delegates: Ash 1, Birch 1, Cedar 1, Elm 1, Fir 1, 1 added so that each viable group keeps one."
    assert explain(contest, 4, 76, five).steps[-1] == added
    tied = explain(contest, 5, 60, {"Ash": 20, "Birch": 20, "Cedar": 20})
    assert tied.steps[-2].endswith("-1 for 1 of them, by high card.")
    assert tied.steps[-1] == "3 outcomes are legal."


@given(rooms(least=1))
def test_the_working_ends_where_the_rule_does(room: tuple[int, Worksheet]) -> None:
    """For any room the outcomes shown are the legal ones, and a sole outcome is the last sentence."""
    delegates, sheet = room
    contest, _ = contest_of(delegates)
    working = explain(contest, delegates, sheet.headcount or 0, sheet.final)
    legal = outcomes(IOWA, delegates, sheet.headcount or 0, sheet.final)
    assert working.outcomes == legal
    assert working.steps[-1].startswith("Delegates:" if len(legal) == 1 else f"{len(legal) or 'Nothing'}")

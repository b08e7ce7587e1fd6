"""The working on paper reads as a person would check it, and agrees with the rule it explains."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from hotline.caucus.apportion import outcomes
from hotline.caucus.explain import explain, four_decimals
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


WHOLE = [
    (12, 80, {"Ash": 12},
     "Threshold: 80 x 3 / 20 = 12: 12. | Viable: Ash 12. | Ash: 12 x 12 / 80 = 1.8000, rounded to 2. | "
     "Sum 2: 10 fewer than the 12 delegates. | 8 rounds of +1 for each of Ash. | "
     "Closest to its next delegate: Ash, 11 - raw = 9.2000: +1, now 11. | "
     "Closest to its next delegate: Ash, 12 - raw = 10.2000: +1, now 12. | Delegates: Ash 12."),
    (12, 16, {"Ash": 12},
     "Threshold: 16 x 3 / 20 = 2.4, rounded up: 3. | Viable: Ash 12. | Ash: 12 x 12 / 16 = 9.0000, rounded to 9. | "
     "Sum 9: 3 fewer than the 12 delegates. | Closest to its next delegate: Ash, 10 - raw = 1.0000: +1, now 10. | "
     "Closest to its next delegate: Ash, 11 - raw = 2.0000: +1, now 11. | "
     "Closest to its next delegate: Ash, 12 - raw = 3.0000: +1, now 12. | Delegates: Ash 12."),
    (4, 1000, {"Ash": 900},
     "Threshold: 1000 x 3 / 20 = 150: 150. | Viable: Ash 900. | Ash: 900 x 4 / 1000 = 3.6000, rounded to 4. | "
     "Sum 4: as many as there are delegates. | Delegates: Ash 4."),
    (6, 100, {"Ash": 100, "Oak": 100},
     "Threshold: 100 x 3 / 20 = 15: 15. | Viable: Ash 100, Oak 100. | Ash: 100 x 6 / 100 = 6.0000, rounded to 6. | "
     "Oak: 100 x 6 / 100 = 6.0000, rounded to 6. | Sum 12: 6 more than the 6 delegates. | "
     "Furthest from its next delegate: Ash, 7 - raw = 1.0000: -1, now 5. | "
     "Furthest from its next delegate: Oak, 7 - raw = 1.0000: -1, now 5. | "
     "Furthest from its next delegate: Ash, 6 - raw = 0.0000: -1, now 4. | "
     "Furthest from its next delegate: Oak, 6 - raw = 0.0000: -1, now 4. | "
     "Furthest from its next delegate: Ash, 5 - raw = -1.0000: -1, now 3. | "
     "Furthest from its next delegate: Oak, 5 - raw = -1.0000: -1, now 3. | Delegates: Ash 3, Oak 3."),
    (7, 100, {"Ash": 40},
     "Threshold: 100 x 3 / 20 = 15: 15. | Viable: Ash 40. | Ash: 40 x 7 / 100 = 2.8000, rounded to 3. | "
     "Sum 3: 4 fewer than the 7 delegates. | 2 rounds of +1 for each of Ash. | "
     "Closest to its next delegate: Ash, 6 - raw = 3.2000: +1, now 6. | "
     "Closest to its next delegate: Ash, 7 - raw = 4.2000: +1, now 7. | Delegates: Ash 7."),
    (0, 10, {"Ash": 10}, "Threshold: 10 x 1 / 2 = 5: 5. | Viable: Ash 10. | Nothing is allocated."),
    (30, 10, {"Ash": 40, "Oak": 40},
     "Threshold: 10 x 3 / 20 = 1.5, rounded up: 2. | Viable: Ash 40, Oak 40. | "
     "Ash: 40 x 30 / 10 = 120.0000, rounded to 120. | Oak: 40 x 30 / 10 = 120.0000, rounded to 120. | "
     "Sum 240: 210 more than the 30 delegates. | 103 rounds of -1 for each of Ash and Oak. | "
     "Furthest from its next delegate: Ash, 18 - raw = -102.0000: -1, now 16. | "
     "Furthest from its next delegate: Oak, 18 - raw = -102.0000: -1, now 16. | "
     "Furthest from its next delegate: Ash, 17 - raw = -103.0000: -1, now 15. | "
     "Furthest from its next delegate: Oak, 17 - raw = -103.0000: -1, now 15. | Delegates: Ash 15, Oak 15."),
    (2, 40, {"Ash": 10, "Birch": 11, "Oak": 12},
     "Threshold: 40 x 1 / 4 = 10: 10. | Viable: Ash 10, Birch 11, Oak 12. | "
     "Ash: 10 x 2 / 40 = 0.5000, rounded to 1. | Birch: 11 x 2 / 40 = 0.5500, rounded to 1. | "
     "Oak: 12 x 2 / 40 = 0.6000, rounded to 1. | Sum 3: 1 more than the 2 delegates. | "
     "More viable groups than delegates: Ash with 10 is the smallest and drops out. | Delegates: Birch 1, Oak 1."),
    (2, 101, {"Ash": 75, "Oak": 26},
     "Threshold: 101 x 1 / 4 = 25.25, rounded up: 26. | Viable: Ash 75, Oak 26. | "
     "Ash: 75 x 2 / 101 = 1.4851, rounded to 1. | Oak: 26 x 2 / 101 = 0.5149, rounded to 1. | "
     "Sum 2: as many as there are delegates. | Delegates: Ash 1, Oak 1."),
    (3, 10, {"Ash": 9, "Oak": 1},
     "Threshold: 10 x 1 / 6 = 1.67, rounded up: 2. | Viable: Ash 9. Not viable: Oak 1. | "
     "Ash: 9 x 3 / 10 = 2.7000, rounded to 3. | Sum 3: as many as there are delegates. | Delegates: Ash 3."),
    (3, 18, {"Ash": 15, "Oak": 0, "Elm": 3},
     "Threshold: 18 x 1 / 6 = 3: 3. | Viable: Ash 15, Elm 3. | Ash: 15 x 3 / 18 = 2.5000, rounded to 3. | "
     "Elm: 3 x 3 / 18 = 0.5000, rounded to 1. | Sum 4: 1 more than the 3 delegates. | "
     "Furthest from its next delegate: Ash, 4 - raw = 1.5000: -1, now 2. | Delegates: Ash 2, Elm 1."),
    (8, 60, {"Ash": 9, "Birch": 9, "Oak": 9},
     "Threshold: 60 x 3 / 20 = 9: 9. | Viable: Ash 9, Birch 9, Oak 9. | Ash: 9 x 8 / 60 = 1.2000, rounded to 1. | "
     "Birch: 9 x 8 / 60 = 1.2000, rounded to 1. | Oak: 9 x 8 / 60 = 1.2000, rounded to 1. | "
     "Sum 3: 5 fewer than the 8 delegates. | Closest to its next delegate: Ash, 2 - raw = 0.8000: +1, now 2. | "
     "Closest to its next delegate: Birch, 2 - raw = 0.8000: +1, now 2. | "
     "Closest to its next delegate: Oak, 2 - raw = 0.8000: +1, now 2. | "
     "Ash, Birch and Oak are equally close to their next delegate (1.8000); +1 for 2 of them, by coin toss. | "
     "3 outcomes are legal."),
    (1, 10, {"Ash": 5, "Oak": 5},
     "One delegate: the caucus elects it as a whole, so no group has to reach a threshold. | "
     "Ash and Oak are equally large with 5; 1 of them wins the delegate, by coin toss. | 2 outcomes are legal."),
    (4, 10, {}, "Threshold: 10 x 3 / 20 = 1.5, rounded up: 2. | Viable: no group. | Nothing is allocated."),
]  # fmt: skip


@pytest.mark.parametrize(("delegates", "headcount", "final", "expected"), WHOLE)
def test_the_whole_working(delegates: int, headcount: int, final: dict[str, int], expected: str) -> None:
    """Every sentence from the threshold to the result, long ways and impossible rooms included."""
    contest, _ = contest_of(delegates)
    assert " | ".join(explain(contest, delegates, headcount, final).steps) == expected


def test_a_share_too_small_to_round_up_is_told_as_the_least() -> None:
    """11 of 80 people in a room that elects three are 0.4125 of a delegate under a lower threshold, and keep one."""
    rules = replace(NEVADA, thresholds={1: Fraction(1, 2), 2: Fraction(1, 10)})
    contest, _ = contest_of(3, rules)
    steps = explain(contest, 3, 80, {"Ash": 60, "Birch": 11}).steps
    assert "Birch: 11 x 3 / 80 = 0.4125, rounded to 1 (at least 1)." in steps
    assert "Ash: 60 x 3 / 80 = 2.2500, rounded to 2." in steps
    edge = explain(contest, 5, 80, {"Ash": 60, "Birch": 8}).steps
    assert "Birch: 8 x 5 / 80 = 0.5000, rounded to 1." in edge


def test_ten_thousandths_below_zero() -> None:
    """A distance goes below zero when more people stand in a group than were counted in the room."""
    assert [four_decimals(number) for number in (18462, 0, -1, -18462)] == ["1.8462", "0.0000", "-0.0001", "-1.8462"]


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

"""Rule sets and rooms for the tests of the caucus rules: Iowa's and Nevada's of 2020, and worksheets that obey them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from hotline.caucus.apportion import outcomes
from hotline.caucus.contest import Contest, County, Precinct, Preference, RuleSet
from hotline.caucus.viability import threshold
from hotline.caucus.worksheet import Worksheet

SHARES = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 6), 4: Fraction(3, 20)}
BANDS = ((20, 4), (40, 5), (60, 6), (80, 7), (100, 8), (None, 9))
IOWA = RuleSet(SHARES, "smallest-drops-out", "coin toss", BANDS)
NEVADA = RuleSet(SHARES, "each-keeps-one", "high card")
KEYS = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Oak", "Uncommitted")


def contest_of(delegates: int, rules: RuleSet = IOWA, keys: Sequence[str] = KEYS) -> tuple[Contest, Precinct]:
    """A contest of one precinct that elects `delegates`."""
    precinct = Precinct("00013", "Polk", "First Ward", "First Ward", delegates)
    preferences = tuple(Preference(key, number, key, key, key == "Uncommitted") for number, key in enumerate(keys, 1))
    counties = {"Polk": County("Polk", delegates, Fraction(2))}
    return Contest("t", "T", "line", preferences, {precinct.code: precinct}, counties, {}, rules), precinct


@st.composite
def rooms(draw: st.DrawFn, rules: RuleSet = IOWA, least: int = 2) -> tuple[int, Worksheet]:
    """(delegates, a worksheet that obeys the rules): people align, the viable stay, others join them or go home."""
    delegates = draw(st.integers(least, 20))
    first = {key: draw(st.integers(0, 40)) for key in KEYS}
    headcount = sum(first.values()) + draw(st.integers(0, 5))
    smallest = threshold(rules, delegates, headcount)
    locked = [key for key in KEYS if first[key] >= smallest]
    final = dict(first)
    for key in KEYS:
        if key in locked:
            continue
        leaving = draw(st.sampled_from([0, first[key]]))
        final[key] -= leaving
        if locked and draw(st.booleans()):
            final[draw(st.sampled_from(locked))] += leaving
    legal = outcomes(rules, delegates, headcount, final)
    split = draw(st.sampled_from(legal)) if legal else {}
    return delegates, Worksheet(headcount, first, final, split)

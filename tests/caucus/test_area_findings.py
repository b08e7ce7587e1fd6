"""Complete counties and pools that do not sum to what they were given: code, words and facts of each finding."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hotline.caucus.across import area_findings
from hotline.caucus.contest import Contest
from hotline.caucus.folder import read_contest
from hotline.caucus.tabulate import tabulate
from hotline.caucus.worksheet import Finding, Worksheet

NORTH, SOUTH, POLK, LIBRARY = "00013", "00021", "00037", "00045"


@pytest.fixture
def contest(small: dict[str, bytes]) -> Contest:
    """Two counties and a pool of one site, which divides 6 state delegate equivalents."""
    return read_contest(small)


@pytest.fixture
def without_equivalents(small_nevada: dict[str, bytes]) -> Contest:
    """The same roster where delegates turn into nothing and each viable group keeps one."""
    return read_contest(small_nevada)


def off(contest: Contest, sheets: Mapping[str, Worksheet], *closed: str) -> dict[str, Finding]:
    """The findings by area, with nothing folded in."""
    return area_findings(contest, tabulate(contest, sheets, closed), sheets)


def sheet(ana: int, bo: int, won: tuple[int, int]) -> Worksheet:
    """A worksheet of a room where nobody moved; `won` are the delegates of Ana and Bo."""
    people = {"Ana": ana, "Bo": bo}
    return Worksheet(ana + bo, people, people, {"Ana": won[0], "Bo": won[1]})


def test_a_pool_off_its_equivalents(contest: Contest) -> None:
    """Five delegates where a headcount of 20 elects four are 5/4 of the pool's 6."""
    assert off(contest, {LIBRARY: sheet(10, 10, (3, 2))}) == {
        "CD1": Finding(
            "POOL_SDE_OFF_ALLOTMENT",
            "hard",
            "delegates",
            "CD1: sites sum to 7.5000 state delegate equivalents, allotted 6.0000; look at Library (5 of 4)",
            {"delegates": 5, "suspects": 1},
            (LIBRARY,),
        )
    }


def test_a_county_off_its_equivalents(contest: Contest) -> None:
    """Adair shares 2 among 7 delegates; 5 + 4 awarded are 18/7, and both precincts are to be looked at."""
    assert off(contest, {NORTH: sheet(20, 20, (3, 2)), SOUTH: sheet(20, 20, (2, 2))}) == {
        "Adair": Finding(
            "COUNTY_SDE_OFF_ALLOTMENT",
            "hard",
            "delegates",
            "Adair: sites sum to 2.5714 state delegate equivalents, allotted 2.0000; "
            "look at North (5 of 4), South (4 of 3)",
            {"delegates": 9, "suspects": 2},
            (NORTH, SOUTH),
        )
    }


def test_slips_that_make_up_for_each_other_leave_the_sum_right(contest: Contest) -> None:
    """One delegate too many in one precinct and too few in the other: the county sums to its allotment."""
    assert off(contest, {NORTH: sheet(20, 20, (3, 2)), SOUTH: sheet(20, 20, (1, 1))}) == {}


def test_an_area_from_which_nobody_reported_is_not_off(contest: Contest) -> None:
    """Every precinct closed: there is no sum to be wrong."""
    assert off(contest, {}, NORTH, SOUTH, POLK, LIBRARY) == {}


def test_a_pool_to_which_nobody_came_is_not_off(contest: Contest) -> None:
    """Its equivalents go to nobody, and no site is to blame."""
    assert off(contest, {LIBRARY: Worksheet(0, {}, {}, {})}) == {}


def test_areas_off_the_delegates_they_elect(without_equivalents: Contest) -> None:
    """Where delegates are the last thing counted they are summed themselves, in counties and in pools."""
    found = off(
        without_equivalents,
        {NORTH: sheet(20, 20, (3, 2)), SOUTH: sheet(20, 20, (2, 2)), LIBRARY: sheet(10, 10, (2, 1))},
    )
    assert found == {
        "Adair": Finding(
            "COUNTY_DELEGATES_OFF_ALLOTMENT",
            "hard",
            "delegates",
            "Adair: sites award 9 county convention delegates, elected 7; look at North (5 of 4), South (4 of 3)",
            {"delegates": 9, "elected": 7, "suspects": 2},
            (NORTH, SOUTH),
        ),
        "CD1": Finding(
            "POOL_DELEGATES_OFF_ALLOTMENT",
            "hard",
            "delegates",
            "CD1: sites award 3 county convention delegates, elected 4; look at Library (3 of 4)",
            {"delegates": 3, "elected": 4, "suspects": 1},
            (LIBRARY,),
        ),
    }


def test_one_delegate_is_one_though_each_viable_group_keeps_one(small_nevada: dict[str, bytes]) -> None:
    """A precinct of one delegate adds none, even where more people align than were counted and two groups top half."""
    small_nevada["precincts.csv"] = small_nevada["precincts.csv"].replace(b"South,3", b"South,1")
    small_nevada["counties.csv"] = small_nevada["counties.csv"].replace(b"Adair,7", b"Adair,5")
    contest = read_contest(small_nevada)
    crowded = {NORTH: sheet(20, 20, (2, 2)), SOUTH: Worksheet(1, {}, {"Ana": 1, "Bo": 1}, {"Ana": 1})}
    assert off(contest, crowded) == {}


def test_two_delegates_become_three_where_each_viable_group_keeps_one(small_nevada: dict[str, bytes]) -> None:
    """Three viable groups for two delegates are awarded three, by the rule, so the county is not off."""
    small_nevada["precincts.csv"] = small_nevada["precincts.csv"].replace(b"South,3", b"South,2")
    small_nevada["counties.csv"] = small_nevada["counties.csv"].replace(b"Adair,7", b"Adair,6")
    contest = read_contest(small_nevada)
    three = {"Ana": 4, "Bo": 4, "Uncommitted": 4}
    south = Worksheet(12, three, three, dict.fromkeys(three, 1))
    assert off(contest, {NORTH: sheet(20, 20, (2, 2)), SOUTH: south}) == {}


def test_suspects_after_a_closed_site_are_named_too(contest: Contest) -> None:
    """North is closed and South awarded four of its three: both may be why the sum is wrong."""
    found = off(contest, {SOUTH: sheet(20, 20, (2, 2))}, NORTH)
    assert found["Adair"].message.endswith("look at North (closed), South (4 of 3)")
    assert found["Adair"].groups == (NORTH, SOUTH)


def test_a_closed_satellite_takes_nothing_from_its_pool(small: dict[str, bytes]) -> None:
    """The sites that reported share all of the pool, so a closed one is never why it is off."""
    small["satellites.csv"] += b"00059,CD1,School,\n"
    contest = read_contest(small)
    assert off(contest, {LIBRARY: sheet(10, 10, (2, 2))}, "00059") == {}
    found = off(contest, {LIBRARY: sheet(10, 10, (2, 1))}, "00059")
    assert found["CD1"].message.endswith("allotted 6.0000; look at Library (3 of 4)")

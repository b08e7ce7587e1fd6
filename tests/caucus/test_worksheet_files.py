"""A file of worksheets is read whole, or refused with every bad row named."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hotline.caucus.contest import Contest
from hotline.caucus.folder import read_contest
from hotline.caucus.worksheet import Worksheet
from hotline.caucus.worksheets import read_worksheets
from hotline.errors import FolderProblems

PARTS = ("first", "final", "delegates")
TALLIES = ",".join(f"{part}_{key}" for part in PARTS for key in ("Ana", "Bo", "Uncommitted"))
BY_CODE = f"code,headcount,{TALLIES}\n"
BY_NAME = f"county,precinct,headcount,{TALLIES},published_sde_Ana\n"
NUMBERS = "9,8,0,9,8,0,2,2,0"
ZEROS = "0,0,0,0,0,0,0,0,0"


@pytest.fixture
def contest(small: dict[str, bytes]) -> Contest:
    """Two counties, three precincts, one satellite."""
    return read_contest(small)


def problems(contest: Contest, text: str) -> list[str]:
    """What is wrong with a file, line by line."""
    with pytest.raises(FolderProblems) as refused:
        read_worksheets(contest, text.encode(), "night.csv")
    return list(refused.value.problems)


def test_by_code_and_by_name_say_the_same(contest: Contest) -> None:
    """The party named sites by county and precinct, pools as "CD1 Satellite"; codes say the same shorter."""
    by_code = f"{BY_CODE}00037,,{NUMBERS}\n00045,20,{NUMBERS}\n"
    by_name = f"{BY_NAME}polk,AÑO,,{NUMBERS},0.5\nCD1 Satellite,Library,20,{NUMBERS},0.5\n"
    expected = Worksheet(
        None,
        {"Ana": 9, "Bo": 8, "Uncommitted": 0},
        {"Ana": 9, "Bo": 8, "Uncommitted": 0},
        {"Ana": 2, "Bo": 2, "Uncommitted": 0},
    )
    assert read_worksheets(contest, by_code.encode())["00037"] == expected
    assert read_worksheets(contest, by_name.encode()) == read_worksheets(contest, by_code.encode())


def test_a_row_of_zeros_did_not_report(contest: Contest) -> None:
    """A published row of zeros is silence; by code, a headcount of 0 written out says that nobody came."""
    by_name = f"{BY_NAME}Polk,Año,0,{ZEROS},0\n"
    by_code = f"{BY_CODE}00037,,{ZEROS}\n00013,0,{ZEROS}\n00021,12,{ZEROS}\n"
    assert read_worksheets(contest, by_name.encode()) == {}
    assert list(read_worksheets(contest, by_code.encode())) == ["00013", "00021"]


def test_every_bad_row_is_named(contest: Contest) -> None:
    """All slips at once: a number, an unknown site, a site given twice, a cell too many."""
    text = (
        f"{BY_CODE}00013,x,{NUMBERS}\n00059,,{NUMBERS}\n00013,,{NUMBERS}\n00021,,{NUMBERS},7\n13,,9,-1{NUMBERS[3:]}\n"
    )
    found = problems(contest, text)
    assert [problem.split(": ")[0] for problem in found] == [
        "night.csv line 5",
        "night.csv line 2, column headcount",
        "night.csv line 3, column code",
        "night.csv line 4",
        "night.csv line 6, column code",
        "night.csv line 6, column first_Bo",
    ]


def test_each_slip_of_a_row_is_told_in_full(contest: Contest) -> None:
    """Sites that are not there are not called the same, copies name the first, and rows after them are still read."""
    rows = ("00059", "00059", "", "00013", "00013", "00013", "00012")
    assert problems(contest, BY_CODE + "".join(f"{code},,{NUMBERS}\n" for code in rows)) == [
        "night.csv line 2, column code: '00059' is no precinct of small-2020; keep leading zeros",
        "night.csv line 3, column code: '00059' is no precinct of small-2020; keep leading zeros",
        "night.csv line 4, column code: is empty; fill it in",
        "night.csv line 6: is the same site as night.csv line 5; keep one row",
        "night.csv line 7: is the same site as night.csv line 5; keep one row",
        "night.csv line 8, column code: '00012' is no precinct of small-2020; keep leading zeros",
    ]
    assert problems(contest, f"{BY_NAME}Polk,,,{NUMBERS},0\n") == [
        "night.csv line 2, column precinct: is empty; fill it in"
    ]


def test_a_site_without_its_county_is_only_that(contest: Contest) -> None:
    """A name alone is not looked for, so it is not said to be nowhere."""
    assert problems(contest, f"{BY_NAME},Nowhere,,{NUMBERS},0\n") == [
        "night.csv line 2, column county: is empty; fill it in"
    ]


@pytest.mark.parametrize("numbers", ["1,0,0,0,0,0,0,0,0", "0,0,0,0,0,1,0,0,0", "0,0,0,0,0,0,0,1,0"])
def test_one_number_in_any_part_is_a_report(contest: Contest, numbers: str) -> None:
    """A site that wrote down nothing but one number has reported."""
    assert list(read_worksheets(contest, f"{BY_NAME}Polk,Año,,{numbers},0\n".encode())) == ["00037"]


def test_a_heading_is_told_in_full(contest: Contest) -> None:
    """The file is named as the caller calls it, worksheets.csv if not at all; other columns are passed over."""
    zed = f"{BY_CODE[:-1]},final_Zed,note_Zed,first_Ana_Maria\n00013,,{NUMBERS},4,4,4\n"
    assert problems(contest, zed) == [
        "night.csv line 1: column final_zed: small-2020 has no such preference",
        "night.csv line 1: column first_ana_maria: small-2020 has no such preference",
    ]
    with pytest.raises(FolderProblems) as refused:
        read_worksheets(contest, b"headcount;code\n")
    assert list(refused.value.problems) == [
        "worksheets.csv line 1: columns are not parted by commas; save the file as CSV with commas"
    ]


def test_a_preference_key_may_hold_an_underscore(small: dict[str, bytes]) -> None:
    """Only the first underscore of a heading parts the part from the group."""
    small["contest.toml"] = small["contest.toml"].replace(b'key = "Bo"', b'key = "Bo_Li"')
    text = f"{BY_CODE.replace('_Bo', '_Bo_Li')}00013,,{NUMBERS}\n"
    assert read_worksheets(read_contest(small), text.encode())["00013"].final == {
        "Ana": 9,
        "Bo_Li": 8,
        "Uncommitted": 0,
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BY_CODE.replace("first_Bo,", ""), "line 1: column first_Bo is missing"),
        (BY_NAME.replace("county,", "") + f"Año,,{NUMBERS},0\n", "line 2, column county: is empty"),
        (
            f"{BY_NAME}Polk,Nowhere,,{NUMBERS},0\n",
            "line 2, column precinct: small-2020 has no precinct 'Nowhere' in Polk",
        ),
        (
            BY_CODE.replace("\n", ",final_Zed\n") + f"00013,,{NUMBERS},4\n",
            "column final_zed: small-2020 has no such pref",
        ),
        ("", "line 1: column headcount is missing"),
    ],
)
def test_a_heading_that_does_not_fit(contest: Contest, text: str, expected: str) -> None:
    """Missing columns, unknown preferences and unknown precincts are refused, never passed over."""
    assert any(expected in problem for problem in problems(contest, text))


def test_the_shipped_worksheets(iowa: Contest, reported: Mapping[str, Worksheet]) -> None:
    """1,761 sites reported in 2020; the four that never did are not there, and only satellites have a headcount."""
    silent = {iowa.precincts[code].name for code in set(iowa.precincts) - set(reported)}
    assert (len(reported), silent) == (1761, {
        "Marshalltown, IA - UAW Local 893", "Centerville, IA - Centerville Speciality Care",
        "Manson, IA - Good Samaritan Society - Manson", "Storm Lake, IA - Methodist Manor",
    })  # fmt: skip
    counted = {code for code, sheet in reported.items() if sheet.headcount is not None}
    assert counted == {code for code in reported if iowa.precincts[code].is_satellite}

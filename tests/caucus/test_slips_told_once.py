"""One slip, one line: what is missing or cannot be read is not judged as well, and nothing after it is passed over."""

from __future__ import annotations

import pytest

from hotline.caucus.folder import chairs, read_contest
from tests.caucus.test_contest_folder import Folder, problems

TOLD_ONCE = [
    (b'name = "small-2020"', b'name = ""', "contest.toml, name: must be there, as words in quotes on one line"),
    (b'key = "Bo"', b'key = ""', "contest.toml, preference 2, key: must be there, as words in quotes on one line"),
    (b'[rules.thresholds]\n1 = "1/2"\n2 = "1/4"\n3 = "1/6"\n4 = "3/20"', b"[rules.thresholds]",
     'contest.toml, rules.thresholds: needs the keys 1, 2, 3 … without a gap, each a share like "3/20"; '
     'the last is "or more"'),
    (b'[rules.thresholds]\n1 = "1/2"\n2 = "1/4"\n3 = "1/6"\n4 = "3/20"', b"thresholds = 3",
     'contest.toml, rules.thresholds: needs the keys 1, 2, 3 … without a gap, each a share like "3/20"; '
     'the last is "or more"'),
    (b'title = "Small caucuses"', b'title = "Small\\u0007caucuses"',
     "contest.toml, title: must be there, as words in quotes on one line"),
    (b'name = "small-2020"', b'name = "small-2020"\nb = 1\na = 1',
     "contest.toml, a: is not known; known here: hours, line, name, preferences, rules, state, title, units"),
    (b"[[rules.satellite_delegates]]\nup_to = 20\ndelegates = 4\n[[rules.satellite_delegates]]\ndelegates = 5", b"",
     "satellites.csv line 2: satellites need [[rules.satellite_delegates]] in contest.toml"),
]  # fmt: skip


@pytest.mark.parametrize(("sound", "slip", "expected"), TOLD_ONCE)
def test_one_slip_in_contest_toml_is_told_once(small: Folder, sound: bytes, slip: bytes, expected: str) -> None:
    """What is missing is missing, and not of a wrong form as well."""
    assert sound in small["contest.toml"]
    small["contest.toml"] = small["contest.toml"].replace(sound, slip, 1)
    more = ["contest.toml, b: is not known; known here: hours, line, name, preferences, rules, state, title, units"]
    assert problems(small) == [expected, *(more if b"b = 1" in slip else [])]


def test_tables_written_as_something_else(small: Folder) -> None:
    """Preferences as a list of names are told how to be written, once for each place."""
    toml = small["contest.toml"].decode()
    small["contest.toml"] = (
        toml[: toml.index("[rules]")] + 'preferences = ["Ana"]\n' + '[rules]\nthresholds = { 1 = "1/2" }\n'
        'chance = "coin toss"\nmore_viable_than_delegates = "each-keeps-one"\nsatellite_delegates = 4\n'
    ).encode()
    assert problems(small)[:3] == [
        "contest.toml, preferences: must be written as [[preferences]] tables",
        "contest.toml: names no preferences; add a [[preferences]] table for each group on the worksheet",
        "contest.toml, rules.satellite_delegates: must be written as [[rules.satellite_delegates]] tables",
    ]


def test_a_contest_without_rules_or_preferences_is_told_so(small: Folder) -> None:
    """Four lines are no contest: each thing that is missing is named, with where it goes."""
    small["contest.toml"] = b'name = "t"\ntitle = "T"\nline = "L"\nstate = "IA"\n'
    del small["satellites.csv"], small["satellite_pools.csv"]
    assert problems(small) == [
        "contest.toml: names no preferences; add a [[preferences]] table for each group on the worksheet",
        "contest.toml: has no [rules] table; thresholds and rule choices stand there",
    ]


@pytest.mark.parametrize("file", ["precincts.csv", "counties.csv"])
def test_a_required_file_of_a_heading_alone_is_told_so(small: Folder, file: str) -> None:
    """An empty roster is no roster; one that cannot be read is not called empty as well."""
    heading = small[file].split(b"\n")[0]
    small[file] = heading + b"\n"
    assert f"{file}: has no rows under its heading" in problems(small)
    small[file] = heading.replace(b"county", b"land") + b"\n"
    assert f"{file}: has no rows under its heading" not in problems(small)


def test_an_optional_file_of_a_heading_alone_is_none(small: Folder, small_nevada: Folder) -> None:
    """No satellites, no chairs and no early votes yet are no problem."""
    small["chairs.csv"] = b"number,code,role\n"
    assert chairs(small) == ()
    small_nevada["early_votes.csv"] = b"code,count,choice1,choice2\n"
    small_nevada["satellites.csv"], small_nevada["satellite_pools.csv"] = b"code,pool,name\n", b"pool\n"
    contest = read_contest(small_nevada)
    assert (contest.early_ballots, contest.pools) == ({}, {})


def test_one_slip_of_a_row_is_told_once(small: Folder) -> None:
    """A name that is there already says so for its spoken form too, and an empty code is not also unknown."""
    small["precincts.csv"] = small["precincts.csv"].replace(b"South", b"North")
    small["chairs.csv"] += b"+15155550144,,chair\n"
    assert problems(small) == [
        "chairs.csv line 3, column code: is empty; fill it in",
        "precincts.csv line 3, column name: North is there already, at precincts.csv line 2; each must be its own",
    ]


ROWS_TOLD_ONCE = [
    ("precincts.csv", [(b"00021,", b","), (b"00037,", b"00038,")], [
        "precincts.csv line 3, column code: is empty; fill it in",
        "precincts.csv line 4, column code: 00038 has a wrong check digit; if 0003 is meant, write 00037",
    ]),
    ("precincts.csv", [(b"North", b""), (b"South", b"")], [
        "precincts.csv line 2, column name: is empty; fill it in",
        "precincts.csv line 3, column name: is empty; fill it in",
    ]),
    ("precincts.csv", [(b"Adair,North", b",North")], ["precincts.csv line 2, column county: is empty; fill it in"]),
    ("precincts.csv", [(b"North,4", b"North,")],
     ["precincts.csv line 2, column delegates: '' is not a whole number; write digits only, like 12"]),
    ("counties.csv", [(b"Adair,7", b"Adair,7.5")],
     ["counties.csv line 2, column delegates: '7.5' is not a whole number; write digits only, like 12"]),
    ("counties.csv", [(b"Adair,7", b"Adair,8")],
     ["counties.csv line 2, column delegates: Adair has 8 delegates but its precincts elect 7; correct one"]),
    ("counties.csv", [(b"17/4\n", b"17/4\nSac,3,1\n")],
     ["counties.csv line 4, column county: Sac has no site; add its sites or take it out"]),
]  # fmt: skip


@pytest.mark.parametrize(("file", "slips", "expected"), ROWS_TOLD_ONCE)
def test_a_slip_in_a_roster_is_told_once(
    small: Folder, file: str, slips: list[tuple[bytes, bytes]], expected: list[str]
) -> None:
    """What cannot be read is not judged as well, and the rows after it still are. (A county that lost a site elects
    fewer than it says: that sum is left aside here.)"""
    for sound, slip in slips:
        assert sound in small[file]
        small[file] = small[file].replace(sound, slip, 1)
    found = [problem for problem in problems(small) if "precincts elect 3" not in problem]
    assert found == expected


def test_an_area_without_a_name_is_only_empty(small: Folder) -> None:
    """Two empty names are not the same name."""
    small["counties.csv"] += b",1,1\n"
    small["satellite_pools.csv"] += b",1\n"
    assert problems(small) == [
        "counties.csv line 4, column county: is empty; fill it in",
        "satellite_pools.csv line 3, column pool: is empty; fill it in",
    ]

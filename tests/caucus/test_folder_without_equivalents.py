"""A contest folder of the other shape: early votes, and delegates that turn into nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hotline.caucus.contest import County, EarlyBallots, EarlyRules, Units
from hotline.caucus.folder import read_contest
from tests.caucus.test_contest_folder import ONE_SLIP, Folder, problems

NEVADA_SLIP = [
    ("counties.csv", b"county,delegates\nAdair,7", b"county,delegates,equivalents\nAdair,7,2",
     "counties.csv line 1: column equivalents is there, but contest.toml says there are none; take one of the two out"),
    ("satellite_pools.csv", b"pool\nCD1", b"pool,Equivalents\nCD1,6",
     "satellite_pools.csv line 1: column equivalents is there, but contest.toml says there are none"),
    ("contest.toml", b"equivalents = false", b"equivalents = true",
     "units, equivalents: must be what delegates turn into, as words in quotes, or false for nothing"),
    ("contest.toml", b"equivalents = false", b"", "units, equivalents: must be what delegates turn into"),
    ("contest.toml", b"equivalents = false", b'equivalents = " "', "units, equivalents: must be there, as words in"),
    ("contest.toml", b"equivalents = false", b'equivalents = "SDEs"',
     "counties.csv line 1: column equivalents is missing; the first row must name the columns county, delegates, equi"),
    ("contest.toml", b'delegates = "county convention delegates"', b"", "units, delegates: must be there, as words in"),
    ("contest.toml", b"equivalents = false", b"equivalents = false\nunit = 1", "units, unit: is not known; known here"),
    ("contest.toml", b"choices_at_least = 2", b"choices_at_least = 0",
     "rules.early_votes, choices_at_least: 0 must be a whole number, 1 or more"),
    ("contest.toml", b"choices_at_least = 2", b"", "rules.early_votes, choices_at_least: None must be a whole number"),
    ("contest.toml", b"choices_at_most = 3", b"choices_at_most = 1",
     "rules.early_votes, choices_at_most: 1 must be a whole number, 2 or more"),
    ("contest.toml", b"choices_at_most = 3", b"choices_at_most = 2", "early_votes.csv line 3: names 3 choices; a"),
    ("contest.toml", b"repeats_allowed = false", b"repeats_allowed = 0",
     "rules.early_votes, repeats_allowed: 0 must be true or false"),
    ("contest.toml", b"repeats_allowed = false", b"repeats = false", "rules.early_votes, repeats: is not known; known"),
    ("early_votes.csv", b"00013,3,", b"00059,3,", "line 2, column code: '00059' is no precinct of this contest; keep"),
    ("early_votes.csv", b"00013,3,", b",3,", "line 2, column code: is empty; fill it in"),
    ("early_votes.csv", b"00013,3,", b"00013,-3,", "line 2, column count: '-3' is not a whole number"),
    ("early_votes.csv", b"00013,3,", b"00013,0,", "line 2, column count: 0 is too small; it must be 1 or more"),
    ("early_votes.csv", b"3,Ana,Bo,", b"3,Ana,Bob,",
     "line 2, column choice2: 'Bob' is no preference of this contest; known here: Ana, Bo, Uncommitted"),
    ("early_votes.csv", b"3,Ana,Bo,", b"3,Ana,,Bo",
     "line 2, column choice3: 'Bo' comes after choice2, which is empty; fill choices from the left"),
    ("early_votes.csv", b"3,Ana,Bo,", b"3,,Ana,Bo",
     "line 2, column choice3: 'Bo' comes after choice1, which is empty; fill choices from the left"),
    ("early_votes.csv", b"3,Ana,Bo,", b"3,Ana,Ana,",
     "line 2: names Ana more than once, which this contest's rules do not allow"),
    ("early_votes.csv", b"3,Ana,Bo,", b"3,Ana,,",
     "line 2: names 1 choices; a ballot names 2 to 3, others are void: take it out"),
    ("early_votes.csv", b"00013,2,Bo,Uncommitted,Ana", b"00013,2,Ana,Bo,",
     "line 3: is the same ballot as early_votes.csv line 2; keep one row with both counts"),
    ("early_votes.csv", b"3,Ana,Bo,", b"3,,,Bo",
     "line 2, column choice3: 'Bo' comes after choice1, which is empty; fill choices from the left"),
    ("early_votes.csv", b"choice1", b"first", "line 1: column choice1 is missing; the first row must name the columns"),
    ("early_votes.csv", b"choice2", b"second", "line 1: column choice2 is missing; the first row must name"),
    ("early_votes.csv", b"count", b"ballots", "line 1: column count is missing; the first row must name the"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "sound", "slip", "expected"), NEVADA_SLIP)
def test_each_slip_of_a_state_with_early_votes_is_named(
    small_nevada: Folder, file: str, sound: bytes, slip: bytes, expected: str
) -> None:
    """One slip, one line, where contest.toml does without equivalents and ballots were cast before the night."""
    assert sound in small_nevada[file]
    small_nevada[file] = small_nevada[file].replace(sound, slip, 1)
    found = problems(small_nevada)
    assert [problem for problem in found if expected in problem], found


SHARED_SLIP = [
    slip for slip in ONE_SLIP if slip[0] not in ("counties.csv", "satellite_pools.csv") and b"drops-out" not in slip[1]
]


@pytest.mark.parametrize(("file", "sound", "slip", "expected"), SHARED_SLIP)
def test_a_slip_is_named_the_same_under_the_other_states_rules(
    small_nevada: Folder, file: str, sound: bytes, slip: bytes, expected: str
) -> None:
    """What is wrong with a row does not depend on whose rules stand in contest.toml."""
    assert sound in small_nevada[file]
    small_nevada[file] = small_nevada[file].replace(sound, slip, 1)
    found = problems(small_nevada)
    assert [problem for problem in found if expected in problem], found


@pytest.mark.parametrize("column", ["counties.csv", "satellite_pools.csv"])
def test_a_forgotten_column_of_equivalents_is_never_taken_for_a_rule(small: Folder, column: str) -> None:
    """Only contest.toml can say that there are none: without a word there the column must be in both files."""
    small[column] = small[column].replace(b",equivalents", b"").replace(b",2\n", b"\n").replace(b",17/4", b"")
    small[column] = small[column].replace(b",6", b"")
    heading = {"counties.csv": "county, delegates, equivalents", "satellite_pools.csv": "pool, equivalents"}[column]
    wanted = f"{column} line 1: column equivalents is missing; the first row must name the columns {heading}"
    assert wanted in problems(small)


def test_a_sound_folder_without_equivalents_and_with_early_votes(small_nevada: Folder) -> None:
    """Counties and pools share nothing; ballots stand by precinct, in the file's order, choices as ranked."""
    contest = read_contest(small_nevada)
    assert (contest.has_equivalents, contest.units) == (False, Units("county convention delegates", None))
    assert contest.counties["Polk"] == County("Polk", 4, Fraction(0))
    assert contest.pools["CD1"].equivalents == 0
    assert contest.rules.early == EarlyRules(2, 3, repeats_allowed=False)
    assert contest.early_ballots == {
        "00013": (EarlyBallots(3, ("Ana", "Bo")), EarlyBallots(2, ("Bo", "Uncommitted", "Ana"))),
        "00037": (EarlyBallots(1, ("Uncommitted", "Ana")),),
    }


def test_what_is_not_said_of_units_is_iowas(small: Folder) -> None:
    """A folder that says nothing has county delegates, state delegate equivalents and no early votes."""
    contest = read_contest(small)
    assert contest.units == Units("county delegates", "state delegate equivalents")
    assert (contest.has_equivalents, contest.early_ballots, contest.rules.early) == (True, {}, None)
    renamed = b'[units]\ndelegates = "town delegates"\nequivalents = "seats"\n[rules]'
    small["contest.toml"] = small["contest.toml"].replace(b"[rules]", renamed, 1)
    assert read_contest(small).units == Units("town delegates", "seats")


@pytest.mark.parametrize("table", ["units", "early_votes"])
def test_a_table_written_as_a_value_is_named(small: Folder, table: str) -> None:
    """`units = 3` is no table, and is told how to be one."""
    place = {"units": b'name = "small-2020"', "early_votes": b"[rules]"}[table]
    small["contest.toml"] = small["contest.toml"].replace(place, place + f"\n{table} = 3".encode(), 1)
    name = {"units": "units", "early_votes": "rules.early_votes"}[table]
    assert problems(small) == [f"contest.toml, {name}: must be written as a [{name}] table"]


def test_early_votes_need_their_rule(small: Folder) -> None:
    """Without [rules.early_votes] nobody can say which ballots are valid; the file is told once."""
    small["early_votes.csv"] = b"code,count,choice1\n00013,3,Ana\n00021,3,Bo\n"
    assert problems(small) == [
        "early_votes.csv: early votes need [rules.early_votes] in contest.toml: how many choices a ballot names"
    ]


def test_early_votes_may_name_one_group_again_where_the_party_counts_that(small_nevada: Folder) -> None:
    """Nevada 2020 counted a ballot that named one candidate three times."""
    small_nevada["contest.toml"] = small_nevada["contest.toml"].replace(b"allowed = false", b"allowed = true")
    small_nevada["early_votes.csv"] = b"code,count,choice1,choice2,choice3\n00013,3,Ana,Ana,Ana\n"
    assert read_contest(small_nevada).early_ballots == {"00013": (EarlyBallots(3, ("Ana", "Ana", "Ana")),)}


def test_one_slip_of_an_early_ballot_is_told_once(small_nevada: Folder) -> None:
    """An empty code is not also unknown, and groups named again are listed as the ballot ranks them."""
    small_nevada["early_votes.csv"] = (
        b"code,count,choice1,choice2,choice3,choice4\n,3,Ana,Bo,,\n00013,1,Bo,Ana,Bo,Ana\n"
    )
    small_nevada["contest.toml"] = small_nevada["contest.toml"].replace(b"at_most = 3", b"at_most = 4")
    assert problems(small_nevada) == [
        "early_votes.csv line 2, column code: is empty; fill it in",
        "early_votes.csv line 3: names Bo, Ana more than once, which this contest's rules do not allow",
    ]


def test_choices_are_read_by_their_number_not_by_their_place(small_nevada: Folder) -> None:
    """Columns may stand in any order, tenth after second; other columns, and choice-like ones, are passed over."""
    toml = (
        small_nevada["contest.toml"].replace(b"at_most = 3", b"at_most = 10").replace(b"= false\n[[r", b"= true\n[[r")
    )
    names = [f"choice{number}" for number in range(1, 11)]
    heading = ["choice10", "choices", "choice", "11", *names[:9][::-1], "count", "CODE"]
    row = ["Bo", "Yang", "9", "Yang", *["Ana"] * 8, "Uncommitted", "4", "00013"]
    small_nevada["contest.toml"] = toml
    small_nevada["early_votes.csv"] = f"{','.join(heading)}\n{','.join(row)}\n".encode()
    (bundle,) = read_contest(small_nevada).early_ballots["00013"]
    assert bundle == EarlyBallots(4, ("Uncommitted", *["Ana"] * 8, "Bo"))


def test_the_same_ballot_in_two_precincts_is_two(small_nevada: Folder) -> None:
    """Only within a precinct does a ballot twice look like a file imported twice."""
    small_nevada["early_votes.csv"] = b"code,count,choice1,choice2\n00013,3,Ana,Bo\n00021,4,Ana,Bo\n"
    assert set(read_contest(small_nevada).early_ballots) == {"00013", "00021"}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_early_votes_saved_by_excel_are_the_same(small_nevada: Folder, mark: bytes) -> None:
    """A byte order mark, its line endings, quotes and spare cells change no ballot."""
    plain = read_contest(small_nevada)
    early = small_nevada["early_votes.csv"].replace(b"Ana", b'"Ana"').replace(b"\n", b",\r\n")
    small_nevada["early_votes.csv"] = mark + early
    assert read_contest(small_nevada) == plain

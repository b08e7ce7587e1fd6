"""A contest folder is read right whoever saved it, or refused whole with a list of what to fix."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hotline.caucus.contest import Contest, County, EarlyBallots, EarlyRules, Pool, Precinct, RuleSet, Units
from hotline.caucus.folder import chairs, read_contest
from hotline.caucus.roster import ChairNumber
from hotline.errors import FolderProblems

Folder = dict[str, bytes]


def problems(files: Folder) -> list[str]:
    """What is wrong with a folder, line by line."""
    with pytest.raises(FolderProblems) as refused:
        read_contest(files)
    return list(refused.value.problems)


def test_a_sound_folder(small: Folder) -> None:
    """Rosters, rules and preferences stand in the contest as they stand in the files, satellites last."""
    contest = read_contest(small)
    assert list(contest.precincts) == ["00013", "00021", "00037", "00045"]
    assert contest.precincts["00037"] == Precinct("00037", "Polk", "Año", "Año", 4)
    assert contest.precincts["00045"] == Precinct("00045", "CD1", "Library", "The Library", None)
    assert contest.counties["Polk"].equivalents == Fraction(17, 4)
    assert contest.pools == {"CD1": Pool("CD1", Fraction(6))}
    assert [(p.key, p.number, p.name, p.spoken) for p in contest.preferences[:2]] == [
        ("Ana", 1, "Ana Núñez", "Nunez"),
        ("Bo", 2, "Bo Li", "Bo Li"),
    ]
    assert [preference.is_uncommitted for preference in contest.preferences] == [False, False, True]
    assert contest.state == "IA"
    assert contest.rules == RuleSet(
        {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 6), 4: Fraction(3, 20)},
        "smallest-drops-out",
        "coin toss",
        ((20, 4), (None, 5)),
    )
    assert (contest.name, contest.title, contest.line) == ("small-2020", "Small caucuses", "Small results line")
    assert chairs(small) == (ChairNumber("+15155550123", "00013", "chair"),)


def test_iowa_2020_as_shipped(iowa: Contest) -> None:
    """1,678 precincts in 99 counties, 87 satellites in 5 pools, 14 preferences; 11,402 delegates and 2,150 SDEs."""
    satellites = [precinct for precinct in iowa.precincts.values() if precinct.is_satellite]
    assert (len(iowa.precincts), len(satellites), len(iowa.counties), len(iowa.pools)) == (1765, 87, 99, 5)
    assert sum(county.delegates for county in iowa.counties.values()) == 11402
    areas = (*iowa.counties.values(), *iowa.pools.values())
    assert sum(area.equivalents for area in areas) == 2150
    assert (iowa.keys[0], iowa.keys[-1], len(iowa.keys)) == ("Bennet", "Uncommitted", 14)


def test_a_voice_can_read_every_spoken_name(iowa: Contest) -> None:
    """No slash, hash, bracket or run of capitals is left for the voice to guess at."""
    spoken = [precinct.spoken for precinct in iowa.precincts.values()]
    assert [name for name in spoken if set(name) & set("/#&_();\\")] == []
    said_as_words = {"DMACC", "LULAC"}
    words = {word for name in spoken for word in name.replace(",", "").split()}
    assert {word for word in words if len(word) > 1 and word.isupper()} <= said_as_words


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_byte_order_mark_and_line_endings_do_not_matter(small: Folder, mark: bytes, ending: bytes) -> None:
    """Excel begins UTF-8 files with a mark and ends lines its own way; the contest is the same."""
    saved = {name: mark + data.replace(b"\n", ending) for name, data in small.items()}
    assert read_contest(saved) == read_contest(small)


def test_excel_quoting_extra_columns_spaces_and_blank_rows(small: Folder) -> None:
    """Quoted commas, quotes and line breaks, columns in any order, spare cells and blank rows are all read right."""
    small["precincts.csv"] = (
        b'Name , note,delegates,COUNTY,code,,\r\n"North, ""Old""\r\nTown",x,4,Adair,00013,,\r\n,,,,,,\r\n'
        b" South ,,3,Adair,00021,,\r\nA\xc3\xb1o,,4,Polk,00037,,\r\n"
    )
    contest = read_contest(small)
    assert [precinct.name for precinct in contest.precincts.values()][:2] == ['North, "Old" Town', "South"]


def test_names_written_in_two_ways_are_the_same_name(small: Folder) -> None:
    """An n with a combining tilde is the ñ of another keyboard, so the two names collide."""
    composed, combined = "Polk,Año,4\n", "Polk,An\u0303o,4\n"
    small["precincts.csv"] = small["precincts.csv"].replace(
        f"00037,{composed}".encode(), f"00037,{composed}00059,{combined}".encode()
    )
    assert any("name: Año is there already" in problem for problem in problems(small))


ONE_SLIP = [
    ("precincts.csv", b"00013,", b"00014,", "line 2, column code: 00014 has a wrong check digit; if 0001"),
    ("precincts.csv", b"00013,", b"13,", "line 2, column code: '13' must be five digits; keep leading zeros"),
    ("precincts.csv", b"00021,", b"00013,", "line 3, column code: 00013 is there already, at precincts.csv line 2"),
    ("precincts.csv", b"South", b"north", "line 3, column name: north is there already, at precincts.csv line 2"),
    ("precincts.csv", b",4\n00021", b",0\n00021", "line 2, column delegates: 0 is too small; it must be 1 or more"),
    ("precincts.csv", b",4\n00021", b",4.0\n00021", "line 2, column delegates: '4.0' is not a whole number"),
    ("precincts.csv", b",4\n00021", b",\xc2\xb2\n00021", "line 2, column delegates: '²' is not a whole number"),
    ("precincts.csv", b",4\n00021", b",-4\n00021", "line 2, column delegates: '-4' is not a whole number"),
    ("precincts.csv", b",4\n00021", b",5\n00021", "counties.csv line 2, column delegates: Adair has 7 delegates but"),
    ("precincts.csv", b"Adair,North", b"Adiar,North", "line 2, column county: 'Adiar' is not in counties.csv"),
    ("precincts.csv", b"North", b"", "line 2, column name: is empty; fill it in"),
    ("precincts.csv", b"North", b"No\x07rth", "line 2, column name: 'No\\x07rth' has a character that cannot be"),
    ("precincts.csv", b"North", b'"North', "line 2: cannot be read as CSV"),
    ("precincts.csv", b"North", b"No\xf1o", "line 2: is not UTF-8 text; in Excel save it as"),
    ("precincts.csv", b"North,4", b"North,Old,4", "line 2: has 5 cells for 4 columns; put quotes around"),
    ("precincts.csv", b"code,county", b"code;county", "line 1: column code is missing"),
    ("precincts.csv", b",delegates", b",county,delegates", "line 1: column county is there twice; keep one"),
    ("counties.csv", b"county,delegates,equivalents", b"county;delegates", "line 1: columns are not parted by commas"),
    ("counties.csv", b"Polk,4,17/4", b"Polk,4,0", "line 3, column equivalents: '0' is not a number above zero"),
    ("counties.csv", b"Polk,4,17/4", b"Polk,4,1/0", "line 3, column equivalents: '1/0' is not a number above zero"),
    ("counties.csv", b"Polk,4,17/4", b"Polk,4,1e3", "line 3, column equivalents: '1e3' is not a number above zero"),
    ("counties.csv", b"Polk,4", b"Polk,4,1\nPolk,4", "line 4, column county: Polk is there already"),
    ("counties.csv", b"Polk,4,17/4", b"Polk,4,1\nSac,2,1", "line 4, column county: Sac has no site"),
    (
        "precincts.csv",
        b"county,name,delegates\n00013,Adair,North,4\n00021,Adair,South,3",
        b"county,name,delegates,spoken\n00013,Adair,North,4,Town\n00021,Adair,South,3,town",
        "line 3, column spoken: town is there already, at precincts.csv line 2; each must be its own",
    ),
    ("satellites.csv", b"CD1", b"CD2", "line 2, column pool: 'CD2' is not in satellite_pools.csv"),
    ("satellites.csv", b"00045", b"00013", "satellites.csv line 2, column code: 00013 is there already"),
    ("satellite_pools.csv", b"CD1", b"Polk", "line 2, column pool: Polk is the name of a county too"),
    ("chairs.csv", b"+1515", b"515", "line 2, column number: is not a telephone number in full"),
    ("chairs.csv", b"00013", b"00059", "line 2, column code: '00059' is no precinct of this contest"),
    ("contest.toml", b'key = "Bo"', b'key = "ana"', "preferences: key 'ana' is there twice"),
    ("contest.toml", b'key = "Bo"', b'key = "B o"', "preference 2, key: 'B o' must be plain letters and digits"),
    ("contest.toml", b'key = "Bo"', b"", "preference 2, key: must be there, as words in quotes"),
    ("contest.toml", b"uncommitted = true", b"uncommitted = 1", "preference 3, uncommitted: 1 must be true or false"),
    ("contest.toml", b'"3/20"', b"0.15", "rules.thresholds.4: 0.15 must be a fraction between 0 and 1 in quotes"),
    ("contest.toml", b'"3/20"', b'"1/0"', "rules.thresholds.4: '1/0' must be a fraction between 0 and 1"),
    ("contest.toml", b'2 = "1/4"', b"", "rules.thresholds: needs the keys 1, 2, 3"),
    ("contest.toml", b"smallest-drops-out", b"draw", "more_viable_than_delegates: 'draw' must be one of smallest"),
    ("contest.toml", b"up_to = 20", b"up_to = 0", "satellite_delegates 1, up_to: 0 must be a whole number above 0"),
    ("contest.toml", b"delegates = 5", b"delegates = true", "satellite_delegates 2, delegates: True must be a whole"),
    (
        "contest.toml",
        b"delegates = 5",
        b"delegates = 5\nup_to = 9",
        "satellite_delegates 2, up_to: must be left out in",
    ),
    ("contest.toml", b"[rules]", b"[odds]\n[rules]", "contest.toml, odds: is not known; known here: line, name"),
    ("contest.toml", b'name = "Bo Li"', b'name = "Bo Li"\nage = 1', "preference 2, age: is not known; known here: key"),
    (
        "contest.toml",
        b"delegates = 5",
        b"delegates = 5\nseats = 1",
        "satellite_delegates 2, seats: is not known; known",
    ),
    ("contest.toml", b'"3/20"', b'"0.15"', "rules.thresholds.4: '0.15' must be a fraction between 0 and 1 in quotes"),
    ("contest.toml", b'"3/20"', b'"0/20"', "rules.thresholds.4: '0/20' must be a fraction between 0 and 1 in quotes"),
    ("contest.toml", b'"3/20"', b'"20/20"', "rules.thresholds.4: '20/20' must be a fraction between 0 and 1 in quot"),
    ("contest.toml", b"chance =", b"luck =", "rules, luck: is not known; known here: chance"),
    ("contest.toml", b'title = "Small caucuses"', b"title = 3", "title: must be there, as words in quotes"),
    ("contest.toml", b"small-2020", b"Small 2020", "name: 'Small 2020' must be small letters, digits and hyphens"),
    ("contest.toml", b"[rules]", b"[rules", "contest.toml: cannot be read:"),
    ("contest.toml", b"Ana N", b"Ana \xff", "contest.toml: is not UTF-8 text"),
]


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


@pytest.mark.parametrize(("file", "sound", "slip", "expected"), ONE_SLIP)
def test_each_slip_is_named_with_its_place_and_what_to_do(
    small: Folder, file: str, sound: bytes, slip: bytes, expected: str
) -> None:
    """One thing wrong, one clear line (and only what follows from it beside)."""
    assert sound in small[file]
    small[file] = small[file].replace(sound, slip, 1)
    found = problems(small)
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
     "contest.toml, a: is not known; known here: line, name, preferences, rules, state, title, units"),
    (b"[[rules.satellite_delegates]]\nup_to = 20\ndelegates = 4\n[[rules.satellite_delegates]]\ndelegates = 5", b"",
     "satellites.csv line 2: satellites need [[rules.satellite_delegates]] in contest.toml"),
]  # fmt: skip


@pytest.mark.parametrize(("sound", "slip", "expected"), TOLD_ONCE)
def test_one_slip_in_contest_toml_is_told_once(small: Folder, sound: bytes, slip: bytes, expected: str) -> None:
    """What is missing is missing, and not of a wrong form as well."""
    assert sound in small["contest.toml"]
    small["contest.toml"] = small["contest.toml"].replace(sound, slip, 1)
    more = ["contest.toml, b: is not known; known here: line, name, preferences, rules, state, title, units"]
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


@pytest.mark.parametrize("file", ["contest.toml", "precincts.csv", "counties.csv"])
def test_a_missing_file_is_named(small: Folder, file: str) -> None:
    """Three files make a contest; each is missed by name."""
    del small[file]
    assert f"{file}: is missing from the folder" in problems(small)


def test_a_missing_pool_file_is_noticed_by_its_satellites(small: Folder) -> None:
    """Satellites without satellite_pools.csv point to it."""
    del small["satellite_pools.csv"]
    assert problems(small) == [
        "satellites.csv line 2, column pool: 'CD1' is not in satellite_pools.csv; add it there or correct it here"
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


def test_an_area_without_a_name_is_only_empty(small: Folder) -> None:
    """Two empty names are not the same name."""
    small["counties.csv"] += b",1,1\n"
    small["satellite_pools.csv"] += b",1\n"
    assert problems(small) == [
        "counties.csv line 4, column county: is empty; fill it in",
        "satellite_pools.csv line 3, column pool: is empty; fill it in",
    ]


def test_satellites_need_a_schedule(small: Folder) -> None:
    """Without the schedule of delegates a satellite's headcount says nothing."""
    small["satellites.csv"] += b"00059,CD1,School,\n"
    toml = small["contest.toml"]
    small["contest.toml"] = toml[: toml.index(b"[[rules.sat")] + toml[toml.index(b"[[preferences") :]
    assert problems(small) == ["satellites.csv line 2: satellites need [[rules.satellite_delegates]] in contest.toml"]


def test_all_problems_come_at_once(small: Folder) -> None:
    """Slips in every file are all in one list, in the order of files and lines."""
    small["contest.toml"] = small["contest.toml"].replace(b'line = "Small results line"', b"")
    small["counties.csv"] = small["counties.csv"].replace(b"17/4", b"x")
    small["precincts.csv"] = small["precincts.csv"].replace(b"00021", b"00029").replace(b"North,4", b"North,four")
    small["chairs.csv"] += b"5155550199,00013,chair\n"
    places = [problem.split(": ")[0] for problem in problems(small)]
    assert places == [
        "contest.toml, line",
        "counties.csv line 3, column equivalents",
        "precincts.csv line 2, column delegates",
        "chairs.csv line 3, column number",
        "precincts.csv line 3, column code",
    ]


def test_a_number_on_file_is_never_repeated_in_a_message(small: Folder) -> None:
    """A chair's telephone number is personal data, a mistyped one too."""
    small["chairs.csv"] += b"515-555-0188,00013,chair\n+15155550144,00013,chair\n+15155550144,00013,aide\n"
    said = "\n".join(problems(small))
    assert "line 3" in said
    assert "line 5, column number: this number for this precinct is there already" in said
    assert "0188" not in said
    assert "0144" not in said

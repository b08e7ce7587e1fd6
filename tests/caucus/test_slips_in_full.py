"""What is said of a slip, word for word: where it is, what is wrong and what to do about it."""

from __future__ import annotations

import pytest

from hotline.caucus.contest import EarlyBallots
from hotline.caucus.folder import chairs, doubts, read_contest
from tests.caucus.test_contest_folder import Folder, problems

NO_ADAIR = "counties.csv line 2, column county: Adair has no site; add its sites or take it out"
NO_POLK = "counties.csv line 3, column county: Polk has no site; add its sites or take it out"
NUMBER = "write it like (515) 555-0123 or, abroad, +44 20 7946 0123, and format the column as text"
UNKNOWN_CHAIR = "chairs.csv line 2, column code: '00013' is no precinct of this contest"
UNREAD = [UNKNOWN_CHAIR, NO_ADAIR, NO_POLK]
"""What follows when precincts.csv cannot be read at all."""

ROSTERS = [
    ("precincts.csv", b"00013,", b"13,", [
        UNKNOWN_CHAIR,
        "precincts.csv line 2, column code: '13' must be five digits; keep leading zeros, format the column as text"]),
    ("precincts.csv", b"North", b"No\x07rth", [
        "precincts.csv line 2, column name: 'No\\x07rth' has a character that cannot be printed; type it again"]),
    ("precincts.csv", b"North", b'"North', [
        "precincts.csv line 2: cannot be read as CSV (unexpected end of data); look for a stray quote mark", *UNREAD]),
    ("precincts.csv", b"Polk,A\xc3\xb1o", b"Polk,A\xf1o", [
        'precincts.csv line 4: is not UTF-8 text; in Excel save it as "CSV UTF-8"', *UNREAD]),
    ("precincts.csv", b"code,county", b"code;county", [
        "precincts.csv line 1: column code is missing; the first row must name the columns "
        "code, county, name, delegates",
        "precincts.csv line 1: column county is missing; the first row must name the columns "
        "code, county, name, delegates", *UNREAD]),
    ("precincts.csv", b"code,county,name,delegates", b"code\tcounty", [
        "precincts.csv line 1: columns are not parted by commas; save the file as CSV with commas", *UNREAD]),
    ("precincts.csv", b"code,county,name,delegates", b"land", [
        *(f"precincts.csv line 1: column {column} is missing; the first row must name the columns "
          "code, county, name, delegates" for column in ("code", "county", "name", "delegates")), *UNREAD]),
    ("precincts.csv", b"North,4\n", b"North,4,5\n", [
        "precincts.csv line 2: has 5 cells for 4 columns; put quotes around a cell that holds a comma",
        UNKNOWN_CHAIR, "counties.csv line 2, column delegates: Adair has 7 delegates but its precincts elect 3; "
        "correct one"]),
    ("precincts.csv", b"Adair,North", b"Adiar,North", [
        "precincts.csv line 2, column county: 'Adiar' is not in counties.csv; add it there or correct it here",
        "counties.csv line 2, column delegates: Adair has 7 delegates but its precincts elect 3; correct one"]),
    ("satellites.csv", b"CD1", b"", [
        "satellites.csv line 2, column pool: is empty; fill it in",
        "satellite_pools.csv line 2, column pool: CD1 has no site; add its sites or take it out"]),
    ("satellite_pools.csv", b"CD1", b"Polk", [
        "satellites.csv line 2, column pool: 'CD1' is not in satellite_pools.csv; add it there or correct it here",
        "satellite_pools.csv line 2, column pool: Polk has no site; add its sites or take it out",
        "satellite_pools.csv line 2, column pool: Polk is the name of a county too; give the pool another"]),
    ("chairs.csv", b"+1515", b"", [f"chairs.csv line 2, column number: has no area code; {NUMBER}"]),
    ("chairs.csv", b"5550123", b"555012", [
        f"chairs.csv line 2, column number: has too few digits for a telephone number; {NUMBER}"]),
    ("chairs.csv", b",chair\n", b",aide\n", [
        "chairs.csv line 2, column role: 'aide' must be one of chair, secretary, county chair"]),
    ("chairs.csv", b"00013", b"00059", ["chairs.csv line 2, column code: '00059' is no precinct of this contest"]),
    ("chairs.csv", b",chair", b",", ["chairs.csv line 2, column role: is empty; fill it in"]),
    ("chairs.csv", b"chair\n", b"chair\n515-555-0123,00013,secretary\n", [
        "chairs.csv line 3, column number: this number for this precinct is there already, at chairs.csv line 2; "
        "each must be its own"]),
]  # fmt: skip


@pytest.mark.parametrize(("file", "sound", "slip", "told"), ROSTERS)
def test_a_slip_in_a_roster(small: Folder, file: str, sound: bytes, slip: bytes, told: list[str]) -> None:
    """Every line that one slip brings about, and no other."""
    assert sound in small[file]
    small[file] = small[file].replace(sound, slip, 1)
    assert problems(small) == told


SATELLITES = b"[[rules.satellite_delegates]]\nup_to = 20\ndelegates = 4\n"
QUOTED = "must be there, as words in quotes on one line"
SHARE = 'must be a fraction between 0 and 1 in quotes, like "3/20"'

CHARTER = [
    (b'key = "Bo"', b'key = "ana"', ["preferences: key 'ana' is there twice; each group needs its own"]),
    (b'name = "Bo Li"', b'name = "ana n\xc3\xba\xc3\xb1ez"', [
        "preferences: name 'ana núñez' is there twice; each group needs its own"]),
    (b'name = "Bo Li"', b'name = "Bo Li"\nspoken = "NUNEZ"', [
        "preferences: spoken 'nunez' is there twice; each group needs its own"]),
    (b'key = "Bo"', b'key = "B o"', [
        "preference 2, key: 'B o' must be plain letters and digits, beginning with a letter"]),
    (b'name = "Bo Li"', b"", [f"preference 2, name: {QUOTED}"]),
    (b'spoken = "Nunez"', b"spoken = 3", [f"preference 1, spoken: {QUOTED}"]),
    (b"uncommitted = true", b"uncommitted = 1", ["preference 3, uncommitted: 1 must be true or false"]),
    (b'"3/20"', b"0.15", [f"rules.thresholds.4: 0.15 {SHARE}"]),
    (b'"1/4"', b'"5/4"', [f"rules.thresholds.2: '5/4' {SHARE}"]),
    (b"smallest-drops-out", b"draw", [
        "rules.more_viable_than_delegates: 'draw' must be one of smallest-drops-out, each-keeps-one"]),
    (b'chance = "coin toss"', b"", [f"rules, chance: {QUOTED}"]),
    (b"small-2020", b"Small 2020", [
        "name: 'Small 2020' must be small letters, digits and hyphens, like iowa-2020"]),
    (b'title = "Small caucuses"', b"", [f"title: {QUOTED}"]),
    (b'line = "Small results line"', b"", [f"line: {QUOTED}"]),
    (b'state = "IA"', b"", [f"state: {QUOTED}"]),
    (b"[rules]", b"[odds]\n[rules]", [
        "odds: is not known; known here: hours, line, name, preferences, rules, state, title, units"]),
    (b"chance =", b"luck = 1\nchance =", [
        "rules, luck: is not known; known here: chance, early_votes, more_viable_than_delegates, "
        "satellite_delegates, thresholds"]),
    (b"up_to = 20", b"up_to = 20\nseats = 1", [
        "rules.satellite_delegates 1, seats: is not known; known here: delegates, up_to"]),
    (b'key = "Bo"', b'key = "Bo"\nage = 1', ["preference 2, age: is not known; known here: key, name, spoken, "
                                             "uncommitted"]),
    (b"up_to = 20", b"up_to = 0", ["rules.satellite_delegates 1, up_to: 0 must be a whole number above 0: bands rise"]),
    (SATELLITES, SATELLITES + SATELLITES, [
        "rules.satellite_delegates 2, up_to: 20 must be a whole number above 20: bands rise"]),
    (SATELLITES, 2 * SATELLITES + SATELLITES.replace(b"20", b"20.5"), [
        "rules.satellite_delegates 2, up_to: 20 must be a whole number above 20: bands rise",
        "rules.satellite_delegates 3, up_to: 20.5 must be a whole number above 20: bands rise"]),
    (b"up_to = 20\ndelegates = 4", b"up_to = true\ndelegates = 0", [
        "rules.satellite_delegates 1, up_to: True must be a whole number above 0: bands rise",
        "rules.satellite_delegates 1, delegates: 0 must be a whole number, 1 or more"]),
    (b"delegates = 5", b"delegates = 5\nup_to = 9", [
        "rules.satellite_delegates 2, up_to: must be left out in the last band, which takes every larger headcount"]),
]  # fmt: skip


@pytest.mark.parametrize(("sound", "slip", "told"), CHARTER)
def test_a_slip_in_contest_toml(small: Folder, sound: bytes, slip: bytes, told: list[str]) -> None:
    """Every line that one slip brings about, and no other, each behind the file's name."""
    assert sound in small["contest.toml"]
    small["contest.toml"] = small["contest.toml"].replace(sound, slip, 1)
    assert problems(small) == [f"contest.toml, {line}" for line in told]


def test_contest_toml_that_is_no_toml(small: Folder) -> None:
    """One line about the file; nothing is said of what stands in it."""
    sound = small["contest.toml"]
    small["contest.toml"] = sound.replace(b"[rules]", b"[rules", 1)
    assert problems(small)[0].startswith("contest.toml: cannot be read: Expected ']' at the end of a table")
    small["contest.toml"] = sound.replace(b"Ana N", b"Ana \xff")
    assert problems(small) == ["contest.toml: is not UTF-8 text; save it as UTF-8"]


def test_a_table_of_preferences_or_bands_written_otherwise(small: Folder) -> None:
    """A list that mixes tables with other things is none of tables."""
    toml = small["contest.toml"].decode()
    small["contest.toml"] = (toml[: toml.index("[rules]")] + 'preferences = [{ key = "Ana" }, 3]\n').encode()
    assert problems(small)[0] == "contest.toml, preferences: must be written as [[preferences]] tables"


def test_an_early_ballot_that_cannot_be_counted(small_nevada: Folder) -> None:
    """One line about the count, and no more about a ballot that is otherwise sound."""
    small_nevada["early_votes.csv"] = b"code,count,choice1,choice2\n00021,,Ana,Bo\n"
    assert problems(small_nevada) == [
        "early_votes.csv line 2, column count: '' is not a whole number; write digits only, like 12"
    ]


def test_preferences_there_twice_are_listed_in_alphabetical_order(small: Folder) -> None:
    """Each that is there twice or more once; two that are empty are empty, and not the same."""
    keys = ["Bo", "Ana", "Bo", "", ""]
    more = "".join(f'[[preferences]]\nkey = "{key}"\nname = "Name {at}"\n' for at, key in enumerate(keys))
    small["contest.toml"] += more.encode()
    assert problems(small) == [
        f"contest.toml, preference 7, key: {QUOTED}",
        f"contest.toml, preference 8, key: {QUOTED}",
        "contest.toml, preferences: key 'ana' is there twice; each group needs its own",
        "contest.toml, preferences: key 'bo' is there twice; each group needs its own",
    ]


def test_a_ballot_may_name_one_choice_where_the_party_says_so(small_nevada: Folder) -> None:
    """One to three choices, and a ballot of one."""
    small_nevada["contest.toml"] = small_nevada["contest.toml"].replace(b"at_least = 2", b"at_least = 1")
    small_nevada["early_votes.csv"] = b"code,count,choice1\n00013,3,Ana\n"
    assert read_contest(small_nevada).early_ballots == {"00013": (EarlyBallots(3, ("Ana",)),)}


def test_each_copy_of_an_early_ballot_names_the_first(small_nevada: Folder) -> None:
    """A third row alike points to the first as well, and the rows after it are still read."""
    small_nevada["early_votes.csv"] = (
        b"code,count,choice1,choice2\n00013,3,Ana,Bo\n00013,4,Ana,Bo\n00013,5,Ana,Bo\n00059,1,Bo,Ana\n"
    )
    assert problems(small_nevada) == [
        "early_votes.csv line 3: is the same ballot as early_votes.csv line 2; keep one row with both counts",
        "early_votes.csv line 4: is the same ballot as early_votes.csv line 2; keep one row with both counts",
        "early_votes.csv line 5, column code: '00059' is no precinct of this contest; keep leading zeros",
    ]


def test_early_votes_without_a_code(small_nevada: Folder) -> None:
    """The heading is told whole, in the order the columns should stand."""
    small_nevada["early_votes.csv"] = b"precinct,count,choice1,choice2\n00013,1,Ana,Bo\n"
    assert problems(small_nevada) == [
        "early_votes.csv line 1: column code is missing; the first row must name the columns "
        "code, count, choice1, choice2"
    ]


def test_a_pool_is_spoken_as_the_file_says(small: Folder) -> None:
    """The column is optional, for pools too."""
    small["satellite_pools.csv"] = b"pool,equivalents,spoken\nCD1,6,First District satellites\n"
    assert read_contest(small).pools["CD1"].spoken == "First District satellites"


def test_the_narrowest_bands_and_the_smallest_share(small: Folder) -> None:
    """Bands may rise by one and elect one; a share may be one of 999,999."""
    toml = small["contest.toml"].decode()
    two = "up_to = 1\ndelegates = 1\n[[rules.satellite_delegates]]\nup_to = 2\ndelegates = 2"
    toml = toml.replace("up_to = 20\ndelegates = 4", two).replace('"3/20"', '"1/999999"')
    small["contest.toml"] = toml.encode()
    rules = read_contest(small).rules
    assert rules.satellite_delegates == ((1, 1), (2, 2), (None, 5))
    assert (rules.thresholds[4].numerator, rules.thresholds[4].denominator) == (1, 999_999)


def test_numbers_are_kept_in_full_however_written(small: Folder) -> None:
    """What people type at home and abroad becomes the number the carrier shows; a role in capitals is the same role."""
    rows = ["(515) 555-0100,00013,Chair", "515.555.0101,00013,secretary", "+44 20 7946 0123,00045,county chair"]
    small["chairs.csv"] = "\n".join(["number,code,role", *rows]).encode()
    assert [(chair.number, chair.role) for chair in chairs(small)] == [
        ("+15155550100", "chair"),
        ("+15155550101", "secretary"),
        ("+442079460123", "county chair"),
    ]


def test_a_number_nobody_has_is_doubted_and_kept(small: Folder) -> None:
    """The tables of who has which numbers are never quite up to date: a warning by line, and the number stays."""
    small["chairs.csv"] += b"(915) 155-0144,00013,secretary\n"
    assert [chair.number for chair in chairs(small)] == ["+15155550123", "+19151550144"]
    assert doubts(small) == (
        "chairs.csv line 3, column number: is kept, but no such number is known to be given out; "
        "see whether it is written right",
    )

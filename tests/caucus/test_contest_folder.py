"""A contest folder is read right whoever saved it, or refused whole with a list of what to fix."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hotline.caucus.contest import Contest, Pool, Precinct, RuleSet
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
    ("counties.csv", b"Adair,7", b"Adair,0", "line 2, column delegates: 0 is too small; it must be 1 or more"),
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
    ("chairs.csv", b"+1515", b"O515", "line 2, column number: is not a telephone number; write it like (515) 555-0123"),
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
    ("contest.toml", b"[rules]", b"[odds]\n[rules]", "contest.toml, odds: is not known; known here: hours, line, name"),
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


@pytest.mark.parametrize(("file", "sound", "slip", "expected"), ONE_SLIP)
def test_each_slip_is_named_with_its_place_and_what_to_do(
    small: Folder, file: str, sound: bytes, slip: bytes, expected: str
) -> None:
    """One thing wrong, one clear line (and only what follows from it beside)."""
    assert sound in small[file]
    small[file] = small[file].replace(sound, slip, 1)
    found = problems(small)
    assert [problem for problem in found if expected in problem], found


@pytest.mark.parametrize("file", ["contest.toml", "precincts.csv", "counties.csv"])
def test_a_missing_file_is_named(small: Folder, file: str) -> None:
    """Three files make a contest; each is missed by name."""
    del small[file]
    assert problems(small)[0] == f"{file}: is missing from the folder"
    assert file != "contest.toml" or len(problems(small)) == 1


def test_a_missing_pool_file_is_noticed_by_its_satellites(small: Folder) -> None:
    """Satellites without satellite_pools.csv point to it."""
    del small["satellite_pools.csv"]
    assert problems(small) == [
        "satellites.csv line 2, column pool: 'CD1' is not in satellite_pools.csv; add it there or correct it here"
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
    small["chairs.csv"] += b"555-0199,00013,chair\n"
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
    small["chairs.csv"] += b"51-555-0188,00013,chair\n+15155550144,00013,chair\n515 555-0144,00013,secretary\n"
    said = "\n".join(problems(small))
    assert "line 3" in said
    assert "line 5, column number: this number for this precinct is there already" in said
    assert "0188" not in said
    assert "0144" not in said

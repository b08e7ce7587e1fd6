"""Rows as spreadsheets save them: short, spaced out, with doubled headings, and with the line ends of old machines."""

from __future__ import annotations

from hotline.caucus.folder import read_contest
from hotline.caucus.rows import Problems, read_rows
from tests.caucus.test_contest_folder import Folder, problems


def test_a_row_that_ends_early_has_empty_cells(small: Folder) -> None:
    """What is not written is empty: a spoken name is then the name, and delegates are asked for."""
    small["precincts.csv"] = (
        b"code,county,name,delegates,spoken\n00013,Adair,North,4\n00021,Adair,South,3\n00037,Polk,W\n"
    )
    assert problems(small) == [
        "precincts.csv line 4, column delegates: '' is not a whole number; write digits only, like 12"
    ]
    small["precincts.csv"] = small["precincts.csv"].replace(b"Polk,W", b"Polk,West,4")
    assert read_contest(small).precincts["00013"].spoken == "North"


def test_a_row_that_ends_early_has_every_column() -> None:
    """So a column that its heading names is there for the first row, however short, and for every other."""
    found = Problems()
    rows = read_rows("a.csv", b"code,name,note\n00013\n00021,South,x\n", ("code",), found)
    assert [dict(row.cells) for row in rows] == [
        {"code": "00013", "name": "", "note": ""},
        {"code": "00021", "name": "South", "note": "x"},
    ]
    assert found.found == []


def test_cells_and_rows_of_spaces_are_empty(small: Folder) -> None:
    """Spaces behind the last column are no cell too many, and a row of spaces is blank."""
    plain = read_contest(small)
    small["precincts.csv"] = small["precincts.csv"].replace(b"North,4\n", b"North,4, ,  \n ,  , , \n")
    assert read_contest(small) == plain


def test_columns_there_twice_are_all_told_and_no_row_is_read() -> None:
    """In alphabetical order, each once; a doubled column leaves open which one is meant."""
    found = Problems()
    data = b"name,county,name,county,name,note\nNorth,Adair,x,y,z,\n"
    assert read_rows("precincts.csv", data, ("county", "name"), found) == ()
    assert found.found == [
        "precincts.csv line 1: column county is there twice; keep one",
        "precincts.csv line 1: column name is there twice; keep one",
    ]


def test_line_ends_of_any_kind_end_a_row() -> None:
    """A carriage return alone, as old Macs wrote, and one inside a quoted cell, which is a space."""
    found = Problems()
    for end in ("\n", "\r\n", "\r"):
        text = f'name,note{end}"North{end}Town",x{end}South,y{end}'
        rows = read_rows("a.csv", text.encode(), ("name",), found)
        assert [(row.line, row.text("name")) for row in rows] == [(2, "North Town"), (4, "South")]
    assert found.found == []


def test_a_spoken_name_is_read_like_a_name(small: Folder) -> None:
    """A voice can no more say what cannot be printed."""
    small["satellites.csv"] = small["satellites.csv"].replace(b"The Library", b"The\x07Library")
    assert problems(small) == [
        "satellites.csv line 2, column spoken: 'The\\x07Library' has a character that cannot be printed; type it again"
    ]


def test_two_numbers_that_cannot_be_read_are_not_the_same(small: Folder) -> None:
    """Each is told what is wrong with it, and a number after them is still compared."""
    small["chairs.csv"] = b"number,code,role\n1,00013,chair\n2,00013,chair\n+15155550123,00013,chair\n"
    small["chairs.csv"] += b"+15155550123,00013,chair\n"
    places = [problem.split(": ")[0] for problem in problems(small)]
    assert places == [f"chairs.csv line {line}, column number" for line in (2, 3, 5)]

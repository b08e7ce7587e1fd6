"""Rows of a spreadsheet saved as CSV, from bytes, with every bad cell noted by file, line and column.

What the columns mean is said in `folder` and `worksheets`. Text is UTF-8, with or without Excel's byte order mark; any
line ending; quoted cells may hold commas, quotes and line breaks.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, repeat

from hotline.errors import FolderProblems

_WHOLE = re.compile(r"[0-9]{1,6}", re.ASCII)
_FRACTION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}|/[0-9]{1,9})?", re.ASCII)


@dataclass
class Problems:
    """Everything wrong with a set of files, gathered so that one reading lists it all."""

    found: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """What may be right and is worth a second look: told, never refused."""

    def note(self, place: str, what: str) -> None:
        """Add one problem: where it is, and what is wrong and what to do about it."""
        self.found.append(f"{place}: {what}")

    def stop_if_any(self) -> None:
        """Raise FolderProblems with all of them, unless there are none."""
        if self.found:
            raise FolderProblems(self.found)


@dataclass(frozen=True)
class Row:
    """One row: its file, the line it starts on (the heading is line 1), and its cells by heading in small letters."""

    file: str
    line: int
    cells: Mapping[str, str]
    problems: Problems

    def place(self, column: str | None = None) -> str:
        """How a message names this row or one of its cells: "precincts.csv line 12, column delegates"."""
        return f"{self.file} line {self.line}" + (f", column {column}" if column else "")

    def note(self, column: str | None, what: str) -> None:
        """Add a problem in this row."""
        self.problems.note(self.place(column), what)

    def doubt(self, column: str, what: str) -> None:
        """Add what may be wrong in this row and is taken as it stands."""
        self.problems.doubts.append(f"{self.place(column)}: {what}")

    def text(self, column: str) -> str:
        """The cell's text, spaces tidied; an empty cell or an unprintable character is noted."""
        value = self.optional(column)
        if not value:
            self.note(column, "is empty; fill it in")
        elif not value.isprintable():
            self.note(column, f"{value!r} has a character that cannot be printed; type it again")
        return value

    def optional(self, column: str) -> str:
        """The cell's text, spaces tidied; "" when the cell is empty or the column is not there."""
        return unicodedata.normalize("NFC", " ".join(self.cells.get(column.casefold(), "").split()))

    def whole(self, column: str, least: int = 0) -> int | None:
        """The cell as a whole number of at least `least`; None when it is not one, which is noted."""
        value = self.optional(column)
        if not _WHOLE.fullmatch(value):
            self.note(column, f"{value!r} is not a whole number; write digits only, like 12")
        elif int(value) < least:
            self.note(column, f"{value} is too small; it must be {least} or more")
        else:
            return int(value)
        return None

    def fraction(self, column: str) -> Fraction | None:
        """The cell as an exact positive number, "4", "4.25" or "17/4"; None when it is not one, which is noted."""
        value = self.optional(column)
        if _FRACTION.fullmatch(value) and (number := exact(value)) > 0:
            return number
        self.note(column, f"{value!r} is not a number above zero; write it like 4, 4.25 or 17/4")
        return None


def exact(text: str) -> Fraction:
    """The number "4.25" or "17/4" exactly; a share of nothing ("1/0") is 0, which no number asked for here may be."""
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return Fraction(0)


def read_rows(file: str, data: bytes, columns: Sequence[str], problems: Problems) -> tuple[Row, ...]:
    """The rows of one file. `columns` must be there, in any order; others are kept; blank rows are passed over.

    A file that cannot be read, or lacks a column, is noted and gives no rows.
    """
    text = _decoded(file, data, problems)
    if text is None:
        return ()
    lines = _parsed(file, text, problems)
    heading = next((cells for _, cells in lines), [])
    names = [name.strip().casefold() for name in heading]
    if not _heading_is_good(file, heading, names, columns, problems):
        return ()
    return tuple(row for line, cells in lines if (row := _row(file, line, names, cells, problems)))


def _decoded(file: str, data: bytes, problems: Problems) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        problems.note(f"{file} line {line}", 'is not UTF-8 text; in Excel save it as "CSV UTF-8"')
        return None


def _parsed(file: str, text: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """(line the row starts on, cells) for each row that is not blank; a quote left open ends the file, noted."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.note(f"{file} line {line}", f"cannot be read as CSV ({error}); look for a stray quote mark")
            return
        if any(cell.strip() for cell in cells):
            yield line, cells


def _heading_is_good(
    file: str, heading: Sequence[str], names: Sequence[str], columns: Sequence[str], problems: Problems
) -> bool:
    place = f"{file} line 1"
    if len(names) == 1 and (";" in heading[0] or "\t" in heading[0]):
        problems.note(place, "columns are not parted by commas; save the file as CSV with commas")
        return False
    missing = [column for column in columns if column.casefold() not in names]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    for column in missing:
        problems.note(place, f"column {column} is missing; the first row must name the columns {', '.join(columns)}")
    for name in twice:
        problems.note(place, f"column {name} is there twice; keep one")
    return not missing and not twice


def _row(file: str, line: int, names: Sequence[str], cells: Sequence[str], problems: Problems) -> Row | None:
    if any(cell.strip() for cell in cells[len(names) :]):
        extra = f"has {len(cells)} cells for {len(names)} columns; put quotes around a cell that holds a comma"
        problems.note(f"{file} line {line}", extra)
        return None
    return Row(file, line, dict(zip(names, chain(cells, repeat("")), strict=False)), problems)

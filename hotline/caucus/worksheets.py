"""A file of worksheets, from bytes: many precincts' numbers at once, to rehearse with or to audit a published release.

A row names its site by `code`, or by `county` and `precinct` as the party published them ("CD1 Satellite" for a pool).
Then come `headcount` (empty where not taken) and one column per group for each part: first_Biden, final_Biden,
delegates_Biden. Other columns, published SDEs for instance, are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hotline.caucus.contest import Contest
from hotline.caucus.rows import Problems, Row, read_rows
from hotline.caucus.worksheet import Worksheet

_PARTS = ("first", "final", "delegates")
_SATELLITE = " satellite"


def read_worksheets(contest: Contest, data: bytes, file: str = "worksheets.csv") -> dict[str, Worksheet]:
    """Worksheets by precinct code, in the file's order. Raises FolderProblems listing every bad row of `file`.

    A row of zeros is a site that did not report and is left out; by code, a headcount of 0 written out says that
    nobody came.
    """
    problems = Problems()
    columns = [f"{part}_{key}" for part in _PARTS for key in contest.keys]
    rows = read_rows(file, data, ["headcount", *columns], problems)
    if rows:
        _check_heading(contest, rows[0])
    names = _names(contest)
    sheets: dict[str, Worksheet] = {}
    first: dict[str, Row] = {}
    for row in rows:
        code = _code(contest, row, names)
        sheet = _worksheet(contest, row)
        if code in first:
            row.note(None, f"is the same site as {first[code].place()}; keep one row")
        elif code is not None:
            first[code] = row
            if _has_reported(row, sheet):
                sheets[code] = sheet
    problems.stop_if_any()
    return sheets


def _check_heading(contest: Contest, row: Row) -> None:
    """A tally of a group the contest does not know must not be passed over."""
    known = {key.casefold() for key in contest.keys}
    for column in row.cells:
        part, _, group = column.partition("_")
        if part in _PARTS and group not in known:
            row.problems.note(f"{row.file} line 1", f"column {column}: {contest.name} has no such preference")


def _names(contest: Contest) -> Mapping[tuple[str, str], str]:
    """Codes by (county or pool, name), however they are capitalised."""
    return {
        (precinct.county.casefold(), precinct.name.casefold()): code for code, precinct in contest.precincts.items()
    }


def _code(contest: Contest, row: Row, names: Mapping[tuple[str, str], str]) -> str | None:
    """The site a row is about; None when it is none of the contest's, which is noted."""
    if "code" in row.cells:
        written = row.text("code")
        if written in contest.precincts:
            return written
        if written:
            row.note("code", f"{written!r} is no precinct of {contest.name}; keep leading zeros")
        return None
    county, name = row.text("county"), row.text("precinct")
    code = names.get((county.casefold().removesuffix(_SATELLITE), name.casefold()))
    if county and name and not code:
        row.note("precinct", f"{contest.name} has no precinct {name!r} in {county}")
    return code


def _worksheet(contest: Contest, row: Row) -> Worksheet:
    headcount = row.whole("headcount") if row.optional("headcount") else None
    first, final, delegates = (_tallies(row, part, contest.keys) for part in _PARTS)
    return Worksheet(headcount, first, final, delegates)


def _tallies(row: Row, part: str, keys: Sequence[str]) -> dict[str, int]:
    """The counts of one part; a group with 0 is kept, so that every group is named."""
    counts = {key: row.whole(f"{part}_{key}") for key in keys}
    return {key: count for key, count in counts.items() if count is not None}


def _has_reported(row: Row, sheet: Worksheet) -> bool:
    has_numbers = any(any(tallies.values()) for tallies in (sheet.first, sheet.final, sheet.delegates))
    return has_numbers or bool(sheet.headcount) or ("code" in row.cells and sheet.headcount == 0)

"""Roster rows as values, and what must hold between them: codes, names, areas and sums.

Each check notes its problems at the row that must change. A number that could not be read stands as 0 until
`Problems.stop_if_any`, and no sum is judged with it, so one slip is listed once. So do the SDEs of a contest that has
none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from hotline.caucus import hours
from hotline.caucus.codes import check_digit, is_valid
from hotline.caucus.contest import County, Pool, Precinct
from hotline.caucus.rows import Row
from hotline.telephone_numbers import read_number

_CODE = re.compile(r"[0-9]{5}", re.ASCII)
ROLES = ("chair", "secretary", "county chair")
"""Whose a number in chairs.csv may be. A substitute enrolled on the night stands in no file."""
_UNREAD = Fraction(0)

T = TypeVar("T")


@dataclass(frozen=True)
class ChairNumber:
    """A telephone number on file (E.164), the code of a precinct it may report, and whose it is: one of `ROLES`, or
    "substitute" when staff enrolled it on the night."""

    number: str
    precinct: str
    role: str


@dataclass(frozen=True)
class Listed(Generic[T]):
    """A value with the row it came from, so that a later check can name the line."""

    row: Row
    value: T


def county(row: Row, has_equivalents: bool) -> Listed[County]:
    """A row of counties.csv; the column `equivalents` is read where the contest has them."""
    delegates, equivalents = row.whole("delegates", least=1) or 0, _equivalents(row, has_equivalents)
    return Listed(row, County(row.text("county"), delegates, equivalents))


def pool(row: Row, has_equivalents: bool) -> Listed[Pool]:
    """A row of satellite_pools.csv, read likewise."""
    return Listed(row, Pool(row.text("pool"), _equivalents(row, has_equivalents), row.optional("spoken")))


def precinct(row: Row) -> Listed[Precinct]:
    """A row of precincts.csv."""
    return _site(row, "county", row.whole("delegates", least=1) or 0)


def satellite(row: Row) -> Listed[Precinct]:
    """A row of satellites.csv; its delegates depend on its headcount."""
    return _site(row, "pool", None)


def chair(row: Row, codes: Collection[str]) -> Listed[ChairNumber]:
    """A row of chairs.csv. `codes` are the precincts there are. A number is never repeated: it is personal data."""
    read, code, role = read_number(row.optional("number")), row.text("code"), row.text("role").casefold()
    if read.problem:
        row.note("number", read.problem)
    elif read.is_doubtful:
        row.doubt("number", "is kept, but no such number is known to be given out; see whether it is written right")
    if code and code not in codes:
        row.note("code", f"{code!r} is no precinct of this contest")
    if role and role not in ROLES:
        row.note("role", f"{role!r} must be one of {', '.join(ROLES)}")
    return Listed(row, ChairNumber(read.number, code, role))


def check_codes(sites: Sequence[Listed[Precinct]]) -> None:
    """Every code is four digits and their check digit, and no two sites share one."""
    first: dict[str, Row] = {}
    for site in sites:
        code = site.value.code
        if not code:
            continue
        if not _CODE.fullmatch(code):
            site.row.note("code", f"{code!r} must be five digits; keep leading zeros, format the column as text")
        elif not is_valid(code):
            wanted = code[:4] + check_digit(code[:4])
            site.row.note("code", f"{code} has a wrong check digit; if {code[:4]} is meant, write {wanted}")
        _refuse_repeat(site.row, "code", code, code, first)


def check_names(sites: Sequence[Listed[Precinct]]) -> None:
    """No two sites of one county or pool share a name, on paper or as spoken."""
    names: dict[tuple[str, str], Row] = {}
    spoken: dict[tuple[str, str], Row] = {}
    for site in sites:
        area, name, said = site.value.county, site.value.name, site.value.spoken
        if name and _refuse_repeat(site.row, "name", name, (area, name.casefold()), names):
            _refuse_repeat(site.row, "spoken", said, (area, said.casefold()), spoken)


def check_areas(
    areas: Sequence[Listed[County] | Listed[Pool]], sites: Sequence[Listed[Precinct]], column: str, file: str
) -> None:
    """Every site's county (or pool: `column`) is listed in `file` once, and none is listed without a site."""
    first: dict[str, Row] = {}
    for area in areas:
        if area.value.name:
            _refuse_repeat(area.row, column, area.value.name, area.value.name, first)
    used = {site.value.county for site in sites}
    for site in sites:
        name = site.value.county
        if name and name not in first:
            site.row.note(column, f"{name!r} is not in {file}; add it there or correct it here")
    for name, row in first.items():
        if name not in used:
            row.note(column, f"{name} has no site; add its sites or take it out")


def check_sums(counties: Sequence[Listed[County]], sites: Sequence[Listed[Precinct]]) -> None:
    """A county's delegates are the sum of its precincts' delegates."""
    elected: dict[str, list[int]] = defaultdict(list)
    for site in sites:
        elected[site.value.county].append(site.value.delegates or 0)
    for listed in counties:
        numbers, delegates = elected[listed.value.name], listed.value.delegates
        if delegates and numbers and all(numbers) and sum(numbers) != delegates:
            text = f"{listed.value.name} has {delegates} delegates but its precincts elect {sum(numbers)}; correct one"
            listed.row.note("delegates", text)


def check_numbers(numbers: Iterable[Listed[ChairNumber]]) -> None:
    """One number may report several precincts, but each of them is listed once."""
    first: dict[tuple[str, str], Row] = {}
    for listed in numbers:
        if not listed.value.number:
            continue
        key = (listed.value.number, listed.value.precinct)
        _refuse_repeat(listed.row, "number", "this number for this precinct", key, first)


def _equivalents(row: Row, has_equivalents: bool) -> Fraction:
    return (row.fraction("equivalents") or _UNREAD) if has_equivalents else _UNREAD


def _site(row: Row, column: str, delegates: int | None) -> Listed[Precinct]:
    name = row.text("name")
    spoken = row.text("spoken") if row.optional("spoken") else name
    code, area = row.text("code"), row.text(column)
    return Listed(row, Precinct(code, area, name, spoken, delegates, _past_attendance(row), hours.of_row(row)))


def _past_attendance(row: Row) -> int | None:
    """The column `past_attendance`, which need not be there, nor be filled in for every site."""
    return row.whole("past_attendance", least=1) if row.optional("past_attendance") else None


def _refuse_repeat(row: Row, column: str, shown: str, key: T, first: dict[T, Row]) -> bool:
    """Note a value already met, naming where; whether it is new."""
    if key in first:
        row.note(column, f"{shown} is there already, at {first[key].place()}; each must be its own")
        return False
    first[key] = row
    return True

"""A report as a worksheet on a page: groups down, alignments across, versions side by side, findings at their cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotline.caucus.contest import Contest
from hotline.caucus.worksheet import Finding
from hotline.services.corrections import HEADCOUNT, SECTIONS, values_of
from hotline.services.review_card import Card, Version

TOTALS = ("first", "final", "delegates")
SHOWN = 4
"""Versions side by side; older ones stand below, whole."""


@dataclass(frozen=True)
class Cell:
    """One number. `was`: in the version it corrects, where that differs. `marks`: the findings that speak of it, by
    their place in the list. `proposed`: what it is to become, or None."""

    field: str
    value: int | None
    was: int | None = None
    marks: tuple[int, ...] = ()
    proposed: int | None = None


@dataclass(frozen=True)
class Row:
    """A group's numbers, three a version; or the totals."""

    name: str
    key: str
    cells: tuple[Cell, ...]
    is_empty: bool


@dataclass(frozen=True)
class Grid:
    """The worksheet. `headcounts` has one cell a version."""

    versions: tuple[Version, ...]
    rows: tuple[Row, ...]
    totals: Row
    headcounts: tuple[Cell, ...]


def grid(card: Card, contest: Contest) -> Grid:
    """The newest versions of a card side by side, the newest first."""
    versions = card.versions[:SHOWN]
    marks = marks_of(card.findings, contest)
    columns = [_column(card, version, contest, marks) for version in versions]
    rows = tuple(
        _row(each.name, each.key, [column[f"{section}.{each.key}"] for column in columns for section in SECTIONS])
        for each in contest.preferences
    )
    totals = _row("Total", "", [column[section] for column in columns for section in SECTIONS])
    return Grid(versions, rows, totals, tuple(column[HEADCOUNT] for column in columns))


def marks_of(findings: Sequence[Finding], contest: Contest) -> dict[str, tuple[int, ...]]:
    """Which findings, by their place from 1, speak of which field or total."""
    marks: dict[str, tuple[int, ...]] = {}
    for place, finding in enumerate(findings, 1):
        for field in cells_of(finding, contest):
            marks[field] = (*marks.get(field, ()), place)
    return marks


def cells_of(finding: Finding, contest: Contest) -> tuple[str, ...]:
    """The fields and totals a finding speaks of: those it names numbers of, and its groups in its section.

    What happened between the alignments is seen in both.
    """
    known = {HEADCOUNT, *TOTALS, *(f"{section}.{key}" for section in SECTIONS for key in contest.keys)}
    sections = ("first", "final") if finding.section == "final" else (finding.section,)
    named = [f"{section}.{group}" for group in finding.groups for section in sections]
    return tuple(field for field in dict.fromkeys((*finding.numbers, *named)) if field in known)


def _column(card: Card, version: Version, contest: Contest, marks: Mapping[str, tuple[int, ...]]) -> dict[str, Cell]:
    """One version's cells by field or total."""
    is_current = card.current is not None and card.current.seq == version.seq
    base = next((each for each in card.versions if each.confirmed.version == version.confirmed.base), None)
    values = _values(contest, version)
    before = _values(contest, base) if base else values
    proposed = card.proposal.changes if card.proposal and is_current else {}
    return {
        field: Cell(
            field,
            value,
            was=before[field] if before[field] != value else None,
            marks=marks.get(field, ()) if is_current else (),
            proposed=proposed.get(field),
        )
        for field, value in values.items()
    }


def _values(contest: Contest, version: Version) -> dict[str, int]:
    sheet = version.worksheet
    values = values_of(contest, sheet)
    sums = {"first": sheet.first, "final": sheet.final, "delegates": sheet.delegates}
    return {**values, **{section: sum(tallies.values()) for section, tallies in sums.items()}}


def _row(name: str, key: str, cells: Sequence[Cell]) -> Row:
    said = any(cell.value or cell.was or cell.proposed for cell in cells)
    return Row(name, key, tuple(cells), not said)

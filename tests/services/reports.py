"""Reports put straight into a line's ledger, for tests of what is made of them."""

from __future__ import annotations

from collections.abc import Mapping

from hotline.caucus.worksheet import Worksheet
from hotline.caucus.worksheets import read_worksheets
from hotline.events.kinds import ReportConfirmed
from hotline.services.line import Line
from hotline.settings import config_folder

SOUND = {"Biden": 30, "Buttigieg": 40, "Klobuchar": 10, "Sanders": 20}, {"Biden": 30, "Buttigieg": 50, "Sanders": 20}
"""A first and a final alignment of 100 people that break no rule."""
BY_RULE: Mapping[str, Mapping[str, int]] = {
    "00013": {"Biden": 2, "Buttigieg": 4, "Sanders": 2},
    "00021": {"Biden": 3, "Buttigieg": 6, "Sanders": 2},
}
"""What two Adair precincts, electing 8 and 11, award by the rule for `SOUND`."""


def worksheet(code: str = "00013", **changed: Mapping[str, int]) -> Worksheet:
    """A sound worksheet of one of the precincts in `BY_RULE`, with parts changed."""
    parts = {"first": SOUND[0], "final": SOUND[1], "delegates": BY_RULE[code], **changed}
    return Worksheet(100, parts["first"], parts["final"], parts["delegates"])


def confirm(line: Line, code: str, sheet: Worksheet, version: int = 1, base: int | None = None) -> None:
    """Record a version of a report, as a call would: a correction of the one before, unless `base` is another."""
    line.ledger.append([confirmed(code, sheet, version, base)])


def confirmed(code: str, sheet: Worksheet, version: int = 1, base: int | None = None) -> ReportConfirmed:
    assert sheet.headcount is not None
    base = version - 1 if base is None else base
    return ReportConfirmed(
        code, version, f"{version:06d}", sheet.headcount, sheet.first, sheet.final, sheet.delegates, "rule", (), base
    )


def iowa(line: Line) -> dict[str, Worksheet]:
    """Every worksheet of 2020 as the rehearsal's chairs key it: unknown headcounts are the larger alignment."""
    file = config_folder() / "contests" / "iowa-2020" / "worksheets.csv"
    sheets = read_worksheets(line.contest, file.read_bytes())
    return {
        code: Worksheet(
            sheet.headcount
            if sheet.headcount is not None
            else max(sum(sheet.first.values()), sum(sheet.final.values())),
            sheet.first,
            sheet.final,
            sheet.delegates,
        )
        for code, sheet in sheets.items()
    }

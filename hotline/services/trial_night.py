"""A whole night's reports in a ledger and in the results, without a call: what publishing is measured on."""

from __future__ import annotations

from collections.abc import Mapping

from hotline.caucus.worksheet import Worksheet
from hotline.events.kinds import ReportConfirmed
from hotline.services.line import Line
from hotline.services.tabulation import rebuild
from hotline.store.projections import Result


def keep_night(line: Line, sheets: Mapping[str, Worksheet]) -> None:
    """Confirm every worksheet of a precinct that has not reported, work all results out at once and keep them."""
    reported = line.ledger.standings()
    line.ledger.append([_confirmed(line, code, sheet) for code, sheet in sheets.items() if code not in reported])
    outcomes = rebuild(line)
    with line.projections.tabulating() as work:
        for code, outcome in outcomes.items():
            work.standing(code)  # so that the jobs of the report are acknowledged with its result
            result = Result(code, 0, outcome.status, outcome.version, outcome.origin, outcome.worksheet)
            work.put(result, outcome.findings)


def _confirmed(line: Line, code: str, sheet: Worksheet) -> ReportConfirmed:
    number = line.numbers.confirmation(code, 1)
    return ReportConfirmed(
        code, 1, number, sheet.headcount or 0, sheet.first, sheet.final, sheet.delegates, "worksheet"
    )

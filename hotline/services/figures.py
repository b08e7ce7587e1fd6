"""Figures as documents: totals, progress, one area, one site, one finding. Shapes only; `publication` decides of what.

Where a contest has no state delegate equivalents they are left out, not printed as zeros, and delegates say who leads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from hotline.caucus.contest import Contest
from hotline.caucus.early import folded
from hotline.caucus.equivalents import shown
from hotline.caucus.tabulate import Area, Totals
from hotline.caucus.worksheet import Finding
from hotline.services.chance import TIE, is_settled_by_chance, winners_of
from hotline.services.tabulation import Outcome

Document = dict[str, Any]


def progress(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How far the reports are in. `reported` counts held ones too: what was heard is heard."""
    status = Counter(outcome.status for outcome in outcomes)
    return {
        "total": status.total(),
        "reported": status["counted"] + status["held"],
        "held": status["held"],
        "closed": status["closed"],
        "outstanding": status["outstanding"],
    }


def area_document(contest: Contest, area: Area, sites: Sequence[Outcome], found: Iterable[Document]) -> Document:
    """One county or pool. Of its findings only broken rules: notices are in the list of all.

    "chance" lists the codes of its precincts where a tie was settled by chance, held ones too.
    """
    document = {
        "precincts": progress(sites),
        "totals": totals_document(contest, area.totals),
        "findings": [row for row in found if row["county"] == area.name and row["severity"] == "hard"],
        "chance": [site.precinct for site in sites if is_settled_by_chance(contest, site)],
    }
    return {**document, "provisional": area.provisional} if area.shares else document


def totals_document(contest: Contest, totals: Totals) -> dict[str, Document]:
    """Figures by preference key, in worksheet order."""
    counts = {
        key: {"first": totals.first[key], "final": totals.final[key], "delegates": totals.delegates[key]}
        for key in totals.sde
    }
    if not contest.has_equivalents:
        return dict(counts)
    return {
        key: {**counts[key], "sde": shown(sde), "sde_exact": f"{sde.numerator}/{sde.denominator}"}
        for key, sde in totals.sde.items()
    }


def site_document(contest: Contest, outcome: Outcome) -> Document:
    """One precinct or satellite: its standing, its numbers with early ballots in them, and every finding.

    `first` and `final` are people, None without a report; `delegates` by preference key, those without any left out.
    """
    precinct = contest.precincts[outcome.precinct]
    sheet = folded(contest, precinct, outcome.worksheet) if outcome.worksheet else None
    won = sheet.delegates if sheet else {}
    return {
        "code": precinct.code,
        "name": precinct.name,
        "status": outcome.status,
        "headcount": sheet.headcount if sheet else None,
        "first": sum(sheet.first.values()) if sheet else None,
        "final": sum(sheet.final.values()) if sheet else None,
        "delegates": {key: won[key] for key in contest.keys if won.get(key)},
        "by_chance": is_settled_by_chance(contest, outcome),
        "findings": site_findings(contest, precinct.code, outcome.findings, winners_of(contest, outcome)),
    }


def site_findings(
    contest: Contest, code: str, findings: Iterable[Finding], winners: Sequence[str] = ()
) -> list[Document]:
    """What was found at one precinct. A tie is told with the groups it went to, where it was settled by chance."""
    county = contest.precincts[code].county
    rows = [finding_document(finding, code, county) for finding in findings]
    names = ", ".join(contest.by_key[key].spoken for key in winners)
    return [
        {**row, "message": f"{row['message']}; settled by chance: {names}"} if names and row["code"] == TIE else row
        for row in rows
    ]


def finding_document(finding: Finding, precinct: str, county: str) -> Document:
    """One finding; `precinct` is "" where it is about a whole county or pool."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "precinct": precinct,
        "county": county,
        "message": finding.message,
        "numbers": dict(finding.numbers),
    }


def measure(figures: Mapping[str, Any]) -> Fraction:
    """What decides who leads: the exact equivalents of some totals, or the delegates where there are no equivalents."""
    return Fraction(figures["sde_exact"] if "sde_exact" in figures else figures["delegates"])


def ranked(totals: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Preferences by what decides, then by people in the final and first alignment, most first."""
    return sorted(totals.items(), key=lambda each: (-measure(each[1]), -each[1]["final"], -each[1]["first"]))

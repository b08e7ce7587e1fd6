"""Results and findings as everybody may see them: totals, progress and a status word, and nothing about a person.

The documents are those of `hotline results`, `hotline checks` and `/results.json`. Figures come from the kept results,
or for an earlier moment from the ledger itself; either way they are summed from scratch, exactly, and rounded only to
be shown. Early ballots are in them: an outcome's worksheet is as keyed for the room, and is folded here. How often they
are worked out is the caller's business.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hotline.caucus.across import area_findings, duplicates
from hotline.caucus.contest import Contest
from hotline.caucus.early import folded_sheets
from hotline.caucus.tabulate import Tabulation, tabulate
from hotline.caucus.worksheet import Finding, Worksheet
from hotline.services.chance import winners, winners_of
from hotline.services.figures import (
    Document,
    area_document,
    finding_document,
    progress,
    site_document,
    site_findings,
    totals_document,
)
from hotline.services.line import Line
from hotline.services.tabulation import Outcome, of_everybody, rebuild
from hotline.store.text import instant


@dataclass(frozen=True)
class Night:
    """Every precinct's outcome at one moment: the ledger up to event `as_of`. `at` is when that was."""

    as_of: int
    at: str
    outcomes: Mapping[str, Outcome]
    is_rehearsal: bool = False


def night(line: Line, as_of: int | None = None) -> Night:
    """The night as the workers last left it, or as it stood after event `as_of`, worked out again."""
    if as_of is None:
        as_of, outcomes = _kept(line)
    else:
        outcomes = rebuild(line, as_of)
    at = [each.at for each in line.ledger.events(after=as_of - 1, upto=as_of)] or [instant(line.clock.now())]
    return Night(as_of, at[0], outcomes, line.roster.is_rehearsal())


def results(line: Line, as_of: int | None = None, include_held: bool = False) -> Document:
    """The results document, held reports outside the totals unless `include_held`.

    Counties and pools stand under "counties" in roster order; a pool with sites outstanding is marked "provisional".
    "unofficial-complete" means that every site has reported or is closed and no report is held. "rehearsal" stands
    there, true, when these are no real reports.
    """
    return results_of(line.contest, night(line, as_of), include_held)


def results_of(contest: Contest, at: Night, include_held: bool = False) -> Document:
    """The results document of a night."""
    tabulation = _tabulated(contest, at.outcomes, include_held)
    sites: dict[str, list[Outcome]] = defaultdict(list)
    for code, precinct in contest.precincts.items():
        sites[precinct.county].append(at.outcomes[code])
    found = findings_of(contest, at)
    precincts = progress(at.outcomes.values())
    is_complete = not precincts["outstanding"] and not precincts["held"]
    mark = {"rehearsal": True} if at.is_rehearsal else {}
    return {
        **mark,
        "contest": contest.name,
        "title": contest.title,
        "status": "unofficial-complete" if is_complete else "unofficial-partial",
        "as_of": at.as_of,
        "at": at.at,
        "precincts": precincts,
        "totals": totals_document(contest, tabulation.statewide),
        "counties": {name: area_document(contest, area, sites[name], found) for name, area in tabulation.areas.items()},
        "held_included": include_held,
    }


def findings(line: Line, as_of: int | None = None) -> list[Document]:
    """Every finding, of reports and of complete counties and pools, by code, county and precinct."""
    return findings_of(line.contest, night(line, as_of))


def findings_of(contest: Contest, at: Night) -> list[Document]:
    """Every finding of a night. Whether a county sums to its equivalents is judged with held reports counted."""
    sheets = _sheets(contest, at.outcomes, include_held=True)
    of_areas = area_findings(contest, _tabulated(contest, at.outcomes, include_held=True), sheets)
    rows = [
        row
        for code, outcome in at.outcomes.items()
        if outcome.findings
        for row in site_findings(contest, code, outcome.findings, winners_of(contest, outcome))
    ]
    return _in_order(rows, of_areas)


def findings_of_sheets(contest: Contest, sheets: Mapping[str, Worksheet]) -> list[Document]:
    """Every finding of published worksheets, by precinct code, in the same shape.

    What is published has early ballots in it already: nothing is folded in, and duplicates are figures published alike.
    """
    found = {code: [*of_everybody(contest, code, sheet)] for code, sheet in sheets.items()}
    for code, finding in duplicates(contest, sheets).items():
        found[code].append(finding)
    rows = [
        row
        for code, several in found.items()
        for row in site_findings(contest, code, several, winners(contest, code, sheets[code], several))
    ]
    return _in_order(rows, area_findings(contest, tabulate(contest, sheets), sheets))


def sites_of(contest: Contest, at: Night, area: str) -> list[Document]:
    """Every precinct of a county, or site of a pool, in roster order: standing, numbers and findings."""
    return [
        site_document(contest, at.outcomes[code]) for code, site in contest.precincts.items() if site.county == area
    ]


def _in_order(rows: Iterable[Document], of_areas: Mapping[str, Finding]) -> list[Document]:
    """Findings of precincts, and of areas by name, as one list: by code, county and precinct."""
    areas = [finding_document(finding, "", name) for name, finding in of_areas.items()]
    return sorted([*rows, *areas], key=lambda row: (row["code"], row["county"], row["precinct"]))


def as_csv(document: Mapping[str, Any]) -> str:
    """The results document as a table: one row per area and preference, the whole contest first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("area", "preference", *next(iter(document["totals"].values()))))
    areas = {"": document, **document["counties"]}
    for name, area in areas.items():
        for key, figures in area["totals"].items():
            writer.writerow((name or document["contest"], key, *figures.values()))
    return out.getvalue()


def _kept(line: Line) -> tuple[int, dict[str, Outcome]]:
    kept, named, as_of = line.projections.published()
    found: dict[str, list[Finding]] = defaultdict(list)
    for each in named:
        found[each.precinct].append(each.finding)
    outcomes = {code: Outcome(code, "outstanding") for code in line.contest.precincts}
    for code, result in kept.items():
        if code in outcomes:
            outcomes[code] = Outcome(
                code, result.status, result.version, result.origin, result.worksheet, tuple(found[code])
            )
    return as_of, outcomes


def _tabulated(contest: Contest, outcomes: Mapping[str, Outcome], include_held: bool) -> Tabulation:
    closed = {code for code, outcome in outcomes.items() if outcome.status == "closed"}
    return tabulate(contest, _sheets(contest, outcomes, include_held), closed)


def _sheets(contest: Contest, outcomes: Mapping[str, Outcome], include_held: bool) -> dict[str, Worksheet]:
    """The worksheets that count, with the early ballots."""
    keyed = {
        code: outcome.worksheet
        for code, outcome in outcomes.items()
        if outcome.worksheet is not None and (include_held or outcome.status == "counted")
    }
    return folded_sheets(contest, keyed)

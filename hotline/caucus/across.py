"""Checks across reports: what no single worksheet shows. Pure; a worker runs them again on each new report.

`record` is what two reports are compared by, so that a store can find the others by an index instead of reading all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from hotline.caucus.case import Case
from hotline.caucus.contest import Contest, Precinct
from hotline.caucus.early import in_the_room
from hotline.caucus.equivalents import shown
from hotline.caucus.tabulate import Area, Tabulation
from hotline.caucus.viability import allotment, assumed_headcount, threshold, viable
from hotline.caucus.worksheet import Finding, Tallies, Worksheet

FEWEST_FOR_A_DUPLICATE = 20
"""People in both alignments together, below which two precincts may well agree by accident."""


def record(worksheet: Worksheet) -> str | None:
    """Both alignments as one text, the same for equal ones; None when too few people aligned to tell anything.

    To be asked of the numbers as keyed: early ballots folded in would make copies of one worksheet differ.
    """
    if sum(worksheet.first.values()) + sum(worksheet.final.values()) < FEWEST_FOR_A_DUPLICATE:
        return None
    return f"{_written(worksheet.first)}|{_written(worksheet.final)}"


def duplicate_of(contest: Contest, precinct: Precinct, worksheet: Worksheet, others: Sequence[str]) -> Finding | None:
    """DUPLICATE_RECORD when other precincts (codes) reported the same `record`; None when there are none."""
    codes = [code for code in others if code != precinct.code]
    if not codes:
        return None
    names = "; ".join(_place(contest.precincts[code]) for code in codes)
    first, final = sum(worksheet.first.values()), sum(worksheet.final.values())
    text = f"{_place(precinct)}: both alignments ({first} and {final} people) equal those of {names}"
    return Finding("DUPLICATE_RECORD", "hard", "final", text, {"first": first, "final": final, "others": len(codes)})


def duplicates(contest: Contest, sheets: Mapping[str, Worksheet]) -> dict[str, Finding]:
    """DUPLICATE_RECORD for every precinct whose alignments another one reported too, by code."""
    alike: dict[str, list[str]] = defaultdict(list)
    for code, sheet in sheets.items():
        if (written := record(sheet)) is not None:
            alike[written].append(code)
    found = (
        (code, duplicate_of(contest, contest.precincts[code], sheets[code], codes))
        for codes in alike.values()
        for code in codes
    )
    return {code: finding for code, finding in found if finding is not None}


def column_shift(contest: Contest, precinct: Precinct, worksheet: Worksheet) -> Finding | None:
    """COLUMN_SHIFT when a group viable at first is empty in the final alignment and its neighbour has its people.

    The neighbour, next in worksheet order on either side, has at least as many in the final as the group had; if it was
    viable itself, its own people must have moved on the same way. Such groups may not move, so columns were confused.
    Early ballots stay in a viable group's own column whatever is keyed, so the columns looked at are the room's.
    """
    headcount = assumed_headcount(worksheet)
    elected = allotment(contest, precinct, headcount)
    if elected < 2:
        return None
    room = in_the_room(contest, precinct, worksheet)
    reaching = viable(worksheet.first, threshold(contest.rules, elected, headcount))
    locked = {group: room.first[group] for group in reaching if room.first[group] > 0}
    pairs = [
        (contest.keys[at], contest.keys[at + step])
        for step in (1, -1)
        for at in range(len(contest.keys))
        if _moved_over(contest.keys, locked, room.final, at, step)
    ]
    if not pairs:
        return None
    told = ", ".join(
        f"{contest.by_key[group].spoken} {locked[group]} then 0, {contest.by_key[beside].spoken} beside it "
        f"{room.first.get(beside, 0)} then {room.final[beside]}"
        for group, beside in pairs
    )
    text = f"{_place(precinct)}: {told}: an alignment looks moved one preference over"
    return Finding("COLUMN_SHIFT", "hard", "final", text, {"groups": len(pairs)}, tuple(group for group, _ in pairs))


def area_findings(contest: Contest, tabulation: Tabulation, sheets: Mapping[str, Worksheet]) -> dict[str, Finding]:
    """What complete counties and pools do not sum to, by area; these findings hold no report themselves.

    Where there are equivalents: COUNTY_SDE_OFF_ALLOTMENT and POOL_SDE_OFF_ALLOTMENT. Where delegates turn into nothing:
    COUNTY_DELEGATES_OFF_ALLOTMENT and POOL_DELEGATES_OFF_ALLOTMENT, when the sites that had something to divide do not
    award what they elect. `groups` lists the codes of the suspects: sites that did not award what they elect; where
    there are equivalents closed sites too, for theirs are missing in the sum.
    """
    sites: dict[str, list[Precinct]] = defaultdict(list)
    for precinct in contest.precincts.values():
        sites[precinct.county].append(precinct)
    judge = _off_allotment if contest.has_equivalents else _off_delegates
    found = (
        (name, judge(contest, area, sites[name], sheets)) for name, area in tabulation.areas.items() if area.is_complete
    )
    return {name: finding for name, finding in found if finding is not None}


def _moved_over(keys: Sequence[str], locked: Mapping[str, int], final: Tallies, at: int, step: int) -> bool:
    """Whether the group at `at` vanished and it, and every viable group in its way, stands one place further."""
    if keys[at] not in locked or final.get(keys[at], 0):
        return False
    while keys[at] in locked:
        beside = at + step
        if not 0 <= beside < len(keys) or final.get(keys[beside], 0) < locked[keys[at]]:
            return False
        at = beside
    return True


def _suspects(
    contest: Contest, sites: Sequence[Precinct], sheets: Mapping[str, Worksheet]
) -> Iterator[tuple[str, str]]:
    """(code, what it awarded of what it elects) for each site that is off."""
    for site in sites:
        sheet = sheets.get(site.code)
        if sheet is None:
            if not site.is_satellite:
                yield site.code, f"{site.name} (closed)"
            continue
        elected, awarded = _elected(contest, site, sheet), sum(sheet.delegates.values())
        if awarded != elected:
            yield site.code, f"{site.name} ({awarded} of {elected})"


def _elected(contest: Contest, site: Precinct, sheet: Worksheet) -> int:
    """The delegates the rule set lets the site award; a rule set by which each viable group keeps one may add some."""
    headcount = assumed_headcount(sheet)
    elected = allotment(contest, site, headcount)
    if contest.rules.more_viable_than_delegates == "each-keeps-one" and elected > 1:
        return max(elected, len(viable(sheet.final, threshold(contest.rules, elected, headcount))))
    return elected


def _off_allotment(
    contest: Contest, area: Area, sites: Sequence[Precinct], sheets: Mapping[str, Worksheet]
) -> Finding | None:
    """The finding of one complete area whose SDEs do not sum to its allotment, exactly."""
    allotted = (contest.pools if area.is_pool else contest.counties)[area.name].equivalents
    total = sum(area.totals.sde.values(), Fraction(0))
    suspects = list(_suspects(contest, sites, sheets))
    if total == allotted or not suspects or not area.reported:
        return None
    code = "POOL_SDE_OFF_ALLOTMENT" if area.is_pool else "COUNTY_SDE_OFF_ALLOTMENT"
    text = (
        f"{area.name}: sites sum to {shown(total)} {contest.units.equivalents}, allotted {shown(allotted)}; "
        f"look at {', '.join(words for _, words in suspects)}"
    )
    numbers = {"delegates": sum(area.totals.delegates.values()), "suspects": len(suspects)}
    return Finding(code, "hard", "delegates", text, numbers, tuple(code for code, _ in suspects))


def _off_delegates(
    contest: Contest, area: Area, sites: Sequence[Precinct], sheets: Mapping[str, Worksheet]
) -> Finding | None:
    """The finding of one complete area whose sites do not award the delegates they elect, taken together."""
    dividing = [site for site in sites if site.code in sheets and _divides(contest, site, sheets[site.code])]
    due = sum(_elected(contest, site, sheets[site.code]) for site in dividing)
    awarded = sum(sum(sheets[site.code].delegates.values()) for site in dividing)
    if due == awarded:
        return None
    code = "POOL_DELEGATES_OFF_ALLOTMENT" if area.is_pool else "COUNTY_DELEGATES_OFF_ALLOTMENT"
    suspects = list(_suspects(contest, dividing, sheets))
    text = (
        f"{area.name}: sites award {awarded} {contest.units.delegates}, elected {due}; "
        f"look at {', '.join(words for _, words in suspects)}"
    )
    return Finding(
        code,
        "hard",
        "delegates",
        text,
        {"delegates": awarded, "elected": due, "suspects": len(suspects)},
        tuple(code for code, _ in suspects),
    )


def _divides(contest: Contest, site: Precinct, sheet: Worksheet) -> bool:
    """Whether there was anything to divide: not where nobody came, nor where no group was viable."""
    return Case(contest, site, sheet, assumed_headcount(sheet)).allocates


def _written(tallies: Tallies) -> str:
    return ",".join(f"{group}={count}" for group, count in sorted(tallies.items()) if count)


def _place(precinct: Precinct) -> str:
    return f"{precinct.county}, {precinct.name}"

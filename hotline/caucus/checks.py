"""Checks on one report: does what the worksheet says obey the rules? One function per rule, all listed in CHECKS.

A check answers with a `Breach` or None; here findings are made of them. In `Finding.numbers` totals are named
headcount, first, final, delegates, allotment, threshold, viable, outcomes, seats and largest, one group's counts
"first.Biden", "final.Biden" and "delegates.Biden"; `assumed_headcount` is there when nobody took a headcount and one
had to be assumed.

Where the headcount is unknown, a hard finding that rests on it stands only if no headcount a room may have had explains
it: from the larger alignment (the first, for what rests on the first alone) to a tenth and three people more. Otherwise
it is a notice. Each code is judged by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from hotline.caucus import alignment_checks, delegate_checks
from hotline.caucus.case import Breach, Case
from hotline.caucus.contest import Contest, Precinct
from hotline.caucus.viability import assumed_headcount
from hotline.caucus.worksheet import Finding, Section, Severity, Worksheet


@dataclass(frozen=True)
class Check:
    """A rule: its code, how much it matters, the section of the worksheet that shows it, and the function that judges.

    `headcount` says how far a verdict rests on the headcount: not at all, on that of the "first" alignment alone (a
    headcount is at least the first alignment), or on "both" (at least either alignment).
    """

    code: str
    severity: Severity
    section: Section
    headcount: Literal["none", "first", "both"]
    judge: Callable[[Case], Breach | None]


CHECKS: tuple[Check, ...] = (
    Check("FIRST_EXCEEDS_HEADCOUNT", "hard", "first", "first", alignment_checks.first_exceeds_headcount),
    Check("NOBODY_CAME", "notice", "first", "both", alignment_checks.nobody_came),
    Check("FINAL_EXCEEDS_FIRST", "hard", "final", "none", alignment_checks.final_exceeds_first),
    Check("NO_VIABLE_GROUP", "hard", "final", "both", alignment_checks.no_viable_group),
    Check("VIABLE_GROUP_SHRANK", "hard", "final", "first", alignment_checks.viable_group_shrank),
    Check("GROUP_BELOW_THRESHOLD_KEPT", "notice", "final", "both", alignment_checks.group_below_threshold_kept),
    Check("ROUND_MISMATCH", "notice", "final", "none", alignment_checks.round_mismatch),
    Check("EMPTY_GROUP_GIVEN_DELEGATES", "hard", "delegates", "both", delegate_checks.empty_group_given_delegates),
    Check("NONVIABLE_GIVEN_DELEGATES", "hard", "delegates", "both", delegate_checks.nonviable_given_delegates),
    Check("VIABLE_WITHOUT_DELEGATE", "hard", "delegates", "both", delegate_checks.viable_without_delegate),
    Check("DELEGATES_OVER_ALLOTMENT", "hard", "delegates", "both", delegate_checks.delegates_over_allotment),
    Check("DELEGATES_UNDER_ALLOTMENT", "hard", "delegates", "both", delegate_checks.delegates_under_allotment),
    Check("MORE_SUPPORT_FEWER_DELEGATES", "hard", "delegates", "both", delegate_checks.more_support_fewer_delegates),
    Check("DELEGATES_NOT_BY_RULE", "hard", "delegates", "both", delegate_checks.delegates_not_by_rule),
    Check(
        "SINGLE_DELEGATE_NOT_PLURALITY", "notice", "delegates", "both", delegate_checks.single_delegate_not_plurality
    ),
    Check("TIE_BY_CHANCE", "notice", "delegates", "both", delegate_checks.tie_by_chance),
)


def report_findings(contest: Contest, precinct: Precinct, worksheet: Worksheet) -> tuple[Finding, ...]:
    """Everything the checks find in a whole report, in the order of CHECKS."""
    return tuple(_findings(CHECKS, contest, precinct, worksheet))


def section_findings(
    contest: Contest, precinct: Precinct, section: Section, worksheet: Worksheet
) -> tuple[Finding, ...]:
    """What the checks of one section find, when the sections before it are filled in and those after it may not be."""
    return tuple(_findings(_BY_SECTION[section], contest, precinct, worksheet))


_BY_SECTION: dict[Section, tuple[Check, ...]] = {
    section: tuple(check for check in CHECKS if check.section == section) for section in ("first", "final", "delegates")
}


def _findings(
    checks: tuple[Check, ...], contest: Contest, precinct: Precinct, worksheet: Worksheet
) -> Iterator[Finding]:
    case = Case(contest, precinct, worksheet, assumed_headcount(worksheet))
    for check in checks:
        finding = _taken(check, case) if worksheet.headcount is not None else _assumed(check, case)
        if finding is not None:
            yield finding


def _taken(check: Check, case: Case) -> Finding | None:
    breach = check.judge(case)
    return _finding(check, case, check.severity, breach) if breach else None


def _assumed(check: Check, case: Case) -> Finding | None:
    """The finding when nobody took a headcount: hard only if it holds for every headcount there may have been."""
    if check.headcount == "none":
        return _taken(check, case)
    if check.headcount == "first":
        case = Case(case.contest, case.precinct, case.worksheet, case.first)
    breach = check.judge(case)
    if breach is None:
        return None
    marked = Breach(
        f"{breach.text} (assumed headcount {case.headcount})",
        {**breach.numbers, "assumed_headcount": case.headcount},
        breach.groups,
    )
    is_hard = check.severity == "hard" and not _is_explained(check, case)
    return _finding(check, case, "hard" if is_hard else "notice", marked)


def _is_explained(check: Check, case: Case) -> bool:
    """Whether some headcount from the case's own to ceil(1.1 x the larger alignment + 3) breaks no such rule."""
    most = -(-11 * max(case.first, case.final) // 10) + 3
    cases = (
        Case(case.contest, case.precinct, case.worksheet, headcount) for headcount in range(case.headcount, most + 1)
    )
    return any(check.judge(other) is None for other in cases)


def _finding(check: Check, case: Case, severity: Severity, breach: Breach) -> Finding:
    text = f"{case.precinct.county}, {case.precinct.name}: {breach.text}"
    return Finding(check.code, severity, check.section, text, breach.numbers, breach.groups)

"""What a chair has given so far of one report: a fold over its events, so the ledger alone can rebuild it.

Besides the numbers a draft knows what is still open: which sections must be checked (again), and which groups are
asked again although a number is there. Those two steer the questions and are no part of the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hotline.caucus.checks import CHECKS
from hotline.caucus.worksheet import Tallies, Worksheet
from hotline.dialog.values import replace
from hotline.events.kinds import (
    CorrectionOpened,
    DelegatesGiven,
    DelegatesSettled,
    Event,
    FindingsKept,
    HeadcountGiven,
    Origin,
    ReportConfirmed,
    ReportStarted,
    TallyGiven,
)


@dataclass(frozen=True)
class Draft:
    """One report in the making.

    `base` is the version being corrected, 0 for a first report. `kept` maps a section to the broken rules the chair
    was told of and kept. `checked` are the sections whose check was passed since they last changed; `again` the
    questions to be asked once more; `is_entering` that the delegates are entered rather than taken by rule.
    """

    base: int = 0
    headcount: int | None = None
    first: Tallies = field(default_factory=dict)
    final: Tallies = field(default_factory=dict)
    delegates: Tallies = field(default_factory=dict)
    origin: Origin | None = None
    kept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    is_entering: bool = False

    @property
    def is_begun(self) -> bool:
        """Whether there is anything in it to go on with."""
        return self.headcount is not None

    @property
    def has_empty_room(self) -> bool:
        """Whether the headcount is 0 and no group was given a person: there are no tallies to ask for."""
        return self.headcount == 0 and not any(self.first.values()) and not any(self.final.values())

    def counts(self, section: str) -> Tallies:
        """The counts given in one section, by group."""
        return {"first": self.first, "final": self.final, "delegates": self.delegates}[section]

    def worksheet(self) -> Worksheet:
        """The numbers given, as the rules read them."""
        return Worksheet(self.headcount, self.first, self.final, self.delegates)


def to_json(draft: Draft) -> dict[str, Any]:
    """The draft, ready for JSON."""
    return dict(vars(draft))


def from_json(stored: Mapping[str, Any]) -> Draft:
    """The draft that was stored."""
    lists = {name: tuple(stored.get(name, ())) for name in ("checked", "again")}
    kept = {section: tuple(codes) for section, codes in stored.get("kept", {}).items()}
    return Draft(**{**stored, **lists, "kept": kept})


def fold(events: tuple[Event, ...], filed: ReportConfirmed | None = None, draft: Draft | None = None) -> Draft:
    """The draft after `events`, in order. `filed` is the report a `CorrectionOpened` among them starts from."""
    draft = draft or Draft()
    for event in events:
        draft = record(draft, event, filed)
    return draft


def record(draft: Draft, event: Event, filed: ReportConfirmed | None = None) -> Draft:
    """The draft after one more event. A changed number sends its section, and all after it, back to their checks."""
    match event:
        case ReportStarted():
            return Draft()
        case CorrectionOpened():
            return draft if draft.base == event.version else _of_filed(event.version, filed)
        case HeadcountGiven():
            return _unsettled(draft, event.count != draft.headcount, headcount=event.count, checked=())
        case TallyGiven():
            return _tally(draft, event)
        case DelegatesGiven():
            given = {**draft.delegates, event.group: event.count}
            return replace(_answered(draft, "delegates", event.group), delegates=given, origin="worksheet")
        case DelegatesSettled():
            kept = {section: codes for section, codes in draft.kept.items() if section != "delegates"}
            return replace(draft, delegates=event.delegates, origin=event.origin, kept=kept, is_entering=False)
        case FindingsKept():
            return replace(draft, kept={**draft.kept, event.section: event.findings})
        case _:
            return draft


def _of_filed(version: int, filed: ReportConfirmed | None) -> Draft:
    if filed is None:
        return Draft(base=version)
    return Draft(
        base=version,
        headcount=filed.headcount,
        first=filed.first,
        final=filed.final,
        delegates=filed.delegates,
        origin=filed.origin,
        kept=_by_section(filed.kept),
        checked=("first", "final", "delegates"),
    )


def _by_section(codes: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    sections = {check.code: check.section for check in CHECKS}
    kept: dict[str, tuple[str, ...]] = {}
    for code in codes:
        section = sections.get(code, "delegates")
        kept[section] = (*kept.get(section, ()), code)
    return kept


def _tally(draft: Draft, event: TallyGiven) -> Draft:
    counts = draft.counts(event.alignment)
    is_changed = counts.get(event.group) != event.count
    given = {**counts, event.group: event.count}
    draft = _answered(draft, event.alignment, event.group)
    if event.alignment == "first":
        return _unsettled(draft, is_changed, first=given)
    return _unsettled(draft, is_changed, final=given)


def _answered(draft: Draft, section: str, group: str) -> Draft:
    order = ("first", "final", "delegates")
    before = order[: order.index(section)]
    return replace(
        draft,
        checked=tuple(done for done in draft.checked if done in before),
        again=tuple(question for question in draft.again if question != f"{section}.{group}"),
    )


def _unsettled(draft: Draft, is_changed: bool, **given: Any) -> Draft:
    """With `given` in it, and without a split that followed from the numbers it replaces."""
    if is_changed and draft.origin in ("rule", "chance"):
        given = {**given, "delegates": {}, "origin": None}
    return replace(draft, **given)

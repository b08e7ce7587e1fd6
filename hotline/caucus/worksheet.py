"""The worksheet: the numbers one precinct signs on paper, and what a check says of them. Plain values, no rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Tallies = Mapping[str, int]
"""Count per preference key, e.g. {"Biden": 12}. A preference that is absent counts 0."""

Section = Literal["first", "final", "delegates"]
"""The part of the worksheet a number stands in. The headcount is checked with the first alignment."""

Severity = Literal["hard", "notice"]


@dataclass(frozen=True)
class Worksheet:
    """One precinct's signed numbers, whole people and whole delegates.

    `headcount` is None where it was not collected (the published 2020 data outside satellites).
    """

    headcount: int | None
    first: Tallies
    final: Tallies
    delegates: Tallies


@dataclass(frozen=True)
class Finding:
    """What a check says of a report: a broken rule (`hard`) or something to know (`notice`).

    `message` names the precinct, the numbers and the rule in one sentence; `numbers` and `groups` are the same facts
    as data, for speech and pages.
    """

    code: str
    severity: Severity
    section: Section
    message: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    groups: tuple[str, ...] = ()

"""Broken rules in words: which numbers of a finding its prompt takes, and whether each group concerned is named."""

from __future__ import annotations

from dataclasses import dataclass

from hotline.caucus.worksheet import Finding
from hotline.dialog.reply import Words
from hotline.dialog.script import Script


@dataclass(frozen=True)
class Telling:
    """How one rule is told: its prompt, the totals in it, and for each group concerned a prompt with its counts."""

    prompt: str
    totals: tuple[str, ...] = ()
    group_prompt: str = ""
    columns: tuple[str, ...] = ()


TELLINGS = {
    "FIRST_EXCEEDS_HEADCOUNT": Telling("finding-first-exceeds-headcount", ("first", "headcount")),
    "FINAL_EXCEEDS_FIRST": Telling("finding-final-exceeds-first", ("final", "first")),
    "NO_VIABLE_GROUP": Telling("finding-no-viable-group", ("threshold", "largest")),
    "VIABLE_GROUP_SHRANK": Telling("finding-shrank", (), "finding-shrank-group", ("first", "final")),
    "EMPTY_GROUP_GIVEN_DELEGATES": Telling("finding-empty", (), "finding-empty-group", ("delegates",)),
    "NONVIABLE_GIVEN_DELEGATES": Telling(
        "finding-nonviable", ("threshold",), "finding-nonviable-group", ("final", "delegates")
    ),
    "VIABLE_WITHOUT_DELEGATE": Telling("finding-without", ("threshold",), "finding-without-group", ("final",)),
    "DELEGATES_OVER_ALLOTMENT": Telling("finding-over", ("delegates", "allotment")),
    "DELEGATES_UNDER_ALLOTMENT": Telling("finding-under", ("delegates", "allotment")),
    "MORE_SUPPORT_FEWER_DELEGATES": Telling("finding-order", (), "finding-order-group", ("final", "delegates")),
    "DELEGATES_NOT_BY_RULE": Telling(
        "finding-not-by-rule", ("allotment",), "finding-not-by-rule-group", ("delegates",)
    ),
}
"""Every hard check, by code. Notices are recorded, never spoken."""

UNNAMED = Telling("finding-unnamed")
"""For a rule nobody has put into words yet: the caller still hears that one is broken."""


def spoken(finding: Finding, script: Script) -> tuple[Words, ...]:
    """The rule with its numbers, then each group concerned with its own."""
    telling = TELLINGS.get(finding.code, UNNAMED)
    rule = Words(telling.prompt, {name: finding.numbers[name] for name in telling.totals})
    if not telling.group_prompt:
        return (rule,)
    return (rule, *(_of_group(finding, telling, group, script) for group in finding.groups))


def _of_group(finding: Finding, telling: Telling, group: str, script: Script) -> Words:
    counts = {column: finding.numbers[f"{column}.{group}"] for column in telling.columns}
    return Words(telling.group_prompt, {"group": script.spoken(group), **counts})

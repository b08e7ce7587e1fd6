"""The order of the questions for one contest, and which of them is next. What they sound like stands elsewhere.

One rule carries the whole report: *the next question is the first one that is still open*, in worksheet order. A first
pass, a change from the read-back and a resumed call all follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from hotline.caucus.apportion import outcomes
from hotline.caucus.contest import Contest, Precinct
from hotline.caucus.viability import allotment
from hotline.caucus.worksheet import Section, Tallies
from hotline.dialog.draft import Draft

MOST_OUTCOMES = 8
"""Outcomes of chance that are offered by number; with more, the delegates are entered."""


@dataclass(frozen=True)
class Script:
    """A contest as a conversation, in the languages there are prompts for; the first is the one calls begin in."""

    contest: Contest
    languages: tuple[str, ...] = ("en",)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Preference groups, in worksheet order."""
        return self.contest.keys

    def spoken(self, group: str) -> str:
        """How the phone says a group's name."""
        return self.contest.by_key[group].spoken

    def precinct(self, code: str) -> Precinct:
        """The precinct of a code that was accepted."""
        return self.contest.precincts[code]

    def delegates(self, code: str, draft: Draft) -> int:
        """How many delegates the site elects; a satellite's follow from the headcount."""
        return allotment(self.contest, self.precinct(code), draft.headcount or 0)


def section_of(question: str) -> Section | None:
    """The section a tally, a delegate count or a check belongs to; None for any other question."""
    match question.partition(".")[0]:
        case "first":
            return "first"
        case "final":
            return "final"
        case "delegates" if "." in question:
            return "delegates"
        case _:
            return None


def split(script: Script, code: str, draft: Draft) -> tuple[Tallies, ...]:
    """The legal outcomes to offer, or () when the delegates must be entered: no legal split, or too many."""
    legal = outcomes(script.contest.rules, script.delegates(code, draft), draft.headcount or 0, draft.final)
    return legal if len(legal) <= MOST_OUTCOMES else ()


def open_groups(script: Script, draft: Draft, section: Section) -> tuple[str, ...]:
    """The groups of a section that have no count yet or are asked once more, in worksheet order."""
    given = draft.counts(section)
    return tuple(group for group in script.groups if group not in given or f"{section}.{group}" in draft.again)


def next_question(script: Script, code: str, draft: Draft) -> str:
    """The first question of the report that is still open; `readback` when none is."""
    if draft.headcount is None:
        return "headcount"
    if not draft.came_nobody:
        for section in ("first", "final"):
            question = _open_in(script, draft, section)
            if question:
                return question
    return _next_of_delegates(script, code, draft)


def _open_in(script: Script, draft: Draft, section: Section) -> str | None:
    groups = open_groups(script, draft, section)
    if groups:
        return f"{section}.{groups[0]}"
    return None if section in draft.checked else f"{section}.check"


def _next_of_delegates(script: Script, code: str, draft: Draft) -> str:
    """By rule where there is a rule to offer, otherwise entered. Nobody came: nothing to ask."""
    is_asked_again = any(question.startswith("delegates.") for question in draft.again)
    if draft.origin == "worksheet" or draft.is_entering or is_asked_again:
        return _open_in(script, draft, "delegates") or "readback"
    if draft.origin or draft.came_nobody:
        return "readback"
    return "delegates" if split(script, code, draft) else f"delegates.{script.groups[0]}"

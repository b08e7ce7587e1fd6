"""The order of the questions for one contest, and which of them is next. What they sound like stands elsewhere.

One rule carries the whole report: *the next question is the first one that is still open*, in worksheet order. A first
pass, a change from the read-back and a resumed call all follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from hotline.caucus.apportion import outcomes
from hotline.caucus.contest import Contest, Precinct
from hotline.caucus.early import EarlyVotes, ballots, early_votes, folded
from hotline.caucus.viability import allotment
from hotline.caucus.worksheet import Section, Tallies, Worksheet
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

    def told(self, counts: Tallies) -> str:
        """Groups with their counts, as the phone says them: "Biden 2, Sanders 3"; those with none are left out."""
        return ", ".join(f"{self.spoken(group)} {counts[group]}" for group in self.groups if counts.get(group, 0))

    def precinct(self, code: str) -> Precinct:
        """The precinct of a code that was accepted."""
        return self.contest.precincts[code]

    def has_early(self, code: str) -> bool:
        """Whether ballots were cast there before the night: then the chair keys the room and the rules see more."""
        return bool(ballots(self.contest, self.precinct(code)))

    def early(self, code: str, everybody: Worksheet) -> EarlyVotes:
        """The early ballots' part in a worksheet that counts them."""
        return early_votes(self.contest, self.precinct(code), everybody)

    def everybody(self, code: str, keyed: Worksheet) -> Worksheet:
        """The numbers keyed as the rules see them, with the early ballots; as they are where there are none."""
        return folded(self.contest, self.precinct(code), keyed)

    def delegates(self, code: str, everybody: Worksheet) -> int:
        """How many delegates the site elects; a satellite's follow from everybody's headcount."""
        return allotment(self.contest, self.precinct(code), everybody.headcount or 0)

    def came_nobody(self, code: str, draft: Draft) -> bool:
        """Whether nobody voted there, in the room or before: there is nothing to divide and nothing left to ask."""
        return draft.has_empty_room and not self.has_early(code)


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
    everybody = script.everybody(code, draft.worksheet())
    elects = script.delegates(code, everybody)
    legal = outcomes(script.contest.rules, elects, everybody.headcount or 0, everybody.final)
    return legal if len(legal) <= MOST_OUTCOMES else ()


def open_groups(script: Script, draft: Draft, section: Section) -> tuple[str, ...]:
    """The groups of a section that have no count yet or are asked once more, in worksheet order."""
    given = draft.counts(section)
    return tuple(group for group in script.groups if group not in given or f"{section}.{group}" in draft.again)


def next_question(script: Script, code: str, draft: Draft) -> str:
    """The first question of the report that is still open; `readback` when none is."""
    if draft.headcount is None:
        return "headcount"
    if not script.came_nobody(code, draft):
        for section in ("first", "final"):
            question = _open_in(script, draft, section)
            if question:
                return question
    return _next_of_delegates(script, code, draft)


def _open_in(script: Script, draft: Draft, section: Section) -> str | None:
    """The section's first open question. Of an empty room only what the chair wants to key again is asked."""
    groups = open_groups(script, draft, section)
    if section != "delegates" and draft.has_empty_room:
        groups = tuple(group for group in groups if f"{section}.{group}" in draft.again)
    if groups:
        return f"{section}.{groups[0]}"
    return None if section in draft.checked else f"{section}.check"


def _next_of_delegates(script: Script, code: str, draft: Draft) -> str:
    """By rule where there is a rule to offer, otherwise entered. Nobody came: nothing to ask."""
    is_asked_again = any(question.startswith("delegates.") for question in draft.again)
    if draft.origin == "worksheet" or draft.is_entering or is_asked_again:
        return _open_in(script, draft, "delegates") or "readback"
    if draft.origin or script.came_nobody(code, draft):
        return "readback"
    return "delegates" if split(script, code, draft) else f"delegates.{script.groups[0]}"

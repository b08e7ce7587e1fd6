"""Checks on one report: a report that obeys finds nothing hard; each broken rule is found by its own code."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hotline.caucus.checks import CHECKS, report_findings, section_findings
from hotline.caucus.viability import threshold
from hotline.caucus.worksheet import Finding, Worksheet
from tests.caucus.party_rules import IOWA, KEYS, NEVADA, contest_of, rooms

Room = tuple[int, Worksheet]


def codes(delegates: int, sheet: Worksheet, severity: str | None = None) -> set[str]:
    """Codes of the findings of a report, of one severity or all."""
    contest, precinct = contest_of(delegates)
    return {f.code for f in report_findings(contest, precinct, sheet) if severity in (None, f.severity)}


def one(delegates: int, sheet: Worksheet, code: str) -> Finding:
    """The finding of one code, which must be there."""
    contest, precinct = contest_of(delegates)
    return next(finding for finding in report_findings(contest, precinct, sheet) if finding.code == code)


@given(rooms(least=1))
def test_a_report_by_the_rules_has_no_hard_finding(room: Room) -> None:
    """Whatever the room, a worksheet that follows the rules is never held (where there is anything to divide)."""
    delegates, sheet = room
    assume(sheet.delegates)
    assert codes(delegates, sheet, "hard") == set()


@given(rooms(least=1))
def test_a_report_by_the_rules_has_no_hard_finding_when_nobody_counted_heads(room: Room) -> None:
    """With the headcount lost, the true one is among those that may explain the report."""
    delegates, sheet = room
    assume(sheet.delegates and sheet.headcount is not None)
    people = max(sum(sheet.first.values()), sum(sheet.final.values()))
    assume(sheet.headcount is not None and 10 * sheet.headcount <= 11 * people + 30)
    assert codes(delegates, replace(sheet, headcount=None), "hard") == set()


def _with(tallies: Mapping[str, int], **changes: int) -> dict[str, int]:
    return {**tallies, **changes}


def _viable(delegates: int, sheet: Worksheet) -> list[str]:
    smallest = threshold(IOWA, delegates, sheet.headcount or 0)
    return [key for key in KEYS if sheet.final.get(key, 0) >= smallest]


def _first_above_headcount(delegates: int, sheet: Worksheet) -> Worksheet:
    return replace(sheet, headcount=sum(sheet.first.values()) - 1)


def _one_walks_in(delegates: int, sheet: Worksheet) -> Worksheet:
    late = sum(sheet.first.values()) - sum(sheet.final.values()) + 1
    group = _viable(delegates, sheet)[0]
    return replace(sheet, final=_with(sheet.final, **{group: sheet.final[group] + late}))


def _one_walks_out_of_a_viable_group(delegates: int, sheet: Worksheet) -> Worksheet:
    smallest = threshold(IOWA, delegates, sheet.headcount or 0)
    locked = [key for key in KEYS if sheet.first[key] >= smallest]
    assume(locked)
    return replace(sheet, final=_with(sheet.final, **{locked[0]: sheet.first[locked[0]] - 1}))


def _all_groups_fall_short(delegates: int, sheet: Worksheet) -> Worksheet:
    smallest = threshold(IOWA, delegates, sheet.headcount or 0)
    return replace(sheet, final={key: min(size, smallest - 1) for key, size in sheet.final.items()})


def _a_delegate_moves_to(sheet: Worksheet, group: str) -> Worksheet:
    giver = max(sheet.delegates, key=lambda key: (sheet.delegates[key], key))
    moved = _with(sheet.delegates, **{giver: sheet.delegates[giver] - 1})
    return replace(sheet, delegates=_with(moved, **{group: moved.get(group, 0) + 1}))


def _an_empty_group_wins(delegates: int, sheet: Worksheet) -> Worksheet:
    empty = [key for key in KEYS if sheet.final[key] == 0]
    assume(empty)
    return _a_delegate_moves_to(sheet, empty[0])


def _a_group_below_the_threshold_wins(delegates: int, sheet: Worksheet) -> Worksheet:
    short = [key for key in KEYS if sheet.final[key] and key not in _viable(delegates, sheet)]
    assume(short)
    return _a_delegate_moves_to(sheet, short[0])


def _a_viable_group_goes_without(delegates: int, sheet: Worksheet) -> Worksheet:
    viable = _viable(delegates, sheet)
    assume(1 < len(viable) <= delegates)
    left_out, other = viable[0], viable[1]
    moved = sheet.delegates[other] + sheet.delegates[left_out]
    return replace(sheet, delegates=_with(sheet.delegates, **{left_out: 0, other: moved}))


def _one_delegate_more(delegates: int, sheet: Worksheet) -> Worksheet:
    group = next(iter(sheet.delegates))
    return replace(sheet, delegates=_with(sheet.delegates, **{group: sheet.delegates[group] + 1}))


def _one_delegate_fewer(delegates: int, sheet: Worksheet) -> Worksheet:
    group = next(iter(sheet.delegates))
    return replace(sheet, delegates=_with(sheet.delegates, **{group: sheet.delegates[group] - 1}))


def _two_groups_swap_delegates(delegates: int, sheet: Worksheet) -> Worksheet:
    pairs = [
        (larger, smaller)
        for larger in sheet.delegates
        for smaller in sheet.delegates
        if sheet.final[larger] > sheet.final[smaller] and sheet.delegates[larger] > sheet.delegates[smaller]
    ]
    assume(pairs)
    larger, smaller = pairs[0]
    swapped = {larger: sheet.delegates[smaller], smaller: sheet.delegates[larger]}
    return replace(sheet, delegates=_with(sheet.delegates, **swapped))


BREAKS: dict[str, Callable[[int, Worksheet], Worksheet]] = {
    "FIRST_EXCEEDS_HEADCOUNT": _first_above_headcount,
    "FINAL_EXCEEDS_FIRST": _one_walks_in,
    "VIABLE_GROUP_SHRANK": _one_walks_out_of_a_viable_group,
    "NO_VIABLE_GROUP": _all_groups_fall_short,
    "EMPTY_GROUP_GIVEN_DELEGATES": _an_empty_group_wins,
    "NONVIABLE_GIVEN_DELEGATES": _a_group_below_the_threshold_wins,
    "VIABLE_WITHOUT_DELEGATE": _a_viable_group_goes_without,
    "DELEGATES_OVER_ALLOTMENT": _one_delegate_more,
    "DELEGATES_UNDER_ALLOTMENT": _one_delegate_fewer,
    "MORE_SUPPORT_FEWER_DELEGATES": _two_groups_swap_delegates,
    "DELEGATES_NOT_BY_RULE": _one_delegate_more,
}


def test_every_hard_rule_is_broken_somewhere_below() -> None:
    """A new hard check comes with the mutation that breaks it."""
    assert set(BREAKS) == {check.code for check in CHECKS if check.severity == "hard"}


@pytest.mark.parametrize("code", BREAKS)
@given(data=st.data())
def test_one_broken_rule_is_found_by_its_code(code: str, data: st.DataObject) -> None:
    """From a report by the rules, one change that breaks a rule yields that rule's code, hard."""
    delegates, sheet = data.draw(rooms())
    assume(sheet.delegates)
    assert code in codes(delegates, BREAKS[code](delegates, sheet), "hard")


def test_messages_name_the_precinct_the_numbers_and_the_rule() -> None:
    """One sentence a chair or a journalist can act on; the same facts stand beside it as data."""
    sheet = Worksheet(104, {"Ash": 60, "Oak": 40}, {"Ash": 59, "Oak": 45}, {"Ash": 3, "Oak": 2})
    finding = one(5, sheet, "FINAL_EXCEEDS_FIRST")
    assert finding.message == (
        "Polk, First Ward: final alignment 104 exceeds first alignment 100: nobody may enter between the rounds"
    )
    assert (finding.numbers, finding.section) == ({"first": 100, "final": 104}, "final")
    shrank = one(5, sheet, "VIABLE_GROUP_SHRANK")
    assert shrank.message == (
        "Polk, First Ward: Ash went from 60 to 59: viable at first alignment (threshold 16), "
        "so its members may not move"
    )
    assert (shrank.groups, shrank.numbers["final.Ash"], shrank.severity) == (("Ash",), 59, "hard")


def test_sections_show_only_what_has_been_said_so_far() -> None:
    """After the first alignment only its checks speak; the final's and the delegates' wait for their numbers."""
    contest, precinct = contest_of(5)
    sheet = Worksheet(90, {"Ash": 60, "Oak": 40}, {}, {})
    assert [f.code for f in section_findings(contest, precinct, "first", sheet)] == ["FIRST_EXCEEDS_HEADCOUNT"]
    whole = replace(sheet, final={"Ash": 40, "Oak": 61}, delegates={"Ash": 5})
    sections = [
        f.section for part in ("first", "final", "delegates") for f in section_findings(contest, precinct, part, whole)
    ]  # type: ignore[arg-type]
    assert sections == [f.section for f in report_findings(contest, precinct, whole)]
    assert set(sections) == {"first", "final", "delegates"}


def test_nobody_came_is_a_notice_and_its_delegates_are_not_judged() -> None:
    """Headcount 0 with nothing allocated is only noted; delegates from nowhere are not let through."""
    empty = Worksheet(0, {}, {}, {})
    assert codes(5, empty) == {"NOBODY_CAME"}
    assert codes(5, replace(empty, delegates={"Ash": 5})) == {"NOBODY_CAME", "EMPTY_GROUP_GIVEN_DELEGATES"}


def test_no_viable_group_stands_alone() -> None:
    """Where nothing can be allocated the delegates are not judged as well; one delegate needs no viable group."""
    few = Worksheet(100, {"Ash": 14, "Oak": 14}, {"Ash": 14, "Oak": 14}, {})
    assert codes(4, few, "hard") == {"NO_VIABLE_GROUP"}
    assert codes(1, replace(few, delegates={"Ash": 1})) == {"TIE_BY_CHANCE"}


def test_one_delegate_to_a_smaller_group_is_unusual_not_wrong() -> None:
    """The caucus elects its one delegate as a whole: lock-in and thresholds do not apply."""
    sheet = Worksheet(20, {"Ash": 12, "Oak": 8}, {"Ash": 9, "Oak": 7}, {"Oak": 1})
    assert codes(1, sheet) == {"SINGLE_DELEGATE_NOT_PLURALITY", "ROUND_MISMATCH"}


def test_an_uncommitted_remnant_is_nobodys_slip() -> None:
    """A leftover group is noted, being uncommitted is not."""
    sheet = Worksheet(40, {"Ash": 36, "Uncommitted": 4}, {"Ash": 36, "Uncommitted": 4}, {"Ash": 4})
    assert codes(4, sheet) == set()
    renamed = replace(sheet, first={"Ash": 36, "Oak": 4}, final={"Ash": 36, "Oak": 4})
    assert codes(4, renamed) == {"GROUP_BELOW_THRESHOLD_KEPT"}


def test_nevada_may_add_delegates_and_no_more() -> None:
    """Five viable groups for four delegates: five is the rule, six is one too many."""
    contest, precinct = contest_of(4, NEVADA)
    final = {"Ash": 13, "Birch": 13, "Cedar": 13, "Elm": 13, "Fir": 24}
    by_rule = Worksheet(76, final, final, dict.fromkeys(final, 1))
    assert [f.code for f in report_findings(contest, precinct, by_rule)] == []
    beyond = replace(by_rule, delegates={**by_rule.delegates, "Fir": 2})
    assert {f.code for f in report_findings(contest, precinct, beyond)} == {
        "DELEGATES_OVER_ALLOTMENT",
        "DELEGATES_NOT_BY_RULE",
    }


def test_an_unknown_headcount_may_explain_what_looks_broken() -> None:
    """20 in a group are viable of 133 and not of 134: nobody counted, so the shrinking group is only noted."""
    first = {"Ash": 20, "Birch": 60, "Oak": 53}
    sheet = Worksheet(None, first, {"Ash": 19, "Birch": 61, "Oak": 53}, {"Birch": 5, "Oak": 5})
    shrank = one(10, sheet, "VIABLE_GROUP_SHRANK")
    assert (shrank.severity, shrank.numbers["assumed_headcount"]) == ("notice", 133)
    assert shrank.message.endswith("(assumed headcount 133)")
    assert one(10, replace(sheet, headcount=133), "VIABLE_GROUP_SHRANK").severity == "hard"


def test_an_unknown_headcount_excuses_nothing_it_cannot_explain() -> None:
    """A group that no headcount makes viable, and totals that no headcount touches, stay hard."""
    sheet = Worksheet(None, {"Ash": 50, "Oak": 50}, {"Ash": 51, "Oak": 50}, {"Ash": 5, "Elm": 1})
    assert codes(6, sheet, "hard") == {
        "FINAL_EXCEEDS_FIRST",
        "EMPTY_GROUP_GIVEN_DELEGATES",
        "VIABLE_WITHOUT_DELEGATE",
        "DELEGATES_NOT_BY_RULE",
        "MORE_SUPPORT_FEWER_DELEGATES",
    }


def test_a_report_is_judged_within_a_millisecond_even_a_wild_one() -> None:
    """The phone judges while the chair waits; fourteen tied groups and absurd counts take no longer."""
    keys = [f"g{number:02d}" for number in range(14)]
    contest, precinct = contest_of(21, keys=keys)
    wild = Worksheet(1, dict.fromkeys(keys, 99_999), dict.fromkeys(keys, 99_999), dict.fromkeys(keys, 3))
    best = min(_seconds(lambda: report_findings(contest, precinct, wild)) for _ in range(20))
    assert best < 0.001


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start

"""The checks: what the numbers come to, each broken rule named with its numbers, and what it means to keep one."""

import pytest

from hotline.events.kinds import FindingsKept, ReportConfirmed
from tests.dialog.calling import FOUR, Call, Line

FIRST, FINAL = ("40", "30", "20", "10"), ("40", "30", "30", "0")
TO_DELEGATES = ("100", *FIRST, "1", *FINAL, "1")


def reporting(precinct: str = FOUR, *keys: str) -> Call:
    return Line().ring().report(precinct).key(*keys)


def filed(call: Call) -> ReportConfirmed:
    return next(event for event in reversed(call.events) if isinstance(event, ReportConfirmed))


def test_the_first_check_says_total_threshold_and_who_is_viable() -> None:
    """Fifteen percent of a hundred is fifteen."""
    said = reporting(FOUR, "100", *FIRST).said
    assert "First alignment, 100 in all. A group needs 15 to be viable. Viable: Biden, Sanders, Warren." in said
    assert said.endswith("1 to go on, 2 to change something.")


BROKEN = {
    "FIRST_EXCEEDS_HEADCOUNT": (("90", *FIRST), "100 in groups, 90 present"),
    "FINAL_EXCEEDS_FIRST": (("100", *FIRST, "1", "50", "40", "20", "0"), "110 now, 100 then"),
    "NO_VIABLE_GROUP": (("100", "9", "9", "9", "9", "1", "*3"), "No group reaches 15"),
    "VIABLE_GROUP_SHRANK": (("100", *FIRST, "1", "39", "30", "20", "0"), "Biden had 40, now 39"),
    "EMPTY_GROUP_GIVEN_DELEGATES": ((*TO_DELEGATES, "2", "1", "1", "1", "1"), "Uncommitted, delegates 1"),
    "NONVIABLE_GIVEN_DELEGATES": (
        ("100", *FIRST, "1", "40", "30", "20", "10", "1", "2", "1", "1", "1", "1"),
        "Uncommitted has 10 people, delegates 1",
    ),
    "VIABLE_WITHOUT_DELEGATE": ((*TO_DELEGATES, "2", "3", "1", "0", "0"), "Warren has 30 people and none"),
    "DELEGATES_OVER_ALLOTMENT": ((*TO_DELEGATES, "2", "2", "2", "2", "0"), "6 delegates given, 4 to elect"),
    "DELEGATES_UNDER_ALLOTMENT": ((*TO_DELEGATES, "2", "1", "1", "1", "0"), "3 delegates given, 4 to elect"),
    "MORE_SUPPORT_FEWER_DELEGATES": ((*TO_DELEGATES, "2", "1", "2", "1", "0"), "Biden has 40 people, delegates 1"),
    "DELEGATES_NOT_BY_RULE": ((*TO_DELEGATES, "2", "1", "2", "1", "0"), "The rule divides 4 delegates in another way"),
}


@pytest.mark.parametrize(("code", "keys", "words"), [(code, *row) for code, row in BROKEN.items()])
def test_a_broken_rule_is_named_with_its_numbers_and_kept(code: str, keys: tuple[str, ...], words: str) -> None:
    """Kept, it is recorded as the worksheet says and is not named again, not even after a look at what could change."""
    call = reporting(FOUR, *keys)
    assert words in call.said
    assert call.said.endswith("1 to keep it as the worksheet says, 2 to change something.")
    section = call.state.removesuffix(".check")
    call.key("1")
    assert call.said.startswith("Kept as the worksheet says.")
    kept = [event for event in call.events if isinstance(event, FindingsKept)]
    assert section == kept[-1].section
    assert code in kept[-1].findings
    call.key("*2")
    assert words not in call.said
    assert call.said.endswith("1 to go on, 2 to change something.")
    assert call.key("1").events.count(kept[-1]) == 1


@pytest.mark.parametrize(("code", "keys", "words"), [(code, *row) for code, row in BROKEN.items()])
def test_a_broken_rule_can_be_mended(code: str, keys: tuple[str, ...], words: str) -> None:
    """2 leads to the change; nothing is kept until the chair keeps it."""
    call = reporting(FOUR, *keys, "2")
    assert call.state == "change"
    assert not any(isinstance(event, FindingsKept) and code in event.findings for event in call.events)


def test_a_mended_rule_is_no_longer_named_or_kept() -> None:
    """The headcount was misread; with it put right nothing is broken."""
    call = reporting(FOUR, "90", *FIRST, "2", "1", "100")
    assert call.state == "first.check"
    assert call.said.endswith("1 to go on, 2 to change something.")
    assert () == filed(call.key("1", *FINAL, "1", "1", "1")).kept


def test_a_rule_kept_and_later_mended_is_not_kept_in_the_report() -> None:
    """What the report says was kept is what is broken in it."""
    call = reporting(FOUR, "90", *FIRST, "1", *FINAL, "1", "1")
    assert call.session.report.kept == {"first": ("FIRST_EXCEEDS_HEADCOUNT",)}
    call.key("2", "1", "100", "1", "1", "1", "1")
    assert () == filed(call).kept


def test_what_is_kept_stands_in_the_report() -> None:
    """In the order of the worksheet."""
    call = reporting(FOUR, "90", *FIRST, "1", "50", "40", "20", "0", "1", "2", "4", "0", "0", "0", "1", "1")
    assert filed(call).kept[:2] == ("FIRST_EXCEEDS_HEADCOUNT", "FINAL_EXCEEDS_FIRST")
    assert "DELEGATES_NOT_BY_RULE" in filed(call).kept
    assert {"Biden": 4} == filed(call).delegates

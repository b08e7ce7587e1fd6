"""Where every answer leads: one row per answer, the state before reached by keys alone."""

import pytest

from tests.dialog.calling import CORRECTION, FOUR, ONE, PIN, SITE, TWO, UNKNOWN, Line

SIGNED_IN = (FOUR, PIN)
COUNTED = (*SIGNED_IN, "1", "100")
FIRST = (*COUNTED, "40", "30", "20", "10")
FINAL = (*FIRST, "1", "40", "30", "30", "0")
DELEGATES = (*FINAL, "1")
READ_BACK = (*DELEGATES, "1")
TIED = (FOUR, PIN, "1", "100", "40", "40", "20", "0", "1", "45", "45", "0", "0", "1")
ENTERING = (*DELEGATES, "2")

ROWS = [
    # before the PIN
    ((), FOUR, "pin"),
    ((), UNKNOWN, "pin"),
    ((), "00018", "code"),
    ((), "12", "code"),
    ((), "00013,", "pin"),
    ((), "0001,", "code"),
    ((), "1", "code"),
    ((), "9", "code"),
    ((), "*2", "code"),
    ((FOUR,), PIN, "precinct"),
    ((FOUR,), f"{PIN},", "precinct"),
    ((FOUR,), "11111111", "code"),
    ((UNKNOWN,), PIN, "code"),
    ((FOUR,), "1234,", "pin"),
    ((FOUR,), "1234", "pin"),
    ((FOUR,), "*2", "code"),
    # the precinct and the headcount
    (SIGNED_IN, "1", "headcount"),
    (SIGNED_IN, "1,", "headcount"),
    (SIGNED_IN, "11", "precinct"),
    (SIGNED_IN, "2", "code"),
    (SIGNED_IN, "3", "precinct"),
    (SIGNED_IN, "*2", "precinct"),
    ((*SIGNED_IN, "1"), "100", "first.Biden"),
    ((*SIGNED_IN, "1"), "0100", "first.Biden"),
    ((*SIGNED_IN, "1"), "100,", "headcount"),
    ((*SIGNED_IN, "1", "100,"), "#", "first.Biden"),
    ((*SIGNED_IN, "1", "100,"), "99", "first.Biden"),
    ((*SIGNED_IN, "1", "100,"), "99,", "headcount"),
    ((*SIGNED_IN, "1"), "12345", "headcount"),
    ((*SIGNED_IN, "1"), "0", "headcount.zero"),
    ((*SIGNED_IN, "1", "0"), "1", "readback"),
    ((*SIGNED_IN, "1", "0"), "2", "headcount"),
    ((*SIGNED_IN, "1", "0"), "*2", "headcount"),
    ((*SIGNED_IN, "1", "0", "2"), "*2", "precinct"),
    ((*SIGNED_IN, "1"), "*2", "precinct"),
    # both alignments
    (COUNTED, "40", "first.Sanders"),
    (COUNTED, "*3", "first.check"),
    (COUNTED, "*2", "headcount"),
    ((*COUNTED, "40", "30"), "*3", "first.check"),
    ((*COUNTED, "40", "30", "*3"), "*2", "first.Warren"),
    ((*COUNTED, "40", "30", "*3", "*2"), "20", "first.Uncommitted"),
    ((*COUNTED, "40", "30", "*3", "*2", "*2"), "30", "first.Warren"),
    ((*COUNTED, "40", "30", "20"), "10", "first.check"),
    (FIRST, "1", "final.Biden"),
    (FIRST, "2", "change"),
    (FIRST, "3", "first.check"),
    (FIRST, "*3", "first.check"),
    ((*FIRST, "2"), "5", "first.check"),
    ((*FIRST, "2"), "3", "change"),
    ((*FIRST, "1", "40"), "*2", "final.Biden"),
    ((*FIRST, "1"), "*2", "first.check"),
    (FINAL[:-1], "0", "final.check"),
    (FINAL, "2", "change"),
    ((*FINAL, "2"), "3", "change.final"),
    ((*FINAL, "2"), "4", "change"),
    # the delegates
    (FINAL, "1", "delegates"),
    (DELEGATES, "1", "readback"),
    (DELEGATES, "2", "delegates.Biden"),
    (DELEGATES, "9", "delegates"),
    (DELEGATES, "*3", "delegates"),
    (DELEGATES, "*2", "final.check"),
    (TIED, "1", "readback"),
    (TIED, "3", "delegates"),
    (ENTERING, "1", "delegates.Sanders"),
    (ENTERING, "*3", "delegates.check"),
    (ENTERING, "*2", "delegates"),
    ((*ENTERING, "2", "1", "*3"), "1", "readback"),
    ((*ENTERING, "2", "1", "*3"), "2", "change"),
    # the closing
    (READ_BACK, "1", "done"),
    (READ_BACK, "11", "readback"),
    (READ_BACK, "2", "change"),
    (READ_BACK, "3", "readback"),
    (READ_BACK, "*2", "delegates"),
    ((*READ_BACK, "2"), "1", "headcount"),
    ((*READ_BACK, "2"), "2", "change.first"),
    ((*READ_BACK, "2"), "3", "change.final"),
    ((*READ_BACK, "2"), "4", "change.delegates"),
    ((*READ_BACK, "2"), "5", "readback"),
    ((*READ_BACK, "2"), "*2", "readback"),
    ((*READ_BACK, "2", "2"), "3", "first.Warren"),
    ((*READ_BACK, "2", "2"), "0", "first.Biden"),
    ((*READ_BACK, "2", "2"), "5", "change.first"),
    ((*READ_BACK, "2", "2", "3"), "20", "first.check"),
    ((*READ_BACK, "2", "2", "0", "1"), "1", "first.Warren"),
    ((*READ_BACK, "2", "4", "1"), "1", "delegates.check"),
    ((*READ_BACK, "1"), "1", "code"),
    ((*READ_BACK, "1"), "2", "done"),
    ((*READ_BACK, "1"), "*2", "done"),
    ((*READ_BACK, "1"), "-", "over"),
    # a report on file
    ((*READ_BACK, "1", "1", *SIGNED_IN), "1", "precinct"),
    ((*READ_BACK, "1", "1", *SIGNED_IN), "2", "correction"),
    ((*READ_BACK, "1", "1", *SIGNED_IN), "3", "code"),
    ((*READ_BACK, "1", "1", *SIGNED_IN, "2"), CORRECTION, "change"),
    ((*READ_BACK, "1", "1", *SIGNED_IN, "2"), "0000", "correction"),
    ((*READ_BACK, "1", "1", *SIGNED_IN, "2"), "47,", "correction"),
    ((*READ_BACK, "1", "1", *SIGNED_IN, "2"), "*2", "precinct"),
    ((*READ_BACK, "1", "1", *SIGNED_IN, "2", "0000", "0000"), "0000", "person"),
    ((*READ_BACK, "1", "1", *SIGNED_IN, "2", CORRECTION), "5", "readback"),
    # other sizes of precinct
    ((ONE, PIN, "1", "9", "5", "4", "*3"), "1", "final.Biden"),
    ((ONE, PIN, "1", "9", "5", "4", "*3", "1", "5", "4", "*3"), "1", "delegates"),
    ((ONE, PIN, "1", "9", "5", "4", "*3", "1", "*3"), "1", "delegates.Biden"),
    ((TWO, PIN, "1", "9", "5", "4", "*3", "1", "5", "4", "*3"), "1", "delegates"),
    ((SITE, PIN, "1", "25", "25", "*3", "1", "25", "*3"), "1", "delegates"),
    ((FOUR, PIN, "1", "100", "9", "9", "*3", "1", "9", "9", "*3"), "1", "delegates.Biden"),
]


@pytest.mark.parametrize(("before", "keys", "after"), ROWS)
def test_an_answer_leads_where_the_table_says(before: tuple[str, ...], keys: str, after: str) -> None:
    """From the question reached by `before`, `keys` lead to `after`."""
    call = Line().ring()
    call.key(*before)
    assert after == call.key(keys).state


def test_a_number_on_file_for_one_precinct_need_not_key_its_code() -> None:
    """Pressing 1 stands for the code; the PIN is asked all the same."""
    call = Line().ring(on_file=(FOUR,))
    assert "Are you reporting for Fourth Ward?" in call.said
    assert call.key("1").state == "pin"
    assert call.key(PIN).state == "precinct"


def test_a_number_on_file_for_several_precincts_keys_the_code() -> None:
    """Which of them, the caller must say."""
    call = Line().ring(on_file=(FOUR, TWO))
    assert "five-digit precinct code" in call.said
    assert call.key("1").state == "code"


def test_after_a_report_the_code_is_always_asked() -> None:
    """The precinct on file was just reported: offering it again would file it twice."""
    call = Line().ring(on_file=(FOUR,)).key("1", *READ_BACK[1:], "1", "1")
    assert "Are you reporting" not in call.said
    assert call.key("1").state == "code"

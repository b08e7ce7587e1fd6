"""Numbers by hand: blocked and let in again with a reason, told masked, never withheld ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotline.events.guard import CallerBlocked, CallerUnblocked
from hotline.services.line import Line
from tests.commands.conftest import Hotline

NUMBER = "+15155551234"


def test_number_is_blocked_and_let_in_again(hotline: Hotline, data: Path, line: Line) -> None:
    """Twelve hours unless said otherwise; both on record with who and why; only four digits are ever shown."""
    said = hotline("callers", "block", "(515) 555-1234", "--why", "abusive", "--data", data)
    assert (said.code, said.out.startswith("…1234 is blocked until")) == (0, True)
    shown = hotline("callers", "show", NUMBER, "--data", data).out
    assert "Rejected" in shown
    assert "abusive" in shown
    lifted = hotline("callers", "unblock", NUMBER, "--why", "appeal", "--data", data)
    assert lifted.code == 0
    again = hotline("callers", "show", NUMBER, "--data", data).out
    assert "Let in" in again
    assert "Was blocked" in again
    assert "5155551234" not in said.out + shown + lifted.out + again
    kinds = [type(each.event) for each in line.ledger.events()]
    assert kinds == [CallerBlocked, CallerUnblocked]


def test_chairs_number_may_be_blocked_and_somebody_is_told(hotline: Hotline, data: Path, line: Line) -> None:
    """A block list is no way to silence a county unseen."""
    line.roster.register_number(NUMBER, next(iter(line.contest.precincts)), "chair")
    said = hotline("callers", "block", NUMBER, "--why", "lost phone", "--minutes", 15, "--data", data)
    assert "on file" in said.out
    assert [each.kind for each in line.alerts.standing()] == ["chair-blocked"]
    hotline("callers", "unblock", NUMBER, "--why", "found", "--data", data)
    assert line.alerts.standing() == []


def test_number_is_marked_extended_by_another_and_taken_back(hotline: Hotline, data: Path, line: Line) -> None:
    """Each time with who and why; only four digits are ever shown."""
    mark = ("callers", "mark", "515-555-1234", "--why", "swore", "--data", data)
    said = hotline(*mark, "--as", "abusive", "--by", "ana")
    assert (said.code, said.out.startswith("…1234 is marked abusive until 20")) == (0, True)
    assert "by ana: swore" in said.out
    again = hotline(*mark, "--as", "prank", "--by", "ana")
    assert (again.code, "takes somebody else" in again.err) == (2, True)
    assert hotline(*mark, "--as", "prank", "--by", "ben").code == 0
    shown = hotline("callers", "show", NUMBER, "--data", data).out
    assert "found abusive by staff" in shown
    assert "Marked prank at " in shown
    assert "by ben: swore" in shown
    taken_back = hotline(*mark, "--as", "genuine")
    assert "…1234 is marked genuine by" in taken_back.out
    assert "Let in" in hotline("callers", "show", NUMBER, "--data", data).out
    assert "5155551234" not in said.out + again.err + shown + taken_back.out


def test_mark_of_a_chairs_number_is_said_to_refuse_nobody(hotline: Hotline, data: Path, line: Line) -> None:
    """Anybody may have forged it."""
    line.roster.register_number(NUMBER, next(iter(line.contest.precincts)), "chair")
    said = hotline("callers", "mark", NUMBER, "--as", "prank", "--why", "swore", "--data", data)
    assert "is let in all the same" in said.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("block", "anonymous", "--why", "x"), "is not a telephone number"),
        (("block", NUMBER, "--why", " "), "needs a reason"),
        (("block", NUMBER, "--why", "x", "--minutes", "721"), "at most 720"),
        (("unblock", NUMBER, "--why", "x"), "…1234 is not blocked"),
        (("mark", NUMBER, "--as", "prank", "--why", " "), "needs a reason"),
        (("mark", NUMBER, "--as", "prank", "--why", "x", "--by", " "), "needs a name"),
        (("mark", "anonymous", "--as", "prank", "--why", "x"), "is not a telephone number"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    hotline: Hotline, data: Path, arguments: tuple[str, ...], told: str
) -> None:
    """Withheld callers, no reason, longer than one person may, nothing to lift."""
    said = hotline("callers", *arguments, "--data", data)
    assert (said.code, told in said.err, said.err.count("\n")) == (2, True, 1)

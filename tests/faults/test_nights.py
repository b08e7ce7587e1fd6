"""Nights with a fault in them: whatever is killed, frozen or wiped, nothing confirmed is lost, no figure is wrong."""

from __future__ import annotations

import pytest

from tests.faults.cases import ABSENT, ELSEWHERE, NIGHTS, Case
from tests.faults.rows import broken_promises, held

REPORTS = 30
PLACES = 40
NOT_HERE = {"F29", "F34"}
"""A flood of calls, and two of the staff at one item: neither breaks what is kept."""


def of(*, hosts: int, is_quick: bool) -> pytest.MarkDecorator:
    found = [each for each in NIGHTS if each.setting.hosts == hosts and (each.speed == "quick") == is_quick]
    return pytest.mark.parametrize("case", [pytest.param(each, id=each.name) for each in found if each.speed != "slow"])


def check(case: Case) -> None:
    """Every number heard stands in the ledger once, all figures are the worksheets', and what the case promises."""
    told = held(case, REPORTS)
    assert [] == broken_promises(case, told), told
    assert told.confirmed >= REPORTS


@of(hosts=1, is_quick=True)
def test_nothing_confirmed_is_lost(case: Case) -> None:
    check(case)


@pytest.mark.outside
@of(hosts=2, is_quick=True)
def test_nothing_confirmed_is_lost_on_two_hosts(case: Case) -> None:
    """Two of every part on one PostgreSQL."""
    check(case)


@pytest.mark.storm
@of(hosts=1, is_quick=False)
def test_nothing_confirmed_is_lost_though_it_takes_longer(case: Case) -> None:
    check(case)


def test_every_fault_has_a_row() -> None:
    """Forty are listed; each is held, seen to by other tests, or impossible here."""
    named = ", ".join(each.name for each in (*NIGHTS, *ELSEWHERE, *ABSENT)).split(", ")
    assert {f"F{n}" for n in range(1, PLACES + 1)} - NOT_HERE == {name for name in named if name.startswith("F")}

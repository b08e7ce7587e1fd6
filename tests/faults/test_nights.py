"""Nights with a fault in them: whatever is killed, frozen or wiped, nothing confirmed is lost, no figure is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.cases import CASES, Case
from tests.faults.nights import night
from tests.postgres import Postgres

PRECINCTS = 30


def of(hosts: int) -> pytest.MarkDecorator:
    marks = {True: (pytest.mark.storm,), False: ()}
    cases = [pytest.param(case, id=case.name, marks=marks[case.is_long]) for case in CASES if case.hosts == hosts]
    return pytest.mark.parametrize("case", cases)


@of(1)
def test_nothing_confirmed_is_lost(case: Case, tmp_path: Path) -> None:
    """Every chair gets through, every number heard stands in the results once, and all figures are the worksheets'."""
    told = night(tmp_path / "line", case.fault, precincts=PRECINCTS)
    assert told.holds, told
    assert told.confirmed == PRECINCTS


@pytest.mark.outside
@of(2)
def test_nothing_confirmed_is_lost_on_two_hosts(case: Case, tmp_path: Path, postgres: Postgres) -> None:
    """The same with two of every part on one PostgreSQL."""
    told = night(tmp_path / "line", case.fault, precincts=PRECINCTS, postgres=postgres)
    assert told.holds, told
    assert told.confirmed == PRECINCTS

"""The ledger is walked piece by piece: what is changed is named within one walk, and forgotten when it is mended."""

from __future__ import annotations

import pytest

from hotline.events.kinds import HeadcountGiven
from hotline.services import patrol
from hotline.services.line import Line
from hotline.services.patrol import Patrol
from hotline.services.sealing import seals_of

TRIGGERS = ("events_refuse_update", "events_refuse_delete", "events_refuse_replacing")


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patrol, "EVENTS", 3)


def sealed(line: Line, links: int = 4) -> None:
    """So many links of two events each."""
    seals = seals_of(line)
    for n in range(links):
        line.ledger.append([HeadcountGiven("00013", n), HeadcountGiven("00021", n)])
        seals.seal()


def raw(line: Line, sql: str) -> None:
    with line.ledger.engine.begin() as connection:
        for name in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalars().all():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        connection.exec_driver_sql(sql)


def walk(guard: Patrol, steps: int = 6) -> list[str]:
    return [guard.step() for _ in range(steps)]


def test_a_sound_ledger_is_walked_again_and_again(line: Line) -> None:
    """Also one that grows meanwhile, and one with nothing in it."""
    guard = Patrol(line)
    assert [""] * 3 == walk(guard, 3)
    sealed(line)
    assert [""] * 7 == walk(guard, 7)
    sealed(line)
    assert [""] * 12 == walk(guard, 12)


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("UPDATE events SET body = '{}' WHERE seq = 6", "events 6 was changed"),
        ("UPDATE events SET at = '' WHERE seq = 1", "events 1 was changed"),
        ("DELETE FROM events WHERE seq = 8", "events 8 is missing"),
        ("UPDATE seals SET root = first WHERE n = 3", "seals 3 was changed"),
        ("DELETE FROM seals WHERE n = 2", "seals 2 is missing"),
        ("UPDATE seals SET last = 'x' WHERE n = 2", "seals 2 was changed"),
        ("UPDATE seals SET count = 'x' WHERE n = 2", "cannot be read"),
    ],
)
def test_what_was_changed_is_named(line: Line, sql: str, named: str) -> None:
    """Within one walk, and on until a whole walk finds nothing."""
    sealed(line)
    guard = Patrol(line)
    assert [""] * 3 == walk(guard, 3)
    raw(line, sql)
    found = walk(guard)
    assert any(named in each for each in found), found
    assert found[-1]


def test_a_change_that_is_undone_is_forgotten(line: Line) -> None:
    sealed(line)
    guard = Patrol(line)
    raw(line, "UPDATE events SET body = replace(body, '1', '9') WHERE seq = 3")
    assert "events 3 was changed" in walk(guard)
    raw(line, "UPDATE events SET body = replace(body, '9', '1') WHERE seq = 3")
    assert "" == walk(guard, 9)[-1]


def test_an_end_that_was_cut_off_is_missed(line: Line) -> None:
    """Events and their seals together: nothing that is left contradicts, but it was longer."""
    sealed(line)
    guard = Patrol(line)
    walk(guard, 4)
    raw(line, "DELETE FROM seals WHERE n = 4")
    raw(line, "DELETE FROM events WHERE seq > 6")
    assert "seals 4 was cut off" in walk(guard)

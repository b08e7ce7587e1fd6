"""A simulated night over real HTTP: everything heard is kept, one seed gives one ledger, a lost call is made again."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hotline.caucus.worksheet import Worksheet
from hotline.clock import seeded
from hotline.events.kinds import CallAnswered, SignInFailed
from hotline.practice import rehearsal
from hotline.practice.cast import Cast
from hotline.practice.night import quantile
from hotline.services import tabulation
from hotline.services.line import Line
from tests.lines import line_on, prepared_database
from tests.practice.evening import PRANKS, PRECINCTS, Evening, evening_on


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def evenings(database: Path, tmp_path: Path, sheets: dict[str, Worksheet]) -> Iterator[Callable[[str], Evening]]:
    opened: list[Line] = []

    def make(name: str) -> Evening:
        (tmp_path / name).mkdir()
        opened.append(line_on(database, tmp_path / name))
        return evening_on(opened[-1], sheets)

    yield make
    for line in opened:
        line.ledger.engine.dispose()


def test_one_seed_gives_one_ledger(evenings: Callable[[str], Evening]) -> None:
    """Eight calls at a time or one after the other: the same events in every call, and the same reports."""
    together, alone = evenings("together"), evenings("alone")
    record = together.hold(calls_at_once=8)
    assert record.confirmed == alone.hold(calls_at_once=1).confirmed
    assert together.content() == alone.content()
    assert (PRECINCTS, PRECINCTS, PRANKS) == (record.chairs, record.completed, record.pranks)


def test_the_night_is_counted_as_it_was(evenings: Callable[[str], Evening]) -> None:
    """Calls are those the ledger answered, turns those the server was asked for; each chair's call lasts minutes."""
    evening = evenings("counted")
    record = evening.hold()
    kinds = Counter(type(recorded.event) for recorded in evening.line.ledger.events())
    assert record.calls == kinds[CallAnswered]
    assert record.turns == sum(1 for path in evening.paths if path != "/voice/ended")
    assert sum(record.endings.values()) == PRANKS
    assert kinds[SignInFailed] > 0
    assert (0, 0, Counter()) == (record.failed, record.refused_chairs, record.errors)
    assert 30 < quantile(record.spoken, 0.5) < 600


def test_a_confirmed_report_missing_from_the_results_is_lost(evenings: Callable[[str], Evening]) -> None:
    """Until the workers have been, every number that was heard counts as lost; afterwards none."""
    evening = evenings("lost")
    record = evening.hold()
    assert sorted(record.confirmed) == sorted(rehearsal.lost(evening.line, record.confirmed))
    for code in record.confirmed:
        tabulation.tabulate(evening.line, code)
    assert [] == rehearsal.lost(evening.line, record.confirmed)
    some = next(iter(record.confirmed))
    assert [some] == rehearsal.lost(evening.line, {**record.confirmed, some: "000000"})


def test_a_call_that_broke_is_made_again(evenings: Callable[[str], Evening]) -> None:
    """A line that fails now and then, its fallback too: chairs call again and nothing is lost or counted twice."""
    evening = evenings("broken")
    source, lock = seeded("faults"), threading.Lock()

    def fails(path: str) -> bool:
        with lock:
            return source.random() < 0.02

    evening.fails = fails
    record = evening.hold()
    assert record.failed > 0
    assert PRECINCTS == record.completed
    assert {code: event.confirmation for code, event in evening.confirmed().items()} == record.confirmed
    assert {1} == {event.version for event in evening.confirmed().values()}


def test_rate_spaces_the_callers(evenings: Callable[[str], Evening]) -> None:
    """So many new callers a second, however fast the line answers."""
    evening = evenings("paced")
    evening.players = Cast(evening.players.order[:5], evening.players.numbers)
    assert evening.hold(rate=10).seconds >= 0.4


def test_a_fault_of_ours_ends_the_night(evenings: Callable[[str], Evening], monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug in one thread stops all of them and is seen: a night is never reported with callers left out."""
    evening = evenings("bug")

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a bug in the night")

    monkeypatch.setattr("hotline.practice.night.place_call", broken)
    with pytest.raises(RuntimeError, match="a bug in the night"):
        evening.hold()


def test_quantile_is_a_value_that_was_measured() -> None:
    """Nearest rank; nothing measured gives 0."""
    assert [1, 2, 4, 0] == [
        quantile([4, 2, 1, 3], 0),
        quantile([4, 2, 1, 3], 0.4),
        quantile([4, 2], 1.0),
        quantile([], 0.5),
    ]

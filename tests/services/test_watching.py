"""Every alert of the table is raised by the trouble it is about at the very next look, and taken down after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from hotline.services.alarms import KINDS
from hotline.services.line import Line
from hotline.services.watching import CALM_SECONDS, Watch
from hotline.store import queues, request_counts
from hotline.store.embedded import Embedded
from hotline.store.request_counts import RequestCounts
from tests.lines import line_on
from tests.services.scenes import CHAIR, CODE, TROUBLE, Moved, Scene


@pytest.fixture
def scene(
    database: Path, tmp_path: Path, valkey: Embedded, connection: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Scene]:
    """A quiet line with a chair's number on file, a worker, and a web part that counts."""
    clock = Moved()
    line = line_on(database, tmp_path, clock, REDIS_URL=valkey.url, HOTLINE_CALLS_A_MINUTE="10")
    line.roster.register_number(CHAIR, CODE, "chair")
    folder = tmp_path / request_counts.FOLDER
    request_counts.begin(folder)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PROMETHEUS_MULTIPROC_DIR", str(folder))
        counts = RequestCounts(("calls.turn",), folder)
        worker = queues.worker(valkey.url, "at-work")
        worker.register_birth()
        yield Scene(line, clock, counts, connection, monkeypatch)
        line.ledger.engine.dispose()


def standing(line: Line) -> set[str]:
    return {alert.kind for alert in line.alerts.standing()}


def test_every_kind_has_its_trouble() -> None:
    assert set(KINDS) == set(TROUBLE)


@pytest.mark.parametrize("kind", KINDS)
def test_trouble_raises_its_alert_and_its_end_takes_it_down(kind: str, scene: Scene) -> None:
    """At the next look; a minute after its end, lest one that comes and goes become twenty."""
    bring, mend = TROUBLE[kind]
    watch = Watch(scene.line)
    watch.look()
    assert kind not in standing(scene.line)
    bring(scene)
    scene.clock.move(2)
    watch.look()
    assert kind in standing(scene.line)
    mend(scene)
    for seconds in (2, 2, CALM_SECONDS):  # the ledger is walked once more before a change undone is believed
        scene.clock.move(seconds)
        watch.look()
    assert kind not in standing(scene.line)


def test_a_watch_that_takes_over_raises_nothing_twice_and_takes_down_what_it_found(scene: Scene) -> None:
    """The one before died; the alert it left stands until the trouble was gone for a minute of the new one's time."""
    scene.ring("reject")
    Watch(scene.line).look()
    scene.clock.move(2)
    after = Watch(scene.line)
    after.look()
    assert 1 == len([each for each in scene.line.alerts.standing() if each.kind == "chair-rejected"])
    scene.away(11)
    after.look()
    scene.clock.move(CALM_SECONDS)
    after.look()
    assert "chair-rejected" not in standing(scene.line)


def test_alerts_of_others_are_left_alone(scene: Scene) -> None:
    """A precinct that is contested is taken down where that is known."""
    scene.line.alerts.raise_once("contested", "a test", CODE)
    watch = Watch(scene.line)
    for _ in range(3):
        watch.look()
        scene.clock.move(CALM_SECONDS)
    assert "contested" in standing(scene.line)


def test_a_rehearsal_is_never_late(scene: Scene) -> None:
    """It is held on any day: no county is silent then."""
    TROUBLE["county-silent"][0](scene)
    scene.patch.setattr(type(scene.line.roster), "is_rehearsal", lambda _: True)
    Watch(scene.line).look()
    assert {"county-silent", "calls-few"}.isdisjoint(standing(scene.line))

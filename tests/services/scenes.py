"""A line in trouble: what each alert is about, brought about on a real line, and mended again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest
import redis
from rq.utils import utcformat

from hotline.caucus.contest import Hours
from hotline.clock import Clock
from hotline.events.guard import CallScreened
from hotline.events.kinds import Event, HeadcountGiven, PersonCalledFor
from hotline.services import tabulation
from hotline.services.line import Line
from hotline.services.sealing import seals_of
from hotline.store import queues
from hotline.store.ledger import Keeping, NewCall
from hotline.store.request_counts import RequestCounts
from tests.services.reports import confirm, worksheet

CHAIR = "+15155550101"
CODE = "00013"


@dataclass(frozen=True)
class Moved(Clock):
    """A clock that stands still until it is moved; it began at the present, which Redis knows too."""

    at: list[datetime] = field(default_factory=lambda: [Clock().now()])

    def now(self) -> datetime:
        return self.at[0]

    def monotonic(self) -> float:
        return self.at[0].timestamp()

    def move(self, seconds: float) -> None:
        self.at[0] += timedelta(seconds=seconds)


@dataclass
class Scene:
    """The line, its clock, what its web part counts in and its Redis."""

    line: Line
    clock: Moved
    counts: RequestCounts
    redis: redis.Redis
    patch: pytest.MonkeyPatch
    calls: int = 0

    def ring(self, decision: str, *more: Event, state: str = "code", number: str = CHAIR) -> str:
        """A call from a number on file, met so."""
        self.calls += 1
        sid = f"CA{self.calls:032x}"
        met = CallScreened(decision, "chair", 0, {}, (), "1", ())
        with self.line.ledger.open_call(NewCall(sid, number, "")) as turn:
            turn.record(Keeping((met, *more), {"state": state}, "<said/>"))
        return sid

    def hang_up(self, sid: str) -> None:
        self.line.ledger.end_call(sid, "completed", 20)

    def away(self, minutes: float) -> None:
        """So long nothing happens."""
        self.clock.move(60 * minutes)

    def raw(self, sql: str) -> None:
        """Into the file, past every rule."""
        with self.line.ledger.engine.begin() as connection:
            connection.exec_driver_sql("DROP TRIGGER IF EXISTS events_refuse_update")
            connection.exec_driver_sql(sql)


Step = Callable[[Scene], object]


def answered(seconds: float) -> Step:
    return lambda scene: [scene.counts.took("calls.turn", 200, seconds) for _ in range(40)]


def _forged(scene: Scene) -> None:
    for _ in range(5):
        scene.counts.forged()


def _job_waits(seconds: float) -> Step:
    def wait(scene: Scene) -> None:
        confirm(scene.line, CODE, worksheet())
        scene.clock.move(seconds)

    return wait


def _tabulated(scene: Scene) -> None:
    tabulation.tabulate(scene.line, CODE)


def _worker_gone(scene: Scene) -> None:
    queues.worker(scene.line.settings.redis_url or "", "at-work").register_death()


def _worker_comes(scene: Scene) -> None:
    """One that goes on saying so for the minutes of a test."""
    worker = queues.worker(scene.line.settings.redis_url or "", "another-at-work")
    worker.register_birth()
    scene.redis.hset(worker.key, "last_heartbeat", utcformat(scene.clock.now() + timedelta(minutes=5)))


def _redis_says(**facts: str) -> Step:
    said = {"aof_last_write_status": "ok", **facts}
    return lambda scene: scene.patch.setattr(redis.Redis, "info", lambda *_: said)


def _redis_gone(scene: Scene) -> None:
    def away(*_: object) -> None:
        raise redis.ConnectionError("gone")

    scene.patch.setattr(redis.Redis, "time", away)


def _rings(decision: str, count: int = 1) -> Step:
    return lambda scene: [scene.ring(decision) for _ in range(count)]


def _hang_ups(scene: Scene) -> None:
    for _ in range(20):
        scene.hang_up(scene.ring("admit", state="first.Biden"))


def _asks(scene: Scene) -> None:
    scene.ring("admit", PersonCalledFor("", "star"), state="person")
    scene.clock.move(61)


def _leaves(scene: Scene) -> None:
    scene.hang_up(f"CA{scene.calls:032x}")


def _closed(minutes: float) -> Step:
    """The caucuses were over so long ago."""

    def close(scene: Scene) -> None:
        at = scene.clock.now() - timedelta(minutes=minutes)
        hours = Hours(at - timedelta(hours=2), at)
        object.__setattr__(scene.line, "contest", replace(scene.line.contest, hours=hours))

    return close


def _sealed(scene: Scene) -> None:
    seals_of(scene.line).seal()


def _unsealed(scene: Scene) -> None:
    scene.line.ledger.append([HeadcountGiven(CODE, 1)])
    scene.clock.move(31)


def _changed(scene: Scene) -> None:
    scene.line.ledger.append([HeadcountGiven(CODE, 1)])
    _sealed(scene)
    scene.raw("""UPDATE events SET body = replace(body, '1', '7') WHERE kind = 'HeadcountGiven'""")


def _changed_back(scene: Scene) -> None:
    scene.raw("""UPDATE events SET body = replace(body, '7', '1') WHERE kind = 'HeadcountGiven'""")


def _disk(share: float) -> Step:
    return lambda scene: scene.patch.setattr("hotline.services.monitoring._free", lambda _: share)


def _clocks(seconds: float) -> Step:
    def set_apart(scene: Scene) -> None:
        scene.patch.setattr(redis.Redis, "time", lambda _: (int(scene.clock.now().timestamp() + seconds), 0))

    return set_apart


def _soon_forgotten(scene: Scene) -> None:
    scene.away(11)


TROUBLE: dict[str, tuple[Step, Step]] = {
    "webhook-slow": (answered(0.7), lambda scene: (scene.away(1.1), answered(0.01)(scene))),
    "webhook-very-slow": (answered(3.0), lambda scene: (scene.away(1.1), answered(0.01)(scene))),
    "outbox-old": (_job_waits(11), _tabulated),
    "outbox-very-old": (_job_waits(61), _tabulated),
    "redis-away": (_redis_gone, lambda scene: scene.patch.undo()),
    "no-worker": (_worker_gone, _worker_comes),
    "redis-log": (_redis_says(aof_last_write_status="err"), _redis_says()),
    "clock": (_clocks(3), _clocks(0)),
    "forged": (_forged, lambda scene: scene.away(1.1)),
    "calls-many": (_rings("admit", 31), lambda scene: scene.away(1.5)),
    "calls-few": (_closed(5), _closed(-60)),
    "chair-challenged": (_rings("challenge"), _soon_forgotten),
    "chair-rejected": (_rings("reject"), _soon_forgotten),
    "chair-hangups": (_hang_ups, _soon_forgotten),
    "staff-wait": (_asks, _leaves),
    "county-silent": (_closed(90), _closed(-60)),
    "seal-broken": (_changed, _changed_back),
    "seal-behind": (_unsealed, _sealed),
    "disk": (_disk(0.1), _disk(0.5)),
}
"""By kind: what brings the trouble about, and what mends it."""

Runs = Callable[..., AbstractContextManager[object]]

"""`/metrics`: the figures of the line for Prometheus, in its own form.

Counts of requests are this machine's; everything else is the line's, the same from every machine. Label values are
words of ours, counties and kinds of alerts: no number, call or precinct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from flask import Blueprint, Response, current_app
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from hotline.errors import NotRecorded
from hotline.services.monitoring import Figures, Monitor, abandoned, age, completed, quantile
from hotline.store.queue_health import QueueHealth
from hotline.store.tallies import Tally
from hotline.web.access import for_machines
from hotline.web.counting import counts
from hotline.web.doors import doors

metrics = Blueprint("metrics", __name__)

EXTENSION = "hotline monitor"
STATES = ("calm", "watch", "attack")
SITES = ("reported", "held", "closed", "outstanding")
Labelled = Mapping[tuple[str, ...], float]


@metrics.get("/metrics")
@for_machines
def exposed() -> Response:
    """All of it. Without the database what it knows is missing, and hotline_sql_up says so."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collected(counts().collect))
    registry.register(_Collected(_of_the_line))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def monitor() -> Monitor:
    """The one that looks at the line for this application; made when somebody first asks."""
    made: Monitor = current_app.extensions.setdefault(EXTENSION, None) or Monitor(doors().line)
    current_app.extensions[EXTENSION] = made
    return made


class _Collected(Collector):
    """What a function yields."""

    def __init__(self, collect: Callable[[], Iterable[Metric]]) -> None:
        self._collect = collect

    def collect(self) -> Iterable[Metric]:
        return self._collect()


def _of_the_line() -> Iterator[Metric]:
    try:
        figures = monitor().figures()
    except NotRecorded:
        yield _gauge("sql_up", "Whether the database answers", 0)
        return
    yield _gauge("sql_up", "Whether the database answers", 1)
    yield from _calls(figures)
    yield from _sites(figures)
    yield from _work(figures)
    yield from _guard(figures, doors().line.settings.calls_a_minute)
    yield from _redis(figures.queue)


def _calls(figures: Figures) -> Iterator[Metric]:
    lately = figures.lately
    yield _gauge("live_calls", "Calls without an end", figures.gauges.live)
    yield _labelled(
        "calls_per_minute", "Calls that began in the last minute", ("lane", "decision"), _met(figures.minute)
    )
    yield _labelled(
        "window_chair_calls",
        "Calls from numbers on file that began in ten minutes",
        ("decision",),
        {(word,): sum(n for each, n in lately.began.items() if each.is_chair and each.decision == word)
         for word in ("admit", "challenge", "slow", "message", "reject")},
    )  # fmt: skip
    yield _labelled(
        "window_hangups",
        "Calls that ended in ten minutes before all was said",
        ("step",),
        {(step,): count for step, count in abandoned(lately).items()},
    )
    left = sum(abandoned(lately, chairs_only=True).values())
    yield _gauge("window_chair_hangups", "The same from numbers on file", left)
    ended = sum(count for ending, count in lately.ended.items() if ending.is_chair)
    yield _gauge("window_chair_ends", "Calls from numbers on file that ended in ten minutes", ended)
    yield _gauge("window_ends", "Calls that ended in ten minutes", sum(lately.ended.values()))
    yield _gauge("window_completed", "Calls signed in that ended in ten minutes after the last word", completed(lately))
    lengths = {(str(share / 100),): quantile(lately.seconds, share) for share in (50, 95)}
    yield _labelled(
        "window_call_seconds",
        "Length of completed calls of ten minutes",
        ("quantile",),
        {name: float(length) for name, length in lengths.items() if length is not None},
    )
    yield _gauge("persons_wanted", "Callers with a person, or waiting for one", len(figures.gauges.asking))
    yield _gauge("staff_telephones", "Telephones of staff that take calls", figures.staff)


def _met(tally: Tally) -> Labelled:
    met: dict[tuple[str, ...], float] = {}
    for each, count in tally.began.items():
        met[each.lane, each.decision] = met.get((each.lane, each.decision), 0) + count
    return met


def _sites(figures: Figures) -> Iterator[Metric]:
    total: Labelled = {(status,): figures.precincts[status] for status in SITES}
    yield _labelled("precincts", "Sites by standing; held ones are among the reported", ("status",), total)
    yield _labelled(
        "county_precincts",
        "Sites of a county or pool by standing",
        ("county", "status"),
        {(county, status): counted[status] for county, counted in figures.counties.items() for status in SITES},
    )
    yield from _waiting(
        "held_reports", "Held reports", figures.gauges.held.count, figures.gauges.held.oldest_at, figures
    )


def _work(figures: Figures) -> Iterator[Metric]:
    now = figures.gauges
    yield from _waiting("call_backs", "Call-backs to be made", now.call_backs.count, now.call_backs.oldest_at, figures)
    yield from _waiting("outbox", "Jobs the ledger wants done", now.jobs.count, now.jobs.oldest_at, figures)
    yield from _waiting("unsealed", "Events behind the seal", now.unsealed.count, now.unsealed.oldest_at, figures)
    yield _gauge("dead_letters", "Jobs that failed every time", now.dead)
    yield _gauge("disk_free_ratio", "Share of the data folder's disk that is free", figures.free)


def _guard(figures: Figures, expected: int) -> Iterator[Metric]:
    yield _labelled(
        "event_state",
        "1 for the state of the night",
        ("state",),
        {(each,): float(each == figures.state) for each in STATES},
    )
    yield _gauge("contested_precincts", "Precincts guessed at from several numbers", len(figures.contested))
    yield _gauge("wrong_pins", "PINs guessed wrong within a day", figures.guesses)
    yield _gauge("expected_calls_per_minute", "Calls expected at the peak; 0 where nobody said", expected)
    standing: dict[tuple[str, ...], float] = {}
    for alert in figures.alerts:
        standing[(alert.kind,)] = standing.get((alert.kind,), 0) + 1
    yield _labelled("alerts", "Alerts that stand", ("kind",), standing)


def _redis(queue: QueueHealth | None) -> Iterator[Metric]:
    yield _gauge("redis_up", "Whether Redis answers", float(queue is not None))
    if queue is None:
        return
    yield _labelled("queue_jobs", "Jobs that wait", ("queue",), {(name,): n for name, n in queue.waiting.items()})
    yield _gauge("failed_jobs", "Jobs that failed for good", queue.failed)
    yield _gauge("workers", "Workers heard of in half a minute", queue.workers)
    yield _gauge("redis_latency_seconds", "One round trip", queue.latency)
    yield _gauge("redis_persistence_up", "Whether Redis could write its log", float(queue.is_kept))
    yield _gauge("redis_clock_ahead_seconds", "How far the clock of Redis is ahead of ours", queue.ahead)


def _waiting(name: str, about: str, count: int, oldest_at: str | None, figures: Figures) -> Iterator[Metric]:
    yield _gauge(name, about, count)
    yield _gauge(f"{name}_oldest_seconds", f"{about}: how long the oldest waits", age(oldest_at, figures.at))


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(f"hotline_{name}", about, value)


def _labelled(name: str, about: str, labels: tuple[str, ...], found: Labelled) -> Metric:
    family = GaugeMetricFamily(f"hotline_{name}", about, labels=labels)
    for values, value in found.items():
        family.add_metric(values, value)
    return family

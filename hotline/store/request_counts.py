"""How requests went: counted by each web process in files of its own, that every process of the machine can sum.

Prometheus's library keeps the files, one a kind of figure and process. A process that ends leaves its files, so that no
count goes down; those of processes that are gone are removed when the web part starts. What is counted is known when
the process starts, by the names of routes: no number, call or address is ever part of it.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

from hotline.clock import Clock

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 4.0, 15.0)
"""Seconds an answer takes at most to count under each; those of the alerts are among them."""
CLASSES = ("2xx", "3xx", "4xx", "5xx")
FOLDER = "counts"
"""In the data folder."""
CALLERS = "calls."
"""What the names of routes that have a caller begin with."""
MINUTE = 60.0
OTHER = "other"
"""The route of what no route answers."""


class RequestCounts:
    """Counts requests; guards the figures. `folder` is where processes count together, None to count alone."""

    def __init__(self, routes: Iterable[str], folder: Path | None = None) -> None:
        """With a folder, `settings.share_counts` of it must have been said before. A forked process makes its own."""
        self._folder, self._registry = folder, CollectorRegistry()
        disable_created_metrics()  # type: ignore[no-untyped-call] # when counting began nobody asks
        before = values.ValueClass
        if folder is not None:
            values.ValueClass = values.MultiProcessValue(_Here().process)  # type: ignore[no-untyped-call]
        try:
            self._make([*routes, OTHER])
        finally:
            values.ValueClass = before

    def _make(self, routes: list[str]) -> None:
        """Every figure there will be, at once: a count that is not there yet cannot be told from one of 0."""
        requests = self._counter("requests", "Requests answered", ("route", "status"))
        took = Histogram(
            "hotline_request_duration_seconds",
            "From a request to its answer",
            ("route",),
            buckets=BOUNDS,
            registry=self._registry,
        )
        self._requests = {(route, status): requests.labels(route, status) for route in routes for status in CLASSES}
        self._took = {route: took.labels(route) for route in routes}
        self._forged = self._counter("forged_requests", "Requests for the carrier's doors without its signature")
        self._held = self._counter("held_requests", "Turns asked again, after the caller was asked to hold the line")
        self._apologies = self._counter("apologies", "Callers who heard an apology because the line failed")

    def _counter(self, name: str, about: str, labels: tuple[str, ...] = ()) -> Counter:
        return Counter(f"hotline_{name}", about, labels, registry=self._registry)

    def took(self, route: str | None, status: int, seconds: float) -> None:
        """A request was answered with this status after so many seconds; `route` is None where none fits."""
        known = route if route in self._took else OTHER
        self._took[known].observe(seconds)
        self._requests[known, CLASSES[min(max(status // 100, 2), 5) - 2]].inc()

    def forged(self) -> None:
        """Something that is not the carrier asked for what is the carrier's alone."""
        self._forged.inc()

    def held(self) -> None:
        """A caller who was asked to hold the line has held it."""
        self._held.inc()

    def apologised(self) -> None:
        """The line failed a caller, who heard so."""
        self._apologies.inc()

    def counted(self) -> Requests:
        """What all processes that count in the folder have counted."""
        return _summed(self.collect())

    def collect(self) -> Iterator[Metric]:
        """The figures, of all processes that count in the folder."""
        yield from self._registry.collect() if self._folder is None else _read(self._folder)


@dataclass(frozen=True)
class Requests:
    """Requests since the counting began, all processes together.

    `within` are webhooks of callers by the bound of seconds they were answered in, the highest being all of them;
    `forged` are refused signatures, `fallbacks` calls of the carrier's fallback address.
    """

    within: Mapping[float, int] = field(default_factory=dict)
    forged: int = 0
    fallbacks: int = 0

    def since(self, before: Requests) -> Requests:
        """What came after `before`. A count that went down began anew: all of it came after."""
        if any(count < before.within.get(bound, 0) for bound, count in self.within.items()):
            return self
        within = {bound: count - before.within.get(bound, 0) for bound, count in self.within.items()}
        return Requests(within, max(0, self.forged - before.forged), max(0, self.fallbacks - before.fallbacks))

    @property
    def count(self) -> int:
        """All webhooks of callers."""
        return max(self.within.values(), default=0)

    def quantile(self, per_cent: int) -> float | None:
        """The bound of seconds that so many of a hundred were answered in; None without any request."""
        fits = (bound for bound, count in sorted(self.within.items()) if 100 * count >= per_cent * self.count)
        return next(fits) if self.count else None


class LastMinute:
    """Tells requests of the last minute from all of them; guards what was counted at the looks of that minute."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, Requests]] = deque()

    def of(self, counted: Requests) -> Requests:
        """Of what is counted now, what came in the last minute; in less, right after the first look."""
        now = self._clock.monotonic()
        self._seen.append((now, counted))
        while len(self._seen) > 1 and now - self._seen[1][0] >= MINUTE:
            self._seen.popleft()
        return counted.since(self._seen[0][1])


def counted(folder: Path) -> Requests:
    """What the web processes that count in a folder have counted."""
    return _summed(_read(folder))


def _summed(metrics: Iterable[Metric]) -> Requests:
    within: dict[float, int] = {}
    forged = fallbacks = 0
    for metric in metrics:
        for sample in metric.samples:
            route = sample.labels.get("route", "")
            if sample.name == "hotline_request_duration_seconds_bucket" and route.startswith(CALLERS):
                bound = float(sample.labels["le"])
                within[bound] = within.get(bound, 0) + int(sample.value)
            elif sample.name == "hotline_forged_requests_total":
                forged += int(sample.value)
            elif sample.name == "hotline_requests_total" and route == f"{CALLERS}fallback":
                fallbacks += int(sample.value)
    return Requests(within, forged, fallbacks)


class _Here:
    """Names this process among those that count in a folder: containers have numbers of processes of their own."""

    def __init__(self) -> None:
        self.machine = socket.gethostname().replace("_", "-")

    def process(self) -> str:
        return f"{self.machine}-{os.getpid()}"


def begin(folder: Path) -> None:
    """Make the folder, and remove from it what processes of this machine left that are gone."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for file in folder.glob(f"*_{_Here().machine}-*.db"):
        if not _is_alive(int(file.stem.rpartition("-")[2])):
            file.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _read(folder: Path) -> Iterator[Metric]:
    """Nothing where nobody has counted. A file may be removed under our eyes: then the next look has what is left."""
    if not folder.is_dir():
        return
    try:
        yield from MultiProcessCollector(None, str(folder)).collect()  # type: ignore[no-untyped-call]
    except FileNotFoundError:
        return

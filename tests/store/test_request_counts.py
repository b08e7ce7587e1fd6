"""Requests are counted by several processes together, nothing is lost when one dies, and counting costs nothing."""

from __future__ import annotations

import multiprocessing
import os
import socket
import time
from pathlib import Path

import pytest

from hotline import settings
from hotline.store.request_counts import OTHER, LastMinute, RequestCounts, Requests, begin, counted
from tests.store.held import HeldClock

ROUTES = ("calls.turn", "calls.fallback", "results.page")


class Watched(HeldClock):
    """Its seconds stand still with it."""

    def monotonic(self) -> float:
        return self.now().timestamp()


def serve(folder: Path, times: int, seconds: float = 0.004) -> None:
    """What a web process counts; a function of its own, for new processes to import."""
    settings.share_counts(folder)
    counts = RequestCounts(ROUTES, folder)
    for _ in range(times):
        counts.took("calls.turn", 200, seconds)
    counts.took("results.page", 200, 9.0)
    counts.took("calls.fallback", 200, 0.004)
    counts.forged()


def in_process(folder: Path, times: int, seconds: float = 0.004) -> None:
    """Run `serve` in a process of its own, which then is gone."""
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(folder, times, seconds))
    process.start()
    process.join(60)
    assert 0 == process.exitcode


def test_processes_count_together_and_those_that_died_still_count(tmp_path: Path) -> None:
    """Two processes, both gone: their requests are there, of callers apart from readers of the results."""
    begin(tmp_path)
    in_process(tmp_path, 90)
    in_process(tmp_path, 10, 0.6)
    found = counted(tmp_path)
    assert (102, 2, 2) == (found.count, found.forged, found.fallbacks)
    assert (92, 92, 102) == (found.within[0.005], found.within[0.5], found.within[1.0])


def test_a_start_removes_what_the_dead_left_and_no_more(tmp_path: Path) -> None:
    """The files of a process that is there stay, and those of another machine."""
    begin(tmp_path)
    in_process(tmp_path, 5)
    kept = {
        tmp_path / f"counter_{socket.gethostname().replace('_', '-')}-{os.getpid()}.db",
        tmp_path / "counter_another-machine-1.db",
    }
    for file in kept:
        file.write_bytes(b"")
    begin(tmp_path)
    assert kept == set(tmp_path.iterdir())


def test_nobody_has_counted(tmp_path: Path) -> None:
    assert Requests() == counted(tmp_path) == counted(tmp_path / "nowhere")
    assert Requests().quantile(95) is None


def test_what_came_since_is_told(tmp_path: Path) -> None:
    """A count that went down began anew."""
    before = Requests({0.5: 10, 1.5: 10}, 3, 1)
    after = Requests({0.5: 28, 1.5: 30}, 5, 1)
    came = after.since(before)
    assert Requests({0.5: 18, 1.5: 20}, 2, 0) == came
    assert (0.5, 1.5) == (came.quantile(90), came.quantile(95))
    assert before == before.since(after)


def test_the_last_minute_is_told_from_all_of_them() -> None:
    """Less than a minute right after the first look; then what came since the look a minute ago."""
    clock = Watched()
    minute = LastMinute(clock)
    told = []
    for n in range(8):
        told.append(minute.of(Requests({15.0: 100 + 10 * n})).count)
        clock.move(seconds=20)
    assert [0, 10, 20, 30, 30, 30, 30, 30] == told


def test_a_route_nobody_knows_is_one_of_the_others() -> None:
    """However many addresses a scanner tries, there is one count for them."""
    counts = RequestCounts(ROUTES)
    names = {sample.name for metric in counts.collect() for sample in metric.samples}
    series = sum(len(metric.samples) for metric in counts.collect())
    for route in ("/etc/passwd", "/wp-login.php", None):
        counts.took(route, 404, 0.001)
    assert series == sum(len(metric.samples) for metric in counts.collect())
    assert names >= {"hotline_requests_total", "hotline_request_duration_seconds_bucket", "hotline_apologies_total"}
    others = [
        sample.value
        for metric in counts.collect()
        for sample in metric.samples
        if sample.labels == {"route": OTHER, "status": "4xx"}
    ]
    assert [3.0] == others


def timed(folder: Path, times: int) -> float:
    """Seconds of processor a counted request takes, the best of five rounds, in a process that shares its counts."""
    settings.share_counts(folder)
    counts = RequestCounts(ROUTES, folder)
    best = 1.0
    for _ in range(5):
        began = time.process_time()
        for _ in range(times):
            counts.took("calls.turn", 200, 0.004)
        best = min(best, (time.process_time() - began) / times)
    return best


def test_counting_a_request_takes_less_than_thirty_microseconds(tmp_path: Path) -> None:
    """With the counts shared, as on a real line."""
    begin(tmp_path)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(timed, (tmp_path, 2_000)) < 30e-6


@pytest.mark.parametrize("status", [100, 200, 302, 404, 503, 700])
def test_every_status_has_a_class(status: int) -> None:
    counts = RequestCounts(ROUTES)
    counts.took("calls.turn", status, 0.001)
    total = sum(
        sample.value
        for metric in counts.collect()
        for sample in metric.samples
        if sample.name == "hotline_requests_total"
    )
    assert 1 == total

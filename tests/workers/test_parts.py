"""The programs behind `hotline worker` and `hotline relay` start only with what they need, and stop when told."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import redis

from hotline.services import publication
from hotline.services.line import Line
from hotline.settings import handed_down
from hotline.store import queues
from hotline.store.embedded import Embedded
from tests.lines import SECRETS
from tests.services.reports import confirm, iowa, worksheet
from workers import jobs

TOP = Path(__file__).parents[2]


def environment(line: Line) -> dict[str, str]:
    return {**handed_down(line.settings), **SECRETS, "PYTHONPATH": str(TOP)}


def start(part: str, line: Line) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "workers", part], env=environment(line), stderr=subprocess.PIPE)


def ran(part: str, environment: dict[str, str]) -> tuple[int, str]:
    """Exit code and what was said of a part that is not to keep running."""
    command = [sys.executable, "-m", "workers", part]
    ended = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    return ended.returncode, ended.stderr.decode()


def end(process: subprocess.Popen[bytes]) -> int:
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    return process.returncode


def test_relay_and_worker_bring_a_report_from_the_outbox_to_the_results(
    line: Line, connection: redis.Redis, valkey: Embedded
) -> None:
    parts = [start("relay", line), start("worker", line)]
    try:
        confirm(line, "00013", worksheet())
        deadline = time.monotonic() + 30
        while publication.night(line).outcomes["00013"].status == "outstanding":
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        codes = [end(part) for part in parts]
    assert codes == [0, 0]


def test_a_worker_without_a_queue_says_so(line: Line) -> None:
    without = {name: value for name, value in environment(line).items() if name != "REDIS_URL"}
    said = "hotline worker: Not set: REDIS_URL. The queue is how reports reach the workers\n"
    assert ran("worker", without) == (2, said)


def test_an_unknown_part_is_told_the_known_ones(line: Line) -> None:
    assert ran("nap", environment(line)) == (2, "usage: python -m workers worker|relay\n")


def test_a_job_costs_little_beside_the_calls(line: Line, connection: redis.Redis, valkey: Embedded) -> None:
    """Taking, doing and finishing a job: 25 ms of one core at most, or 1,761 of them would slow the calls."""
    count = 60
    for code, sheet in list(iowa(line).items())[:count]:
        confirm(line, code, sheet)
        queues.place(connection, "tabulate", f"tab-{code}-1-1", jobs.TABULATE, [code])
    worker = queues.worker(valkey.url, "measured")
    before = time.process_time()
    worker.work(burst=True, logging_level="CRITICAL")
    assert (time.process_time() - before) / count < 0.025

"""Fast counts on Redis: over a rate within a minute, and nobody while Redis is away; nobody waits for it twice."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
import redis

from hotline.clock import Clock
from hotline.screening import sections
from hotline.store import embedded
from hotline.store.rates import CALM, Pace, Rates
from tests.conftest import Runs
from tests.store.held import KEY

NUMBER, OURS = "+15155551234", "+15155550000"
RATES = sections.Rates(number=2, called=4, line=6)


@pytest.mark.usefixtures("connection")
def test_each_rate_is_its_own(valkey: embedded.Embedded, connection: redis.Redis) -> None:
    """A number past its rate is hurried, one of ours past its flooded, the line past its flooded for all."""
    rates = Rates(valkey.url, Clock(), KEY)
    assert [False, False, True] == [rates.ring(NUMBER, OURS, RATES).is_hurried for _ in range(3)]
    assert [False, True] == [rates.ring("", OURS, RATES).is_flooded for _ in range(2)]
    assert [False, False, True] == [rates.ring("", "+15155550001", RATES).is_flooded for _ in range(3)]
    assert not [key for key in connection.scan_iter() if b"5155" in key], "no telephone number is kept in Redis"


@pytest.mark.usefixtures("connection")
def test_flood_on_one_number_of_ours_leaves_the_others_open(valkey: embedded.Embedded) -> None:
    """What is over the rate of that number is not counted on the line: a packet leaked, and the rest must not burn."""
    rates = Rates(valkey.url, Clock(), KEY)
    assert [False] * 4 + [True] * 50 == [rates.ring("", OURS, RATES).is_flooded for _ in range(54)]
    assert [False, False] == [rates.ring("", called, RATES).is_flooded for called in ("+15155550001", "+15155550002")]


@pytest.mark.usefixtures("connection")
def test_withheld_callers_are_never_hurried(valkey: embedded.Embedded) -> None:
    """They have nothing in common."""
    rates = Rates(valkey.url, Clock(), KEY)
    assert [False] * 5 == [rates.ring("", OURS, RATES).is_hurried for _ in range(5)]


def test_frozen_redis_is_waited_for_once(tmp_path: Path, running: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """One ring waits, within 600 ms; for five seconds nobody does; thawed, it is asked again and counts on."""
    server = embedded.in_folder(tmp_path, tmp_path)
    with running(server) as process:
        rates = Rates(server.url, Clock(), KEY)
        assert [False, False, True] == [rates.ring(NUMBER, OURS, RATES).is_hurried for _ in range(3)]
        process.send_signal(signal.SIGSTOP)
        began = time.perf_counter()
        assert CALM == rates.ring(NUMBER, OURS, RATES)
        first = time.perf_counter()
        assert [CALM] * 100 == [rates.ring(NUMBER, OURS, RATES) for _ in range(100)]
        assert first - began < 0.6
        assert time.perf_counter() - first < 0.1
        process.send_signal(signal.SIGCONT)
        monkeypatch.setattr(rates, "_closed_from", Clock().monotonic() - 0.001)
        assert rates.ring(NUMBER, OURS, RATES).is_hurried


def test_without_redis_nobody_is_over_a_rate(tmp_path: Path) -> None:
    """No address, or nobody there."""
    for url in (None, f"unix://{tmp_path}/nobody"):
        rates = Rates(url, Clock(), KEY)
        assert [Pace(False, False)] * 9 == [rates.ring(NUMBER, OURS, RATES) for _ in range(9)]

"""Two hundred wrong PINs at once from one number whose limit is five: five are judged, whatever becomes of Redis."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from hotline.dialog.values import replace
from hotline.store import embedded
from hotline.store.database import reading
from hotline.store.pins import Peppers, Pins
from hotline.store.schema import pin_attempts
from tests.conftest import Runs
from tests.lines import SECRETS
from tests.quick import QUICK
from tests.services.callers import Caller
from tests.storms.weather import Storm, storm_on

CALLS, AT_ONCE, LIMIT = 200, 16, 5
NUMBER, WRONG = "+12025550100", "70361548"


class CountedPins(Pins):
    """Pins that count what they were asked."""

    asked: Counter[str]

    def check(self, precinct: str, pin: str) -> bool:
        self.asked["judged"] += 1
        return super().check(precinct, pin)

    def burn(self) -> bool:
        self.asked["not judged"] += 1
        return super().burn()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("redis", ["none", "up", "killed"])
def test_exactly_as_many_are_judged_as_the_limit_says(
    redis: str, database: Path, tmp_path: Path, running: Runs, stack: ExitStack
) -> None:
    """Two hundred calls of one number have come to their PIN; then all key it. The rest meet a challenge, unjudged."""
    settings = {}
    if redis != "none":
        server = embedded.in_folder(tmp_path, tmp_path)
        process = stack.enter_context(running(server))
        settings["REDIS_URL"] = server.url
    storm = storm_on(database, tmp_path, 40, **settings)
    stack.callback(storm.line.ledger.engine.dispose)
    pins = CountedPins(storm.line.ledger.engine, storm.clock, Peppers(SECRETS["HOTLINE_PEPPER"]), QUICK)
    pins.asked = Counter()
    storm.line = replace(storm.line, pins=pins)
    codes = list(storm.packets)

    callers = [at_the_pin(storm, codes[n % len(codes)]) for n in range(CALLS // 2)]
    if redis == "killed":
        process.kill()
        process.wait()
    callers += [at_the_pin(storm, codes[n % len(codes)]) for n in range(CALLS // 2)]
    ready = threading.Barrier(AT_ONCE)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda place: key(place, callers, ready), range(CALLS)))

    assert {"judged": LIMIT, "not judged": CALLS - LIMIT} == pins.asked
    with reading(storm.line.ledger.engine) as connection:
        assert ["refused"] * LIMIT == [row.outcome for row in connection.execute(pin_attempts.select())]
    states = Counter(storm.session(caller).state for caller in callers)
    assert {"challenge": CALLS - LIMIT, "code": LIMIT} == states


def at_the_pin(storm: Storm, code: str) -> Caller:
    caller = storm.ring(NUMBER)
    caller.key(code)
    assert "pin" == storm.session(caller).state
    return caller


def key(place: int, callers: list[Caller], ready: threading.Barrier) -> None:
    """The first of each thread wait for one another, so that they do come at once."""
    if place < AT_ONCE:
        ready.wait()
    callers[place].key(WRONG)

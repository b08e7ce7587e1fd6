"""Which faults there are, how each is done, and what it must leave standing beside what every one must.

F and a number is the fault's place in our list of forty. Three kinds: a whole night with the fault in it; tests that
stand elsewhere in this suite and are run; and what cannot happen here, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from hotline.practice.night import quantile
from tests.faults import carriers, harm, surroundings
from tests.faults.judging import Told
from tests.faults.nights import Setting

Promise = tuple[str, Callable[[Told], bool]]
"""What must hold, in words, and whether it does."""


@dataclass(frozen=True)
class Case:
    """A night with a fault in it. `speed`: "quick" is held by every run of the tests, with few reports, "fair" among
    the storms, "slow" only by the command.

    `is_whole`: the whole contest reports, once each, however many reports are asked for.
    """

    name: str
    what: str
    setting: Setting
    promises: tuple[Promise, ...] = ()
    speed: Literal["quick", "fair", "slow"] = "slow"
    is_whole: bool = False
    needs: Callable[[], bool] = lambda: True


@dataclass(frozen=True)
class Elsewhere:
    """Faults that tests of the suite see to, by their places."""

    name: str
    what: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Absent:
    """A fault that this product cannot have, and why."""

    name: str
    what: str
    why: str


def p95(most: float) -> Promise:
    return f"p95 ≤ {most:.0f} ms", lambda told: told.p95 <= most


def slowest(most: float) -> Promise:
    return f"no answer later than {most / 1000:.0f} s", lambda told: told.slowest <= most


NO_CALL_BROKEN: Promise = ("every call completes", lambda told: told.broken == 0)
HELD: Promise = ("callers hear the hold prompt", lambda told: told.holds > 0)
TO_PERSONS: Promise = ("callers reach a person", lambda told: told.persons > 0)
RECOVERED: Promise = (
    "jobs cut short are done, p99 ≤ 45 s later",
    lambda told: bool(told.recovered) and quantile(told.recovered, 0.99) <= 45,
)
DIED: Promise = ("parts died", lambda told: told.deaths > 0)
POISON = 100
PUT_ASIDE: Promise = (f"{POISON} jobs put aside, none of the others", lambda told: told.dead == POISON)
HEADLINE: Promise = (
    "the published equivalents: 564.0117 and 562.4970",
    lambda told: told.headline == "Buttigieg 564.0117, Sanders 562.4970",
)
TWO_WORKERS = harm.killed(harm.WORKERS, 2.0)
EVERYTHING = harm.killed((*harm.PARTS, harm.DATABASE), 2.0)

NIGHTS = (
    Case("none", "nothing: what the others are held against", Setting(harm.nothing), (NO_CALL_BROKEN,), speed="quick"),
    Case("F1", "kill -9 of a worker, whatever it is doing, every 2 s", Setting(TWO_WORKERS), (NO_CALL_BROKEN,)),
    Case(
        "F2, F3", "kill -9 of a worker with a job in hand, every 10 s", Setting(harm.killed_at_work(10.0)), (RECOVERED,)
    ),
    Case(
        "F4",
        "kill -9 of the relay, also between queueing and marking, every second",
        Setting(harm.killed(("relay",), 1.0)),
        (NO_CALL_BROKEN,),
    ),
    Case(
        "F5, F6",
        "kill -9 of a web process, before and after its commit, every 2 s",
        Setting(harm.killed(("web",), 2.0)),
        speed="quick",
    ),
    Case("F7", "kill -9 of Valkey every 3 s", Setting(harm.killed(("valkey",), 3.0)), (NO_CALL_BROKEN,), speed="fair"),
    Case(
        "F8, F11", "everything in Redis gone every second", Setting(harm.wiped(1.0)), (NO_CALL_BROKEN,), speed="quick"
    ),
    Case("F9", "Redis frozen for 60 s", Setting(harm.frozen("valkey", (60.0,), 5.0)), (p95(600), NO_CALL_BROKEN)),
    Case(
        "F10",
        "Redis takes no writes for 5 s of every 6",
        Setting(harm.refusing(5.0, 1.0)),
        (p95(600), NO_CALL_BROKEN),
        speed="fair",
    ),
    Case(
        "F12",
        "SQLite held by another's transaction, 10 s of every 20",
        Setting(surroundings.locked(10.0, 10.0)),
        (slowest(4000), HELD),
    ),
    Case(
        "F12, two hosts",
        "every call's row locked, 10 s of every 20, PostgreSQL",
        Setting(surroundings.locked(10.0, 10.0), hosts=2),
        (slowest(4000), HELD),
    ),
    Case("F13", "kill -9 of PostgreSQL every 4 s", Setting(harm.killed((harm.DATABASE,), 4.0), hosts=2), speed="quick"),
    Case(
        "F14",
        "disk of ledger, queue and logs full, 15 s of every 25",
        Setting(
            surroundings.full(15.0, 10.0),
            around=surroundings.small_disk,
            settings={"HOTLINE_STAFF_NUMBERS": "+15155550190"},
        ),
        (TO_PERSONS,),
        needs=surroundings.may_mount,
    ),
    Case(
        "F17",
        "every request five times at once",
        Setting(harm.nothing, carrier=carriers.fivefold),
        (NO_CALL_BROKEN,),
        speed="quick",
    ),
    Case(
        "F19",
        "every request five times at once, over two hosts",
        Setting(harm.nothing, hosts=2, carrier=carriers.fivefold),
        (NO_CALL_BROKEN,),
    ),
    Case(
        "F18",
        "every turn too early, again at once, and again after the call",
        Setting(harm.nothing, carrier=carriers.untimely),
        (NO_CALL_BROKEN,),
        speed="quick",
    ),
    Case(
        "F22",
        "web answers nothing for 16 s, then 33 s: the carrier gives up at 15 s, asks again, then the fallback",
        Setting(harm.frozen("web", (16.0, 33.0), 15.0)),
    ),
    Case(
        "F24",
        "the line's clock jumps an hour on, an hour back, five minutes back, every 3 s",
        Setting(surroundings.jumping(3.0), around=surroundings.movable_clock),
        (NO_CALL_BROKEN,),
    ),
    Case("F31", f"{POISON} jobs that fail every time", Setting(harm.poisoned(POISON)), (PUT_ASIDE, NO_CALL_BROKEN)),
    Case("F32", "a worker gets no more memory, every 5 s", Setting(harm.starved(5.0)), (DIED, NO_CALL_BROKEN)),
    Case(
        "F36",
        "a new release: each part asked to end and started again, one every 3 s",
        Setting(harm.restarted(("web", "worker-1", "relay", "worker-2"), 3.0)),
        (NO_CALL_BROKEN,),
    ),
    Case(
        "F40",
        "logs go into full pipes that nobody reads, while requests are refused",
        Setting(surroundings.noisy(0.5), around=surroundings.unread_logs),
        (p95(600), NO_CALL_BROKEN),
        speed="fair",
    ),
    Case("all", "kill -9 of any part in random order every 2 s", Setting(harm.killed(harm.PARTS, 2.0))),
    Case(
        "all, two hosts",
        "kill -9 of any part and of PostgreSQL in random order every 2 s",
        Setting(EVERYTHING, hosts=2),
    ),
    Case(
        "whole night",
        "the same, all night, while every precinct reports",
        Setting(EVERYTHING, hosts=2),
        (HEADLINE,),
        is_whole=True,
    ),
)

ELSEWHERE = (
    Elsewhere(
        "F15",
        "SQLite with eight writers in each of two processes",
        ("tests/store/test_concurrency.py::test_no_turn_waits_long_and_none_is_lost",),
    ),
    Elsewhere(
        "F20, F21",
        "forged, cut or replayed signatures, another account, a proxy that changes the address",
        ("tests/web/test_forgeries.py", "tests/telephony/test_signature.py"),
    ),
    Elsewhere(
        "F25",
        "the caller hangs up at each question",
        ("tests/calls/test_calls.py::test_a_call_goes_as_written[hang-up-at-each-question]",),
    ),
    Elsewhere(
        "F26",
        "any keys, none, forty, none at all",
        ("tests/calls/test_odd_requests.py", "tests/dialog/test_any_keys.py"),
    ),
    Elsewhere("F27, F28, F39", "guesses in parallel and everywhere, 1,765 redials in a minute", ("tests/storms",)),
    Elsewhere("F30", "a broken policy file", ("tests/services/test_policy_in_force.py",)),
    Elsewhere(
        "F33",
        "a row, a byte, an order, an end edited behind the line's back",
        ("tests/commands/test_verify.py", "tests/store/test_seal.py"),
    ),
    Elsewhere(
        "F35",
        "the carrier's REST is down or busy during call-backs",
        ("tests/workers/test_calling.py", "tests/telephony/test_outbound.py", "tests/services/test_call_backs.py"),
    ),
    Elsewhere("F37", "Redis would evict or lose jobs", ("tests/commands/test_start.py", "tests/store/test_queues.py")),
    Elsewhere("F38", "the pepper is missing, or was changed", ("tests/store/test_pins.py", "tests/test_settings.py")),
)

ABSENT = (
    Absent("F16", "a replica lags 60 s", "every part reads and writes one database; no replica is read"),
    Absent("F23", "the main host is down", "there is no second collector yet; callers reach the other of two hosts"),
)

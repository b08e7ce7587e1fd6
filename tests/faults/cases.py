"""Which faults there are, what each must leave standing, and how many reports a case of each needs."""

from __future__ import annotations

from dataclasses import dataclass

from tests.faults import harm
from tests.faults.nights import Fault


@dataclass(frozen=True)
class Case:
    """One fault; on two hosts the database is PostgreSQL.

    `slowest` bounds p95 in milliseconds where the fault must not be felt, None where it must."""

    name: str
    what: str
    fault: Fault
    slowest: float | None = None
    hosts: int = 1

    @property
    def is_long(self) -> bool:
        """Whether it waits for longer than a quick run of the tests should."""
        return self.name in ("F1-F3", "F4", "F7", "F9", "F10")


CASES = (
    Case("none", "nothing: what the others are held against", harm.nothing),
    Case(
        "F1-F3", "kill -9 of a worker, in whatever it is doing, every 2 s", harm.killed(("worker-1", "worker-2"), 2.0)
    ),
    Case("F4", "kill -9 of the relay, between queueing and marking too, every second", harm.killed(("relay",), 1.0)),
    Case("F5, F6", "kill -9 of a web process, before and after its commit, every 2 s", harm.killed(("web",), 2.0)),
    Case("F7", "kill -9 of Valkey every 3 s", harm.killed(("valkey",), 3.0)),
    Case("F8, F11", "everything in Redis gone every second", harm.wiped(1.0)),
    Case("F9", "Redis frozen for 5 s of every 6", harm.frozen("valkey", 5.0, 1.0), slowest=600),
    Case("F10", "Redis takes no writes for 5 s of every 6", harm.refusing(5.0, 1.0), slowest=600),
    Case("F13", "kill -9 of PostgreSQL every 4 s, two hosts", harm.killed((harm.DATABASE,), 4.0), hosts=2),
    Case(
        "all on two hosts",
        "kill -9 of any part and of PostgreSQL every 2 s",
        harm.killed((*harm.PARTS, harm.DATABASE), 2.0),
        hosts=2,
    ),
    Case("all", "kill -9 of any part in random order every 2 s", harm.killed(harm.PARTS, 2.0)),
)

"""A night with a fault in it: real parts, real requests, and what stands in the ledger and the results afterwards.

The line is the one `hotline up` runs. Chairs phone in real worksheets while a fault does its work in a thread beside
them. What is counted afterwards comes from the callers (which numbers did they hear?) and from the ledger, never from
the parts that were hurt.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

from hotline import settings as settings_module
from hotline.caucus.contest import Contest
from hotline.caucus.tabulate import tabulate
from hotline.caucus.worksheet import Worksheet
from hotline.clock import Clock
from hotline.commands import named_contest
from hotline.commands.stack import Stack, started
from hotline.practice import rehearsal
from hotline.practice.cast import Cast, cast, sample
from hotline.practice.listening import Ear
from hotline.practice.night import CALLS_AT_ONCE, Door, Night, Record, quantile
from hotline.services import publication
from hotline.services.figures import totals_document
from hotline.services.line import Line, open_line
from hotline.services.verification import verify
from hotline.store.database import connect
from hotline.store.evidence import evidence
from hotline.store.migrate import migrate
from hotline.store.roster import Roster
from hotline.store.seal import Signer
from hotline.telephony.speech import FIRST_LANGUAGE
from tests.postgres import Postgres

CONTEST = "iowa-2020"
PATIENCE = 120.0
PERSISTENT = 60
"""Calls a chair makes before giving up: a line that is killed every two seconds drops many."""


@dataclass(frozen=True)
class Hurt:
    """The line as a fault sees it: its hosts, the database server if there is one, and when to let go."""

    stacks: Sequence[Stack]
    postgres: Postgres | None
    stopping: threading.Event
    clock: Clock


Fault = Callable[[Hurt], None]
"""Does its harm until `stopping`; whatever it froze or filled it gives back before it returns."""


@dataclass(frozen=True)
class Told:
    """What a night with a fault came to.

    `confirmed` reports' numbers were heard. `lost` are those not in the results, `doubled` reports kept more than once,
    `unheard` chairs who never got through. `totals` says whether all figures are those of the worksheets, `sealed`
    whether the ledger verifies. `p95` is milliseconds from request to answer, `failed` calls that broke off.
    """

    confirmed: int
    lost: int
    doubled: int
    unheard: int
    totals: bool
    sealed: bool
    p95: float
    failed: int
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether nothing confirmed was lost or doubled, everybody got through, and every figure is right."""
        return self.totals and self.sealed and not (self.lost or self.doubled or self.unheard)


def night(
    data: Path,
    fault: Fault,
    *,
    precincts: int,
    seed: int = 1,
    rate: float | None = None,
    postgres: Postgres | None = None,
) -> Told:
    """A night of so many precincts in a new folder `data`, with `fault` at work all the while.

    With a PostgreSQL the line has two hosts: two folders, two of every part, one database and one Valkey.
    """
    folder = named_contest.folder_of(CONTEST)
    contest = rehearsal.prepare(data, folder, seed)
    sheets = sample(rehearsal.read_sheets(contest, folder), seed, precincts)
    shared = {"DATABASE_URL": _prepared(postgres.database(), folder)} if postgres else {}
    line = open_line(settings_module.load({}, HOTLINE_DATA=data, **shared))
    try:
        players = _players(line, sheets, seed)
        with ExitStack() as block:
            stacks = [block.enter_context(_host(data, **shared))]
            if postgres:
                (data / "other").mkdir()
                shutil.copy(data / "secrets.env", data / "other" / "secrets.env")
                redis_url = stacks[0].settings.redis_url or ""
                stacks.append(block.enter_context(_host(data / "other", REDIS_URL=redis_url, **shared)))
            record = _played(stacks, postgres, players, fault, seed, rate)
            line.ledger.engine.dispose()  # connections to a server that was killed since
            _wait_for_workers(line)
            return _told(line, contest, sheets, record)
    finally:
        line.ledger.engine.dispose()


def _host(data: Path, **overrides: str) -> AbstractContextManager[Stack]:
    return started(data, "127.0.0.1", 0, lambda said: None, is_rehearsal=True, **overrides)


def _prepared(url: str, folder: Path) -> str:
    """The database of several hosts, as `rehearsal.prepare` leaves that of one."""
    engine = connect(url)
    migrate(engine)
    roster = Roster(engine, Clock())
    roster.mark_rehearsal()
    roster.load_folder(folder)
    engine.dispose()
    return url


def _players(line: Line, sheets: Mapping[str, Worksheet], seed: int) -> Cast:
    packets = rehearsal.hand_out(line, list(sheets), seed, lambda done: None)
    ear = Ear(line.prompts[FIRST_LANGUAGE].texts, [each.spoken for each in line.contest.preferences])
    pins = {code: packet.pin for code, packet in packets.items()}
    players = cast(line.contest, sheets, pins, ear, seed, 0)
    line.roster.register_numbers(players.numbers)
    return players


def _played(
    stacks: Sequence[Stack],
    postgres: Postgres | None,
    players: Cast,
    fault: Fault,
    seed: int,
    rate: float | None,
) -> Record:
    """Everybody calls, every second caller the second host if there is one; the fault is let go when all are done."""
    clock, stopping = Clock(), threading.Event()
    with ThreadPoolExecutor(len(stacks) + 1) as threads:
        harming = threads.submit(fault, Hurt(stacks, postgres, stopping, clock))
        try:
            running = [
                threads.submit(_night(stack, seed, clock, rate, len(stacks)).run, players.order[at :: len(stacks)])
                for at, stack in enumerate(stacks)
            ]
            records = [each.result() for each in running]
        finally:
            stopping.set()
        harming.result()
    return _together(records)


def _night(stack: Stack, seed: int, clock: Clock, rate: float | None, hosts: int) -> Night:
    found = stack.settings
    door = Door(stack.url, found.public_base_url, found.auth_token or "", found.account_sid or "")
    return Night(door, seed, clock, rate, CALLS_AT_ONCE // hosts, most_calls=PERSISTENT)


def _together(records: Sequence[Record]) -> Record:
    whole = records[0]
    for each in records[1:]:
        whole.chairs += each.chairs
        whole.failed += each.failed
        whole.confirmed.update(each.confirmed)
        whole.latencies += each.latencies
        whole.seconds = max(whole.seconds, each.seconds)
    return whole


def _wait_for_workers(line: Line) -> None:
    deadline = line.clock.monotonic() + PATIENCE
    while line.outbox.backlog().depth and line.clock.monotonic() < deadline:
        line.clock.sleep(0.1)


def _told(line: Line, contest: Contest, sheets: Mapping[str, Worksheet], record: Record) -> Told:
    standings = line.ledger.standings()
    kept = sum(len(standing.versions) for standing in standings.values())
    line.clock.sleep(1.5)  # the seal is a second behind
    with evidence(line.ledger.engine) as found:
        report = verify(found, Signer(line.settings.seal_key or "").public, {})
    return Told(
        confirmed=len(record.confirmed),
        lost=len(rehearsal.lost(line, record.confirmed)),
        doubled=kept - sum(bool(standing.versions) for standing in standings.values()),
        unheard=record.chairs - len(record.confirmed),
        totals=publication.results(line, include_held=True)["totals"] == _expected(contest, sheets),
        sealed=report.is_sound and report.unsealed == 0,
        p95=round(quantile(record.latencies, 0.95) * 1000),
        failed=record.failed,
        seconds=round(record.seconds, 1),
    )


def _expected(contest: Contest, sheets: Mapping[str, Worksheet]) -> object:
    """The figures the worksheets come to by themselves, in the document's shape."""
    return totals_document(contest, tabulate(contest, sheets).statewide)

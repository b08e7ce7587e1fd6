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
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from hotline import settings as settings_module
from hotline.caucus.worksheet import Worksheet
from hotline.clock import Clock
from hotline.commands import named_contest
from hotline.commands.stack import Stack, started
from hotline.practice import rehearsal
from hotline.practice.cast import cast, sample
from hotline.practice.listening import Ear
from hotline.practice.night import Door
from hotline.services.line import Line, open_line
from hotline.store.database import connect
from hotline.store.migrate import migrate
from hotline.store.pins import Peppers, Pins
from hotline.store.roster import Roster
from hotline.telephony.speech import FIRST_LANGUAGE
from tests.faults.callers import Carrier, Crowd, Reporter, Tally, ordinary, reporter
from tests.faults.judging import Marks, Told, told
from tests.postgres import Postgres
from tests.quick import QUICK

CONTEST = "iowa-2020"
BASE = "https://line.example"
PATIENCE = 600.0
"""Seconds the workers have to finish once the last call is over."""


@dataclass(frozen=True)
class Hurt:
    """The line as a fault sees it: its hosts, the database server if there is one, and when to let go.

    A fault notes in `cut_short` the jobs it took a worker's life in, and when.
    """

    stacks: Sequence[Stack]
    postgres: Postgres | None
    line: Line
    stopping: threading.Event
    clock: Clock
    cut_short: dict[str, datetime] = field(default_factory=dict)


Fault = Callable[[Hurt], None]
"""Does its harm until `stopping`; whatever it froze or filled it gives back before it returns."""

Around = Callable[[Path], AbstractContextManager[object]]
"""What a night's folder stands in meanwhile: a small disk, logs that nobody reads, a clock that can be moved."""


@dataclass(frozen=True)
class Setting:
    """How a night with a fault is held: on how many hosts (on two the database is PostgreSQL), by what carrier."""

    fault: Fault
    hosts: int = 1
    carrier: Carrier = ordinary
    around: Around = lambda _: nullcontext()
    settings: Mapping[str, str] = field(default_factory=dict)


def night(
    data: Path, setting: Setting, *, precincts: int | None, versions: int, seed: int = 1, postgres: Postgres | None
) -> Told:
    """A night of so many precincts, all for None, in a new folder `data`, each reporting `versions` times.

    With a PostgreSQL the line has two hosts: two folders, two of every part, one database and one Valkey.
    """
    with ExitStack() as block:
        data.mkdir()
        block.enter_context(setting.around(data))
        folder = named_contest.folder_of(CONTEST)
        contest = rehearsal.prepare(data, folder, seed)
        sheets = sample(rehearsal.read_sheets(contest, folder), seed, precincts)
        shared = {**setting.settings, "PUBLIC_BASE_URL": BASE}
        shared |= {"DATABASE_URL": _prepared(postgres.database(), folder)} if postgres else {}
        line = open_line(settings_module.load({}, HOTLINE_DATA=data, **shared))
        block.callback(line.ledger.engine.dispose)
        chairs = _reporters(line, sheets, seed, versions)
        deaths: list[str] = []
        stacks = [block.enter_context(_host(data, deaths, **shared))]
        if postgres:
            (data / "other").mkdir()
            shutil.copy(data / "secrets.env", data / "other" / "secrets.env")
            redis_url = stacks[0].settings.redis_url or ""
            stacks.append(block.enter_context(_host(data / "other", deaths, REDIS_URL=redis_url, **shared)))
        hurt = Hurt(stacks, postgres, line, threading.Event(), Clock())
        began = hurt.clock.monotonic()
        tally = _played(hurt, setting, chairs, seed)
        seconds = hurt.clock.monotonic() - began
        line.ledger.engine.dispose()  # connections to a server that was killed since
        _wait_for_workers(line)
        return told(line, sheets, chairs, tally, Marks(hurt.cut_short, len(deaths), seconds))


def _host(data: Path, deaths: list[str], **overrides: str) -> AbstractContextManager[Stack]:
    return started(data, "127.0.0.1", 0, deaths.append, is_rehearsal=True, **overrides)


def _prepared(url: str, folder: Path) -> str:
    """The database of several hosts, as `rehearsal.prepare` leaves that of one."""
    engine = connect(url)
    migrate(engine)
    roster = Roster(engine, Clock())
    roster.mark_rehearsal()
    roster.load_folder(folder)
    engine.dispose()
    return url


def _reporters(line: Line, sheets: Mapping[str, Worksheet], seed: int, versions: int) -> list[Reporter]:
    """A chair for every worksheet, the telephone numbers on file.

    PINs are judged as ever and hashed cheaply: otherwise they would take more of the machine than the faults do.
    """
    pins = Pins(line.ledger.engine, line.clock, Peppers(line.settings.pepper or ""), QUICK)
    packets = rehearsal.hand_out(replace(line, pins=pins), list(sheets), seed, lambda done: None)
    ear = Ear(line.prompts[FIRST_LANGUAGE].texts, [each.spoken for each in line.contest.preferences])
    known = {code: packet.pin for code, packet in packets.items()}
    chairs = []
    for code, sheet in sheets.items():
        alone = cast(line.contest, {code: sheet}, known, ear, seed, 0)
        line.roster.register_numbers(alone.numbers)
        chairs += [reporter(chair, packets[code], versions) for chair in alone.chairs]
    return chairs


def _played(hurt: Hurt, setting: Setting, chairs: Sequence[Reporter], seed: int) -> Tally:
    """Everybody calls, every second caller the second host if there is one; the fault is let go when all are done."""
    doors = [
        Door(each.url, BASE, each.settings.auth_token or "", each.settings.account_sid or "") for each in hurt.stacks
    ]
    hold = hurt.line.prompts[FIRST_LANGUAGE].texts["line.hold"]
    crowd = Crowd(doors, seed, hurt.clock, hold, setting.carrier)
    with ThreadPoolExecutor(1) as threads:
        harming = threads.submit(setting.fault, hurt)
        try:
            return crowd.call(chairs)
        finally:
            hurt.stopping.set()
            harming.result()


def _wait_for_workers(line: Line) -> None:
    """Until every job is acknowledged or put aside for a person."""
    deadline = line.clock.monotonic() + PATIENCE
    while line.outbox.backlog().depth > len(line.outbox.dead()) and line.clock.monotonic() < deadline:
        line.clock.sleep(0.1)

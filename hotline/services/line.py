"""The line as it stands after start-up: one bundle, built in one place and handed to whoever needs it."""

from __future__ import annotations

from dataclasses import dataclass

from hotline.caucus.contest import Contest
from hotline.clock import Clock
from hotline.dialog.script import Script
from hotline.settings import Settings, config_folder, require_secrets
from hotline.store.counters import Counters
from hotline.store.database import connect
from hotline.store.ledger import Ledger
from hotline.store.numbers import Numbers
from hotline.store.outbox import Outbox
from hotline.store.pins import Peppers, Pins
from hotline.store.projections import Projections
from hotline.store.roster import Roster
from hotline.telephony.speech import Prompts, read_prompts


@dataclass(frozen=True)
class Line:
    """Everything a part of the line works with; the contest is the one that was active when the part started."""

    settings: Settings
    clock: Clock
    contest: Contest
    script: Script
    prompts: Prompts
    ledger: Ledger
    roster: Roster
    pins: Pins
    counters: Counters
    numbers: Numbers
    outbox: Outbox
    projections: Projections


def open_line(settings: Settings, clock: Clock | None = None) -> Line:
    """Open the line the settings describe. The database must be migrated and a contest loaded.

    Raises `SetupError` when a secret is missing or no contest is loaded.
    """
    require_secrets(settings)
    clock = clock or Clock()
    engine = connect(settings.database_url)
    roster = Roster(engine, clock)
    contest = roster.active_contest()
    prompts = read_prompts(config_folder() / "prompts")
    return Line(
        settings=settings,
        clock=clock,
        contest=contest,
        script=Script(contest, tuple(prompts)),
        prompts=prompts,
        ledger=Ledger(engine, clock),
        roster=roster,
        pins=Pins(engine, clock, Peppers(settings.pepper or "", settings.pepper_previous)),
        counters=Counters(engine, clock),
        numbers=Numbers(settings.secret_key or ""),
        outbox=Outbox(engine, clock),
        projections=Projections(engine, clock),
    )

"""The line as it stands after start-up: one bundle, built in one place and handed to whoever needs it."""

from __future__ import annotations

from dataclasses import dataclass

from hotline.caucus.contest import Contest
from hotline.clock import Clock
from hotline.dialog.script import Script
from hotline.services.lookout import Lookout
from hotline.services.policy import PolicyInForce
from hotline.settings import Settings, config_folder, require_secrets
from hotline.store.alerts import Alerts
from hotline.store.audit import Audit
from hotline.store.blocks import Blocks
from hotline.store.call_backs import CallBacks
from hotline.store.call_records import CallRecords
from hotline.store.callers import Callers
from hotline.store.chairs import Chairs
from hotline.store.conditions import NightConditions
from hotline.store.counters import Counters
from hotline.store.credentials import Vault
from hotline.store.database import connect
from hotline.store.keyed import keying
from hotline.store.ledger import Ledger
from hotline.store.marks import StaffMarks
from hotline.store.numbers import Numbers
from hotline.store.outbox import Outbox
from hotline.store.pins import Peppers, Pins
from hotline.store.projections import Projections
from hotline.store.rates import Rates
from hotline.store.reports import Reports
from hotline.store.reviews import Reviews
from hotline.store.roster import Roster
from hotline.store.staff import StaffAccounts
from hotline.telephony.speech import Prompts, read_prompts


@dataclass(frozen=True)
class Line:
    """Everything a part of the line works with; the contest, and that its calls are a rehearsal's, as it started."""

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
    call_backs: CallBacks
    projections: Projections
    callers: Callers
    blocks: Blocks
    marks: StaffMarks
    conditions: NightConditions
    alerts: Alerts
    rates: Rates
    policy: PolicyInForce
    lookout: Lookout
    is_rehearsal: bool
    staff: StaffAccounts
    reports: Reports
    reviews: Reviews
    calls: CallRecords
    audit: Audit
    chairs: Chairs


def open_line(settings: Settings, clock: Clock | None = None) -> Line:
    """Open the line the settings describe. The database must be migrated and a contest loaded.

    Raises `SetupError` when a secret is missing, no contest is loaded or the screening policy cannot be used.
    """
    require_secrets(settings)
    clock = clock or Clock()
    engine = connect(settings.database_url)
    roster = Roster(engine, clock)
    contest = roster.active_contest()
    prompts = read_prompts(config_folder() / "prompts")
    key = keying(settings.secret_key or "")
    alerts = Alerts(engine, clock)
    conditions = NightConditions(engine, clock, key, capacity=settings.capacity, staff=len(settings.staff_numbers))
    return Line(
        settings=settings,
        clock=clock,
        contest=contest,
        script=Script(contest, tuple(prompts)),
        prompts=prompts,
        ledger=Ledger(engine, clock),
        roster=roster,
        pins=Pins(engine, clock, Peppers(settings.pepper or "", settings.pepper_previous)),
        counters=Counters(engine, clock, key),
        numbers=Numbers(settings.secret_key or ""),
        outbox=Outbox(engine, clock),
        call_backs=CallBacks(engine, clock, key),
        projections=Projections(engine, clock),
        callers=Callers(engine, clock, key),
        blocks=Blocks(engine, clock, key),
        marks=StaffMarks(engine, clock, key),
        conditions=conditions,
        alerts=alerts,
        rates=Rates(settings.redis_url, clock, key),
        policy=PolicyInForce(settings.screening, clock, conditions, alerts),
        lookout=Lookout(clock, conditions, alerts),
        is_rehearsal=roster.is_rehearsal(),
        staff=StaffAccounts(engine, clock, key, Vault(settings.secret_key or "")),
        reports=Reports(engine),
        reviews=Reviews(engine, clock),
        calls=CallRecords(engine),
        audit=Audit(engine),
        chairs=Chairs(engine),
    )

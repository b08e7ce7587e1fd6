"""`hotline preflight` and `hotline provision`: is the line ready for its night, and its numbers set to reach it."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from hotline.clock import Clock
from hotline.commands.folder import data_option, line_in, settings_in
from hotline.errors import HotlineError
from hotline.services.preflight import Check
from hotline.services.preflight_carrier import CarrierSide, pointings
from hotline.services.preflight_line import LineSide, secrets
from hotline.settings import Settings, require_secrets
from hotline.store import embedded
from hotline.telephony.account import Account, Timed

SIGNS = {"pass": "ok  ", "warn": "WARN", "fail": "FAIL"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--no-carrier", is_flag=True, help="Leave out what the carrier has to be asked.")
@data_option
def preflight(as_json: bool, no_carrier: bool, data: Path | None) -> None:
    """Check that the line can go live: this machine and the carrier. Exit 1 when a check fails.

    Run it on the machine of the line while it is up, a day before and again an hour before.
    """
    found = list(_checks(data, asks_carrier=not no_carrier))
    if as_json:
        click.echo(json.dumps({"checks": [vars(each) for each in found]}, indent=2))
    else:
        for each in found:
            click.echo(f"{SIGNS[each.status]}  {each.name}: {each.detail}")
            if each.fix:
                click.echo(f"      -> {each.fix}")
    failed = sum(each.status == "fail" for each in found)
    if not as_json:
        warned = sum(each.status == "warn" for each in found)
        click.echo(f"{len(found)} checks, {failed} failed, {warned} warned")
    sys.exit(1 if failed else 0)


@click.command()
@click.option("--apply", "is_meant", is_flag=True, help="Set them. Without it nothing is changed.")
@click.option("--fallback", default="", metavar="URL", help="Where the carrier goes when this line does not answer.")
@data_option
def provision(is_meant: bool, fallback: str, data: Path | None) -> None:
    """Point the numbers in HOTLINE_NUMBERS at this line: show what differs, and with --apply set it."""
    found = require_secrets(settings_in(data))
    account = _account(found, Clock())
    wrong = [each for each in pointings(found, account, fallback) if each.differs]
    for each in wrong:
        for name, is_so, should in each.differs:
            click.echo(f"{each.number.number}  {name}: {is_so or 'not set'} -> {should or 'empty'}")
        if is_meant:
            account.point(each.number, each.to)
    if not wrong:
        click.echo(f"{len(found.numbers)} numbers reach this line already")
    elif is_meant:
        click.echo(f"{len(wrong)} numbers were set")
    else:
        click.echo(f"{len(wrong)} numbers differ; --apply sets them")


def _checks(data: Path | None, *, asks_carrier: bool) -> Iterator[Check]:
    try:
        found = settings_in(data)
    except HotlineError as unusable:
        yield Check(
            "settings", "fail", str(unusable), "Mend the setting it names; config/hotline.toml tells what each is"
        )
        return
    yield Check("settings", "pass", f"read, for the data folder {found.data}")
    held = secrets(found)
    yield held
    if held.status == "fail":
        return
    try:
        with line_in(data) as line:
            yield from LineSide(line, _redis_of(found)).checks()
    except HotlineError as closed:
        yield Check("line", "fail", str(closed), "Do what the message says: the rest of this machine's checks need it")
    if asks_carrier:
        yield from CarrierSide(found, _account(found, Clock())).checks()


def _account(found: Settings, clock: Clock) -> Account:
    return Account(found.account_sid or "", found.auth_token or "", Timed(clock.now))


def _redis_of(found: Settings) -> str | None:
    """The Redis of the line: the one named, else the one `hotline up` brought and left in the data folder."""
    if found.redis_url is not None:
        return found.redis_url
    own = embedded.in_folder(found.data.resolve(), Path(tempfile.gettempdir()))
    return own.url if own.socket.exists() else None

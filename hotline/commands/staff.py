"""`hotline staff`: accounts of the console. What is needed to sign in is shown once, here, and kept nowhere."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import cast

import click

from hotline.commands.folder import data_option, line_in
from hotline.events.staff import ROLES, Role
from hotline.store.staff import Credentials


@click.group()
def staff() -> None:
    """Accounts of the console: make, list, reset, close.

    A viewer looks on; an agent works on calls and reports; a supervisor approves as well; an auditor reads the record;
    an admin reads, and looks after accounts on this machine.
    """


@staff.command()
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), required=True, help="What the account may do.")
@data_option
def add(name: str, role: str, data: Path | None) -> None:
    """Make an account called NAME, and print how to sign in for the first time."""
    with line_in(data) as line:
        made = line.staff.add(name.lower(), cast(Role, role), getpass.getuser())
        _show(made, f"{line.settings.public_base_url}/staff/sign-in")


@staff.command()
@click.argument("name")
@data_option
def reset(name: str, data: Path | None) -> None:
    """Give NAME a new password and secret; the old ones and every session of theirs end now."""
    with line_in(data) as line:
        made = line.staff.reset(name.lower(), getpass.getuser())
        _show(made, f"{line.settings.public_base_url}/staff/sign-in")


@staff.command()
@click.argument("name")
@data_option
def disable(name: str, data: Path | None) -> None:
    """Close the account of NAME and end its sessions. What it did stays on record; reset opens it again."""
    with line_in(data) as line:
        line.staff.disable(name.lower(), getpass.getuser())
        click.echo(f"{name.lower()} can no longer sign in; sessions are ended")


@staff.command("list")
@data_option
def listed(data: Path | None) -> None:
    """List the accounts: role, last sign-in, and which are closed."""
    with line_in(data) as line:
        accounts = line.staff.listed()
    for each in accounts:
        seen = f"last signed in {each.seen_at}" if each.seen_at else "never signed in"
        closed = f", closed {each.disabled_at}" if each.disabled_at else ""
        click.echo(f"{each.name:<20} {each.role:<11} {seen}{closed}")
    click.echo(f"{len(accounts)} accounts" + ("" if accounts else "; hotline staff add NAME --role ROLE makes one"))


def _show(made: Credentials, page: str) -> None:
    click.echo(f"""Sign in at {page}
  name      {made.name}
  password  {made.password}   (once; choose your own then)
  secret    {made.secret}   (type it into an authenticator app, or open the address there)
  address   {made.address}
These are shown this one time.""")

"""`hotline verify` and `hotline seal`: is the ledger what it was when sealed, and the file to check that with."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click

from hotline.commands.folder import data_option, line_in
from hotline.errors import SetupError
from hotline.services.line import Line
from hotline.services.verification import Verification
from hotline.services.verification import verify as verified
from hotline.setting_values import seal_key
from hotline.store import bundle, heads, queues
from hotline.store.evidence import Evidence, evidence
from hotline.store.seal import Signer, fingerprint

SHOWN = 20


@click.command()
@click.option(
    "--bundle", "file", type=click.Path(path_type=Path, dir_okay=False), help="An exported bundle; no line is needed."
)
@click.option(
    "--key", metavar="HEX", help="The public key it was sealed under. Without it: this line's, or the bundle's."
)
@click.option(
    "--heads",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A folder where heads were written down; may be given again. Without it: those of the settings.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
@data_option
def verify(file: Path | None, key: str | None, folders: tuple[Path, ...], as_json: bool, data: Path | None) -> None:
    """Work the seal out again from the ledger's content; exit 1 and name the first bad row when it does not hold."""
    public = seal_key(key, "--key")
    with _of_bundle(file, public) if file else _of_line(data, public) as (found, under, places):
        kept = {str(folder): heads.in_folder(folder) for folder in folders} or places
        report = verified(found, under, kept)
    if file and not key:
        click.echo("The key came with the bundle: compare it with the one the party published.", err=True)
    click.echo(_document(report, under) if as_json else _told(report, under))
    sys.exit(0 if report.is_sound else 1)


@click.group()
def seal() -> None:
    """The seal over the ledger: its public key, and a bundle anybody can verify."""


@seal.command()
@data_option
def key(data: Path | None) -> None:
    """Print the public key: publish it before the night."""
    with line_in(data) as line:
        click.echo(_public(line))


@seal.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
def export(file: Path, data: Path | None) -> None:
    """Write the ledger and its seal to FILE, a new one, for `hotline verify --bundle`."""
    with line_in(data) as line, evidence(line.ledger.engine) as found:
        events = bundle.write(file, found, line.contest.name, _public(line))
    click.echo(f"{events:,} events and their seal in {file}")


Found = tuple[Evidence, str, Mapping[str, Iterator[tuple[int, str]]]]


@contextmanager
def _of_bundle(file: Path, public: str | None) -> Iterator[Found]:
    with bundle.opened(file) as opened:
        yield opened.evidence, public or seal_key(opened.public_key, str(file)) or "", {}


@contextmanager
def _of_line(data: Path | None, public: str | None) -> Iterator[Found]:
    with line_in(data) as line, evidence(line.ledger.engine) as found:
        yield found, public or _public(line), _places(line)


def _places(line: Line) -> dict[str, Iterator[tuple[int, str]]]:
    """Where the line's heads are kept. Redis away is told and passed by: it may be what was lost."""
    places = {str(folder): heads.in_folder(folder) for folder in line.settings.seal_folders}
    if line.settings.redis_url:
        try:
            key = fingerprint(_public(line))
            places["Redis"] = iter(list(heads.in_redis(queues.client(line.settings.redis_url), key)))
        except queues.Unreachable as error:
            click.echo(f"Heads in Redis were not looked at: {error}", err=True)
    return places


def _public(line: Line) -> str:
    if not line.settings.seal_key:
        raise SetupError("Not set: HOTLINE_SEAL_KEY. Give the public key with --key instead")
    return Signer(line.settings.seal_key).public


def _told(report: Verification, public: str) -> str:
    count = f"{report.events:,} events under {report.links:,} seals, {report.unsealed:,} newer than the last one"
    if report.is_sound:
        return f"The ledger holds: {count}.\nHead {report.head}\nKey  {public}"
    faults = [f"  {fault.table} {fault.row or ''}: {fault.what}".replace(" :", ":") for fault in report.faults[:SHOWN]]
    more = [f"  and {len(report.faults) - SHOWN:,} more"] if len(report.faults) > SHOWN else []
    return "\n".join([f"THE LEDGER DOES NOT HOLD, first at {_first(report)} ({count} hold):", *faults, *more])


def _first(report: Verification) -> str:
    fault = report.first
    return f"{fault.table} {fault.row or ''}".rstrip()


def _document(report: Verification, public: str) -> str:
    plain = {name: getattr(report, name) for name in ("events", "links", "unsealed", "head")}
    faults = [vars(fault) for fault in report.faults]
    first = vars(report.first) if faults else None
    return json.dumps({"sound": report.is_sound, "key": public, **plain, "first": first, "faults": faults})

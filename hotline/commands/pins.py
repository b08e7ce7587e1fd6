"""`hotline pins issue`: new PINs and correction codes, written once to a file only its owner may read; `pins status`:
how many there are and which pepper they need, never a PIN."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from hotline.caucus.contest import Contest
from hotline.commands.folder import data_option, line_in
from hotline.commands.progress import progress
from hotline.commands.slips import slips
from hotline.errors import SetupError
from hotline.store.pins import Packet

_ROLES = {
    "in use": "in use (HOTLINE_PEPPER)",
    "previous": "still to move (HOTLINE_PEPPER_PREVIOUS)",
    "missing": "not set",
}
COLUMNS = ("county", "precinct", "code", "pin", "correction_code")


@click.group()
def pins() -> None:
    """PINs for the chairs' packets."""


@pins.command()
@click.option("--precinct", metavar="CODE", help="Only this precinct; without it, every precinct.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="A .csv, or a .pdf of slips."
)
@data_option
def issue(precinct: str | None, out: Path, data: Path | None) -> None:
    """Issue new PINs and correction codes. The PINs of before die; these are shown nowhere else, ever."""
    if out.suffix.lower() not in _WRITTEN:
        raise SetupError(f"{out}: PINs are written as CSV or as PDF; give a file that ends in .csv or .pdf")
    with line_in(data) as line:
        codes = [_known(line.contest, precinct)] if precinct else list(line.contest.precincts)
        with _private(out) as file, progress("issuing PINs", len(codes)) as step:
            packets = line.pins.issue(codes, progress=step)
            file.write(_WRITTEN[out.suffix.lower()](line.contest, packets))
    click.echo(f"{len(packets):,} new PINs in {out}, readable by you alone; PINs issued before no longer work")


@pins.command()
@data_option
def status(data: Path | None) -> None:
    """How many sites have a PIN, and how far a change of pepper has come. Shows no PIN.

    A PIN moves to the pepper in use when it is next keyed right; correction codes move only when issued anew.
    """
    with line_in(data) as line:
        sites, issued = line.contest.precincts.keys(), line.pins.issued()
        click.echo(f"{len(sites & issued):,} of {len(sites):,} sites of {line.contest.name} have a PIN")
        for use in line.pins.standing():
            held = f"{use.pins:,} PINs, {use.correction_codes:,} correction codes"
            click.echo(f"pepper {use.pepper}, {_ROLES[use.role]}: {held}")
        line.pins.require_peppers()


def _known(contest: Contest, code: str) -> str:
    if code not in contest.precincts:
        raise SetupError(f"{code} is no precinct of {contest.name}; a code has five digits, the last one a check digit")
    return code


@contextmanager
def _private(out: Path) -> Iterator[BinaryIO]:
    """A new file of one's own; gone again when no PIN came to stand in it.

    It is opened before any PIN changes, so that a full disk or a bad path leaves the old PINs alive.
    """
    try:
        handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise SetupError(f"cannot write {out}: {error.strerror}; PINs go to a file that does not exist yet") from error
    with os.fdopen(handle, "wb") as file:
        try:
            yield file
        except BaseException:
            out.unlink()
            raise


def _table(contest: Contest, packets: Iterable[Packet]) -> bytes:
    with io.StringIO(newline="") as text:
        writer = csv.writer(text)
        writer.writerow(COLUMNS)
        for packet in packets:
            precinct = contest.precincts[packet.precinct]
            writer.writerow((precinct.county, precinct.name, precinct.code, packet.pin, packet.correction_code))
        return text.getvalue().encode()


_WRITTEN = {".csv": _table, ".pdf": slips}

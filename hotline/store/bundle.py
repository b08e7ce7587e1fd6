"""The ledger and its seal as one file that leaves the house: gzipped lines of JSON, to be verified with no line at all.

The first line says what it is and under which key it was sealed; then every link, then every event. Bytes that a reader
cannot trust are read as rows that cannot be read, so that a bundle tampered with is a finding and no traceback.
"""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hotline.errors import SetupError
from hotline.store.evidence import LINK, Broken, Evidence, Read
from hotline.store.seal import ROW

FORMAT = "hotline ledger bundle 1"


@dataclass(frozen=True)
class Bundle:
    """An opened bundle: what its first line says, and what there is to verify."""

    contest: str
    public_key: str
    evidence: Evidence


def write(path: Path, found: Evidence, contest: str, public_key: str) -> int:
    """Write what `found` holds to a new file; how many events. Raises SetupError when it cannot be written or read."""
    events = 0
    try:
        with path.open("xb") as file, gzip.open(file, "wt", encoding="utf-8", compresslevel=6) as out:
            _line(out, {"bundle": FORMAT, "contest": contest, "key": public_key})
            for link in found.links:
                whole = _whole(link)
                _line(out, {"seal": {**whole, "rows": b64encode(whole["rows"]).decode()}})
            for event in found.events:
                _line(out, {"event": _whole(event)})
                events += 1
    except OSError as error:
        raise SetupError(f"cannot write {path}: {error.strerror}") from error
    return events


@contextmanager
def opened(path: Path) -> Iterator[Bundle]:
    """A bundle to be verified. Raises SetupError when the file is no bundle at all."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            first = json.loads(file.readline())
            if not isinstance(first, dict) or first.get("bundle") != FORMAT:
                raise SetupError(f"{path} is no ledger bundle: hotline seal export writes one")
            links, rows = _split(file)
            found = Evidence(iter(links), rows, iter(()))
            yield Bundle(str(first.get("contest", "")), str(first.get("key", "")), found)
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise SetupError(f"{path} is no ledger bundle, or was cut off: {error}") from error


def _split(file: IO[str]) -> tuple[list[Read], Iterator[Read]]:
    """The links, which come first and are few, and the events behind them."""
    lines = _lines(file)
    links: list[Read] = []
    for kind, row in lines:
        if kind != "seal":
            return links, _events((kind, row), lines)
        links.append(row)
    return links, iter(())


def _events(first: tuple[str, Read], lines: Iterator[tuple[str, Read]]) -> Iterator[Read]:
    yield first[1]
    for kind, row in lines:
        yield row if kind == "event" else Broken(None, "a line that is no event stands among the events")


def _lines(file: IO[str]) -> Iterator[tuple[str, Read]]:
    try:
        for line in file:
            yield _read(line)
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        yield "event", Broken(None, f"the bundle cannot be read on from here: {error}")


def _read(line: str) -> tuple[str, Read]:
    try:
        whole = json.loads(line)
        if set(whole) == {"seal"}:
            return "seal", {name: whole["seal"][name] for name in LINK[:-3]} | {
                "rows": b64decode(whole["seal"]["rows"], validate=True),
                "head": whole["seal"]["head"],
                "signature": whole["seal"]["signature"],
            }
        return "event", {name: whole["event"][name] for name in ROW}
    except (ValueError, TypeError, KeyError) as error:
        return ("seal" if line.startswith('{"seal"') else "event"), Broken(None, f"a line cannot be read: {error}")


def _whole(read: Read) -> dict[str, Any]:
    if isinstance(read, Broken):
        raise SetupError(f"the ledger cannot be exported whole: {read.why}; run hotline verify")
    return dict(read)


def _line(out: IO[str], value: Mapping[str, Any]) -> None:
    out.write(json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n")

"""Heads written down outside the database: what finds that the ledger's end was cut off, or all of it replaced.

One line of JSON a head, at the end of a file in each folder named, and of a list in Redis. Whoever can change the
database should not be able to change all of these: name a folder on another machine's disk too. The newest head also
stands open on the results page, for anybody to copy.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from hotline.errors import HotlineError
from hotline.store import queues
from hotline.store.seals import Head

FILE = "heads.jsonl"
LIST = "hotline:seal:heads:%s"
"""By the fingerprint of the key: a rehearsal may share the Redis of a real line."""


class HeadNotKept(HotlineError):
    """A place for heads could not be written; the message says which."""


def keep(head: Head, folders: Sequence[Path], connection: queues.Client | None) -> None:
    """Write a head down in every place, all of them even when one fails. Raises `HeadNotKept` naming those that did."""
    line = json.dumps(vars(head))
    failed = []
    for folder in folders:
        try:
            _append(folder, line)
        except OSError as error:
            failed.append(f"{folder}: {error.strerror}")
    if connection is not None:
        try:
            connection.rpush(LIST % head.key, line)
        except queues.Unreachable as error:
            failed.append(f"Redis: {error}")
    if failed:
        raise HeadNotKept(f"seal {head.n} was not written down everywhere: {'; '.join(failed)}")


def in_folder(folder: Path) -> Iterator[tuple[int, str]]:
    """The heads kept in a folder, (n, head), in the order they were written; a line a crash cut is passed by."""
    try:
        with (folder / FILE).open(encoding="utf-8", errors="replace") as file:
            yield from _read(file)
    except FileNotFoundError:
        return


def in_redis(connection: queues.Client, key: str) -> Iterator[tuple[int, str]]:
    """The heads kept in Redis under a key of this fingerprint. Raises `Unreachable`."""
    kept = connection.lrange(LIST % key, 0, -1)
    yield from _read(each.decode(errors="replace") if isinstance(each, bytes) else each for each in kept)


def _append(folder: Path, line: str) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, f"{line}\n".encode())
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(lines: Iterator[str]) -> Iterator[tuple[int, str]]:
    for line in lines:
        try:
            kept = json.loads(line)
            yield int(kept["n"]), str(kept["head"])
        except (ValueError, TypeError, KeyError):
            continue

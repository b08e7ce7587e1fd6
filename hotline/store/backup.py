"""A backup: one file with the whole database as it stood at one moment, and a manifest that says what is in it.

The file is a zip with `manifest.json` and the copy, `hotline.db` or `hotline.dump`; how each database is copied and
brought back stands in `sqlite_copy` and `postgres_copy`. The contest is in the database and so in the copy. Secrets are
not: PINs are kept as hashes that nobody can use without the line's secrets.env. Callers' numbers are in it, so only its
owner may read the file. Its digest tells damage, not forgery: that is what the seals over the ledger are for.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Engine

from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.store import postgres_copy, sqlite_copy
from hotline.store.database import connect
from hotline.store.migrate import known_schemas
from hotline.store.moment import Moment
from hotline.store.text import instant

MANIFEST, COPIES = "manifest.json", {"sqlite": "hotline.db", "postgresql": "hotline.dump"}
FORMAT = "hotline backup 1"
MIB = 1 << 20
LARGEST_MANIFEST = 64 * 1024


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself. `moment` is what stood in the database, `bytes` and `sha256` are the copy's."""

    made_at: str
    database: str
    moment: Moment
    bytes: int
    sha256: str
    secrets: str = "not in this file: keep secrets.env, or what stands for it, apart"
    format: str = FORMAT


def back_up(engine: Engine, file: Path, clock: Clock) -> Manifest:
    """Copy the database into the new file `file` while the line goes on; what it holds is one moment's, whole.

    Raises `SetupError` when `file` exists or cannot be written, when a program of PostgreSQL's is missing, or when the
    copy does not pass its check; there is no `file` then.
    """
    database = engine.dialect.name
    with _appearing(file) as folder:
        copy = folder / COPIES[database]
        module = sqlite_copy if database == "sqlite" else postgres_copy
        moment = module.copy(engine, copy)
        with copy.open("rb") as stream:
            manifest = Manifest(instant(clock.now()), database, moment, copy.stat().st_size, _digest(stream))
        packed = folder / "packed"
        _pack(packed, copy, manifest)
        os.replace(packed, file)
    return manifest


def restore(url: str, file: Path) -> Manifest:
    """Bring the backup `file` to the database at `url`, where nothing may be yet: all of it, or nothing of it.

    Raises `SetupError`, nothing written, when `file` is no backup, damaged, of a newer release or of the other kind of
    database, or when there is something at `url`.
    """
    engine = connect(url, threads=1)
    try:
        database = engine.dialect.name
        with _opened(file) as (archive, manifest):
            _check(archive, manifest, file, database)
            module = sqlite_copy if database == "sqlite" else postgres_copy
            module.require_empty(engine)
            with archive.open(COPIES[database]) as stream:
                module.bring_back(engine, stream, manifest.moment)
    finally:
        engine.dispose()
    return manifest


@contextmanager
def _appearing(file: Path) -> Iterator[Path]:
    """A folder beside `file` to make it in. The name is taken first, so nothing that stands there is overwritten."""
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    except OSError as error:
        raise SetupError(
            f"cannot write {file}: {error.strerror}; a backup goes to a file that is not there yet"
        ) from error
    try:
        with tempfile.TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as folder:
            yield Path(folder)
        sqlite_copy.settle(file.parent)
    except BaseException as error:
        file.unlink()
        if isinstance(error, (OSError, sqlite3.Error)):
            raise SetupError(f"cannot write {file}: {error}") from error
        raise


def _pack(packed: Path, copy: Path, manifest: Manifest) -> None:
    handle = os.open(packed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1, ensure_ascii=False))
            archive.write(copy, copy.name, zipfile.ZIP_DEFLATED if copy.suffix == ".db" else zipfile.ZIP_STORED)
        out.flush()
        os.fsync(out.fileno())


@contextmanager
def _opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive, _manifest(archive, file)
    except OSError as error:
        raise SetupError(f"cannot restore {file}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise SetupError(f"{file} is damaged or is no backup of a line: {error}") from error


def _manifest(archive: zipfile.ZipFile, file: Path) -> Manifest:
    try:
        with archive.open(MANIFEST) as stream:
            values: dict[str, Any] = json.loads(stream.read(LARGEST_MANIFEST))
        manifest = Manifest(**{**values, "moment": Moment(**values["moment"])})
        archive.getinfo(COPIES[manifest.database])
    except (KeyError, TypeError, ValueError) as error:
        raise SetupError(f"{file} is no backup that this release can read: {error}") from error
    if manifest.format != FORMAT:
        raise SetupError(f"{file} is a {manifest.format}; this release reads {FORMAT}")
    return manifest


def _check(archive: zipfile.ZipFile, manifest: Manifest, file: Path, database: str) -> None:
    """Refuse what must not be brought back, having read all of it and written nothing."""
    if manifest.database != database:
        raise SetupError(f"{file} is of a {manifest.database} database; DATABASE_URL names {database}")
    if manifest.moment.schema not in known_schemas():
        raise SetupError(
            f"{file} has schema {manifest.moment.schema or 'none'}, which this release does not know: "
            "restore it with the release that made it, or a newer one"
        )
    name = COPIES[database]
    with archive.open(name) as stream:
        if (archive.getinfo(name).file_size, _digest(stream)) != (manifest.bytes, manifest.sha256):
            raise SetupError(f"{file} is damaged: its copy of the database is not the one its manifest speaks of")


def _digest(stream: IO[bytes]) -> str:
    whole = hashlib.sha256()
    while part := stream.read(MIB):
        whole.update(part)
    return whole.hexdigest()

"""The contests that were loaded, which one is on, and the telephone numbers on file.

On file are the numbers in the chairs.csv of the contest that is on, and those enrolled on the night: a number is only
as good as the precinct it stands for, and another contest's codes name other precincts.

A contest's folder is kept whole, bytes and digest, so that any machine with the database can run the line, and any
result can be worked out again from the very files it was worked out with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, insert, select

from hotline.caucus.contest import Contest
from hotline.caucus.folder import FILES, chairs, read_contest
from hotline.caucus.roster import ROLES, ChairNumber
from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.store import meta
from hotline.store.database import reading, upsert, writing
from hotline.store.schema import chair_numbers, contest_files, contests
from hotline.store.text import instant


@dataclass(frozen=True)
class LoadedContest:
    """A contest that was loaded. `digest` is SHA-256 over its files' names and bytes."""

    name: str
    title: str
    digest: str
    precincts: int
    loaded_at: str
    is_active: bool


def read_folder(path: Path) -> dict[str, bytes]:
    """The bytes of a contest folder's files, by name. Raises `SetupError` when there is no such folder."""
    if not path.is_dir():
        raise SetupError(
            f"{path} is not a folder; a contest is a folder with contest.toml, precincts.csv and counties.csv"
        )
    return {name: (path / name).read_bytes() for name in FILES if (path / name).is_file()}


class Roster:
    """Loads contests and numbers and tells them back; guards the engine."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def load_folder(self, path: Path) -> Contest:
        """Check a contest folder and keep it whole, in place of one of the same name. The first to be loaded is on.

        If it is on, the numbers of its chairs.csv take the place of those that were on file; substitutes stay. Raises
        `FolderProblems` listing every bad row; nothing was loaded.
        """
        files = read_folder(path)
        contest, numbers = read_contest(files), chairs(files)
        row = {
            "name": contest.name,
            "title": contest.title,
            "digest": digest(files),
            "precincts": len(contest.precincts),
            "loaded_at": instant(self._clock.now()),
        }
        with writing(self._engine) as connection:
            connection.execute(delete(contest_files).where(contest_files.c.contest == contest.name))
            insert_contest = upsert(connection, contests).values(row)
            connection.execute(insert_contest.on_conflict_do_update(index_elements=["name"], set_=row))
            kept = [{"contest": contest.name, "file": file, "content": content} for file, content in files.items()]
            connection.execute(insert(contest_files), kept)
            if meta.get(connection, meta.CONTEST) is None:
                meta.put(connection, meta.CONTEST, contest.name)
            if meta.get(connection, meta.CONTEST) == contest.name:
                connection.execute(delete(chair_numbers).where(chair_numbers.c.role.in_(ROLES)))
                _put_numbers(connection, numbers)
        return contest

    def list_contests(self) -> list[LoadedContest]:
        """Every contest that was loaded, by name."""
        with reading(self._engine) as connection:
            active = meta.get(connection, meta.CONTEST)
            rows = connection.execute(select(contests).order_by(contests.c.name)).mappings().all()
        return [LoadedContest(**row, is_active=row["name"] == active) for row in rows]

    def activate(self, name: str) -> None:
        """Make a loaded contest the one the line is for. If it was another before, all numbers on file are anew."""
        with writing(self._engine) as connection:
            if not (files := _files(connection, name)):
                raise SetupError(f"No contest {name} is loaded; see hotline contest list")
            if meta.get(connection, meta.CONTEST) == name:
                return
            meta.put(connection, meta.CONTEST, name)
            connection.execute(delete(chair_numbers))
            _put_numbers(connection, chairs(files))

    def active_contest(self, name: str | None = None) -> Contest:
        """The contest the line is for, or the loaded one of that name."""
        with reading(self._engine) as connection:
            wanted = name or meta.get(connection, meta.CONTEST)
            if wanted is None:
                raise SetupError("No contest is loaded: run hotline contest load FOLDER")
            files = _files(connection, wanted)
        if not files:
            raise SetupError(f"No contest {wanted} is loaded; see hotline contest list")
        return read_contest(files)

    def mark_rehearsal(self) -> None:
        """Say that every call in this database is a rehearsal's, from now on for good."""
        with writing(self._engine) as connection:
            meta.put(connection, meta.REHEARSAL, instant(self._clock.now()))

    def is_rehearsal(self) -> bool:
        """Whether the calls in this database are a rehearsal's, never to be taken for real ones."""
        with reading(self._engine) as connection:
            return meta.get(connection, meta.REHEARSAL) is not None

    def register_number(self, number: str, precinct: str, role: str) -> None:
        """Put a telephone number (E.164) on file for a precinct."""
        self.register_numbers([ChairNumber(number, precinct, role)])

    def register_numbers(self, numbers: Iterable[ChairNumber]) -> None:
        """Put many on file at once: all of them, or none."""
        with writing(self._engine) as connection:
            _put_numbers(connection, numbers)

    def on_file(self, number: str) -> tuple[str, ...]:
        """Codes of the precincts this number is on file for, in order. A withheld number ("") is on file for none."""
        kept = select(chair_numbers.c.precinct).where(chair_numbers.c.number == number)
        with reading(self._engine) as connection:
            return tuple(connection.execute(kept.order_by(chair_numbers.c.precinct)).scalars())

    def reachable(self) -> set[str]:
        """Codes of the precincts that have a number on file."""
        with reading(self._engine) as connection:
            return set(connection.execute(select(chair_numbers.c.precinct)).scalars())

    def numbers_of(self, precinct: str) -> tuple[str, ...]:
        """The whole numbers on file for a precinct, to be called back. For no page and no log."""
        kept = select(chair_numbers.c.number).where(chair_numbers.c.precinct == precinct)
        with reading(self._engine) as connection:
            return tuple(connection.execute(kept.order_by(chair_numbers.c.number)).scalars())


def digest(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and bytes, whatever the order they come in."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(f"{name}\0{len(files[name])}\0".encode() + files[name])
    return whole.hexdigest()


def _files(connection: Connection, contest: str) -> dict[str, bytes]:
    kept = select(contest_files.c.file, contest_files.c.content).where(contest_files.c.contest == contest)
    return {row.file: bytes(row.content) for row in connection.execute(kept)}


def _put_numbers(connection: Connection, numbers: Iterable[ChairNumber]) -> None:
    for each in numbers:
        put = upsert(connection, chair_numbers).values(vars(each))
        connection.execute(put.on_conflict_do_update(index_elements=["number", "precinct"], set_={"role": each.role}))

"""Accounts of staff and their sessions. There is none until `hotline staff add` makes one.

What was done to an account stands in the ledger, written in the same transaction. A session is a row: ending it here
ends it for the browser's very next request.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Engine, and_, func, insert, select, update

from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.events.kinds import Event
from hotline.events.staff import (
    Role,
    StaffAdded,
    StaffDisabled,
    StaffPasswordChanged,
    StaffReset,
    StaffSignedIn,
    StaffSignedOut,
)
from hotline.store import credentials
from hotline.store.credentials import Vault
from hotline.store.database import in_line, reading, upsert, writing
from hotline.store.keyed import Keying
from hotline.store.staff_tables import staff, staff_attempts, staff_sessions
from hotline.store.statements import statements
from hotline.store.text import instant
from hotline.store.writer import write_events

NAME = re.compile(r"[a-z][a-z0-9.-]{1,31}", re.ASCII)
SESSION = timedelta(hours=8)
WINDOW = timedelta(minutes=15)
PAIR, ACCOUNT, ADDRESS = 5, 20, 60
"""Wrong tries within `WINDOW` after which no more is judged: of a name from one address, of it in all, of an address.
Whoever guesses at a colleague's name from elsewhere locks the pair first, and not the colleague."""


@dataclass(frozen=True)
class Credentials:
    """What a person needs to sign in for the first time. Shown once, kept nowhere as it stands here."""

    name: str
    password: str = field(repr=False)
    secret: str = field(repr=False)

    @property
    def address(self) -> str:
        """The `otpauth:` address for an app."""
        return credentials.address_of(self.secret, self.name)


@dataclass(frozen=True)
class Account:
    """One account. `seen_at` is its last sign-in, None before the first; `disabled_at` None while it is open."""

    name: str
    role: Role
    made_at: str
    disabled_at: str | None
    seen_at: str | None


@dataclass(frozen=True)
class Session:
    """Somebody who is signed in. `mark` names the session in the ledger; `is_given`: a password is to be chosen first.

    `token` is what the browser holds.
    """

    staff: str
    role: Role
    until: str
    is_given: bool
    token: str = field(repr=False)

    @property
    def mark(self) -> str:
        """The first digits of the kept token."""
        return _kept(self.token)[:8]


class StaffAccounts:
    """Makes accounts and lets people in; guards the engine, the vault and the key of names."""

    def __init__(self, engine: Engine, clock: Clock, key: Keying, vault: Vault) -> None:
        self._engine, self._clock, self._key, self._vault = engine, clock, key, vault
        self._sql = statements(engine.dialect)

    def add(self, name: str, role: Role, by: str) -> Credentials:
        """Make an account. Raises `SetupError` for a name that is none or is taken."""
        if not NAME.fullmatch(name):
            raise SetupError(f"{name!r}: a name is 2 to 32 of a-z, 0-9, dot and dash, and begins with a letter")
        made, values = self._made(name)
        values |= {"name": name, "role": role, "step": 0, "made_at": self._now(), "disabled_at": None}
        with writing(self._engine) as connection:
            put = upsert(connection, staff).values(values).on_conflict_do_nothing().returning(staff.c.name)
            if connection.execute(put).first() is None:
                raise SetupError(f"{name} has an account already: hotline staff reset {name} gives it a new password")
            self._write(connection, StaffAdded(name, role, by))
        return made

    def reset(self, name: str, by: str) -> Credentials:
        """A new password and secret for an account, which is open again. Its sessions end."""
        made, values = self._made(name)
        with writing(self._engine) as connection:
            self._change(connection, name, {**values, "disabled_at": None})
            self._end(connection, name)
            self._write(connection, StaffReset(name, by))
        return made

    def disable(self, name: str, by: str) -> None:
        """Close an account and end its sessions, at once."""
        with writing(self._engine) as connection:
            self._change(connection, name, {"disabled_at": self._now()})
            self._end(connection, name)
            self._write(connection, StaffDisabled(name, by))

    def listed(self) -> list[Account]:
        """Every account by name."""
        seen = select(func.max(staff_sessions.c.began_at)).where(staff_sessions.c.staff == staff.c.name)
        columns = (staff.c.name, staff.c.role, staff.c.made_at, staff.c.disabled_at, seen.scalar_subquery())
        with reading(self._engine) as connection:
            return [Account(*row) for row in connection.execute(select(*columns).order_by(staff.c.name))]

    def reserve(self, name: str, address: str) -> int | None:
        """Write a try down, as refused until it is settled; None when there were too many and none is judged."""
        who = (self._key(f"name {name}"), self._key(f"address {address}"))
        with writing(self._engine) as connection:
            in_line(connection, "hotline staff sign-in")  # else tries at the same moment would not see one another
            if any(self._tries(connection, *who)):
                return None
            row = {"name": who[0], "address": who[1], "at": self._now(), "is_refused": True}
            made = connection.execute(insert(staff_attempts).values(row).returning(staff_attempts.c.id))
            return int(made.scalar_one())

    def judge(self, name: str, password: str, code: str) -> bool:
        """Whether password and code are the account's; the code is then used up. Slow: outside any transaction."""
        open_one = select(staff.c.password, staff.c.secret).where(staff.c.name == name, staff.c.disabled_at.is_(None))
        with reading(self._engine) as connection:
            row = connection.execute(open_one).first()
        is_right = credentials.matches(row.password if row else None, password)
        if row is None or not is_right:
            return False
        step = credentials.step_of(self._vault.open(row.secret), code, self._clock.now())
        if step is None:
            return False
        with writing(self._engine) as connection:
            used = update(staff).where(staff.c.name == name, staff.c.step < step)
            return bool(connection.execute(used.values(step=step)).rowcount)

    def open_session(self, name: str, attempt: int, address: str) -> Session:
        """Let somebody in whose try was right."""
        now, token = self._clock.now(), self._clock.token(32)
        row = {"token": _kept(token), "staff": name, "address": address, "began_at": instant(now)}
        row["until"] = instant(now + SESSION)
        with writing(self._engine) as connection:
            settled = update(staff_attempts).where(staff_attempts.c.id == attempt)
            connection.execute(settled.values(is_refused=False))
            connection.execute(insert(staff_sessions).values(row))
            found = connection.execute(select(staff.c.role, staff.c.is_given).where(staff.c.name == name)).one()
            session = Session(name, found.role, row["until"], found.is_given, token)
            self._write(connection, StaffSignedIn(name, session.mark))
        return session

    def session(self, token: str) -> Session | None:
        """Who holds this token, while the session and the account stand."""
        stands = and_(staff_sessions.c.ended_at.is_(None), staff_sessions.c.until > self._now())
        columns = (staff.c.name, staff.c.role, staff_sessions.c.until, staff.c.is_given)
        held = select(*columns).join(staff, staff.c.name == staff_sessions.c.staff)
        held = held.where(staff_sessions.c.token == _kept(token), stands, staff.c.disabled_at.is_(None))
        with reading(self._engine) as connection:
            row = connection.execute(held).first()
        return Session(*row, token) if row else None

    def close_session(self, session: Session) -> None:
        """Sign out."""
        with writing(self._engine) as connection:
            ended = update(staff_sessions).where(staff_sessions.c.token == _kept(session.token))
            if connection.execute(
                ended.where(staff_sessions.c.ended_at.is_(None)).values(ended_at=self._now())
            ).rowcount:
                self._write(connection, StaffSignedOut(session.staff, session.mark))

    def choose_password(self, session: Session, password: str) -> None:
        """Keep a password the person chose; their other sessions end."""
        kept = credentials.hashed(password)
        with writing(self._engine) as connection:
            self._change(connection, session.staff, {"password": kept, "is_given": False})
            self._end(connection, session.staff, but=session.token)
            self._write(connection, StaffPasswordChanged(session.staff, session.mark))

    def _made(self, name: str) -> tuple[Credentials, dict[str, Any]]:
        made = Credentials(name, credentials.new_password(self._clock), credentials.new_secret(self._clock))
        kept = {"password": credentials.hashed(made.password), "is_given": True}
        return made, {**kept, "secret": self._vault.seal(made.secret)}

    def _change(self, connection: Connection, name: str, values: dict[str, Any]) -> None:
        if not connection.execute(update(staff).where(staff.c.name == name).values(values)).rowcount:
            raise SetupError(f"{name} has no account: see hotline staff list")

    def _end(self, connection: Connection, name: str, but: str = "") -> None:
        theirs = update(staff_sessions).where(staff_sessions.c.staff == name, staff_sessions.c.ended_at.is_(None))
        connection.execute(theirs.where(staff_sessions.c.token != _kept(but)).values(ended_at=self._now()))

    def _tries(self, connection: Connection, name: str, address: str) -> tuple[bool, bool, bool]:
        """Whether a name from an address, a name, an address has tried too often. What was right clears the pair."""
        of_name, of_address = staff_attempts.c.name == name, staff_attempts.c.address == address
        lately = staff_attempts.c.at > instant(self._clock.now() - WINDOW)
        right = select(func.max(staff_attempts.c.id)).where(of_name, of_address, ~staff_attempts.c.is_refused)
        since = connection.execute(right).scalar() or 0
        refused = select(func.count()).where(staff_attempts.c.is_refused, lately)
        pair = connection.execute(refused.where(of_name, of_address, staff_attempts.c.id > since)).scalar_one()
        account = connection.execute(refused.where(of_name)).scalar_one()
        shared = connection.execute(refused.where(of_address)).scalar_one()
        return pair >= PAIR, account >= ACCOUNT, shared >= ADDRESS

    def _write(self, connection: Connection, event: Event) -> None:
        write_events(connection, self._sql, [event], "", self._now())

    def _now(self) -> str:
        return instant(self._clock.now())


def _kept(token: str) -> str:
    """A session's token as it is kept: 256 random bits need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()

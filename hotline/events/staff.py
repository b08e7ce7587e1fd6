"""What happens to the accounts of staff: made, let in, taken away. No password, code or address stands in any event.

`by` is the account, or the user of a command, that did it; `session` the short mark of a session, by which its address
is found while the session's row is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["viewer", "agent", "supervisor", "auditor", "admin"]
"""Looks on; works on calls and reports; approves as well; reads the record; looks after accounts."""
ROLES: tuple[Role, ...] = ("viewer", "agent", "supervisor", "auditor", "admin")


@dataclass(frozen=True)
class StaffAdded:
    """An account was made. `{"name": "ana", "role": "agent", "by": "root"}`."""

    name: str
    role: Role
    by: str


@dataclass(frozen=True)
class StaffReset:
    """An account got a new password and a new secret; the old ones are dead. `{"name": "ana", "by": "root"}`."""

    name: str
    by: str


@dataclass(frozen=True)
class StaffDisabled:
    """An account was closed, its sessions with it. `{"name": "ana", "by": "root"}`."""

    name: str
    by: str


@dataclass(frozen=True)
class StaffPasswordChanged:
    """Somebody chose a password of their own; other sessions of theirs ended. `{"by": "ana", "session": "5e1f…"}`."""

    by: str
    session: str


@dataclass(frozen=True)
class StaffSignedIn:
    """Somebody signed in at the console. `{"by": "ana", "session": "5e1f0a77"}`."""

    by: str
    session: str


@dataclass(frozen=True)
class StaffSignedOut:
    """A session was ended. `{"by": "ana", "session": "5e1f0a77"}`."""

    by: str
    session: str


Staff = StaffAdded | StaffReset | StaffDisabled | StaffPasswordChanged | StaffSignedIn | StaffSignedOut

"""What survives of a call between two turns. Plain values, no rules: the ledger keeps it as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hotline.dialog import draft as drafts
from hotline.dialog.draft import Draft
from hotline.dialog.values import replace
from hotline.events.kinds import Event, ReportConfirmed, from_body, to_body

REMEMBERED = 120
"""Questions `*2#` can go back over: two whole reports of 14 groups."""

_TRANSIENT = ("headcount.zero", "correction")
"""Never gone back to: the one belongs to the question before it, the other is a key, not an answer."""


@dataclass(frozen=True)
class Session:
    """Everything the machine knows of one call.

    `turn` is the number of the next expected turn, 1 after the first ring. `on_file` are the precinct codes the
    caller's number is registered for; where it may be forged they are `doubted`, and it is registered for none. `code`
    is keyed but not yet proven; `precinct` is None until its PIN is accepted. `draft` is a half-given report found at
    sign-in until `is_opened`, then the report of this call; `from_call` is the call it was found in. `history` are the
    questions `*2#` returns to, `filled` the questions that one `*3#` answered, by section. `is_slow`: a doubtful
    caller, with one sign-in. `is_unverified`: the sign-in was right but in doubt, so what it confirms is to be
    verified. `pending` is a count that time ended. `idle` are turns since the last progress.
    """

    call: str
    state: str = "code"
    turn: int = 1
    language: str = "en"
    on_file: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    offers_on_file: bool = True
    challenge: str | None = None
    wants_person: bool = False
    has_passed: bool = False
    has_signed_in: bool = False
    is_slow: bool = False
    is_unverified: bool = False
    failures: int = 0
    tries: int = 0
    code: str = ""
    precinct: str | None = None
    filed: ReportConfirmed | None = None
    draft: Draft | None = None
    from_call: str | None = None
    is_opened: bool = False
    is_cleared: bool = False
    starts_again: bool = False
    history: tuple[str, ...] = ()
    filled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pending: int | None = None
    confirmation: str = ""
    strikes: int = 0
    pounds: int = 0
    idle: int = 0

    @property
    def ended(self) -> bool:
        """Whether the line has said its last word: the call was ended or handed to a person."""
        return self.state in ("over", "person")

    @property
    def is_known(self) -> bool:
        """Whether this caller may be handed to a person without a challenge."""
        return bool(self.on_file) or self.has_passed or self.has_signed_in

    @property
    def report(self) -> Draft:
        """The report in the making; an empty one before it is opened."""
        return self.draft or Draft()

    @property
    def site(self) -> str:
        """The precinct's code, "" before the PIN: as events name it."""
        return self.precinct or ""

    def to_json(self) -> dict[str, Any]:
        """The session, ready for JSON."""
        plain = dict(vars(self))
        plain["filed"] = to_body(self.filed) if self.filed else None
        plain["draft"] = drafts.to_json(self.draft) if self.draft else None
        return plain

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Session:
        """The session that was stored."""
        plain = dict(stored)
        for name in ("on_file", "doubted", "history"):
            plain[name] = tuple(plain.get(name, ()))
        plain["filled"] = {section: tuple(questions) for section, questions in plain["filled"].items()}
        plain["draft"] = drafts.from_json(plain["draft"]) if plain["draft"] else None
        plain["filed"] = from_body("ReportConfirmed", plain["filed"]) if plain["filed"] else None
        return cls(**plain)


def asking(session: Session, state: str) -> Session:
    """The session with the next question up, and this one behind it for `*2#`."""
    history = session.history
    if session.state in _TRANSIENT:
        history = history[:-1] if history[-1:] == (state,) else history
    elif state != session.state:
        history = (*history, session.state)[-REMEMBERED:]
    return replace(session, state=state, history=history, pending=None)


def having(session: Session, *events: Event) -> Session:
    """The session with `events` recorded in its draft."""
    return replace(session, draft=drafts.fold(events, session.filed, session.draft))

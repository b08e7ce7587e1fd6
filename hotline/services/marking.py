"""Staff's word of a caller (AB-16): from the next ring on the number's score has it, until it is over or taken back.

The one way in for the command and for the console. What staff say counts against a number that is on file nowhere, and
against one on file not at all: whoever they spoke to may have forged it. Such a number can only be blocked.
"""

from __future__ import annotations

from datetime import timedelta

from hotline.errors import FormRefused, SetupError
from hotline.services.line import Line
from hotline.store.marks import StaffMark, Word

FEATURE = "AB-16"


def mark(line: Line, number: str, word: Word, *, why: str, by: str, call: str = "") -> StaffMark:
    """Say what a number (E.164) is used for; `call` is where it was noticed, if it was in one.

    Raises `FormRefused` for a withheld number or without a reason, `NotPermitted` when it would extend a mark of the
    same person's, `SetupError` when the policy does not count what staff say.
    """
    if not number:
        raise FormRefused("The number is withheld: it is no one caller's, and nothing can be said of it")
    if not why.strip():
        raise FormRefused("The record needs a reason")
    return line.marks.mark(number, word, term=term(line), why=why.strip(), by=by, call=call)


def mark_call(line: Line, sid: str, word: Word, *, why: str, by: str) -> StaffMark:
    """Say of a call what its number is used for. Raises as `mark` does, and `UnknownCall`."""
    return mark(line, line.callers.number_of(sid), word, why=why, by=by, call=sid)


def term(line: Line) -> timedelta:
    """How long a bad word counts by the policy in force."""
    weights = line.policy.now().features.get(FEATURE)
    if weights is None:
        raise SetupError(f"the screening policy has {FEATURE} switched off: what staff say of a number would not count")
    return timedelta(minutes=weights["minutes"])

"""The seal as a line keeps it: who signs it, and how far it has come."""

from __future__ import annotations

from typing import Any

from hotline.services.line import Line
from hotline.store.seal import Signer
from hotline.store.seals import Seals


def seals_of(line: Line) -> Seals:
    """The line's seals, signed with HOTLINE_SEAL_KEY."""
    return Seals(line.ledger.engine, line.clock, Signer(line.settings.seal_key or ""))


def newest(line: Line) -> dict[str, Any]:
    """The newest head as anybody may see it, with the public key it is signed under."""
    seals = seals_of(line)
    head = seals.head()
    return {"public_key": seals.public_key, "head": None if head is None else dict(vars(head))}

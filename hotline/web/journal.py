"""One line in the log for each request of the carrier: which call, which turn, how it was answered and how fast.

What was keyed or heard is in none: the ledger has that. A call's lines are found by its id.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from flask import Request, g

from hotline.logs import told

log = logging.getLogger(__name__)
log.setLevel(logging.INFO)
"""Whatever else this part keeps quiet about."""

_SID = re.compile(r"CA[0-9a-f]{32}").fullmatch
_COUNT = re.compile(r"[0-9]{1,5}").fullmatch


def tell(request: Request, status: int, seconds: float) -> None:
    """Put an answered request into the log. One that was refused is told by whoever refused it."""
    form = g.get("form")
    if form is None:
        return
    line = told(
        "answered",
        call=_of(_SID, form.get("CallSid", ("",))[0]),
        route=request.endpoint,
        turn=_of(_COUNT, str((request.view_args or {}).get("number", ""))),
        held=_of(_COUNT, request.args.get("held", "")),
        status=status,
        apology="yes" if "is_apology" in g else None,
        ms=round(seconds * 1000),
    )
    log.info("%s", line)


def _of(kind: Callable[[str], object], given: str) -> str | None:
    """What an address or a form names, if it is what it should be: anything else may be a telephone number."""
    return given if kind(given) else None

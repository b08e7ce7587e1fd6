"""The go-live check: what stops a line on its night, looked at the day before.

Each check looks at one thing, really, and says what it found and what to do. Those of this machine stand in
`preflight_line`, those of the carrier in `preflight_carrier`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hotline.errors import HotlineError

Status = Literal["pass", "warn", "fail"]


@dataclass(frozen=True)
class Check:
    """One thing looked at. `fix` says what to do, "" when there is nothing; a "warn" may be meant so, a "fail" not.

    As JSON: `{"name": "disk", "status": "warn", "detail": "12 % of /var is free", "fix": "…"}`.
    """

    name: str
    status: Status
    detail: str
    fix: str = ""


class Wanting(Exception):
    """A check's word that something is not as it must be, or with `is_fatal` off, may not be."""

    def __init__(self, detail: str, fix: str, *, is_fatal: bool = True) -> None:
        super().__init__(detail)
        self.detail, self.fix, self.is_fatal = detail, fix, is_fatal


Look = Callable[[], str]
"""Looks at one thing: what it found, when that is well; else raises `Wanting`."""


def looked_at(looks: Sequence[tuple[str, Look]]) -> Iterator[Check]:
    """Each look's result in turn; one that cannot even be taken has failed."""
    for name, look in looks:
        try:
            yield Check(name, "pass", look())
        except Wanting as wanting:
            yield Check(name, "fail" if wanting.is_fatal else "warn", wanting.detail, wanting.fix)
        except HotlineError as trouble:
            yield Check(name, "fail", str(trouble), "Do what the message says, then check again")

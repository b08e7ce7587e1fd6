"""What the routes are given: the open line, the services behind it and what answers when they fail.

Routes read it through `doors()`, so that nothing here is global and a test can pass services of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from flask import current_app

from hotline.caucus.contest import Contest
from hotline.services.line import Line
from hotline.services.publication import Night
from hotline.telephony.inbound import CallFailure, CallStatus, InboundCall, InboundTurn, QueueLeft
from hotline.telephony.signature import Verifier
from hotline.web.editions import Editions

EXTENSION = "hotline"


class Intake(Protocol):
    """What a call asks of the line; each answer but the last is a document for the carrier."""

    def answer_call(self, line: Line, inbound: InboundCall, /) -> str:
        """The first ring."""

    def take_turn(self, line: Line, inbound: InboundTurn, /) -> str:
        """Keys, or silence, at one question."""

    def fallback(self, line: Line, failure: CallFailure, /) -> str:
        """The carrier could not run our answer."""

    def leave_queue(self, line: Line, left: QueueLeft, /) -> str:
        """Reaching a person has ended."""

    def end_call(self, line: Line, status: CallStatus, /) -> None:
        """The call is over."""


class CallBacks(Protocol):
    """What becomes of the numbers on file that the line calls."""

    def answer(self, line: Line, request: int, call: InboundCall, /) -> str:
        """One picked up: a document for the carrier."""

    def end(self, line: Line, request: int, status: CallStatus, /) -> None:
        """The call is over, or nobody picked up."""


class Publication(Protocol):
    """The results as everybody may see them."""

    def night(self, line: Line, /) -> Night:
        """Every precinct's outcome as the workers last left it."""

    def results_of(self, contest: Contest, night: Night, /) -> Mapping[str, Any]:
        """The document of `/results.json`, held reports outside the totals."""

    def sites_of(self, contest: Contest, night: Night, area: str, /) -> Sequence[Mapping[str, Any]]:
        """Every precinct of a county, or site of a pool, with its numbers and findings."""

    def as_csv(self, results: Mapping[str, Any], /) -> str:
        """The same as CSV."""


@dataclass(frozen=True)
class Doors:
    """Made once per application. `apologies`, by language, are ready: nothing can break while saying what did."""

    line: Line
    intake: Intake
    call_backs: CallBacks
    publication: Publication
    editions: Editions
    verifier: Verifier
    account: str
    apologies: Mapping[str, str]


def doors() -> Doors:
    """The doors of the application that answers this request."""
    return cast(Doors, current_app.extensions[EXTENSION])

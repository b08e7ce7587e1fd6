"""Screening a call at its first ring: what is known of the caller and of the night, judged by the policy in force.

No call leaves the machine room here: two queries to SQL, a word with Redis that may be missing, and no slow work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from hotline.events.guard import CallScreened
from hotline.events.kinds import Event
from hotline.events.verification import CallBackRequested, NoticeWanted
from hotline.screening.hours import is_outside
from hotline.screening.policy import FORGED, judge
from hotline.screening.policy_file import Policy
from hotline.screening.signals import Recent
from hotline.screening.verdict import Verdict
from hotline.screening.words import sentence
from hotline.services.line import Line
from hotline.store.callers import Known
from hotline.store.ledger import OpenTurn
from hotline.store.rates import CALM, Pace
from hotline.telephone_numbers import area_of
from hotline.telephony.inbound import InboundCall

ONE_TEXT_IN = timedelta(hours=24)


@dataclass(frozen=True)
class Screened:
    """How a call is met, in words too. `on_file`: the precincts its number stands for; `doubted`: those it would, were
    it not forged. One of the two is empty.
    """

    verdict: Verdict
    told: str
    on_file: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()

    @property
    def event(self) -> CallScreened:
        """The decision as it is kept, with its reasons (AB-19)."""
        return CallScreened(**self.verdict.to_json(), told=self.told)


@dataclass(frozen=True)
class Outlook:
    """What staff are told of a number: what is known of it, how its next call would be met, and that in words."""

    known: Known
    verdict: Verdict
    told: str


def screen(line: Line, call: InboundCall) -> Screened:
    """Judge a ringing call. Raises `NotRecorded` when the database does not answer: then nobody is known."""
    policy = line.policy.now().at(call.called, line.contest.state)
    line.lookout.at_ring(policy)
    pace = line.rates.ring(call.caller or "", call.called, policy.rates)
    known = line.callers.known(call.caller or "", call.sid, policy.honeypots)
    verdict = judge(_recent(line, call, known, pace, policy), policy)
    on_file, doubted = ((), known.on_file) if FORGED in verdict.flags else (known.on_file, ())
    return Screened(verdict, sentence(verdict, policy), on_file, doubted)


def doubts(screened: Screened, turn: OpenTurn) -> tuple[Event, ...]:
    """What a call from a number on file that may be forged brings about at once, beside the call itself (LN-02).

    The numbers on file are told by text, once a day for a precinct: whoever forges one cannot have it texted all night.
    Where there was no room for the call, the number itself is called, as the call may well have been the chair's.
    """
    wanted: list[Event] = []
    for precinct in screened.doubted[:1]:
        if not turn.was_told(precinct, FORGED, ONE_TEXT_IN):
            wanted.append(NoticeWanted(precinct, FORGED))
        if screened.verdict.decision == "message":
            wanted.append(CallBackRequested(precinct, "promised"))
    return tuple(wanted)


def outlook(line: Line, number: str) -> Outlook:
    """How a call from the number (E.164) would be met now, if the carrier vouched for nothing. Nothing is counted."""
    called = next(iter(line.settings.numbers), "")
    policy = line.policy.latest.at(called, line.contest.state)
    known = line.callers.known(number, "", policy.honeypots)
    verdict = judge(_recent(line, InboundCall("", number, called), known, CALM, policy), policy)
    return Outlook(known, verdict, sentence(verdict, policy))


def _recent(line: Line, call: InboundCall, known: Known, pace: Pace, policy: Policy) -> Recent:
    numbers, now = line.settings.numbers, line.clock.now()
    return Recent(
        at=now,
        marks=known.marks,
        is_hurried=pace.is_hurried,
        is_withheld=call.caller is None,
        area=area_of(call.caller or ""),
        is_on_file=bool(known.on_file),
        verstat=call.verstat,
        blocked_until=known.blocked_until,
        live=known.live,
        is_outside_hours=_is_outside_hours(line, known, now, policy),
        is_decoy_line=bool(numbers) and call.called not in numbers,
        neighbours=known.neighbours,
        conditions=replace(line.conditions.at_ring(call.called), is_flooded=pace.is_flooded),
    )


def _is_outside_hours(line: Line, known: Known, at: datetime, policy: Policy) -> bool:
    """Whether no report is due from the caller. Never on a rehearsal: it is held on any day but that of the caucus.

    A real line that is only tried out is outside of its hours, as every call to it is; that is worth a few points and
    decides nothing by itself.
    """
    contest = line.contest
    ours = [code for code in known.on_file if code in contest.precincts]
    sites = contest.hours_of(ours) if ours else contest.every_hours
    return not line.is_rehearsal and is_outside(at, sites, policy)

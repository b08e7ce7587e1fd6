"""Screening a call at its first ring: what is known of the caller and of the night, judged by the policy in force.

No call leaves the machine room here: two queries to SQL, a word with Redis that may be missing, and no slow work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hotline.screening.policy import judge
from hotline.screening.signals import Recent
from hotline.screening.verdict import Verdict
from hotline.services.line import Line
from hotline.telephone_numbers import area_of
from hotline.telephony.inbound import InboundCall


@dataclass(frozen=True)
class Screened:
    """How a call is met, and the precincts its number is on file for."""

    verdict: Verdict
    on_file: tuple[str, ...]


def screen(line: Line, call: InboundCall) -> Screened:
    """Judge a ringing call. Raises `NotRecorded` when the database does not answer: then nobody is known."""
    policy = line.policy.now().at(call.called, line.contest.state)
    number = call.caller or ""
    line.lookout.at_ring(policy)
    pace = line.rates.ring(number, call.called, policy.rates)
    known = line.callers.known(number, call.sid, policy.honeypots)
    recent = Recent(
        at=line.clock.now(),
        marks=known.marks,
        is_hurried=pace.is_hurried,
        is_withheld=not number,
        area=area_of(number),
        is_on_file=bool(known.on_file),
        verstat=call.verstat,
        blocked_until=known.blocked_until,
        live=known.live,
        is_decoy_line=bool(line.settings.numbers) and call.called not in line.settings.numbers,
        neighbours=known.neighbours,
        conditions=replace(line.conditions.at_ring(call.called), is_flooded=pace.is_flooded),
    )
    return Screened(judge(recent, policy), known.on_file)

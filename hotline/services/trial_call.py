"""A whole report keyed without a slip, to see how long each turn takes: through the dialog alone, or through intake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotline.caucus.contest import Contest
from hotline.caucus.worksheet import Worksheet
from hotline.clock import Clock
from hotline.dialog import machine
from hotline.dialog.facts import Facts, Heard, Inquiry, NumberWanted, PinCheck
from hotline.dialog.machine import Opening
from hotline.dialog.script import Script
from hotline.dialog.session import Session
from hotline.errors import SetupError
from hotline.events.standing import PrecinctStanding
from hotline.services import intake
from hotline.services.line import Line
from hotline.services.tabulation import of_worksheet
from hotline.telephony.inbound import InboundCall, InboundTurn

OURS, THEIRS = "+15155550100", "+15155550101"


@dataclass(frozen=True)
class Trial:
    """What is phoned in: a precinct's packet and a worksheet that breaks no rule."""

    code: str
    pin: str = field(repr=False)
    sheet: Worksheet

    def answer(self, session: Session) -> str:
        """The keys for the question that is up; where something is to be chosen, the first choice."""
        name, _, part = session.state.partition(".")
        match name, part:
            case "code", _:
                return self.code
            case "pin", _:
                return self.pin
            case "challenge", _:
                return session.challenge or ""
            case "headcount", "":
                return str(self.sheet.headcount)
            case (("first" | "final"), group) if group != "check":
                tallies = self.sheet.first if name == "first" else self.sheet.final
                return str(tallies.get(group, 0))
            case _:
                return "1"


def sound_code(contest: Contest, sheets: Mapping[str, Worksheet]) -> str:
    """The first precinct whose worksheet, headcount and all, nothing is found at. Raises SetupError without one."""
    for code, sheet in sheets.items():
        if sheet.headcount and not of_worksheet(contest, code, sheet):
            return code
    raise SetupError(f"none of the worksheets of {contest.name} is free of findings")


def machine_steps(clock: Clock, script: Script, trial: Trial) -> list[float]:
    """Processor seconds of every step of the dialog from the first question to the confirmation number."""
    turn = machine.open_call(Opening("CA0", (trial.code,), None), script)
    seconds = []
    while turn.session.state != "done":
        heard = Heard(trial.answer(turn.session))
        began = clock.processor()
        turn = machine.step(turn.session, heard, _facts(machine.inquire(turn.session, heard)), script)
        seconds.append(clock.processor() - began)
    return seconds


def turns(line: Line, trial: Trial, sid: str) -> list[float]:
    """Seconds of every turn of the call `sid` through intake, each committed; without the one that judges the PIN."""
    intake.answer_call(line, InboundCall(sid, THEIRS, OURS))
    seconds = []
    while (session := _session(line, sid)).state != "done":
        turn = InboundTurn(sid, session.turn, Heard(trial.answer(session)), THEIRS)
        began = line.clock.monotonic()
        intake.take_turn(line, turn)
        if session.state != "pin":
            seconds.append(line.clock.monotonic() - began)
    return seconds


def _session(line: Line, sid: str) -> Session:
    session = Session.from_json(line.ledger.session(sid) or {})
    if session.ended:
        raise SetupError(f"the trial call ended at {session.state} before its report was confirmed")
    return session


def _facts(inquiry: Inquiry | None) -> Facts:
    """What a line would find out for a caller who is right."""
    match inquiry:
        case PinCheck(precinct):
            return Facts(sign_in="accepted", standing=PrecinctStanding(precinct))
        case NumberWanted():
            return Facts(version=1, confirmation="123450")
        case _:
            return Facts()

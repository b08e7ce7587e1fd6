"""A caller who talks to intake directly, turn by turn."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotline.dialog.facts import Heard
from hotline.services import intake
from hotline.services.line import Line
from hotline.telephony.inbound import CallStatus, InboundCall, InboundTurn

ZEROS = "*3"
NUMBERS = ["46", "0", "6", "0", "8", "0", "0", "8", "0", "9", "0", "9", ZEROS, "1"]
FINAL = ["0", "6", "0", "8", "0", "0", "8", "0", "9", "0", "9", ZEROS, "1"]
WHOLE = [*NUMBERS, *FINAL, "1"]
"""A report that follows the rules, from the headcount up to the read-back."""


@dataclass
class Caller:
    """One call. `turn` is the next turn the line expects of it."""

    line: Line
    sid: str
    number: str | None = "+15155550101"
    turn: int = 1

    def ring(self) -> str:
        return intake.answer_call(self.line, InboundCall(self.sid, self.number, "+15155550199"))

    def key(self, keys: str | None, turn: int | None = None) -> str:
        n = self.turn if turn is None else turn
        answer = intake.take_turn(self.line, InboundTurn(self.sid, n, Heard(keys), self.number))
        if turn is None:
            self.turn += 1
        return answer

    def keys(self, *entries: str) -> str:
        answers = [self.key(entry) for entry in entries]
        return answers[-1]

    def hang_up(self, status: str = "completed", seconds: int = 42) -> None:
        intake.end_call(self.line, CallStatus(self.sid, status, seconds))


def sid(n: int) -> str:
    return f"CA{n:032x}"


def signed_in(line: Line, precinct: str, pin: str, n: int = 1, number: str | None = "+15155550101") -> Caller:
    """A chair past the PIN, at the precinct question."""
    caller = Caller(line, sid(n), number)
    caller.ring()
    caller.keys(precinct, pin)
    return caller


def spoken(twiml: str) -> str:
    return " ".join(re.findall(r"<Say[^>]*>([^<]*)", twiml))


def confirmation(twiml: str) -> str:
    """The confirmation number as spoken, digits together; "" when none was."""
    found = re.search(r"confirmation number is ((?:\d ?){6})", spoken(twiml))
    return found[1].replace(" ", "") if found else ""

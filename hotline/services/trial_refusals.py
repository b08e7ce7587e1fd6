"""Sign-ins for measuring what their time tells: a caller with a watch must not learn why the line refused, nor, where
many guess, that it did not.

Callers are withheld and in a call of their own each, so that no number's limit comes in; those of a precinct do, where
they are meant to.
"""

from __future__ import annotations

from hotline.caucus.codes import with_check_digit
from hotline.dialog.facts import Heard
from hotline.services import intake
from hotline.services.line import Line
from hotline.telephony.inbound import InboundCall, InboundTurn

OURS = "+15155550100"
GUESSED, USED_UP = 5, 10
"""Wrong PINs that make a precinct contested, and that end the judging of PINs there."""


def verdicts(line: Line, samples: int) -> dict[str, list[float]]:
    """Seconds the line took over each PIN, by what there was to hide, taken in turn: so many of each.

    Needs `samples` + 2 precincts; they are issued PINs anew.
    """
    codes = list(line.contest.precincts)[: samples + 2]
    pins = {packet.precinct: packet.pin for packet in line.pins.issue(codes)}
    quiet, contested, closed = codes[:samples], codes[samples], codes[samples + 1]
    free = (with_check_digit(f"{n:04}") for n in range(9_999, -1, -1))
    unknown = [next(code for code in free if code not in line.contest.precincts) for _ in range(samples)]
    callers = Callers(line, "d0")
    for code, times in ((contested, GUESSED), (closed, USED_UP)):
        for _ in range(times):
            callers.sign_in(code, _wrong(pins[code]))
    took: dict[str, list[float]] = {"unknown code": [], "wrong PIN": [], "contested": [], "not judged": []}
    for n in range(samples):
        took["unknown code"].append(callers.sign_in(unknown[n], _wrong(pins[quiet[n]])))
        took["wrong PIN"].append(callers.sign_in(quiet[n], _wrong(pins[quiet[n]])))
        took["contested"].append(callers.sign_in(contested, pins[contested]))
        took["not judged"].append(callers.sign_in(closed, pins[closed]))
    return took


class Callers:
    """Withheld callers one after another; guards how many there were. `kind`: two hexadecimal digits of their calls."""

    def __init__(self, line: Line, kind: str) -> None:
        self._line, self._kind, self._calls = line, kind, 0

    def sign_in(self, code: str, pin: str) -> float:
        """One caller keys code and PIN; seconds from the PIN's last key to the verdict."""
        self._calls += 1
        sid = f"CA{self._kind}{self._calls:030x}"
        intake.answer_call(self._line, InboundCall(sid, None, OURS))
        intake.take_turn(self._line, InboundTurn(sid, 1, Heard(code)))
        began = self._line.clock.monotonic()
        intake.take_turn(self._line, InboundTurn(sid, 2, Heard(pin)))
        return self._line.clock.monotonic() - began


def _wrong(pin: str) -> str:
    return f"{(int(pin) + 70_361_548) % 10**8:08}"

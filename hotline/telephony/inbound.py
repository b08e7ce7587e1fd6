"""What the carrier sent, read into plain values: who calls, which call, which turn, which keys.

Nothing is decided here. A field that is missing, malformed or given twice raises `RequestUnreadable`, another account's
request `RequestRefused`. Parameter names are never listed exhaustively: the carrier adds new ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from hotline.dialog.facts import Heard
from hotline.errors import RequestRefused, RequestUnreadable
from hotline.telephone_numbers import E164
from hotline.telephony.speech import FIRST_LANGUAGE

Form = Mapping[str, tuple[str, ...]]
"""Every value of every field, in the order sent."""

LARGEST_BODY = 64 * 1024
REPEAT = "*1"
LONGEST_KEYS = 64
"""Keys past this many are dropped: no answer is that long, and what is left is nonsense all the same."""

_CALL_SID = re.compile(r"CA[0-9a-fA-F]{32}", re.ASCII)
_TURN = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
_HELD = re.compile(r"[1-9][0-9]?", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,6}", re.ASCII)
_LANGUAGE = re.compile(r"[?&]language=([a-zA-Z-]+)", re.ASCII)

WITHHELD = frozenset(
    {"266696687", "7378742833", "2562533", "8656696", "86282452253"}  # ANONYMOUS RESTRICTED BLOCKED UNKNOWN UNAVAILABLE
)
"""Words some paths spell on the keypad in place of a withheld number."""

VERSTAT: Mapping[str, str] = {
    "TN-Validation-Failed": "failed",
    "No-TN-Validation": "none",
    "NULL": "none",
    **{
        f"TN-Validation-{outcome}-{level}{route}": f"{outcome.lower()}-{level}"
        for outcome in ("Passed", "Failed")
        for level in "ABC"
        for route in ("", "-Diverted", "-Passthrough")
    },
}
"""Every value the carrier documents for `StirVerstat`, matched whole: a new spelling is never taken for a pass."""


@dataclass(frozen=True)
class InboundCall:
    """A call that rings. `caller` is in E.164, or None when withheld or not a telephone number.

    Withheld callers have nothing in common: they are never counted as one caller. `verstat` is "passed-A" … "failed-C",
    "failed", or "none" when the carrier vouches for nothing.
    """

    sid: str
    caller: str | None
    called: str
    verstat: str = "none"
    held: int = 0


@dataclass(frozen=True)
class InboundTurn:
    """What was keyed at one question of a call. `held`: times the caller has waited for this turn to be written down.

    Who waited had no chance to key anything since, and hears the question again. `language` is the one our own address
    names, for when the call cannot be looked up.
    """

    sid: str
    turn: int
    heard: Heard
    caller: str | None = None
    held: int = 0
    language: str = FIRST_LANGUAGE


@dataclass(frozen=True)
class CallStatus:
    """The carrier's word on a call's end. `sequence` orders callbacks that overtake one another; None when not sent."""

    sid: str
    status: str
    seconds: int
    sequence: int | None = None


@dataclass(frozen=True)
class CallFailure:
    """The carrier could not run what we answered, and asks what to do: its error code and the address it had asked."""

    sid: str
    error: str
    url: str
    caller: str | None = None

    @property
    def language(self) -> str:
        """The language the address names."""
        named = _LANGUAGE.search(self.url)
        return named[1] if named else FIRST_LANGUAGE


@dataclass(frozen=True)
class QueueLeft:
    """How the attempt to reach a person ended: "completed" when somebody talked, else "no-answer", "busy", …

    `held`: times the caller has waited since for a promise to be written down.
    """

    sid: str
    status: str
    language: str = FIRST_LANGUAGE
    held: int = 0


def read_form(body: bytes) -> Form:
    """The fields of a form-encoded body. Bytes that are not UTF-8, or fields past counting, raise RequestUnreadable."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=200
        )
    except ValueError as unreadable:
        raise RequestUnreadable(
            "the form is not readable: it must be form-encoded UTF-8, 200 fields at most"
        ) from unreadable
    form: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        form[name] = (*form.get(name, ()), value)
    return form


def check_account(form: Form, account: str) -> None:
    """Refuse another account's request: sub-accounts sign with tokens of their own, and none of them is ours."""
    if _only(form, "AccountSid") != account:
        raise RequestRefused("AccountSid is not the account this line belongs to")


def call(form: Form, held: str = "") -> InboundCall:
    """The call that rings. `held` is what our own address says of it, "" the first time."""
    verstat = VERSTAT.get(_only(form, "StirVerstat", ""), "none")
    return InboundCall(_sid(form), caller_number(_only(form, "From", "")), _only(form, "To", ""), verstat, _held(held))


def turn(form: Form, number: str, held: str = "", language: str = FIRST_LANGUAGE) -> InboundTurn:
    """The keys for one turn; `number`, `held` and `language` as they stand in the address.

    `FinishedOnKey` is undocumented: empty means that time ran out, absent is taken as the pound.
    """
    if not _TURN.fullmatch(number):
        raise RequestUnreadable("a turn is a whole number from 1 to 99999")
    keys = _only(form, "Digits", "")[:LONGEST_KEYS] if "Digits" in form else None
    timed_out = "FinishedOnKey" in form and _only(form, "FinishedOnKey") == ""
    times = _held(held)
    heard = Heard(REPEAT) if times and not keys else Heard(keys, timed_out)
    return InboundTurn(_sid(form), int(number), heard, caller_number(_only(form, "From", "")), times, language)


def status(form: Form) -> CallStatus:
    """The end of a call."""
    sequence = _only(form, "SequenceNumber", "")
    return CallStatus(
        sid=_sid(form),
        status=_only(form, "CallStatus"),
        seconds=_whole(form, "CallDuration"),
        sequence=int(sequence) if _WHOLE.fullmatch(sequence) else None,
    )


def failure(form: Form) -> CallFailure:
    """What went wrong at the carrier's side of a call."""
    caller = caller_number(_only(form, "From", ""))
    return CallFailure(_sid(form), _only(form, "ErrorCode", ""), _only(form, "ErrorUrl", ""), caller)


def queue_left(form: Form, language: str = FIRST_LANGUAGE, held: str = "") -> QueueLeft:
    """How reaching a person ended, whether by `Dial` or by `Enqueue`; the rest as it stands in the address."""
    ended = _only(form, "DialCallStatus", "") or _only(form, "QueueResult", "") or "no-answer"
    return QueueLeft(_sid(form), ended, language, _held(held))


def caller_number(sent: str) -> str | None:
    """The caller's number in E.164, or None: withheld, spelled out on the keypad, `sip:`, `client:`, or no number."""
    if sent.removeprefix("+") in WITHHELD or not E164.fullmatch(sent):
        return None
    return sent


def _sid(form: Form) -> str:
    sid = _only(form, "CallSid")
    if not _CALL_SID.fullmatch(sid):
        raise RequestUnreadable("CallSid must be CA and 32 hexadecimal digits")
    return sid


def _held(said: str) -> int:
    if said and not _HELD.fullmatch(said):
        raise RequestUnreadable("held is a whole number from 1 to 99")
    return int(said or 0)


def _whole(form: Form, name: str) -> int:
    value = _only(form, name, "0")
    if not _WHOLE.fullmatch(value):
        raise RequestUnreadable(f"{name} must be a whole number of seconds")
    return int(value)


def _only(form: Form, name: str, absent: str | None = None) -> str:
    """The one value of a field. Two values would mean two readings, so they are refused."""
    values = form.get(name, ()) if absent is None else form.get(name, (absent,))
    if len(values) != 1:
        raise RequestUnreadable(f"{name} must be given exactly once")
    return values[0]

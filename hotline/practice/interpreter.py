"""A call as the carrier runs it: asks the line for a document, speaks it, collects keys, asks for the next.

Time is simulated: a call of three minutes takes as long as the line needs to answer. Who calls is a `Brain`, a
function from what was heard to what is pressed. How requests travel is a `Post`, so the same call runs over HTTP or
against the application in this process.

| verb                | here                                                                                          |
|---------------------|-----------------------------------------------------------------------------------------------|
| Say, Play, Pause    | heard; inside a Gather a key stops them                                                        |
| Gather              | `gather.collect`; nothing submitted: the document goes on                                      |
| Redirect            | the next document; more than `MOST_DOCUMENTS` cuts the call                                    |
| Hangup, Reject      | the call ends; Reject counts only as the first verb                                            |
| Dial, Enqueue       | nobody is at the practice line's other end: `action` is asked with `no-answer`, or it goes on  |
| end of the document | the call ends                                                                                  |

A failed answer (status, type, size, XML) goes to the fallback address once, with `ErrorCode` and `ErrorUrl`, then the
carrier's own message ends the call. The status callback is sent at every end. HTTP redirects count as failed: the real
carrier follows them, but signs for the new address, so the line never sends one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar
from urllib.parse import urljoin
from xml.etree import ElementTree

from hotline.practice.document import Answer, Failed, parsed, words_of
from hotline.practice.gather import KEYS, Press, collect

MOST_DOCUMENTS = 2000
LONGEST_CALL = 4 * 3600.0
CARRIER_APOLOGY = "We are sorry. An application error has occurred. Goodbye."


@dataclass(frozen=True)
class Dialled:
    """One call as the carrier announces it. `number` is sent as `From` whatever it is: E.164, "anonymous", "sip:…"."""

    sid: str
    account: str
    number: str
    called: str
    extra: Mapping[str, str] = field(default_factory=dict)
    """Further fields of every request, e.g. StirVerstat."""
    answer: str = "/voice/answer"
    """The path asked first."""
    ended: str = "/voice/ended"
    """The path the end is told to."""


@dataclass(frozen=True)
class Entry:
    """One line of a transcript, `at` in simulated seconds.

    The words heard, the keys pressed ("" when nothing was), or how the call ended.
    """

    kind: Literal["heard", "keyed", "ended"]
    text: str
    at: float


@dataclass(frozen=True)
class CallLog:
    """A call that is over.

    `errors` are the carrier's error codes; `seconds` is how long it would have lasted; `last_heard` is what was said
    after the last keys.
    """

    ended: str
    seconds: float
    documents: int
    errors: tuple[str, ...]
    transcript: tuple[Entry, ...]
    last_heard: str = ""


Post = Callable[[str, Mapping[str, str]], Answer]
"""Sends a signed form to a public URL. A line that cannot be reached raises ConnectionError."""

Pressed = Press | str | None
"""What a caller does at a question: "42#"; "42" and then silence; "" nothing; None hangs up."""

Brain = Callable[[str], Pressed]
"""A caller: told what was heard since the last keys, gives what is pressed."""


Following = tuple[str, Mapping[str, str]]
Returned = TypeVar("Returned")
Step = Generator[str, Pressed, Returned]
Conversation = Generator[str, Pressed, CallLog]


class _Over(Exception):
    """The call has ended; the argument says how."""


@dataclass
class _Call:
    dialled: Dialled
    post: Post
    base: str
    listen: Callable[[Entry], None]
    keeps_early_keys: bool
    clock: float = 0.0
    documents: int = 0
    unheard: list[str] = field(default_factory=list)
    early: str = ""
    errors: list[str] = field(default_factory=list)
    transcript: list[Entry] = field(default_factory=list)

    def note(self, kind: Literal["heard", "keyed", "ended"], text: str) -> None:
        entry = Entry(kind, text, round(self.clock, 1))
        self.transcript.append(entry)
        self.listen(entry)

    def hear(self, words: str) -> None:
        if words:
            self.unheard.append(words)
            self.note("heard", words)


def place_call(
    dialled: Dialled,
    post: Post,
    brain: Brain,
    *,
    base: str,
    listen: Callable[[Entry], None] = lambda _: None,
    keeps_early_keys: bool = False,
) -> CallLog:
    """Run one call from the first ring to the status callback; see `conversation` for what the rest means."""
    talk = conversation(dialled, post, base=base, listen=listen, keeps_early_keys=keeps_early_keys)
    try:
        heard = next(talk)
        while True:
            heard = talk.send(brain(heard))
    except StopIteration as over:
        log: CallLog = over.value
        return log


def conversation(
    dialled: Dialled,
    post: Post,
    *,
    base: str,
    listen: Callable[[Entry], None] = lambda _: None,
    keeps_early_keys: bool = False,
) -> Conversation:
    """One call, question by question: yields what was heard, is sent what is pressed, returns the log.

    Several calls can so be taken in turns. `base` is the line's public address. `listen` is told each entry as it
    happens. `keeps_early_keys`: whether keys pressed after an answer was complete reach the next question; carriers
    differ, and both must be safe.
    """
    call = _Call(dialled, post, base.rstrip("/"), listen, keeps_early_keys)
    try:
        yield from _run(call, call.base + dialled.answer, {})
    except _Over as over:
        ended = str(over)
    call.note("ended", ended)
    _report_end(call, ended)
    last_heard = " ".join(call.unheard)
    return CallLog(ended, call.clock, call.documents, tuple(call.errors), tuple(call.transcript), last_heard)


def _run(call: _Call, url: str, fields: Mapping[str, str]) -> Step[None]:
    """One document after another until the call is over."""
    while True:
        verbs = _document(call, url, fields)
        following = yield from _perform(call, verbs, url)
        if following is None:
            raise _Over("line hung up")
        url, fields = following
        if call.documents >= MOST_DOCUMENTS or call.clock >= LONGEST_CALL:
            raise _Over("carrier cut the call: it does not end")


def _perform(call: _Call, verbs: ElementTree.Element, url: str) -> Step[Following | None]:
    """Run the verbs of one document; the address that is asked next, or None at its end."""
    for position, verb in enumerate(verbs):
        match verb.tag:
            case "Say" | "Play" | "Pause":
                words, seconds = words_of(verb)
                call.clock += seconds
                call.hear(words)
            case "Gather":
                following = yield from _gather(call, verb, url)
                if following:
                    return following
            case "Redirect":
                return urljoin(url, verb.text or ""), {}
            case "Hangup":
                raise _Over("line hung up")
            case "Reject" if position == 0:
                raise _Over("line refused the call")
            case "Dial" | "Enqueue":
                call.hear("(nobody is at the practice line's other end)")
                if "action" in verb.attrib:
                    return urljoin(url, verb.attrib["action"]), _unanswered(verb)
            case _:
                call.errors.append("12200")
    return None


def _gather(call: _Call, gather: ElementTree.Element, url: str) -> Step[Following | None]:
    """Speak the nested words, ask the caller, collect; what the carrier asks next when there is something to submit."""
    nested = [words_of(verb) for verb in gather]
    words_last = sum(seconds for _, seconds in nested)
    said = " ".join(words for words, _ in nested if words)
    if call.early:
        press = Press(call.early, at=0.0)
    else:
        call.hear(said)
        press = yield from _ask(call, sum(seconds for words, seconds in nested if words))
    got = collect(gather.attrib, words_last, press)
    call.early = got.left_over if call.keeps_early_keys else ""
    call.clock += got.seconds
    call.note("keyed", press.keys.removesuffix(got.left_over) if got.left_over else press.keys)
    if not got.submits:
        return None
    action = urljoin(url, gather.attrib.get("action", url))
    return action, {"Digits": got.digits, "FinishedOnKey": got.finished_on, "msg": "Gather End"}


def _ask(call: _Call, speech_lasts: float) -> Step[Press]:
    """What the caller presses after what was heard. An attentive caller begins when the speech, not the pause, ends."""
    heard = " ".join(call.unheard)
    call.unheard.clear()
    pressed = yield heard
    if pressed is None:
        call.clock += speech_lasts
        raise _Over("caller hung up")
    press = pressed if isinstance(pressed, Press) else Press(pressed)
    if not KEYS.issuperset(press.keys):
        raise ValueError(f"a telephone has no such keys: {press.keys!r}")
    if press.keys and press.at is None:
        return Press(press.keys, speech_lasts + press.gap, press.gap)
    return press


def _unanswered(verb: ElementTree.Element) -> Mapping[str, str]:
    if verb.tag == "Dial":
        return {"DialCallStatus": "no-answer"}
    return {"QueueResult": "hangup", "QueueTime": "0"}


def _document(call: _Call, url: str, fields: Mapping[str, str]) -> ElementTree.Element:
    """The document at an address, or the fallback's when it cannot be run."""
    try:
        return _fetch(call, url, fields)
    except Failed as failed:
        call.errors.append(str(failed))
        errors = {"ErrorCode": str(failed), "ErrorUrl": url}
    try:
        return _fetch(call, call.base + "/voice/fallback", errors)
    except Failed as failed:
        call.errors.append(str(failed))
        call.hear(CARRIER_APOLOGY)
        raise _Over("carrier ended the call: the line gave nothing it could run") from failed


def _fetch(call: _Call, url: str, fields: Mapping[str, str]) -> ElementTree.Element:
    status = "in-progress" if call.documents else "ringing"
    call.documents += 1
    try:
        answer = call.post(url, {**_fields(call.dialled, status), **fields})
    except ConnectionError as unreachable:
        raise Failed("11200") from unreachable
    return parsed(answer)


def _fields(dialled: Dialled, status: str) -> dict[str, str]:
    return {
        "CallSid": dialled.sid,
        "AccountSid": dialled.account,
        "From": dialled.number,
        "To": dialled.called,
        "Caller": dialled.number,
        "Called": dialled.called,
        "CallStatus": status,
        "Direction": "inbound",
        "ApiVersion": "2010-04-01",
        **dialled.extra,
    }


def _report_end(call: _Call, ended: str) -> None:
    """The status callback. A line out of reach does not hear of it; the call is over all the same."""
    status = "busy" if ended == "line refused the call" else "completed"
    fields = {**_fields(call.dialled, status), "CallDuration": str(round(call.clock)), "SequenceNumber": "0"}
    try:
        call.post(call.base + call.dialled.ended, fields)
    except ConnectionError:
        call.errors.append("11200")

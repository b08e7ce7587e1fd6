"""A reply as the document the carrier runs. The one place that writes TwiML, through the carrier's own library.

Only Say, Gather, Pause, Redirect, Hangup, Dial and Reject are used here, so a second carrier that runs TwiML can take
over the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from urllib.parse import urlencode
from xml.etree import ElementTree

from twilio.twiml import TwiML
from twilio.twiml.voice_response import Dial, Gather, VoiceResponse

from hotline.dialog.reply import Listen, Reply, Words
from hotline.telephony.speech import FIRST_LANGUAGE, Phrases, Prompts, phrases, voiced

BETWEEN_KEYS: dict[Listen, int] = {"key": 3, "digits": 8, "again": 8, "challenge": 8}
FIRST_KEY: dict[Listen, int] = {"key": 15, "digits": 15, "again": 12, "challenge": 8}
"""Seconds. The carrier has one timeout for all keys, so the first gets the rest as a pause nested after the words."""

XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
RING_STAFF = 25
STAFF_AT_ONCE = 10
LONGEST_SAY = 2900
"""Characters; the carrier's voices refuse more than 3,000 in one piece."""

CALL_BACK = Words("line.call-back")
CALL_LATER = Words("line.call-later")
APOLOGY = Words("line.apology")
HOLD = Words("line.hold")
HOLD_SECONDS = 4
GOODBYE = Words("goodbye")
PERSON = Words("person")


def twiml(reply: Reply, turn: int, prompts: Prompts, staff_numbers: Sequence[str] = ()) -> str:
    """What the carrier does next: speak, then listen for turn `turn`, reach a person, or hang up.

    `turn` is the number the caller's next keys will carry. Silence asks the same turn again with no keys. Without staff
    numbers (E.164; the first ten ring together) a caller bound for a person is promised a call-back instead.
    """
    said = voiced(reply, prompts)
    response = VoiceResponse()
    if reply.then == "listen":
        address = _address(f"/voice/turn/{turn}", reply.language, prompts)
        response.append(_gather(said, reply.listen or "digits", address))
        response.redirect(address, method="POST")
    elif reply.then == "person" and staff_numbers:
        _say(response, said)
        response.append(_dial(staff_numbers, _address("/voice/queue/left", reply.language, prompts)))
    else:
        if reply.then == "person":
            said += voiced(Reply((CALL_BACK,), None, "person", reply.language), prompts)
        _say(response, said)
        response.hangup()
    return _document(response)


def apology(prompts: Prompts, staff_numbers: Sequence[str] = (), language: str = "en") -> str:
    """What a caller hears when something of ours broke: what they gave is kept, and the way to a person."""
    words = (APOLOGY, PERSON) if staff_numbers else (APOLOGY,)
    return twiml(Reply(words, None, "person", language), 0, prompts, staff_numbers)


def call_back(prompts: Prompts, language: str = "en") -> str:
    """What a caller hears when nobody could be reached: the promise of a call-back, then the end."""
    return twiml(Reply((CALL_BACK,), None, "hang-up", language), 0, prompts)


def call_later(prompts: Prompts, language: str = "en") -> str:
    """What a caller hears whom the line has no room for now: ten seconds with the way back, then the end."""
    return twiml(Reply((CALL_LATER,), None, "hang-up", language), 0, prompts)


def rejected() -> str:
    """The call is not answered: the caller hears a busy line and nobody pays. The carrier wants it to come first."""
    response = VoiceResponse()
    response.reject(reason="busy")
    return _document(response)


def goodbye(prompts: Prompts, language: str = "en") -> str:
    """The last words of a call that has done its work."""
    return twiml(Reply((GOODBYE,), None, "hang-up", language), 0, prompts)


def hold(prompts: Prompts, address: str, language: str = "en") -> str:
    """A word while the line cannot write, a pause, and then `address` is asked again."""
    response = VoiceResponse()
    _say(response, voiced(Reply((HOLD,), None, "hang-up", language), prompts))
    response.pause(length=HOLD_SECONDS)
    response.redirect(_address(address, language, prompts), method="POST")
    return _document(response)


def text_answer(text: str) -> str:
    """An answer to a text message: `Message` inside the same `Response`."""
    response = VoiceResponse()
    response.add_child("Message", text)
    return str(response)


def _document(response: VoiceResponse) -> str:
    """The document as text. The library's own `to_xml` goes by way of bytes, at twice the cost, on every turn."""
    return XML_DECLARATION + ElementTree.tostring(response.xml(), encoding="unicode")


def _address(path: str, language: str, prompts: Prompts) -> str:
    """Where the carrier asks next. It names a language other than the first.

    So a caller hears their own language even when the call cannot be looked up: something broke, or is away.
    """
    spoken_in = phrases(prompts, language).language
    if spoken_in == FIRST_LANGUAGE:
        return path
    return f"{path}{'&' if '?' in path else '?'}{urlencode({'language': spoken_in})}"


def _gather(said: Sequence[tuple[Phrases, str]], listen: Listen, address: str) -> Gather:
    """One grammar for every answer: keys, then pound; a key stops the words; silence is an answer too."""
    timeout = BETWEEN_KEYS[listen]
    gather = Gather(
        input="dtmf",
        finish_on_key="#",
        timeout=timeout,
        action=address,
        method="POST",
        action_on_empty_result=True,
    )
    _say(gather, said)
    if FIRST_KEY[listen] > timeout:
        gather.pause(length=FIRST_KEY[listen] - timeout)
    return gather


def _dial(staff_numbers: Sequence[str], left: str) -> Dial:
    dial = Dial(action=left, method="POST", timeout=RING_STAFF)
    for number in staff_numbers[:STAFF_AT_ONCE]:
        dial.number(number)
    return dial


def _say(parent: VoiceResponse | Gather, said: Sequence[tuple[Phrases, str]]) -> TwiML:
    for voice, piece in _pieces(said):
        parent.say(piece, voice=voice.voice, language=voice.locale)
    return parent


def _pieces(said: Sequence[tuple[Phrases, str]]) -> Iterator[tuple[Phrases, str]]:
    """The sentences in as few pieces as there are changes of voice and the carrier reads in one go."""
    for _, sentences in groupby(said, key=lambda each: each[0].language):
        piece = ""
        for voice, sentence in sentences:
            if piece and len(piece) + len(sentence) >= LONGEST_SAY:
                yield voice, piece
                piece = ""
            piece = f"{piece} {sentence}" if piece else sentence
        if piece:
            yield voice, piece

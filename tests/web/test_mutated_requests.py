"""Ten thousand requests a stranger could make of a real one, byte by byte: none is accepted, none is a failure.

What a request *says* is judged by an oracle of its own (`heard`): the form as the standard library reads it, under
the carrier's published algorithm. Only a request the carrier would have signed may reach intake.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlencode

import pytest

from hotline.clock import Source, seeded
from hotline.practice.signer import HEADER, sign
from tests.web.web_fakes import ACCOUNT, BASE, FORM, SID, TOKEN, Web

COUNT = 10_000
PATHS = ("/voice/answer", "/voice/turn/1", "/voice/turn/27", "/voice/fallback", "/voice/queue/left", "/voice/ended",
         "/messages/incoming")  # fmt: skip
FIELDS = [
    ("CallSid", SID),
    ("AccountSid", ACCOUNT),
    ("From", "+15155550100"),
    ("To", "+15155550199"),
    ("Digits", "42"),
    ("FinishedOnKey", "#"),
    ("CallStatus", "completed"),
    ("CallDuration", "12"),
    ("StirVerstat", "TN-Validation-Passed-A"),
]
BYTES = bytes(range(256))
TYPES = (FORM, "text/plain", "application/json", "multipart/form-data; boundary=x", f"{FORM}; charset=utf-16", "")


@dataclass(frozen=True)
class Sent:
    """A request as it leaves: every part of it can be changed."""

    path: str
    body: bytes
    signature: str
    method: str = "POST"
    kind: str = FORM
    more: tuple[tuple[str, str], ...] = field(default=())


def genuine(draw: Source) -> Sent:
    path = PATHS[draw.randrange(len(PATHS))]
    return Sent(path, urlencode(FIELDS).encode(), sign(TOKEN, BASE + path, FIELDS))


def _spliced(draw: Source, old: bytes) -> bytes:
    at, width = draw.randrange(len(old) + 1), draw.randrange(4)
    new = bytes(BYTES[draw.randrange(256)] for _ in range(draw.randrange(4)))
    return old[:at] + new + old[at + width :]


def _field(draw: Source) -> tuple[str, str]:
    values = (
        "",
        "0",
        "*",
        "x" * 3000,
        "é\u0000",
        "<Say>",
        "+266696687",
        "anonymous",
        "AC" + "2" * 32,
        "1,2",
        "%",
        "&=",
    )
    return FIELDS[draw.randrange(len(FIELDS))][0], values[draw.randrange(len(values))]


def _fields(draw: Source) -> list[tuple[str, str]]:
    """The genuine fields with one missing, repeated, changed or moved."""
    fields, at = list(FIELDS), draw.randrange(len(FIELDS))
    match draw.randrange(4):
        case 0:
            del fields[at]
        case 1:
            fields.insert(at, fields[draw.randrange(len(fields))])
        case 2:
            fields.append(_field(draw))
        case _:
            fields[at] = _field(draw)
    return fields


def _signature(draw: Source, sent: Sent) -> str:
    spliced = _spliced(draw, sent.signature.encode()).decode("latin-1")
    return "".join(each for each in spliced if each not in "\r\n\0")


MUTATIONS: dict[str, Callable[[Source, Sent], Sent]] = {
    "signature": lambda draw, sent: replace(sent, signature=_signature(draw, sent)),
    "no signature": lambda draw, sent: replace(sent, signature=""),
    "body": lambda draw, sent: replace(sent, body=_spliced(draw, sent.body)),
    "fields": lambda draw, sent: replace(sent, body=urlencode(_fields(draw)).encode()),
    "signed fields": lambda draw, sent: _resigned(sent, _fields(draw)),
    "another's token": lambda draw, sent: replace(sent, signature=sign(f"{draw.random()}", BASE + sent.path, FIELDS)),
    "another address": lambda draw, sent: replace(sent, path=PATHS[draw.randrange(len(PATHS))]),
    "a query": lambda draw, sent: replace(sent, path=f"{sent.path}?{'x' * draw.randrange(9)}={draw.randrange(9)}"),
    "a slash": lambda draw, sent: replace(sent, path=sent.path.replace("/", "/" * (1 + draw.randrange(2)), 1) + "/"),
    "case": lambda draw, sent: replace(sent, path=sent.path.upper()),
    "method": lambda draw, sent: replace(sent, method=("GET", "PUT", "DELETE", "HEAD", "OPTIONS")[draw.randrange(5)]),
    "content type": lambda draw, sent: replace(sent, kind=TYPES[draw.randrange(len(TYPES))]),
    "header twice": lambda draw, sent: replace(sent, more=((HEADER, "AAAA"),)),
    "another host": lambda draw, sent: replace(sent, more=(("X-Forwarded-Host", "evil.example"), ("Host", "evil"))),
    "encoding": lambda draw, sent: replace(sent, body=sent.body.replace(b"5", b"%35", 1 + draw.randrange(5))),
}


def _resigned(sent: Sent, fields: list[tuple[str, str]]) -> Sent:
    return replace(sent, body=urlencode(fields).encode(), signature=sign(TOKEN, BASE + sent.path, fields))


def heard(sent: Sent) -> bool:
    """Whether the carrier would have signed this very request: POST, this address, this form."""
    if sent.method != "POST" or sent.more[:1] == ((HEADER, "AAAA"),):
        return False
    try:
        fields = parse_qsl(sent.body.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError:
        return False
    return sent.signature == sign(TOKEN, BASE + sent.path, fields) and ("AccountSid", ACCOUNT) in fields


def asked(web: Web, sent: Sent) -> int:
    """Send it; the status that came back."""
    headers = [*sent.more, *([(HEADER, sent.signature)] if sent.signature else [])]
    return web.client.open(
        sent.path, method=sent.method, data=sent.body, headers=headers, content_type=sent.kind
    ).status_code


@pytest.fixture(scope="module")
def web() -> Web:
    return Web()


def test_the_genuine_one_is_heard(web: Web) -> None:
    """What all the others are made of is accepted, at every address."""
    for path in PATHS:
        assert asked(web, Sent(path, urlencode(FIELDS).encode(), sign(TOKEN, BASE + path, FIELDS))) in (200, 204)


def test_ten_thousand_mutations(web: Web) -> None:
    """Nothing but what the carrier signed reaches intake, and whatever arrives, nothing breaks."""
    draw, kinds = seeded("mutated requests"), list(MUTATIONS)
    accepted = refused = 0
    for _ in range(COUNT):
        sent = genuine(draw)
        names = [kinds[draw.randrange(len(kinds))] for _ in range(1 + draw.randrange(2))]
        for name in names:
            sent = MUTATIONS[name](draw, sent)
        web.intake.asked.clear()
        status = asked(web, sent)
        assert status < 500, (names, sent)
        if status in (200, 204) and sent.method != "OPTIONS":
            assert heard(sent), (names, sent)
            accepted += 1
        else:
            assert not web.intake.asked, (names, sent)
            refused += 1
    assert accepted > 100, "the mutations never leave a good request: the test proves nothing"
    assert refused > 8_000

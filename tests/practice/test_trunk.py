"""The wire of a night: one connection kept, one retry, and a line out of reach told apart from a slow one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl

import pytest

from hotline.clock import Clock
from hotline.practice.signer import sign
from hotline.practice.trunk import Trunk

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 11\r\n\r\n<Response/>"
FIELDS = {"CallSid": "CA1", "From": "+15155550100", "Digits": "1*", "Words": "é ü"}


class Server:
    """Plays answers, one per request, each a list of pieces; [] hangs up instead. Keeps what was asked."""

    def __init__(self, *answers: list[bytes]) -> None:
        self.answers = list(answers)
        self.requests: list[bytes] = []
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self) -> None:
        while self.answers:
            line, _ = self.listener.accept()
            self.connections += 1
            with line:
                while self.answers and (asked := line.recv(65536)):
                    self.requests.append(asked)
                    pieces = self.answers.pop(0)
                    for piece in pieces:
                        line.sendall(piece)
                    if not pieces:
                        break


@contextmanager
def _serving(*answers: list[bytes]) -> Iterator[tuple[Server, Trunk, list[str]]]:
    server, timed = Server(*answers), []
    thread = threading.Thread(target=server.serve)
    thread.start()
    trunk = Trunk(server.url, "https://line.example", "token", Clock(), lambda path, _seconds: timed.append(path))
    try:
        yield server, trunk, timed
    finally:
        trunk.close()
        thread.join(5)
        server.listener.close()


def test_request_is_signed_for_the_public_address() -> None:
    """The server may stand elsewhere; what is signed is what the carrier was told to call."""
    with _serving([OK]) as (server, trunk, timed):
        answer = trunk.post("https://line.example/voice/answer", FIELDS)
    head, _, body = server.requests[0].decode().partition("\r\n\r\n")
    assert (200, "text/xml", "<Response/>") == (answer.status, answer.content_type, answer.body)
    assert head.startswith("POST /voice/answer HTTP/1.1\r\n")
    assert f"X-Twilio-Signature: {sign('token', 'https://line.example/voice/answer', FIELDS)}\r\n" in head
    assert FIELDS == dict(parse_qsl(body))
    assert ["/voice/answer"] == timed


def test_connection_is_kept() -> None:
    """Answers in pieces of any size, one after another, over one connection."""
    pieces = [OK[position : position + 7] for position in range(0, len(OK), 7)]
    with _serving([OK], pieces, [b"HTTP/1.1 204 NO CONTENT\r\n\r\n"], [OK]) as (server, trunk, _):
        statuses = [trunk.post("https://line.example/voice/turn/1", FIELDS).status for _ in range(4)]
    assert ([200, 200, 204, 200], 1) == (statuses, server.connections)


def test_a_broken_answer_is_asked_for_once_more() -> None:
    """The very same request over a new connection, as the carrier does."""
    with _serving([], [OK]) as (server, trunk, timed):
        assert 200 == trunk.post("https://line.example/voice/turn/4", FIELDS).status
    assert server.requests[0] == server.requests[1]
    assert (2, ["/voice/turn/4"]) == (server.connections, timed)


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [b"220 mail.example ESMTP\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"],
        [b"HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n"],
    ],
    ids=["hangs up", "no HTTP", "no length", "odd length", "no status"],
)
def test_twice_broken_is_out_of_reach(answer: list[bytes]) -> None:
    """After the second try the call has to do without: ConnectionError, never a half-read answer."""
    with (
        _serving(answer, answer) as (_, trunk, timed),
        pytest.raises(ConnectionError, match=r"line\.example/voice/answer"),
    ):
        trunk.post("https://line.example/voice/answer", FIELDS)
    assert [] == timed


def test_a_closed_line_is_dialled_again() -> None:
    """The server says it will close: the next request opens a new connection and is no retry."""
    closing = OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
    with _serving([closing], [OK]) as (server, trunk, _):
        trunk.post("https://line.example/voice/answer", FIELDS)
        trunk.post("https://line.example/voice/turn/1", FIELDS)
    assert 2 == server.connections == len(server.requests)

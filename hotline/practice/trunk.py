"""The carrier's side of the wire for a whole night: a connection per thread, every request signed and timed.

The simulated callers share their two cores with the line they call, so this is the least that speaks HTTP/1.1 to one
server one answer at a time: measured per request, 0.07 ms of processor time, against 0.23 with `http.client` and 0.49
with `urllib3`. One call at a time goes through `phone`, which leaves nothing out.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import quote_plus, urlsplit

from hotline.clock import Clock
from hotline.practice.document import Answer
from hotline.practice.signer import HEADER, sign

TIMEOUT = 15.0
"""Seconds the carrier waits for an answer, at most, whatever one configures."""
LARGEST_HEAD = 64 * 1024

_quoted = lru_cache(maxsize=8192)(quote_plus)
"""Most of a call's fields are the same at every turn."""


@dataclass
class Trunk:
    """A connection from the carrier to the server at `server` (plain HTTP), signing with `token`. One thread uses it.

    `public` is the line's public address, which is what is signed. `timed` is told the path and the seconds of every
    request that was answered.
    """

    server: str
    public: str
    token: str
    clock: Clock
    timed: Callable[[str, float], None]
    _socket: socket.socket | None = field(default=None, init=False)

    def post(self, url: str, fields: Mapping[str, str]) -> Answer:
        """Post a signed form; once more when the line does not answer, as the carrier does, then ConnectionError."""
        path = url.removeprefix(self.public)
        request = self._request(path, url, fields)
        try:
            return self._ask(path, request)
        except OSError:
            self.close()
        try:
            return self._ask(path, request)
        except OSError as broken:
            self.close()
            raise ConnectionError(f"{url}: {broken}") from broken

    def close(self) -> None:
        """Hang up the connection; the next request opens another."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _request(self, path: str, url: str, fields: Mapping[str, str]) -> bytes:
        body = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in fields.items())
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {urlsplit(self.server).netloc}\r\n"
            f"{HEADER}: {sign(self.token, url, fields)}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return (head + body).encode("ascii")

    def _ask(self, path: str, request: bytes) -> Answer:
        began = self.clock.monotonic()
        line = self._socket or self._connect()
        line.sendall(request)
        head, body = self._head(line)
        status, length, headers = _read_head(head)
        missing = length - len(body)
        while missing > 0:
            piece = _received(line)
            body, missing = body + piece, missing - len(piece)
        self.timed(path, self.clock.monotonic() - began)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(status, headers.get("content-type", ""), body.decode("utf-8", "replace"))

    def _head(self, line: socket.socket) -> tuple[bytes, bytes]:
        """The status line and headers, and what of the body came with them."""
        read = _received(line)
        while b"\r\n\r\n" not in read:
            if len(read) > LARGEST_HEAD:
                raise ConnectionError("the headers do not end")
            read += _received(line)
        head, _, body = read.partition(b"\r\n\r\n")
        return head, body

    def _connect(self) -> socket.socket:
        parts = urlsplit(self.server)
        line = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=TIMEOUT)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = line
        return line


def _received(line: socket.socket) -> bytes:
    piece = line.recv(65536)
    if not piece:
        raise ConnectionError("the line hung up in the middle of an answer")
    return piece


def _read_head(head: bytes) -> tuple[int, int, dict[str, str]]:
    """Status, length of the body, and headers by name in lower case.

    An answer of unknown length would leave the connection in doubt, so it is as good as none.
    """
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    version, _, status = first.partition(" ")
    length = headers.get("content-length", "0" if status.startswith("204") else "")
    if not (version.startswith("HTTP/1.") and status[:3].isdecimal() and length.isdecimal()):
        raise ConnectionError(f"an answer that cannot be read: {first!r}")
    return int(status[:3]), int(length), headers

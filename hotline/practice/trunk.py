"""The carrier's side of the wire for a whole night: a connection per thread, every request signed and timed.

`http.client` rather than `urllib3`: the simulated callers share their two cores with the line they call, and it costs
half the processor time per request.
"""

from __future__ import annotations

import http.client
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from hotline.clock import Clock
from hotline.practice.document import Answer
from hotline.practice.signer import HEADER, sign

TIMEOUT = 15.0
"""Seconds the carrier waits for an answer, at most, whatever one configures."""

_BROKEN = (OSError, http.client.HTTPException)


@dataclass
class Trunk:
    """A connection from the carrier to the server at `server`, signing with `token`. One thread uses it.

    `public` is the line's public address, which is what is signed. `timed` is told the path and the seconds of every
    request that was answered.
    """

    server: str
    public: str
    token: str
    clock: Clock
    timed: Callable[[str, float], None]
    _connection: http.client.HTTPConnection | None = field(default=None, init=False)

    def post(self, url: str, fields: Mapping[str, str]) -> Answer:
        """Post a signed form; once more when the line does not answer, as the carrier does, then ConnectionError."""
        headers = {HEADER: sign(self.token, url, fields), "Content-Type": "application/x-www-form-urlencoded"}
        path, body = url.removeprefix(self.public), urlencode(fields).encode()
        try:
            return self._ask(path, body, headers)
        except _BROKEN:
            self.close()
        try:
            return self._ask(path, body, headers)
        except _BROKEN as broken:
            self.close()
            raise ConnectionError(f"{url}: {broken}") from broken

    def close(self) -> None:
        """Hang up the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        began = self.clock.monotonic()
        connection = self._connection or self._connect()
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        self.timed(path, self.clock.monotonic() - began)
        return Answer(response.status, response.headers.get("Content-Type", ""), text)

    def _connect(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.server)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.netloc, timeout=TIMEOUT)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        return connection

"""Calls and texts going out, to a real HTTP server in the carrier's place."""

from __future__ import annotations

import base64
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

import pytest
from twilio.http.http_client import TwilioHttpClient

from hotline.telephony.outbound import Carrier, CarrierBusy, CarrierRefused

ACCOUNT, TOKEN = "AC" + "1" * 32, "0123456789abcdef0123456789abcdef"
OURS, CHAIR = "+15155550199", "+15155550101"


class CarrierServer(ThreadingHTTPServer):
    """Remembers what it was asked and answers `status`; with status 0 it hangs up without a word."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.status = 201


class _Handler(BaseHTTPRequestHandler):
    server: CarrierServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append((self.path, self.headers.get("Authorization", ""), dict(parse_qsl(body))))
        if not self.server.status:
            self.close_connection = True
            return
        answer = b'{"sid": "CA0a", "code": 20429, "message": "no"}'
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the test's own output is enough."""


class Near(TwilioHttpClient):
    """The carrier's own client, its requests going to this machine."""

    def __init__(self, port: int) -> None:
        super().__init__(timeout=5)
        self._port = port

    def request(self, method, url, *given, **more):
        return super().request(
            method, url.replace("https://api.twilio.com", f"http://127.0.0.1:{self._port}"), *given, **more
        )


@pytest.fixture
def server() -> Iterator[CarrierServer]:
    server = CarrierServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def http(server) -> Iterator[Near]:
    near = Near(server.server_port)
    yield near
    near.session.close()


@pytest.fixture
def carrier(http) -> Carrier:
    return Carrier(ACCOUNT, TOKEN, OURS, "https://line.example", http)


def test_a_call_is_made_from_our_number_with_the_addresses_to_ask(server, carrier) -> None:
    """No machine detection: it would delay the chair's first words, and a machine learns nothing anyway."""
    assert carrier.call(CHAIR, "/voice/back/answer/7", "/voice/back/ended/7") == "CA0a"
    (path, authorization, fields) = server.asked[0]
    assert path == f"/2010-04-01/Accounts/{ACCOUNT}/Calls.json"
    assert base64.b64decode(authorization.removeprefix("Basic ")).decode() == f"{ACCOUNT}:{TOKEN}"
    assert fields == {
        "To": CHAIR,
        "From": OURS,
        "Url": "https://line.example/voice/back/answer/7",
        "Method": "POST",
        "StatusCallback": "https://line.example/voice/back/ended/7",
        "StatusCallbackMethod": "POST",
        "Timeout": "25",
    }


def test_a_text_is_sent(server, carrier) -> None:
    """With its words whole."""
    carrier.text(CHAIR, "Somebody signed in & left.")
    path, _, fields = server.asked[0]
    assert path.endswith("/Messages.json")
    assert fields == {"To": CHAIR, "From": OURS, "Body": "Somebody signed in & left."}


@pytest.mark.parametrize(("status", "trouble"), [(429, CarrierBusy), (400, CarrierRefused), (503, CarrierRefused)])
def test_only_too_many_at_once_may_be_asked_again(server, carrier, status, trouble) -> None:
    """After anything else the telephone may have rung. The library asks once, too."""
    server.status = status
    with pytest.raises(trouble):
        carrier.call(CHAIR, "/a", "/e")
    assert len(server.asked) == 1


def test_a_carrier_that_hangs_up_is_not_asked_again(server, carrier) -> None:
    """It may have begun to call."""
    server.status = 0
    with pytest.raises(CarrierRefused):
        carrier.call(CHAIR, "/a", "/e")
    assert len(server.asked) == 1


def test_no_number_token_or_account_is_logged(server, carrier, caplog) -> None:
    """The carrier's library would tell every request at INFO, with the account in its address."""
    with caplog.at_level(logging.INFO):
        carrier.call(CHAIR, "/voice/back/answer/7", "/voice/back/ended/7")
        carrier.text(CHAIR, "words")
        server.status = 400
        with pytest.raises(CarrierRefused) as refused:
            carrier.call(CHAIR, "/a", "/e")
    assert not any(secret in caplog.text + str(refused.value) for secret in (CHAIR[1:], ACCOUNT, TOKEN, "words"))

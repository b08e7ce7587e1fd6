"""The carrier's REST API as far as a line asks it, on this machine: one account, its numbers, its permissions."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hotline.clock import Clock
from hotline.services.preflight_carrier import BUSINESS
from hotline.telephony.account import Timed
from tests.lines import ACCOUNT, BASE

OURS = "+15155550199"
ELSEWHERE = "https://handler.twilio.example/bins/EH1"


def number(telephone: str = OURS, **otherwise: Any) -> dict[str, Any]:
    """A number that is set as it should be, but for what is said otherwise."""
    return {
        "sid": "PN" + telephone[-2:] * 16,
        "phone_number": telephone,
        "capabilities": {"voice": True, "sms": True},
        "voice_url": f"{BASE}/voice/answer",
        "voice_method": "POST",
        "voice_fallback_url": ELSEWHERE,
        "status_callback": f"{BASE}/voice/ended",
        "status_callback_method": "POST",
        "sms_url": f"{BASE}/messages/incoming",
        "voice_application_sid": "",
        "trunk_sid": None,
        **otherwise,
    }


class CarrierApi(ThreadingHTTPServer):
    """Answers as the carrier; a test changes what it says. `asked` has every request: method, path, form."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 200
        self.skew = timedelta(0)
        self.account = {"sid": ACCOUNT, "status": "active", "type": "Full"}
        self.profiles = [{"sid": "BU" + "1" * 32, "policy_sid": BUSINESS, "status": "twilio-approved"}]
        self.permission = {"iso_code": "US", "low_risk_numbers_enabled": True}
        self.numbers = [number()]
        self.asked: list[tuple[str, str, dict[str, str]]] = []

    def answer(self, path: str, form: dict[str, str]) -> dict[str, Any]:
        """What the API says at a path; a form sets a number."""
        match path.strip("/").removeprefix(f"2010-04-01/Accounts/{ACCOUNT}").removesuffix(".json").split("/"):
            case [""]:
                return self.account
            case ["", "IncomingPhoneNumbers"]:
                return {"incoming_phone_numbers": self.numbers, "page_size": 50, "next_page_uri": None}
            case ["", "IncomingPhoneNumbers", sid]:
                held = next(each for each in self.numbers if each["sid"] == sid)
                held |= {_field(name): value for name, value in form.items()}
                return held
            case ["v1", "CustomerProfiles"]:
                return {"results": self.profiles, "meta": {"key": "results", "next_page_url": None}}
            case ["v1", "DialingPermissions", "Countries", "US"]:
                return self.permission
            case _:
                raise AssertionError(path)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Answer while the block lasts."""
        thread = threading.Thread(target=self.serve_forever, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.shutdown()
            self.server_close()
            thread.join()


def _field(name: str) -> str:
    """VoiceFallbackUrl as the API's answers name it: voice_fallback_url."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).strip("_")


class _Handler(BaseHTTPRequestHandler):
    server: CarrierApi

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer(dict(parse_qsl(body, keep_blank_values=True)))

    def _answer(self, form: dict[str, str]) -> None:
        path = urlsplit(self.path).path
        self.server.asked.append((self.command, path, form))
        refusal = {"code": 20003, "message": "Authenticate", "status": self.server.status}
        said = json.dumps(self.server.answer(path, form) if self.server.status < 400 else refusal).encode()
        self.send_response_only(self.server.status)
        self.send_header("Date", format_datetime(Clock().now() + self.server.skew, usegmt=True))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the test's own output is enough."""


class Near(Timed):
    """The carrier's own client, its requests going to this machine."""

    def __init__(self, port: int) -> None:
        super().__init__(Clock().now)
        self._port = port

    def request(self, method: str, url: str, *given: Any, **more: Any) -> Any:
        host = urlsplit(url)
        return super().request(
            method, url.replace(f"https://{host.netloc}", f"http://127.0.0.1:{self._port}"), *given, **more
        )

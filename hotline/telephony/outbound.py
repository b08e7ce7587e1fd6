"""What the line sends out by the carrier: calls to numbers on file, and texts to them. Nothing is decided here.

The carrier makes a call or a text anew each time it is asked, so a request is never repeated unless the carrier said
that it did nothing: `CarrierBusy`. Its library tells every request in the log, account and all; it is kept quiet.
"""

from __future__ import annotations

import logging
from typing import Any

from requests import RequestException
from twilio.base.exceptions import TwilioRestException
from twilio.http.http_client import HttpClient, TwilioHttpClient
from twilio.rest import Client

from hotline.errors import HotlineError

PATIENCE = 10.0
"""Seconds to wait for the carrier's answer."""
RING_SECONDS = 25
"""A mailbox answers later than that as a rule."""
BUSY = 429

logging.getLogger("twilio.http_client").setLevel(logging.WARNING)


class CarrierBusy(HotlineError):
    """The carrier is asked too much at once and did nothing: the same may be asked again."""

    status = 503


class CarrierRefused(HotlineError):
    """The carrier did not do it, or nobody knows whether it did: the same must not be asked again."""

    status = 502


class Carrier:
    """Calls and texts from one number of ours (E.164); guards the account's token."""

    def __init__(self, account: str, token: str, number: str, base: str, http: HttpClient | None = None) -> None:
        """`base` is the line's public address, where the carrier asks what to say."""
        self._client = Client(account, token, http_client=http or TwilioHttpClient(timeout=PATIENCE))
        self._number, self._base = number, base

    def call(self, number: str, answer: str, ended: str) -> str:
        """Ring `number` (E.164): the call's sid. Who picks up is answered at the path `answer`, the end told `ended`.

        Raises `CarrierBusy` or `CarrierRefused`.
        """
        return self._ask(
            self._client.calls.create,
            to=number,
            url=f"{self._base}{answer}",
            method="POST",
            status_callback=f"{self._base}{ended}",
            status_callback_method="POST",
            timeout=RING_SECONDS,
        )

    def text(self, number: str, words: str) -> str:
        """Send a text. Its sid. Raises `CarrierBusy` or `CarrierRefused`."""
        return self._ask(self._client.messages.create, to=number, body=words)

    def _ask(self, create: Any, **what: Any) -> str:
        try:
            return str(create(from_=self._number, **what).sid)
        except TwilioRestException as refused:
            if refused.status == BUSY:
                raise CarrierBusy("The carrier is asked too much at once") from refused
            raise CarrierRefused(f"The carrier answered {refused.status}, error {refused.code}") from None
        except RequestException as unreachable:
            raise CarrierRefused(f"The carrier did not answer: {type(unreachable).__name__}") from None

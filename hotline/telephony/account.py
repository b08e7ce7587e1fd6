"""What the carrier says of our account and of our numbers, and how numbers are set to reach the line.

Read for the go-live check, and written by `hotline provision` alone. Nothing here takes or makes a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from requests import RequestException
from twilio.base.exceptions import TwilioRestException
from twilio.http.http_client import TwilioHttpClient
from twilio.http.response import Response
from twilio.rest import Client

from hotline.errors import HotlineError
from hotline.telephony.outbound import PATIENCE

APPROVED = "twilio-approved"

Answer = TypeVar("Answer")


class CarrierSilent(HotlineError):
    """The carrier did not answer what was asked of it; the message says why."""

    status = 502


@dataclass(frozen=True)
class Standing:
    """The account: `status` is "active", "suspended" or "closed", `kind` "Full" or "Trial". `skew` is how many seconds
    the carrier's clock is ahead of ours, None where it did not tell the time."""

    status: str
    kind: str
    skew: float | None


@dataclass(frozen=True)
class Number:
    """One number of the account (E.164) and where its calls, ends of calls and texts are told.

    `diverted` names what the carrier asks instead of these addresses: an application or a trunk, "" when nothing.
    """

    sid: str
    number: str
    has_voice: bool
    diverted: str
    voice_url: str
    voice_method: str
    voice_fallback_url: str
    status_callback: str
    status_callback_method: str
    sms_url: str


@dataclass(frozen=True)
class Addresses:
    """Where a number must point, as the carrier names it; all are asked with POST. The fallback should be elsewhere:
    it is what speaks when this line does not."""

    voice_url: str
    voice_fallback_url: str
    status_callback: str
    sms_url: str


def addresses(base: str) -> Addresses:
    """The line's own addresses under its public one."""
    return Addresses(
        voice_url=f"{base}/voice/answer",
        voice_fallback_url=f"{base}/voice/fallback",
        status_callback=f"{base}/voice/ended",
        sms_url=f"{base}/messages/incoming",
    )


class Timed(TwilioHttpClient):  # type: ignore[misc] # twilio has no types
    """The carrier's own client, which notes how far the carrier's clock was ahead of ours."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__(timeout=PATIENCE)
        self._now = now
        self.skew: float | None = None

    def request(self, *what: Any, **more: Any) -> Response:
        """One request. The carrier's date has whole seconds, so up to one of what is found is rounding."""
        answer = super().request(*what, **more)
        said = (answer.headers or {}).get("Date")
        if said:
            self.skew = (parsedate_to_datetime(said).astimezone(UTC) - self._now()).total_seconds()
        return answer


class Account:
    """One account at the carrier; guards its token. Every method raises `CarrierSilent`."""

    def __init__(self, account: str, token: str, http: Timed) -> None:
        self._account, self._http = account, http
        self._client = Client(account, token, http_client=http)

    def standing(self) -> Standing:
        """How the account stands."""
        found = self._ask(lambda: self._client.api.v2010.accounts(self._account).fetch())
        return Standing(str(found.status), str(found.type), self._http.skew)

    def profiles(self) -> list[str]:
        """The policies (`RN…`) for which a customer profile of the account is approved."""
        found = self._ask(lambda: self._client.trusthub.v1.customer_profiles.list(status=APPROVED))
        return [str(each.policy_sid) for each in found]

    def may_dial(self, country: str) -> bool:
        """Whether the account may call ordinary numbers of a country ("US")."""
        found = self._ask(lambda: self._client.voice.v1.dialing_permissions.countries(country).fetch())
        return bool(found.low_risk_numbers_enabled)

    def numbers(self) -> list[Number]:
        """Every number of the account."""
        return [_number(each) for each in self._ask(self._client.incoming_phone_numbers.list)]

    def point(self, number: Number, to: Addresses) -> None:
        """Have a number's calls and texts reach these addresses, whatever it did before."""
        self._ask(
            lambda: self._client.incoming_phone_numbers(number.sid).update(
                voice_url=to.voice_url,
                voice_method="POST",
                voice_fallback_url=to.voice_fallback_url,
                voice_fallback_method="POST",
                status_callback=to.status_callback,
                status_callback_method="POST",
                sms_url=to.sms_url,
                sms_method="POST",
                voice_application_sid="",
                sms_application_sid="",
                trunk_sid="",
            )
        )

    def _ask(self, question: Callable[[], Answer]) -> Answer:
        try:
            return question()
        except TwilioRestException as refused:
            raise CarrierSilent(f"The carrier answered {refused.status}, error {refused.code}") from None
        except RequestException as unreachable:
            raise CarrierSilent(f"The carrier did not answer: {type(unreachable).__name__}") from None


def wrong(number: Number, wanted: Addresses) -> Sequence[tuple[str, str, str]]:
    """What of a number is not as wanted: what it is called, what it is, what it should be.

    A fallback on another host is as it should be; none at all is not.
    """
    found = [
        ("voice URL", number.voice_url, wanted.voice_url),
        ("voice method", number.voice_method, "POST"),
        ("status callback", number.status_callback, wanted.status_callback),
        ("status callback method", number.status_callback_method, "POST"),
        ("text URL", number.sms_url, wanted.sms_url),
    ]
    if not number.voice_fallback_url:
        found.append(("voice fallback URL", "", wanted.voice_fallback_url))
    if number.diverted:
        found.append(("application or trunk", number.diverted, ""))
    return [(name, is_so, should) for name, is_so, should in found if _without_overrides(is_so) != should]


def _without_overrides(address: str) -> str:
    """An address without its fragment, in which the carrier takes timeouts and retries, and which it never sends."""
    return address.partition("#")[0]


def _number(found: Any) -> Number:
    can: Any = found.capabilities or {}
    return Number(
        sid=found.sid,
        number=found.phone_number,
        has_voice=bool(can.get("voice")),
        diverted=found.voice_application_sid or found.trunk_sid or "",
        voice_url=found.voice_url or "",
        voice_method=found.voice_method or "",
        voice_fallback_url=found.voice_fallback_url or "",
        status_callback=found.status_callback or "",
        status_callback_method=found.status_callback_method or "",
        sms_url=found.sms_url or "",
    )

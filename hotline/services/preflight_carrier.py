"""The carrier's side of the go-live check: what it would do with our calls tonight, asked by its REST API.

Most lines on it that fail, fail here: an account that takes two calls at once, a number that still points elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from hotline.errors import SetupError
from hotline.services.preflight import Check, Look, Wanting, looked_at
from hotline.settings import Settings
from hotline.telephony.account import Account, Addresses, CarrierSilent, Number, Standing, addresses, wrong

BUSINESS = "RN6433641899984f951173ef1738c3bdd0"
"""The carrier's policy of a Primary Customer Profile for a business; without one, two to five calls at once."""
COUNTRY = "US"
LARGEST_SKEW = 2.0
"""Seconds; codes of staff and the order of alerts go by the clock."""
ROUNDING = 1.0

UNKNOWN = (
    "Check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN against the carrier's console, and that this machine reaches it"
)


class CarrierSide:
    """The checks of one account; asks each thing once."""

    def __init__(self, settings: Settings, account: Account) -> None:
        self._settings, self._account = settings, account
        self._wanted = addresses(settings.public_base_url)

    def checks(self) -> Iterator[Check]:
        """Every check in turn. When the carrier does not know the account, nothing else is asked."""
        try:
            standing = self._account.standing()
        except CarrierSilent as silent:
            yield Check("carrier", "fail", str(silent), UNKNOWN)
            return
        looks: Sequence[tuple[str, Look]] = (
            ("carrier", lambda: _account(standing)),
            ("clock", lambda: _clock(standing)),
            ("carrier profile", self._profile),
            ("carrier dialing", self._dialing),
        )
        yield from looked_at(looks)
        yield from self._numbers()

    def _profile(self) -> str:
        if BUSINESS not in self._account.profiles():
            raise Wanting(
                "The account has no approved Business profile: the carrier puts through two to five calls at once",
                "Have a Primary Customer Profile for a business approved in the carrier's Trust Hub; it takes days",
            )
        return "A Business profile is approved: calls at once are not limited"

    def _dialing(self) -> str:
        if not self._account.may_dial(COUNTRY):
            raise Wanting(
                f"The account may not call numbers in {COUNTRY}: no call-back would go out",
                f"Allow {COUNTRY} in the carrier's Voice Geographic Permissions",
            )
        return f"Call-backs to {COUNTRY} may go out"

    def _numbers(self) -> Iterator[Check]:
        try:
            held = {each.number: each for each in self._account.numbers()}
        except CarrierSilent as silent:
            yield Check(
                "carrier numbers", "fail", str(silent), "Try again; the token may lack the right to read numbers"
            )
            return
        for number in self._settings.numbers:
            yield from looked_at([(f"number {number}", partial(self._number, number, held.get(number)))])

    def _number(self, number: str, found: Number | None) -> str:
        if found is None:
            raise Wanting(
                f"{number} is in HOTLINE_NUMBERS and not one of the account's",
                "Buy or port it, or take it out of HOTLINE_NUMBERS and of the packets",
            )
        if not found.has_voice:
            raise Wanting(f"{number} takes no calls", "Put a number with Voice in its place")
        if differs := wrong(found, self._wanted):
            told = "; ".join(
                f"its {name} is {is_so or 'not set'}, not {should or 'empty'}" for name, is_so, should in differs
            )
            raise Wanting(f"{number}: {told}", "hotline provision --apply sets it")
        if urlsplit(found.voice_fallback_url).hostname == urlsplit(self._settings.public_base_url).hostname:
            raise Wanting(
                f"{number} falls back on this very machine, which says nothing when it is down",
                "Host config/deploy/fallback.xml elsewhere, as in a TwiML Bin, and name it as the fallback URL",
                is_fatal=False,
            )
        return "reaches this line, and falls back elsewhere"


def _account(standing: Standing) -> str:
    if standing.status != "active":
        raise Wanting(f"The account is {standing.status}", "Have the carrier open it again: no call gets through")
    if standing.kind != "Full":
        raise Wanting(
            f"The account is a {standing.kind} one: callers hear a notice first, and few numbers can be called back",
            "Upgrade it in the carrier's console",
        )
    return "The account is active and a full one"


def _clock(standing: Standing) -> str:
    if standing.skew is None:
        raise Wanting(
            "The carrier did not tell the time", "Check with timedatectl that the clock is set", is_fatal=False
        )
    if abs(standing.skew) > LARGEST_SKEW + ROUNDING:
        raise Wanting(
            f"This machine's clock is {abs(standing.skew):.0f} s {'behind' if standing.skew > 0 else 'ahead'}",
            "Turn on NTP: timedatectl set-ntp true",
        )
    return "The clock agrees with the carrier's"


@dataclass(frozen=True)
class Pointing:
    """A number of the line, where it is to point, and what of it differs (name, is, should)."""

    number: Number
    to: Addresses
    differs: Sequence[tuple[str, str, str]]


def pointings(settings: Settings, account: Account, fallback: str = "") -> list[Pointing]:
    """What each of HOTLINE_NUMBERS is and should be. Nothing is changed.

    `fallback` is the address the carrier goes to when this line does not answer; "" leaves each number its own, and
    gives it ours if it has none. Raises `CarrierSilent`, and `SetupError` for a number the account does not hold.
    """
    held = {each.number: each for each in account.numbers()}
    if strange := [number for number in settings.numbers if number not in held]:
        raise SetupError(f"not numbers of this account: {', '.join(strange)}; nothing was changed")
    if not settings.numbers:
        raise SetupError("HOTLINE_NUMBERS is empty: name the numbers that are the line's")
    wanted = addresses(settings.public_base_url)
    found = []
    for number in settings.numbers:
        has = held[number]
        to = replace(wanted, voice_fallback_url=fallback or has.voice_fallback_url or wanted.voice_fallback_url)
        differs = list(wrong(has, to))
        if fallback and has.voice_fallback_url not in ("", fallback):
            differs.append(("voice fallback URL", has.voice_fallback_url, fallback))
        found.append(Pointing(has, to, differs))
    return found

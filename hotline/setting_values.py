"""What the value of a setting must look like. Each check returns the value as used, or raises `SetupError`."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from hotline.errors import SetupError
from hotline.telephone_numbers import E164

WEAKEST_BYTES = 32

Network = IPv4Network | IPv6Network
"""An address, or a range of them."""


def check_strength(name: str, value: str | None) -> None:
    """Refuse a secret that is short or hardly random."""
    if value is None:
        return
    if len(value.encode()) < WEAKEST_BYTES:
        raise SetupError(f"{name} has {len(value.encode())} bytes; it needs at least {WEAKEST_BYTES} random ones")
    if len(set(value)) < WEAKEST_BYTES // 4:
        raise SetupError(f"{name} repeats a few characters; it needs at least {WEAKEST_BYTES} random bytes")


def base_url(value: str) -> str:
    """An absolute http(s) address, without its last slash."""
    try:
        url = urlsplit(value)
        is_absolute = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        is_absolute = False
    if not is_absolute or re.search(r"\s", value):
        raise SetupError(f"PUBLIC_BASE_URL must be absolute, like https://line.example.org, not {value!r}")
    if url.username is not None or url.password is not None:
        raise SetupError("PUBLIC_BASE_URL must not hold a user name or password")
    if url.query or url.fragment:
        raise SetupError("PUBLIC_BASE_URL must end before any ? or #")
    return value.rstrip("/")


def hook(name: str, value: str) -> str | None:
    """An absolute http(s) address to send something to; None for none. It may hold a secret and is not told."""
    try:
        url = urlsplit(value)
        is_absolute = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        is_absolute = False
    if value and (not is_absolute or re.search(r"\s", value)):
        raise SetupError(f"{name} must be absolute, like https://example.org/alerts")
    return value or None


def networks(name: str, value: object) -> tuple[Network, ...]:
    """Addresses or ranges of them, from a list or from text with blanks or commas between."""
    given = value.replace(",", " ").split() if isinstance(value, str) else value
    if not isinstance(given, list | tuple):
        raise SetupError(f"{name} must be a list of addresses like 127.0.0.1 or 10.0.0.0/8")
    try:
        return tuple(ip_network(str(each)) for each in given)
    except ValueError as error:
        raise SetupError(f"{name}: {error}") from error


def telephone_numbers(name: str, value: object) -> tuple[str, ...]:
    """Telephone numbers, from a list or from text with blanks or commas between."""
    numbers = value.replace(",", " ").split() if isinstance(value, str) else value
    if not isinstance(numbers, list | tuple):
        raise SetupError(f"{name} must be a list of numbers like +15155550100")
    for number in numbers:
        if not E164.fullmatch(str(number)):
            raise SetupError(f"{name}: {number!r} is not a number like +15155550100")
    return tuple(numbers)


def count(name: str, value: object) -> int:
    """A whole number from 0; nothing given is 0."""
    text = str(value).strip() or "0"
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise SetupError(f"{name} must be a whole number, like 500, not {value!r}")
    return int(text)


def account_sid(value: str | None) -> str | None:
    """The carrier's account."""
    if value is not None and not re.fullmatch(r"AC[0-9a-f]{32}", value):
        raise SetupError("TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits")
    return value


def seal_key(value: str | None, name: str = "HOTLINE_SEAL_KEY") -> str | None:
    """32 bytes in hexadecimal."""
    if value is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise SetupError(f"{name} must be 32 bytes in hexadecimal, 64 digits")
    return value


def folders(value: str) -> tuple[Path, ...]:
    """Folders as PATH names them, a colon between two; () for none."""
    return tuple(Path(name) for name in value.split(":") if name)

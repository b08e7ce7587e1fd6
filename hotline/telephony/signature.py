"""Whether a request was sent by our carrier: the signature over our public address and the form it carries.

The address is built from `PUBLIC_BASE_URL`, never from headers a stranger may set. A signature carries no time, so an
old request stays valid for ever: what it may still do is the ledger's to say, which repeats an answer once given. It
runs names and values together, so one with a boundary moved carries the same signature: each field is still judged by
itself in `inbound`.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from twilio.request_validator import RequestValidator

HEADER = "X-Twilio-Signature"
"""A request signed another way (the carrier's shared keys, HMAC-SHA256) names it in a second header and fails here."""

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class _Fields:
    """The form as the carrier's validator wants to read it: every value of a repeated name."""

    form: Mapping[str, tuple[str, ...]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.form)

    def __bool__(self) -> bool:
        return bool(self.form)

    def getlist(self, name: str) -> tuple[str, ...]:
        return self.form[name]


def signed(token: str, url: str, form: Mapping[str, str]) -> str:
    """The signature of a form posted to `url`, as the carrier makes it: what the line asks itself with."""
    return str(RequestValidator(token).compute_signature(url, form))


@dataclass(frozen=True)
class Verifier:
    """Checks signatures under the primary or the secondary token; made once by `verifier`."""

    bases: tuple[str, ...]
    validators: tuple[RequestValidator, ...]

    def is_ours(self, path: str, query: str, form: Mapping[str, tuple[str, ...]], signature: str) -> bool:
        """Whether `signature` fits this path, raw query and form under one of our addresses and tokens.

        `query` is byte for byte what arrived, without the question mark. Comparison takes constant time.
        """
        given = signature.encode("utf-8", "surrogateescape")
        target = f"{path}?{query}" if query else path
        fields = _Fields(form)
        return any(
            hmac.compare_digest(validator.compute_signature(base + target, fields).encode(), given)
            for validator in self.validators
            for base in self.bases
        )


def verifier(public_base_url: str, tokens: Iterable[str]) -> Verifier:
    """The verifier for our public address and the auth tokens in force (empty ones are left out).

    The carrier is not consistent about naming the port, so the address counts with its default port and without any.
    """
    return Verifier(_spellings(public_base_url), tuple(RequestValidator(token) for token in tokens if token))


def _spellings(public_base_url: str) -> tuple[str, ...]:
    """The address as configured first, then with and without its port."""
    parts = urlsplit(public_base_url.rstrip("/"))
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = parts.port or _DEFAULT_PORTS[parts.scheme]
    rest = parts.path
    spelled = (f"{parts.scheme}://{host}{rest}", f"{parts.scheme}://{host}:{port}{rest}")
    return tuple(dict.fromkeys((parts.geturl(), *spelled)))

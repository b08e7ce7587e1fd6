"""A telephone number's key: the same mark for the same number, by which it is found again and from which it is not.

HMAC-SHA-256 under HOTLINE_SECRET_KEY. It stands where a whole number must not: in blocks, PIN attempts, events, Redis.
There are few telephone numbers, so without the secret every one could be tried; with it nobody needs to.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable

Keying = Callable[[str], str]
"""A number in E.164 to its key, 32 hexadecimal digits; "" (withheld) has none: withheld callers are not one caller."""


def keying(secret_key: str) -> Keying:
    """The keys under one secret."""
    secret = hashlib.sha256(b"hotline telephone numbers:" + secret_key.encode()).digest()

    def key(number: str) -> str:
        return hmac.digest(secret, number.encode(), "sha256").hex()[:32] if number else ""

    return key

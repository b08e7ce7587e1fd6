"""What staff prove who they are with: a password, kept as Argon2id, and the six digits an app makes of a secret.

The secret has to be read again for every sign-in, so it is kept sealed (Fernet) under HOTLINE_SECRET_KEY: a stolen
database alone makes no code. The one home of pyotp.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import unicodedata
from datetime import datetime

from argon2.exceptions import VerifyMismatchError
from cryptography.fernet import Fernet, InvalidToken
from pyotp import TOTP

from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.store.pins import ARGON2ID

STEP_SECONDS = 30
ISSUER = "hotline"
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 256
"""NIST SP 800-63B asks for 8 characters beside a second factor, and that long ones are taken."""


class Vault:
    """Seals and opens the secrets codes are made of; guards the key."""

    def __init__(self, secret_key: str) -> None:
        key = hashlib.sha256(b"hotline staff secrets:" + secret_key.encode()).digest()
        self._fernet = Fernet(base64.urlsafe_b64encode(key))

    def seal(self, secret: str) -> str:
        """The secret as it may lie in a database."""
        return self._fernet.encrypt(secret.encode()).decode()

    def open(self, sealed: str) -> str:
        """The secret. Raises `SetupError` when it was sealed under another key."""
        try:
            return self._fernet.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise SetupError(
                "HOTLINE_SECRET_KEY is not the one staff accounts were made under: hotline staff reset NAME"
            ) from error


def new_secret(clock: Clock) -> str:
    """160 random bits in base32, as apps take them."""
    return base64.b32encode(bytes.fromhex(clock.token(20))).decode()


def new_password(clock: Clock) -> str:
    """A password to be used once: 80 random bits in base32, in groups of four."""
    letters = base64.b32encode(bytes.fromhex(clock.token(10))).decode().lower()
    return "-".join(letters[at : at + 4] for at in range(0, 16, 4))


def address_of(secret: str, name: str) -> str:
    """The `otpauth:` address an app reads, as text or as a QR code."""
    return TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def hashed(password: str) -> str:
    """The password as Argon2id keeps it."""
    return ARGON2ID.hasher.hash(_written(password))


def matches(kept: str | None, password: str) -> bool:
    """Whether the password is the one kept; without one the same work is done."""
    try:
        return ARGON2ID.hasher.verify(kept or ARGON2ID.decoy, _written(password)) and kept is not None
    except VerifyMismatchError:
        return False


def step_of(secret: str, code: str, now: datetime) -> int | None:
    """The 30-second step a code belongs to, the present one or one beside it; None when it is none of theirs."""
    app, present = TOTP(secret), int(now.timestamp()) // STEP_SECONDS
    steps = (present, present - 1, present + 1)
    return next((step for step in steps if hmac.compare_digest(app.generate_otp(step).encode(), code.encode())), None)


def _written(password: str) -> str:
    """One spelling of what one types alike on different keyboards."""
    return unicodedata.normalize("NFKC", password)

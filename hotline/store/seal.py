"""The seal's arithmetic: events under a Merkle root, roots in a chain, each link signed. Pure; `seals` keeps it.

An event's leaf is SHA-256 over its row in canonical JSON (RFC 8785), the tree is RFC 6962's: leaves and inner nodes are
hashed under different first bytes, so that neither passes for the other. A link names what it covers, the root, the
list of leaves and the link before it; its head is the hash of all that, and Ed25519 signs the head. Whoever holds one
head therefore holds every event before it: nothing can be changed, taken out, put in or moved without changing it.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ROW = ("seq", "at", "call", "precinct", "kind", "version", "body")
"""What of an event is sealed: every column there is."""

FIRST_HEAD = "0" * 64
"""What the first link names as the head before it."""

_ENTRY = struct.Struct(">q32s")
_ENCODED = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_LEAF, _NODE = b"\x00", b"\x01"


@dataclass(frozen=True)
class Leaf:
    """One sealed event: its `seq` and the hash of its row."""

    seq: int
    digest: bytes


@dataclass(frozen=True)
class Link:
    """One seal. `n` counts from 1 without a gap; `first` to `last` are the `seq` covered, `count` how many events.

    `root` and `leaves` are SHA-256 in hexadecimal: of the tree, and of the list of leaves as `packed` writes it.
    `previous` is the head of link n - 1, `at` when it was made (UTC), `key` the signing key's fingerprint.
    """

    n: int
    first: int
    last: int
    count: int
    root: str
    leaves: str
    previous: str
    at: str
    key: str

    @property
    def head(self) -> str:
        """SHA-256 over the whole link in canonical JSON, in hexadecimal."""
        return hashlib.sha256(canonical(vars(self))).hexdigest()


def canonical(plain: Mapping[str, Any]) -> bytes:
    """Canonical JSON (RFC 8785) of texts, whole numbers below 2**53 and nulls under ASCII names.

    For such values the standard encoder writes the same bytes as a library for all of RFC 8785, ten times as fast; a
    test holds the two against each other.
    """
    return _ENCODED(plain).encode()


class Signer:
    """Signs heads with the line's Ed25519 key; guards the key."""

    def __init__(self, seed: str) -> None:
        """`seed`: HOTLINE_SEAL_KEY, 32 bytes in hexadecimal."""
        self._key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, head: str) -> str:
        """The signature over a head, in hexadecimal."""
        return self._key.sign(bytes.fromhex(head)).hex()


def is_signed(head: str, signature: str, public: str) -> bool:
    """Whether `signature` over `head` was made by the key whose public half is `public`; all in hexadecimal."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), bytes.fromhex(head))
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: str) -> str:
    """How a link names its key: the first 16 hexadecimal digits of SHA-256 over the public key."""
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]


def leaf(row: Mapping[str, Any]) -> Leaf:
    """An event's leaf, from its row by column name (`ROW`). ValueError when the row is none, say text in `version`."""
    plain = {name: row[name] for name in ROW}
    if type(plain["seq"]) is not int or not isinstance(plain["version"], int | None):
        raise ValueError("a number of the row is no number")
    if not all(type(plain[name]) is str for name in ROW if name not in ("seq", "version")):
        raise ValueError("a text of the row is no text")
    return Leaf(plain["seq"], hashlib.sha256(_LEAF + canonical(plain)).digest())


def root(digests: Sequence[bytes]) -> str:
    """The tree's root over leaf digests, at least one: pairs from the left, an odd one out moves up as it is."""
    level = list(digests)
    while len(level) > 1:
        paired = [
            hashlib.sha256(_NODE + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)
        ]
        level = paired + level[len(paired) * 2 :]
    return level[0].hex()


def packed(leaves: Iterable[Leaf]) -> bytes:
    """Leaves as they are kept beside their link: 40 bytes each, `seq` and digest."""
    return b"".join(_ENTRY.pack(each.seq, each.digest) for each in leaves)


def unpacked(stored: bytes) -> Iterator[Leaf]:
    """What `packed` wrote. ValueError when it is no whole number of leaves."""
    if len(stored) % _ENTRY.size:
        raise ValueError("the list of leaves is cut")
    return (Leaf(*entry) for entry in _ENTRY.iter_unpack(stored))


def linked(leaves: Sequence[Leaf], after: Link | None, at: str, key: str) -> Link:
    """The link over `leaves`, in order and at least one, that follows `after` (None: the first)."""
    return Link(
        n=after.n + 1 if after else 1,
        first=leaves[0].seq,
        last=leaves[-1].seq,
        count=len(leaves),
        root=root([each.digest for each in leaves]),
        leaves=hashlib.sha256(packed(leaves)).hexdigest(),
        previous=after.head if after else FIRST_HEAD,
        at=at,
        key=key,
    )

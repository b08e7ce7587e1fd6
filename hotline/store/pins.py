"""PINs and correction codes: issued once, kept only as hashes, judged in constant work.

A PIN is eight random digits, one per packet, kept as Argon2id (2 passes, 19 MiB, 1 lane: OWASP's floor) over
HMAC-SHA-256 with the pepper, which is in no database and no backup; a stolen database alone answers no guess. A
correction code is four digits and is only asked of a caller whose PIN was accepted, three times a call: HMAC is enough.
How many guesses are judged at all is decided in `counters`.

When the pepper changes, a PIN moves to the new one at its next success; correction codes stay under the old one, which
has to be kept as HOTLINE_PEPPER_PREVIOUS until packets are issued anew: a code is judged in the transaction of its
turn, where nothing else may write. `standing` tells how far the change has come.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import Engine, delete, func, insert, select, update

from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.store.database import reading, writing
from hotline.store.schema import pins
from hotline.store.text import instant

PIN_DIGITS, CORRECTION_DIGITS = 8, 4


@dataclass(frozen=True)
class Hashing:
    """How PINs are hashed, and a hash of nothing with the same parameters: an unknown precinct's PIN is judged by it.

    Another than `ARGON2ID` is for tests of many thousand guesses, in which what one costs is not the question.
    """

    hasher: PasswordHasher
    decoy: str


ARGON2ID = Hashing(
    PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1),
    "$argon2id$v=19$m=19456,t=2,p=1$aG90bGluZSBkZWNveSAuLg$aG90bGluZSBkZWNveTogbm8gUElOIGhhcyB0aGlzIGg",
)


class Drawing(Protocol):
    """A repeatable source of numbers for a rehearsal, such as `clock.seeded` gives."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 up to but not including `stop`."""
        ...


def is_guessable(code: str) -> bool:
    """Whether a code is one people would try first: a run, few different digits, a half repeated or mirrored."""
    steps = [(int(after) - int(before)) % 10 for before, after in pairwise(code)]
    has_run = any(
        len(set(three)) == 1 and three[0] in (0, 1, 9) for three in zip(steps, steps[1:], steps[2:], strict=False)
    )
    half = len(code) // 2
    return has_run or len(set(code)) <= half // 2 + 1 or code[half:] in (code[:half], code[:half][::-1])


@dataclass(frozen=True)
class Packet:
    """What one packet has on paper. Shown once, when issued; never logged, never stored."""

    precinct: str
    pin: str
    correction_code: str

    def __repr__(self) -> str:
        return f"Packet(precinct={self.precinct!r})"


class Peppers:
    """The pepper in use, and the one before it while a change is under way."""

    def __init__(self, current: str, previous: str | None = None) -> None:
        self._keys = {self._name(key): key.encode() for key in (previous, current) if key}
        self.current = self._name(current)

    def __repr__(self) -> str:
        return f"Peppers({self.current})"

    @staticmethod
    def _name(pepper: str) -> str:
        return hashlib.sha256(b"hotline pepper name:" + pepper.encode()).hexdigest()[:12]

    @property
    def names(self) -> frozenset[str]:
        """The peppers that are set, by name."""
        return frozenset(self._keys)

    def mix(self, pepper: str, purpose: str, precinct: str, secret: str) -> str:
        """HMAC-SHA-256 of a precinct's secret under the pepper of that name, in hexadecimal."""
        if pepper not in self._keys:
            raise SetupError(
                f"PINs were issued under pepper {pepper}, which is not set: set HOTLINE_PEPPER_PREVIOUS to it"
            )
        message = f"{purpose}\0{precinct}\0{secret}".encode()
        return hmac.new(self._keys[pepper], message, hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class PepperUse:
    """How many PINs and correction codes stand under one pepper: that in use, the one before, or one not set."""

    pepper: str
    role: Literal["in use", "previous", "missing"]
    pins: int
    correction_codes: int


class Pins:
    """Issues and judges PINs and correction codes; guards the engine and the peppers."""

    def __init__(self, engine: Engine, clock: Clock, peppers: Peppers, hashing: Hashing = ARGON2ID) -> None:
        self._engine, self._clock, self._peppers, self._hashing = engine, clock, peppers, hashing

    def issue(
        self,
        codes: Sequence[str],
        *,
        source: Drawing | None = None,
        progress: Callable[[int], None] | None = None,
        threads: int = 2,
    ) -> list[Packet]:
        """New PINs and correction codes for these precincts; the old ones die. The only time a PIN is to be had.

        `progress` is told after each precinct how many are done. Hashing leaves Python's lock, so `threads` cores share
        it; about 40 ms of one core each. Nothing is changed unless all are made.
        """
        packets = self._draw(codes, source)
        rows = []
        with ThreadPoolExecutor(threads) as pool:
            for row in pool.map(self._row, packets):
                rows.append(row)
                if progress:
                    progress(len(rows))
        if rows:
            with writing(self._engine) as connection:
                for start in range(0, len(codes), 500):  # a statement takes a limited number of values
                    connection.execute(delete(pins).where(pins.c.precinct.in_(codes[start : start + 500])))
                connection.execute(insert(pins), rows)
        return packets

    def check(self, precinct: str, pin: str) -> bool:
        """Whether the PIN is the precinct's. An unknown precinct costs the same work."""
        with reading(self._engine) as connection:
            row = connection.execute(select(pins.c.pin, pins.c.pin_pepper).where(pins.c.precinct == precinct)).first()
        if row is None:
            return self.burn()
        if not self._verify(row.pin, self._peppers.mix(row.pin_pepper, "pin", precinct, pin)):
            return False
        if row.pin_pepper != self._peppers.current:
            self._move(precinct, pin, row.pin)
        return True

    def burn(self) -> bool:
        """Do the work of judging a PIN and refuse: a guess not judged must not be told by its speed."""
        self._verify(self._hashing.decoy, self._peppers.mix(self._peppers.current, "pin", "", ""))
        return False

    def trace(self, pin: str) -> str:
        """A refused PIN's keyed mark, the same at every precinct, by which it is known again. Never of one accepted."""
        return self._peppers.mix(self._peppers.current, "refused", "", pin)[:16]

    def check_correction(self, precinct: str, code: str) -> bool:
        """Whether the correction code is the precinct's."""
        kept = select(pins.c.correction, pins.c.correction_pepper).where(pins.c.precinct == precinct)
        with reading(self._engine) as connection:
            row = connection.execute(kept).first()
        pepper, wanted = (row.correction_pepper, row.correction) if row else (self._peppers.current, "")
        return hmac.compare_digest(self._peppers.mix(pepper, "correction", precinct, code), wanted)

    def issued(self) -> set[str]:
        """Codes of the precincts that have a PIN."""
        with reading(self._engine) as connection:
            return set(connection.execute(select(pins.c.precinct)).scalars())

    def standing(self) -> list[PepperUse]:
        """The peppers that PINs and correction codes need, the one in use first; none that holds nothing."""
        pin, code = pins.c.pin_pepper, pins.c.correction_pepper
        with reading(self._engine) as connection:
            by_pin: dict[str, int] = dict(connection.execute(select(pin, func.count()).group_by(pin)).all())
            by_code: dict[str, int] = dict(connection.execute(select(code, func.count()).group_by(code)).all())
        found = [
            PepperUse(name, self._role(name), by_pin.get(name, 0), by_code.get(name, 0)) for name in {*by_pin, *by_code}
        ]
        return sorted(found, key=lambda use: (("in use", "previous", "missing").index(use.role), use.pepper))

    def require_peppers(self) -> None:
        """Raise `SetupError` when a PIN or a correction code needs a pepper that is not set: no call with it could go
        well."""
        for use in self.standing():
            if use.role == "missing":
                raise SetupError(
                    f"{use.pins:,} PINs and {use.correction_codes:,} correction codes were issued under pepper "
                    f"{use.pepper}, which is not set: set HOTLINE_PEPPER_PREVIOUS to it, or issue them anew with "
                    "hotline pins issue"
                )

    def _role(self, pepper: str) -> Literal["in use", "previous", "missing"]:
        if pepper == self._peppers.current:
            return "in use"
        return "previous" if pepper in self._peppers.names else "missing"

    def _draw(self, codes: Sequence[str], source: Drawing | None) -> list[Packet]:
        def draw(count: int) -> str:
            while is_guessable(
                code := f"{source.randrange(10**count):0{count}}" if source else self._clock.digits(count)
            ):
                continue
            return code

        packets: list[Packet] = []
        taken: set[str] = set()
        for precinct in codes:
            while (pin := draw(PIN_DIGITS)) in taken:
                continue  # the same PIN tried at every precinct must not open two
            taken.add(pin)
            packets.append(Packet(precinct, pin, draw(CORRECTION_DIGITS)))
        return packets

    def _move(self, precinct: str, pin: str, kept: str) -> None:
        """Keep a PIN that was right under the pepper in use, unless it was issued anew meanwhile."""
        with writing(self._engine) as connection:
            moved = update(pins).where(pins.c.precinct == precinct, pins.c.pin == kept)
            connection.execute(moved.values(self._hashed_pin(precinct, pin)))

    def _row(self, packet: Packet) -> dict[str, str]:
        return {
            "precinct": packet.precinct,
            **self._hashed_pin(packet.precinct, packet.pin),
            **self._hashed_correction(packet.precinct, packet.correction_code),
            "issued_at": instant(self._clock.now()),
        }

    def _hashed_pin(self, precinct: str, pin: str) -> dict[str, str]:
        pepper = self._peppers.current
        return {
            "pin": self._hashing.hasher.hash(self._peppers.mix(pepper, "pin", precinct, pin)),
            "pin_pepper": pepper,
        }

    def _hashed_correction(self, precinct: str, code: str) -> dict[str, str]:
        pepper = self._peppers.current
        return {"correction": self._peppers.mix(pepper, "correction", precinct, code), "correction_pepper": pepper}

    def _verify(self, kept: str, mixed: str) -> bool:
        try:
            return self._hashing.hasher.verify(kept, mixed)
        except VerifyMismatchError:
            return False

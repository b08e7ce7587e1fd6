"""Walks along the sealed ledger all night, a piece at each step, and says when it is not what was sealed any more.

A walk begins at the first link, ends at the newest and begins again. What it finds is told until a whole walk finds
nothing. `hotline verify` looks at everything at once, and at the heads kept elsewhere.
"""

from __future__ import annotations

from hotline.services.line import Line
from hotline.services.sealing import seals_of
from hotline.services.verification import BEGINNING, Behind, verify
from hotline.store.evidence import Evidence
from hotline.store.sealed_piece import piece_after

EVENTS = 4_000
"""A step takes a tenth of a second of a core; at one in five seconds 100,000 events are walked in two minutes."""


class Patrol:
    """Verifies the ledger piece by piece; guards how far it has come and what it found."""

    def __init__(self, line: Line) -> None:
        seals = seals_of(line)
        self._engine, self._key = line.ledger.engine, seals.public_key
        self._behind = BEGINNING
        self._farthest = 0
        self._found = self._found_before = ""

    def step(self) -> str:
        """Look at the next piece: what is wrong with the ledger as far as is known, "" for nothing."""
        try:
            self._walk()
        except (TypeError, ValueError) as error:  # a number that is none: somebody wrote into the file itself
            self._note(f"what follows seal {self._behind.n} cannot be read: {error}")
            self._turn_back()
        return self._found or self._found_before

    def _walk(self) -> None:
        piece = piece_after(self._engine, self._behind.n, self._behind.last, EVENTS)
        if piece.trouble:
            self._note(piece.trouble)
        if not piece.links:
            self._turn_back()
            return
        report = verify(Evidence(iter(piece.links), iter(piece.events), iter(())), self._key, {}, self._behind)
        if not report.is_sound:
            self._note(f"{report.first.table} {report.first.row} {report.first.what}")
        newest = piece.links[-1]
        self._behind = Behind(newest["n"], newest["last"], str(newest["head"]))
        self._farthest = max(self._farthest, newest["n"])

    def _note(self, what: str) -> None:
        """The first thing that is wrong is the one to be told."""
        self._found = self._found or what

    def _turn_back(self) -> None:
        """At the newest link, or at what seems to be it."""
        if self._behind.n < self._farthest:
            self._note(f"seals {self._farthest} was cut off")
        self._found_before, self._found = self._found, ""
        self._behind = BEGINNING

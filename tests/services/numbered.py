"""A line with a number of its own and one on file, and a carrier that only notes whom it called or told."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.lines import line_on

CODE, OURS, CHAIR, SECRETARY, STRANGER = "00013", "+15155550199", "+15155550101", "+15155550102", "+15155550777"
WRONG = ("70361548", "81402957", "25913064", "93670412", "46082751", "19530867")


@pytest.fixture(name="line")
def numbered_line(database, tmp_path):
    opened = line_on(database, tmp_path, HOTLINE_NUMBERS=OURS)
    opened.roster.register_number(CHAIR, CODE, "chair")
    yield opened
    opened.ledger.engine.dispose()


@dataclass
class Ringing:
    """A carrier that notes whom it called or told, unless it has something against it."""

    trouble: Exception | None = None
    called: list = field(default_factory=list)
    told: list = field(default_factory=list)

    def call(self, number, answer, ended):
        if self.trouble:
            raise self.trouble
        self.called.append((number, answer, ended))
        return "CA0"

    def text(self, number, words):
        if self.trouble:
            raise self.trouble
        self.told.append((number, words))
        return "SM0"


def events(line, kind):
    return [each.event for each in line.ledger.events() if isinstance(each.event, kind)]

"""Calls for the console to show: rung through the carrier's doors, keyed like a caller would."""

from __future__ import annotations

from hotline.practice.interpreter import Dialled, place_call
from hotline.practice.phone import in_process
from hotline.practice.players import player
from hotline.services.line import Line
from hotline.web.app import create_app
from tests.lines import ACCOUNT, BASE, TOKEN

CODE, WRONG = "00013", "70361548"
GUESSER, CHAIR = "+15155550142", "+15155550101"
THRICE = " ".join(f"{CODE} {WRONG}" for _ in range(3))


def ring(line: Line, name: str, number: str = GUESSER, keys: str = THRICE) -> str:
    """One call, from the first ring to its end; its id. `name` is a hexadecimal digit."""
    sid = f"CA{name * 32}"
    post = in_process(create_app(line).test_client(), TOKEN)
    place_call(Dialled(sid, ACCOUNT, number, "+15155550000"), post, player(keys.split()), base=BASE)
    return sid

"""A database with a busy night behind it, written at one go: what the speed of a ring is measured on."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine, insert

from hotline.clock import Clock
from hotline.events.kinds import Event, SignInFailed, kind_of, to_body
from hotline.store.database import writing
from hotline.store.schema import calls, events
from hotline.store.text import dump, instant
from hotline.telephone_numbers import block_of

WINDOW_SECONDS = 7_200
WRONG: Event = SignInFailed("00013", "wrong-pin")


def fill(engine: Engine, clock: Clock, numbers: list[str], count: int) -> None:
    """Put `count` calls of the last two hours into the database, in turn from `numbers`, each with a wrong PIN."""
    now, body, kind = clock.now(), dump(to_body(WRONG)), kind_of(WRONG)
    called, told = [], []
    for n in range(count):
        number, sid = numbers[n % len(numbers)], f"CAc0{n:030x}"
        at = instant(now - timedelta(seconds=WINDOW_SECONDS - n * WINDOW_SECONDS / count))
        called.append(
            {
                **dict.fromkeys(("called", "session", "precinct", "holds"), ""),
                "sid": sid,
                "caller": number,
                "block": block_of(number),
                "answered_at": at,
                "ended_at": at,
                "turn": 3,
                "status": "completed",
                "seconds": 40,
            }
        )
        told.append({"at": at, "call": sid, "precinct": "00013", "kind": kind, "version": None, "body": body})
    with writing(engine) as connection:
        connection.execute(insert(calls), called)
        connection.execute(insert(events), told)

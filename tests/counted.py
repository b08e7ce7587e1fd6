"""Which statements a piece of work sends to SQLite, those past SQLAlchemy too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event


@contextmanager
def counted(engine: Engine) -> Iterator[list[str]]:
    """The statements sent while the block lasts, in order. Connections open before it are counted once taken up."""
    sent: list[str] = []
    traced: list[Any] = []

    def trace(connection: Any, *_: object) -> None:
        connection.set_trace_callback(sent.append)
        traced.append(connection)

    event.listen(engine, "checkout", trace)
    try:
        yield sent
    finally:
        event.remove(engine, "checkout", trace)
        for connection in traced:
            connection.set_trace_callback(None)

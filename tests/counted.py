"""Which statements a piece of work sends to SQLite, those past SQLAlchemy too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event


@contextmanager
def counted(engine: Engine) -> Iterator[list[str]]:
    """The statements sent while the block lasts, in order, also on the connection that writers keep for the next."""
    sent: list[str] = []
    traced: list[Any] = []

    def trace(connection: Any, *_: object) -> None:
        connection.set_trace_callback(sent.append)
        traced.append(connection)

    writers = engine.get_execution_options()["hotline_commits"]
    if writers._idle is not None:
        trace(writers._idle[1].connection.dbapi_connection)
    event.listen(engine, "checkout", trace)
    try:
        yield sent
    finally:
        event.remove(engine, "checkout", trace)
        for connection in traced:
            connection.set_trace_callback(None)

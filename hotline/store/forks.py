"""What becomes of an open database in a forked child: nothing it does may touch the connections of its parent.

PostgreSQL: the child gets connections of its own. SQLite: it is refused, since SQLite keeps the state of its locks in
the memory of the process, and a copy of that memory believes in locks it does not hold. Open SQLite after the fork.
"""

from __future__ import annotations

import os
import weakref
from functools import partial

from sqlalchemy import Engine, Pool, event

_inherited: list[Pool] = []
"""The parent's connections, in a child. Kept, because even closing one would be felt by the parent."""


def part_after_fork(engine: Engine) -> None:
    """Have every child forked from now on leave this engine's connections alone."""
    os.register_at_fork(after_in_child=partial(_part, weakref.ref(engine)))


def _part(reference: weakref.ref[Engine]) -> None:
    engine = reference()
    if engine is None:
        return
    _inherited.append(engine.pool)
    engine.dispose(close=False)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "do_connect", _refuse)


def _refuse(*_: object) -> None:
    raise RuntimeError("This process was forked after SQLite was opened: open the database after the fork")

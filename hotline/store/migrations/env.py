"""Alembic runs this file; the connection, and the transaction it is in, come from `hotline.store.migrate`."""

from __future__ import annotations

from alembic import context

from hotline.store.staff_tables import staff
from hotline.store.watch_tables import alert_notices

assert alert_notices.metadata is staff.metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=staff.metadata,  # all of them: the tables of `schema` are there with those that refer to them
    transactional_ddl=True,  # SQLite can undo a table too, once a transaction has begun
)
context.run_migrations()

"""What watching over the line needs in the database: an index by time, and which alerts were passed on.

On the metadata of `schema`'s tables. The index has the beginnings and ends of calls alone: two entries a call.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, Text, text

from hotline.store.schema import alerts, events, metadata

BEGUN_OR_ENDED = "kind IN ('CallScreened', 'CallEnded')"

calls_by_time = Index(
    "events_calls",
    events.c.at,
    sqlite_where=text(BEGUN_OR_ENDED),
    postgresql_where=text(BEGUN_OR_ENDED),
)

alert_notices = Table(
    "alert_notices",
    metadata,
    Column("alert", BigInteger, ForeignKey(alerts.c.id), primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False, comment="when somebody took it to pass it on; nobody else does"),
)

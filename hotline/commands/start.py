"""What every part of a real line looks at before it starts: its secrets, its database and its queue."""

from __future__ import annotations

import contextlib

from hotline import settings
from hotline.clock import Clock
from hotline.settings import Settings
from hotline.store import queues
from hotline.store.database import connect
from hotline.store.durability import require_durable
from hotline.store.migrate import require_started
from hotline.store.pins import Peppers, Pins
from hotline.store.privileges import require_granted


def settings_to_start() -> Settings:
    """The settings of this part. Raises `SetupError` saying what to mend: a part that could lose a report never starts.

    A Redis that does not answer is no reason: calls go on without it, and a worker looks again once it answers.
    """
    found = settings.require_secrets(settings.load())
    engine = connect(found.database_url, threads=1)
    try:
        require_granted(engine)
        require_started(engine)
        require_durable(engine)
        Pins(engine, Clock(), Peppers(found.pepper or "", found.pepper_previous)).require_peppers()
    finally:
        engine.dispose()
    if found.redis_url is not None:
        with contextlib.suppress(queues.Unreachable), queues.client(found.redis_url) as client:
            queues.check_server(client)
    return found

"""Whether what the line stands on answers: the ledger, without which nothing is recorded, and the queues."""

from __future__ import annotations

from hotline.errors import NotRecorded
from hotline.services.line import Line
from hotline.store import queues

Part = dict[str, str]


def readiness(line: Line) -> dict[str, Part]:
    """`sql` and `redis`, each with `status` "ok" or "degraded" and a `detail` for whoever mends it."""
    return {"sql": _sql(line), "redis": _redis(line)}


def _sql(line: Line) -> Part:
    try:
        return {"status": "ok", "detail": f"ledger at {line.ledger.head()}"}
    except NotRecorded:
        return {"status": "degraded", "detail": "the database does not answer; calls cannot be recorded"}


def _redis(line: Line) -> Part:
    if not line.settings.redis_url:
        return {"status": "degraded", "detail": "REDIS_URL is not set; calls go on, results wait for it"}
    try:
        with queues.client(line.settings.redis_url) as client:
            waiting = sum(queues.depths(client).values())
    except queues.Unreachable:
        return {"status": "degraded", "detail": "Redis does not answer; calls go on, results wait for it"}
    return {"status": "ok", "detail": f"{waiting} jobs waiting"}

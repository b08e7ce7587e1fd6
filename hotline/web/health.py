"""For machines: is the process alive, and can it do its work."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from hotline.services.readiness import readiness
from hotline.web.access import open_to_all
from hotline.web.doors import doors

health = Blueprint("health", __name__)


@health.get("/healthz")
@open_to_all
def alive() -> Response:
    """The process answers. Nothing else is asked."""
    return jsonify(status="alive")


@health.get("/readyz")
@open_to_all
def ready() -> tuple[Response, int]:
    """SQL and Redis, each "ok" or "degraded". Without SQL nothing can be recorded: 503. Without Redis calls go on."""
    parts = readiness(doors().line)
    return jsonify(parts), 200 if parts["sql"]["status"] == "ok" else 503

"""The newest head of the ledger's seal, open to all: whoever keeps a copy can prove later that nothing was changed."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from hotline.services.sealing import newest
from hotline.web.access import open_to_all
from hotline.web.doors import doors

seal = Blueprint("seal", __name__)


@seal.get("/seal.json")
@open_to_all
def head() -> Response:
    """The newest link's number, head and signature, and the public key; no head before the first link."""
    response = jsonify(newest(doors().line))
    response.headers["Cache-Control"] = "public, max-age=1"
    return response

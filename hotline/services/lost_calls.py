"""A chair whose calls are lost again and again need not go on trying: the number on file is called (AB-15)."""

from __future__ import annotations

from hotline.dialog.session import Session
from hotline.events.verification import CallBackRequested
from hotline.screening.score import keeps_losing
from hotline.screening.signals import Recent
from hotline.services.line import Line


def call_back(line: Line, sid: str) -> bool:
    """After a call has ended: have its number on file called, if it called too often and never got in. Whether it is.

    How often a precinct is called stands in `store.call_backs`, so that nobody can have a chair rung up all night by
    forging the number and hanging up.
    """
    stored = line.ledger.session(sid)
    weights = line.policy.latest.features.get("AB-15")
    if stored is None or weights is None:
        return False
    session = Session.from_json(stored)
    if not session.on_file or session.has_signed_in or session.state == "person":
        return False
    known = line.callers.known(line.callers.number_of(sid))
    if not keeps_losing(Recent(line.clock.now(), known.marks), weights):
        return False
    line.ledger.append([CallBackRequested(session.on_file[0], "lost")], call=sid)
    return True

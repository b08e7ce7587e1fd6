"""A held report of 2020, corrected by two of staff on a whole line: new totals within two seconds, an unbroken seal."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotline.clock import Clock
from hotline.commands.stack import started
from hotline.events.kinds import ReportConfirmed
from hotline.services import publication
from hotline.services.line import Line, open_line
from hotline.services.sealing import newest
from hotline.services.verification import verify
from hotline.store.evidence import evidence
from hotline.web.app import create_app
from tests.services.reports import confirm, iowa
from tests.web.console.desks import seated
from tests.web.console.holding import INDIANOLA_2, MOVED

pytestmark = pytest.mark.storm
WITHIN = 2.0
PATIENCE = 30.0
CARD = f"/staff/reports/{INDIANOLA_2}"


def until(line: Line, status: str, seconds: float) -> float:
    """How long it takes until the workers have the precinct where it should be."""
    began = line.clock.monotonic()
    while publication.night(line).outcomes[INDIANOLA_2].status != status:
        assert line.clock.monotonic() - began < seconds, f"not {status} within {seconds:g} seconds"
        line.clock.sleep(0.05)
    return line.clock.monotonic() - began


def test_correction_is_in_the_totals_within_two_seconds(tmp_path: Path) -> None:
    """By the line's own relay and workers; every entry of the ledger is under the seal afterwards."""
    with started(tmp_path / "line", "127.0.0.1", 0, print) as stack:
        line = open_line(stack.settings, Clock())
        app = create_app(line)
        ana, ben = seated(app, line, "ana", "agent"), seated(app, line, "ben", "supervisor")
        confirm(line, INDIANOLA_2, iowa(line)[INDIANOLA_2])
        until(line, "held", PATIENCE)
        ana.post(f"{CARD}/correct", version=1, why="two columns moved over", **{k: str(v) for k, v in MOVED.items()})
        assert ben.post("/staff/proposals/1/approve").status_code == 303
        assert until(line, "counted", WITHIN) < WITHIN
        totals = publication.results(line)["totals"]
        assert {key: totals[key]["first"] for key in ("Patrick", "Sanders", "Steyer", "Warren")} == {
            "Patrick": 0, "Sanders": 41, "Steyer": 0, "Warren": 50,
        }  # fmt: skip
        versions = [each.event for each in line.ledger.events() if isinstance(each.event, ReportConfirmed)]
        assert [each.version for each in versions] == [1, 2]
        line.clock.sleep(3)
        with evidence(line.ledger.engine) as found:
            report = verify(found, newest(line)["public_key"], {})
        assert (report.faults, report.unsealed) == ([], 0)
        line.ledger.engine.dispose()

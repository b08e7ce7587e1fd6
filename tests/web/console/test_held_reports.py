"""Held reports: seen with their findings at their cells, decided by two, nothing of before lost."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from hotline.events.decisions import DecisionProposed, ReportCorrected, ReportReopened, SiteClosed
from hotline.events.kinds import ReportConfirmed
from hotline.events.verification import CallBackRequested, VerificationWanted
from hotline.services import publication
from hotline.services.line import Line
from hotline.services.tabulation import rebuild
from tests.services.reports import confirm, worksheet
from tests.store.held import HeldClock
from tests.web.console.desks import Desk, seated
from tests.web.console.holding import INDIANOLA_2, MOVED, held, work

CARD = f"/staff/reports/{INDIANOLA_2}"


@pytest.fixture
def ana(app: Flask, line: Line) -> Desk:
    return seated(app, line, "ana", "agent")


@pytest.fixture
def ben(app: Flask, line: Line) -> Desk:
    return seated(app, line, "ben", "supervisor")


def propose_correction(desk: Desk, version: int = 1) -> None:
    fields = {name: str(value) for name, value in MOVED.items()}
    answer = desk.post(f"{CARD}/correct", version=version, why="two columns moved over", **fields)
    assert answer.status_code == 303


def status(line: Line, code: str = INDIANOLA_2) -> str:
    return publication.night(line).outcomes[code].status


def first(line: Line) -> dict[str, int]:
    """The statewide first alignment as published."""
    totals = publication.results(line)["totals"]
    return {key: totals[key]["first"] for key in ("Patrick", "Sanders", "Steyer", "Warren")}


def test_queue_names_the_precinct_and_its_rules(line: Line, ana: Desk, clock: HeldClock) -> None:
    """With how long it has waited; a filter that does not fit leaves it out."""
    held(line)
    clock.move(minutes=7)
    shown = ana.get("/staff/reports").text
    assert "Warren, INDIANOLA 2" in shown
    assert "COLUMN_SHIFT" in shown
    assert "7 min" in shown
    for query in ("search=nowhere", "county=Polk", "rule=NO_VIABLE_GROUP", "state=proposed"):
        assert "INDIANOLA 2" not in ana.get(f"/staff/reports?{query}").text.partition("<table")[2]
    assert "INDIANOLA 2" in ana.get("/staff/reports?search=indianola&county=Warren&rule=COLUMN_SHIFT&state=open").text


def test_finding_points_at_its_cells(line: Line, ana: Desk) -> None:
    """The cells of a shifted group bear the number of the finding, which stands beside them in words."""
    held(line)
    shown = ana.get(CARD).text
    number = re.search(r'id="finding-(\d+)"><span class="mark">\1</span>.*?an alignment looks moved', shown)
    assert number
    row = re.search(r"<tr><th scope=\"row\">Deval Patrick</th>(.*?)</tr>", shown, re.S)
    assert row
    assert f'href="#finding-{number[1]}"' in row[1]


def test_two_staff_correct_a_report_of_2020(line: Line, ana: Desk, ben: Desk) -> None:
    """One proposes the fields, another approves: a new version, totals that have it, and nothing of before is gone."""
    held(line)
    assert (status(line), first(line)) == ("held", {"Patrick": 0, "Sanders": 0, "Steyer": 0, "Warren": 0})
    propose_correction(ana)
    shown = ben.get(CARD).text
    assert "No rule is broken afterwards" in shown
    assert re.search(r"<del>41</del> <ins>0</ins>", shown)
    assert ben.post("/staff/proposals/1/approve").location == CARD
    work(line)
    assert (status(line), first(line)) == ("counted", {"Patrick": 0, "Sanders": 41, "Steyer": 0, "Warren": 50})
    versions = [each.event for each in line.ledger.events() if isinstance(each.event, ReportConfirmed)]
    assert [(each.version, each.base) for each in versions] == [(1, 0), (2, 1)]
    (told,) = [each.event for each in line.ledger.events() if isinstance(each.event, ReportCorrected)]
    assert (told.changes, told.proposed_by, told.by) == (MOVED, "ana", "ben")
    assert rebuild(line)[INDIANOLA_2].status == "counted"
    after = ana.get(CARD).text
    assert "was 41" in after
    assert "Found in version 1" in after
    assert after.index("ben approved the correction ana proposed") < after.index("ana proposed to correct it")


def test_nobody_approves_their_own_proposal(line: Line, ben: Desk) -> None:
    """Not even with the right to approve others'; the card says who is wanted."""
    held(line)
    propose_correction(ben)
    assert "You proposed this" in ben.get(CARD).text
    assert 'action="/staff/proposals/1/approve"' not in ben.get(CARD).text
    assert ben.post("/staff/proposals/1/approve").status_code == 403
    assert status(line) == "held"


def test_agent_gives_no_second_word(line: Line, app: Flask, ana: Desk) -> None:
    """Anybody who works may propose; approving is a supervisor's."""
    held(line)
    propose_correction(ana)
    assert seated(app, line, "cleo", "agent").post("/staff/proposals/1/approve").status_code == 403


def test_proposal_is_decided_once(line: Line, app: Flask, ana: Desk, ben: Desk) -> None:
    """The second of two supervisors is told."""
    held(line)
    propose_correction(ana)
    other = seated(app, line, "dan", "supervisor")
    assert ben.post("/staff/proposals/1/approve").status_code == 303
    assert other.post("/staff/proposals/1/approve").status_code == 409
    assert other.post("/staff/proposals/1/decline", why="too late").status_code == 409
    kinds = [type(each.event) for each in line.ledger.events()]
    assert kinds.count(ReportCorrected) == 1


def test_report_is_accepted_by_two_as_it_stands(line: Line, ana: Desk, ben: Desk) -> None:
    """It counts, its findings still told; reopened by two it is held again, and everything of before is there."""
    held(line)
    assert ana.post(f"{CARD}/decide", what="accept", version=1, why="").status_code == 422
    ana.post(f"{CARD}/decide", what="accept", version=1, why="the paper says so")
    ben.post("/staff/proposals/1/approve")
    work(line)
    assert status(line) == "counted"
    assert "an alignment looks moved" in ana.get(CARD).text
    ana.post(f"{CARD}/decide", what="reopen", version=1, why="a photograph came")
    ben.post("/staff/proposals/2/approve")
    work(line)
    assert (status(line), rebuild(line)[INDIANOLA_2].status) == ("held", "held")
    shown = ana.get(CARD).text
    assert ["reopened version 1", "accepted version 1", "proposed to accept"] == re.findall(
        r"reopened version 1|accepted version 1|proposed to accept", shown
    )


def test_one_person_rejects_a_held_report_and_takes_it_back(line: Line, ana: Desk) -> None:
    """With a reason each time; it is outstanding in between."""
    held(line)
    assert ana.post(f"{CARD}/decide", what="reject", version=1, why="not of this precinct").status_code == 303
    work(line)
    assert status(line) == "outstanding"
    assert ana.post(f"{CARD}/decide", what="unreject", version=1, why="it was, after all").status_code == 303
    work(line)
    assert status(line) == "held"
    assert [type(each.event) for each in line.ledger.events()].count(ReportReopened) == 1


def test_one_person_takes_nothing_out_of_the_totals(line: Line, ana: Desk) -> None:
    """A report that counts is reopened by two, and not rejected by one."""
    confirm(line, "00013", worksheet())
    work(line)
    card = "/staff/reports/00013"
    assert ana.post(f"{card}/decide", what="reject", version=1, why="so").status_code == 409
    assert ana.post(f"{card}/decide", what="reopen", version=1, why="so").status_code == 303
    assert status(line, "00013") == "counted"


def test_decision_of_a_version_that_is_no_longer_the_newest_is_refused(line: Line, ana: Desk, ben: Desk) -> None:
    """The chair called in between: nobody decides of numbers they have not seen."""
    held(line)
    propose_correction(ana)
    confirm(line, INDIANOLA_2, worksheet(), version=2)
    assert ben.post("/staff/proposals/1/approve").status_code == 409
    assert ana.post(f"{CARD}/decide", what="reject", version=1, why="so").status_code == 409
    assert ben.post("/staff/proposals/1/decline", why="the chair corrected it").status_code == 303


def test_one_proposal_waits_at_a_time(line: Line, ana: Desk, ben: Desk) -> None:
    """Whoever comes second sees the first."""
    held(line)
    propose_correction(ana)
    assert ben.post(f"{CARD}/decide", what="accept", version=1, why="so").status_code == 409
    assert ben.post(f"{CARD}/decide", what="reject", version=1, why="so").status_code == 409
    assert [type(each.event) for each in line.ledger.events()].count(DecisionProposed) == 1
    ana.post("/staff/proposals/1/decline", why="mistaken")
    assert ben.post(f"{CARD}/decide", what="accept", version=1, why="so").status_code == 303


def test_claim_keeps_others_out_for_five_minutes(line: Line, ana: Desk, ben: Desk, clock: HeldClock) -> None:
    """The second claimant is told who has it; afterwards it is free, or when it is given back."""
    held(line)
    assert ana.post(f"{CARD}/claim").status_code == 303
    refused = ben.post(f"{CARD}/claim")
    assert (refused.status_code, "ana is at this until" in refused.text) == (409, True)
    assert ben.post(f"{CARD}/decide", what="reject", version=1, why="so").status_code == 409
    assert ana.post(f"{CARD}/claim", claim="release").status_code == 303
    assert ben.post(f"{CARD}/claim").status_code == 303
    clock.move(minutes=5, seconds=1)
    assert ana.post(f"{CARD}/claim").status_code == 303


def test_chair_is_called_back_to_hear_the_version(line: Line, ana: Desk) -> None:
    """Once, however often it is asked for; the report stays held."""
    held(line)
    for _ in range(2):
        assert ana.post(f"{CARD}/decide", what="call-back", version=1).status_code == 303
    kinds = [type(each.event) for each in line.ledger.events()]
    assert (kinds.count(VerificationWanted), kinds.count(CallBackRequested)) == (1, 2)
    assert [(each.precinct, each.version, each.why) for each in line.call_backs.waiting()] == [
        (INDIANOLA_2, 1, "staff")
    ]
    work(line)
    assert status(line) == "held"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"why": "so"}, "Nothing was changed"),
        ({"first.Biden": "-1", "why": "so"}, "is no whole number"),
        ({"first.Biden": "٣", "why": "so"}, "is no whole number"),
        ({"first.Biden": "10000", "why": "so"}, "is no whole number"),
        ({"first.Biden": "26", "why": " "}, "Say why"),
        ({"first.Biden": "26", "why": "x" * 1001}, "too long"),
    ],
)
def test_correction_that_is_none_is_told_beside_the_form(
    line: Line, ana: Desk, fields: dict[str, str], said: str
) -> None:
    """What was typed is still there."""
    held(line)
    answer = ana.post(f"{CARD}/correct", version=1, **fields)
    assert (answer.status_code, said in answer.text) == (422, True)
    assert f'value="{fields.get("first.Biden", "25")}"' in answer.text


def test_text_of_people_is_text(line: Line, ana: Desk, ben: Desk) -> None:
    """A reason that is a script stands on the page as it was written, and in the queue."""
    held(line)
    script = "<script>alert(1)</script>"
    ana.post(f"{CARD}/decide", what="accept", version=1, why=script)
    line.ledger.append([SiteClosed("00013", script, script)])
    for path in (CARD, "/staff/reports", "/staff/reports/00013", f"/staff/reports?search={script}"):
        shown = ben.get(path).text
        assert script not in shown
        assert "&lt;script&gt;" in shown or path == "/staff/reports"


def test_precinct_that_is_none_is_not_found(ana: Desk) -> None:
    """For looking and for deciding."""
    assert ana.get("/staff/reports/99999").status_code == 404
    assert ana.post("/staff/reports/99999/decide", what="reject", version=1, why="so").status_code == 404
    assert ana.post("/staff/reports/99999/claim").status_code == 404
    assert ana.get("/staff/reports/00013/correct").status_code == 404
    assert ana.post("/staff/proposals/7/decline", why="so").status_code == 404

"""Precincts: found, chased, closed and given a new PIN by two; nobody who reported is called again."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from hotline.events.decisions import PinReissueApproved, SiteClosed, SiteReopened
from hotline.services import publication
from hotline.services.line import Line
from tests.services.reports import confirm, worksheet
from tests.web.console.desks import Desk, seated
from tests.web.console.holding import work
from tests.web.console.ringing import CHAIR, CODE, ring

CARD = f"/staff/precincts/{CODE}"


@pytest.fixture
def ana(app: Flask, line: Line) -> Desk:
    line.roster.register_number(CHAIR, CODE, "chair")
    return seated(app, line, "ana", "agent")


@pytest.fixture
def ben(app: Flask, line: Line) -> Desk:
    return seated(app, line, "ben", "supervisor")


def listed(desk: Desk, query: str) -> list[str]:
    return re.findall(
        r'data-row>\s*<th scope="row"><a href="/staff/precincts/(\d+)', desk.get(f"/staff/precincts?{query}").text
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("search=northwest adair", [CODE]),
        (f"search={CODE}", [CODE]),
        ("search=…0101", [CODE]),
        ("search=nowhere at all", []),
        ("county=Adair&search=00013", [CODE]),
        ("county=Polk&search=00013", []),
        ("status=outstanding&search=00013", [CODE]),
        ("status=held", []),
    ],
)
def test_precinct_is_found(ana: Desk, query: str, found: list[str]) -> None:
    """By name, code, last digits of a number on file, county and status."""
    assert listed(ana, query) == found


def test_chase_list_is_whoever_was_not_heard_from(line: Line, ana: Desk) -> None:
    """Page by page; a precinct that reported leaves it."""
    assert len(listed(ana, "status=outstanding")) == 50
    before = len(line.contest.precincts)
    assert f"{before:,} not heard from" in ana.get("/staff/precincts").text
    confirm(line, CODE, worksheet())
    work(line)
    assert f"{before - 1:,} not heard from" in ana.get("/staff/precincts").text
    assert listed(ana, f"status=outstanding&search={CODE}") == []


def test_chair_is_called_back_once_and_never_after_a_report(line: Line, ana: Desk) -> None:
    """One waits, however often it is asked for; whoever has reported is left alone."""
    for _ in range(2):
        assert ana.post(f"{CARD}/call-back").status_code == 303
    assert [(each.precinct, each.why) for each in line.call_backs.waiting()] == [(CODE, "staff")]
    assert "1 time; the last asked for" in ana.get(CARD).text
    confirm(line, CODE, worksheet())
    refused = ana.post(f"{CARD}/call-back")
    assert (refused.status_code, "has reported or is closed" in refused.text) == (409, True)


def test_site_is_closed_and_opened_by_two(line: Line, ana: Desk, ben: Desk) -> None:
    """Each with a proposal and another's word; totals know."""
    assert ana.post(f"{CARD}/propose", what="close", why="").status_code == 422
    assert ana.post(f"{CARD}/propose", what="accept", why="so").status_code == 422
    assert ana.post(f"{CARD}/propose", what="open", why="so").status_code == 409
    ana.post(f"{CARD}/propose", what="close", why="did not convene")
    assert "Proposal 1: to close the site" in ben.get(CARD).text
    assert ben.post("/staff/proposals/1/approve").status_code == 303
    work(line)
    assert publication.night(line).outcomes[CODE].status == "closed"
    assert ben.post(f"{CARD}/propose", what="close", why="again").status_code == 409
    ana.post(f"{CARD}/propose", what="open", why="they came late")
    assert ben.post("/staff/proposals/2/approve").status_code == 303
    work(line)
    assert publication.night(line).outcomes[CODE].status == "outstanding"
    told = [each.event for each in line.ledger.events() if isinstance(each.event, SiteClosed | SiteReopened)]
    assert [(each.proposed_by, each.by) for each in told] == [("ana", "ben")] * 2


def test_site_that_reported_meanwhile_is_not_closed(line: Line, ana: Desk, ben: Desk) -> None:
    """The second word comes too late."""
    ana.post(f"{CARD}/propose", what="close", why="did not convene")
    confirm(line, CODE, worksheet())
    assert ben.post("/staff/proposals/1/approve").status_code == 409


def test_new_pin_takes_two_and_is_shown_once(line: Line, ana: Desk, ben: Desk) -> None:
    """To whoever approves, with whom to read it to; the old one is dead at once, the record has no PIN."""
    (old,) = line.pins.issue([CODE])
    assert ben.post(f"{CARD}/reissue").status_code == 409
    ben.post(f"{CARD}/propose", what="reissue", why="packet lost")
    assert ben.post(f"{CARD}/reissue").status_code == 403
    ben.post("/staff/proposals/1/decline", why="let another propose")
    ana.post(f"{CARD}/propose", what="reissue", why="packet lost")
    assert ben.post("/staff/proposals/2/approve").status_code == 409
    assert line.pins.check(CODE, old.pin)
    shown = ben.post(f"{CARD}/reissue").text
    found = re.search(r"<strong>(\d{4}) (\d{4})</strong>", shown)
    assert found
    new = found[1] + found[2]
    assert "…0101" in shown
    assert (line.pins.check(CODE, old.pin), line.pins.check(CODE, new)) == (False, True)
    assert ben.post(f"{CARD}/reissue").status_code == 409
    told = [each for each in line.ledger.events() if isinstance(each.event, PinReissueApproved)]
    assert len(told) == 1
    assert new not in ben.get(CARD).text + "".join(str(each) for each in line.ledger.events())


def test_card_tells_who_tried(line: Line, ana: Desk) -> None:
    """Attempts with masked numbers, and the way to each call."""
    sid = ring(line, "1")
    shown = ana.get(CARD).text
    assert f'href="/staff/calls/{sid}">…0142' in shown
    assert "not on file there" in shown
    assert CHAIR not in shown


def test_text_of_people_is_text(line: Line, ana: Desk) -> None:
    """A reason or a search that is a script stands as it was written."""
    script = "<script>alert(1)</script>"
    ana.post(f"{CARD}/propose", what="close", why=script)
    for path in (CARD, f"/staff/reports/{CODE}", f"/staff/precincts?search={script}&county={script}"):
        shown = ana.get(path).text
        assert script not in shown
        assert "&lt;script&gt;" in shown


def test_precinct_that_is_none_is_not_found(ana: Desk) -> None:
    """For looking and for acting."""
    assert ana.get("/staff/precincts/99999").status_code == 404
    for act in ("call-back", "propose"):
        assert ana.post(f"/staff/precincts/99999/{act}", what="close", why="so").status_code == 404

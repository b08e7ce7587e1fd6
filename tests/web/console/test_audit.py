"""The audit: every act with who, when and why; read by auditors, exported whole, never as a formula or a script."""

from __future__ import annotations

import csv
import io
import json

import pytest
from flask import Flask

from hotline.events.decisions import SiteClosed
from hotline.services.line import Line
from tests.web.console.desks import Desk, seated
from tests.web.console.holding import INDIANOLA_2, held
from tests.web.console.ringing import ring


@pytest.fixture
def eve(app: Flask, line: Line) -> Desk:
    return seated(app, line, "eve", "auditor")


def test_every_act_is_there_and_nothing_else(app: Flask, line: Line, eve: Desk) -> None:
    """A proposal, a word on a call, a command's act; not what callers did."""
    ana = seated(app, line, "ana", "agent")
    held(line)
    sid = ring(line, "1")
    ana.post(f"/staff/reports/{INDIANOLA_2}/decide", what="accept", version=1, why="the paper says so")
    ana.post(f"/staff/calls/{sid}/judge", word="typo")
    line.ledger.append([SiteClosed("00013", "did not convene", "root")])
    shown = eve.get("/staff/audit").text
    for words in (
        "proposed to accept it",
        "ana said: typo",
        "root closed the site: did not convene",
        "made an account",
    ):
        assert words in shown
    assert "refused: wrong-pin" not in shown
    only = eve.get("/staff/audit?by=root&kind=SiteClosed&precinct=00013").text
    assert ("did not convene" in only, "ana said" in only) == (True, False)
    assert "Nothing fits" in eve.get("/staff/audit?by=nobody").text


def test_sign_in_tells_its_address(eve: Desk) -> None:
    """Kept with the session, not in the ledger."""
    assert "127.0.0.1" in eve.get("/staff/audit?kind=StaffSignedIn").text


def test_older_acts_are_a_page_further(line: Line, eve: Desk) -> None:
    """By entry, so that what comes meanwhile moves nothing."""
    line.ledger.append([SiteClosed("00013", f"reason {number:03}", "root") for number in range(150)])
    first = eve.get("/staff/audit?kind=SiteClosed").text
    assert ("reason 149" in first, "reason 049" in first) == (True, False)
    older = first.partition('data-key="n"')[0].rpartition('href="')[2].rstrip('" ').replace("&amp;", "&")
    second = eve.get(older).text
    assert ("reason 049" in second, "reason 000" in second, "Older" in second) == (True, True, False)


def test_file_has_them_all_and_no_formula(line: Line, eve: Desk) -> None:
    """More than one piece of them; a reason that would be run by a spreadsheet is text."""
    line.ledger.append([SiteClosed("00013", "=HYPERLINK(0)", "=cmd()") for _ in range(1_200)])
    table = list(csv.DictReader(io.StringIO(eve.get("/staff/audit.csv?kind=SiteClosed").text)))
    lines = [json.loads(each) for each in eve.get("/staff/audit.json?kind=SiteClosed").text.splitlines()]
    assert (len(table), len(lines)) == (1_200, 1_200)
    assert {row["by"] for row in table} == {"'=cmd()"}
    assert {row["told"][:1] for row in table} == {"'"}
    assert {row["body"]["why"] for row in lines} == {"=HYPERLINK(0)"}
    assert [row["seq"] for row in lines] == sorted((row["seq"] for row in lines), reverse=True)


def test_text_of_people_is_text(line: Line, eve: Desk) -> None:
    """Names and reasons as they were written, also a quote that would look like another's name."""
    script = '<script>alert(1)</script>","by":"eve'
    line.ledger.append([SiteClosed("00013", script, "root")])
    shown = eve.get("/staff/audit").text
    assert "<script>alert" not in shown
    assert "&lt;script&gt;" in shown
    assert "&lt;script&gt;" not in eve.get("/staff/audit?by=eve").text

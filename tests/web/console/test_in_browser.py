"""The console in a real browser: by the keyboard alone, and two of staff racing for the same report."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect, sync_playwright

from hotline.services import publication
from hotline.services.line import Line
from tests.web.console.browsing import can_be_used, doors_of, signed_in
from tests.web.console.holding import INDIANOLA_2, MOVED, held, work
from tests.web.console.ringing import ring

pytestmark = pytest.mark.outside
CARD = f"/staff/reports/{INDIANOLA_2}"
MORE = ("/staff/precincts", f"/staff/precincts/{INDIANOLA_2}", "/staff/callers", "/staff/audit")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def url(app: Flask) -> Iterator[str]:
    with doors_of(app) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_can_be_used(browser: Browser, url: str, line: Line, scheme: str) -> None:
    """On a laptop of 1366 by 768 and on a tablet, on either ground, with a proposal waiting."""
    held(line)
    page = signed_in(browser, url, line, "ana", "supervisor", color_scheme=scheme)
    call = f"/staff/calls/{ring(line, '1')}"
    paths = ("/staff", "/staff/password", "/staff/calls", call, "/staff/reports", CARD, f"{CARD}/correct", *MORE)
    for width in (1366, 820):
        page.set_viewport_size({"width": width, "height": 768})
        for path in paths:
            can_be_used(page, url + path)
    page.goto(url + CARD)
    page.get_by_label("Why").fill("the paper says so")
    page.get_by_role("button", name="Propose to accept").click()
    can_be_used(page, url + CARD)
    page.context.close()


def test_report_is_corrected_by_two_with_the_keyboard_alone(browser: Browser, url: str, line: Line) -> None:
    """From the queue to the second word: no mouse is touched."""
    held(line)
    ana = signed_in(browser, url, line, "ana", "agent")
    ana.goto(f"{url}/staff/reports")
    ana.keyboard.press("j")
    ana.keyboard.press("Enter")
    ana.wait_for_url(f"{url}{CARD}")
    ana.keyboard.press("e")
    ana.wait_for_url(f"{url}{CARD}/correct")
    for field, count in MOVED.items():
        ana.locator(f'[name="{field}"]').focus()
        ana.keyboard.press("Control+A")
        ana.keyboard.type(str(count))
    ana.locator('[name="why"]').focus()
    ana.keyboard.type("two columns moved over")
    ana.keyboard.press("Tab")
    ana.keyboard.press("Enter")
    ana.wait_for_url(f"{url}{CARD}")
    expect(ana.get_by_text("You proposed this")).to_be_visible()

    ben = signed_in(browser, url, line, "ben", "supervisor")
    ben.goto(url + CARD)
    expect(ben.get_by_text("No rule is broken afterwards")).to_be_visible()
    ben.keyboard.press("y")
    expect(ben.get_by_text(re.compile("^ben approved the correction ana proposed"))).to_be_visible()
    work(line)
    assert publication.night(line).outcomes[INDIANOLA_2].status == "counted"
    ben.reload()
    expect(ben.get_by_text("Counted", exact=True)).to_be_visible()
    for page in (ana, ben):
        page.context.close()


def test_of_two_who_race_one_is_told_who_was_first(browser: Browser, url: str, line: Line) -> None:
    """Both have the same report open, both press; one decides, the other sees whose it is and goes back."""
    held(line)
    ana, ben = (signed_in(browser, url, line, name, "supervisor") for name in ("ana", "ben"))
    for page in (ana, ben):
        page.goto(url + CARD)
    ana.keyboard.press("c")
    expect(ana.get_by_text(re.compile("^Yours until"))).to_be_visible()
    ben.get_by_label("Why").fill("not of this precinct")
    ben.get_by_role("button", name="Reject").click()
    expect(ben.get_by_role("heading", name=re.compile("^ana is at this until"))).to_be_visible()
    ben.get_by_role("link", name="Back to where you were").click()
    expect(ben.get_by_text(re.compile("is at this until"))).to_be_visible()
    expect(ben.get_by_role("button", name="Reject")).to_have_count(0)
    assert line.ledger.standing(INDIANOLA_2).rejected == frozenset()
    for page in (ana, ben):
        page.context.close()


def test_reason_that_is_a_script_runs_nothing(browser: Browser, url: str, line: Line) -> None:
    """It stands on the page as it was written, and no dialog opens."""
    held(line)
    page = signed_in(browser, url, line, "ana", "supervisor")
    opened: list[str] = []
    page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    page.goto(url + CARD)
    script = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
    page.get_by_label("Why").fill(script)
    page.get_by_role("button", name="Propose to accept").click()
    expect(page.get_by_text(script).first).to_be_visible()
    assert opened == []
    page.context.close()


def test_call_is_judged_and_taken_back_with_the_keyboard_alone(browser: Browser, url: str, line: Line) -> None:
    """Reason first, one key for the word; another of staff who has the same call open is told."""
    sid = ring(line, "1")
    ana, ben = (signed_in(browser, url, line, name, "agent") for name in ("ana", "ben"))
    for page in (ana, ben):
        page.goto(f"{url}/staff/calls")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url(f"{url}/staff/calls/{sid}")
    ana.keyboard.press("w")
    ana.keyboard.type("sang a song")
    ana.keyboard.press("Escape")
    ana.keyboard.press("p")
    expect(ana.get_by_text("ana said: prank. sang a song")).to_be_visible()
    ben.keyboard.press("g")
    expect(ben.get_by_role("heading", name=re.compile("^ana has said already"))).to_be_visible()
    ben.keyboard.press("u")
    ben.wait_for_url(f"{url}/staff/calls/{sid}")
    ben.keyboard.press("z")
    ben.keyboard.type("it was a chair")
    ben.keyboard.press("Enter")
    expect(ben.get_by_text("ben took prank back. it was a chair")).to_be_visible()
    found = line.calls.find(sid)
    assert found
    assert found.word == ""
    for page in (ana, ben):
        page.context.close()

"""The wall in a real browser: it can be read from afar, renews itself, and says so when it cannot."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright

from hotline.services import tabulation
from hotline.services.line import Line
from tests.services.callers import Caller, sid
from tests.services.reports import confirm, worksheet
from tests.web.console.desks import PASSWORD, code_for
from tests.web.test_in_browser import LOWEST_CONTRAST, served

pytestmark = pytest.mark.outside
FULL_HD = {"width": 1920, "height": 1080}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def url(app: Flask) -> Iterator[str]:
    with served(SimpleNamespace(app=app)) as address:
        yield address


def at_the_wall(browser: Browser, url: str, line: Line, **options: Any) -> Page:
    """Somebody signs in for the first time, and goes to the wall by the menu."""
    made = line.staff.add("ana", "viewer", "root")
    page = browser.new_context(viewport=FULL_HD, **options).new_page()
    page.goto(f"{url}/staff")
    page.get_by_label("Name").fill("ana")
    page.get_by_label("Password").fill(made.password)
    page.get_by_label("Six-digit code").fill(code_for(line, made.secret))
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("Once more").fill(PASSWORD)
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("navigation", name="Console").get_by_role("link", name="Wall").click()
    return page


def busy(line: Line) -> None:
    """Something of everything: calls, reports, one of them held, alerts, an attack."""
    for n in range(1, 5):
        caller = Caller(line, sid(n), f"+1515555077{n}")
        caller.ring()
        if n > 2:
            caller.hang_up(seconds=30)
    confirm(line, "00013", worksheet())
    confirm(line, "00021", worksheet("00021", first={"Yang": 100}))
    for code in ("00013", "00021"):
        tabulation.tabulate(line, code)
    line.conditions.set_state("attack", by="ana", why="a test")
    line.alerts.raise_once("webhook-slow", "Callers wait: one turn in twenty takes over 0.5 s")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_from_three_metres(browser: Browser, url: str, line: Line, scheme: str) -> None:
    """Figures of 60 pixels, alerts of 20 on a screen of 1920; nothing spilt, contrast of WCAG AA, no complaint."""
    busy(line)
    page = at_the_wall(browser, url, line, color_scheme=scheme)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{url}/ops/")
    heights = page.evaluate(
        "() => [...document.querySelectorAll('.figure strong, .alerts li')]"
        ".map(node => [node.tagName, parseFloat(getComputedStyle(node).fontSize)])"
    )
    assert min(size for tag, size in heights if tag == "STRONG") >= 60
    assert min(size for tag, size in heights if tag == "LI") >= 20
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    ratio, where = page.evaluate(LOWEST_CONTRAST)
    assert ratio >= 4.5, where
    bottom = page.locator(".figures").bounding_box()
    assert bottom is not None
    assert bottom["y"] + bottom["height"] <= FULL_HD["height"], "all figures stand on one screen"
    assert complaints == []
    page.context.close()


def test_it_renews_itself_and_says_when_it_cannot(browser: Browser, url: str, line: Line) -> None:
    """Within five seconds a new alert is there; cut off it says that what stands is old, and then goes on."""
    page = at_the_wall(browser, url, line)
    expect(page.get_by_text("No alert stands.")).to_be_visible()
    line.alerts.raise_once("disk", "The disk fills up")
    expect(page.get_by_text("The disk fills up")).to_be_visible(timeout=5_000)
    page.route("**/ops/figures", lambda route: route.abort())
    expect(page.locator("#stale")).to_be_visible(timeout=20_000)
    page.unroute("**/ops/figures")
    expect(page.locator("#stale")).to_be_hidden(timeout=6_000)
    page.context.close()

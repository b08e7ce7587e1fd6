"""Staff in real browsers: each signs in through the form, in a session of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, Page

from hotline.services.line import Line
from tests.web.console.desks import PASSWORD, code_for
from tests.web.test_in_browser import LOWEST_CONTRAST, served

SPILLED = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
NAMELESS = """
() => [...document.querySelectorAll("input:not([type=hidden], [hidden]), select, textarea, button, a")]
  .filter(node => !(node.getAttribute("aria-label") || node.labels?.length || node.textContent.trim()))
  .map(node => node.outerHTML.slice(0, 80))
"""
"""What can be used and has no name that could be read out."""
TWICE = """
() => { const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
        return ids.filter((id, at) => ids.indexOf(id) !== at); }
"""


@contextmanager
def doors_of(app: Flask) -> Iterator[str]:
    """The application behind a real address."""
    with served(SimpleNamespace(app=app)) as url:
        yield url


def signed_in(browser: Browser, url: str, line: Line, name: str, role: Any, **options: Any) -> Page:
    """A page of somebody new, at the desk."""
    made = line.staff.add(name, role, "root")
    page = browser.new_context(viewport={"width": 1366, "height": 768}, **options).new_page()
    page.goto(f"{url}/staff")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(made.password)
    page.get_by_label("Six-digit code").fill(code_for(line, made.secret))
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("Once more").fill(PASSWORD)
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("heading", name=f"Good evening, {name}").wait_for()
    return page


def can_be_used(page: Page, address: str) -> None:
    """Nothing spills over, everything can be read and has a name, and the browser complains of nothing."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("response", lambda response: complaints.append(response.url) if response.status >= 400 else None)
    page.goto(address)
    assert page.evaluate(SPILLED) <= 0, address
    ratio, where = page.evaluate(LOWEST_CONTRAST)
    assert ratio >= 4.5, f"{address}: {where}"
    assert page.evaluate(NAMELESS) == [], address
    assert page.evaluate(TWICE) == [], address
    assert page.locator("h1").count() == 1, address
    assert complaints == [], address

"""The results in a real browser: nothing spills over, everything can be read, nothing is blocked or missing."""

from __future__ import annotations

import shutil
import threading
from contextlib import contextmanager

import pytest
from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

from tests.web.test_county_pages import web_of
from tests.web.web_fakes import RESULTS, Web, iowa, totals

pytestmark = pytest.mark.outside

LOWEST_CONTRAST = """
() => {
  const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const rgb = css => css.match(/[0-9.]+/g).map(Number);
  const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
  const ground = node => {
    for (; node; node = node.parentElement) {
      const c = rgb(getComputedStyle(node).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  let lowest = [21, ""];
  for (const node of document.querySelectorAll("body *")) {
    if (![...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim())) continue;
    const [a, b] = [light(rgb(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < lowest[0]) lowest = [ratio, node.outerHTML.slice(0, 80)];
  }
  return lowest;
}
"""


SPILLED = """
() => [document.documentElement, ...document.querySelectorAll(".scroll:has(table.sites)")]
  .filter(node => node.scrollWidth > node.clientWidth)
  .map(node => `${node.tagName} ${node.getAttribute("aria-label")}: ${node.scrollWidth} in ${node.clientWidth}`)
"""
"""What is wider than its place: the page, or the precincts in their frame, which should not need to be scrolled."""


@contextmanager
def served(web):
    """The doors behind a real address."""
    server = make_server("127.0.0.1", 0, web.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def url():
    web = Web(contest=iowa())
    web.publication.document = {**RESULTS, "totals": totals(Buttigieg=(37557, 43195, 13189, "4000/7", "571.4286"))}
    with served(web) as address:
        yield address


@pytest.fixture(scope="module")
def nevada():
    with served(web_of("nevada-2020")) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 768, 1366])
@pytest.mark.parametrize("path", ["/results", "/results/polk"])
def test_a_page_can_be_read(url, browser, path, width, scheme):
    """No sideways scrolling at any width, contrast of WCAG AA on either ground, no complaint of the browser."""
    can_be_read(browser, url + path, width, scheme)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1366])
@pytest.mark.parametrize("path", ["/results", "/results/white-pine", "/results/carson-city"])
def test_a_page_of_real_figures_can_be_read(nevada, browser, path, width, scheme):
    """The same of precincts and findings as Nevada published them."""
    can_be_read(browser, nevada + path, width, scheme)


def test_a_name_that_is_a_script_runs_nothing(url, browser):
    """It stands in the table as it is written, and no dialog opens."""
    page = browser.new_page()
    opened = []
    page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    page.goto(url + "/results/polk")
    names = page.locator("table.sites .name").all_inner_texts()
    scripts = page.locator("script").count()
    page.close()
    assert ["Polk-01", "<script>alert(1)</script>", "Polk-03"] == names
    assert (0, []) == (scripts, opened)


def can_be_read(browser, address, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 768}, color_scheme=scheme)
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.on("response", lambda response: complaints.append(response.url) if response.status >= 400 else None)
    page.goto(address)
    ratio, where = page.evaluate(LOWEST_CONTRAST)
    spilled = page.evaluate(SPILLED)
    page.close()
    assert [] == spilled
    assert ratio >= 4.5, where
    assert [] == complaints


def test_the_keyboard_reaches_the_figures_first(url, browser):
    """The first stop skips to the table; every link shows where the focus is."""
    page = browser.new_page()
    page.goto(url + "/results")
    page.keyboard.press("Tab")
    assert "Skip to the figures" == page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    assert "figures" == page.evaluate("document.activeElement.id")
    page.keyboard.press("Tab")
    assert "/results/polk" == page.evaluate("document.activeElement.getAttribute('href')")
    assert "solid" == page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    page.close()

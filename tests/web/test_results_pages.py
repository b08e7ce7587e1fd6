"""The results for everybody: the same figures as page, JSON and CSV, cacheable, and nothing unescaped."""

import copy
import json

import pytest

from hotline.web import tables
from tests.web.web_fakes import RESULTS, Web, iowa


@pytest.fixture
def web():
    return Web()


def test_the_document_is_published_as_it_is(web):
    """`/results.json` is the publication's document, readable from any page."""
    response = web.client.get("/results.json")
    assert RESULTS == response.json
    assert "*" == response.headers["Access-Control-Allow-Origin"]
    assert "text/csv; charset=utf-8" == web.client.get("/results.csv").content_type
    assert 'filename="iowa-2020-results.csv"' in web.client.get("/results.csv").headers["Content-Disposition"]


@pytest.mark.parametrize(
    "path", ["/results", "/results/polk", "/results.json", "/results.csv", "/static/style.css", "/static/icon.svg"]
)
def test_a_reader_who_has_it_is_told_so(web, path):
    """ETag and 304; caches may keep it for a moment."""
    first = web.client.get(path)
    assert 200 == first.status_code
    assert first.headers["Cache-Control"].startswith("public, max-age=")
    again = web.client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.data)


def test_time_alone_changes_no_tag(web):
    """The tag follows the figures."""
    tag = web.client.get("/results").headers["ETag"]
    later = Web()
    later.publication.document = {**RESULTS, "at": "2020-02-04T09:00:00Z"}
    assert tag == later.client.get("/results").headers["ETag"]
    later = Web()
    later.publication.document = {**RESULTS, "as_of": 81235}
    assert tag != later.client.get("/results").headers["ETag"]


@pytest.mark.parametrize("path", ["/results", "/results/polk"])
def test_a_rehearsal_says_so_on_every_page(web, path):
    """A screenshot of a simulated night must not pass for results."""
    assert "Rehearsal" not in web.client.get(path).text
    drill = Web()
    drill.publication.document = {**RESULTS, "rehearsal": True}
    assert "Rehearsal: no real report is in these figures" in drill.client.get(path).text


def test_many_readers_cost_one_tabulation(web):
    """Within a second the same edition serves everybody."""
    for path in ("/results", "/results.json", "/results/polk") * 5:
        web.client.get(path)
    assert 1 == web.publication.worked_out


def test_the_statewide_page(web):
    """Totals by equivalents, progress, status, the held ones explained, and everything escaped."""
    page = web.client.get("/results").text
    for piece in (
        "Unofficial, partial",
        "<strong>180</strong> of 220",
        "1.8333",
        "55.0<span",
        "2 reports were recorded",
        "3.3333",
        '<a href="/results/black-hawk">Black Hawk</a>',
        "Biden, Sanders",
        "4 February 2020, 03:14:05 UTC",
        "Iowa &lt;Caucus&gt;",
    ):
        assert piece in page, piece
    assert page.index("Biden") < page.index("Sanders")
    assert "do not add up" not in page


def test_a_county_page_under_any_spelling(web):
    """By slug or name; its findings are text."""
    for path in ("/results/Black%20Hawk", "/results/black-hawk", "/results/BLACK-HAWK"):
        assert "<h1>Black Hawk</h1>" in web.client.get(path).text
    assert "Polk-01 &lt;b&gt;: final alignment 212" in web.client.get("/results/polk").text


@pytest.mark.parametrize(
    "path",
    [
        "/results/nowhere",
        "/results/%3Cscript%3E",
        "/results/%ff",
        "/results/a%2Fb",
        "/static/../app.py",
        "/static/app.py",
    ],
)
def test_a_county_nobody_knows(web, path):
    """404, in words for a browser."""
    response = web.client.get(path, headers={"Accept": "text/html"})
    assert 404 == response.status_code
    assert "<script>" not in response.text


def test_parts_that_do_not_make_the_whole_raise_the_alarm(web):
    """Every column is compared; a difference is shown, not hidden."""
    for column, wrong in (("first", 151), ("final", 0), ("delegates", 41), ("sde_exact", "2/1")):
        document = copy.deepcopy(RESULTS)
        document["totals"]["Biden"][column] = wrong
        assert not tables.reconciles(document)
        broken = Web()
        broken.publication.document = document
        assert "do not add up" in broken.client.get("/results").text
    assert tables.reconciles(RESULTS)


def test_before_the_first_report(web):
    """All zeros make a page, not an error."""
    document = json.loads(json.dumps(RESULTS))
    for place in (document, *document["counties"].values()):
        place["precincts"] = {"total": 0, "reported": 0, "held": 0, "closed": 0, "outstanding": 0}
        for figures in place["totals"].values():
            figures.update(first=0, final=0, delegates=0, sde="0.0000", sde_exact="0")
    web.publication.document = document
    assert 200 == web.client.get("/results").status_code
    assert 200 == web.client.get("/results/polk").status_code


def test_results_that_cannot_be_had(web):
    """503 and a sentence."""
    web.publication.trouble = ZeroDivisionError("secret")
    for path in ("/results", "/results.json"):
        response = web.client.get(path, headers={"Accept": "text/html"})
        assert 503 == response.status_code
        assert "secret" not in response.text


def test_preferences_have_their_names():
    """The page says what the worksheet says, not a key."""
    web = Web(contest=iowa())
    page = web.client.get("/results").text
    assert web.line.contest.by_key["Biden"].name in page
    assert "Counties and satellite pools" in page

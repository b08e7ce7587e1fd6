"""A county's page: every precinct, everything the checks found, what chance settled, in the contest's own words."""

import re

import pytest

from hotline.services import publication
from tests.services.nights import night_of, shipped
from tests.web.web_fakes import FINDING, RESULTS, Web


def web_of(name):
    """The doors of a whole shipped contest, every worksheet of it keyed, held ones in the totals."""
    contest, sheets = shipped(name)
    at = night_of(contest, sheets)
    web = Web(contest=contest)
    web.publication.document = publication.results_of(contest, at, include_held=True)
    web.publication.sites = {area: publication.sites_of(contest, at, area) for area in contest.counties}
    return web


@pytest.fixture(scope="module")
def nevada():
    return web_of("nevada-2020")


def words(page):
    """What a reader reads: tags away, blanks as one."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


@pytest.mark.parametrize("path", ["/results", "/results/white-pine", "/results/clark"])
def test_a_page_of_nevada_knows_no_equivalents(nevada, path):
    """Nor county delegates: what is won there are county convention delegates."""
    page = nevada.client.get(path).text
    assert [] == [word for word in ("SDE", "equivalent", "0.0000", "county delegates") if word in page]
    assert "Delegates: county convention delegates, the measure by which the contest is decided." in page
    assert '<abbr title="County convention delegates">Delegates</abbr>' in page
    assert '<abbr title="Share of county convention delegates">Share</abbr>' in page


def test_who_leads_in_nevada_is_who_has_more_delegates(nevada):
    """Statewide and county by county."""
    page = nevada.client.get("/results").text
    assert page.index("Bernie Sanders") < page.index("Pete Buttigieg") < page.index("Amy Klobuchar")
    assert "41.3% of delegates" in page
    assert "White Pine Bernie Sanders 10/10" in words(page)


def test_iowa_is_as_it_was():
    """With equivalents they decide, in the same words."""
    page = words(Web(contest=shipped("iowa-2020")[0]).client.get("/results/polk").text)
    assert "First Final Delegates SDE Share" in page
    assert "SDE : state delegate equivalents, the measure by which the contest is decided; shown to four" in page


def test_what_chance_settled_is_shown_at_the_precinct(nevada):
    """In the county's count, at its line among the precincts, and over its findings, which say who won."""
    page = words(nevada.client.get("/results/white-pine").text)
    assert "Settled by chance (high card) 2" in page
    assert 2 * 2 == page.count(" settled by chance ")
    assert "high card among Sanders, Warren for 1; settled by chance: Warren" in page
    assert "settled by chance" not in words(nevada.client.get("/results/churchill").text)
    assert "Settled by chance (high card) 2" in words(nevada.client.get("/results").text)


def test_every_precinct_has_its_line():
    """Standing, people and delegates; dashes where nothing was reported; a held report's numbers are shown as held."""
    page = words(Web().client.get("/results/polk").text)
    assert "Polk-01 code 00018 Held for review 198 198 212 Biden 3, Sanders 2" in page
    assert "code 00026 Counted 1,204 1,200 1,198 Biden 4 settled by chance" in page
    assert "Polk-03 code 00034 Not yet reported – – – –" in page


def test_findings_stand_by_precinct_broken_rules_first():
    """The area's own come before them all."""
    web = Web()
    of_the_area = {**FINDING, "precinct": "", "message": "Polk: sites sum to 3.1 state delegate equivalents"}
    polk = {**RESULTS["counties"]["Polk"], "findings": [FINDING, of_the_area]}
    web.publication.document = {**RESULTS, "counties": {**RESULTS["counties"], "Polk": polk}}
    page = words(web.client.get("/results/polk").text)
    order = [
        "What the checks found",
        "Polk as a whole",
        "Rule broken Polk: sites sum to 3.1 state delegate equivalents",
        "Polk-01 code 00018 Rule broken Polk-01 &lt;b&gt;: final alignment 212",
        "code 00026 settled by chance Rule broken",
        "Notice Polk,",
    ]
    places = [page.index(piece) for piece in order]
    assert places == sorted(places)
    assert 1 == page.count("sites sum to 3.1")


def test_real_findings_have_their_numbers(nevada):
    """The county that does not add up, and its precinct that awarded one too many."""
    page = words(nevada.client.get("/results/carson-city").text)
    assert (
        "Carson City as a whole Rule broken Carson City: sites award 216 county convention delegates, elected" in page
    )
    assert "Carson City, 107: 8 delegates reported, 7 elected here: 1 too many" in page


def test_early_ballots_are_said_to_be_counted_in(nevada):
    """Where there are any, and only there."""
    assert "Early ballots are counted in" in web_of("nevada-sample").client.get("/results/sample").text
    assert "Early ballots" not in nevada.client.get("/results/white-pine").text


def test_a_name_is_text_whatever_it_says():
    """A roster may hold anything; nothing in it runs."""
    page = Web().client.get("/results/polk").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in page
    assert "<script" not in page

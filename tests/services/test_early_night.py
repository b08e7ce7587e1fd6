"""Nevada's early ballots from the keys to the results: rules see everybody, the ledger and copies are of the room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hotline.caucus.apportion import outcomes
from hotline.caucus.contest import Contest, EarlyBallots
from hotline.caucus.viability import threshold
from hotline.caucus.worksheet import Worksheet
from hotline.caucus.worksheets import read_worksheets
from hotline.dialog.script import MOST_OUTCOMES, Script
from hotline.events.kinds import DelegatesSettled, FindingsKept, ReportConfirmed
from hotline.services.line import Line
from hotline.services.tabulation import of_worksheet, rebuild, tabulate, worksheet_of
from hotline.settings import config_folder
from tests.caucus.party_rules import KEYS, NEVADA, contest_of
from tests.dialog import calling
from tests.lines import line_on, prepared_database
from tests.services.reports import confirm, confirmed

SAMPLE = "nevada-sample"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_database(tmp_path_factory.mktemp(SAMPLE), SAMPLE)


@pytest.fixture
def nevada(sample: Path, tmp_path: Path) -> Iterator[Line]:
    opened = line_on(sample, tmp_path)
    yield opened
    opened.ledger.engine.dispose()


def keyed(contest: Contest) -> dict[str, Worksheet]:
    """The sample's worksheets: the numbers of the room."""
    return read_worksheets(contest, (config_folder() / "contests" / SAMPLE / "worksheets.csv").read_bytes())


def hard(line: Line, code: str) -> list[str]:
    return [finding.code for finding in rebuild(line)[code].findings if finding.severity == "hard"]


def test_a_night_by_the_rules_is_counted_and_its_worksheets_stay_as_keyed(nevada: Line) -> None:
    """Every precinct of the sample counts, and what is kept of each are the numbers of the room."""
    for code, sheet in keyed(nevada.contest).items():
        confirm(nevada, code, sheet)
        assert (code, tabulate(nevada, code), hard(nevada, code)) == (code, "counted", [])
        kept = nevada.projections.results()[code].worksheet
        assert kept == worksheet_of(confirmed(code, sheet, 1)) == rebuild(nevada)[code].worksheet


def test_the_rooms_figures_alone_would_break_rules_that_everybodys_do_not(nevada: Line) -> None:
    """Were there no ballots, three of the sample's worksheets would be held."""
    alone = replace(nevada.contest, early_ballots={})
    held = [
        code
        for code, sheet in keyed(alone).items()
        if any(finding.severity == "hard" for finding in of_worksheet(alone, code, sheet))
    ]
    assert held == ["00045", "00059", "00068"]


def test_copies_are_told_by_what_was_keyed(nevada: Line) -> None:
    """One worksheet keyed for two precincts is found at both, though their ballots make other figures of it."""
    sheet = keyed(nevada.contest)["00045"]
    for code in ("00045", "00059"):
        confirm(nevada, code, sheet)
        tabulate(nevada, code)
    found = rebuild(nevada)
    for code in ("00045", "00059"):
        assert "DUPLICATE_RECORD" in [finding.code for finding in found[code].findings]
        assert nevada.projections.results()[code].status == "held"


def test_the_ledger_keeps_the_counted_figures_beside_the_keyed_ones(nevada: Line) -> None:
    """A version with them and one without read back as they were."""
    plain = confirmed("00045", keyed(nevada.contest)["00045"], 1)
    both = replace(
        plain, version=2, confirmation="000002", counted={"headcount": 61, "first": {}, "final": {"Yang": 2}}
    )
    nevada.ledger.append([plain, both])
    assert [version for _, version in nevada.ledger.standing("00045").versions] == [plain, both]


@dataclass(frozen=True)
class Precinct:
    """One precinct's evening by the rules: what the room keys, and everybody's figures as counted by hand."""

    contest: Contest
    room: Worksheet
    everybody: Worksheet


@st.composite
def evenings(draw: st.DrawFn) -> Precinct:
    """Ballots are dealt out one by one; of the room those in viable groups stay, others join them or go home."""
    delegates = draw(st.integers(1, 12))
    ranked = st.lists(st.sampled_from(KEYS), min_size=3, max_size=5).map(tuple)
    bundles = tuple(draw(st.lists(st.builds(EarlyBallots, st.integers(1, 12), ranked), min_size=1, max_size=5)))
    contest, precinct = contest_of(delegates, NEVADA)
    contest = replace(contest, early_ballots={precinct.code: bundles})
    first = {key: draw(st.integers(0, 20)) for key in KEYS} if draw(st.integers(0, 9)) else dict.fromkeys(KEYS, 0)
    headcount = sum(first.values()) + (draw(st.integers(0, 5)) if any(first.values()) else 0)
    ballots = [bundle.choices for bundle in bundles for _ in range(bundle.count)]
    aligned = _with(first, [choices[0] for choices in ballots])
    smallest = threshold(NEVADA, delegates, headcount + len(ballots))
    standing = [key for key in KEYS if delegates == 1 or aligned[key] >= smallest]
    final = dict(first)
    for key in KEYS:
        leaving = first[key] if (key not in standing or delegates == 1) and draw(st.booleans()) else 0
        final[key] -= leaving
        if standing and draw(st.booleans()):
            final[draw(st.sampled_from(standing))] += leaving
    moved = [next((key for key in choices if key in standing), None) for choices in ballots]
    counted = _with(final, [key for key in moved if key])
    return Precinct(
        contest,
        Worksheet(headcount, first, final, {}),
        Worksheet(headcount + len(ballots), aligned, counted, {}),
    )


def _with(tallies: Mapping[str, int], more: list[str]) -> dict[str, int]:
    return {key: count + more.count(key) for key, count in tallies.items()}


def _to_delegates(room: Worksheet) -> list[str]:
    """The keys from the headcount to the question who won."""
    if not room.headcount:
        return ["0", "1", "1", "1"]
    tallies = [[str(count) for count in section.values()] for section in (room.first, room.final)]
    return [str(room.headcount), *tallies[0], "1", *tallies[1], "1"]


@settings(deadline=None, max_examples=60)
@given(evenings(), st.integers(0, MOST_OUTCOMES - 1))
def test_the_phone_offers_everybodys_split_and_a_night_by_the_rules_breaks_none(evening: Precinct, chosen: int) -> None:
    """Whatever the room and its ballots, the outcomes numbered are those of all votes, and no rule is ever named."""
    (code, precinct), everybody = next(iter(evening.contest.precincts.items())), evening.everybody
    legal = outcomes(NEVADA, precinct.delegates or 0, everybody.headcount or 0, everybody.final)
    assume(0 < len(legal) <= MOST_OUTCOMES)
    call = calling.Line(Script(evening.contest)).ring().report(code).key(*_to_delegates(evening.room))
    assert call.state == "delegates"
    assert max(call.prompts.count("delegates-option"), 1) == len(legal)
    outcome = legal[chosen % len(legal)]
    call.key(str(chosen % len(legal) + 1), "1")
    settled = next(event for event in call.events if isinstance(event, DelegatesSettled))
    assert {group: count for group, count in settled.delegates.items() if count} == outcome
    report = next(event for event in call.events if isinstance(event, ReportConfirmed))
    assert (report.counted or {})["headcount"] == everybody.headcount
    assert not any(isinstance(event, FindingsKept) for event in call.events)
    found = of_worksheet(evening.contest, code, worksheet_of(report))
    assert [finding.code for finding in found if finding.severity == "hard"] == []

"""A contest folder, from the bytes of its files: contest.toml, counties.csv, precincts.csv, and where there are any
satellites.csv, satellite_pools.csv, early_votes.csv and chairs.csv.

Everything is checked and every problem listed at once, by file, line and column; nothing is half loaded. Cells are
read in `rows`, rows judged in `roster` and `ballots`, contest.toml in `charter`. Opening files is the
caller's: this floor touches no disk.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from hotline.caucus import ballots, roster
from hotline.caucus.charter import FILE as CONTEST
from hotline.caucus.charter import Charter, read_charter
from hotline.caucus.contest import Contest, County, EarlyBallots, Pool, Precinct
from hotline.caucus.roster import ChairNumber, Listed
from hotline.caucus.rows import Problems, Row, read_rows

PRECINCTS, COUNTIES = "precincts.csv", "counties.csv"
SATELLITES, POOLS, CHAIRS = "satellites.csv", "satellite_pools.csv", "chairs.csv"
EARLY_VOTES = "early_votes.csv"
FILES = (CONTEST, PRECINCTS, COUNTIES, SATELLITES, POOLS, EARLY_VOTES, CHAIRS)
_REQUIRED = (CONTEST, PRECINCTS, COUNTIES)
_COLUMNS = {
    PRECINCTS: ("code", "county", "name", "delegates"),
    COUNTIES: ("county", "delegates"),
    SATELLITES: ("code", "pool", "name"),
    POOLS: ("pool",),
    CHAIRS: ("number", "code", "role"),
}


def read_contest(files: Mapping[str, bytes]) -> Contest:
    """The contest in a folder given as file name -> content. Raises FolderProblems listing everything wrong.

    Files of other names are passed over.
    """
    return _read(files)[0]


def chairs(files: Mapping[str, bytes]) -> tuple[ChairNumber, ...]:
    """The telephone numbers on file, in the order of chairs.csv; none when there is no such file.

    Raises FolderProblems as `read_contest` does: a number is only as good as the precinct it stands for.
    """
    return _read(files)[1]


def doubts(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """What in the folder may be a slip and is taken as it stands, by file, line and column. Raises likewise."""
    return _read(files)[2]


def _read(files: Mapping[str, bytes]) -> tuple[Contest, tuple[ChairNumber, ...], tuple[str, ...]]:
    problems = Problems()
    for file in _REQUIRED:
        if file not in files:
            problems.note(file, "is missing from the folder")
    charter = read_charter(files[CONTEST], problems) if CONTEST in files else None
    counties, pools = _areas(files, charter, problems)
    precincts = [roster.precinct(row) for row in _rows(files, PRECINCTS, _COLUMNS[PRECINCTS], problems)]
    satellites = [roster.satellite(row) for row in _rows(files, SATELLITES, _COLUMNS[SATELLITES], problems)]
    codes = {site.value.code for site in (*precincts, *satellites)}
    early = _early_votes(files, charter, codes, problems)
    numbers = [roster.chair(row, codes) for row in _rows(files, CHAIRS, _COLUMNS[CHAIRS], problems)]
    roster.check_codes([*precincts, *satellites])
    roster.check_names([*precincts, *satellites])
    roster.check_areas(counties, precincts, "county", COUNTIES)
    roster.check_areas(pools, satellites, "pool", POOLS)
    roster.check_sums(counties, precincts)
    roster.check_numbers(numbers)
    _check_satellites(charter, counties, pools, satellites)
    problems.stop_if_any()
    assert charter is not None
    contest = _contest(charter, counties, pools, [*precincts, *satellites], early)
    return contest, tuple(listed.value for listed in numbers), tuple(problems.doubts)


def _areas(
    files: Mapping[str, bytes], charter: Charter | None, problems: Problems
) -> tuple[list[Listed[County]], list[Listed[Pool]]]:
    """Counties and pools. Whether they have equivalents is said in contest.toml; the files must agree with it."""
    has_equivalents = charter is not None and charter.units.equivalents is not None
    more = ("equivalents",) if has_equivalents else ()
    county_rows = _rows(files, COUNTIES, (*_COLUMNS[COUNTIES], *more), problems)
    pool_rows = _rows(files, POOLS, (*_COLUMNS[POOLS], *more), problems)
    if charter is not None and not has_equivalents:
        for rows in (county_rows, pool_rows):
            if rows and "equivalents" in rows[0].cells:
                text = f"column equivalents is there, but {CONTEST} says there are none; take one of the two out"
                problems.note(f"{rows[0].file} line 1", text)
    counties = [roster.county(row, has_equivalents) for row in county_rows]
    return counties, [roster.pool(row, has_equivalents) for row in pool_rows]


def _early_votes(
    files: Mapping[str, bytes], charter: Charter | None, codes: Collection[str], problems: Problems
) -> Mapping[str, tuple[EarlyBallots, ...]]:
    if charter is None or EARLY_VOTES not in files:
        return {}
    rules, keys = charter.rules.early, [preference.key for preference in charter.preferences]
    if rules is None:
        text = f"early votes need [rules.early_votes] in {CONTEST}: how many choices a ballot names"
        problems.note(EARLY_VOTES, text)
        return {}
    rows = _rows(files, EARLY_VOTES, ballots.columns(rules), problems)
    return ballots.early_ballots(rows, rules, keys, codes)


def _rows(files: Mapping[str, bytes], file: str, columns: Sequence[str], problems: Problems) -> tuple[Row, ...]:
    if file not in files:
        return ()
    before = len(problems.found)
    rows = read_rows(file, files[file], columns, problems)
    if not rows and len(problems.found) == before and file in _REQUIRED:
        problems.note(file, "has no rows under its heading")
    return rows


def _check_satellites(
    charter: Charter | None,
    counties: Sequence[Listed[County]],
    pools: Sequence[Listed[Pool]],
    satellites: Sequence[Listed[Precinct]],
) -> None:
    """Totals are kept by county and pool, so their names differ; and a satellite needs the schedule of delegates."""
    names = {listed.value.name for listed in counties}
    for listed in pools:
        if listed.value.name and listed.value.name in names:
            listed.row.note("pool", f"{listed.value.name} is the name of a county too; give the pool another")
    if satellites and charter and not charter.rules.satellite_delegates:
        satellites[0].row.note(None, f"satellites need [[rules.satellite_delegates]] in {CONTEST}")


def _contest(
    charter: Charter,
    counties: Sequence[Listed[County]],
    pools: Sequence[Listed[Pool]],
    sites: Sequence[Listed[Precinct]],
    early: Mapping[str, tuple[EarlyBallots, ...]],
) -> Contest:
    return Contest(
        name=charter.name,
        title=charter.title,
        line=charter.line,
        preferences=charter.preferences,
        precincts={site.value.code: site.value for site in sites},
        counties={listed.value.name: listed.value for listed in counties},
        pools={listed.value.name: listed.value for listed in pools},
        rules=charter.rules,
        state=charter.state,
        units=charter.units,
        early_ballots=early,
        hours=charter.hours,
    )

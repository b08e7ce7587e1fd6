"""early_votes.csv: the ranked ballots cast in each precinct before the night, as the party counted them.

A row is a bundle of ballots that are alike: `code`, `count`, then `choice1`, `choice2` … with preference keys, first
choice first, as many columns as a ballot has room for. Choices are filled from the left. How many a ballot must name,
and whether it may name one group again, stands in contest.toml under [rules.early_votes].
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from hotline.caucus.contest import EarlyBallots, EarlyRules
from hotline.caucus.rows import Row

_CHOICE = "choice"


def columns(rules: EarlyRules) -> tuple[str, ...]:
    """The columns the file must have: those of the fewest choices a ballot names."""
    return ("code", "count", *(f"{_CHOICE}{place}" for place in range(1, rules.choices_at_least + 1)))


def early_ballots(
    rows: Sequence[Row], rules: EarlyRules, keys: Collection[str], codes: Collection[str]
) -> dict[str, tuple[EarlyBallots, ...]]:
    """The ballots by precinct code, in the file's order; `keys` and `codes` are the preferences and precincts.

    What is wrong with a row is noted there. The same ballot twice for one precinct is refused: a file imported into
    another counts everybody double, and looks just like that.
    """
    by_code: dict[str, list[EarlyBallots]] = defaultdict(list)
    first: dict[tuple[str, tuple[str, ...]], Row] = {}
    for row in rows:
        code, count, choices = row.text("code"), row.whole("count", least=1), tuple(_choices(row, keys))
        if code and code not in codes:
            row.note("code", f"{code!r} is no precinct of this contest; keep leading zeros")
        _check_choices(row, rules, choices)
        if (code, choices) in first:
            row.note(None, f"is the same ballot as {first[code, choices].place()}; keep one row with both counts")
            continue
        first[code, choices] = row
        if count is not None:
            by_code[code].append(EarlyBallots(count, choices))
    return {code: tuple(bundles) for code, bundles in by_code.items()}


def _choices(row: Row, keys: Collection[str]) -> Iterator[str]:
    """The choices in order, as far as they go; an unknown group and a gap are noted."""
    empty = ""
    for column in _choice_columns(row):
        key = row.optional(column)
        if not key:
            empty = empty or column
            continue
        if empty:
            row.note(column, f"{key!r} comes after {empty}, which is empty; fill choices from the left")
        if key not in keys:
            row.note(column, f"{key!r} is no preference of this contest; known here: {', '.join(keys)}")
        yield key


def _choice_columns(row: Row) -> list[str]:
    numbered = [name for name in row.cells if name.startswith(_CHOICE) and name.removeprefix(_CHOICE).isdecimal()]
    return sorted(numbered, key=lambda name: int(name.removeprefix(_CHOICE)))


def _check_choices(row: Row, rules: EarlyRules, choices: Sequence[str]) -> None:
    """As many choices as a ballot must name and may name, and none twice unless the party counts those."""
    least, most = rules.choices_at_least, rules.choices_at_most
    if not least <= len(choices) <= most:
        row.note(None, f"names {len(choices)} choices; a ballot names {least} to {most}, others are void: take it out")
    twice = [key for key in dict.fromkeys(choices) if choices.count(key) > 1]
    if twice and not rules.repeats_allowed:
        row.note(None, f"names {', '.join(twice)} more than once, which this contest's rules do not allow")

"""Mutants of the party's rules: after `mutmut run`, is every change to a rule noticed, or explained?

`mutmut` (extra `mutation`, configured in pyproject.toml) changes one thing in `hotline/caucus` at a time and runs
tests/caucus; a mutant that no test notices survives. Those that cannot be noticed, because they mean the same, stand in
`equivalent_mutants.toml` with the reason. `python -m tests.mutants` counts them by module and fails if a survivor is
unexplained, an explanation is of no survivor, or a module or mutant has not been tried.

Take `mutants/` away before: mutmut lets stand what it noted of a function that is as it was, though a test be weaker.
Not mutated are decorated functions (properties) and what a module or class does as it is read (constants).
"""

from __future__ import annotations

import ast
import difflib
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

RULES = Path("hotline") / "caucus"
EXPLAINED = Path(__file__).with_name("equivalent_mutants.toml")
KILLED = frozenset({1, 3})
"""Exit codes of a mutant's tests as mutmut notes them: a test failed, or pytest itself did."""
HUNG = frozenset({-24, 24, 36, 152, 255})
"""The tests went on for so long that mutmut ended them, which is noticed too."""
SURVIVED = frozenset({0, 5, 33})
"""The tests passed, or there are none that call the function."""


class Mutant(NamedTuple):
    """A change: the function it is in ("explain._sum"), the lines there were and those there are."""

    where: str
    was: str
    became: str

    @property
    def told(self) -> str:
        """The change as a person reads it."""
        return f"{self.where}\n  - {self.was}\n  + {self.became}"


class Tried(NamedTuple):
    """What came of one module's mutants: how many were killed or hung, which survived, which were not settled."""

    module: str
    killed: int
    hung: int
    survived: tuple[Mutant, ...]
    unsettled: tuple[str, ...]


def tried(source: Path, mutants: Path) -> Tried:
    """What mutmut noted of a module (`source`) in its folder `mutants`; a module without notes is not settled."""
    notes, changed = mutants / f"{source}.meta", mutants / source
    if not notes.exists():
        return Tried(source.stem, 0, 0, (), (str(source),))
    codes = json.loads(notes.read_text(encoding="utf-8"))["exit_code_by_key"]
    return Tried(
        source.stem,
        sum(code in KILLED for code in codes.values()),
        sum(code in HUNG for code in codes.values()),
        tuple(_mutants(changed, [key for key, code in codes.items() if code in SURVIVED])),
        tuple(f"{key} ({code})" for key, code in codes.items() if code not in KILLED | HUNG | SURVIVED),
    )


def _mutants(changed: Path, keys: Sequence[str]) -> Iterator[Mutant]:
    """The mutants of these keys ("hotline.caucus.explain.x__sum__mutmut_3"), from mutmut's copy of their module."""
    functions = {
        node.name: node
        for node in ast.walk(ast.parse(changed.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    for key in keys:
        name = key.rpartition(".")[2]
        original = name.partition("__mutmut_")[0]
        yield _mutant(changed.stem, original, functions[f"{original}__mutmut_orig"], functions[name])


def _mutant(module: str, name: str, original: ast.FunctionDef, changed: ast.FunctionDef) -> Mutant:
    """What differs between a function and its mutant; `name` is mutmut's, "x__sum" or "xǁDivisionǁallows"."""
    plain = name[1:].removeprefix("_").removeprefix("ǁ").replace("ǁ", ".")
    original.name = changed.name = plain.rpartition(".")[2]
    lines = list(difflib.ndiff(ast.unparse(original).splitlines(), ast.unparse(changed).splitlines()))
    was, became = (" ".join(line[2:].strip() for line in lines if line[:2] == sign) for sign in ("- ", "+ "))
    return Mutant(f"{module}.{plain}", was, became)


def explained() -> Counter[Mutant]:
    """The mutants that mean the same as what they were made of."""
    table = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return Counter(Mutant(each["where"], each["was"], each["became"]) for each in table["equivalent"])


def report(modules: Sequence[Tried], known: Counter[Mutant]) -> tuple[list[str], bool]:
    """The lines to print, and whether all is settled: each survivor explained, each explanation of a survivor."""
    every = Tried(
        "all",
        sum(module.killed for module in modules),
        sum(module.hung for module in modules),
        tuple(mutant for module in modules for mutant in module.survived),
        tuple(key for module in modules for key in module.unsettled),
    )
    lines = [f"{'module':<20}{'mutants':>9}{'killed':>9}{'hung':>9}{'survived':>9}{'explained':>10}"]
    for name, killed, hung, survived, unsettled in (*modules, every):
        total = killed + hung + len(survived) + len(unsettled)
        meant = (Counter(survived) & known).total()
        lines.append(f"{name:<20}{total:>9}{killed:>9}{hung:>9}{len(survived):>9}{meant:>10}")
    unexplained, stale = Counter(every.survived) - known, known - Counter(every.survived)
    lines += [f"not tried to the end, let `mutmut run` do so: {key}" for key in every.unsettled]
    lines += [f"survives unexplained: {mutant.told}" for mutant in unexplained.elements()]
    lines += [f"explained, but no survivor: {mutant.told}" for mutant in stale.elements()]
    return lines, not (unexplained or stale or every.unsettled)


def main() -> int:
    """Print what came of every module of the rules; 1 if anything is left to explain."""
    lines, is_settled = report([tried(source, Path("mutants")) for source in sorted(RULES.glob("*.py"))], explained())
    print("\n".join([*lines, "every survivor is explained" if is_settled else "not settled"]))
    return 0 if is_settled else 1


if __name__ == "__main__":
    sys.exit(main())

"""Mutants of the party's rules: after `mutmut run`, which survived that nobody has explained?

`mutmut` (extra `mutation`, configured in pyproject.toml) changes one thing in `hotline/caucus` at a time and runs
tests/caucus; a mutant that no test notices survives. Those that cannot be noticed, because they mean the same, stand in
`equivalent_mutants.toml` with the reason. `python -m tests.mutants` lists the others and fails if there are any.
"""

from __future__ import annotations

import ast
import difflib
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MUTANTS = Path("mutants") / "hotline" / "caucus"
EXPLAINED = Path(__file__).with_name("equivalent_mutants.toml")
SURVIVED = 0
"""What mutmut notes of a mutant: the exit code of its tests; None before they ran."""


class Mutant(NamedTuple):
    """A change: the function it is in ("explain._sum"), the lines there were and those there are."""

    where: str
    was: str
    became: str


def survivors(notes: Path) -> Iterator[Mutant]:
    """The surviving mutants of one module, from mutmut's notes and its copy of the module beside them."""
    module = notes.with_suffix("")
    functions = {
        node.name: ast.unparse(node)
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    for key, code in json.loads(notes.read_text(encoding="utf-8"))["exit_code_by_key"].items():
        if code is None:
            raise SystemExit(f"{key} has not been tried: let `mutmut run` end first")
        if code == SURVIVED:
            name = key.rpartition(".")[2]
            before, _, _ = name.partition("__mutmut_")
            yield mutant(module.stem, before, functions[f"{before}__mutmut_orig"], functions[name])


def mutant(module: str, name: str, original: str, changed: str) -> Mutant:
    """What differs between a function and its mutant; `name` is mutmut's, "x__sum" or "xǁDivisionǁallows"."""
    lines = list(difflib.ndiff(original.splitlines()[1:], changed.splitlines()[1:]))
    was, became = (" ".join(line[2:].strip() for line in lines if line[:2] == sign) for sign in ("- ", "+ "))
    return Mutant(f"{module}.{name[1:].replace('ǁ', '.').lstrip('.').removeprefix('_')}", was, became)


def explained() -> frozenset[Mutant]:
    """The mutants that mean the same as what they were made of."""
    table = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return frozenset(Mutant(each["where"], each["was"], each["became"]) for each in table["equivalent"])


def main() -> int:
    """Print each survivor without an explanation; 1 if there is one."""
    known = explained()
    tried = sorted(MUTANTS.glob("*.py.meta"))
    if not tried:
        raise SystemExit(f"{MUTANTS} holds nothing: `mutmut run` first")
    found = [each for notes in tried for each in survivors(notes)]
    unexplained = [each for each in found if each not in known]
    for each in unexplained:
        print(f"{each.where}\n  - {each.was}\n  + {each.became}")
    print(f"{len(found)} survived, {len(unexplained)} of them unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())

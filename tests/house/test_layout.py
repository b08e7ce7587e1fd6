"""The house rules that no tool checks: where things stand, how long they are, and what every file must say."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house.sources import ROOT, functions, modules, statements, tracked, tree

TOP = {
    ".ci",
    ".gitignore",
    ".readme",
    "LICENSE",
    "README.md",
    "config",
    "hotline",
    "pyproject.toml",
    "tests",
    "workers",
}
CATCH_ALLS = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
HOSTS = re.compile(
    rb"pypi\.org|pythonhosted\.org|registry\.npmjs|--(extra-)?index-url|--[f]ind-links|--[t]rusted-host", re.I
)
ADDRESS = re.compile(rb"^[^#]*\bhttps?://|^[^#]* @ ", re.M)


def test_top_level_holds_only_what_the_house_allows() -> None:
    """A new file at the top is a decision about the house, taken here."""
    assert {path.parts[0] for path in tracked()} - TOP == set()


@pytest.mark.parametrize("module", modules(), ids=str)
def test_module_says_what_lives_in_it(module: Path) -> None:
    """Every module opens with a docstring."""
    assert ast.get_docstring(tree(module)), f"{module} has no docstring"


@pytest.mark.parametrize("module", modules("hotline", "workers", "tests"), ids=str)
def test_module_is_short(module: Path) -> None:
    """300 lines at most: past that it has two subjects."""
    lines = (ROOT / module).read_text(encoding="utf-8").count("\n")
    assert lines <= 300, f"{module} has {lines} lines"


def test_functions_are_short() -> None:
    """30 statements at most."""
    long = [
        f"{module}:{function.lineno} {function.name} has {count} statements"
        for module in modules()
        for function in functions(module)
        if (count := statements(function)) > 30
    ]
    assert long == []


def test_no_module_is_a_catch_all() -> None:
    """A module is a noun of the field; "utils" is where subjects go to be lost."""
    assert [str(module) for module in modules() if module.stem in CATCH_ALLS] == []


def test_no_failure_is_swallowed() -> None:
    """`except Exception: pass` hides our bugs; a bare `except` hides Ctrl-C as well."""
    swallowed = [
        f"{module}:{handler.lineno}"
        for module in modules()
        for handler in ast.walk(tree(module))
        if isinstance(handler, ast.ExceptHandler) and (handler.type is None or _is_silent(handler))
    ]
    assert swallowed == []


def test_nothing_is_left_to_do() -> None:
    """No note to ourselves stands in a shipped file."""
    note = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    texts = {module: (ROOT / module).read_text(encoding="utf-8") for module in modules()}
    assert [str(module) for module, text in texts.items() if note.search(text)] == []


def test_no_file_names_a_registry() -> None:
    """Packages come from whichever index pip is set up for: no file names one, and no lock line is an address."""
    named = [str(path) for path in tracked() if HOSTS.search((ROOT / path).read_bytes())]
    addresses = [
        str(path) for path in tracked() if path.suffix == ".lock" and ADDRESS.search((ROOT / path).read_bytes())
    ]
    assert (named, addresses) == ([], [])


def test_every_locked_package_is_hashed() -> None:
    """A lock line without a hash would install whatever the index serves that day."""
    for lock in (path for path in tracked() if path.suffix == ".lock"):
        entries = re.split(r"\n(?=[a-zA-Z0-9])", (ROOT / lock).read_text(encoding="utf-8"))
        unhashed = [entry.split()[0] for entry in entries if "==" in entry and "--hash=sha256:" not in entry]
        assert unhashed == [], f"{lock}: without a hash"


def _is_silent(handler: ast.ExceptHandler) -> bool:
    catches_all = isinstance(handler.type, ast.Name) and handler.type.id in {"Exception", "BaseException"}
    return catches_all and all(isinstance(node, ast.Pass | ast.Continue) for node in handler.body)

"""The sources the house rules are read from: every Python file, parsed once, and every tracked file."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The top of the repository."""

PACKAGES = ("hotline", "workers")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def modules(*folders: str) -> tuple[Path, ...]:
    """Python files under the folders (the product's two packages when none is named), relative to the top."""
    found = (path for folder in folders or PACKAGES for path in (ROOT / folder).rglob("*.py"))
    return tuple(sorted(path.relative_to(ROOT) for path in found))


@cache
def tree(module: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse((ROOT / module).read_text(encoding="utf-8"), filename=str(module))


def functions(module: Path) -> Iterator[Function]:
    """Every function and method of a module."""
    return (node for node in ast.walk(tree(module)) if isinstance(node, Function))


def statements(function: Function) -> int:
    """How many statements a function holds, nested ones counted, its docstring not."""
    inside = (node for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function)
    return sum(1 for _ in inside) - (ast.get_docstring(function) is not None)


def is_checkout() -> bool:
    """Whether the tests run in a clone of the repository rather than in an unpacked archive of it."""
    return (ROOT / ".git").exists()


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the repository that is or would be tracked, relative to the top; all files outside a checkout."""
    if not is_checkout():
        return tuple(sorted(path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()))
    command = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return tuple(path for name in sorted(listed) if name and (ROOT / (path := Path(name))).is_file())

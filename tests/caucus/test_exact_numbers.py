"""No number of the caucus is ever a float: the source itself is read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

CAUCUS = Path(__file__).parents[2] / "hotline" / "caucus"
INEXACT = {"float", "round", "math", "decimal", "statistics", "fsum"}
FRACTIONS_ONLY = {"equivalents.py"}
"""Here / divides Fractions, which mypy checks; elsewhere it would divide ints and make a float."""


@pytest.mark.parametrize("path", sorted(CAUCUS.glob("*.py")), ids=lambda path: path.name)
def test_source_has_no_float(path: Path) -> None:
    """No float literal, no float function, no import that deals in them, and no division of ints."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(value=float()):
                found.append(ast.unparse(node))
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if name in INEXACT:
                found.append(name)
            case ast.BinOp(op=ast.Div()) if path.name not in FRACTIONS_ONLY:
                found.append(ast.unparse(node))
    assert found == []

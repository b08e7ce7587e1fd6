"""The tools agree: formatting, lint, types and floors hold for every file, in the environment the tests run in."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.house.sources import ROOT

TOOLS = {
    "format": ("-m", "ruff", "format", "--check", "--quiet", "."),
    "lint": ("-m", "ruff", "check", "--quiet", "--output-format=concise", "."),
    "types": (
        "-m",
        "mypy",
    ),
    "floors": ("-c", "from importlinter.cli import lint_imports_command as run; run()"),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_tool_finds_nothing(tool: str) -> None:
    """Each tool, run from the top of the repository as a developer would, exits 0."""
    ran = subprocess.run([sys.executable, *TOOLS[tool]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr

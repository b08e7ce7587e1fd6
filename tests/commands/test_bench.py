"""`hotline bench` measures every part of the line and says each beside its yardstick. No test looks at how fast."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.house.sources import ROOT

SIZES = ("--sites", "40", "--sites", "80", "--calls", "500", "--refusals", "3", "--flood", "1")
NAMES = {
    "dialog_step",
    "pin_check",
    "turn",
    "results_json",
    "refusals_apart",
    "ring_screened",
    "ring_flooded",
    *(f"{what}_{sites}" for what in ("totals", "findings", "tabulation") for sites in (40, 80)),
    "linearity",
}


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hotline", "bench", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_one_document_with_every_figure() -> None:
    """Each has a time, a yardstick, a ratio and a budget, and says whether it kept it."""
    ran = bench(*SIZES, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    document = json.loads(ran.stdout)
    assert set(document) == {"loop_s", "insert_s", "figures", "wall_s"}
    assert min(document["loop_s"], document["insert_s"], document["wall_s"]) > 0
    assert set(document["figures"]) == NAMES
    for figure in document["figures"].values():
        assert set(figure) == {"what", "seconds", "against", "ratio", "budget", "is_within"}
        assert min(figure["seconds"], figure["ratio"], figure["budget"]) > 0
        assert figure["is_within"] == (figure["ratio"] <= figure["budget"])


@pytest.mark.parametrize("wrong", [("--sites", "0"), ("--contest", "nowhere-1846")])
def test_what_cannot_be_measured_is_named(wrong: tuple[str, ...]) -> None:
    """Before anything is measured."""
    ran = bench(*wrong)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert wrong[1] in ran.stderr

"""The release gate on simulated nights: what the shipped policy does to chairs and to pranksters."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from hotline.caucus.contest import Contest
from hotline.cli import hotline
from hotline.dialog import machine
from hotline.dialog.facts import ChallengeWanted, Facts, Heard, PinCheck
from hotline.dialog.machine import Opening
from hotline.dialog.script import Script
from hotline.practice.simulated import assumed, gate
from hotline.practice.simulated.people import Plan
from hotline.practice.simulated.rehearsed import Rehearsal, drawn_crowd, drawn_pins, rehearse
from hotline.practice.simulated.talk import FRESH_DIGITS, Dialog, Place, answer
from hotline.practice.simulated.tally import Tally
from hotline.screening.policy_file import Policy
from hotline.settings import config_folder
from hotline.telephony.speech import Prompts
from hotline.telephony.twiml import FIRST_KEY
from tests.screening.calling import policy

GATE = {
    "chairs_challenged_pct",
    "chairs_slow_laned_pct",
    "chairs_rejected",
    "prank_minutes_cut_pct",
    "pranks_reaching_person_pct",
    "passed",
}


@pytest.fixture(scope="module")
def wanted(contest: Contest, prompts: Prompts) -> Rehearsal:
    return Rehearsal(contest, prompts, policy(state=contest.state), seed=20, nights=2)


@pytest.fixture(scope="module")
def told(wanted: Rehearsal) -> dict[str, Any]:
    return _document(wanted)


def _document(wanted: Rehearsal) -> dict[str, Any]:
    return gate.document(*rehearse(wanted, lambda _: None), wanted.nights, wanted.seed)


def test_shipped_policy_passes_the_gate(told: dict[str, Any]) -> None:
    """Chairs challenged, slowed and rejected; minutes of pranks cut; pranks that reach a person. It fails the build."""
    assert told["gate"].keys() == GATE
    assert told["gate"]["passed"], told["gate"]


def test_no_kind_of_chair_is_rejected_or_turned_away(told: dict[str, Any]) -> None:
    """Whatever is the matter with a chair or the telephone: every trait occurs, and none is ever refused a line."""
    traits = told["chairs"]["by_trait"]
    assert traits.keys() == {*assumed.CHAIRS, "plain", "abroad"}
    assert dict.fromkeys(traits, 0) == {
        trait: counts.get("reject", 0) + counts.get("message", 0) for trait, counts in traits.items()
    }


def test_every_kind_of_prankster_calls(told: dict[str, Any]) -> None:
    """Some 10,000 calls from 3,500 numbers a night."""
    kinds = told["pranks"]["by_kind"]
    assert kinds.keys() == assumed.PRANKS.keys()
    assert 9_000 < told["pranks"]["calls"] / 2 < 12_000
    assert 3_500 == sum(prank.numbers for prank in assumed.PRANKS.values())


def test_same_seed_gives_the_same_bytes(wanted: Rehearsal) -> None:
    """And another seed another night."""
    short = replace(wanted, nights=1, share=0.1)
    first, again, other = (json.dumps(_document(replace(short, seed=seed))) for seed in (4, 4, 5))
    assert first == again
    assert first != other


def test_crowd_calls_the_same_whether_it_is_screened(wanted: Rehearsal) -> None:
    """Every call is drawn before the night; pranks are as many in both."""
    short = replace(wanted, nights=1, share=0.1)
    screened, unscreened = rehearse(short, lambda _: None)
    assert screened.calls["pranks"] == unscreened.calls["pranks"]
    crowd = drawn_crowd(short, drawn_pins(short, 0), 0)
    assert screened.calls["pranks"] == sum(len(each.plans) for each in crowd if not each.is_chair)
    assert {"admit"} == set(unscreened.met)


@pytest.mark.parametrize(
    "changes",
    [
        {"ladder.watch.rejects": False, "ladder.attack.rejects": False},
        {"features.AB-08.passed_a": 0, "ladder.calm.challenge": 0, "ladder.watch.challenge": 0},
    ],
)
def test_gate_fails_with_a_policy_that_lets_pranks_in_or_chairs_down(
    wanted: Rehearsal, changes: dict[str, Any]
) -> None:
    """Nobody rejected: the lines stay full. Every stranger challenged: so is every chair on a borrowed phone."""
    worse: Policy = policy(changes, wanted.contest.state)
    assert not _document(replace(wanted, policy=worse, nights=1, share=0.4))["gate"]["passed"]


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("met", {"challenge": 1}),
        ("met", {"slow": 1}),
        ("met", {"reject": 1}),
        ("met", {"message": 1}),
        ("persons", {"pranks": 1}),
    ],
)
def test_each_bound_holds_at_its_edge(name: str, more: dict[Any, int]) -> None:
    """At the bound it passes, past it it does not; a chair told to call later was turned away."""
    screened, unscreened = Tally(), Tally()
    screened.callers["chairs"], screened.calls["pranks"] = 1000, 1000
    screened.met["challenge"], screened.persons["pranks"] = 10, 20
    screened.seconds["all"], unscreened.seconds["all"] = 25.0, 100.0
    assert gate.gate(screened, unscreened).has_passed
    getattr(screened, name).update(more)
    assert not gate.gate(screened, unscreened).has_passed
    getattr(screened, name).subtract(more)
    screened.seconds["all"] = 25.1
    assert not gate.gate(screened, unscreened).has_passed


def test_remembered_dialog_is_the_machine(contest: Contest, prompts: Prompts) -> None:
    """Step by step the same session, events and words, with a memory and without."""
    script = Script(contest, tuple(prompts))
    dialog = Dialog(script, prompts)
    for keys in itertools.product(("", "00013", "73920185", "*0", "471", "9#9"), repeat=4):
        step = dialog.ring((), "admit")
        turn = machine.open_call(Opening(""), script)
        for heard in (Heard(each, timed_out=not each) for each in keys):
            inquiry = machine.inquire(turn.session, heard)
            judged = Facts(sign_in="refused", refusal="wrong-pin") if isinstance(inquiry, PinCheck) else None
            facts = judged or Facts(challenge=FRESH_DIGITS if isinstance(inquiry, ChallengeWanted) else None)
            step = dialog.take(step, heard, dialog.inquiry(step, heard), judged)
            turn = machine.step(turn.session, heard, facts, script)
            assert turn == step.turn, keys


def test_silent_caller_waits_as_long_as_the_line_does(contest: Contest, prompts: Prompts) -> None:
    """At the code, at the code once more, and at the challenge; 40 s after the answer the farewell has begun."""
    dialog, plan = Dialog(Script(contest, tuple(prompts)), prompts), Plan(0.0, "silent", 4.0)
    step, waited = dialog.ring((), "admit"), []
    lasted = 0.0
    while step.turn.reply.then == "listen":
        pressed = answer(plan, Place(()), step, is_chair=False)
        waited.append(round(pressed.after - step.words))
        lasted += pressed.after
        step = dialog.take(step, pressed.heard, None, None)
    assert [FIRST_KEY["digits"], FIRST_KEY["again"]] == waited
    assert lasted <= 40
    challenged = dialog.ring((), "challenge")
    assert FIRST_KEY["challenge"] == round(answer(plan, Place(()), challenged, is_chair=False).after - challenged.words)


def test_command_prints_the_document_and_says_by_its_exit_code_whether_the_gate_held(tmp_path: Any) -> None:
    """stdout is JSON with the assumptions in it; a policy that rejects nobody ends in 1."""
    shipped = (config_folder() / "screening.toml").read_text("utf-8")
    lax = tmp_path / "lax.toml"
    lax.write_text(shipped.replace("rejects = true", "rejects = false"), "utf-8")
    run = CliRunner().invoke(hotline, ["rehearse", "night", "--nights", "1", "--policy", str(lax), "--json"])
    document = json.loads(run.stdout)
    assert (1, False) == (run.exit_code, document["gate"]["passed"])
    assert document.keys() >= {"gate", "rules", "assumptions", "nights", "seed"}
    assert assumed.assumptions()["note"] == document["assumptions"]["note"]

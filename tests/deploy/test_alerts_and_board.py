"""What watches the line from outside: every alert has its page, and every figure that is asked for exists."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from hotline.cli import hotline as main
from hotline.services.alarms import ELSEWHERE, KINDS
from hotline.web.app import create_app
from tests.house.sources import ROOT
from tests.lines import line_on, prepared_database

DEPLOY = ROOT / "config" / "deploy"
RUNBOOKS = DEPLOY / "runbooks"
FROM_OUTSIDE = ("line-down", "database-away")
"""What the line itself cannot put on record: it is away."""
FIGURE = re.compile(r"hotline_[a-z_]+")


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def pages() -> dict[str, str]:
    return {page.stem: page.read_text("utf-8") for page in sorted(RUNBOOKS.glob("*.md"))}


def asked_for() -> set[str]:
    """Every figure a rule or the board names."""
    board = json.loads((DEPLOY / "grafana" / "hotline.json").read_text("utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return {name for expr in (*asked, *(rule["expr"] for rule in rules())) for name in FIGURE.findall(expr)}


@pytest.fixture(scope="module")
def exposed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[set[str]]:
    """Every figure of /metrics, the parts of a histogram each by its name."""
    folder = tmp_path_factory.mktemp("line")
    line = line_on(prepared_database(folder), folder)
    line.policy.now()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hotline.services.monitoring.Monitor._queue", lambda _: _queue())
        text = create_app(line).test_client().get("/metrics").text
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    parts = {
        f"{name}_{part}" for name, kind in kinds.items() if kind == "histogram" for part in ("bucket", "count", "sum")
    }
    yield {*kinds, *parts}
    line.ledger.engine.dispose()


def _queue() -> object:
    from hotline.store.queue_health import QueueHealth

    return QueueHealth({"tabulate": 0}, 0, 2, 0.001, True, 0.0)


def test_every_alert_has_its_page_and_its_rule() -> None:
    """Those the line raises, those raised where they happen, and those only others can notice. No page is left over."""
    kinds = {*KINDS, *ELSEWHERE, *FROM_OUTSIDE}
    assert kinds == set(pages())
    assert sorted(kinds) == sorted(rule["labels"]["kind"] for rule in rules())
    for rule in rules():
        kind = rule["labels"]["kind"]
        assert rule["annotations"]["runbook"] == f"config/deploy/runbooks/{kind}.md"
        assert rule["alert"] == "Hotline" + "".join(word.capitalize() for word in kind.split("-"))
        assert rule["labels"]["severity"] in ("warning", "page")


def test_every_figure_that_is_asked_for_exists(exposed: set[str]) -> None:
    """A rule that names one that is gone would be silent for ever."""
    assert set() == asked_for() - exposed
    assert len(asked_for()) > 30


@pytest.mark.parametrize("kind", sorted(pages()))
def test_a_page_is_one_page_for_somebody_in_a_hurry(kind: str) -> None:
    """What it means, what callers notice, where to look, what to do, when it is over; and it names its alert."""
    page = pages()[kind]
    for part in (f"Alert `{kind}`.", "**What it means.**", "**What callers notice.**", "## Look", "## Do", "## Over"):
        assert part in page, part
    assert len(page) < 3_000
    assert page.count("\n") < 60


@pytest.mark.parametrize("kind", sorted(pages()))
def test_a_page_names_commands_and_pages_that_exist(kind: str) -> None:
    """Whoever types what stands there is not told that there is no such command."""
    page = pages()[kind]
    for said in re.findall(r"`(hotline [^`]+)`", page):
        _resolve(said.split())
    named = set(re.findall(r"(?:[Ff]ollow|page) `([a-z-]+)`", page))
    assert named <= set(pages())


def _resolve(words: list[str]) -> None:
    command: click.Command = main
    context = click.Context(main)
    for word in words[1:]:
        if not isinstance(command, click.Group):
            break
        found = command.get_command(context, word)
        assert found is not None, " ".join(words)
        command = found
    assert not isinstance(command, click.Group), " ".join(words)
    options = {option for each in command.params for option in each.opts}
    assert {word for word in words if word.startswith("--")} <= options, " ".join(words)


def test_a_flood_has_a_before_a_during_and_an_after() -> None:
    """The list of public-safety call centres: whom to call, what to note, and that it is nobody's fault."""
    page = pages()["calls-many"]
    for part in ("**Before.**", "**During**", "**After**", "carrier's support", "not their fault", "write down start"):
        assert part.lower() in page.lower(), part


@pytest.mark.outside
@pytest.mark.parametrize(("what", "file"), [("rules", "alerts.yml"), ("config", "prometheus.yml")])
def test_promtool_finds_nothing_wrong(what: str, file: str) -> None:
    promtool = shutil.which("promtool")
    assert promtool, "promtool comes with Debian's prometheus"
    said = subprocess.run(
        [promtool, "check", what, str(DEPLOY / "prometheus" / file)], capture_output=True, text=True, check=False
    )
    assert 0 == said.returncode, said.stdout + said.stderr
    assert "SUCCESS" in said.stdout


@pytest.mark.outside
def test_rules_fire_and_stop(tmp_path: Path) -> None:
    """Prometheus itself plays five minutes: slow answers, a chair turned away, no worker; then all is well."""
    promtool = shutil.which("promtool")
    assert promtool, "promtool comes with Debian's prometheus"
    series = {
        'hotline_request_duration_seconds_bucket{route="calls.turn",le="0.5"}': "0+10x60 600+100x60",
        'hotline_request_duration_seconds_bucket{route="calls.turn",le="1.0"}': "0+20x60 1200+100x60",
        'hotline_request_duration_seconds_bucket{route="calls.turn",le="+Inf"}': "0+20x60 1200+100x60",
        'hotline_window_chair_calls{decision="reject"}': "1x60 0x60",
        'hotline_window_chair_calls{decision="admit"}': "99x120",
        "hotline_workers": "0x60 2x60",
    }
    fired = ("HotlineWebhookSlow", "HotlineChairRejected", "HotlineNoWorker")
    play = {
        "rule_files": [str(DEPLOY / "prometheus" / "alerts.yml")],
        "evaluation_interval": "5s",
        "tests": [
            {
                "interval": "5s",
                "input_series": [{"series": name, "values": values} for name, values in series.items()],
                "alert_rule_test": [
                    {"eval_time": at, "alertname": name, "exp_alerts": _expected(name) if at == "4m" else []}
                    for at in ("4m", "9m")
                    for name in (*fired, "HotlineWebhookVerySlow")
                ],
            }
        ],
    }
    file = tmp_path / "play.yml"
    file.write_text(yaml.safe_dump(play))
    said = subprocess.run([promtool, "test", "rules", str(file)], capture_output=True, text=True, check=False)
    assert 0 == said.returncode, said.stdout + said.stderr


def _expected(name: str) -> list[dict[str, Any]]:
    if name == "HotlineWebhookVerySlow":
        return []
    (rule,) = [each for each in rules() if each["alert"] == name]
    return [{"exp_labels": rule["labels"], "exp_annotations": rule["annotations"]}]

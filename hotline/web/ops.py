"""The wall: the whole line on one screen, for staff of every role, renewed every few seconds.

Everything is made here from one look at the line; the page's small script only asks for it again, and says when nothing
was heard for a while. Each figure stands with what it counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, current_app, g, render_template

from hotline.services.expected import expected
from hotline.services.monitoring import Figures, abandoned, age, completed, quantile
from hotline.store.request_counts import LastMinute, Requests
from hotline.store.tallies import Tally
from hotline.web.access import for_staff
from hotline.web.console.pages import ALL, page
from hotline.web.counting import counts
from hotline.web.doors import doors
from hotline.web.metrics import monitor

ops = Blueprint("ops", __name__)

EXTENSION = "hotline last minute"
DECISIONS = ("admit", "challenge", "slow", "message", "reject")
LANES = ("chair-attested", "chair", "unknown", "challenged", "slow")


@dataclass(frozen=True)
class Tile:
    """One county: how many of its sites have reported, held ones among them, and how many should have by now."""

    name: str
    total: int
    reported: int
    held: int
    due: int

    @property
    def state(self) -> str:
        """A word beside the figures: "done", "late" (under half of what is due), or none."""
        if self.reported == self.total:
            return "done"
        return "late" if 2 * self.reported < self.due else ""


@ops.get("/ops/")
@for_staff(*ALL)
def wall() -> Response:
    """The page, with the figures of this moment in it."""
    return page("ops/wall.html", **_shown())


@ops.get("/ops/figures")
@for_staff(*ALL)
def figures() -> str:
    """What the page's script puts in place of what was there."""
    return render_template("ops/figures.html", **_shown())


def _shown() -> dict[str, Any]:
    now = monitor().figures()
    return {
        "now": now,
        "alerts": [(alert, int(age(alert.raised_at, now.at))) for alert in reversed(now.alerts)],
        "tiles": _tiles(now),
        "met": _met(now.minute),
        "a_minute": sum(now.minute.began.values()),
        "left": sorted(abandoned(now.lately).items(), key=lambda each: -each[1])[:6],
        "ended": sum(now.lately.ended.values()),
        "completed": completed(now.lately),
        "lengths": [_minutes(quantile(now.lately.seconds, share)) for share in (50, 95)],
        "webhooks": _webhooks(),
        "waits": {
            "jobs": int(age(now.gauges.jobs.oldest_at, now.at)),
            "held": int(age(now.gauges.held.oldest_at, now.at)),
            "call_backs": int(age(now.gauges.call_backs.oldest_at, now.at)),
            "unsealed": int(age(now.gauges.unsealed.oldest_at, now.at)),
        },
    }


def _tiles(now: Figures) -> list[Tile]:
    due: Mapping[str, float] = {}
    if not g.get("is_rehearsal", False):
        due = expected(doors().line.contest, doors().line.clock.now())
    return [
        Tile(name, counted["total"], counted["reported"] + counted["closed"], counted["held"], int(due.get(name, 0.0)))
        for name, counted in now.counties.items()
    ]


def _met(minute: Tally) -> list[tuple[str, list[int]]]:
    """Calls of the last minute: a row a lane, a figure a decision."""
    counted: dict[tuple[str, str], int] = {}
    for each, count in minute.began.items():
        counted[each.lane, each.decision] = counted.get((each.lane, each.decision), 0) + count
    return [(lane, [counted.get((lane, word), 0) for word in DECISIONS]) for lane in LANES]


def _webhooks() -> Requests:
    """Requests of the last minute on this machine; fewer right after somebody opened the wall."""
    made: LastMinute = current_app.extensions.setdefault(EXTENSION, LastMinute(doors().line.clock))
    return made.of(counts().counted())


def _minutes(seconds: int | None) -> str:
    return "–" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"

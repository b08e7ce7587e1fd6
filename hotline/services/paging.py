"""Telling people of alerts: by text to telephones and to an address of theirs, each alert once.

Several alerts go in one message, and messages a minute apart, so that a bad night does not become a hundred texts. That
the database is away stands in no table; it is told all the same. A rehearsal tells nobody.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

import urllib3

from hotline.errors import NotRecorded
from hotline.services.line import Line
from hotline.store.alert_notices import AlertNotices
from hotline.store.alerts import Alert
from hotline.store.text import masked
from hotline.telephony.outbound import Carrier, CarrierBusy, CarrierRefused

APART_SECONDS = 60.0
AWAY_SECONDS = 15.0
"""How long the database may be away, as when it is started again, before somebody is told."""
LONGEST = 300
"""Characters: two texts of the carrier's, or three."""
PATIENCE = 5.0

log = logging.getLogger(__name__)

Post = Callable[[str, dict[str, str]], None]


class Pager:
    """Tells people; guards what is still to be told, when it last told, and since when the database is away."""

    def __init__(self, line: Line, carrier: Carrier | None, post: Post | None = None) -> None:
        self._line, self._carrier = line, carrier
        self._post = post or _post
        self._notices = AlertNotices(line.ledger.engine, line.clock)
        self._told_at: float | None = None
        self._away_since: float | None = None
        self._is_away_told = False

    def run(self) -> None:
        """Tell what is to be told now. To be called every few seconds."""
        if not self._has_ways():
            return
        now = self._line.clock.monotonic()
        try:
            untold = self._notices.untold()
            is_quiet = self._told_at is not None and now - self._told_at < APART_SECONDS
            self._away_since, self._is_away_told = None, False
            if not untold or is_quiet:
                return
            taken = [untold[number] for number in self._notices.take(list(untold))]
        except NotRecorded:
            self._without_database(now)
            return
        if taken:
            self._tell(words(self._line.contest.title, taken))

    def _has_ways(self) -> bool:
        settings = self._line.settings
        return bool(self._carrier and settings.alert_numbers) or settings.alert_url is not None

    def _without_database(self, now: float) -> None:
        self._away_since = now if self._away_since is None else self._away_since
        if now - self._away_since >= AWAY_SECONDS and not self._is_away_told:
            self._is_away_told = True
            self._tell(f"{self._line.contest.title}: the database does not answer. No report can be recorded.")

    def _tell(self, message: str) -> None:
        """In every way there is. One that fails is told in the log, and the others go on."""
        self._told_at = self._line.clock.monotonic()
        if self._carrier is not None:
            for number in self._line.settings.alert_numbers:
                try:
                    self._carrier.text(number, message)
                except (CarrierBusy, CarrierRefused) as trouble:
                    log.error("alert not told to %s: %s", masked(number), trouble)
        if self._line.settings.alert_url is not None:
            try:
                self._post(self._line.settings.alert_url, {"text": message})
            except urllib3.exceptions.HTTPError as trouble:
                log.error("alert not told to HOTLINE_ALERT_URL: %s", type(trouble).__name__)


def words(title: str, told: Collection[Alert]) -> str:
    """One message: how many alerts, and as many of them as fit, oldest first."""
    said = f"{title}: {len(told)} {'alert' if len(told) == 1 else 'alerts'}."
    for number, alert in enumerate(told):
        rest = len(told) - number
        more = f" And {rest} more."
        if len(said) + len(alert.text) + 2 + (len(more) if rest > 1 else 0) > LONGEST:
            return said + more
        said += f" {alert.text}."
    return said


def _post(url: str, message: dict[str, str]) -> None:
    """Raises urllib3's HTTPError; an answer that is not a yes is one."""
    with urllib3.PoolManager(retries=False, timeout=PATIENCE) as http:
        status = http.request("POST", url, json=message, redirect=False).status
    if status >= 300:
        raise urllib3.exceptions.HTTPError(f"answered {status}")

"""The screening policy in force: read when the line opens, and again whenever its file changes; every change on record.

A file that cannot be used changes nothing: the policy before stays in force and an alert stands until a good one comes.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import tomllib
from pathlib import Path

from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.screening import policy_file
from hotline.screening.policy_file import Policy
from hotline.store.alerts import Alerts
from hotline.store.conditions import NightConditions

LOOK_SECONDS = 1.0
ALERT = "policy"

log = logging.getLogger(__name__)


class PolicyInForce:
    """The last good policy; guards it and what the file looked like when it was read."""

    def __init__(self, file: Path, clock: Clock, conditions: NightConditions, alerts: Alerts) -> None:
        """Raises `SetupError` when the file cannot be used: there is no policy before it."""
        self._file, self._clock, self._conditions, self._alerts = file, clock, conditions, alerts
        self._looking = threading.Lock()
        self._seen = _looks(file)
        self._policy, self._digest = _read(file)
        self._looked_at: float | None = None

    @property
    def latest(self) -> Policy:
        """The policy as it was read last, without a look at the file: for who asks and does not judge."""
        return self._policy

    def now(self) -> Policy:
        """The policy to judge by. Looks at the file at most once a second, in one thread at a time."""
        last = self._looked_at
        if (last is None or self._clock.monotonic() - last >= LOOK_SECONDS) and self._looking.acquire(blocking=False):
            try:
                self._look(is_first=last is None)
            finally:
                self._looked_at = self._clock.monotonic()
                self._looking.release()
        return self._policy

    def _look(self, *, is_first: bool) -> None:
        if is_first:
            self._conditions.note_policy(self._policy.version, self._digest)
        seen = _looks(self._file)
        if seen == self._seen:
            return
        try:
            self._policy, self._digest = _read(self._file)
        except SetupError as problem:
            log.error("policy %s stays in force: %s", self._policy.version, problem)
            told = f"{self._file.name} cannot be used, policy {self._policy.version} stays in force: {problem}"
            self._alerts.raise_once(ALERT, told)
        else:
            self._conditions.note_policy(self._policy.version, self._digest)
            self._alerts.clear(ALERT)
        self._seen = seen


def _read(file: Path) -> tuple[Policy, str]:
    try:
        content = file.read_bytes()
        return policy_file.read(tomllib.loads(content.decode("utf-8"))), hashlib.sha256(content).hexdigest()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"{file} cannot be read: {error}") from error


def _looks(file: Path) -> tuple[int, int, int] | None:
    """What tells one content of the file from another without reading it; None when there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino

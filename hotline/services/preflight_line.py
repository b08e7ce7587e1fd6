"""This machine's side of the go-live check: what the line stands on, as it is right now."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import urllib3

from hotline.screening.policy_file import Policy
from hotline.services.line import Line
from hotline.services.monitoring import age
from hotline.services.preflight import Check, Look, Wanting, looked_at
from hotline.services.sealing import seals_of
from hotline.settings import NEEDED_SECRETS, Settings, missing_secrets
from hotline.store import queues
from hotline.store.durability import require_durable
from hotline.store.privileges import require_granted
from hotline.store.queue_health import workers_heard
from hotline.store.text import instant
from hotline.telephony.signature import HEADER, signed

WORKERS = 2
LOWEST_FREE, LEAST_BYTES = 20, 1 << 30
"""Per cent of a disk under which it is time to make room, and what must be left in any case."""
WAITS = 60.0
"""Seconds a job may be open; longer and nobody works on them."""
PATIENCE = 15.0
"""Seconds the carrier waits for an answer."""
LOCAL = ("127.0.0.1", "localhost", "::1")


def secrets(settings: Settings) -> Check:
    """Whether every secret of a real line is set."""
    if missing := missing_secrets(settings):
        fix = "Set them in the environment, each also as NAME_FILE; hotline up makes those that are not the carrier's"
        return Check("secrets", "fail", f"Not set: {', '.join(missing)}", fix)
    return Check("secrets", "pass", f"{len(NEEDED_SECRETS)} secrets are set")


class LineSide:
    """The checks of one open line."""

    def __init__(self, line: Line, redis_url: str | None) -> None:
        """`redis_url` is the line's own, the embedded one's where settings name none; None where there is none."""
        self._line, self._settings, self._redis_url = line, line.settings, redis_url

    def checks(self) -> Iterator[Check]:
        """Every check in turn."""
        looks: Sequence[tuple[str, Look]] = (
            ("contest", self._contest),
            ("database", self._database),
            ("disk", self._disk),
            ("redis", self._redis),
            ("workers", self._workers),
            ("jobs", self._jobs),
            ("pins", self._pins),
            ("numbers on file", self._on_file),
            ("policy", self._policy),
            ("seal", self._seal),
            ("people", self._people),
            ("own numbers", self._own_numbers),
            ("public address", self._public_address),
            ("signature", self._signature),
        )
        return looked_at(looks)

    def _contest(self) -> str:
        contest = self._line.contest
        if self._line.roster.is_rehearsal():
            raise Wanting(
                f"{self._settings.data} holds a rehearsal's calls and reports",
                "Start the real line on a folder or database of its own",
            )
        return f"{contest.title}: {len(contest.precincts):,} precincts"

    def _database(self) -> str:
        engine = self._line.ledger.engine
        require_granted(engine)
        require_durable(engine)
        return f"{engine.dialect.name}, ledger at {self._line.ledger.head():,}; a commit is on the disk when it says so"

    def _disk(self) -> str:
        told = []
        for folder in dict.fromkeys((self._settings.data, *self._settings.seal_folders)):
            use = shutil.disk_usage(_standing(folder))
            share = use.free * 100 // use.total
            if use.free < LEAST_BYTES or share < LOWEST_FREE:
                raise Wanting(
                    f"{share} % ({use.free / LEAST_BYTES:.1f} GiB) of the disk under {folder} is free",
                    "Make room: a full disk stops every confirmation (a whole night takes some 100 MB)",
                    is_fatal=use.free < LEAST_BYTES,
                )
            told.append(f"{share} % free under {folder}")
        return "; ".join(told)

    def _redis(self) -> str:
        with self._client() as client:
            queues.check_server(client)
        return "It answers, and keeps its jobs over a restart"

    def _workers(self) -> str:
        with self._client() as client:
            alive = workers_heard(client, self._line.clock.now())
        if alive < WORKERS:
            raise Wanting(
                f"{alive} workers are at work",
                "Start hotline worker, two or more, and hotline relay; hotline up starts them all",
            )
        return f"{alive} workers are at work"

    def _client(self) -> queues.Client:
        if self._redis_url is None:
            raise Wanting("REDIS_URL is not set", "Set it, or start hotline up, which brings its own")
        client = queues.client(self._redis_url)
        try:
            client.ping()
        except queues.Unreachable as away:
            fix = "Start it; calls go on without it, results wait"
            raise Wanting(f"Redis does not answer: {away}", fix) from away
        return client

    def _jobs(self) -> str:
        backlog, dead = self._line.outbox.backlog(), self._line.outbox.dead()
        if dead:
            raise Wanting(f"{len(dead)} jobs failed every time", "See hotline jobs list, then hotline jobs retry")
        if backlog.oldest_at is not None:
            waits = age(backlog.oldest_at, instant(self._line.clock.now()))
            if waits > WAITS:
                raise Wanting(
                    f"{backlog.depth} jobs are open, the oldest for {waits:.0f} s",
                    "Start hotline relay and hotline worker, or see why they do not get on: their logs say",
                )
        return f"{backlog.depth} jobs are open"

    def _pins(self) -> str:
        self._line.pins.require_peppers()
        missing = self._line.contest.precincts.keys() - self._line.pins.issued()
        if missing:
            raise Wanting(
                f"{len(missing):,} precincts have no PIN, {min(missing)} among them",
                "hotline pins issue --out pins.pdf, and get the packets to the chairs",
            )
        return f"All {len(self._line.contest.precincts):,} precincts have one"

    def _on_file(self) -> str:
        contest = self._line.contest
        missing = contest.precincts.keys() - self._line.roster.reachable()
        if missing:
            raise Wanting(
                f"{len(missing):,} of {len(contest.precincts):,} precincts have no number on file, such as "
                f"{min(missing)}: nobody there can be called back",
                "Put chairs.csv into the contest's folder and load it again",
                is_fatal=False,
            )
        return f"All {len(contest.precincts):,} precincts have one"

    def _policy(self) -> str:
        policy: Policy = self._line.policy.latest
        standing = [alert.text for alert in self._line.alerts.standing() if alert.kind == "policy"]
        if standing:
            raise Wanting(standing[0], f"Mend {self._settings.screening}; until then the last good one judges")
        return f"{policy.version} screens the calls"

    def _seal(self) -> str:
        folders = self._settings.seal_folders
        for folder in folders:
            if not os.access(_standing(folder), os.W_OK):
                raise Wanting(f"{folder} cannot be written", f"Give {folder} to the user the line runs as")
        behind = seals_of(self._line).behind()
        if behind:
            raise Wanting(f"{behind:,} events are not sealed yet", "Start hotline relay, which seals every second")
        devices = {_standing(folder).stat().st_dev for folder in folders}
        database = _standing(Path(self._line.ledger.engine.url.database or "/"))
        if len(folders) < 2 or (self._is_sqlite() and devices == {database.stat().st_dev}):
            raise Wanting(
                "The seal's heads are kept beside the database alone",
                "Name a folder on another machine's disk in HOTLINE_SEAL_FOLDERS, a colon between two",
                is_fatal=False,
            )
        return f"Heads are kept in {len(folders)} places"

    def _is_sqlite(self) -> bool:
        return self._line.ledger.engine.dialect.name == "sqlite"

    def _people(self) -> str:
        if not self._settings.staff_numbers:
            raise Wanting(
                "HOTLINE_STAFF_NUMBERS is empty: a caller who needs a person is promised a call-back",
                "Name the telephones of those on duty",
                is_fatal=False,
            )
        supervisors = [each for each in self._line.staff.listed() if each.role == "supervisor" and not each.disabled_at]
        if len(supervisors) < 2:
            raise Wanting(
                f"{len(supervisors)} supervisors have an account, and a held report takes two people",
                "hotline staff add NAME --role supervisor",
            )
        return f"{len(self._settings.staff_numbers)} telephones, {len(supervisors)} supervisors"

    def _own_numbers(self) -> str:
        if not self._settings.numbers:
            raise Wanting(
                "HOTLINE_NUMBERS is empty: no call-back goes out, and every number that is called counts as printed",
                "Name the line's numbers, the one for call-backs first",
            )
        if not self._settings.capacity:
            raise Wanting(
                "HOTLINE_CAPACITY is not set: strangers are never asked to make room for chairs",
                "Set it to the calls at once that a rehearsal went well with",
                is_fatal=False,
            )
        return f"{len(self._settings.numbers)} numbers, {self._settings.capacity} calls at once"

    def _public_address(self) -> str:
        base = urlsplit(self._settings.public_base_url)
        if base.hostname in LOCAL:
            raise Wanting(
                f"PUBLIC_BASE_URL is {self._settings.public_base_url}, which the carrier cannot reach",
                "Set it to the address the carrier's console has, as in https://line.example.org",
            )
        if base.scheme != "https":
            raise Wanting(
                "PUBLIC_BASE_URL is not https: PINs would be sent in the open", "Put TLS in front of the line"
            )
        return self._settings.public_base_url

    def _signature(self) -> str:
        """A text's webhook, which records nothing: ours is answered, one signed with another token refused."""
        url = f"{self._settings.public_base_url}/messages/incoming"
        form = {"AccountSid": self._settings.account_sid or "", "Body": "preflight"}
        token = self._settings.auth_token or ""
        for whose, said, wanted in (("our", token, 200), ("a forged", f"{token}0", 403)):
            found = _asked(url, form, signed(said, url, form))
            if found != wanted:
                raise Wanting(
                    f"{url} answered {found} to {whose} signature",
                    "PUBLIC_BASE_URL must be the address the carrier calls, letter for letter, and the line behind it "
                    "must run with this TWILIO_AUTH_TOKEN and TWILIO_ACCOUNT_SID",
                )
        return "A signed request got through from outside, a forged one did not"


def _asked(url: str, form: dict[str, str], signature: str) -> int:
    headers = {HEADER: signature, "Content-Type": "application/x-www-form-urlencoded"}
    with urllib3.PoolManager(retries=False, timeout=PATIENCE) as http:
        try:
            return http.request("POST", url, body=urlencode(form), headers=headers, redirect=False).status
        except urllib3.exceptions.HTTPError as away:
            fix = "Check the name's DNS entry, the certificate, the proxy and the firewall"
            raise Wanting(f"{url} cannot be reached: {type(away).__name__}", fix) from away


def _standing(place: Path) -> Path:
    """The place itself, or the folder nearest to it that is there: what is missing is made when it is first needed."""
    whole = place.resolve()
    return next(each for each in (whole, *whole.parents) if each.exists())

"""A whole line on one machine: embedded Valkey, web, two workers and the relay, on one data folder.

`up` and `demo` run it. Order: the folder and the port are claimed, secrets made, the database brought to this version's
schema, a contest loaded when there is none; then Valkey, the relay, the workers, and the web part last, so that the
first call finds everything there. Valkey stops last.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import urllib3

from hotline import settings as settings_module
from hotline.clock import Clock
from hotline.commands import claim, named_contest
from hotline.commands.supervise import Part, Supervisor
from hotline.errors import SetupError
from hotline.settings import Settings
from hotline.store import embedded
from hotline.store.database import connect
from hotline.store.migrate import migrate
from hotline.store.pins import Peppers, Pins
from hotline.store.roster import Roster

WORKERS = 2
PATIENCE = 60.0
"""Seconds a part has to come up the first time."""
WEB_PROCESSES = "2"
"""Turns wait for one another only at the database; measured on two cores, a second process takes a sixth more."""


@dataclass(frozen=True)
class Stack:
    """A line that is up: its settings, where it answers on this machine, and who watches its parts."""

    settings: Settings
    url: str
    supervisor: Supervisor


@contextmanager
def started(
    data: Path | None,
    host: str,
    port: int,
    told: Callable[[str], None],
    *,
    is_rehearsal: bool = False,
    **overrides: str,
) -> Iterator[Stack]:
    """Run a line while the block lasts. `port` 0 takes any free one; `told` hears about parts that die.

    `overrides` are settings by their names. Without PUBLIC_BASE_URL, the carrier is taken to reach the line at the
    address it listens on. Raises SetupError when the folder or the port is taken, when a part does not come up, or when
    the database is a rehearsal's and this is not, or the other way round.
    """
    with ExitStack() as stack:
        folder = settings_module.load(None, HOTLINE_DATA=data, **overrides).data
        stack.enter_context(claim.folder(folder))
        listener = stack.enter_context(claim.port(host, port))
        url = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
        settings_module.ensure_secrets(folder)
        settings = _settled(data, url, overrides)
        _prepare(settings, is_rehearsal)
        valkey = None
        if settings.redis_url is None:
            valkey = embedded.in_folder(
                folder, Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hotline-")))
            )
            settings = replace(settings, redis_url=valkey.url)
        supervisor = Supervisor(folder / "logs", settings_module.handed_down(settings), Clock(), told)
        stack.callback(supervisor.stop)
        _start(supervisor, valkey, url, listener.fileno())
        yield Stack(settings, url, supervisor)


def _settled(data: Path | None, url: str, overrides: dict[str, str]) -> Settings:
    """The settings, the public address being ours unless somebody said otherwise."""
    settings = settings_module.load(None, HOTLINE_DATA=data, **overrides)
    is_default = settings.public_base_url == "http://127.0.0.1:8080"
    return replace(settings, public_base_url=url) if is_default else settings


def _prepare(settings: Settings, is_rehearsal: bool) -> None:
    """The database at this version's schema, every PIN's pepper at hand, and a contest in it."""
    engine = connect(settings.database_url, threads=1)
    try:
        migrate(engine)
        Pins(engine, Clock(), Peppers(settings.pepper or "", settings.pepper_previous)).require_peppers()
        roster = Roster(engine, Clock())
        if roster.is_rehearsal() != is_rehearsal:
            raise SetupError(
                f"{settings.data} holds {'no' if is_rehearsal else 'a'} rehearsal; name another with --data"
            )
        name = settings.contest or named_contest.DEFAULT
        loaded = roster.list_contests()
        if not loaded or (settings.contest and name not in {each.name for each in loaded}):
            roster.load_folder(named_contest.folder_of(name))
        if settings.contest:
            roster.activate(name)
    finally:
        engine.dispose()


def _start(supervisor: Supervisor, valkey: embedded.Embedded | None, url: str, listener: int) -> None:
    python = sys.executable
    if valkey is not None:
        supervisor.start(Part("valkey", valkey.command(), is_needed=True))
        _wait_for(supervisor, "valkey", valkey.answers)
    supervisor.start(Part("relay", (python, "-m", "hotline", "relay")))
    for number in range(1, WORKERS + 1):
        supervisor.start(Part(f"worker-{number}", (python, "-m", "hotline", "worker")))
    supervisor.start(
        Part(
            "web",
            (python, "-m", "hotline", "web", "--processes", WEB_PROCESSES, "--fd", str(listener)),
            passed=(listener,),
        )
    )
    with urllib3.PoolManager(retries=False, timeout=2) as http:
        _wait_for(supervisor, "web", lambda: _is_healthy(http, url))
    supervisor.watch()


def _wait_for(supervisor: Supervisor, name: str, is_up: Callable[[], bool]) -> None:
    """Until the part answers. Raises SetupError with the last line of its log when it dies or takes too long."""
    clock = Clock()
    deadline = clock.monotonic() + PATIENCE
    while not is_up():
        if supervisor.has_died(name) or clock.monotonic() > deadline:
            log = supervisor.log_of(name)
            said = log.read_text("utf-8", errors="replace").strip().splitlines()[-1:] or ["nothing"]
            raise SetupError(f"{name} did not come up; the last it said, in {log}: {said[0]}")
        clock.sleep(0.05)


def _is_healthy(http: urllib3.PoolManager, url: str) -> bool:
    try:
        return http.request("GET", f"{url}/healthz").status == 200
    except urllib3.exceptions.HTTPError:
        return False

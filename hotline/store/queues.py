"""The queues between the ledger and the workers: RQ 3 with JSON payloads, jobs queued by name.

Redis holds only what may be lost: the outbox knows every job, and the sweep queues again what was never acknowledged.
What the jobs do stands in `workers`; nothing here reads a payload.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Literal

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry as Reconnect
from rq import Queue, Retry, SimpleWorker
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus
from rq.scheduler import RQScheduler
from rq.serializers import JSONSerializer

from hotline.errors import SetupError

NAMES = ("confirm", "tabulate", "notify", "analytics")
"""Most urgent first: a worker empties an earlier queue before it looks at a later one."""

RETRY_AFTER = (1, 5, 15, 60, 300)
JOB_SECONDS = 60
RESULT_SECONDS = 86_400
WORKER_SECONDS = 30
MAINTENANCE_SECONDS = 10
MONITORING_SECONDS = 5
SILENT_AFTER = 3 * MONITORING_SECONDS
"""A started job whose worker has not said anything for so long has lost its worker."""

Client = redis.Redis
Unreachable = redis.RedisError
"""What any call here raises while Redis is away."""

Placed = Literal["queued", "duplicate"]

PASSING = "hotline.errors.NotRecorded"
"""What a job fails with while the database is away: no fault of its own, however often it happens."""


def client(url: str) -> Client:
    """A client for callers who must not wait: 250 ms, no second try, no handshake beyond the connection itself."""
    return Client.from_url(
        url,
        socket_timeout=0.25,
        socket_connect_timeout=0.25,
        retry=Reconnect(NoBackoff(), 0),
        protocol=2,
        driver_info=None,
    )


def blocking_client(url: str) -> Client:
    """A client for a worker, which waits for its next job; RQ sets the read timeout to suit."""
    return Client.from_url(url, socket_connect_timeout=2, retry=Reconnect(NoBackoff(), 0), protocol=2, driver_info=None)


def queue(name: str, connection: Client) -> Queue:
    """One of `NAMES`."""
    assert name in NAMES, name
    return Queue(name, connection=connection, serializer=JSONSerializer, default_timeout=JOB_SECONDS)


def place(connection: Client, name: str, job: str, function: str, args: Sequence[Any]) -> Placed:
    """Queue `function` (dotted name) under the id `job`, once: a job of that id that Redis still knows is left alone.

    Raises `Unreachable`.
    """
    try:
        queue(name, connection).enqueue_call(
            function,
            args=list(args),
            job_id=job,
            unique=True,
            description=job,
            result_ttl=RESULT_SECONDS,
            failure_ttl=RESULT_SECONDS,
            retry=Retry(max=len(RETRY_AFTER), interval=list(RETRY_AFTER)),
        )
    except DuplicateJobError:
        return "duplicate"
    return "queued"


def replace(connection: Client, name: str, job: str, function: str, args: Sequence[Any], now: datetime) -> Placed:
    """Queue a job whose work was never acknowledged, unless it waits in line or is being worked on at `now`.

    A job that failed for good, that finished without an acknowledgement, or that a dying worker took out of the queue
    and never started is forgotten and queued afresh. Raises `Unreachable`.
    """
    try:
        known = Job.fetch(job, connection=connection, serializer=JSONSerializer)
    except NoSuchJobError:
        return place(connection, name, job, function, args)
    if _is_alive(known, queue(name, connection), now):
        return "duplicate"
    known.delete()
    return place(connection, name, job, function, args)


def given_up(connection: Client, job: str) -> str | None:
    """What a job failed with that used up its tries, its last line; None for any other, and while it was not at fault.

    Raises `Unreachable`.
    """
    try:
        known = Job.fetch(job, connection=connection, serializer=JSONSerializer)
    except NoSuchJobError:
        return None
    if known.get_status(refresh=False) != JobStatus.FAILED:
        return None
    result = known.latest_result()
    said = (result.exc_string or "").strip().splitlines() if result else []
    last = said[-1] if said else "its worker died each time"
    return None if last.startswith(PASSING) else last


def forget(connection: Client, job: str) -> None:
    """Take a job out of Redis, whatever became of it. Raises `Unreachable`."""
    with suppress(NoSuchJobError):
        Job.fetch(job, connection=connection, serializer=JSONSerializer).delete()


def _is_alive(job: Job, line: Queue, now: datetime) -> bool:
    match job.get_status(refresh=False):
        case JobStatus.QUEUED:
            return line.get_job_position(job) is not None
        case JobStatus.SCHEDULED:
            return _is_due_soon(job, line, now)
        case JobStatus.STARTED if job.last_heartbeat is not None:
            # A word from the future is one from before the clock was set back: how old it is nobody knows.
            return abs((now - job.last_heartbeat.replace(tzinfo=UTC)).total_seconds()) < SILENT_AFTER
        case _:
            return False


def _is_due_soon(job: Job, line: Queue, now: datetime) -> bool:
    """Whether a job that failed will be tried again, and no later than the longest pause: the clock may have been
    set back since."""
    try:
        due: datetime = line.scheduled_job_registry.get_scheduled_time(job)
    except NoSuchJobError:
        return False
    return (due - now).total_seconds() <= max(RETRY_AFTER)


class Worker(SimpleWorker):
    """Takes jobs from every queue, most urgent first, and runs them in its own process.

    RQ's usual worker forks for each job: 14 ms of processor beside 9 ms of its own, for jobs of 3 ms, on machines that
    answer calls meanwhile. What the fork would buy is had otherwise: a job that hangs is stopped by an alarm after
    `JOB_SECONDS`, a worker that dies is started again by whoever supervises it, and the sweep queues its job again.
    """

    max_connection_wait_time = 5.0
    log_result_lifespan = False
    is_out_of_memory = False
    """A job found no memory: this process is spent, and the next job would find none either."""

    @property
    def was_told_to_stop(self) -> bool:
        """Whether `work` returned because of SIGTERM or SIGINT, and not because Redis went away."""
        return self._shutdown_requested_date is not None

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """RQ hands a failed job over, to be told in the log; it will be tried again by another."""
        if issubclass(exc_info[0], MemoryError):
            self.is_out_of_memory = self._stop_requested = True
        super().handle_exception(job, *exc_info)

    def subscribe(self) -> None:
        """Nothing: RQ's remote commands (stop a job, end a worker) are not used, and cost a thread each."""


def worker(url: str, name: str) -> Worker:
    """A worker for all queues; `Worker.work` runs until it is told to stop. Raises `Unreachable`."""
    connection = blocking_client(url)
    return Worker(
        [queue(each, connection) for each in NAMES],
        name=name,
        connection=connection,
        serializer=JSONSerializer,
        worker_ttl=WORKER_SECONDS,
        maintenance_interval=MAINTENANCE_SECONDS,
        job_monitoring_interval=MONITORING_SECONDS,
        default_result_ttl=RESULT_SECONDS,
        log_job_description=False,
    )


class Retries:
    """Moves failed jobs back into their queue when their next try is due.

    RQ would fork a scheduler of its own out of a worker; a process nobody watches. The relay runs this instead, and
    RQ's lock keeps two relays of different `name` from doing it at once; it is held for a minute, so a relay that is
    started again should have the name it had.
    """

    def __init__(self, url: str, name: str) -> None:
        self._scheduler = RQScheduler(
            NAMES, connection=client(url), interval=1, serializer=JSONSerializer, name=name, logging_level="WARNING"
        )

    def run(self) -> None:
        """Queue what is due. To be called about once a second. Raises `Unreachable`."""
        if self._scheduler.acquired_locks != set(NAMES):
            self._scheduler.register_birth()
            self._scheduler.acquire_locks()  # type: ignore[no-untyped-call]
        self._scheduler.heartbeat()  # type: ignore[no-untyped-call]
        self._scheduler.enqueue_scheduled_jobs()  # type: ignore[no-untyped-call]


def depths(connection: Client) -> dict[str, int]:
    """How many jobs wait in each queue. Raises `Unreachable`."""
    return {name: queue(name, connection).count for name in NAMES}


def check_server(connection: Client) -> None:
    """Refuse a Redis that would throw jobs away: when memory is short, when it is killed, or as a cluster (RQ needs
    one node). What a hosted Redis does not let us ask is taken to be as its makers set it.

    Raises SetupError saying what to set, or `Unreachable`, as well of one that is still reading what it kept: until it
    has, it says of itself that it keeps nothing.
    """
    facts: dict[str, Any] = connection.info()
    if facts.get("loading"):
        raise redis.BusyLoadingError("it is still reading what it kept")
    if facts.get("cluster_enabled"):
        raise SetupError("REDIS_URL: this is a cluster; the queues need a single node")
    policy = facts.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise SetupError(f"REDIS_URL: maxmemory-policy is {policy}; jobs would vanish. Set it to noeviction")
    if not facts.get("aof_enabled"):
        raise SetupError("REDIS_URL: appendonly is no; jobs would vanish with the server. Set it to yes")
    synced = _setting(connection, "appendfsync")
    if synced not in ("everysec", "always", None):
        raise SetupError(f"REDIS_URL: appendfsync is {synced}; jobs would vanish with the machine. Set it to everysec")


def _setting(connection: Client, name: str) -> str | None:
    """A setting of the server's, None where it does not let us ask."""
    try:
        found: Any = connection.config_get(name)
    except redis.ResponseError:
        return None
    value: str | None = found.get(name)
    return value

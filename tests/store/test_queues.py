"""Jobs are queued once, tried again, and queued anew when a worker or Redis lost them."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from hotline.errors import SetupError
from hotline.store import embedded, queues

JOB = "tab-00018-1-7"
NOW = datetime(2020, 2, 3, 19, 0, tzinfo=UTC)


def place(connection: redis.Redis, function: str = "test_queues.succeed") -> queues.Placed:
    return queues.place(connection, "tabulate", JOB, function, ["00018"])


def replace(connection: redis.Redis, now: datetime) -> queues.Placed:
    return queues.replace(connection, "tabulate", JOB, "test_queues.succeed", ["00018"], now)


def succeed(precinct: str) -> str:
    return precinct


def fail(precinct: str) -> None:
    raise ValueError(precinct)


def fetch(connection: redis.Redis) -> Job:
    return Job.fetch(JOB, connection=connection, serializer=JSONSerializer)


def test_the_same_job_twice_is_in_the_queue_once(connection: redis.Redis) -> None:
    assert [place(connection), place(connection)] == ["queued", "duplicate"]
    assert queues.depths(connection)["tabulate"] == 1


def test_a_job_carries_json_and_the_promised_limits(connection: redis.Redis) -> None:
    place(connection)
    job = fetch(connection)
    assert (job.args, job.timeout, job.result_ttl, job.retries_left, job.retry_intervals) == (
        ["00018"], 60, 86_400, 5, [1, 5, 15, 60, 300],
    )  # fmt: skip


def test_a_worker_takes_the_most_urgent_queue_first(valkey: embedded.Embedded, connection: redis.Redis) -> None:
    for name in reversed(queues.NAMES):
        queues.place(connection, name, name, "test_queues.succeed", [name])
    queues.worker(valkey.url, "w").work(burst=True, logging_level="WARNING")
    jobs = [Job.fetch(name, connection=connection, serializer=JSONSerializer) for name in queues.NAMES]
    assert sorted(jobs, key=lambda job: job.started_at or NOW) == jobs


def test_a_failed_job_waits_one_second_and_is_tried_again(
    valkey: embedded.Embedded, connection: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    place(connection, "test_queues.fail")
    queues.worker(valkey.url, "w").work(burst=True, logging_level="CRITICAL")
    assert fetch(connection).get_status() == JobStatus.SCHEDULED
    assert queues.depths(connection)["tabulate"] == 0
    time.sleep(1.1)  # RQ counts whole seconds: one second is up to one second
    queues.Retries(valkey.url, "relay").run()
    assert queues.depths(connection)["tabulate"] == 1


def test_two_relays_do_not_both_move_retries(valkey: embedded.Embedded, connection: redis.Redis) -> None:
    first, second = queues.Retries(valkey.url, "relay-1"), queues.Retries(valkey.url, "relay-2")
    first.run()
    second.run()
    assert first._scheduler.acquired_locks == set(queues.NAMES)
    assert second._scheduler.acquired_locks == set()


def test_a_job_that_waits_in_line_is_not_queued_again(connection: redis.Redis) -> None:
    place(connection)
    assert replace(connection, NOW) == "duplicate"


def test_a_job_a_dying_worker_took_out_of_the_line_is_queued_again(connection: redis.Redis) -> None:
    place(connection)
    connection.delete("rq:queue:tabulate")
    assert replace(connection, NOW) == "queued"
    assert queues.depths(connection)["tabulate"] == 1


def test_a_job_is_queued_again_when_its_worker_has_fallen_silent(connection: redis.Redis) -> None:
    place(connection)
    connection.delete("rq:queue:tabulate")
    fetch(connection).heartbeat(NOW, 60)
    fetch(connection).set_status(JobStatus.STARTED)
    assert replace(connection, NOW + timedelta(seconds=14)) == "duplicate"
    assert replace(connection, NOW + timedelta(seconds=16)) == "queued"


def test_a_word_from_the_future_keeps_no_job_waiting(connection: redis.Redis) -> None:
    """The clock was set back an hour after the worker's last word: nobody knows how old that is."""
    place(connection)
    connection.delete("rq:queue:tabulate")
    fetch(connection).heartbeat(NOW + timedelta(hours=1), 60)
    fetch(connection).set_status(JobStatus.STARTED)
    assert replace(connection, NOW) == "queued"


def test_a_try_put_off_by_a_wrong_clock_is_made_at_once(connection: redis.Redis) -> None:
    """The longest pause between two tries is five minutes; one an hour away was put there by a clock set back since."""
    place(connection)
    connection.delete("rq:queue:tabulate")
    fetch(connection).set_status(JobStatus.SCHEDULED)
    scheduled = queues.queue("tabulate", connection).scheduled_job_registry
    scheduled.schedule(fetch(connection), NOW + timedelta(minutes=5))
    assert replace(connection, NOW) == "duplicate"
    assert replace(connection, NOW - timedelta(hours=1)) == "queued"


def test_a_worker_without_memory_ends_and_its_job_is_tried_again(
    valkey: embedded.Embedded, connection: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """What follows would find no memory either: it stays in line for another worker."""
    queues.place(connection, "tabulate", JOB, "builtins.bytearray", [2**62])
    queues.place(connection, "analytics", "next", "test_queues.succeed", ["00018"])
    worker = queues.worker(valkey.url, "w")
    worker.work(burst=True, logging_level="CRITICAL")
    assert (worker.is_out_of_memory, worker.was_told_to_stop) == (True, False)
    assert fetch(connection).get_status() == JobStatus.SCHEDULED
    assert queues.depths(connection)["analytics"] == 1


@pytest.mark.parametrize("status", [JobStatus.FAILED, JobStatus.FINISHED])
def test_a_job_that_ended_without_an_acknowledgement_is_queued_again(
    connection: redis.Redis, status: JobStatus
) -> None:
    place(connection)
    connection.delete("rq:queue:tabulate")
    fetch(connection).set_status(status)
    assert replace(connection, NOW) == "queued"


def test_everything_is_queued_again_after_redis_was_wiped(connection: redis.Redis) -> None:
    place(connection)
    connection.flushall()
    assert replace(connection, NOW) == "queued"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("maxmemory-policy", "allkeys-lru", "maxmemory-policy is allkeys-lru; jobs would vanish. Set it to noeviction"),
        (
            "maxmemory-policy",
            "volatile-ttl",
            "maxmemory-policy is volatile-ttl; jobs would vanish. Set it to noeviction",
        ),
        ("appendonly", "no", "appendonly is no; jobs would vanish with the server. Set it to yes"),
        ("appendfsync", "no", "appendfsync is no; jobs would vanish with the machine. Set it to everysec"),
    ],
)
def test_a_redis_that_would_lose_jobs_is_refused(connection: redis.Redis, name: str, value: str, said: str) -> None:
    queues.check_server(connection)
    before = connection.config_get(name)[name]
    connection.config_set(name, value)
    try:
        with pytest.raises(SetupError, match=said):
            queues.check_server(connection)
    finally:
        connection.config_set(name, before)


def test_a_redis_that_still_reads_what_it_kept_is_waited_for(
    connection: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile it says that it keeps nothing; refused for that, a worker would end in the middle of a night."""
    said = {**connection.info(), "loading": 1, "aof_enabled": 0}
    monkeypatch.setattr(connection, "info", lambda: said)
    with pytest.raises(queues.Unreachable, match="still reading"):
        queues.check_server(connection)


def test_a_redis_that_does_not_let_its_settings_be_asked_will_do(
    connection: redis.Redis, valkey: embedded.Embedded
) -> None:
    """Hosted ones do not; what anybody may ask (memory policy, append-only file) is asked all the same."""
    connection.acl_setuser("guest", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-config"])
    guest = redis.Redis(unix_socket_path=str(valkey.socket), username="guest", password="any", protocol=2)
    try:
        with pytest.raises(redis.ResponseError):
            guest.config_get("appendfsync")
        queues.check_server(guest)
        connection.config_set("appendonly", "no")
        with pytest.raises(SetupError, match="appendonly is no"):
            queues.check_server(guest)
    finally:
        connection.config_set("appendonly", "yes")
        connection.acl_deluser("guest")
        guest.close()


def test_a_dead_redis_is_noticed_within_a_second(tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(queues.Unreachable):
        place(queues.client(f"unix://{tmp_path}/nobody.sock"))
    assert time.monotonic() - started < 1

"""The sealer: what is said is sealed within a second, and its head written down in two places."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from hotline.events.kinds import HeadcountGiven
from hotline.services.line import Line
from hotline.services.verification import verify
from hotline.store import heads, queues
from hotline.store.embedded import Embedded
from hotline.store.evidence import evidence
from hotline.store.seal import Signer, fingerprint
from hotline.store.seals import Seals
from tests.lines import SECRETS
from workers import sealer

SIGNER = Signer(SECRETS["HOTLINE_SEAL_KEY"])
KEY = fingerprint(SIGNER.public)


@pytest.fixture(autouse=True)
def no_heads(valkey: Embedded) -> None:
    """The Valkey of the tests is shared: nothing of an earlier one stands in it."""
    queues.client(valkey.url).delete(heads.LIST % KEY)


def kept(line: Line, valkey: Embedded) -> dict[str, list[tuple[int, str]]]:
    return {
        "folder": list(heads.in_folder(line.settings.seal_folders[0])),
        "Redis": list(heads.in_redis(queues.client(valkey.url), KEY)),
    }


def test_what_was_said_is_sealed_and_written_down(line: Line, valkey: Embedded) -> None:
    """Running beside the calls it seals as they come; stopped, it has sealed all; both places agree with it."""
    stopping = threading.Event()
    running = threading.Thread(target=sealer.run, args=(line, valkey.url, stopping))
    running.start()
    for number in range(30):
        line.ledger.append([HeadcountGiven("00013", number)])
    stopping.set()
    running.join(10)
    places = kept(line, valkey)
    with evidence(line.ledger.engine) as found:
        report = verify(found, SIGNER.public, places)
    assert (30, 0, []) == (report.events, report.unsealed, report.faults)
    assert places["folder"] == places["Redis"] != []


def test_many_events_share_a_link(line: Line, valkey: Embedded) -> None:
    """However fast events come, there is a link each half second and not one for each of them."""
    stopping = threading.Event()
    running = threading.Thread(target=sealer.run, args=(line, valkey.url, stopping))
    running.start()
    for number in range(300):
        line.ledger.append([HeadcountGiven("00013", number)])
    stopping.set()
    running.join(10)
    with evidence(line.ledger.engine) as found:
        report = verify(found, SIGNER.public, {})
    assert 300 == report.events
    assert report.links < 100


def test_a_place_that_fails_is_told_and_the_other_kept(
    line: Line, valkey: Embedded, caplog: pytest.LogCaptureFixture
) -> None:
    """A folder that cannot be written: Redis still gets the head, the log says which place failed."""
    Path(line.settings.seal_folders[0]).write_text("a file where the folder should be")
    line.ledger.append([HeadcountGiven("00013", 1)])
    seals = Seals(line.ledger.engine, line.clock, SIGNER)
    sealer.seal(line, seals, queues.client(valkey.url))
    head = seals.head()
    assert head is not None
    assert [(head.n, head.head)] == list(heads.in_redis(queues.client(valkey.url), KEY))
    assert [True] == [str(line.settings.seal_folders[0]) in record.message for record in caplog.records]


def test_a_line_a_crash_cut_is_passed_by(tmp_path: Path) -> None:
    """Half a line at the end of the file is no head, and no error."""
    whole = json.dumps({"n": 1, "head": "ab"})
    (tmp_path / heads.FILE).write_text(f'{whole}\n{{"n": 2, "he')
    assert [(1, "ab")] == list(heads.in_folder(tmp_path))

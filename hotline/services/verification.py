"""Is the ledger what it was when it was sealed? Worked out from the rows' content, believing no stored hash.

Three things are held against each other: the chain of links (numbers without a gap, each naming the head before it,
each signed), the events under each link, and the heads that were written down outside the database. The first two find
what was changed, removed, put in or moved; only the third finds that the end of both was cut off. What was written
after the newest link, a second's worth, is not sealed yet and is counted, not judged.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hotline.store.evidence import LINK, Broken, Evidence, Read
from hotline.store.seal import FIRST_HEAD, Leaf, Link, fingerprint, is_signed, leaf, root, unpacked

FIELDS = tuple(name for name in LINK if name not in ("rows", "head", "signature"))


_FAR = 2**63
"""Behind every number there can be."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: the table, its row (`seq` of an event, `n` of a seal; 0 for the whole), and in words."""

    table: Literal["events", "seals", "file"]
    row: int
    what: str


@dataclass
class Verification:
    """What was found; `faults` is empty when everything holds, else seals come before events.

    `events` and `links` were read and hold; `unsealed` events are newer than the newest link. `head` is that link's.
    """

    events: int = 0
    links: int = 0
    unsealed: int = 0
    head: str = FIRST_HEAD
    faults: list[Fault] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    @property
    def first(self) -> Fault:
        """The first bad row; only where there is one."""
        return self.faults[0]


@dataclass
class _Sealed:
    """What the links say must be there: leaves in order, and ranges whose list is not to be had."""

    leaves: deque[Leaf] = field(default_factory=deque)
    unlisted: list[range] = field(default_factory=list)
    heads: dict[int, str] = field(default_factory=dict)
    last: int = 0
    is_lost: bool = False
    """A link before the next one is missing or cannot be read: what lies between is passed over, not blamed."""


@dataclass(frozen=True)
class Behind:
    """What a verifier has behind it: links up to number `n`, the last event they cover, and the head of the last."""

    n: int = 0
    last: int = 0
    head: str = FIRST_HEAD


BEGINNING = Behind()


def verify(
    found: Evidence,
    public_key: str,
    heads: Mapping[str, Iterable[tuple[int, str]]],
    behind: Behind = BEGINNING,
) -> Verification:
    """Verify rows and links under a public key (hexadecimal), and against `heads`: (n, head) by where they are kept.

    What is found begins after `behind`.
    """
    report = Verification()
    sealed = _chain(found.links, public_key, report, behind)
    _rows(found.events, sealed, report)
    _outside(heads, sealed.heads, report)
    report.faults += [Fault("file", 0, complaint) for complaint in found.complaints]
    return report


def _chain(links: Iterator[Read], public_key: str, report: Verification, behind: Behind) -> _Sealed:
    """Walk the links and collect what they sealed."""
    sealed, before, place = _Sealed(last=behind.last), {behind.head}, behind.n
    for read in links:
        place += 1
        if isinstance(read, Broken):
            report.faults.append(Fault("seals", read.place or place, read.why))
            before = set()
            sealed.is_lost = True
            continue
        wrong = _wrong_link(read, place, before, sealed.last, public_key)
        if wrong:
            report.faults.append(Fault("seals", place, wrong))
        else:
            report.links += 1
            sealed.heads[place] = str(read["head"])
        sealed.is_lost |= read["n"] != place
        _collect(read, sealed)
        report.head = str(read["head"])
        before = {report.head, _head_of(read)}
        place = read["n"] if isinstance(read["n"], int) and read["n"] > place else place
    if sealed.is_lost:
        sealed.unlisted.append(range(sealed.last + 1, _FAR))
    return sealed


def _wrong_link(read: Mapping[str, Any], place: int, before: Collection[str], last: int, public_key: str) -> str:
    """What is wrong with the link that should be number `place`; "" when nothing is.

    `before` are the head before it as kept and as worked out: where they differ that link was named already. It is
    empty behind one that cannot be read.
    """
    try:
        link = Link(**{name: read[name] for name in FIELDS})
        head = link.head
        digests = [each.digest for each in unpacked(read["rows"])]
        listed = hashlib.sha256(read["rows"]).hexdigest()
    except (ValueError, TypeError) as error:
        return f"cannot be read: {error}"
    checks = (
        (link.n == place, f"is missing, or was moved: seal {link.n} stands in its place"),
        (listed == link.leaves, "its list of events was changed"),
        (head == read["head"], "was changed"),
        (not before or link.previous in before, "does not follow from the seal before it"),
        (bool(digests) and root(digests) == link.root and len(digests) == link.count, "its root is not its events'"),
        (link.first > last, "covers what the seal before it covers"),
        (link.key == fingerprint(public_key), f"was made with another key, {link.key}"),
        (is_signed(head, str(read["signature"]), public_key), "its signature is not by this key"),
    )
    return next((wrong for holds, wrong in checks if not holds), "")


def _head_of(read: Mapping[str, Any]) -> str:
    try:
        return Link(**{name: read[name] for name in FIELDS}).head
    except (ValueError, TypeError):
        return ""


def _collect(read: Mapping[str, Any], sealed: _Sealed) -> None:
    """What a link sealed. A list of leaves that was changed says nothing of the events: their range is passed over."""
    try:
        leaves = list(unpacked(read["rows"]))
        is_listed = hashlib.sha256(read["rows"]).hexdigest() == read["leaves"]
    except (ValueError, TypeError):
        leaves, is_listed = [], False
    if sealed.is_lost and isinstance(read["first"], int):
        sealed.unlisted.append(range(sealed.last + 1, read["first"]))
        sealed.is_lost = False
    if is_listed and leaves:
        sealed.leaves.extend(leaves)
        sealed.last = leaves[-1].seq
    elif isinstance(read["first"], int) and isinstance(read["last"], int):
        sealed.unlisted.append(range(read["first"], read["last"] + 1))
        sealed.last = max(sealed.last, read["last"])


def _rows(events: Iterator[Read], sealed: _Sealed, report: Verification) -> None:
    """Hold the rows, in the order they are kept, against the leaves that were sealed."""
    expected, reached = sealed.leaves, 0
    for read in events:
        seq = read.place if isinstance(read, Broken) else read["seq"]
        if not isinstance(seq, int) or seq <= reached:
            _damaged(read, expected, report)
            continue
        reached = seq
        while expected and expected[0].seq < seq:
            report.faults.append(Fault("events", expected.popleft().seq, "is missing"))
        if expected and expected[0].seq == seq:
            _one(read, expected.popleft(), report)
        elif any(seq in each for each in sealed.unlisted):
            continue
        elif seq <= sealed.last:
            report.faults.append(Fault("events", seq, "was put in, or moved here, after sealing"))
        else:
            report.unsealed += 1
    report.faults += [Fault("events", each.seq, "is missing") for each in expected]


def _one(read: Read, leaf_sealed: Leaf, report: Verification) -> None:
    try:
        wrong = read.why if isinstance(read, Broken) else "" if leaf(read) == leaf_sealed else "was changed"
    except ValueError as error:
        wrong = f"was changed: {error}"
    if wrong:
        report.faults.append(Fault("events", leaf_sealed.seq, wrong))
    else:
        report.events += 1


def _damaged(read: Read, expected: deque[Leaf], report: Verification) -> None:
    """A row without a number of its own: what is expected at its place is what was lost."""
    why = read.why if isinstance(read, Broken) else f"carries the number {read['seq']!r} now"
    report.faults.append(Fault("events", expected.popleft().seq if expected else 0, why))


def _outside(heads: Mapping[str, Iterable[tuple[int, str]]], known: Mapping[int, str], report: Verification) -> None:
    """Heads written down elsewhere must be the database's; one it does not have means that its end was cut off."""
    for where, kept in heads.items():
        for n, head in kept:
            if known.get(n) != head:
                gone = "is another one in the database" if n in known else "is not in the database, or was changed"
                report.faults.append(Fault("seals", n, f"{gone}; its head is kept in {where}"))
                break

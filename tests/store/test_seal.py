"""The seal's arithmetic: canonical rows, RFC 6962 trees, a chain no link can leave."""

from __future__ import annotations

import hashlib

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from hotline.store.seal import (
    FIRST_HEAD,
    Leaf,
    Signer,
    canonical,
    fingerprint,
    is_signed,
    leaf,
    linked,
    packed,
    root,
    unpacked,
)

ROW = {"seq": 7, "at": "t", "call": "CA1", "precinct": "00018", "kind": "HeadcountGiven", "version": None, "body": "{}"}
texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(st.sampled_from(sorted(ROW)), texts | st.integers(-(2**53) + 1, 2**53 - 1) | st.none()))
def test_canonical_rows_are_those_of_rfc_8785(plain: dict[str, object]) -> None:
    """The standard encoder and a library for all of RFC 8785 write the same bytes for what rows hold."""
    assert rfc8785.dumps(plain) == canonical(plain)


@pytest.mark.parametrize(
    "change", [{"seq": "7"}, {"seq": None}, {"version": "1"}, {"body": None}, {"at": 3}, {"body": "\ud800"}]
)
def test_what_is_no_row_has_no_leaf(change: dict[str, object]) -> None:
    """A value of another type, or text that is none, is refused and not hashed as something else."""
    with pytest.raises(ValueError, match=r"."):
        leaf({**ROW, **change})


def test_tree_is_that_of_rfc_6962() -> None:
    """The root of three leaves by hand: an odd one moves up, inner nodes are hashed under 0x01."""
    one, two, three = (hashlib.sha256(text).digest() for text in (b"1", b"2", b"3"))
    pair = hashlib.sha256(b"\x01" + one + two).digest()
    assert hashlib.sha256(b"\x01" + pair + three).hexdigest() == root([one, two, three])
    assert one.hex() == root([one])


def test_leaf_is_hashed_under_its_own_first_byte() -> None:
    """A leaf never passes for an inner node."""
    assert hashlib.sha256(b"\x00" + rfc8785.dumps(ROW)).digest() == leaf(ROW).digest


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=40, unique=True), st.data())
def test_root_tells_every_order_and_subset_apart(digests: list[bytes], data: st.DataObject) -> None:
    """Two leaves changing places, or one left out, is another root."""
    at, other = data.draw(st.lists(st.integers(0, len(digests) - 1), min_size=2, max_size=2, unique=True))
    swapped = list(digests)
    swapped[at], swapped[other] = digests[other], digests[at]
    assert root(digests) not in (root(swapped), root(digests[:at] + digests[at + 1 :]))


def test_leaves_come_back_as_they_were_packed() -> None:
    """Forty bytes a leaf; what is cut is refused."""
    leaves = [Leaf(3, b"a" * 32), Leaf(2**40, b"b" * 32)]
    assert leaves == list(unpacked(packed(leaves)))
    with pytest.raises(ValueError, match="cut"):
        unpacked(packed(leaves)[:-1])


def test_links_are_chained_and_signed() -> None:
    """The first names no head, the next the first's; only the right key's signature holds over the right head."""
    signer, other = Signer("a1" * 32), Signer("b2" * 32)
    first = linked([Leaf(1, b"a" * 32), Leaf(2, b"b" * 32)], None, "t", fingerprint(signer.public))
    second = linked([Leaf(5, b"c" * 32)], first, "t", fingerprint(signer.public))
    assert (1, 1, 2, 2, FIRST_HEAD) == (first.n, first.first, first.last, first.count, first.previous)
    assert (2, 5, 5, 1, first.head) == (second.n, second.first, second.last, second.count, second.previous)
    signature = signer.sign(second.head)
    assert is_signed(second.head, signature, signer.public)
    assert not is_signed(first.head, signature, signer.public)
    assert not is_signed(second.head, signature, other.public)
    assert not is_signed(second.head, "no hexadecimal", signer.public)

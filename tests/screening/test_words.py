"""A verdict in one sentence: decision, score, three reasons, and no telephone number."""

from __future__ import annotations

import re

import pytest

from hotline.screening.policy import judge
from hotline.screening.policy_file import FEATURES
from hotline.screening.signals import Conditions, Neighbours, Recent
from hotline.screening.verdict import Verdict
from hotline.screening.words import FEATURES as TOLD
from hotline.screening.words import sentence
from tests.screening.calling import NOW, mark, marked, policy

IOWA = policy()


@pytest.mark.parametrize(
    ("recent", "expected"),
    [
        (marked(), "Let in (score 0)."),
        (marked(is_on_file=True), "Let in (score 0): a number on file."),
        (marked("signed-in"), "Let in (score 0): a number that signed in tonight."),
        (
            marked("hung-up", "hung-up", is_withheld=True),
            "Challenged (score 35): two hang-ups within an hour, a withheld number.",
        ),
        (
            marked(*["hung-up"] * 9, "dead-air", "unknown-code", is_withheld=True),
            "Slowed (score 80): at least four hang-ups within an hour, one silence within an hour, a withheld number.",
        ),
        (
            marked(*["wrong-pin"] * 2, verstat="failed", is_on_file=True),
            "Challenged (score 60): a known number that may be forged, wrong PINs within an hour, "
            "the carrier's check of the number failed.",
        ),
        (
            marked("abusive"),
            "Slowed (score 100): nobody is rejected while the event is calm, "
            "found abusive by staff within twelve hours.",
        ),
        (
            Recent(
                NOW, tuple(mark("unknown-code", precinct=f"{n}") for n in range(5)), conditions=Conditions("attack")
            ),
            "Rejected (score 110): five precincts or more tried without success within an hour, "
            "five made-up precinct codes within an hour.",
        ),
        (
            Recent(NOW, tuple(mark("unknown-code", precinct=f"{n}") for n in range(3))),
            "Slowed (score 60): three made-up precinct codes within an hour, "
            "three precincts or more tried without success in a call.",
        ),
        (
            marked(neighbours=Neighbours(5), is_hurried=True, conditions=Conditions(threat="registered-only")),
            "Told of a call-back (score 35): the number called is guarded, "
            "a burst of bad calls from neighbouring numbers within ten minutes, "
            "calling again and again within ten minutes.",
        ),
        (marked(verstat="passed-C"), "Let in (score 10): a number the carrier cannot trace."),
        (marked(blocked_until=NOW.replace(year=2021)), "Rejected (score 0): blocked by staff."),
    ],
)
def test_sentence(recent: Recent, expected: str) -> None:
    """How many is told from the points; at a cap there were that many or more; reasons past the third are left out."""
    assert expected == sentence(judge(recent, IOWA), IOWA)


def test_every_feature_that_can_count_has_words() -> None:
    """A new feature without words would show its code to staff."""
    assert set(FEATURES) - {"AB-14"} == set(TOLD)


@pytest.mark.parametrize("code", sorted(TOLD))
def test_words_outlive_their_policy(code: str) -> None:
    """Told with another policy, or with one that has the feature off: still a sentence without a number in it."""
    verdict = Verdict("slow", "slow", 70, {code: 70}, (code,), "2019-1")
    off = policy({f"features.{code}.on": False})
    for told in (sentence(verdict, IOWA), sentence(verdict, off)):
        assert re.fullmatch(r"Slowed \(score 70\): [^.+]+\.", told)
        assert not re.search(r"[0-9]{4}", told)

"""Accounts and sessions on either database."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from pyotp import TOTP
from sqlalchemy import Engine

from hotline.errors import SetupError
from hotline.store.credentials import STEP_SECONDS, Vault, hashed, matches, new_password, step_of
from hotline.store.staff import PAIR, StaffAccounts
from tests.store.held import BOTH, KEY, HeldClock

on_both = pytest.mark.parametrize("url", BOTH, indirect=True)
SECRET_KEY = "a secret key of this test, 32 bytes and more"
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
"""The secret of RFC 6238's test values, "12345678901234567890"."""


@pytest.fixture
def accounts(engine: Engine, clock: HeldClock) -> StaffAccounts:
    return StaffAccounts(engine, clock, KEY, Vault(SECRET_KEY))


@on_both
def test_name_is_taken_once(accounts: StaffAccounts) -> None:
    """The second gets no password that would not work."""
    accounts.add("ana", "agent", "root")
    with pytest.raises(SetupError, match="has an account already"):
        accounts.add("ana", "supervisor", "root")
    assert [each.role for each in accounts.listed()] == ["agent"]


@on_both
def test_session_stands_until_it_is_ended(accounts: StaffAccounts, clock: HeldClock) -> None:
    """Opened, found by its token, ended; nothing else opens it."""
    accounts.add("ana", "agent", "root")
    attempt = accounts.reserve("ana", "127.0.0.1")
    assert attempt
    session = accounts.open_session("ana", attempt, "127.0.0.1")
    assert accounts.session(session.token) == session
    assert accounts.session("") is None
    assert accounts.session(session.mark) is None
    accounts.close_session(session)
    assert accounts.session(session.token) is None


@on_both
def test_parallel_guesses_are_counted(accounts: StaffAccounts) -> None:
    """Twenty at once: as many are judged as would be one after another."""
    judged: list[int | None] = []
    meeting = threading.Barrier(20)

    def guess() -> None:
        meeting.wait()
        judged.append(accounts.reserve("ana", "127.0.0.1"))

    guessing = [threading.Thread(target=guess) for _ in range(20)]
    for thread in guessing:
        thread.start()
    for thread in guessing:
        thread.join()
    assert len([each for each in judged if each is not None]) == PAIR


@on_both
def test_right_try_clears_the_pair(accounts: StaffAccounts) -> None:
    """Whoever mistyped before they got in has all tries again."""
    accounts.add("ana", "agent", "root")
    tries = [accounts.reserve("ana", "127.0.0.1") for _ in range(PAIR)]
    assert accounts.reserve("ana", "127.0.0.1") is None
    assert tries[-1]
    accounts.open_session("ana", tries[-1], "127.0.0.1")
    assert accounts.reserve("ana", "127.0.0.1") is not None


@on_both
def test_code_is_used_up_by_one_of_two(accounts: StaffAccounts, clock: HeldClock) -> None:
    """Two browsers with the same code in the same moment: one gets in."""
    made = accounts.add("ana", "agent", "root")
    step = int(clock.now().timestamp()) // STEP_SECONDS
    code, judged, meeting = TOTP(made.secret).generate_otp(step), [], threading.Barrier(2)

    def enter() -> None:
        meeting.wait()
        judged.append(accounts.judge("ana", made.password, code))

    entering = [threading.Thread(target=enter) for _ in range(2)]
    for thread in entering:
        thread.start()
    for thread in entering:
        thread.join()
    assert sorted(judged) == [False, True]


@pytest.mark.parametrize(("at", "code"), [(59, "287082"), (1111111109, "081804"), (20000000000, "353130")])
def test_codes_are_those_of_the_standard(at: int, code: str) -> None:
    """RFC 6238, appendix B, the last six of its eight digits."""
    assert step_of(SECRET, code, datetime.fromtimestamp(at, UTC)) == at // STEP_SECONDS
    assert step_of(SECRET, code, datetime.fromtimestamp(at + 90, UTC)) is None


def test_secret_is_opened_by_its_key_alone() -> None:
    """Under another key the account has to be reset, and that is said."""
    sealed = Vault(SECRET_KEY).seal(SECRET)
    assert SECRET not in sealed
    assert Vault(SECRET_KEY).open(sealed) == SECRET
    with pytest.raises(SetupError, match="hotline staff reset"):
        Vault(f"{SECRET_KEY}!").open(sealed)


def test_password_is_the_same_on_every_keyboard(clock: HeldClock) -> None:
    """A letter and its accent, typed as one or as two; no account has no password."""
    kept = hashed("caf\u00e9 at midnight")
    assert matches(kept, "cafe\u0301 at midnight")
    assert not matches(kept, "cafe at midnight")
    assert not matches(None, "")
    assert len({new_password(clock) for _ in range(100)}) == 100

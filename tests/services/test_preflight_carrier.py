"""The carrier's side of the go-live check, asked over HTTP of a carrier on this machine: each wrong set-up by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hotline.errors import SetupError
from hotline.services.preflight import Check
from hotline.services.preflight_carrier import CarrierSide, pointings
from hotline.settings import Settings, load
from hotline.telephony.account import Account
from tests.carrier import ELSEWHERE, OURS, CarrierApi, Near, number
from tests.lines import ACCOUNT, BASE, SECRETS, TOKEN

Wrong = Callable[[CarrierApi], None]


@pytest.fixture
def carrier() -> Iterator[CarrierApi]:
    api = CarrierApi()
    with api.serving():
        yield api


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load({}, HOTLINE_DATA=tmp_path, PUBLIC_BASE_URL=BASE, HOTLINE_NUMBERS=[OURS], **SECRETS)


def account(carrier: CarrierApi) -> Account:
    return Account(ACCOUNT, TOKEN, Near(carrier.server_address[1]))


def checked(settings: Settings, carrier: CarrierApi) -> dict[str, Check]:
    return {each.name: each for each in CarrierSide(settings, account(carrier)).checks()}


def test_account_that_is_ready_passes_every_check(settings: Settings, carrier: CarrierApi) -> None:
    """A full account with a Business profile, leave to call home, and a number that points here."""
    found = checked(settings, carrier)
    assert {name: each.status for name, each in found.items()} == dict.fromkeys(
        ("carrier", "clock", "carrier profile", "carrier dialing", f"number {OURS}"), "pass"
    )
    assert {method for method, _, _ in carrier.asked} == {"GET"}


def _of_number(**otherwise: object) -> Wrong:
    return lambda carrier: carrier.numbers.__setitem__(0, number(**otherwise))


@pytest.mark.parametrize(
    ("wrong", "name", "status", "said"),
    [
        (lambda c: setattr(c, "status", 401), "carrier", "fail", ("answered 401, error 20003", "TWILIO_AUTH_TOKEN")),
        (lambda c: c.account.update(status="suspended"), "carrier", "fail", ("is suspended", "open it again")),
        (lambda c: c.account.update(type="Trial"), "carrier", "fail", ("is a Trial one", "Upgrade")),
        (lambda c: c.profiles.clear(), "carrier profile", "fail", ("two to five calls at once", "Trust Hub")),
        (
            lambda c: c.permission.update(low_risk_numbers_enabled=False),
            *("carrier dialing", "fail", ("no call-back would go out", "Geographic Permissions")),
        ),
        (lambda c: setattr(c, "skew", timedelta(seconds=90)), "clock", "fail", ("s behind", "NTP")),
        (lambda c: setattr(c, "skew", timedelta(seconds=-90)), "clock", "fail", ("s ahead", "NTP")),
        (lambda c: c.numbers.clear(), f"number {OURS}", "fail", ("not one of the account's", "Buy or port it")),
        (_of_number(capabilities={"sms": True}), f"number {OURS}", "fail", ("takes no calls", "with Voice")),
        (
            _of_number(voice_url="https://demo.twilio.example/welcome"),
            *(f"number {OURS}", "fail", (f"https://demo.twilio.example/welcome, not {BASE}/voice/answer", "--apply")),
        ),
        (_of_number(voice_method="GET"), f"number {OURS}", "fail", ("voice method is GET, not POST", "--apply")),
        (_of_number(status_callback=None), f"number {OURS}", "fail", ("status callback is not set", "--apply")),
        (_of_number(sms_url=""), f"number {OURS}", "fail", ("text URL is not set", "--apply")),
        (_of_number(voice_fallback_url=""), f"number {OURS}", "fail", ("voice fallback URL is not set", "--apply")),
        (_of_number(trunk_sid="TK1"), f"number {OURS}", "fail", ("application or trunk is TK1, not empty", "--apply")),
        (
            _of_number(voice_fallback_url=f"{BASE}/voice/fallback"),
            *(f"number {OURS}", "warn", ("falls back on this very machine", "elsewhere")),
        ),
    ],
)
def test_wrong_set_up_is_told_apart(
    settings: Settings, carrier: CarrierApi, wrong: Wrong, name: str, status: str, said: tuple[str, str]
) -> None:
    """It is that check alone that does not pass, and it says what is so and what to do."""
    wrong(carrier)
    found = checked(settings, carrier)
    assert [each.name for each in found.values() if each.status != "pass"] == [name]
    assert found[name].status == status
    detail, fix = said
    assert detail in found[name].detail
    assert fix in found[name].fix


def test_carrier_out_of_reach_is_one_failed_check(settings: Settings) -> None:
    """Nothing else is asked of a carrier that does not answer."""
    gone = CarrierApi()
    gone.server_close()
    (found,) = CarrierSide(settings, account(gone)).checks()
    assert (found.name, found.status) == ("carrier", "fail")
    assert "did not answer: ConnectionError" in found.detail


def test_address_with_the_carriers_own_overrides_is_the_address(settings: Settings, carrier: CarrierApi) -> None:
    """Timeouts and retries stand in the fragment, which the carrier never sends."""
    _of_number(voice_url=f"{BASE}/voice/answer#rc=2&rp=all")(carrier)
    assert checked(settings, carrier)[f"number {OURS}"].status == "pass"


def test_numbers_are_pointed_here_only_when_it_is_meant(settings: Settings, carrier: CarrierApi) -> None:
    """Looking changes nothing; what is then set passes, keeps a fallback elsewhere, and no application."""
    _of_number(voice_url="https://old.example/x", voice_application_sid="AP1")(carrier)
    (found,) = pointings(settings, account(carrier))
    assert [name for name, _, _ in found.differs] == ["voice URL", "application or trunk"]
    assert {method for method, _, _ in carrier.asked} == {"GET"}
    account(carrier).point(found.number, found.to)
    assert checked(settings, carrier)[f"number {OURS}"].status == "pass"
    assert (carrier.numbers[0]["voice_fallback_url"], carrier.numbers[0]["voice_application_sid"]) == (ELSEWHERE, "")


def test_fallback_that_is_asked_for_takes_the_place_of_another(settings: Settings, carrier: CarrierApi) -> None:
    (found,) = pointings(settings, account(carrier), "https://elsewhere.example/f.xml")
    assert found.differs == [("voice fallback URL", ELSEWHERE, "https://elsewhere.example/f.xml")]
    account(carrier).point(found.number, found.to)
    assert carrier.numbers[0]["voice_fallback_url"] == "https://elsewhere.example/f.xml"


def test_number_of_another_account_stops_all_of_it(tmp_path: Path, carrier: CarrierApi) -> None:
    """A wrong number in the settings is no reason to set the others."""
    two = load({}, HOTLINE_DATA=tmp_path, PUBLIC_BASE_URL=BASE, HOTLINE_NUMBERS=[OURS, "+15155550198"], **SECRETS)
    with pytest.raises(SetupError, match=r"not numbers of this account: \+15155550198; nothing was changed"):
        pointings(two, account(carrier))


def test_line_without_numbers_has_none_to_point(tmp_path: Path, carrier: CarrierApi) -> None:
    none = load({}, HOTLINE_DATA=tmp_path, PUBLIC_BASE_URL=BASE, **SECRETS)
    with pytest.raises(SetupError, match="HOTLINE_NUMBERS is empty"):
        pointings(none, account(carrier))

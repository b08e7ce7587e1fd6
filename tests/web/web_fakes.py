"""A line whose services answer from a list, so that the doors are tested by themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from urllib.parse import urlencode

from hotline.caucus.contest import Units
from hotline.caucus.folder import read_contest
from hotline.clock import Clock
from hotline.errors import UnknownCall
from hotline.practice.signer import HEADER, sign
from hotline.settings import config_folder, load
from hotline.telephony.speech import read_prompts
from hotline.web.app import create_app

BASE = "https://line.example"
ACCOUNT = "AC" + "1" * 32
TOKEN = "t" * 16 + "u" * 16
SID = "CA" + "0a" * 16
FORM = "application/x-www-form-urlencoded"


@dataclass
class FakeIntake:
    """Remembers what it was asked; raises what it was told to."""

    asked: list = field(default_factory=list)
    trouble: Exception | None = None

    def _ask(self, name, inbound):
        if self.trouble:
            raise self.trouble
        self.asked.append((name, inbound))
        return f"<Response><Say>{name}</Say></Response>"

    def answer_call(self, line, call):
        return self._ask("answer", call)

    def take_turn(self, line, inbound):
        return self._ask("turn", inbound)

    def fallback(self, line, failure):
        return self._ask("fallback", failure)

    def leave_queue(self, line, left):
        return self._ask("left", left)

    def end_call(self, line, status):
        self._ask("ended", status)


def totals(**counts):
    """Figures per preference from (first, final, delegates, sde as a fraction in text, sde in decimals)."""
    names = ("first", "final", "delegates", "sde_exact", "sde")
    return {key: dict(zip(names, values, strict=True)) for key, values in counts.items()}


POLK = totals(Biden=(100, 120, 30, "3/2", "1.5000"), Sanders=(110, 115, 30, "3/2", "1.5000"))
STORY = totals(Biden=(50, 60, 10, "1/3", "0.3333"), Sanders=(40, 20, 0, "0/1", "0.0000"))
FINDING = {
    "code": "FINAL_EXCEEDS_FIRST",
    "severity": "hard",
    "precinct": "00018",
    "county": "Polk",
    "message": "Polk-01 <b>: final alignment 212 exceeds first alignment 198",
    "numbers": {"final": 212, "first": 198},
}
RESULTS = {
    "contest": "iowa-2020",
    "status": "unofficial-partial",
    "as_of": 81234,
    "at": "2020-02-04T03:14:05Z",
    "precincts": {"total": 220, "reported": 180, "held": 2, "closed": 1, "outstanding": 39},
    "totals": totals(Biden=(150, 180, 40, "11/6", "1.8333"), Sanders=(150, 135, 30, "3/2", "1.5000")),
    "counties": {
        "Polk": {
            "precincts": {"total": 177, "reported": 150, "held": 1, "closed": 1, "outstanding": 26},
            "totals": POLK,
            "findings": [FINDING],
            "chance": ["00026"],
        },
        "Black Hawk": {
            "precincts": {"total": 43, "reported": 30, "held": 1, "closed": 0, "outstanding": 13},
            "totals": STORY,
            "findings": [],
            "chance": [],
        },
    },
    "held_included": False,
}


TIE = {
    **FINDING,
    "code": "TIE_BY_CHANCE",
    "severity": "notice",
    "precinct": "00026",
    "message": "Polk, <script>alert(2)</script>: 2 outcomes are legal; settled by chance: Biden",
}
SITES = {
    "Polk": [
        {
            "code": "00018", "name": "Polk-01", "status": "held", "headcount": 198, "first": 198, "final": 212,
            "delegates": {"Biden": 3, "Sanders": 2}, "by_chance": False, "findings": [FINDING],
        },
        {
            "code": "00026", "name": "<script>alert(1)</script>", "status": "counted", "headcount": 1204, "first": 1200,
            "final": 1198, "delegates": {"Biden": 4}, "by_chance": True, "findings": [TIE, {**FINDING, "code": "X"}],
        },
        {
            "code": "00034", "name": "Polk-03", "status": "outstanding", "headcount": None, "first": None,
            "final": None, "delegates": {}, "by_chance": False, "findings": [],
        },
    ]
}  # fmt: skip


@dataclass
class FakePublication:
    """Publishes one document, and counts how often it was worked out."""

    document: dict = field(default_factory=lambda: RESULTS)
    sites: dict = field(default_factory=lambda: SITES)
    worked_out: int = 0
    trouble: Exception | None = None

    def night(self, line):
        if self.trouble:
            raise self.trouble
        self.worked_out += 1
        return "tonight"

    def results_of(self, contest, night):
        return self.document

    def sites_of(self, contest, night, area):
        return self.sites.get(area, [])

    def as_csv(self, results):
        return "preference,first\nBiden,150\n"


SMALL = SimpleNamespace(
    title="Iowa <Caucus>",
    by_key={key: SimpleNamespace(name=key, spoken=key) for key in ("Biden", "Sanders")},
    pools={},
    units=Units(),
    has_equivalents=True,
    rules=SimpleNamespace(chance="coin toss"),
    early_ballots={},
)


def shipped(name):
    """A contest that comes with the product."""
    folder = config_folder() / "contests" / name
    return read_contest({path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()})


def iowa():
    """The contest of the real roster."""
    return shipped("iowa-2020")


class Web:
    """The application on a fake line, and a carrier that signs."""

    def __init__(self, contest=None, secondary=None, base=BASE, secrets=None, intake=None):
        self.intake, self.publication = intake or FakeIntake(), FakePublication()
        ours = {"TWILIO_ACCOUNT_SID": ACCOUNT, "TWILIO_AUTH_TOKEN": TOKEN, "TWILIO_AUTH_TOKEN_SECONDARY": secondary}
        settings = load({}, PUBLIC_BASE_URL=base, **(secrets or ours))
        self.line = SimpleNamespace(
            settings=settings,
            prompts=read_prompts(config_folder() / "prompts"),
            clock=Clock(),
            contest=contest or SMALL,
        )
        self.app = create_app(self.line, self.intake, self.publication)
        self.client = self.app.test_client()

    def post(self, path, fields=None, *, token=TOKEN, url=None, signature=None, body=None, content_type=FORM, **extra):
        """A signed form; each part may be forged."""
        fields = {"CallSid": SID, "AccountSid": ACCOUNT, "From": "+15155550100"} | extra if fields is None else fields
        pairs = list(fields.items()) if isinstance(fields, dict) else fields
        signature = sign(token, url or BASE + path, pairs) if signature is None else signature
        return self.client.post(
            path,
            data=urlencode(pairs) if body is None else body,
            headers={HEADER: signature} if signature else {},
            content_type=content_type,
        )


def unknown_call():
    return UnknownCall("Call CA… was never answered here")

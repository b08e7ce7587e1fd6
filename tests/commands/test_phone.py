"""The practice phone in the terminal: plays entries, types, records, and says plainly what is wrong."""

from __future__ import annotations

import json
import threading
import tomllib

import pytest
from click.testing import CliRunner
from werkzeug.serving import make_server

from hotline.commands.phone import phone
from hotline.dialog.reply import Reply, Words
from hotline.errors import SetupError
from hotline.settings import ensure_secrets, read_secrets
from hotline.telephony.speech import Phrases
from hotline.telephony.twiml import twiml
from tests.web.web_fakes import Web

PROMPTS = {"en": Phrases("en", "en-US", "Polly.Joanna", {"q": "Question {n}. You keyed {keys}.", "bye": "Goodbye."})}


class Questions:
    """Intake that asks three questions, each telling what was keyed before, and says goodbye."""

    def __init__(self):
        self.callers, self.ended = [], []

    def answer_call(self, line, call):
        self.callers.append(call.caller)
        return self._ask(1, "nothing")

    def take_turn(self, line, inbound):
        if inbound.turn == 3:
            return twiml(Reply((Words("bye"),), None, "hang-up"), 0, PROMPTS)
        keys = inbound.heard.keys or "nothing"
        return self._ask(inbound.turn + 1, keys + (" and waited" if inbound.heard.timed_out else ""))

    def end_call(self, line, status):
        self.ended.append(status)

    @staticmethod
    def _ask(n, keys):
        return twiml(Reply((Words("q", {"n": n, "keys": keys}),), "digits"), n, PROMPTS)


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A line that asks the questions, with the data folder's own secrets: its URL, the folder and the intake."""
    for name in ("PUBLIC_BASE_URL", "HOTLINE_DATA", "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    ensure_secrets(tmp_path)
    secrets = read_secrets(tmp_path)
    server = make_server("127.0.0.1", 0, None, threaded=True)
    url = f"http://127.0.0.1:{server.server_port}"
    intake = Questions()
    server.app = Web(base=url, secrets=secrets, intake=intake).app
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield url, tmp_path, intake
    server.shutdown()
    thread.join()
    server.server_close()


def call(served, *options, typed=None):
    url, data, _ = served
    result = CliRunner().invoke(phone, ["--url", url, "--data", str(data), *options], input=typed)
    if result.exception:
        raise result.exception
    return result


def test_entries_are_played_and_told_as_json(served):
    """JSON lines of what was heard and keyed, and how it ended."""
    result = call(served, "--keys", "42 7, #", "--json")
    assert [
        {"heard": "Question 1. You keyed nothing."},
        {"keyed": "42#"},
        {"heard": "Question 2. You keyed 42."},
        {"keyed": "7"},
        {"heard": "Question 3. You keyed 7 and waited."},
        {"keyed": "#"},
        {"heard": "Goodbye."},
        {"ended": "line hung up"},
    ] == [json.loads(line) for line in result.stdout.splitlines()]


def test_used_up_entries_hang_up_and_the_line_hears_of_it(served):
    """The status callback closes the call."""
    result = call(served, "--keys", "42", "--from", "anonymous")
    assert "caller hung up" in result.stdout
    assert ([None], ["completed"]) == (served[2].callers, [status.status for status in served[2].ended])


def test_typed_lines_are_entries(served):
    """A mistyped one is asked again; the end of input hangs up."""
    result = call(served, typed="abc\n42\n\n")
    assert "'abc' cannot be pressed" in result.stderr
    assert "You keyed 42." in result.stdout
    assert "You keyed nothing and waited." in result.stdout
    assert "caller hung up" in result.stdout


def test_a_call_is_recorded(served, tmp_path):
    """As data the tests can play."""
    call(served, "--keys", "42 -", "--record", str(tmp_path / "a.call.toml"))
    turns = tomllib.loads((tmp_path / "a.call.toml").read_text("utf-8"))["turn"]
    assert ["42#", "-", "!"] == [turn["keys"] for turn in turns]
    assert ["Question 3. You keyed nothing and waited."] == turns[2]["heard"]


def test_keys_that_no_telephone_has(served):
    """Named before the call is placed."""
    with pytest.raises(SetupError, match="'twelve' cannot be pressed"):
        call(served, "--keys", "1 twelve")
    assert [] == served[2].callers


def test_nobody_there(served, monkeypatch):
    """One line saying what to do."""
    with pytest.raises(SetupError, match="no line answers at http"):
        call(("http://127.0.0.1:9", served[1], None), "--keys", "1")


def test_another_lines_folder(served, tmp_path):
    """The line refuses, and the phone says which folder it had."""
    other = tmp_path / "other"
    ensure_secrets(other)
    with pytest.raises(SetupError, match="refused the call"):
        call((served[0], other, None), "--keys", "1")


def test_a_folder_without_a_line(served, tmp_path):
    """Nothing was ever started there."""
    with pytest.raises(SetupError, match="no secrets"):
        call((served[0], tmp_path / "empty", None), "--keys", "1")


def test_a_public_address_is_signed_for(served, monkeypatch):
    """Behind a proxy the line has another name than the one the phone connects to."""
    monkeypatch.setenv("PUBLIC_BASE_URL", "https://elsewhere.example")
    with pytest.raises(SetupError, match="PUBLIC_BASE_URL"):
        call(served, "--keys", "1")

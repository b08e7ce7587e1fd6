"""`hotline phone`: a practice call to a running line, in the terminal or from a list of keys.

It is a telephone: nothing of the line itself is opened here, which is also why it rings at once. Only to be called
(`--answer`), a call-back is taken from the line's database, as its carrier would.
"""

from __future__ import annotations

import importlib
import json
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from hotline import settings
from hotline.clock import Clock
from hotline.errors import SetupError
from hotline.practice.call_back import called_back
from hotline.practice.document import Answer
from hotline.practice.interpreter import Brain, CallLog, Dialled, Entry, Post, Pressed, place_call
from hotline.practice.phone import over_http
from hotline.practice.players import player, pressed
from hotline.practice.recorder import as_call_file
from hotline.settings import Settings

LINE_NUMBER = "+15155550199"
HELP_AT_PROMPT = "Key digits, * and #; Enter adds the pound, a comma at the end leaves it out; - waits; ! hangs up."


@click.command()
@click.option("--from", "number", default="+15155550100", show_default=True, help="Who calls; anonymous for withheld.")
@click.option("--answer", metavar="NUMBER", help="Pick up the call-back that is due for this number on file.")
@click.option("--url", default="http://127.0.0.1:8080", show_default=True, help="Where the line answers.")
@click.option("--keys", help='Entries pressed one per question, e.g. "00018 12345678 1"; then hang up.')
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False, writable=True), help="Keep the call as data.")
@click.option("--json", "as_json", is_flag=True, help="The transcript as JSON lines.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The line's data folder.  [default: HOTLINE_DATA or ./hotline-data]",
)
def phone(  # noqa: PLR0913, PLR0917 - one for each option
    number: str, answer: str | None, url: str, keys: str | None, record: Path | None, as_json: bool, data: Path | None
) -> None:
    """Call the line: prints what is heard, sends what is keyed.

    One entry answers one question. The pound is added where it is missing: "42" and "42#" are the same, "42," is 42
    without a pound (time ends the answer), "#" the pound alone, "-" no key at all, "!" hangs up. When the entries of
    --keys are used up the phone is put down. Without --keys each line typed is an entry, and Ctrl-D hangs up.
    """
    brain = _brain(keys)
    found = settings.load(HOTLINE_DATA=data)
    dialled = _answered(found, answer) if answer else _dialled(found, number)
    log = _call(found, dialled, url.rstrip("/"), brain, _json_lines if as_json else _readable(keys is None))
    if record:
        record.write_text(as_call_file(log, answer or number), encoding="utf-8")


def _brain(keys: str | None) -> Brain:
    if keys is None:
        click.echo(HELP_AT_PROMPT, err=True)
        return _typed
    try:
        return player(keys.split())
    except ValueError as mistyped:
        raise SetupError(f"--keys: {mistyped}") from mistyped


def _dialled(found: Settings, number: str) -> Dialled:
    """A call to the line from `number`."""
    return Dialled(f"CA{Clock().token(16)}", _secrets(found)[0], number, LINE_NUMBER)


def _answered(found: Settings, number: str) -> Dialled:
    """A call of the line to `number`, picked up."""
    account, _ = _secrets(found)
    request: int = importlib.import_module("hotline.commands.call_backs").take(found, number)
    return called_back(f"CA{Clock().token(16)}", account, number, LINE_NUMBER, request)


def _secrets(found: Settings) -> tuple[str, str]:
    """The line's account and its token."""
    if not (found.account_sid and found.auth_token):
        raise SetupError(f"there are no secrets in {found.data}: start a line with hotline up, or name its --data")
    return found.account_sid, found.auth_token


def _call(found: Settings, dialled: Dialled, url: str, brain: Brain, listen: Callable[[Entry], None]) -> CallLog:
    """Place the call with the line's own account and token, for the address it takes as its own."""
    post = _first_must_answer(over_http(url, _secrets(found)[1]), url, found)
    return place_call(dialled, post, brain, base=_public(found, url), listen=listen)


def _public(found: Settings, url: str) -> str:
    """The address to sign for. A line that was told none takes the one it listens on."""
    untold = settings.load({}).public_base_url
    return url if found.public_base_url == untold else found.public_base_url


def _first_must_answer(post: Post, url: str, found: Settings) -> Post:
    """Say plainly what is wrong when the line is not there or does not know us, rather than play the carrier's apology.

    Once a call is under way the carrier's own rules hold.
    """
    is_under_way = False

    def checked(address: str, fields: Mapping[str, str]) -> Answer:
        nonlocal is_under_way
        try:
            answer = post(address, fields)
        except ConnectionError as unreachable:
            if is_under_way:
                raise
            raise SetupError(f"no line answers at {url}: start one with hotline up, or name its --url") from unreachable
        if answer.status in (403, 404, 405) and not is_under_way:
            raise SetupError(
                f"the line at {url} refused the call ({answer.status}): name its data folder (now {found.data}) with "
                "--data, and set PUBLIC_BASE_URL as the line has it"
            )
        is_under_way = True
        return answer

    return checked


def _typed(_heard: str) -> Pressed:
    """The next line from the terminal; asked again until it can be pressed. Its end hangs up."""
    while True:
        try:
            line = input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            return None
        try:
            return pressed(line or "-")
        except ValueError as mistyped:
            click.echo(f"{mistyped}", err=True)


def _json_lines(entry: Entry) -> None:
    click.echo(json.dumps({entry.kind: entry.text}, ensure_ascii=False))


def _readable(is_typed: bool) -> Callable[[Entry], None]:
    """A transcript for people. What was typed stands in the terminal already."""

    def show(entry: Entry) -> None:
        match entry.kind:
            case "heard":
                click.echo(textwrap.fill(entry.text, 88, initial_indent="  ", subsequent_indent="  "))
            case "keyed" if not is_typed:
                click.echo(f"> {entry.text or '(silence)'}")
            case "ended":
                minutes, seconds = divmod(round(entry.at), 60)
                click.echo(f"({entry.text} after {minutes}:{seconds:02})")

    return show

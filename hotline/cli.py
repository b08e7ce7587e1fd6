"""The `hotline` command: which commands there are, and how an error that a person can mend is told.

What a command does stands in `commands`; its module is loaded when it is called, so that none waits for the others.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping

import click

from hotline.errors import FolderProblems, HotlineError

COMMANDS: Mapping[str, str] = {
    "demo": "hotline.commands.demo:demo",
    "rehearse": "hotline.commands.rehearse:rehearse",
    "up": "hotline.commands.up:up",
    "phone": "hotline.commands.phone:phone",
    "call-backs": "hotline.commands.call_backs:call_backs",
    "results": "hotline.commands.results:results",
    "checks": "hotline.commands.checks:checks",
    "contest": "hotline.commands.contest:contest",
    "pins": "hotline.commands.pins:pins",
    "preflight": "hotline.commands.preflight:preflight",
    "provision": "hotline.commands.preflight:provision",
    "site": "hotline.commands.site:site",
    "staff": "hotline.commands.staff:staff",
    "callers": "hotline.commands.callers:callers",
    "night": "hotline.commands.night:night",
    "jobs": "hotline.commands.jobs:jobs",
    "verify": "hotline.commands.verify:verify",
    "seal": "hotline.commands.verify:seal",
    "caucus": "hotline.commands.caucus:caucus",
    "bench": "hotline.commands.bench:bench",
    "web": "hotline.commands.web:web",
    "worker": "hotline.commands.parts:worker",
    "relay": "hotline.commands.parts:relay",
    "migrate": "hotline.commands.parts:migrate",
    "backup": "hotline.commands.backup:backup",
    "restore": "hotline.commands.backup:restore",
}
"""Command to "module:function", in the order of the help page: a night, a line, its numbers, its parts."""


class Commands(click.Group):
    """The table above as a click group."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Every command, in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name; its module is loaded now."""
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), function)
        assert isinstance(command, click.Command)
        return command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="hotline")
def hotline() -> None:
    """The phone line a party's caucus night can depend on."""


def main() -> None:
    """The console entry. What a person can mend is one line on stderr and exit code 2; a bug is a traceback."""
    try:
        hotline(prog_name="hotline")
    except FolderProblems as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        print(f"hotline: {len(error.problems)} problems; nothing was loaded", file=sys.stderr)
        sys.exit(2)
    except HotlineError as error:
        print(f"hotline: {error}", file=sys.stderr)
        sys.exit(2)

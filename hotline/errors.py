"""The errors this product raises on purpose, each saying whose fault it is.

A caller's slip is a dialog transition and numbers that do not add up are a `Finding`; neither is an exception.
What stands here is a bad request, a wrong set-up or a store that cannot keep its promise. `web/errors` turns them into
responses, `cli` into one line and exit code 2.
"""

from __future__ import annotations

from collections.abc import Sequence


class HotlineError(Exception):
    """Something went wrong that a person can mend; the message says what, where and what to do."""

    status = 500


class RequestRefused(HotlineError):
    """The request does not carry our carrier's signature or is not ours: answered 403, nothing written."""

    status = 403


class RequestUnreadable(HotlineError):
    """The request is signed but a field is missing or malformed: answered 400, nothing written."""

    status = 400


class UnknownCall(HotlineError):
    """A turn or a status for a call we never answered: answered 404, nothing written."""

    status = 404


class NotRecorded(HotlineError):
    """The store could not commit: the caller hears "not recorded yet", never a confirmation number."""

    status = 503


class SetupError(HotlineError):
    """A setting, a secret or a folder is missing or wrong; the start stops here."""


class FolderProblems(HotlineError):
    """A contest folder or a worksheet file has bad rows. All of them are listed; nothing was loaded."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))

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


class SignInWanted(HotlineError):
    """The page is for staff and nobody is signed in: answered with the way to the sign-in."""

    status = 401


class SignInRefused(HotlineError):
    """A name, password or code was wrong; which of them is not said."""

    status = 401


class TooManyTries(HotlineError):
    """So many sign-ins failed that for a while none is judged."""

    status = 429


class NotPermitted(HotlineError):
    """Somebody is signed in whose role may not do this, or the form was not one of ours."""

    status = 403


class FormRefused(HotlineError):
    """A form cannot be taken as it was filled in; the message says what to change."""

    status = 422


class NotFound(HotlineError):
    """There is no such call, report or precinct."""

    status = 404


class Overtaken(HotlineError):
    """Somebody else has it, or did it first: the message says who and what stands now."""

    status = 409

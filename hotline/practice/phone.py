"""How a practice call's requests reach the line: over HTTP, or into the application in this process. Always signed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

import urllib3

from hotline.practice.document import Answer
from hotline.practice.interpreter import Post
from hotline.practice.signer import HEADER, sign

FORM = "application/x-www-form-urlencoded; charset=UTF-8"
READ_TIMEOUT = 15.0
"""Seconds; what the carrier itself waits for any answer."""


class Client(Protocol):
    """An application that can be asked without a network, such as Flask's test client."""

    def post(self, path: str, **request: Any) -> Any:
        """Answer one POST."""


def over_http(url: str, token: str, *, connections: int = 8) -> Post:
    """Requests to the server at `url`, signed for the public address each one names.

    Connections are kept and shared among threads. A server out of reach raises ConnectionError.
    """
    pool = urllib3.PoolManager(maxsize=connections, retries=False, timeout=urllib3.Timeout(5.0, read=READ_TIMEOUT))

    def post(public: str, fields: Mapping[str, str]) -> Answer:
        headers = {HEADER: sign(token, public, fields), "Content-Type": FORM}
        try:
            answer = pool.request(
                "POST", url.rstrip("/") + _target(public), body=urlencode(fields), headers=headers, redirect=False
            )
        except urllib3.exceptions.HTTPError as unreachable:
            raise ConnectionError(f"nothing answers at {url}: {unreachable}") from unreachable
        return Answer(answer.status, answer.headers.get("Content-Type", ""), answer.data.decode("utf-8", "replace"))

    return post


def in_process(client: Client, token: str) -> Post:
    """Requests into an application in this process, signed likewise."""

    def post(public: str, fields: Mapping[str, str]) -> Answer:
        answer = client.post(
            _target(public),
            data=urlencode(fields),
            headers={HEADER: sign(token, public, fields)},
            content_type=FORM,
        )
        return Answer(answer.status_code, answer.content_type or "", answer.get_data(as_text=True))

    return post


def _target(public: str) -> str:
    parts = urlsplit(public)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path

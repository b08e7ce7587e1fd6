"""Whose address a request comes from, where a reverse proxy stands before the line.

Only a proxy that the settings name is believed, and of its X-Forwarded-For only the last entry, the one it wrote: what
stands before that is whatever the client wrote.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from werkzeug.middleware.proxy_fix import ProxyFix

from hotline.setting_values import Network

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP")
"""What a proxy leaves in a request that it passes on."""


class BehindProxies:
    """Passes requests to `app`, those of a proxy with their client's address."""

    def __init__(self, app: WSGIApplication, proxies: Collection[Network]) -> None:
        self._app, self._proxies = app, proxies
        self._forwarded = ProxyFix(app, x_for=1, x_proto=0, x_host=0)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """One request."""
        app = self._forwarded if is_among(environ.get("REMOTE_ADDR", ""), self._proxies) else self._app
        return app(environ, start_response)


def is_among(address: str, networks: Collection[Network]) -> bool:
    """Whether an address as text is in one of the networks; one that is none is in none."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return any(found in each for each in networks)

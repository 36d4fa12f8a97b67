"""Whether a request was meant for this service: the name in ``Host``, and the page in ``Origin``.

A page of another site can make a browser send requests here. It cannot hide its origin; but if its own name is made to resolve
to this machine (DNS rebinding), the browser takes the service for a part of that site. Then ``Host`` has that name. An address
in figures cannot be made to resolve to anything, so every one of those may stand in ``Host``.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from sudoku_cp.service.settings import Settings


class MeantForUs:
    """Checks the ``Host`` and the ``Origin`` of requests."""

    def __init__(self, settings: Settings) -> None:
        """Take the names and the origins that the service answers to."""
        self._names = {"localhost", settings.host.lower(), *(name.lower() for name in settings.host_names)}
        self._origins = {origin.lower().rstrip("/") for origin in settings.origins}

    def check(self, host: str, origin: str | None) -> None:
        """Raise a `HttpProblem` unless the service goes by the name, and pages of the origin may ask."""
        name = host_name(host)
        if name not in self._names and not _is_address(name):
            raise HttpProblem("host-unknown", f"expected the address of the service or a name that it goes by, got {name!r:.80}")
        if origin is None:
            return
        same = origin.lower().partition("://")[2] == host.lower()
        if not same and origin.lower() not in self._origins:
            raise HttpProblem(
                "origin-unknown", f"expected a page of this service or of an origin that it allows, got {origin!r:.80}"
            )


def host_name(host: str) -> str:
    """Return the name or address in a ``Host`` field, without its port and brackets."""
    name, _, port = host.rpartition(":")
    bare = name if name and port.isdigit() and (":" not in name or name.endswith("]")) else host
    return bare.strip("[]").lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

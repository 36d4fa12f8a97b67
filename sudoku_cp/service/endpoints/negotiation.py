"""What a client says about the answer that it wants: ``Accept``, ``Prefer``, ``Idempotency-Key``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from starlette.requests import Request

LONGEST_KEY = 200
"""Characters of an idempotency key, at most."""
_WEIGHT = re.compile(r"[01](?:\.\d{0,3})?", re.ASCII)


class _MediaRange(NamedTuple):
    """A media type that a client takes, or a group of them, and how much it likes them: from 0 to 1."""

    name: str
    weight: float


def require_accepted(request: Request, *media_types: str) -> str:
    """Return which of the media types the client likes best, the first among equals; raise a `HttpProblem` if it takes none."""
    accept = request.headers.get("accept", "*/*")
    ranges = sorted(map(_media_range, accept.lower().split(",")), key=lambda one: -one.weight)
    for wanted in ranges:
        for media_type in media_types:
            if wanted.weight > 0 and wanted.name in {"*/*", f"{media_type.partition('/')[0]}/*", media_type}:
                return media_type
    raise HttpProblem("not-acceptable", f"expected an Accept field that takes {' or '.join(media_types)}, got {accept!r:.80}")


def _media_range(piece: str) -> _MediaRange:
    """Return one piece of an Accept field (RFC 9110, 12.5.1); a weight that is no number is as good as none."""
    name, *parameters = (word.strip() for word in piece.split(";"))
    weights = [text.partition("=")[2] for text in parameters if text.startswith("q=")]
    return _MediaRange(name, float(weights[0]) if weights and _WEIGHT.fullmatch(weights[0]) else 1.0)


def prefers_async(request: Request) -> bool:
    """Return whether the client would rather have a job than wait (RFC 7240)."""
    preferences = ",".join(request.headers.getlist("prefer")).lower().split(",")
    return any(preference.partition(";")[0].strip() == "respond-async" for preference in preferences)


def idempotency_key(request: Request) -> str | None:
    """Return the idempotency key; raise a `HttpProblem` if it is too long."""
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise HttpProblem("bad-request", f"expected an Idempotency-Key of 1 to {LONGEST_KEY} characters, got {len(key)}")
    return key

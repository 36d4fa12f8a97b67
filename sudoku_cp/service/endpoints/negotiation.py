"""What a client says about the answer that it wants: ``Accept``, ``Prefer``, ``Idempotency-Key``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from starlette.requests import Request

LONGEST_KEY = 200
"""Characters of an idempotency key, at most."""


def require_accepted(request: Request, media_type: str) -> None:
    """Raise a `HttpProblem` if the client does not take this media type."""
    accept = request.headers.get("accept", "*/*")
    kind = media_type.partition("/")[0]
    for piece in accept.lower().split(","):
        name, _, parameters = piece.strip().partition(";")
        if name.strip() in {"*/*", f"{kind}/*", media_type} and parameters.replace(" ", "") not in {"q=0", "q=0.0"}:
            return
    raise HttpProblem("not-acceptable", f"expected an Accept field that takes {media_type}, got {accept!r:.80}")


def accepts_by_name(request: Request, media_type: str) -> bool:
    """Return whether the client names this media type among those that it takes."""
    pieces = request.headers.get("accept", "").lower().split(",")
    return any(piece.partition(";")[0].strip() == media_type for piece in pieces)


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

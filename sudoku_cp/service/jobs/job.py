"""What a job is: its states, its events, and its JSON."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

State: TypeAlias = Literal["queued", "running", "done", "failed", "cancelled", "expired"]
"""Where a job is in its life; ``expired``: its result has been deleted."""
ENDS = frozenset({"done", "failed", "cancelled"})
"""The events that are a job's last, named after the states that they report."""


@dataclass(frozen=True)
class Job:
    """A question with its body, and what has become of it. Times are seconds since 1970."""

    id: str
    verb: str
    body: bytes
    """The body as JSON; empty where only the state was asked for."""
    owner: str
    """Who asked: only they see the job."""
    made: float
    state: State = "queued"
    started: float | None = None
    ended: float | None = None
    starts: int = 0
    """How often a service has begun to work on it."""
    reason: str | None = None
    """Why it failed."""


@dataclass(frozen=True)
class Event:
    """Something that happened to a job: the ``number``-th, counted from 1. ``data`` is JSON."""

    number: int
    name: str
    data: str


def make_job_id() -> str:
    """Return a new id, which nobody can guess."""
    return secrets.token_urlsafe(16)


def job_path(job_id: str) -> str:
    """Return the path of a job's address."""
    return f"/v1/jobs/{job_id}"


def job_to_json(job: Job, events: int | None = None) -> dict[str, Any]:
    """Return what a client sees of a job; ``events`` is the number of its last event."""
    path = job_path(job.id)
    told = {
        "id": job.id,
        "verb": job.verb,
        "state": job.state,
        "made": _format_time(job.made),
        "started": _format_time(job.started),
        "ended": _format_time(job.ended),
        "reason": job.reason,
        "progress": events,
        "events": f"{path}/events",
        "result": f"{path}/result" if job.state == "done" else None,
    }
    return {name: value for name, value in told.items() if value is not None}


def _format_time(seconds: float | None) -> str | None:
    """Return a time as in RFC 3339, None for None."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")

"""How much a client may ask: sizes, seconds, and how often."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class ServiceLimits:
    """The limits of a service; ``sudoku-cp serve`` has a flag for most, and ``GET /v1/limits`` lists all of them."""

    body_bytes: int = 1_000_000
    """The largest body of a request about one puzzle."""
    list_bytes: int = 5_000_000
    """The largest body of a request that may be about many."""
    body_seconds: float = 30.0
    """Seconds for a body to arrive, from the end of its headers."""
    timeout_default: float = 10.0
    """Seconds for a question that names no ``timeout``."""
    timeout_most: float = 60.0
    """The longest ``timeout`` of a question that is not a job from the beginning."""
    job_seconds: float = 3600.0
    """The longest ``timeout`` of a job, and what it has if it names none."""
    queued_jobs: int = 1000
    """Jobs that wait or run, in all."""
    queue: int = 64
    """Questions that wait, for each worker."""
    requests_at_once: int = 20
    """Requests of one client in progress."""
    requests_a_minute: int = 600
    """Requests of one client in a minute."""
    streams_at_once: int = 20
    """Event streams of one client."""
    worker_bytes: int = 2 << 30
    """Memory of a worker."""
    questions_a_worker: int = 1000
    """Questions after which a worker is replaced."""

    def most_bytes(self, *, may_be_large: bool) -> int:
        """Return how large a body may be, which holds many puzzles or a certificate (``may_be_large``) or not."""
        return max(self.body_bytes, self.list_bytes) if may_be_large else self.body_bytes

    def to_json(self) -> dict[str, Any]:
        """Return the limits by their names."""
        return asdict(self)

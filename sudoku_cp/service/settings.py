"""The options with which a service is started."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sudoku_cp.grid import MAX_SIDE

# How much a client may ask: sizes, seconds, and how often.


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


PORT = 8080
"""The port that is tried first if none is asked for."""


def default_workers() -> int:
    """Return a worker for each processor that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_data() -> Path:
    """Return the folder for jobs where none is named: the user's, as the XDG base directory specification has it."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sudoku_cp" / "service"


@dataclass(frozen=True)
class Settings:
    """Where a service listens, whom it answers, and how much it does at a time."""

    host: str = "127.0.0.1"
    port: int | None = None
    """None: `PORT`, or the next one that is free."""
    ws_port: int | None = None
    """The port of the f-puzzles socket; None: there is none."""
    workers: int = field(default_factory=default_workers)
    data: Path = field(default_factory=default_data)
    cluster: str | None = None
    """The address of a Dask cluster for jobs; None: the workers here run them."""
    key_file: Path | None = None
    """Where the keys of clients are; None: nobody needs one."""
    origins: tuple[str, ...] = ()
    """Pages of other sites that may ask, such as ``https://example.org``."""
    host_names: tuple[str, ...] = ()
    """Names under which clients reach the service, besides its address."""
    compile_kernels: bool = True
    """Whether what common questions need is compiled in the background, where that has not been done on this machine."""
    drain_seconds: float = 0.0
    """How long the service goes on listening after SIGTERM, so that a load balancer can turn away from it."""
    limits: ServiceLimits = field(default_factory=ServiceLimits)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the service."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def ws_host(self) -> str:
        """Where the f-puzzles socket listens: it knows no keys, so where clients need one it is for this machine alone."""
        return self.host if self.is_local or self.key_file is None else "127.0.0.1"


# How large a question may be, and how much an answer lists.


MOST_SIDE = MAX_SIDE
"""Rows and columns of a board."""
MOST_CELLS = MOST_SIDE**2
"""Cells of all boards of a puzzle together."""
MOST_RULES = 2_000
"""Rules of a puzzle."""
MOST_NAMES = 100
"""Names in a list of techniques or scales."""
MOST_MARKS = 100
"""Candidates of a cell."""
MOST_FIELDS = 64
"""Fields of a body, known and unknown ones; puzzles and rules may have more."""
MOST_PUZZLES = 1_000
"""Puzzles of a call: made, or compared."""
MOST_SOLUTIONS = 1_000
"""Solutions that an answer lists; others are counted."""
MOST_NODES = 100_000
"""Guesses of a path tree."""
MOST_DEPTH = 64
"""Levels of arrays and objects of a body within each other."""
MOST_CERTIFICATE_FILES = 16
"""Files of a certificate."""
MOST_CERTIFICATE_BYTES = 64 << 20
"""Bytes of all files of a certificate together."""
MOST_CERTIFICATE_TEXT = 4_900_000
"""Characters of a certificate as it is sent, in base64: what ``prove`` answers fits into a body for ``verify``."""

SIZES: dict[str, int] = {
    "side": MOST_SIDE,
    "cells": MOST_CELLS,
    "rules": MOST_RULES,
    "puzzles": MOST_PUZZLES,
    "solutions": MOST_SOLUTIONS,
    "nodes": MOST_NODES,
    "depth": MOST_DEPTH,
    "certificate_files": MOST_CERTIFICATE_FILES,
    "certificate_bytes": MOST_CERTIFICATE_BYTES,
    "certificate_text": MOST_CERTIFICATE_TEXT,
}
"""The same by name, as ``GET /v1/limits`` lists them."""

"""The options with which a service is started."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from sudoku_cp.service.limits import ServiceLimits

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

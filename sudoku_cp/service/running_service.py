"""What the endpoints share: the settings, the pool, the jobs, and what is counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sudoku_cp.service.batching import SeriesMemory, SolveBatcher
from sudoku_cp.service.body_reading import BodyRoom
from sudoku_cp.service.problems import HttpProblem
from sudoku_cp.service.request_log import LogWriter, Metrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.service.jobs.job_runner import JobRunner
    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.questions import Listing, ServedQuestion
    from sudoku_cp.service.settings import Settings


@dataclass
class RunningService:
    """A service between its start and its end."""

    settings: Settings
    questions: Mapping[str, ServedQuestion]
    pool: Pool
    jobs: JobRunner
    batcher: SolveBatcher | None = None
    """Takes the plain grids that are to be solved and nothing more; None while the code for that is being compiled."""
    listings: Mapping[str, Listing] = field(default_factory=dict)
    metrics: Metrics = field(default_factory=Metrics)
    memory: SeriesMemory = field(default_factory=SeriesMemory)
    bodies: BodyRoom = field(default_factory=BodyRoom)
    log: LogWriter | None = None
    """What writes its log; None where somebody else does."""
    ready: bool = False
    """Whether the first worker has started."""
    closing: bool = False
    """Whether the service is to end."""

    def require_open(self) -> None:
        """Raise a `HttpProblem` if no new work is taken."""
        if self.closing:
            raise HttpProblem("closing", "the service is about to end; ask again in a moment", headers={"Retry-After": "5"})

    def close_door(self) -> None:
        """Take no new work, and report that to clients that ask whether the service is ready."""
        self.closing = True
        self.jobs.close_door()

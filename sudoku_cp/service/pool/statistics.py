"""What a pool has done, in plain numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.service.pool.tasks import Answered, Failed, Refused

if TYPE_CHECKING:
    from sudoku_cp.service.pool.tasks import Outcome


@dataclass
class PoolStatistics:
    """Tasks by what became of them, and workers, since the pool was started."""

    waiting: int = 0
    """Tasks in the queue now."""
    running: int = 0
    """Tasks with a worker now."""
    workers: int = 0
    """Processes now, spare ones among them."""
    done: int = 0
    """Tasks with any outcome; the fields below count each."""
    answered: int = 0
    refused: int = 0
    failed: int = 0
    deadline: int = 0
    nodes: int = 0
    cancelled: int = 0
    crashed: int = 0
    memory: int = 0
    rejected: int = 0
    """Tasks that were not taken because the queue was full."""
    handed_on: int = 0
    """Tasks whose worker was dead already, and which went to another."""
    put_back: int = 0
    """Times that a task had to leave the place which stays for short ones, to begin again later."""
    killed: int = 0
    """Workers that did not end their task on request."""
    lost: int = 0
    """Workers that ended unasked."""
    renewed: int = 0
    """Workers that were let go because they had done enough, had run out of memory, or were no longer needed."""

    def count(self, outcome: Outcome) -> None:
        """Count an outcome."""
        self.done += 1
        if isinstance(outcome, Answered):
            self.answered += 1
        elif isinstance(outcome, Refused):
            self.refused += 1
        elif isinstance(outcome, Failed):
            self.failed += 1
        else:
            setattr(self, outcome.reason, getattr(self, outcome.reason) + 1)

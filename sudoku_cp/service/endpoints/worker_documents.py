"""Documents that never change while the program runs: a worker makes each, once, when it is first asked for."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.service.pool.tasks import Answered, Failed, Refused
from sudoku_cp.service.problems import busy, problem_of_outcome
from sudoku_cp.service.question_runs import refused_as_busy

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.pool.tasks import Task

SECONDS = 60.0
"""How long a document may take; some load every engine."""


class Document(NamedTuple):
    """JSON as it is sent, and its entity tag."""

    content: bytes
    tag: str


class WorkerDocument:
    """A document that a worker makes, so that the service's own process loads neither engines nor models of answers."""

    def __init__(self, pool: Pool, task: Task, complete: Callable[[dict[str, object]], object] = lambda _: None) -> None:
        """Make nothing yet; ``task`` returns an object, to which ``complete`` adds what only this process knows."""
        self._pool, self._task, self._complete = pool, task, complete
        self._making = asyncio.Lock()
        self._known: Document | None = None

    async def read(self) -> Document:
        """Return the document; raise a `HttpProblem` if it cannot be made now."""
        async with self._making:
            if self._known is None:
                value = await self._make()
                self._complete(value)
                content = await asyncio.to_thread(lambda: json.dumps(value).encode())
                self._known = Document(content, f'"{hashlib.sha256(content).hexdigest()[:16]}"')
            return self._known

    async def _make(self) -> dict[str, object]:
        with refused_as_busy():
            running = self._pool.submit(self._task, deadline=asyncio.get_running_loop().time() + SECONDS)
        match await running.outcome():
            case Answered(value):
                made: dict[str, object] = value
                return made
            case Refused() | Failed() as outcome:
                raise problem_of_outcome(outcome)
            case _:
                raise busy("the document took too long to make", 5)

"""A question on its way through the pool."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sudoku_cp.service.pool.tasks import QueueFull
from sudoku_cp.service.problems import busy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from sudoku_cp.service.pool.running import Running
    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.pool.tasks import Outcome, Task

FIRST_LOOK = 0.05
"""Seconds before a question is worth watching whether its client is still there."""


def submit(pool: Pool, task: Task, deadline: float) -> Running:
    """Hand a task to the pool; raise a `HttpProblem` if it has no room."""
    with refused_as_busy():
        return pool.submit(task, deadline=deadline)


@contextmanager
def refused_as_busy() -> Iterator[None]:
    """Raise a `HttpProblem` where the pool has no room for a task."""
    try:
        yield
    except QueueFull as error:
        raise busy("expected a place in the queue of questions, got a full one", error.retry_after) from None


async def wait_for_outcome(running: Running, seconds: float, disconnected: Callable[[], Awaitable[object]]) -> Outcome | None:
    """Return the outcome; None if it does not come within so many seconds. The task is cancelled if the client goes away."""
    outcome = await running.outcome(min(seconds, FIRST_LOOK))
    if outcome is not None or seconds <= FIRST_LOOK:
        return outcome
    watch = asyncio.ensure_future(disconnected())
    result = asyncio.ensure_future(running.outcome(seconds - FIRST_LOOK))
    try:
        await asyncio.wait({watch, result}, return_when=asyncio.FIRST_COMPLETED)
        if not result.done():
            running.cancel()
        return await result
    finally:
        watch.cancel()
        result.cancel()

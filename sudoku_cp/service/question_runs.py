"""A question on its way: in the pool, or in a thread of the service for those that are quick and safe."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sudoku_cp.service.pool.tasks import Answered, QueueFull, Stopped, outcome_of_error
from sudoku_cp.service.problems import busy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from sudoku_cp.backends import Limits
    from sudoku_cp.service.pool.running import Running
    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.pool.tasks import Outcome, Task
    from sudoku_cp.service.questions import Question

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


async def run_in_process(question: Question, body: dict[str, Any], seconds: float) -> Outcome:
    """Run a question in a thread of this process."""
    control = _ThreadControl(seconds)
    try:
        return await asyncio.wait_for(asyncio.to_thread(_outcome, question, body, control), seconds)
    except TimeoutError:
        control.cancel.cancel()
        return Stopped("deadline")


class _ThreadControl:
    """What a question is given that runs in a thread: limits, and nobody who listens to items."""

    def __init__(self, seconds: float) -> None:
        from sudoku_cp.backends import Cancellation  # noqa: PLC0415  # the service is ready earlier

        self.cancel = Cancellation()
        self.known: Sequence[bytes] = ()
        self.learnt: bytes | None = None
        self._seconds = seconds

    def limits(self, nodes: int | None = None) -> Limits:
        from sudoku_cp.backends import Limits  # noqa: PLC0415  # as above

        return Limits(self._seconds, nodes, self.cancel)

    def emit(self, item: Any) -> None:
        del item


def _outcome(question: Question, body: dict[str, Any], control: _ThreadControl) -> Outcome:
    try:
        return Answered(question.run(body, control))
    except Exception as error:  # noqa: BLE001  # whatever it is, the caller is told
        return outcome_of_error(error)

"""A question on its way through the pool."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

from sudoku_cp.service.pool.tasks import Answered, Outcome, QueueFull, Running, Task
from sudoku_cp.service.problems import busy
from sudoku_cp.service.questions.declared_run import EncodedAnswer, UnknownAnswer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.questions import ServedQuestion

SMALL = 1 << 15
"""The most bytes of a body that is repeated in an answer here; larger ones are left to a worker."""
ECHO_SECONDS = 30.0
"""Seconds that a worker may take for that."""
FIRST_LOOK = 0.05
"""Seconds before a question is worth watching whether its client is still there."""


class Submit(Protocol):
    """How a pool takes a task."""

    def __call__(self, task: Task, *, deadline: float) -> Running:
        """Take a task that is to be answered by ``deadline``; raise `QueueFull` if there is no room."""


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


async def unknown_answer(
    submit: Submit, question: ServedQuestion, content: bytes, reason: str, seconds: float, report: Mapping[str, Any] | None = None
) -> EncodedAnswer:
    """Return the answer to a body, which is JSON, that a limit came first, after so many seconds and the last ``report``."""
    unknown = UnknownAnswer(question, reason, seconds, report)
    if len(content) > SMALL:
        with suppress(QueueFull):
            deadline = asyncio.get_running_loop().time() + ECHO_SECONDS
            outcome = await submit(Task(unknown, (content,), is_quick=True), deadline=deadline).outcome()
            if isinstance(outcome, Answered):
                answer: EncodedAnswer = outcome.value
                return answer
    return unknown(content)

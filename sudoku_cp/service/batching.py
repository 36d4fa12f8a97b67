"""Plain grids to be solved that wait at the same time go to a worker together: handing one over costs as much as solving it.

Theory of operation. There are never more batches in progress than the pool has workers. While there are fewer, a request goes at
once, alone: nobody waits for company. Otherwise it joins those that wait, and as soon as a batch comes back they go, up to `MOST`
at a time. To its caller each request is a `Running` like any other: it has its own deadline and can be cancelled, which costs the
others nothing. Whoever cannot be answered in a batch (`plain_grids`), or was in one that was lost, is asked alone.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict, deque
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.service.pool.tasks import Answered, Outcome, QueueFull, Running, Stopped, StopReason, Task, WorkerFunction
from sudoku_cp.service.questions.declared_run import EncodedRun

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.questions import ServedQuestion


MOST = 256
"""Grids in a batch, at most."""
MOST_WAITING = 16
"""Batches for each worker that may wait."""
RETRY_SECONDS = 0.05
"""Seconds until a request that was taken is offered again to a pool that was full."""
_SOLVE = WorkerFunction("sudoku_cp.service.questions.plain_grids", "solve_plain_grids")
_GRID = re.compile("[0-9.]{81}", re.ASCII)
_BODY = b'{"puzzle": "%b"}'
_GRID_PART = slice(_BODY.index(b"%"), -len(b'"}'))


def is_plain_grid(text: str) -> bool:
    """Return whether a text is a classic grid and nothing else: 81 characters, digits and dots, where 0 and a dot are blanks."""
    return _GRID.fullmatch(text) is not None


class SolveBatcher:
    """Plain grids on their way to the pool."""

    def __init__(self, pool: Pool, solve: Callable[..., Any]) -> None:
        """Send batches to ``pool``; ``solve`` is the function for one that is asked alone, a body as JSON."""
        self._pool, self._solve = pool, solve
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Running] = deque()
        self._sent_as: dict[Running, Running] = {}
        self._batches: dict[Running, list[Running]] = {}
        self.grids = self.batches = self.alone = 0
        """Grids taken, batches sent, and grids asked alone after a batch."""

    @property
    def waiting(self) -> int:
        """How many grids wait for a batch to come back."""
        return len(self._waiting)

    def submit(self, grid: str, *, deadline: float) -> Running:
        """Take a grid (see `is_plain_grid`) to be answered by ``deadline`` (of the loop's clock) with the object of ``solve``.

        Raises `QueueFull` if too many wait.
        """
        if len(self._waiting) >= MOST * MOST_WAITING * self._pool.workers:
            raise QueueFull(1.0)
        running = Running(Task(self._solve, (_BODY % grid.encode(),)), deadline, self._cancel)
        if len(self._batches) < self._pool.workers:
            self._send([running])
        else:
            self._waiting.append(running)
        self.grids += 1
        running.timer = self._loop.call_at(deadline, self._stop, running, "deadline")
        return running

    # --- batches ----------------------------------------------------------------------------------------------------

    def _send(self, members: list[Running]) -> None:
        """Send a batch; raise `QueueFull` if the pool does not take it."""
        grids = b"".join(member.task.arguments[0][_GRID_PART] for member in members)
        deadline = max(member.deadline for member in members)
        batch = self._pool.submit(Task(_SOLVE, (grids,)), deadline=deadline)
        self.batches += 1
        self._batches[batch] = members
        for member in members:
            member.carrier = batch
            self._sent_as[member] = batch
        batch.when_done(self._on_batch)

    def _send_waiting(self) -> None:
        """Send those that wait, if another batch may go."""
        while self._waiting and len(self._batches) < self._pool.workers:
            members = [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]
            try:
                self._send(members)
            except QueueFull:
                self._waiting.extendleft(reversed(members))
                self._try_later(self._send_waiting)
                return

    def _on_batch(self, batch: Running, outcome: Outcome) -> None:
        """Pass the answers of a batch on to its members, and send the next."""
        members = self._batches.pop(batch)
        for member, own in zip(members, _outcomes(outcome, len(members)), strict=True):
            self._sent_as.pop(member, None)
            if own is None:
                self._ask_alone(member)
            elif not member.done:
                member.settle(own)
        self._send_waiting()

    def _ask_alone(self, member: Running) -> None:
        """Ask for one grid that could not be answered in its batch."""
        if member.done:
            return
        try:
            running = self._pool.submit(member.task, deadline=member.deadline)
        except QueueFull:
            self._try_later(self._ask_alone, member)
        else:
            self.alone += 1
            self._sent_as[member] = member.carrier = running
            running.when_done(lambda _, outcome: self._on_single(member, outcome))

    def _on_single(self, member: Running, outcome: Outcome) -> None:
        self._sent_as.pop(member, None)
        if not member.done:
            member.settle(outcome)

    def _try_later(self, function: Callable[..., object], *arguments: Any) -> None:
        """Offer again what was taken here but not by the pool; a closed pool never will."""
        if self._pool.is_open:
            self._loop.call_later(RETRY_SECONDS, function, *arguments)
        else:
            for running in arguments or list(self._waiting):
                running.cancel()

    # --- members that leave -----------------------------------------------------------------------------------------

    def _cancel(self, member: Running) -> None:
        self._stop(member, "cancelled")

    def _stop(self, member: Running, reason: StopReason) -> None:
        """Settle a member early; its batch goes on for the others, and is cancelled if there are none."""
        if member.done:
            return
        member.settle(Stopped(reason))
        sent = self._sent_as.pop(member, None)
        if member in self._waiting:
            self._waiting.remove(member)
        elif sent is not None and all(other.done for other in self._batches.get(sent, ())):
            sent.cancel()


def _outcomes(outcome: Outcome, number: int) -> Sequence[Outcome | None]:
    """Return the outcome of each member of a batch; None for those to be asked alone, as nobody knows which of them lost it."""
    if isinstance(outcome, Answered):
        return [None if value is None else Answered(value) for value in outcome.value]
    is_over = isinstance(outcome, Stopped) and outcome.reason in {"cancelled", "deadline"}
    return [outcome if number == 1 or is_over else None] * number


# What workers learnt from the questions of a series, so that whichever of them answers the next one begins with it.
#
# A series is somebody's questions about a puzzle in the making, such as those with one name in ``known``. What was learnt is
# bytes to this process: workers alone know what is in them.


MOST_ANSWERS = 16
"""Answers of a series that are remembered: enough to undo a few steps."""
MOST_SERIES_BYTES = 1 << 20
"""Bytes of a series; all of them go to the worker with each question."""
MOST_BYTES = 64 << 20
"""Bytes of all series together; those not asked for longest are forgotten first."""


class SeriesMemory:
    """The last answers of each series, the newest first."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Begin with nothing, and keep ``most_bytes`` at most."""
        self._answers: OrderedDict[Hashable, deque[bytes]] = OrderedDict()
        self._most_bytes = most_bytes
        self.bytes = 0
        """Bytes kept now."""

    def task(self, question: ServedQuestion, content: bytes, known: str | None, client: str) -> Task:
        """Return the task of a client's question, a body as JSON, whose value is an `EncodedAnswer`.

        It belongs to a series if the client has a name for what is ``known``.
        """
        task = Task(EncodedRun(question.run), (content,), is_quick=question.is_quick)
        return task if known is None else self.join(task, (client, known))

    def join(self, task: Task, series: Hashable) -> Task:
        """Return a task that begins with what its series has learnt, and adds to that."""
        known = self._answers.get(series)
        if known is not None:
            self._answers.move_to_end(series)
        return replace(task, known=tuple(known or ()), keep=partial(self._keep, series))

    def _keep(self, series: Hashable, learnt: bytes) -> None:
        """Remember what a task has learnt, and forget the oldest where that is too much."""
        if len(learnt) > MOST_SERIES_BYTES:
            return
        answers = self._answers.setdefault(series, deque())
        self._answers.move_to_end(series)
        answers.appendleft(learnt)
        self.bytes += len(learnt)
        while len(answers) > MOST_ANSWERS or sum(map(len, answers)) > MOST_SERIES_BYTES:
            self.bytes -= len(answers.pop())
        while self.bytes > self._most_bytes:
            _, forgotten = self._answers.popitem(last=False)
            self.bytes -= sum(map(len, forgotten))

"""The in-flight window: chunks go out to a pool ahead of need, results come back in order, and no item is lost with a worker.

Theory of operation. The window is a queue of submitted chunks, at most ``1 + CHUNKS_PER_WORKER * workers`` of them, so memory
does not grow with the input. Its head is the chunk whose result is due next; results that are done out of order wait in their
futures. `completed_in_order` fills the window from the chunks, waits for the head (calling ``tick`` every `TICK` seconds, which
may raise to end the run), yields it, and repeats.

A lost worker (killed, out of memory) breaks a whole process pool, and nobody knows which chunk was to blame. So the window is
drained: results that are complete are kept, and the chunks without one are submitted again, each with nothing else in flight. A
chunk that loses its worker `ATTEMPTS` times in this way is guilty and is halved; a single item gets its result from
`ChunkTask.result_after_loss`. Any other error ends the run.

Invariants: chunks are submitted in input order; each item is yielded exactly once, in order; nothing new is submitted while a
lost chunk waits to run alone.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from sudoku_cp.batch.execution.worker_pool import C, ChunkTask, R, WorkerPool
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNKS_PER_WORKER = 3
"""Chunks in flight for each worker, so that none is idle while the head of the window is waited for."""
TICK = 0.1
"""Seconds between calls of ``tick`` while a result is waited for."""
ATTEMPTS = 2
"""How often a chunk may lose its worker, with nothing else in flight, before it is halved or given up."""


@dataclass
class _Submitted(Generic[C, R]):
    """A chunk and its future; None where it was lost and must be submitted again."""

    chunk: C
    future: Future[R] | None


class InFlightWindow(Generic[C, R]):
    """The chunks in flight."""

    def __init__(self, chunks: Iterator[C], pool: WorkerPool[C, R], task: ChunkTask[C, R], tick: Callable[[], None]) -> None:
        """Submit nothing yet. ``pool`` runs ``task`` on ``chunks``; ``tick`` is called while we wait, and may raise."""
        self._chunks = (part for chunk in chunks for part in split_chunk(chunk, pool.chunk_size(chunk)))
        self._pool, self._task, self._tick = pool, task, tick
        self._window: deque[_Submitted[C, R]] = deque()

    def completed_in_order(self) -> Iterator[tuple[C, R]]:
        """Yield every chunk with its result, in order."""
        while True:
            self._fill()
            if not self._window:
                return
            head = self._window[0]
            result = self._wait_for(head.future) if head.future else None
            if result is None:
                self._drain_after_worker_loss()
                yield from self._run_alone(head.chunk)
            else:
                yield head.chunk, result
            self._window.popleft()

    def _fill(self) -> None:
        """Submit chunks while there is room, unless lost ones must first run alone."""
        while len(self._window) < 1 + CHUNKS_PER_WORKER * self._pool.workers and all(one.future for one in self._window):
            chunk = next(self._chunks, None)
            if chunk is None:
                return
            self._window.append(_Submitted(chunk, self._submit(chunk)))

    def _submit(self, chunk: C) -> Future[R] | None:
        """Return the future of a chunk, None if the pool turns out to be broken."""
        try:
            return self._pool.submit(chunk)
        except Exception as error:
            if not self._pool.is_worker_loss(error):
                raise
            return None

    def _wait_for(self, future: Future[R]) -> R | None:
        """Return a result once it is there, None if its worker was lost."""
        while not wait([future], TICK).done:
            self._tick()
        try:
            return future.result()
        except CancelledError as error:  # by the cluster: we cancel nothing
            raise InvalidInput("expected workers that answer, got none: the whole cluster is lost") from error
        except Exception as error:
            if not self._pool.is_worker_loss(error):
                raise
            return None

    def _drain_after_worker_loss(self) -> None:
        """Wait for everything in flight, mark what was lost, and replace the workers."""
        for one in self._window:
            if one.future is not None and self._wait_for(one.future) is None:
                one.future = None
        self._pool.restart()

    def _run_alone(self, chunk: C) -> Iterator[tuple[C, R]]:
        """Yield the results of a chunk that runs alone; a chunk that loses every worker is halved, a single item given up."""
        stack = [chunk]
        while stack:
            part = stack.pop()
            result = self._try_alone(part)
            middle = len(part) // 2
            if result is not None:
                yield part, result
            elif middle:
                stack += reversed(list(part.slices([(0, middle), (middle, len(part))])))
            else:
                yield part, self._task.result_after_loss(part)

    def _try_alone(self, chunk: C) -> R | None:
        for _ in range(ATTEMPTS):
            future = self._submit(chunk)
            result = self._wait_for(future) if future else None
            if result is not None:
                return result
            self._pool.restart()
        return None


def split_chunk(chunk: C, size: int) -> Iterator[C]:
    """Yield a chunk in parts of at most ``size`` items."""
    if len(chunk) <= size:
        yield chunk
    else:
        yield from chunk.slices((start, min(start + size, len(chunk))) for start in range(0, len(chunk), size))

"""Worker pools behind one interface (PEP 3148 futures): threads and processes on this machine, or a Dask cluster.

A pool knows nothing of what a task does (see `ChunkTask`). A `LocalPool` runs in threads what releases the interpreter's lock,
and in processes all else; nothing is started before it is needed.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from sudoku_cp.errors import BackendMissing, InvalidInput
from sudoku_cp.interrupts import defer_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection

    from sudoku_cp.backends import Cancellation


class Chunk(Protocol):
    """Items of work, in order."""

    def __len__(self) -> int:
        """Return the number of items."""

    def slices(self, spans: Iterable[tuple[int, int]]) -> Iterator[Self]:
        """Yield the items of each span (start, stop)."""


C = TypeVar("C", bound=Chunk)
R = TypeVar("R")
_C_contra = TypeVar("_C_contra", bound=Chunk, contravariant=True)
_R_co = TypeVar("_R_co", covariant=True)


class ChunkTask(Protocol[_C_contra, _R_co]):
    """What is done with each chunk. Tasks, chunks and results can be pickled."""

    def run(self, chunk: _C_contra, cancel: Cancellation | None = None) -> _R_co:
        """Return the result for a chunk."""

    def runs_in_thread(self, chunk: _C_contra) -> bool:
        """Return whether a chunk stays in this process: its task releases the interpreter's lock, or it is too small to send."""

    def chunk_size(self, chunk: _C_contra, *, remote: bool) -> int:
        """Return how many items of a chunk are sent at a time to another process, or to another machine."""

    def result_after_loss(self, chunk: _C_contra) -> _R_co:
        """Return the result for an item that kills every worker."""


class WorkerPool(Protocol[_C_contra, R]):
    """Workers that run one task on chunks."""

    workers: int

    def chunk_size(self, chunk: _C_contra) -> int:
        """Return how many items of a chunk are sent at a time."""

    def submit(self, chunk: _C_contra) -> Future[R]:
        """Schedule a chunk."""

    def is_worker_loss(self, error: BaseException) -> bool:
        """Return whether an error means that a worker was lost, and not that the task failed."""

    def restart(self) -> None:
        """Replace lost workers."""

    def close(self, *, cancel: bool) -> None:
        """Stop the workers; with ``cancel`` in the midst of their work."""


def available_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_pool(task: ChunkTask[C, R], workers: int, cluster: str | None, cancel: Cancellation) -> WorkerPool[C, R]:
    """Return a pool that runs the task: on a Dask cluster if one is named, else on this machine."""
    return DaskPool(cluster, task) if cluster else LocalPool(task, workers, cancel)


def run_pickled(pickled: bytes) -> Any:
    """Return the result for a pickled task and chunk: one blob of bytes is the cheapest thing to send."""
    task, chunk = pickle.loads(pickled)  # noqa: S301  # written by the run that this worker belongs to
    return task.run(chunk)


# --- this machine -----------------------------------------------------------------------------------------------


class LocalPool(Generic[C, R]):
    """Threads for chunks that stay in this process, and processes for all others."""

    def __init__(self, task: ChunkTask[C, R], workers: int, cancel: Cancellation) -> None:
        """Start nothing yet. ``workers`` bounds threads and processes each; threads look at ``cancel``."""
        self._task, self._cancel = task, cancel
        self._threads: Executor | None = None
        self._processes: ProcessPoolExecutor | None = None
        self._started: Connection | None = None
        self.workers = workers

    def chunk_size(self, chunk: C) -> int:
        """Return how many items of a chunk are sent at a time."""
        return len(chunk) if self._task.runs_in_thread(chunk) else self._task.chunk_size(chunk, remote=False)

    def submit(self, chunk: C) -> Future[R]:
        """Schedule a chunk."""
        if self._task.runs_in_thread(chunk):
            self._threads = self._threads or ThreadPoolExecutor(self.workers)
            with defer_interrupts():
                return self._threads.submit(self._task.run, chunk, self._cancel)
        self._processes = self._processes or self._make_processes()
        with _importable_main(), defer_interrupts():
            return self._processes.submit(run_pickled, pickle.dumps((self._task, chunk)))

    def _make_processes(self) -> ProcessPoolExecutor:
        # Never a fork: threads of ours may hold any lock.
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        context = multiprocessing.get_context(method)
        self._started, started = context.Pipe(duplex=False)
        return ProcessPoolExecutor(self.workers, context, initializer=_initialize_worker, initargs=(started,))

    def is_worker_loss(self, error: BaseException) -> bool:
        """Return whether an error means that a worker was lost, and not that the task failed."""
        return isinstance(error, BrokenExecutor)

    def restart(self) -> None:
        """Replace lost workers; raises `InvalidInput` where none of them had started, as the next ones would not either."""
        if self._processes is None:
            return
        # Asked while the pool holds the other end of the pipe: once that is closed, a pipe nobody wrote to is readable too.
        started = self._started is not None and self._started.poll()
        self._processes.shutdown(wait=False, cancel_futures=True)
        self._processes = None
        if not started:
            raise InvalidInput(
                "expected worker processes that start, got none: each imports the script that starts them, "
                "so the script must make this call under if __name__ == '__main__':"
            )

    def close(self, *, cancel: bool) -> None:
        """Stop the workers; with ``cancel`` in the midst of their work."""
        if cancel:
            self._cancel.cancel()
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=cancel)
        if self._processes is not None:
            if cancel:
                _terminate_workers(self._processes)
            # Wait in any case: a pool that still shuts down when the interpreter does would be woken through a closed pipe.
            self._processes.shutdown(wait=True, cancel_futures=cancel)


def exit_if_worker_imports_main() -> None:
    """End this process if it is a worker whose script starts the run once more; `LocalPool.restart` says what is wrong."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):  # what multiprocessing itself looks at
        os._exit(1)


@contextmanager
def _importable_main() -> Iterator[None]:
    """Keep starting workers from importing a program that was read from standard input: it has no file."""
    main = sys.modules["__main__"]
    file = getattr(main, "__file__", None)
    if file is None or Path(file).exists():
        yield
        return
    del main.__file__
    try:
        yield
    finally:
        main.__file__ = file


def _terminate_workers(pool: ProcessPoolExecutor) -> None:
    """Terminate the workers of a pool, and no other process."""
    for worker in list((pool._processes or {}).values()):  # noqa: SLF001  # before Python 3.14 there is no other way
        worker.terminate()


def _initialize_worker(started: Connection) -> None:
    """Signal that this worker has started, ignore SIGINT (the parent handles it), and exit with the parent."""
    started.send_bytes(b"started")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this worker when its parent has ended, however that was."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# --- a cluster --------------------------------------------------------------------------------------------------


class DaskPool(Generic[C, R]):
    """The workers of a Dask cluster."""

    def __init__(self, address: str, task: ChunkTask[C, R]) -> None:
        """Connect to the scheduler at ``address``, or start workers on this machine (``local:4``)."""
        self._task = task
        self._cluster = DaskCluster(address)
        self.workers = self._cluster.workers

    def chunk_size(self, chunk: C) -> int:
        """Return how many items of a chunk are sent at a time."""
        return self._task.chunk_size(chunk, remote=True)

    def submit(self, chunk: C) -> Future[R]:
        """Schedule a chunk."""
        return self._cluster.submit(run_pickled, pickle.dumps((self._task, chunk)))

    def is_worker_loss(self, error: BaseException) -> bool:
        """Return whether an error means that more workers were lost than the cluster tolerates for one task."""
        return self._cluster.is_worker_loss(error)

    def restart(self) -> None:
        """Do nothing: the cluster replaces its workers itself."""

    def close(self, *, cancel: bool) -> None:
        """Disconnect, with ``cancel`` in the midst of the work; end workers that were started for this run."""
        self._cluster.close(wait=not cancel)


# A connection to a Dask cluster: functions go there, and come back as PEP 3148 futures.


class DaskCluster:
    """The workers behind a scheduler; ``workers`` is how many tasks they ran at a time when we connected."""

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at ``address``, or start workers on this machine (``local:4``)."""
        try:
            dask: Any = import_module("distributed")  # few need it, and it costs half a second
        except ImportError as error:
            raise BackendMissing(
                "expected the package distributed for a cluster (pip install 'sudoku_cp[cluster]'), got none"
            ) from error
        # Our own errors report what matters of its log, without the tracebacks.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._local_cluster: Any = None
        kind, _, number = address.partition(":")
        if kind == "local":
            if not number.isdecimal() or not int(number):
                raise InvalidInput(f"expected a cluster such as local:4 or tcp://host:8786, got {address!r}")
            self._local_cluster = dask.LocalCluster(
                n_workers=int(number), threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            )
        try:
            self._client = dask.Client(self._local_cluster or address, timeout=10)
        except (OSError, ValueError) as error:
            raise InvalidInput(f"expected the address of a Dask scheduler, got {address!r}: {error}") from error
        self._executor = self._client.get_executor()
        self._killed_worker = dask.KilledWorker
        self.workers = max(1, sum(self._client.nthreads().values()))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a worker call a function."""
        future: Future[Any] = self._executor.submit(function, *arguments)
        return future

    def call_on_all(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Have every worker call a function alongside its tasks, without waiting for it."""
        self._client.run(function, *arguments, wait=False, on_error="ignore")

    def on_event(self, topic: str, function: Callable[[Any], object]) -> None:
        """Have ``function`` called, in a thread of the connection, with what workers log under a topic."""
        self._client.subscribe_topic(topic, lambda event: function(event[1]))

    def is_worker_loss(self, error: BaseException) -> bool:
        """Return whether an error means that more workers were lost than the cluster tolerates for one task."""
        return isinstance(error, self._killed_worker)

    def close(self, *, wait: bool) -> None:
        """Disconnect, when the work is done or in the midst of it; end workers that were started for this connection."""
        self._executor.shutdown(wait=wait)
        self._client.close()
        if self._local_cluster is not None:
            self._local_cluster.close()


# The in-flight window: chunks go out to a pool ahead of need, results come back in order, and no item is lost with a worker.
#
# Theory of operation. The window is a queue of submitted chunks, at most ``1 + CHUNKS_PER_WORKER * workers`` of them, so memory
# does not grow with the input. Its head is the chunk whose result is due next; results that are done out of order wait in their
# futures. `completed_in_order` fills the window from the chunks, waits for the head (calling ``tick`` every `TICK` seconds,
# which may raise to end the run), yields it, and repeats.
#
# A lost worker (killed, out of memory) breaks a whole process pool, and nobody knows which chunk was to blame. So the window is
# drained: results that are complete are kept, and the chunks without one are submitted again, each with nothing else in flight.
# A chunk that loses its worker `ATTEMPTS` times in this way is guilty and is halved; a single item gets its result from
# `ChunkTask.result_after_loss`. Any other error ends the run.
#
# Invariants: chunks are submitted in input order; each item is yielded exactly once, in order; nothing new is submitted while a
# lost chunk waits to run alone.


CHUNKS_PER_WORKER = 3
"""Chunks in flight for each worker, so that none is idle while the head of the window is waited for."""
TICK = 0.1
"""Seconds between calls of ``tick`` while a result is waited for."""
ATTEMPTS = 2
"""How often a chunk may lose its worker, with nothing else in flight, before it is halved or given up."""


def _is_done(future: Future[Any]) -> bool:
    """Return whether a result is there, after a tick at most; an interrupt waits, as it might release a worker's lock."""
    with defer_interrupts():
        return bool(wait([future], TICK).done)


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
        while not _is_done(future):
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

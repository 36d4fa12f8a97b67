"""Worker pools behind one interface (PEP 3148 futures): threads and processes on this machine, or a Dask cluster.

A pool knows nothing of what a task does (see `ChunkTask`). A `LocalPool` runs in threads what releases the interpreter's lock,
and in processes all else; nothing is started before it is needed.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from sudoku_cp.batch.execution.dask_cluster import DaskCluster
from sudoku_cp.errors import InvalidInput
from sudoku_cp.interrupts import defer_interrupts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
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

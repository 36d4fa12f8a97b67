"""Who does the work: threads for the kernel, processes for all other engines, or a cluster; one seam (PEP 3148) for all."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any

from sudoku_cp.batch import lanes, work
from sudoku_cp.batch.pieces import Boards
from sudoku_cp.errors import BackendMissing, InvalidInput

if TYPE_CHECKING:
    from sudoku_cp.backends import Cancellation
    from sudoku_cp.batch.pieces import Piece
    from sudoku_cp.batch.tasks import Done, Task

PORTION, FAR_PORTION = 32, 1000
"""Records sent to a process, and to a cluster, at a time: few enough to be lost without regret, enough to be worth sending."""
AHEAD = 3
"""Pieces a worker has before it on average, so that none waits for the one whose turn it is to be written."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_for_kernel(piece: Piece, task: Task) -> bool:
    """Say whether the kernel takes every puzzle of a piece."""
    if task.several:
        return False
    if isinstance(piece, Boards):
        return lanes.suits(piece.grid, task.backend, task.amount)
    return all(entry.record.puzzle is None or work.suits(entry.record.puzzle, task) for entry in piece.entries())


class Here:
    """Threads for what suits the kernel, which lets go of the interpreter's lock, and processes for everything else."""

    def __init__(self, task: Task, workers: int, cancel: Cancellation) -> None:
        """Start nothing before it is needed."""
        self._task, self._cancel = task, cancel
        self._threads: Executor | None = None
        self._processes: ProcessPoolExecutor | None = None
        self.workers = workers

    def portion(self, piece: Piece) -> int:
        """Return how many records of a piece are sent at a time."""
        return len(piece) if self._stays(piece) else PORTION

    def submit(self, piece: Piece) -> Future[Done]:
        """Have a piece answered."""
        if self._stays(piece):
            self._threads = self._threads or ThreadPoolExecutor(self.workers)
            return self._threads.submit(work.answer, piece, self._task, self._cancel)
        if self._processes is None:
            # Never a fork: threads of ours may hold any lock.
            method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
            context = multiprocessing.get_context(method)
            self._processes = ProcessPoolExecutor(self.workers, context, initializer=_begin)
        return self._processes.submit(work.answer_packed, pickle.dumps((piece, self._task)))

    def _stays(self, piece: Piece) -> bool:
        """Say whether a piece stays in this process: the kernel takes it, or there is too little to start others for."""
        return self._task.amount <= PORTION or is_for_kernel(piece, self._task)

    def is_lost(self, error: BaseException) -> bool:
        """Say whether an error means that a worker was lost and not that the work was wrong."""
        return isinstance(error, BrokenExecutor)

    def restart(self) -> None:
        """Replace workers that were lost."""
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)
            self._processes = None

    def close(self, *, at_once: bool) -> None:
        """Let the workers go, ``at_once`` with their work undone."""
        if at_once:
            self._cancel.cancel()
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=at_once)
        if self._processes is not None:
            if at_once:
                _end(self._processes)
            # Even at once: a pool that is still ending when the interpreter does would be woken through a closed pipe.
            self._processes.shutdown(wait=True, cancel_futures=at_once)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers of a pool, and no other process, in the midst of their work."""
    for worker in list((pool._processes or {}).values()):  # noqa: SLF001  # before Python 3.14 there is no other way
        worker.terminate()


def _begin() -> None:
    """Prepare a worker: an interrupt is its parent's business, and it does not outlive that parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """End this worker when its parent has ended, however that was."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, address: str, task: Task) -> None:
        """Connect to the scheduler at ``address``, or start workers on this machine (``local:4``)."""
        try:
            dask: Any = import_module("distributed")  # few need it, and it costs half a second
        except ImportError as error:
            raise BackendMissing(
                "expected the package distributed for a cluster (pip install 'sudoku_cp[cluster]'), got none"
            ) from error
        # What matters of its log is told by our own errors, without the tracebacks.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._task = task
        self._own: Any = None
        kind, _, number = address.partition(":")
        if kind == "local":
            if not number.isdecimal() or not int(number):
                raise InvalidInput(f"expected a cluster such as local:4 or tcp://host:8786, got {address!r}")
            self._own = dask.LocalCluster(
                n_workers=int(number), threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            )
        try:
            self._client = dask.Client(self._own or address, timeout=10)
        except (OSError, ValueError) as error:
            raise InvalidInput(f"expected the address of a Dask scheduler, got {address!r}: {error}") from error
        self._executor = self._client.get_executor()
        self._lost = dask.KilledWorker
        self.workers = max(1, sum(self._client.nthreads().values()))

    def portion(self, piece: Piece) -> int:
        """Return how many records of a piece are sent at a time."""
        return len(piece) if is_for_kernel(piece, self._task) else FAR_PORTION

    def submit(self, piece: Piece) -> Future[Done]:
        """Have a piece answered."""
        future: Future[Done] = self._executor.submit(work.answer_packed, pickle.dumps((piece, self._task)))
        return future

    def is_lost(self, error: BaseException) -> bool:
        """Say whether an error means that workers were lost, more of them than the cluster tolerates for one piece."""
        return isinstance(error, self._lost)

    def restart(self) -> None:
        """Do nothing: the cluster replaces its workers itself."""

    def close(self, *, at_once: bool) -> None:
        """Disconnect, ``at_once`` with the work undone; end workers that were started for this run."""
        self._executor.shutdown(wait=not at_once)
        self._client.close()
        if self._own is not None:
            self._own.close()

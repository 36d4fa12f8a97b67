"""Who does the work: threads for what frees the interpreter's lock, processes for all else, or a cluster; one seam (PEP 3148).

What the work is, is no business of this file: see `Work`.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic

from sudoku_cp.batch.crews import Crew, D, P, Work
from sudoku_cp.errors import BackendMissing, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.backends import Cancellation

AHEAD = 3
"""Pieces a worker has before it on average, so that none waits for the one whose turn it is to be written."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crew_of(work: Work[P, D], workers: int, cluster: str | None, cancel: Cancellation) -> Crew[P, D]:
    """Return those who do the work: a cluster where one is named."""
    return Cluster(cluster, work) if cluster else Here(work, workers, cancel)


def done_packed(packed: bytes) -> Any:
    """Return what comes of a piece, for the pickle of the work and the piece: one blob is the cheapest thing to send."""
    work, piece = pickle.loads(packed)  # noqa: S301  # written by the run that this worker belongs to
    return work.do(piece)


class Here(Generic[P, D]):
    """Threads for pieces that stay in this process, and processes for all others."""

    def __init__(self, work: Work[P, D], workers: int, cancel: Cancellation) -> None:
        """Start nothing before it is needed."""
        self._work, self._cancel = work, cancel
        self._threads: Executor | None = None
        self._processes: ProcessPoolExecutor | None = None
        self.workers = workers

    def portion(self, piece: P) -> int:
        """Return how much of a piece is sent at a time."""
        return len(piece) if self._work.stays(piece) else self._work.portion(piece, far=False)

    def submit(self, piece: P) -> Future[D]:
        """Have a piece done."""
        if self._work.stays(piece):
            self._threads = self._threads or ThreadPoolExecutor(self.workers)
            return self._threads.submit(self._work.do, piece, self._cancel)
        if self._processes is None:
            # Never a fork: threads of ours may hold any lock.
            method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
            context = multiprocessing.get_context(method)
            self._processes = ProcessPoolExecutor(self.workers, context, initializer=_begin)
        with _loadable_main():
            return self._processes.submit(done_packed, pickle.dumps((self._work, piece)))

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


@contextmanager
def _loadable_main() -> Iterator[None]:
    """Keep workers that start from loading a program that came on standard input: there is no file of it."""
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


class Cluster(Generic[P, D]):
    """The workers of a Dask cluster."""

    def __init__(self, address: str, work: Work[P, D]) -> None:
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
        self._work = work
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

    def portion(self, piece: P) -> int:
        """Return how much of a piece is sent at a time."""
        return self._work.portion(piece, far=True)

    def submit(self, piece: P) -> Future[D]:
        """Have a piece done."""
        future: Future[D] = self._executor.submit(done_packed, pickle.dumps((self._work, piece)))
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

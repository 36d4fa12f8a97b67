"""A connection to a Dask cluster: functions go there, and come back as PEP 3148 futures."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import BackendMissing, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future


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

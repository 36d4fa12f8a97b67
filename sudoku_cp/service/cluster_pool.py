"""Jobs on a Dask cluster, for a caller like those in the service's own `Pool`.

A task that was cancelled or is late is settled at once; the cluster's worker is told, and is free when its engine has heard that.
Dask begins a task again whose worker was lost. Items have numbers, so that none comes twice then.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import secrets
from concurrent.futures import CancelledError, Future
from importlib import import_module
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.batch.worker_pool import DaskCluster
from sudoku_cp.service.pool.tasks import Answered, Outcome, Running, Stopped, StopReason, Task, outcome_of_error

if TYPE_CHECKING:
    from collections.abc import Sequence


_log = logging.getLogger(__name__)


class ClusterPool:
    """The workers of a cluster, which take any number of tasks."""

    def __init__(self, cluster: DaskCluster) -> None:
        """Use a connection, which `stop` closes."""
        self.workers = cluster.workers
        self._cluster = cluster
        self._loop = asyncio.get_running_loop()
        self._topic = f"sudoku_cp-{secrets.token_hex(8)}"
        self._running: dict[str, Running] = {}
        self._names: dict[Running, str] = {}
        self._items: dict[str, int] = {}
        self._sent: dict[str, Future[bytes]] = {}
        cluster.on_event(self._topic, lambda event: self._loop.call_soon_threadsafe(self._on_item, event))

    @classmethod
    async def connect(cls, address: str) -> ClusterPool:
        """Return the pool of the cluster at ``address``; raise `InvalidInput` if there is none."""
        return cls(await asyncio.to_thread(DaskCluster, address))

    async def stop(self) -> None:
        """Give up every task, and disconnect."""
        for running in list(self._names):
            running.cancel()
        await asyncio.to_thread(self._cluster.close, wait=False)

    def submit(self, task: Task, *, deadline: float) -> Running:
        """Take a task that is to be answered by ``deadline`` (of the loop's clock)."""
        name = secrets.token_hex(8)
        running = Running(task, deadline, self._cancel)
        self._running[name], self._names[running], self._items[name] = running, name, 0
        running.has_worker, running.began_at = True, time()
        running.timer = self._loop.call_at(deadline, self._give_up, running, "deadline")
        pickled = pickle.dumps((task.function, task.arguments, tuple(task.known)))
        future = self._cluster.submit(run, name, self._topic, deadline - self._loop.time(), pickled)
        self._sent[name] = future
        future.add_done_callback(lambda done: self._loop.call_soon_threadsafe(self._on_end, name, done))
        return running

    def _on_item(self, event: dict[str, Any]) -> None:
        name, number = event["task"], event["number"]
        running = self._running.get(name)
        if running is not None and number > self._items[name]:
            self._items[name] = number
            running.put(pickle.loads(event["item"]), len(event["item"]))  # noqa: S301  # written below

    def _on_end(self, name: str, done: Future[bytes]) -> None:
        running = self._running.get(name)
        if running is not None:
            outcome = self._outcome(done)
            running.task.learn(outcome)
            self._settle(running, outcome)

    def _outcome(self, done: Future[bytes]) -> Outcome:
        """Return what came of a task; a worker or a cluster that was lost has crashed."""
        error = CancelledError() if done.cancelled() else done.exception()
        if error is None:
            outcome: Outcome = pickle.loads(done.result())  # noqa: S301  # likewise
            return outcome
        if isinstance(error, CancelledError) or self._cluster.is_worker_loss(error):
            return Stopped("crashed")
        _log.error("a task of the cluster failed", exc_info=error)
        return outcome_of_error(error)

    def _cancel(self, running: Running) -> None:
        self._give_up(running, "cancelled")

    def _give_up(self, running: Running, reason: StopReason) -> None:
        """Settle a task early, and let its worker know."""
        name = self._names.get(running)
        if name is not None:
            self._sent[name].cancel()
            self._cluster.call_on_all(cancel, name)
            self._settle(running, Stopped(reason))

    def _settle(self, running: Running, outcome: Outcome) -> None:
        name = self._names.pop(running)
        del self._running[name], self._items[name], self._sent[name]
        running.settle(outcome)


# A task of the service on a worker of a Dask cluster.


_running: dict[str, ClusterControl] = {}
"""The tasks that this worker runs, by their names."""


class ClusterControl:
    """What a task is given; see `Control`."""

    def __init__(self, name: str, topic: str, seconds: float, known: Sequence[bytes]) -> None:
        """Give the task so many ``seconds`` from now; its items are logged under a ``topic``."""
        self.cancel = Cancellation()
        self.known = known
        self.learnt: bytes | None = None
        self._name, self._topic, self._end = name, topic, monotonic() + seconds
        self._items = 0
        self._worker: Any = import_module("distributed").get_worker()

    def limits(self, nodes: int | None = None) -> Limits:
        """Return the limits for an engine."""
        return Limits(max(0.0, self._end - monotonic()), nodes, self.cancel)

    def emit(self, item: Any) -> None:
        """Send an item, with its number."""
        self._items += 1
        self._worker.log_event(self._topic, {"task": self._name, "number": self._items, "item": pickle.dumps(item)})


def run(name: str, topic: str, seconds: float, pickled: bytes) -> bytes:
    """Return the outcome of a task, pickled like its function and arguments: Dask knows neither."""
    return pickle.dumps(_outcome(name, topic, seconds, pickled))


def _outcome(name: str, topic: str, seconds: float, pickled: bytes) -> Outcome:
    try:
        function, arguments, known = pickle.loads(pickled)  # noqa: S301  # written by the service that has connected
        _running[name] = control = ClusterControl(name, topic, seconds, known)
        return Answered(function(*arguments, control), control.learnt)
    except Exception as error:  # noqa: BLE001  # whatever it is, the caller is told
        return outcome_of_error(error)
    finally:
        _running.pop(name, None)


def cancel(name: str) -> None:
    """Set the cancellation of a task, if this worker runs it."""
    control = _running.get(name)
    if control is not None:
        control.cancel.cancel()

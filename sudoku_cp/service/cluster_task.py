"""A task of the service on a worker of a Dask cluster."""

from __future__ import annotations

import pickle
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.service.pool.tasks import Answered, Outcome, outcome_of_error

if TYPE_CHECKING:
    from collections.abc import Sequence

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

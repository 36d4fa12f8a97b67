"""The one thread that touches the store, so that the event loop never waits for the disk."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from sudoku_cp.service.jobs.store import JobStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_P = ParamSpec("_P")
_T = TypeVar("_T")


class StoreThread:
    """A `JobStore` whose methods run one after the other in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        """Open the store; raise `InvalidInput` if that is impossible."""
        self._store = JobStore(folder)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="job-store")

    async def call(self, method: Callable[Concatenate[JobStore, _P], _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what a method of the store returns: ``await store.call(JobStore.get, job_id)``."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(method, self._store, *args, **kwargs))

    async def close(self) -> None:
        """Wait for the calls that are on their way, and close the store."""
        await self.call(JobStore.close)
        self._thread.shutdown()

"""The one thread that touches the store, so that the event loop never waits for the disk."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from sudoku_cp.service.jobs.store import JobStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_P = ParamSpec("_P")
_T = TypeVar("_T")

PAUSE = 1.0
"""Seconds until the store is asked again that could not do what it was to do."""
_log = logging.getLogger(__name__)


class StoreFailed(Exception):
    """The store could not be read or written: the disk is full, or fails. It is as it was before."""


class StoreThread:
    """A `JobStore` whose methods run one after the other in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        """Open the store; raise `InvalidInput` if that is impossible."""
        self._store = JobStore(folder)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="job-store")

    async def call(self, method: Callable[Concatenate[JobStore, _P], _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what a method of the store returns: ``await store.call(JobStore.get, job_id)``; raise `StoreFailed`."""
        work = partial(method, self._store, *args, **kwargs)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except sqlite3.OperationalError as error:
            raise StoreFailed(str(error)) from error

    async def insist(self, method: Callable[Concatenate[JobStore, _P], _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what a method of the store returns, however long it takes until the disk has room for it."""
        while True:
            try:
                return await self.call(method, *args, **kwargs)
            except StoreFailed as error:
                _log.warning("the store of jobs fails, and is asked again: %s", error)
                await asyncio.sleep(PAUSE)

    async def close(self) -> None:
        """Wait for the calls that are on their way, and close the store."""
        await self.call(JobStore.close)
        self._thread.shutdown()

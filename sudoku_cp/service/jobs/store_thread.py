"""The one thread that touches the store, so that the event loop never waits for the disk."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from sudoku_cp.service.jobs.database import is_damage
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
    """The store could not be read or written: the disk is full, or fails. It is as it was before, or new if it was damaged."""


class StoreThread:
    """A `JobStore` whose methods run one after the other in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        """Open the store; raise `InvalidInput` if that is impossible."""
        self._store = JobStore(folder)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="job-store")
        if self._store.damaged:
            self._log_damage("at the start")

    @property
    def damaged(self) -> str:
        """The name under which the last damaged file is kept; empty if there was none."""
        return self._store.damaged

    @property
    def is_usable(self) -> bool:
        """Whether there is a file to work with."""
        return self._store.is_open

    async def call(self, method: Callable[Concatenate[JobStore, _P], _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what a method of the store returns: ``await store.call(JobStore.get, job_id)``; raise `StoreFailed`."""
        work = partial(self._work, partial(method, self._store, *args, **kwargs))
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _work(self, method: Callable[[], _T]) -> _T:
        """Call a method, in the thread; a store that turns out to be damaged is replaced, for the next one."""
        try:
            if not self._store.is_open:
                self._store.replace_damaged()
            return method()
        except (sqlite3.DatabaseError, OSError) as error:
            if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
                self._replace_damaged(error)
            elif isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                raise
            raise StoreFailed(str(error)) from error

    def _replace_damaged(self, damage: sqlite3.DatabaseError) -> None:
        """Replace the store; where that fails, it is tried again with the next call."""
        try:
            self._store.replace_damaged()
        except (OSError, sqlite3.Error) as error:
            _log.error("the store of jobs is damaged (%s) and cannot be replaced: %s", damage, error)
        else:
            self._log_damage(str(damage))

    def _log_damage(self, found: str) -> None:
        _log.error("the store of jobs was damaged (%s): it is kept as %s, and a new one is used", found, self._store.damaged)

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
        await asyncio.get_running_loop().run_in_executor(self._thread, self._store.close)
        self._thread.shutdown()

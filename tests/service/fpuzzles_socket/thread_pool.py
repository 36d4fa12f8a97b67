"""A pool that runs tasks in threads of the test's own process: enough for a conversation, whatever worker processes do."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import SudokuError
from sudoku_cp.service.pool.tasks import Answered, Failed, Refused, Stopped


class ThreadPool:
    """Runs each task in a thread of its own."""

    def submit(self, task, *, deadline):
        """Start a task; it must end by itself after a cancellation."""
        return ThreadRun(task, asyncio.get_running_loop())


class ThreadRun:
    """A task in a thread, as its caller and as the function that it runs see it."""

    def __init__(self, task, loop):
        """Start the thread."""
        self.cancel_flag = Cancellation()
        self._loop, self._items, self._outcome = loop, asyncio.Queue(), loop.create_future()
        threading.Thread(target=self._run, args=(task,), daemon=True).start()

    def _run(self, task):
        control = _Control(self.cancel_flag, task.known, lambda item: self._tell(self._items.put_nowait, item))
        try:
            outcome = Answered(task.function(*task.arguments, control), control.learnt)
        except SudokuError as error:
            outcome = Refused(type(error).__name__, getattr(error, "problems", (str(error),)), error.http_status)
        except Exception as error:  # noqa: BLE001
            outcome = Failed(type(error).__name__, repr(error))
        self._tell(task.learn, outcome)
        self._tell(self._end, outcome)

    def _tell(self, call, value):
        with suppress(RuntimeError):  # the test may have ended, and its loop with it
            self._loop.call_soon_threadsafe(call, value)

    def _end(self, outcome):
        if not self._outcome.done():
            self._outcome.set_result(outcome)
            self._items.put_nowait(None)

    async def items(self):
        """Yield what the function emits."""
        while (item := await self._items.get()) is not None:
            yield item

    async def outcome(self, seconds=None):
        """Return the outcome."""
        return await self._outcome

    def cancel(self):
        """End with "cancelled", whatever the thread does."""
        self.cancel_flag.cancel()
        self._end(Stopped("cancelled"))


class _Control:
    def __init__(self, cancel, known, emit):
        self.cancel, self.known, self.learnt, self.emit = cancel, known, None, emit

    def limits(self, nodes=None):
        return Limits(nodes=nodes, cancel=self.cancel)

"""A task on its way: what its caller holds of it."""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from sudoku_cp.service.pool.tasks import Outcome, Task

MOST_ITEMS = 1000
"""Items that wait for a reader. Then the worker waits too; if nobody has asked for items, the oldest are dropped."""
MOST_BYTES = 1 << 24
"""Bytes of items that wait for a reader, likewise."""
BEGINS_AGAIN: Final = object()
"""An item of the pool's own: what the task emitted before it was put back may come again after it."""
_NUMBERS = count()


class Running:
    """A task that was submitted; it is waiting, started or done. Its methods belong to the event loop's thread."""

    def __init__(self, task: Task, deadline: float, cancel: Callable[[Running], None]) -> None:
        """Keep the task and its ``deadline`` (of the loop's clock); ``cancel`` is the pool's part of `Running.cancel`."""
        self.task, self.deadline = task, deadline
        self.number = next(_NUMBERS)
        """Its place in the order in which tasks are submitted."""
        self.is_long = task.is_long
        """Whether it takes longer than a client is kept waiting, as is known of some from the beginning."""
        self.is_quick = task.is_quick
        """Whether it is still expected to end within milliseconds."""
        self.slice = 0.0
        """Seconds that it may run while others wait for the one place that is left; the pool sets them, and doubles them."""
        self.has_worker = False
        self.carrier: Running | None = None
        """The batch in which it went to a worker, if it did."""
        self.begun = 0.0
        """When a worker got it, by the loop's clock."""
        self.began_at: float | None = None
        """The same in seconds since 1970, for people; None while it waits, also for a second worker."""
        self.handed_on = 0
        """How many workers that were given it were dead already."""
        self.stopped_by: Literal["cancelled", "deadline"] | None = None
        """Why its worker has to stop."""
        self.timer: asyncio.TimerHandle | None = None
        """Ends it at its deadline."""
        self.turns: list[asyncio.TimerHandle] = []
        """The ends of its time on the worker that it has."""
        self.on_room: Callable[[], None] | None = None
        """Called once there is room for more items, if there was none."""
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Outcome] = self._loop.create_future()
        self._cancel = cancel
        self._items: deque[tuple[Any, int]] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self._has_reader = self._was_read = False

    @property
    def started(self) -> bool:
        """Whether a worker has it; otherwise it waits, or has ended without one."""
        return self.has_worker if self.carrier is None else self.carrier.has_worker

    @property
    def started_at(self) -> float | None:
        """When the worker got it that has it, or had it at the end, in seconds since 1970; None if it waits for one."""
        return self.began_at if self.carrier is None else self.carrier.began_at

    @property
    def done(self) -> bool:
        """Whether there is an outcome."""
        return self._future.done()

    async def outcome(self, seconds: float | None = None) -> Outcome | None:
        """Return the outcome; None if there is none within so many seconds. The task goes on, also if the caller is cancelled."""
        if not self._future.done():
            await asyncio.wait((self._future,), timeout=seconds)
        return self._future.result() if self._future.done() else None

    async def items(self) -> AsyncIterator[Any]:
        """Yield what the task emits, until its end, and `BEGINS_AGAIN` where it starts anew; for one reader."""
        self._has_reader = True
        while True:
            while self._items:
                item, size = self._items.popleft()
                self._bytes -= size
                self._was_read = item is not BEGINS_AGAIN or self._was_read
                yield item
            self._make_room()
            if self.done:
                return
            self._news.clear()
            await self._news.wait()

    def when_done(self, function: Callable[[Running, Outcome], object]) -> None:
        """Have the loop call ``function`` with this and its outcome."""
        self._future.add_done_callback(lambda future: function(self, future.result()))

    def cancel(self) -> None:
        """Give the task up: its outcome is ``cancelled`` at once, and its worker is free within 50 ms."""
        self._cancel(self)

    # --- for the pool ---

    def put(self, item: Any, size: int) -> bool:
        """Keep an item of ``size`` bytes for the reader; return whether there is room for more."""
        self._items.append((item, size))
        self._bytes += size
        self._news.set()
        while not self._has_reader and self._is_full():
            _, gone = self._items.popleft()
            self._bytes -= gone
        return not self._is_full()

    def begin_again(self) -> None:
        """Drop the items that nobody has read, since the task will emit them again, and let a reader know who has read some."""
        self.on_room = None
        self._items.clear()
        self._bytes = 0
        if self._was_read:
            self._was_read = False
            self.put(BEGINS_AGAIN, 0)

    def settle(self, outcome: Outcome) -> None:
        """Set the outcome."""
        if self.timer is not None:
            self.timer.cancel()
        self.end_turn()
        self._future.set_result(outcome)
        self._news.set()

    def end_turn(self) -> None:
        """Forget when its time on a worker would have ended: timers keep its body in memory."""
        for timer in self.turns:
            timer.cancel()
        self.turns = []

    def _is_full(self) -> bool:
        return len(self._items) >= MOST_ITEMS or self._bytes >= MOST_BYTES

    def _make_room(self) -> None:
        if self.on_room is not None:
            call, self.on_room = self.on_room, None
            call()

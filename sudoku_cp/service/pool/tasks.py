"""What a pool is given and what it gives back: a task for a worker process, the task on its way, and its outcome.

A task is a function with its arguments. The worker calls ``function(*arguments, control)``; what it returns is the value of the
outcome, and what it passes to ``control.emit`` before reaches the caller item by item. Functions, arguments, items and values can
be pickled.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from sudoku_cp.errors import BackendFailed, LimitReached, SudokuError, WrongAnswer, shorten

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from sudoku_cp.backends import Cancellation, Limits


# A function that is named, so that only the process that calls it imports it: a worker, as a rule.


@dataclass(frozen=True)
class WorkerFunction:
    """A function of a module; it is small when it is pickled, and needs no pydantic."""

    module: str
    name: str

    def __call__(self, *arguments: Any) -> Any:
        """Call the function: with a validated body and a control, as a rule, for the answer as plain JSON.

        Options that were not sent may be missing in both.
        """
        return self.load()(*arguments)

    def load(self) -> Callable[..., Any]:
        """Return the function itself."""
        function: Callable[..., Any] = getattr(import_module(self.module), self.name)
        return function


MOST_PROBLEMS = 20
"""Problems of a question that its answer lists; a body may have one in each of a hundred thousand places."""
LONGEST_TRACEBACK = 20_000
"""Characters of a traceback that are kept."""
SERVER_ERROR = 500
"""The HTTP status of errors that are defects of the package, not of what was asked."""
StopReason: TypeAlias = Literal["deadline", "nodes", "cancelled", "crashed", "memory"]
"""Why a task ended without an answer: a limit, or the loss of its worker."""


class Control(Protocol):
    """What a worker gives the function that it runs."""

    cancel: Cancellation
    """Set when nobody waits for the answer any more; the worker is killed if it has not ended 50 ms later."""
    known: Sequence[bytes]
    """What earlier tasks of the same series learnt, the newest first."""
    learnt: bytes | None
    """What the next task of the series can begin with, if the function sets it."""

    def limits(self, nodes: int | None = None) -> Limits:
        """Return the limits for an engine: the seconds left until the task's deadline, less what the reply takes."""

    def emit(self, item: Any) -> None:
        """Send an item to the caller before the answer: a progress report, or a part of the answer."""


@dataclass(frozen=True)
class Task:
    """A function for a worker and its arguments."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    known: Sequence[bytes] = ()
    """What its control passes on about earlier tasks."""
    keep: Callable[[bytes], object] | None = None
    """Called, where the task was submitted, with what its control has learnt."""
    is_quick: bool = False
    """Whether it searches for nothing and is expected to take milliseconds; until it has taken more, it waits for no search."""
    is_long: bool = False
    """Whether it may take minutes from the outset, as jobs may; others turn out to."""

    def learn(self, outcome: Outcome) -> None:
        """Keep what the task has learnt, if it came to its end."""
        if self.keep is not None and isinstance(outcome, Answered) and outcome.learnt is not None:
            self.keep(outcome.learnt)


@dataclass(frozen=True)
class Answered:
    """The function returned."""

    value: Any
    learnt: bytes | None = field(default=None, repr=False)
    """What its control has learnt."""


@dataclass(frozen=True)
class Refused:
    """The function raised one of the package's own errors: bad input, as a rule."""

    kind: str
    problems: tuple[str, ...]
    status: int
    """The HTTP status that stands for the error, as in `sudoku_cp.errors`."""
    more: int = 0
    """How many more problems there were."""


@dataclass(frozen=True)
class Failed:
    """The function raised anything else: a defect. The ``traceback`` is for the log, and never for an answer.

    If an engine failed, ``engine`` says which one, and with what error that answers may show.
    """

    kind: str
    traceback: str = field(repr=False)
    engine: str = ""


@dataclass(frozen=True)
class Stopped:
    """There is no answer: a limit came first, or the worker died."""

    reason: StopReason


Outcome: TypeAlias = Answered | Refused | Failed | Stopped


def outcome_of_error(error: BaseException) -> Outcome:
    """Return what an exception means to the caller."""
    if _is_for_memory(error):
        return Stopped("memory")
    if isinstance(error, LimitReached):
        return Stopped(error.reason)
    if isinstance(error, SudokuError) and error.http_status != SERVER_ERROR:
        problems: tuple[str, ...] = getattr(error, "problems", (str(error),))
        more = max(0, len(problems) - MOST_PROBLEMS) + getattr(error, "more", 0)
        return Refused(type(error).__name__, problems[:MOST_PROBLEMS], error.http_status, more)
    return Failed(
        type(error).__name__, shorten("".join(traceback.format_exception(error)), LONGEST_TRACEBACK), _failed_engine(error)
    )


def _failed_engine(error: BaseException) -> str:
    """Return in words which engine failed, and with what kind of error; its message may name paths of this machine."""
    if not isinstance(error, WrongAnswer):
        return ""
    name = f"engine {error.engine!r}" if isinstance(error, BackendFailed) and error.engine else "an engine"
    kind = f" with {type(error.__cause__).__name__}" if error.__cause__ else ""
    return f"{name} failed{kind}" if isinstance(error, BackendFailed) else f"{name} gave a wrong answer"


def _is_for_memory(error: BaseException | None) -> bool:
    """Return whether an exception, or one that it was raised from, is a MemoryError, as NumPy's are too."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None


class QueueFull(SudokuError, RuntimeError):
    """The pool takes no more tasks now; ``retry_after`` is an estimate of the seconds until it does."""

    http_status = 503

    def __init__(self, retry_after: float, problem: str = "expected a place in the queue, got a full one") -> None:
        """Keep the estimate."""
        self.retry_after = retry_after
        super().__init__(f"{problem}; try again in {retry_after:.1f} s")


class PoolFailed(SudokuError, RuntimeError):
    """No worker could be started."""


# A task on its way: what its caller holds of it.


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

"""What a pool is given and what it gives back: a task for a worker process, and the outcome of it.

A task is a function with its arguments. The worker calls ``function(*arguments, control)``; what it returns is the value of the
outcome, and what it passes to ``control.emit`` before reaches the caller item by item. Functions, arguments, items and values can
be pickled.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from sudoku_cp.errors import BackendFailed, LimitReached, SudokuError, WrongAnswer, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sudoku_cp.backends import Cancellation, Limits

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

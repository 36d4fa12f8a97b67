"""The whole contract between this project and an engine.

A backend opens a session on a model; a session answers one question, "which grids are solutions?", any number of times
under different givens. Everything else (count, uniqueness, true candidates) is derived from that.

- The iterator ends only when there are no more solutions. A limit raises `LimitReached`: "no" and "out of time" are
  never the same answer.
- Every solution is yielded once, as the values of the board's cells.
- The core rewrites as clauses what an engine does not take before it opens a session (`open_session`), and names an engine that
  raises anything else. Our own engines get the model as it is, since they strengthen it first.
- Several enumerations of one session may be open at a time; all calls come from one thread, only a `Cancellation`
  may be used from others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from threading import Event, RLock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias, runtime_checkable

from sudoku_cp.arguments import CheckedFields, checked
from sudoku_cp.errors import InvalidInput, LimitReached, Reason
from sudoku_cp.grid import Cell
from sudoku_cp.model import Constraint, Domain, Model
from sudoku_cp.time_limits import time_without_loading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.backends.search_tree import PathTree

Solution: TypeAlias = tuple[int, ...]
"""The value of every cell of the board."""
Assumed: TypeAlias = Mapping[Cell, Domain]
"""Givens: the set (bits) of the values that each cell may still take; other cells are free."""

NOTHING: Assumed = MappingProxyType({})


def assumed_domains(model: Model, assume: Assumed) -> list[Domain]:
    """Return the set (bits) of the values that each cell of the board may take under ``assume``."""
    return [domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains[: model.board])]


LONGEST = 1e7
"""A time limit of more seconds (four months) counts as none: clocks and threads have an upper bound."""


class Cancellation:
    """A request, from any thread, to give up a question. It cannot be withdrawn."""

    such_as = "Cancellation()"

    @checked
    def __init__(self, reason: Reason = "cancelled") -> None:
        """Start uncancelled; ``reason`` is what engines report when this stops them."""
        self.reason: Reason = reason
        self.cancelled = False
        self._lock = RLock()
        self._listeners: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """Cancel, and call every listener."""
        with self._lock:
            self.cancelled = True
            for listener in self._listeners:
                listener()

    @checked
    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call ``listener`` on a cancellation while the block runs, or at once if it came before."""
        with self._lock:
            self._listeners.append(listener)
            if self.cancelled:
                listener()
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)


@dataclass(frozen=True)
class Limits(CheckedFields):
    """How long a question may take: wall-clock seconds, search nodes (as the engine counts them), a cancellation."""

    such_as: ClassVar[str] = "Limits(seconds=5)"
    seconds: float | None = None
    nodes: int | None = None
    cancel: Cancellation | None = None

    def __post_init__(self) -> None:
        """Raise `InvalidInput` for a negative limit."""
        super().__post_init__()
        if self.seconds is not None and not self.seconds >= 0:
            raise InvalidInput(f"expected a time limit of 0 seconds or more, got {self.seconds!r}")
        if self.seconds is not None and self.seconds > LONGEST:
            object.__setattr__(self, "seconds", None)
        if self.nodes is not None and self.nodes < 0:
            raise InvalidInput(f"expected a limit of 0 nodes or more, got {self.nodes!r}")

    def started(self) -> Clock:
        """Return a clock that starts now."""
        return Clock(self)


UNLIMITED = Limits()


@dataclass
class Clock:
    """Running limits: the time left, the nodes spent. The clock stands still while code is loaded or compiled."""

    limits: Limits
    start: float = field(default_factory=time_without_loading)
    nodes: int = 0

    @property
    def elapsed(self) -> float:
        """The seconds since the start, without those spent loading code."""
        return time_without_loading() - self.start

    @property
    def seconds_left(self) -> float | None:
        """The seconds left, at least 0; None without a time limit."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.elapsed)

    def nodes_left(self) -> int | None:
        """Return the nodes left, at least 0; None without a node limit."""
        return None if self.limits.nodes is None else max(0, self.limits.nodes - self.nodes)

    def left(self) -> Limits:
        """Return what is left of the limits, for a question that is part of this one."""
        return replace(self.limits, seconds=self.seconds_left, nodes=self.nodes_left())

    def on_cancel(self, listener: Callable[[], None]) -> AbstractContextManager[None]:
        """Return a block in which ``listener`` is called if the question is cancelled, or has been already."""
        return nullcontext() if self.limits.cancel is None else self.limits.cancel.calling(listener)

    def wait(self, event: Event) -> None:
        """Wait for an event, or until a limit: later than the seconds left say if anything is loaded meanwhile."""
        while not event.wait(self.seconds_left) and self.reached() is None:
            pass

    def reached(self) -> Reason | None:
        """Return which limit has been reached, None if none has."""
        limits = self.limits
        if limits.cancel is not None and limits.cancel.cancelled:
            return limits.cancel.reason
        if limits.nodes is not None and self.nodes > limits.nodes:
            return "nodes"
        if limits.seconds is not None and time_without_loading() - self.start >= limits.seconds:
            return "deadline"
        return None

    def check(self) -> None:
        """Raise `LimitReached` if a limit has been reached."""
        reason = self.reached()
        if reason is not None:
            raise LimitReached(reason, f"{self.elapsed:.3g} s, {self.nodes} nodes")


class Session(Protocol):
    """One model, about which many questions can be answered."""

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``, each once; the clock starts with the first ``next``."""
        ...


@runtime_checkable
class Backend(Protocol):
    """An engine: its name, the constraints it takes as they are (clauses among them), and how to start it."""

    name: str
    takes: frozenset[type[Constraint]]

    def open(self, model: Model) -> Session:
        """Return a session on ``model``, which has constraints in ``takes`` alone (our own engines rewrite it themselves)."""
        ...


@runtime_checkable
class SupportsCounters(Protocol):
    """A session that counts its work."""

    def counters(self) -> Mapping[str, int]:
        """Return the engine's own counts for the last question, so far; ``nodes`` is always among them."""
        ...


@runtime_checkable
class SupportsAnsweredBy(Protocol):
    """A session in which several engines work; ``answered_by`` names the one that gave the last answer."""

    answered_by: str


@runtime_checkable
class SupportsTracing(Protocol):
    """A session that can record its whole search."""

    def trace(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED, stop_after: int | None = 1) -> PathTree:
        """Return the path tree of the search for ``stop_after`` solutions (None: all). A limit ends the tree early."""
        ...


@runtime_checkable
class SupportsUnsearched(Protocol):
    """A session that can return the part of the search space not yet searched when a limit stopped it."""

    def unsearched(self) -> list[Assumed]:
        """Return assumptions that together have the solutions the last question did not reach, each in one of them."""
        ...


@runtime_checkable
class SupportsResuming(Protocol):
    """A session that can go on with the last question where a limit stopped it, with all that it has learnt."""

    def resume(self, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield the solutions that the last question did not reach, each once, within new limits."""
        ...


class Harvest(NamedTuple):
    """News about candidates: a new solution, or else candidates that no further solution has (``exhausted``).

    ``searched`` says whether that took a search, or followed from what was known.
    """

    solution: Solution | None
    exhausted: Assumed = NOTHING
    searched: bool = True


@runtime_checkable
class SupportsHarvest(Protocol):
    """A session that can search for solutions with candidates not seen before."""

    def harvest(
        self, assume: Assumed, wanted: Assumed, cap: int = 1, *, known: Collection[Solution] = (), limits: Limits = UNLIMITED
    ) -> Iterator[Harvest]:
        """Yield solutions that agree with ``assume``, each new and with a ``wanted`` candidate (bits) seen below ``cap`` times.

        Between them it yields candidates that no further solution has. At the end each wanted one has been seen ``cap`` times,
        or in every solution that has it. The ``known`` solutions count as seen.
        """
        ...


class ArrayAnswer(NamedTuple):
    """The answers to an array of puzzles.

    ``solutions`` (N, cells) is the first solution of each, 0 in every cell where none was found. ``counts`` (N,) is how many
    were found, at most the solution limit; ``exact`` (N,) says whether those are all. Where they are not, and the count is below
    the solution limit, a deadline, a node limit or a cancellation came first.
    """

    solutions: NDArray[np.uint8]
    counts: NDArray[np.int64]
    exact: NDArray[np.bool_]

    def stopped(self, solution_limit: int | None) -> NDArray[np.bool_]:
        """Return for each puzzle (N,) whether something other than the solution limit ended the count."""
        return ~self.exact if solution_limit is None else ~self.exact & (self.counts < solution_limit)


@runtime_checkable
class SupportsArrays(Protocol):
    """A session that can answer an array of puzzles at once."""

    def solve_many(
        self,
        puzzles: NDArray[Any],
        solution_limit: int | None = 2,
        *,
        candidates: bool = False,
        limits: Limits = UNLIMITED,
        threads: int = 1,
    ) -> ArrayAnswer:
        """Count the solutions of each of ``puzzles`` up to ``solution_limit`` (None: all) and keep the first.

        ``puzzles`` (N, cells) holds values, 0 in blank cells; or, with ``candidates``, the set (bits) of the values that each
        cell may take. A time limit is for all of them, a node limit for each. Limits do not raise: see `ArrayAnswer`.
        """
        ...

"""The engine ``native`` in its two tiers: readable Python, ready at once, and a compiled kernel.

Tiered execution: a question starts in the readable tier. If it takes longer than `PATIENCE`, it continues in the compiled tier as
soon as that can be loaded. Once loaded, the compiled tier answers everything but traces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp import time_limits
from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution
from sudoku_cp.backends.native import kernel_loading
from sudoku_cp.backends.native.readable_search import ORDERS, ReadableSession
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import UnknownName, Unsupported
from sudoku_cp.model import AllDifferent, Automaton, Clause, Connected, Constraint, Count, DigitSet, Linear, Partition, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.backends.native.compiled_session import CompiledSession
    from sudoku_cp.backends.search_tree import PathTree
    from sudoku_cp.model import Model

PATIENCE = 0.1
"""Seconds in the readable tier before it first checks whether the other one is ready, and between two checks."""
LOADING_SECONDS = 1.0
"""Seconds that must be left of a time limit to load the compiled tier, which nothing can interrupt."""
_Tier: TypeAlias = "ReadableSession | CompiledSession"
TIERED, READABLE, FIRST, COMPILED = "", "readable", "first", "compiled"
KINDS = (READABLE, FIRST, COMPILED)


class Native:
    """Propagates and searches, in the tier that suits the question; the readable tier can record its search.

    ``native:readable`` and ``native:compiled`` use only one tier; ``native:first`` is the readable one, guessing in reading
    order.
    """

    name = "native"
    takes: frozenset[type[Constraint]] = frozenset(
        {AllDifferent, DigitSet, Linear, Table, Automaton, Clause, Count, Connected, Partition}
    )

    def __init__(self, kind: str = TIERED) -> None:
        """Choose the kind, one of `KINDS`, or `TIERED`."""
        if kind not in {TIERED, *KINDS}:
            raise UnknownName("kind of the native engine", kind, KINDS)
        self.name = f"native:{kind}" if kind else "native"
        self._kind = kind

    def open(self, model: Model) -> NativeSession:
        """Return a session on ``model``."""
        return NativeSession(model, self._kind)


class TierUp(Exception):
    """Raised when the compiled tier is ready."""


@dataclass
class _TierClock(Clock):
    """A clock that also checks now and then whether the compiled tier is ready."""

    session: NativeSession | None = None
    look: float = field(default_factory=lambda: PATIENCE)

    def check(self) -> None:
        """Raise `LimitReached` once a limit has been reached, and `TierUp` once the compiled tier is ready."""
        super().check()
        session = self.session
        if session and self.elapsed >= self.look:
            self.session = None  # tiering up checks this clock too
            if session.can_tier_up(self):
                raise TierUp
            self.session, self.look = session, self.elapsed + PATIENCE


class NativeSession:
    """One model in either tier; each is opened when it is first needed."""

    def __init__(self, model: Model, kind: str) -> None:
        """Keep the ``model`` and the ``kind``, one of `KINDS` or `TIERED`."""
        self._model = model
        self._kind = kind
        self._opened_readable: ReadableSession | None = None
        self._compiled: CompiledSession | None = None
        self._may_tier_up = kind == TIERED and can_compile()
        self._last: _Tier | None = None
        self._pending: list[Assumed] = []

    @property
    def _readable(self) -> ReadableSession:
        """The readable tier, opened when it is first needed: once the compiled one is loaded, few questions need it."""
        if self._opened_readable is None:
            self._opened_readable = ReadableSession(self._model, ORDERS["first" if self._kind == FIRST else "fewest"])
        return self._opened_readable

    def counters(self) -> Mapping[str, int]:
        """Return nodes, guesses, backtracks, the greatest depth and propagator runs of the tier that worked last."""
        return (self._last or self._readable).counters()

    def unsearched(self) -> list[Assumed]:
        """Return grids, as candidates, that together have the solutions not yet found when a limit stopped the last question."""
        return [*self._pending, *(self._last.unsearched() if self._last else ())]

    def trace(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED, stop_after: int | None = 1) -> PathTree:
        """Return the path tree of the readable tier's search up to ``stop_after`` solutions."""
        self._last, self._pending = self._readable, []
        return self._readable.trace(assume, limits=limits, stop_after=stop_after)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``."""
        yield from self._search([assume], _TierClock(limits))

    def resume(self, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield the solutions that the last question did not reach; the compiled tier goes on with all that it has learnt."""
        clock = _TierClock(limits)
        pending, compiled = self._pending, self._compiled
        if compiled is not None and self._last is compiled:
            yield from self._take_turns(compiled.resume(clock), compiled, pending)
        else:
            pending = self.unsearched()
        yield from self._search(pending, clock)

    def _search(self, pending: list[Assumed], clock: _TierClock) -> Iterator[Solution]:
        """Yield the solutions of all ``pending`` parts, which are this question's own: several can be open."""
        self._last, self._pending = None, pending
        while pending:
            compiled = self._compiled or self._compiled_from_start(clock)
            part = pending.pop()
            if compiled is None:
                yield from self._search_readable(part, clock, pending)
            else:
                yield from self._take_turns(compiled.search(part, clock), compiled, pending)

    def _take_turns(self, found: Iterator[Solution], tier: _Tier, pending: list[Assumed]) -> Iterator[Solution]:
        """Yield what a tier finds, and note after each solution which question is asked: there may have been others meanwhile."""
        self._last, self._pending = tier, pending
        for solution in found:
            yield solution
            self._last, self._pending = tier, pending

    def _compiled_from_start(self, clock: Clock) -> CompiledSession | None:
        """Return the compiled tier's session if the search is to start in it, None if in the readable one."""
        if self._kind == COMPILED:
            kernel_loading.wait_for_kernel(clock)
            self._compiled = self._compiled or _make_compiled_session(self._model)
            return self._compiled
        return self._open_compiled(clock) if self._may_tier_up and kernel_loading.is_loaded() else None

    def _search_readable(self, assume: Assumed, clock: _TierClock, pending: list[Assumed]) -> Iterator[Solution]:
        """Yield solutions until there are no more, or the compiled tier is ready to do the rest, which is put in ``pending``."""
        clock.session = self
        has_yielded = False
        try:
            for solution in self._take_turns(self._readable.search(assume, clock), self._readable, pending):
                has_yielded = True
                yield solution
        except TierUp:
            # Without a solution so far it is better to start anew, with other guesses.
            pending += self._readable.unsearched() if has_yielded else [assume]
        clock.session = None

    def can_tier_up(self, clock: Clock) -> bool:
        """Load the compiled tier if it is ready; otherwise start compiling it. Return whether it is ready."""
        left = clock.seconds_left
        if not self._may_tier_up or not kernel_loading.cached_or_started() or (left is not None and left < LOADING_SECONDS):
            return False
        return self._open_compiled(clock) is not None

    def _open_compiled(self, clock: Clock) -> CompiledSession | None:
        """Return the compiled tier's session, None if that tier does not support the model."""
        if self._compiled is None:
            opened = _make_compiled_session(self._model)
            try:
                opened.prepare(clock)
            except Unsupported:
                self._may_tier_up = False
                return None
            self._compiled = opened
        return self._compiled


def _make_compiled_session(model: Model) -> CompiledSession:
    with time_limits.loading():
        from sudoku_cp.backends.native.compiled_session import CompiledSession  # noqa: PLC0415  # half a second with Numba

    return CompiledSession(model)

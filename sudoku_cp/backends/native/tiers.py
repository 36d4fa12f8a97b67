"""The engine ``native`` in its two gears: one that is there at once and can be read, one that is compiled.

It starts in the readable gear, and where a puzzle takes longer than `PATIENCE` it goes on in the compiled one, as soon as that is
there. Once it has been loaded it answers everything but traces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sudoku_cp import load_time
from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution
from sudoku_cp.backends.native import kernel_loading
from sudoku_cp.backends.native.search import ORDERS, ReadableSession
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import UnknownName, Unsupported
from sudoku_cp.model import AllDifferent, Automaton, Clause, Constraint, Count, DigitSet, Linear, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.backends.native.compiled_session import CompiledSession
    from sudoku_cp.backends.tree import PathTree
    from sudoku_cp.model import Model

PATIENCE = 0.1
"""Seconds in the readable gear before the other one is looked for, and between two looks."""
LOADING = 1.0
"""Seconds that must be left of a time limit to load the compiled gear, which nothing can interrupt."""
SHIFTING, READABLE, FIRST, COMPILED = "", "readable", "first", "compiled"
KINDS = (READABLE, FIRST, COMPILED)


class Native:
    """Propagates and searches in the gear that suits, and can record its path.

    ``native:readable`` and ``native:compiled`` are one gear alone; ``native:first`` is the readable one, guessing in plain cell
    order.
    """

    name = "native"
    takes: frozenset[type[Constraint]] = frozenset({AllDifferent, DigitSet, Linear, Table, Automaton, Clause, Count})

    def __init__(self, kind: str = SHIFTING) -> None:
        """Choose the kind, one of `KINDS`, or all that suits."""
        if kind not in {SHIFTING, *KINDS}:
            raise UnknownName("kind of the native engine", kind, KINDS)
        self.name = f"native:{kind}" if kind else "native"
        self._kind = kind

    def open(self, model: Model) -> NativeSession:
        """Return a session on ``model``."""
        return NativeSession(model, self._kind)


class _Shift(Exception):
    """The compiled gear is ready."""


@dataclass
class _Watch(Clock):
    """A clock that also looks for the compiled gear, now and then."""

    session: NativeSession | None = None
    look: float = field(default_factory=lambda: PATIENCE)

    def check(self) -> None:
        """Raise `LimitReached` once a limit has been reached, and `_Shift` once the other gear is ready."""
        super().check()
        session = self.session
        if session and self.elapsed >= self.look:
            self.session = None  # what is done to shift looks at this clock too
            if session.can_shift(self):
                raise _Shift
            self.session, self.look = session, self.elapsed + PATIENCE


class NativeSession:
    """One model in either gear; each is opened when it is first needed."""

    def __init__(self, model: Model, kind: str) -> None:
        """Keep the model."""
        self._model = model
        self._kind = kind
        self._readable = ReadableSession(model, ORDERS["first" if kind == FIRST else "fewest"])
        self._compiled: CompiledSession | None = None
        self._shifts = kind == SHIFTING and can_compile()
        self._last: ReadableSession | CompiledSession = self._readable
        self._waiting: list[Assumed] = []

    def counters(self) -> Mapping[str, int]:
        """Return nodes, guesses, backtracks, the greatest depth and propagator runs of the gear that worked last."""
        return self._last.counters()

    def unsearched(self) -> list[Assumed]:
        """Return grids, as candidates, that together have the solutions which a limit kept the last question from."""
        return [*self._waiting, *self._last.unsearched()]

    def trace(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED, stop_after: int | None = 1) -> PathTree:
        """Return the path tree of the readable gear's search up to ``stop_after`` solutions."""
        return self._readable.trace(assume, limits=limits, stop_after=stop_after)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``."""
        clock = _Watch(limits)
        self._waiting = []
        compiled = self._compiled_at_once(clock)
        if compiled is None:
            yield from self._in_readable(assume, clock)
        else:
            self._waiting.append(assume)
        while self._waiting and (compiled := self._compiled):
            self._last = compiled
            yield from compiled.searched(self._waiting.pop(), clock)

    def _compiled_at_once(self, clock: Clock) -> CompiledSession | None:
        """Return the compiled gear if it is to start, None if the readable one is."""
        if self._kind == COMPILED:
            kernel_loading.wait_for_kernel(clock)
            self._compiled = self._compiled or _compiled_session(self._model)
            return self._compiled
        return self._opened(clock) if self._shifts and kernel_loading.is_loaded() else None

    def _in_readable(self, assume: Assumed, clock: _Watch) -> Iterator[Solution]:
        """Yield solutions until there are no more, or until the other gear is there to do what then waits."""
        self._last, clock.session = self._readable, self
        given = False
        try:
            for solution in self._readable.searched(assume, clock):
                given = True
                yield solution
        except _Shift:
            # Only where a solution has been given does what is left matter: else it is better to start anew, with other guesses.
            self._waiting = self._readable.unsearched() if given else [assume]
        clock.session = None

    def can_shift(self, clock: Clock) -> bool:
        """Say whether the compiled gear is there now, and loaded; if it is not, see that it comes."""
        left = clock.seconds_left
        if not self._shifts or not kernel_loading.cached_or_started() or (left is not None and left < LOADING):
            return False
        return self._opened(clock) is not None

    def _opened(self, clock: Clock) -> CompiledSession | None:
        """Return the compiled gear, None where the model is nothing for it."""
        if self._compiled is None:
            opened = _compiled_session(self._model)
            try:
                opened.prepare(clock)
            except Unsupported:
                self._shifts = False
                return None
            self._compiled = opened
        return self._compiled


def _compiled_session(model: Model) -> CompiledSession:
    with load_time.loading():
        from sudoku_cp.backends.native.compiled_session import CompiledSession  # noqa: PLC0415  # half a second with Numba

    return CompiledSession(model)

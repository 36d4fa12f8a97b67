"""A solver of python-sat that keeps limits, and reacts to cancellations and Ctrl-C.

Hazards this file works around: ``solve`` holds the interpreter's lock and checks no clock, so a search that outlasts
its first conflicts goes on in a thread that can be interrupted; CaDiCaL cannot be, and is run in slices. Glucose checks
interrupts and budgets only when it restarts, which can take seconds, so a search that does not react is abandoned. That must
be at a limit and no earlier: a second search in the same solver would break it. In the main thread, python-sat handles Ctrl-C
itself, by a jump out of the search that leaves the solver broken: a later call aborts the process.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event, Thread, local
from typing import TYPE_CHECKING

from pysat.solvers import MainThread, Solver, SolverNames

from sudoku_cp.backends.race import PATIENCE, stop_or_abandon
from sudoku_cp.errors import UnknownName
from sudoku_cp.interrupts import start_thread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.backends.base import Clock

SLICE = 1000
"""Conflicts between two checks of the clock (about 40 ms) in a formula of `USUAL` size; in a larger one fewer, in proportion."""
USUAL = 30_000
"""Clauses up to which a conflict takes about as long."""
PORTION = 10_000
"""Clauses loaded between two checks of the clock."""
SETTLED = 10_000
"""Total conflicts after which Glucose restarts rarely: from then on it starts in a thread at once (0.1 ms)."""

_INTERRUPTIBLE = frozenset(
    [
        "ergo",
        "gluecard3",
        "gluecard4",
        "glucose3",
        "glucose4",
        "glucose42",
        "maplechrono",
        "maplesat",
        "mergesat3",
        "minicard",
        "minisat22",
        "minisatep",
    ]
)
_SLICED = frozenset(["cadical103", "cadical153", "cadical195", "cadical300"])
COUNTERS = ("nodes", "decisions", "propagations")
_COUNTED = (("nodes", "conflicts"), ("decisions", "decisions"), ("propagations", "propagations"))
SOLVERS = _INTERRUPTIBLE | _SLICED
"""The solvers of python-sat that work incrementally, as installed from the package index, and can be stopped.

Left out: lingeling aborts the process when a literal that was once assumed comes back in a clause, kissat solves a
formula only once, maplecm sometimes hangs, cryptominisat and minisat-gh are not built into the package.
"""


def solver_named(alias: str) -> str:
    """Return the name of the solver that python-sat knows by this name or alias, or raise `UnknownName`."""
    for name in SOLVERS:
        if alias in vars(SolverNames)[name]:
            return name
    raise UnknownName("SAT solver", alias, SOLVERS)


# Ctrl-C in calls of python-sat that take no ``expect_interrupt``: CaDiCaL's searches, propagation, totalizers.


class _Thread(local):
    handles_interrupts = False


_thread = _Thread()
_is_main_thread = MainThread.check


@contextmanager
def handling_interrupts() -> Iterator[None]:
    """Leave Ctrl-C to Python while this thread calls python-sat: KeyboardInterrupt is raised when the call has ended."""
    before, _thread.handles_interrupts = _thread.handles_interrupts, True
    try:
        yield
    finally:
        _thread.handles_interrupts = before


# It handles Ctrl-C where it finds itself in the main thread. Elsewhere in the program its own handling stays.
MainThread.check = staticmethod(lambda: not _thread.handles_interrupts and _is_main_thread())


class SatOracle:
    """A solver loaded with clauses, which answers within limits."""

    def __init__(self, name: str, blocks: Iterable[Sequence[Sequence[int]]], clock: Clock, *, proving: bool = False) -> None:
        """Load ``blocks`` of clauses into the solver called ``name``; ``proving`` records a proof of its last "no"."""
        self._solver = Solver(name=name, with_proof=proving)
        self._clauses = 0
        for block in blocks:
            self._clauses += len(block)
            for start in range(0, len(block), PORTION):
                clock.check()
                self._solver.append_formula(block[start : start + PORTION])
        self._name = name
        self._left_behind: Thread | None = None
        self._postponed: list[Sequence[int]] = []

    @property
    def busy(self) -> bool:
        """Whether the solver has an abandoned search."""
        return self._left_behind is not None

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause, or postpone it while the solver has an abandoned search."""
        if self.busy:
            self._postponed.append(clause)
        else:
            self._solver.add_clause(clause)

    def proof(self) -> list[str]:
        """Return the lines of the DRUP proof of the last "no"."""
        lines: list[str] = self._solver.get_proof() or []
        return lines

    def model(self) -> list[int]:
        """Return the literals of the model just found."""
        literals: list[int] = self._solver.get_model()
        return literals

    def core(self) -> frozenset[int]:
        """Return some of the assumed literals, from which the last "no" follows."""
        return frozenset(self._solver.get_core() or ())

    def count_implied(self, assumed: Sequence[int]) -> int:
        """Return how many literals unit propagation infers from those assumed, these included; nothing is learned."""
        return len(self.propagate(assumed)[1])

    def propagate(self, assumed: Sequence[int]) -> tuple[bool, Sequence[int]]:
        """Return whether unit propagation finds no contradiction, and what it infers from what is assumed; nothing is learned."""
        with handling_interrupts():
            agrees, literals = self._idle().propagate(assumed)
        return bool(agrees), literals

    def solve(self, assumed: Sequence[int], clock: Clock, counts: dict[str, int]) -> bool:
        """Return whether the formula can be satisfied, or raise `LimitReached`."""
        solver = self._idle(clock)
        before = solver.accum_stats()
        run = self._run_in_thread if before["conflicts"] > SETTLED and self._name in _INTERRUPTIBLE else self._run_slice
        while True:
            clock.check()
            answer = run(assumed, clock)
            if self.busy:
                clock.check()  # raises the limit for which the search was abandoned
            after = solver.accum_stats()
            clock.nodes += after["conflicts"] - before["conflicts"]
            for ours, theirs in _COUNTED:
                counts[ours] += after[theirs] - before[theirs]
            if answer is not None:
                return answer
            before = after
            if self._name in _INTERRUPTIBLE:
                run = self._run_in_thread

    def _run_slice(self, assumed: Sequence[int], clock: Clock) -> bool | None:
        """Search for up to `SLICE` conflicts; most questions are answered within the first slice."""
        left, most = clock.nodes_left(), max(1, SLICE * USUAL // max(USUAL, self._clauses))
        self._solver.conf_budget(most if left is None else min(most, left + 1))
        with handling_interrupts():
            answer: bool | None = self._solver.solve_limited(assumed, expect_interrupt=self._name in _INTERRUPTIBLE)
        return answer

    def _run_in_thread(self, assumed: Sequence[int], clock: Clock) -> bool | None:
        """Search in a thread, without the interpreter's lock, until an answer or a limit."""
        left = clock.nodes_left()
        self._solver.conf_budget(-1 if left is None else left + 1)
        answers: list[bool | None] = []
        over = Event()

        def search() -> None:
            try:
                answers.append(self._solver.solve_limited(assumed, expect_interrupt=True))
            finally:
                over.set()

        thread = Thread(target=search, daemon=True)
        with clock.on_cancel(over.set):
            try:
                start_thread(thread)
                clock.wait(over)
            finally:  # on the answer, the deadline, or Ctrl-C, even twice
                if stop_or_abandon(thread, self._solver.interrupt):
                    self._solver.clear_interrupt()
                else:
                    self._left_behind = thread
        return answers[0] if answers else None

    def _idle(self, clock: Clock | None = None) -> Solver:
        """Wait for an abandoned search to end, within limits; return the solver, with the postponed clauses added."""
        if self._left_behind is not None:
            while self._left_behind.is_alive():
                if clock:
                    clock.check()
                self._left_behind.join(PATIENCE)
            self._left_behind = None
            self._solver.clear_interrupt()
            self._solver.append_formula(self._postponed)
            self._postponed.clear()
        return self._solver

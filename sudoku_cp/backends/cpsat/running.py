"""Calls of the CP-SAT solver: a short one in place, a long one in a thread that yields as it finds."""

from __future__ import annotations

from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from time import sleep
from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from sudoku_cp.errors import LimitReached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.backends.base import Clock, Solution
    from sudoku_cp.backends.cpsat.encoding import Encoding

POLL = 0.05
"""Seconds between two looks for a cancellation that came before the search could hear it."""
SLICE = 0.05
"""Seconds that a question is searched in place, deaf to Ctrl-C, before a thread is worth its cost."""
MOST = 2**62
"""The solver counts conflicts in 64 bits."""
AHEAD = 2
"""Solutions found in place at most: a second one, or its absence, is what most questions are after."""


def _solver(clock: Clock, *, enumerate_all: bool, presolve: bool) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.enumerate_all_solutions = enumerate_all
    parameters.catch_sigint_signal = False
    parameters.linearization_level = 0
    parameters.symmetry_level = 0
    parameters.cp_model_presolve = parameters.use_sat_inprocessing = presolve
    parameters.max_presolve_iterations = 1
    if (seconds := clock.seconds_left) is not None:
        parameters.max_time_in_seconds = seconds
    if (nodes := clock.nodes_left()) is not None:
        parameters.max_number_of_conflicts = min(nodes, MOST) + 1
    return solver


@dataclass(frozen=True)
class Slice:
    """What a short search found, whether that is all there is, and what it cost."""

    solutions: tuple[Solution, ...]
    complete: bool
    conflicts: int
    branches: int


def in_place(model: cp_model.CpModel, encoding: Encoding, clock: Clock, *, enumerate_all: bool) -> Slice:
    """Search for a moment in the asking thread."""
    # Presolving a variant takes half of the moment, and pays only in searches that are long.
    solver = _solver(clock, enumerate_all=enumerate_all, presolve=not encoding.has_literals)
    seconds = clock.seconds_left
    solver.parameters.max_time_in_seconds = SLICE if seconds is None else min(SLICE, seconds)
    few = _Few(encoding, clock.nodes_left())
    status = solver.solve(model, few)
    _refuse_invalid(status)
    complete = status in {cp_model.OPTIMAL, cp_model.INFEASIBLE}
    return Slice(tuple(few.found), complete, solver.num_conflicts, solver.num_branches)


class _Few(cp_model.CpSolverSolutionCallback):
    """Keeps the first solutions."""

    def __init__(self, encoding: Encoding, nodes: int | None) -> None:
        super().__init__()
        self._encoding = encoding
        self._nodes = nodes
        self.found: list[Solution] = []

    def on_solution_callback(self) -> None:
        """Called by the search at each solution."""
        self.found.append(self._encoding.solution(list(self.response_proto.solution)))
        if len(self.found) == AHEAD or _spent(self, self._nodes):
            self.stop_search()


def _spent(callback: cp_model.CpSolverSolutionCallback, nodes: int | None) -> bool:
    """Say whether the search has gone over its limit, which an enumerating search looks at anew with each solution."""
    return nodes is not None and callback.num_conflicts > nodes


class Run:
    """One call of the solver, in a thread of its own, heard through a queue."""

    def __init__(self, model: cp_model.CpModel, encoding: Encoding, clock: Clock, *, enumerate_all: bool) -> None:
        """Prepare the search; it starts with the first solution asked for."""
        self.solver = _solver(clock, enumerate_all=enumerate_all, presolve=not encoding.is_cover)
        self._clock = clock
        self._status = cp_model.MODEL_INVALID
        self._begun = False
        self._relay = _Relay(encoding, clock)
        self._thread = Thread(target=self._solve, args=(model,), daemon=True)

    def _solve(self, model: cp_model.CpModel) -> None:
        try:
            self._status = self.solver.solve(model, self._relay)
        finally:
            self._relay.found.put(None)

    def solutions(self) -> Iterator[Solution]:
        """Yield what the search finds, letting it go on only when the next solution is wanted."""
        self._begun = True
        self._thread.start()
        while (solution := self._next()) is not None:
            yield solution
            self._relay.go_on.release()

    def _next(self) -> Solution | None:
        cancel = self._clock.limits.cancel
        while True:
            try:
                return self._relay.found.get(timeout=POLL if cancel else None)
            except Empty:
                if cancel and cancel.cancelled:
                    self.solver.stop_search()

    def end(self) -> tuple[int, int]:
        """Stop the search if it has not ended; return its conflicts and branches."""
        if not self._begun:
            return 0, 0
        self._relay.stopping = True
        self._relay.go_on.release()
        if not self._thread.ident:  # Ctrl-C came while the thread began
            sleep(POLL)
        while self._thread.is_alive():
            self.solver.stop_search()
            self._thread.join(POLL)
        return self.solver.num_conflicts, self.solver.num_branches

    def check(self) -> None:
        """Raise `LimitReached` unless the search came to its end."""
        _refuse_invalid(self._status)
        if self._status in {cp_model.FEASIBLE, cp_model.UNKNOWN}:
            self._clock.check()
            raise LimitReached("deadline", f"{self._clock.elapsed:.3g} s")


class _Relay(cp_model.CpSolverSolutionCallback):
    """Hands each solution to the asking thread, and waits there until the search may go on."""

    def __init__(self, encoding: Encoding, clock: Clock) -> None:
        super().__init__()
        self._encoding = encoding
        self._nodes = clock.nodes_left()
        self._cancel = clock.limits.cancel
        self.found: SimpleQueue[Solution | None] = SimpleQueue()
        self.go_on = Semaphore(0)
        self.stopping = False

    def on_solution_callback(self) -> None:
        """Called by the search at each solution."""
        if not self.stopping:
            self.found.put(self._encoding.solution(list(self.response_proto.solution)))
            self.go_on.acquire()
        if self.stopping or _spent(self, self._nodes) or (self._cancel and self._cancel.cancelled):
            self.stop_search()


def _refuse_invalid(status: cp_model.CpSolverStatus) -> None:
    if status == cp_model.MODEL_INVALID:
        raise RuntimeError("expected a model that CP-SAT accepts, got one that it calls invalid")

"""Calls of the CP-SAT solver: a short one, and a long one in a thread, which yields solutions as it finds them.

Hazards this file works around: while the solver reads and presolves a large model it checks neither clock nor requests to stop
(a second of work for 25x25 with rules between all neighbours), so the calling thread watches the time and abandons such a search;
from then on the model belongs to that search, since a model must not be edited while a search reads it.
"""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Event, Semaphore, Thread
from typing import TYPE_CHECKING, NamedTuple

from ortools.sat.python import cp_model

from sudoku_cp.backends.abandoned_searches import stop_or_abandon
from sudoku_cp.errors import LimitReached
from sudoku_cp.interrupts import start_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.backends.base import Clock, Solution
    from sudoku_cp.backends.cpsat.encoding import Encoding

POLL = 0.05
"""Seconds between two checks for a cancellation."""
SLICE = 0.05
"""Seconds of the short search, which answers most questions."""
MOST = 2**62
"""The solver counts conflicts in 64 bits."""
SMALL = 1000
"""A model of up to this many constraints is read within 20 ms, so its short search needs no thread, which would cost 0.3 ms."""
AHEAD = 2
"""The most solutions of the short search: most questions ask whether there is a second one."""


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


class _Search:
    """One call of the solver, in place or in a thread of its own."""

    def __init__(
        self,
        solver: cp_model.CpSolver,
        model: cp_model.CpModel,
        callback: cp_model.CpSolverSolutionCallback,
        over: Callable[[], object],
    ) -> None:
        """Prepare the call; ``over`` is called at its end."""
        self.solver = solver
        self.status: cp_model.CpSolverStatus = cp_model.MODEL_INVALID
        self.is_abandoned = False
        """Whether the search was abandoned, and the model with it."""
        self._is_over = False
        self._arguments = model, callback, over
        self._thread: Thread | None = None

    def run(self) -> None:
        """Search to the end."""
        model, callback, over = self._arguments
        try:
            self.status = self.solver.solve(model, callback)
        finally:
            self._is_over = True
            over()

    def start(self) -> None:
        """Start the search in a thread."""
        self._thread = Thread(target=self.run, daemon=True)
        start_thread(self._thread)

    def end(self) -> tuple[int, int]:
        """Stop the search if it is still running; return its conflicts and branches, zeros if it was abandoned."""
        if self._thread:
            # On a busy machine a thread may outlive its search for a while.
            self.is_abandoned = not (stop_or_abandon(self._thread, self.solver.stop_search) or self._is_over)
        if self.is_abandoned or self.status == cp_model.MODEL_INVALID:
            return 0, 0
        return self.solver.num_conflicts, self.solver.num_branches

    def check(self, clock: Clock) -> None:
        """Raise `LimitReached` for an abandoned search, `RuntimeError` for an invalid model."""
        if self.is_abandoned:
            clock.check()
            raise LimitReached("deadline", f"{clock.elapsed:.3g} s")
        if self.status == cp_model.MODEL_INVALID:
            raise RuntimeError("expected a model that CP-SAT accepts, got one that it calls invalid")


# --- the short search -------------------------------------------------------------------------------------------


class SliceResult(NamedTuple):
    """The solutions of a short search, whether they are all there are, and what the search cost."""

    solutions: tuple[Solution, ...]
    complete: bool
    conflicts: int
    branches: int


class ShortSearch(_Search):
    """A search for at most `SLICE` seconds and `AHEAD` solutions."""

    def __init__(self, model: cp_model.CpModel, encoding: Encoding, clock: Clock, *, enumerate_all: bool) -> None:
        """Prepare the search for solutions of ``model``, which ``encoding`` made, within the limits of the ``clock``."""
        # Presolving a variant takes half of the slice, and pays only in long searches.
        solver = _solver(clock, enumerate_all=enumerate_all, presolve=not encoding.has_literals)
        seconds = clock.seconds_left
        solver.parameters.max_time_in_seconds = SLICE if seconds is None else min(SLICE, seconds)
        self._is_small = len(model.proto.constraints) <= SMALL
        self._clock = clock
        self._first = _FirstSolutions(encoding, clock.nodes_left())
        self._ended = Event()
        super().__init__(solver, model, self._first, self._ended.set)

    def slice(self) -> SliceResult:
        """Search, and return what was found."""
        try:
            if self._is_small:
                self.run()
            else:
                with self._clock.on_cancel(self._ended.set):
                    self.start()
                    self._ended.wait(self._clock.seconds_left)
        finally:  # on the end, the deadline, or Ctrl-C
            costs = self.end()
        self.check(self._clock)
        return SliceResult(tuple(self._first.found), self.status in {cp_model.OPTIMAL, cp_model.INFEASIBLE}, *costs)


class _FirstSolutions(cp_model.CpSolverSolutionCallback):
    """Keeps the first solutions."""

    def __init__(self, encoding: Encoding, nodes: int | None) -> None:
        super().__init__()
        self._encoding = encoding
        self._nodes = nodes
        self.found: list[Solution] = []

    def on_solution_callback(self) -> None:
        """Called by the search at each solution."""
        self.found.append(self._encoding.solution(list(self.response_proto.solution)))
        if len(self.found) == AHEAD or _is_node_limit_spent(self, self._nodes):
            self.stop_search()


def _is_node_limit_spent(callback: cp_model.CpSolverSolutionCallback, nodes: int | None) -> bool:
    """Return whether the search has exceeded its limit, which CP-SAT applies anew after each solution of an enumeration."""
    return nodes is not None and callback.num_conflicts > nodes


# --- the long search --------------------------------------------------------------------------------------------


class LongSearch(_Search):
    """A search to the end, in a thread, which hands over its solutions one by one."""

    def __init__(self, model: cp_model.CpModel, encoding: Encoding, clock: Clock, *, enumerate_all: bool) -> None:
        """Prepare the search, as `ShortSearch` does; it starts when the first solution is requested."""
        self._clock = clock
        self._started = self._gave_up = False
        self._relay = _SolutionRelay(encoding, clock)
        solver = _solver(clock, enumerate_all=enumerate_all, presolve=not encoding.is_cover)
        super().__init__(solver, model, self._relay, lambda: self._relay.found.put(None))

    def solutions(self) -> Iterator[Solution]:
        """Yield the solutions of the search, which goes on only when the next one is requested."""
        self._started = True
        self.start()
        while (solution := self._next()) is not None:
            yield solution
            self._relay.go_on.release()

    def _next(self) -> Solution | None:
        """Return the next solution, None at the end of the search or of its time."""
        limits = self._clock.limits
        while True:
            left = self._clock.seconds_left
            try:
                return self._relay.found.get(timeout=left if limits.cancel is None else POLL if left is None else min(POLL, left))
            except Empty:
                if self._clock.reached() in {"deadline", "cancelled"}:
                    self._gave_up = True
                    return None

    def end(self) -> tuple[int, int]:
        """Stop the search if it is still running; return its conflicts and branches."""
        if not self._started:
            return 0, 0
        self._relay.stopping = True
        self._relay.go_on.release()
        return super().end()

    def check(self, clock: Clock) -> None:
        """Raise `LimitReached` unless the search ended within its node limit, and handed over all that it found.

        An enumeration may exceed its node limit between two solutions: then it is no answer, however far the short search came.
        """
        super().check(clock)
        is_cut = self._gave_up or self.status in {cp_model.FEASIBLE, cp_model.UNKNOWN}
        if is_cut or clock.reached() == "nodes":
            clock.check()
            raise LimitReached("deadline", f"{clock.elapsed:.3g} s")


class _SolutionRelay(cp_model.CpSolverSolutionCallback):
    """Hands each solution to the caller's thread, and waits until the search may go on."""

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
        if self.stopping or _is_node_limit_spent(self, self._nodes) or (self._cancel and self._cancel.cancelled):
            self.stop_search()

"""The engine ``cpsat``: OR-Tools CP-SAT (Perron, Didier, Gay: "The CP-SAT-LP Solver", CP 2023)."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Event, Semaphore, Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, assert_never

from ortools.sat.python import cp_model

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution
from sudoku_cp.backends.race import stop_or_abandon
from sudoku_cp.errors import LimitReached, UnknownName
from sudoku_cp.grid import MAX_VALUE, Cell
from sudoku_cp.interrupts import start_thread
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Domain,
    Linear,
    Model,
    Partition,
    Table,
    members,
    strengthen_model,
)
from sudoku_cp.model.model import AUXILIARY, COMPARE
from sudoku_cp.model.rewrite import rewrite_model

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence


# A session of CP-SAT: one model, whose domains each question edits and restores.
#
# The cells' variables are Booleans, one a candidate, and "all different" is an exact cover of them. Without presolve and
# inprocessing CP-SAT is then 1.7 to 5 times faster on 9x9 than on integers with AllDifferent at its best settings.
# ``cpsat:alldifferent`` states the textbook model instead: integer variables and AllDifferent, a third opinion.
#
# Theory of operation. The first question encodes the model. A question narrows the domains of the variables in
# place (``edits``), runs a `ShortSearch` of 50 ms without a thread, which answers most questions, then a `LongSearch` in a
# thread, and restores the domains. Invariants: a model is never edited while a search reads it, so a question asked while
# another is open gets a copy, and a model with an abandoned search is dropped and encoded anew; a grid is yielded once, so
# where enumeration could repeat it (automata and auxiliaries: the same cells with another path) each grid is forbidden and the
# model solved again.


COUNTERS = ("nodes", "branches")
ENCODINGS = ("cover", "alldifferent")


class CpSat:
    """Solves with OR-Tools CP-SAT; ``cpsat:alldifferent`` uses the textbook model on integer variables."""

    name = "cpsat"
    takes: frozenset[type[Constraint]] = frozenset({AllDifferent, Linear, Table, Automaton, Clause, Count})

    def __init__(self, encoding: str = "cover") -> None:
        """Choose one of `ENCODINGS`."""
        if encoding not in ENCODINGS:
            raise UnknownName("kind of CP-SAT model", encoding, ENCODINGS)
        self._cover = encoding == "cover"
        self.name = "cpsat" if self._cover else f"cpsat:{encoding}"

    def open(self, model: Model) -> CpSatSession:
        """Return a session on ``model``; the textbook kind does not strengthen it, so that each kind checks the other."""
        return CpSatSession(model, self.takes, cover=self._cover)


class CpSatSession:
    """One CP-SAT model; questions edit the domains of its variables."""

    def __init__(self, model: Model, takes: frozenset[type[Constraint]], *, cover: bool) -> None:
        """Keep the ``model``; the first question rewrites it to what is in ``takes`` and encodes it, within its own limits."""
        self._model = model
        self._takes = takes
        self._cover = cover
        self._encoding: Encoding | None = None
        self._repeats = False
        self._edited: Edits | None = None
        self._left_behind: cp_model.CpModel | None = None
        self._counts = dict.fromkeys(COUNTERS, 0)

    def _encode(self, clock: Clock) -> Encoding:
        """Return the model as a CP-SAT model, and note whether its enumeration may yield a grid twice."""
        model = strengthen_model(self._model, clock.check) if self._cover else self._model
        self._repeats = len(model.domains) > model.board or any(isinstance(one, Automaton) for one in model.constraints)
        return Encoding(rewrite_model(model, self._takes, clock.check), cover=self._cover, check=clock.check)

    def counters(self) -> Mapping[str, int]:
        """Return conflicts (as ``nodes``) and branches of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a conflict."""
        clock = limits.started()
        self._counts = dict.fromkeys(COUNTERS, 0)
        clock.check()
        encoding = self._encoding = self._encoding or self._encode(clock)
        edits = encoding.edits(assume)
        if edits is None:
            return
        if self._repeats:
            yield from self._search_forbidding(encoding, self._copy(encoding, edits), clock)
        elif self._edited is not None:
            yield from self._search(encoding, self._copy(encoding, edits), clock, enumerate_all=True)
        else:
            self._edited = edits
            apply(encoding.model, edits)
            try:
                yield from self._search(encoding, encoding.model, clock, enumerate_all=True)
            finally:
                if self._encoding is encoding:
                    apply(encoding.model, encoding.free(edits))
                    self._edited = None

    def _copy(self, encoding: Encoding, edits: Edits) -> cp_model.CpModel:
        """Return a copy of the model with only ``edits`` applied, not those of an open question."""
        model = encoding.model.clone()
        apply(model, encoding.free(self._edited or {}))
        apply(model, edits)
        return model

    def _search_forbidding(self, encoding: Encoding, model: cp_model.CpModel, clock: Clock) -> Iterator[Solution]:
        """Solve, forbid the grid, solve again."""
        while True:
            clock.check()
            found = self._search(encoding, model, clock, enumerate_all=False)
            solution = next(found, None)
            found.close()
            if solution is None:
                return
            yield solution
            if model is self._left_behind:
                model = model.clone()  # a search may still be reading it
            encoding.forbid(model, solution)

    def _search(self, encoding: Encoding, model: cp_model.CpModel, clock: Clock, *, enumerate_all: bool) -> Generator[Solution]:
        """Yield solutions: those of a short search, and if that did not find all, those of a long one."""
        short = ShortSearch(model, encoding, clock, enumerate_all=enumerate_all)
        try:
            first = short.slice()
        finally:
            self._release_model(model, short)
        self._charge(clock, first.conflicts, first.branches)
        yield from first.solutions
        if first.complete and clock.reached() != "nodes":
            return
        clock.check()
        run = LongSearch(model, encoding, clock, enumerate_all=enumerate_all)
        with clock.on_cancel(run.solver.stop_search):
            try:
                yield from (solution for solution in run.solutions() if solution not in first.solutions)
            finally:
                self._charge(clock, *run.end())
                self._release_model(model, run)
        run.check(clock)

    def _release_model(self, model: cp_model.CpModel, run: ShortSearch | LongSearch) -> None:
        """Give up the model if its search was abandoned; the next question encodes it anew."""
        if not run.is_abandoned:
            return
        self._left_behind = model
        if self._encoding is not None and model is self._encoding.model:
            self._encoding = self._edited = None

    def _charge(self, clock: Clock, conflicts: int, branches: int) -> None:
        clock.nodes += conflicts
        self._counts["nodes"] += conflicts
        self._counts["branches"] += branches


# A model as a CP-SAT model, and givens as edits of its variables' domains.


Edits: TypeAlias = "Mapping[int, Sequence[int]]"
"""New domains of variables, by index: intervals as lowest, highest, lowest, highest, ..."""

Boolean: TypeAlias = Any
"""A Boolean variable or its negation; no type of ortools has the methods of both."""


def apply(model: cp_model.CpModel, edits: Edits) -> None:
    """Set the domains of variables in ``model``."""
    variables = model.proto.variables
    for index, domain in edits.items():
        own = variables[index].domain
        own.clear()
        own.extend(domain)


class Encoding:
    """A model as a CP-SAT model: a Boolean for each candidate, integers where a constraint needs them, or both."""

    def __init__(self, model: Model, *, cover: bool, check: Callable[[], object] = int) -> None:
        """Declare the variables and state every constraint; ``check`` is called in between, and may raise at a limit."""
        self._source = model
        self._cover = self.has_literals = cover
        self._literals: dict[tuple[Cell, int], Boolean] = {}
        self._integers: dict[Cell, cp_model.IntVar] = {}
        self.model = cp_model.CpModel()
        for cell in range(len(model.domains)):
            check()
            self._declare(cell)
        for constraint in model.constraints:
            check()
            self._post(constraint)
        self.is_cover = cover and all(isinstance(one, AllDifferent | Clause) for one in model.constraints)
        # Reading a variable's index is slow, so it is done once: of each candidate, or of each cell.
        seen = range(model.board)
        self._index = {key: literal.index for key, literal in self._literals.items() if cover and key[0] in seen}
        self._spelling = [(index, value) for (_, value), index in self._index.items()]
        self._places = [] if cover else [self._integers[cell].index for cell in seen]

    # --- variables ----------------------------------------------------------------------------------------------

    def _declare(self, cell: Cell) -> None:
        domain, model = self._source.domains[cell], self.model
        if cell >= self._source.board and domain == AUXILIARY:
            self._literals[cell, 1] = one = model.new_bool_var("")
            self._literals[cell, 0] = one.negated()
        elif self._cover:
            for value in members(domain):
                self._literals[cell, value] = model.new_bool_var("")
            model.add_exactly_one(self._literals[cell, value] for value in members(domain))
        else:
            self._integer(cell)

    def _integer(self, cell: Cell) -> cp_model.IntVar:
        """Return the cell as an integer variable, created and linked to its literals on first use."""
        if cell not in self._integers:
            values = members(self._source.domains[cell])
            self._integers[cell] = number = self.model.new_int_var_from_domain(cp_model.Domain.from_values(values), "")
            for value in values:
                if (cell, value) in self._literals:
                    self.model.add(number == value).only_enforce_if(self._literals[cell, value])
        return self._integers[cell]

    def _copy(self, cell: Cell) -> cp_model.IntVar:
        """Return a second integer variable, constrained to equal the cell's."""
        values = cp_model.Domain.from_values(members(self._source.domains[cell]))
        copy = self.model.new_int_var_from_domain(values, "")
        self.model.add(copy == self._integer(cell))
        return copy

    def _literal(self, cell: Cell, value: int) -> Boolean:
        """Return the Boolean "cell = value", created and linked to the cell's integer on first use."""
        if not 0 <= value <= MAX_VALUE or not self._source.domains[cell] >> value & 1:
            return self.model.new_constant(0)
        if (cell, value) not in self._literals:
            self._literals[cell, value] = literal = self.model.new_bool_var("")
            self.model.add(self._integer(cell) == value).only_enforce_if(literal)
            self.model.add(self._integer(cell) != value).only_enforce_if(literal.negated())
        return self._literals[cell, value]

    # --- constraints --------------------------------------------------------------------------------------------

    def _post(self, constraint: Constraint) -> None:
        model = self.model
        match constraint:
            case AllDifferent(cells) if self._cover:
                self._cover_all(cells)
            case AllDifferent(cells):
                model.add_all_different([self._integer(cell) for cell in cells])
            case Linear(terms, relation, total):
                whole: Any = cp_model.LinearExpr.weighted_sum(
                    [self._integer(cell) for cell, _ in terms], [factor for _, factor in terms]
                )
                model.add(COMPARE[relation](whole, total))
            case Count(cells, values, relation, number):
                inside = [self._literal(cell, value) for cell in cells for value in sorted(values)]
                amount: Any = cp_model.LinearExpr.sum(inside)
                model.add(COMPARE[relation](amount, number))
            case Table(cells, tuples):
                model.add_allowed_assignments([self._integer(cell) for cell in cells], sorted(tuples))
            case Automaton():
                self._accept(constraint)
            case Clause(literals):
                own = [(self._literal(cell, value), equal) for cell, value, equal in literals]
                model.add_bool_or([literal if equal else literal.negated() for literal, equal in own])
            case DigitSet() | Connected() | Partition():
                raise TypeError(f"a {type(constraint).__name__} is rewritten before it comes here")
            case _:
                assert_never(constraint)

    def _cover_all(self, cells: tuple[Cell, ...]) -> None:
        """Post "every value at most once", or "exactly once" if there are as many values as cells."""
        union = 0
        for cell in cells:
            union |= self._source.domains[cell]
        if union.bit_count() < len(cells):
            self.model.add_bool_or([])
        for value in members(union):
            places = [self._literals[cell, value] for cell in cells if (cell, value) in self._literals]
            if union.bit_count() == len(cells):
                self.model.add_exactly_one(places)
            else:
                self.model.add_at_most_one(places)

    def _accept(self, automaton: Automaton) -> None:
        if not automaton.edges or not automaton.accepting:
            self.model.add_bool_or([])
            return
        cells: list[cp_model.IntVar] = []
        for place, cell in enumerate(automaton.cells):
            # Without presolve CP-SAT errs on an automaton that reads a variable twice, and its own check aborts the process.
            cells.append(self._copy(cell) if cell in automaton.cells[:place] else self._integer(cell))
        self.model.add_automaton(cells, automaton.start, sorted(automaton.accepting), sorted(automaton.edges))

    # --- questions ----------------------------------------------------------------------------------------------

    def edits(self, assume: Assumed) -> Edits | None:
        """Return the domains that state ``assume``; None where a cell has no value left."""
        found: dict[int, Sequence[int]] = {}
        for cell, allowed in assume.items():
            domain = self._source.domains[cell]
            kept = domain & allowed
            if not kept:
                return None
            if not self._cover:
                found[self._places[cell]] = _intervals(kept)
            elif not kept & (kept - 1):
                found[self._index[cell, kept.bit_length() - 1]] = (1, 1)
            else:
                found |= {self._index[cell, value]: (0, 0) for value in members(domain & ~kept)}
        return found

    def free(self, edits: Edits) -> Edits:
        """Return the original domains of the variables in ``edits``."""
        if self._cover:
            return dict.fromkeys(edits, (0, 1))
        own = dict(zip(self._places, self._source.domains, strict=False))
        return {index: _intervals(own[index]) for index in edits}

    def solution(self, values: Sequence[int]) -> Solution:
        """Return the grid that the values of all variables represent."""
        if self._cover:
            return tuple([value for index, value in self._spelling if values[index]])
        return tuple([values[index] for index in self._places])

    def forbid(self, model: cp_model.CpModel, grid: Solution) -> None:
        """State in ``model``, a copy of our own, that the solution is not ``grid``."""
        different = []
        for cell, value in enumerate(grid):
            if self._cover:
                literal = model.get_bool_var_from_proto_index(self._literals[cell, value].index)
                different.append(literal.negated())
            else:
                other = model.new_bool_var("")
                number = model.get_int_var_from_proto_index(self._integers[cell].index)
                model.add(number != value).only_enforce_if(other)
                different.append(other)
        model.add_bool_or(different)


def _intervals(domain: Domain) -> list[int]:
    found: list[int] = cp_model.Domain.from_values(members(domain)).flattened_intervals()
    return found


# Calls of the CP-SAT solver: a short one, and a long one in a thread, which yields solutions as it finds them.
#
# Hazards this part works around: while the solver reads and presolves a large model it checks neither clock nor requests to
# stop (a second of work for 25x25 with rules between all neighbours), so the calling thread watches the time and abandons such
# a search; from then on the model belongs to that search, since a model must not be edited while a search reads it.


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
                    self._clock.wait(self._ended)
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

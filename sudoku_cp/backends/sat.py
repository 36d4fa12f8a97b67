"""The exact-cover CNF, solved by any solver of python-sat (PySAT; Ignatiev, Morgado, Marques-Silva, SAT 2018).

Boards of up to 16x16 (by their number of candidates) keep one incremental solver a session and state givens as
assumptions; larger ones get a fresh formula a question, reduced to the live candidates, because hundreds of
assumptions slow a solver down more than rebuilding costs.

Hazards this file works around: ``solve`` holds the interpreter's lock and looks at no clock, so a search that outlasts
its first conflicts goes on in a thread that can be interrupted; CaDiCaL cannot, and is run in slices; a model must be
copied before the next clause is added.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from threading import Thread
from typing import TYPE_CHECKING

from pysat.solvers import Solver, SolverNames

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution
from sudoku_cp.errors import UnknownName
from sudoku_cp.model import Clause, Constraint, Count, Linear, Model, different, members, strengthened
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.model import IMPLIED
from sudoku_cp.model.rewrite import reduced

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

INCREMENTAL = 5000
"""A board of at most so many candidates (16x16 has 4,096) keeps one solver, with givens as assumptions."""
RENEWED = 1000
"""A solver is made anew after so many questions: each leaves a retired literal behind, and all are looked at again."""
SLICE = 1000
"""Conflicts between two looks at the clock (about 40 ms)."""

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
SOLVERS = _INTERRUPTIBLE | _SLICED
"""The solvers of python-sat that work incrementally, as installed from the package index, and can be stopped.

Left out: lingeling aborts the process when a literal that was once assumed comes back in a clause, kissat solves a
formula only once, maplecm was seen to hang, cryptominisat and minisat-gh are not built into the package.
"""


class Sat:
    """Solves the exact-cover CNF with glucose4; ``sat:NAME`` with another solver of python-sat, by any of its names."""

    name = "sat"
    takes: frozenset[type[Constraint]] = frozenset({Clause})

    def __init__(self, solver: str = "glucose4") -> None:
        """Choose the solver, by any of its names."""
        aliases = {alias: name for name, all_names in vars(SolverNames).items() if name in SOLVERS for alias in all_names}
        if solver not in aliases:
            raise UnknownName("SAT solver", solver, SOLVERS)
        self._solver = aliases[solver]
        self.name = "sat" if solver == "glucose4" else f"sat:{solver}"

    def open(self, model: Model) -> SatSession:
        """Return a session on ``model``."""
        return SatSession(model, self._solver)


class SatSession:
    """One model, with its formula built once where the board is small enough."""

    def __init__(self, model: Model, solver: str) -> None:
        """Choose between one formula for all questions and one for each; the first question builds it, on its own time."""
        self._model = model
        self._name = solver
        self._counts = dict.fromkeys(COUNTERS, 0)
        candidates = sum(domain.bit_count() for domain in model.domains[: model.board])
        self._incremental = candidates <= INCREMENTAL
        self._told: tuple[Model, Sequence[int]] | None = None
        self._formula: Cnf | None = None
        self._oracle: _Oracle | None = None

    def counters(self) -> Mapping[str, int]:
        """Return conflicts (as ``nodes``), decisions and propagations of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a conflict."""
        clock = limits.started()
        self._counts = dict.fromkeys(COUNTERS, 0)
        clock.check()
        model, differ = self._told = self._told or _told(self._model)
        domains = [domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains[: model.board])]
        if not all(domains):
            return
        if not self._incremental:
            formula = cnf(model, reduced(model, domains), clock.check, differ)
            oracle, assumed = _Oracle(self._name, formula, clock), []
        else:
            formula = self._formula = self._formula or cnf(model, None, clock.check, differ)
            oracle, assumed = self._shared(formula, clock), _assumptions(formula, assume)
        selector = oracle.fresh()
        assumed.append(selector)
        settled = {cell for cell in assume if not domains[cell] & (domains[cell] - 1)}
        try:
            while oracle.solve(assumed, clock, self._counts):
                solution, making = oracle.solution(settled)
                yield solution
                oracle.add([-selector, *(-literal for literal in making)])
        finally:
            oracle.add([-selector])

    def _shared(self, formula: Cnf, clock: Clock) -> _Oracle:
        if self._oracle is None or self._oracle.questions >= RENEWED:
            self._oracle = _Oracle(self._name, formula, clock)
        return self._oracle


def _told(model: Model) -> tuple[Model, Sequence[int]]:
    """Return the model with what strengthens its formula, and which cells are known to differ.

    Implied sums over several cliques, and implied counts, are left out: they halve the conflicts of a killer at most, which
    makes up for the time to build and load their clauses in none.
    """
    strong = strengthened(model)
    said = tuple(one for one in strong.statements if one.rule != IMPLIED or not isinstance(one.constraint, Linear | Count))
    return Model(strong.domains, said, strong.board), different(strong)


def _assumptions(formula: Cnf, assume: Assumed) -> list[int]:
    """Return the literals that say ``assume``: the value of a given, the absence of each lost candidate."""
    found: list[int] = []
    for cell, allowed in assume.items():
        domain = formula.domains[cell]
        kept = domain & allowed
        if not domain & (domain - 1) or kept == domain:
            continue
        if kept & (kept - 1):
            found += [-formula.variables[cell, value] for value in members(domain & ~kept)]
        else:
            found.append(formula.variables[cell, kept.bit_length() - 1])
    return found


class _Oracle:
    """A solver with a formula in it, that can be asked within limits."""

    def __init__(self, name: str, formula: Cnf, clock: Clock) -> None:
        self._solver = Solver(name=name, bootstrap_with=formula.cells)
        for _, block in formula.blocks:
            clock.check()
            self._solver.append_formula(block)
        self._name = name
        # The board's candidates are numbered first, so auxiliaries never stand among them.
        self._candidates = [candidate or (0, 0) for candidate in formula.candidates]
        self._last = formula.size
        self._fixed = [domain.bit_length() - 1 for domain in formula.domains[: formula.board]]
        self._board = max((n for n, candidate in enumerate(formula.candidates) if candidate), default=0)
        self.questions = 0

    def fresh(self) -> int:
        """Return a new variable."""
        self.questions += 1
        self._last += 1
        return self._last

    def add(self, clause: Sequence[int]) -> None:
        """State one more clause."""
        self._solver.add_clause(clause)

    def solution(self, settled: Container[int]) -> tuple[Solution, list[int]]:
        """Return the grid just found, and the literals that make it, but for those of ``settled`` cells."""
        values = self._fixed.copy()
        making = []
        for literal in self._solver.get_model()[: self._board]:
            if literal > 0:
                cell, value = self._candidates[literal]
                values[cell] = value
                if cell not in settled:
                    making.append(literal)
        return tuple(values), making

    def solve(self, assumed: Sequence[int], clock: Clock, counts: dict[str, int]) -> bool:
        """Say whether the formula can be satisfied, or raise `LimitReached`."""
        run = self._slice
        while True:
            clock.check()
            before = self._solver.accum_stats()
            answer = run(assumed, clock)
            after = self._solver.accum_stats()
            clock.nodes += after["conflicts"] - before["conflicts"]
            for ours, theirs in _COUNTED:
                counts[ours] += after[theirs] - before[theirs]
            if answer is not None:
                return answer
            if self._name in _INTERRUPTIBLE:
                run = self._watched

    def _slice(self, assumed: Sequence[int], clock: Clock) -> bool | None:
        """Search for some conflicts; most questions are answered within the first slice."""
        left = clock.nodes_left()
        self._solver.conf_budget(SLICE if left is None else min(SLICE, left + 1))
        # The solvers catch Ctrl-C by a jump out of the search, after which they are broken; "expecting an interrupt"
        # leaves it to the interpreter, which hears of it after the slice.
        answer: bool | None = self._solver.solve_limited(assumed, expect_interrupt=self._name in _INTERRUPTIBLE)
        return answer

    def _watched(self, assumed: Sequence[int], clock: Clock) -> bool | None:
        """Search in a thread, without the interpreter's lock, until the answer or a limit comes."""
        left = clock.nodes_left()
        self._solver.conf_budget(-1 if left is None else left + 1)
        answers: list[bool | None] = []
        thread = Thread(target=lambda: answers.append(self._solver.solve_limited(assumed, expect_interrupt=True)))
        cancel = clock.limits.cancel
        with cancel.calling(self._solver.interrupt) if cancel else nullcontext():
            thread.start()
            try:
                thread.join(clock.seconds_left)
            finally:  # the answer, the deadline, or Ctrl-C, even twice
                while thread.is_alive():
                    self._solver.interrupt()
                    with suppress(KeyboardInterrupt):
                        thread.join()
                self._solver.clear_interrupt()
        return answers[0]


_COUNTED = (("nodes", "conflicts"), ("decisions", "decisions"), ("propagations", "propagations"))

"""A model with parts that each question may include or leave out; if those included clash, some of them that do (an unsat core).

Each clause of a part contains the part's guard literal, negated. A question assumes the guards of the parts it includes, and a
solver that finds them contradictory returns some that clash (Eén and Sörensson, 2003).
"""

from __future__ import annotations

from contextlib import suppress
from itertools import accumulate, pairwise
from threading import Thread
from types import MappingProxyType
from typing import TYPE_CHECKING

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from sudoku_cp.backends.base import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.backends.sat import strengthen_for_sat
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle, solver_named
from sudoku_cp.interrupts import start_thread
from sudoku_cp.model import Clause, Literal, Model, Statement, different_cells, members
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.model import IMPLIED
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell


# Smallest hitting sets, by core-guided MaxSAT (RC2; Ignatiev, Morgado, Marques-Silva, JSAT 2019).


class HittingSets:
    """Finds a smallest set of numbers that meets every set added so far."""

    def __init__(self) -> None:
        """Start without sets."""
        # MiniSat reacts to an interrupt at its next conflict, Glucose at its next restart, which may be seconds away.
        self._solver = RC2(WCNF(), solver="minisat22")
        self._known: set[int] = set()

    def add(self, numbers: Collection[int]) -> None:
        """Require one of ``numbers`` in every set from now on."""
        self._solver.add_clause([number + 1 for number in numbers])
        for number in set(numbers) - self._known:
            self._solver.add_clause([-number - 1], weight=1)
        self._known.update(numbers)

    def smallest(self, clock: Clock) -> frozenset[int]:
        """Return a smallest set, or raise `LimitReached`; after that this object must not be used again."""
        clock.check()
        if not self._known:
            return frozenset()
        models: list[list[int] | None] = []
        thread = Thread(target=lambda: models.append(self._solver.compute(expect_interrupt=True)))
        with clock.on_cancel(self._solver.interrupt):
            try:
                start_thread(thread)
                while thread.is_alive() and clock.reached() is None:  # the clock may have stood still
                    thread.join(clock.seconds_left)
            finally:  # on the answer, the deadline, or Ctrl-C, even twice
                while thread.is_alive():
                    self._solver.interrupt()
                    with suppress(KeyboardInterrupt):
                        thread.join(0.05)
        clock.check()
        return frozenset(literal - 1 for literal in models[0] or () if literal > 0)


class AssumptionSolver:
    """A solver in which the model always holds, and those of its parts that a question names."""

    def __init__(
        self, model: Model, parts: Sequence[Sequence[Statement]], *, solver: str = "glucose4", limits: Limits = UNLIMITED
    ) -> None:
        """Build the formula of ``model`` and ``parts`` (statements about its cells), within ``limits``."""
        clock = limits.started()
        hard = strengthen_for_sat(model, clock.check)
        loose = [_strengthen_part(model, part, clock.check) for part in parts]
        ends = list(accumulate((len(part) for part in loose), initial=len(hard.statements)))
        statements = (*hard.statements, *(statement for part in loose for statement in part))
        live = propagate_decided(hard, hard.domains[: hard.board])
        formula = cnf(Model(hard.domains, statements, hard.board), live, clock.check, different_cells(hard))
        self._formula = formula
        self._guards = range(formula.size + 1, formula.size + len(parts) + 1)
        self._last = formula.size + len(parts)
        self._oracle = SatOracle(solver_named(solver), _guarded_clauses(formula, ends, self._guards), clock)

    def ask(
        self, held: Collection[int], besides: Mapping[Cell, int] = MappingProxyType({}), *, clock: Clock
    ) -> Solution | frozenset[int]:
        """Return a solution of the model and the parts ``held`` (by number), or else the numbers of some that clash.

        In a solution the cells in ``besides`` do not all hold the values given there. Raises `LimitReached`.
        """
        assumed = [self._guards[number] for number in held]
        selector = self._forbid_together(besides) if besides else 0
        try:
            if self._oracle.solve([*assumed, selector] if selector else assumed, clock, dict.fromkeys(COUNTERS, 0)):
                return self._formula.values(self._oracle.model())
            first = self._guards.start
            return frozenset(literal - first for literal in self._oracle.core() if literal != selector)
        finally:
            if selector:
                self._oracle.add([-selector])

    def _forbid_together(self, values: Mapping[Cell, int]) -> int:
        """Return a literal that implies that some cell does not hold its value."""
        self._last += 1
        domains, variables = self._formula.domains, self._formula.variables
        if all(domains[cell] >> value & 1 for cell, value in values.items()):
            literals = [-variables[candidate] for candidate in values.items() if candidate in variables]
            self._oracle.add([-self._last, *literals])
        return self._last


def _guarded_clauses(formula: Cnf, ends: Sequence[int], guards: Sequence[int]) -> Iterator[Sequence[Sequence[int]]]:
    """Yield the clauses of the cells, of the model's statements, and those of each part behind its guard."""
    yield formula.cells
    for _, clauses in formula.blocks[: ends[0]]:
        yield clauses
    for guard, (start, end) in zip(guards, pairwise(ends), strict=True):
        for _, clauses in formula.blocks[start:end]:
            yield [[*clause, -guard] for clause in clauses]


def _strengthen_part(model: Model, part: Sequence[Statement], tick: Callable[[], None]) -> list[Statement]:
    """Return a part strengthened on its own; values it rules out become clauses, so they come back when it is left out.

    Clauses stay as they are: to strengthen each of thousands of parts with one would be as much work as thousands of models.
    """
    if all(isinstance(statement.constraint, Clause) for statement in part):
        return [*part]
    strong = strengthen_for_sat(Model(model.domains, tuple(part), model.board), tick)
    narrowed = [
        Statement(Clause(tuple(Literal(cell, value) for value in members(domain))), IMPLIED, IMPLIED)
        for cell, domain in enumerate(strong.domains)
        if domain != model.domains[cell]
    ]
    return [*strong.statements, *narrowed]

"""A puzzle's rules before a solver that is asked about them again and again, and told more meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.oracle import COUNTERS, Oracle
from sudoku_cp.backends.sat import stronger
from sudoku_cp.errors import WrongAnswer
from sudoku_cp.model import Model, different
from sudoku_cp.model.cnf import cnf
from sudoku_cp.model.rewrite import reduced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


class PuzzleFormula:
    """The clauses of a puzzle: its rules and what candidates it leaves, and its givens."""

    def __init__(self, puzzle: Puzzle, clock: Clock) -> None:
        """Translate the rules, within the limits of a clock."""
        model, assume = puzzle.model(clock.check), puzzle.assume()
        domains = tuple(domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains))
        hard = stronger(Model(domains, model.statements, model.board))
        live = reduced(hard, hard.domains[: hard.board])
        self._cnf = cnf(hard, live, clock.check, different(hard))
        self._last = self._cnf.size
        self._oracle = Oracle("glucose4", [self._cnf.cells, *(clauses for _, clauses in self._cnf.blocks)], clock)
        self._puzzle = puzzle

    def literals(self, values: Iterable[tuple[Cell, int]]) -> list[int]:
        """Return the literals that say that cells hold values; those of cells that hold them anyway are left out."""
        variables = self._cnf.variables
        return [variables[candidate] for candidate in values if candidate in variables]

    def fresh(self) -> int:
        """Return a new variable."""
        self._last += 1
        return self._last

    def add(self, clause: Sequence[int]) -> None:
        """Have one of some literals be true from now on."""
        if clause:
            self._oracle.add(clause)
        else:  # not every solver takes an empty clause
            never = self.fresh()
            self._oracle.add([never])
            self._oracle.add([-never])

    def ask(self, assumed: Sequence[int], clock: Clock) -> Solution | frozenset[int]:
        """Return a solution in which the literals assumed are true, or some of them that no solution has together."""
        if not self._oracle.solve(assumed, clock, dict.fromkeys(COUNTERS, 0)):
            return self._oracle.core()
        found = self._cnf.values(self._oracle.model())
        if not self._puzzle.holds(found):
            raise WrongAnswer(f"expected a solution of {self._puzzle!r}, got {found!r}")
        return found


class OtherSolutions:
    """The solutions of a formula other than one, asked for by the ``cells`` that hold the one's values in them."""

    def __init__(self, formula: PuzzleFormula, solution: Solution, cells: Iterable[Cell]) -> None:
        """Forbid the one solution until `close`. Only what ``cells`` hold is ever looked at."""
        self._formula, self.solution = formula, solution
        self._literals = {cell: formula.literals([(cell, solution[cell])]) for cell in cells}
        self._cells = {told[0]: cell for cell, told in self._literals.items() if told}
        self._guard = formula.fresh()
        formula.add([-self._guard, *(-literal for literal in formula.literals(enumerate(solution)))])

    def close(self) -> None:
        """Allow the one solution again; nothing more is asked."""
        self._formula.add([-self._guard])

    def ask(self, held: Iterable[Cell], clock: Clock) -> Solution | frozenset[Cell]:
        """Return another solution in which the cells ``held`` are as in the one, or some of them for which there is none."""
        found = self._formula.ask([self._guard, *(literal for cell in held for literal in self._literals[cell])], clock)
        if isinstance(found, frozenset):
            return frozenset(self._cells[literal] for literal in found if literal != self._guard)
        return found

    def nearest(self, other: Solution, clock: Clock) -> Solution:
        """Return a solution that differs from the one in fewer cells than ``other``, no fewer of which would do.

        These are an unavoidable set: a puzzle with the one solution alone has a given in it.
        """
        differing = self.differing(other)
        settled: set[Cell] = set()
        while open_ := differing - settled:
            cell = min(open_)
            found = self.ask((held for held in self._literals if held not in differing or held == cell), clock)
            if isinstance(found, frozenset):
                settled.add(cell)
            else:
                other, differing = found, self.differing(found)
        return other

    def differing(self, other: Solution) -> frozenset[Cell]:
        """Return the cells in which another solution differs."""
        return frozenset(cell for cell in self._literals if self.solution[cell] != other[cell])

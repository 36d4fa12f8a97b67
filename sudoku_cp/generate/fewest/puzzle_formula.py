"""The rules of a puzzle in an incremental SAT solver, and the solutions other than a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.sat import stronger
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle
from sudoku_cp.errors import WrongAnswer
from sudoku_cp.model import Model, different_cells
from sudoku_cp.model.cnf import cnf
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


class PuzzleFormula:
    """The clauses of a puzzle: its rules, candidates and givens."""

    def __init__(self, puzzle: Puzzle, clock: Clock) -> None:
        """Encode ``puzzle``, within the limits of ``clock``."""
        model, assume = puzzle.model(clock.check), puzzle.assume()
        domains = tuple(domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains))
        hard = stronger(Model(domains, model.statements, model.board))
        live = propagate_decided(hard, hard.domains[: hard.board])
        self._cnf = cnf(hard, live, clock.check, different_cells(hard))
        self._last = self._cnf.size
        self._oracle = SatOracle("glucose4", [self._cnf.cells, *(clauses for _, clauses in self._cnf.blocks)], clock)
        self._puzzle = puzzle

    def literals(self, values: Iterable[tuple[Cell, int]]) -> list[int]:
        """Return the literals for (cell, value) pairs; those that hold anyway are left out."""
        variables = self._cnf.variables
        return [variables[candidate] for candidate in values if candidate in variables]

    def fresh(self) -> int:
        """Return a new variable."""
        self._last += 1
        return self._last

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause of these literals."""
        if clause:
            self._oracle.add(clause)
        else:  # some solvers do not take an empty clause
            never = self.fresh()
            self._oracle.add([never])
            self._oracle.add([-never])

    def ask(self, assumed: Sequence[int], clock: Clock) -> Solution | frozenset[int]:
        """Return a solution in which the literals assumed are true, or a core of them that has no solution."""
        if not self._oracle.solve(assumed, clock, dict.fromkeys(COUNTERS, 0)):
            return self._oracle.core()
        found = self._cnf.values(self._oracle.model())
        if not self._puzzle.holds(found):
            raise WrongAnswer(f"expected a solution of {self._puzzle!r}, got {found!r}")
        return found


class OtherSolutions:
    """The solutions of a formula other than a given one, queried by the cells in which they agree with it."""

    def __init__(self, formula: PuzzleFormula, solution: Solution, cells: Iterable[Cell]) -> None:
        """Forbid ``solution`` until `close`. Only ``cells`` can be held."""
        self._formula, self.solution = formula, solution
        self._literals = {cell: formula.literals([(cell, solution[cell])]) for cell in cells}
        self._cells = {literals[0]: cell for cell, literals in self._literals.items() if literals}
        self._guard = formula.fresh()
        formula.add([-self._guard, *(-literal for literal in formula.literals(enumerate(solution)))])

    def close(self) -> None:
        """Allow the solution again; ask nothing afterwards."""
        self._formula.add([-self._guard])

    def ask(self, held: Iterable[Cell], clock: Clock) -> Solution | frozenset[Cell]:
        """Return another solution that agrees in the cells ``held``, or a core of these cells for which there is none."""
        found = self._formula.ask([self._guard, *(literal for cell in held for literal in self._literals[cell])], clock)
        if isinstance(found, frozenset):
            return frozenset(self._cells[literal] for literal in found if literal != self._guard)
        return found

    def nearest(self, other: Solution, clock: Clock) -> Solution:
        """Return a solution that differs in a minimal subset of the cells in which ``other`` does.

        These cells are an unavoidable set: a puzzle with the given solution alone has a given in it.
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

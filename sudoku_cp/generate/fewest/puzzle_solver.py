"""The rules of a puzzle in an incremental SAT solver, and the solutions other than a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.sat import strengthen_for_sat
from sudoku_cp.errors import WrongAnswer
from sudoku_cp.generate.general.random_solution import RuleSolver
from sudoku_cp.model import Model, different_cells
from sudoku_cp.model.cnf import cnf
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


class PuzzleSolver(RuleSolver):
    """A SAT solver loaded with a puzzle: its rules, candidates and givens."""

    def __init__(self, puzzle: Puzzle, clock: Clock) -> None:
        """Encode ``puzzle``; questions end at the limits of ``clock``."""
        model, assume = puzzle.model(clock.check), puzzle.assume()
        domains = tuple(domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains))
        hard = strengthen_for_sat(Model(domains, model.statements, model.board))
        live = propagate_decided(hard, hard.domains[: hard.board])
        super().__init__(cnf(hard, live, clock.check, different_cells(hard)), clock)
        self._puzzle = puzzle

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause of these literals."""
        if clause:
            super().add(clause)
        else:  # some solvers do not take an empty clause
            never = self.fresh()
            super().add([never])
            super().add([-never])

    def solution_or_core(self, assumed: Sequence[int]) -> Solution | frozenset[int]:
        """Return a solution in which the literals assumed are true, or a core of them that has no solution."""
        if not self.ask(assumed):
            return self.core()
        found = self.solution()
        if not self._puzzle.holds(found):
            raise WrongAnswer(f"expected a solution of {self._puzzle!r}, got {found!r}")
        return found


class OtherSolutions:
    """The solutions of a puzzle other than a given one, queried by the cells in which they agree with it."""

    def __init__(self, solver: PuzzleSolver, solution: Solution, cells: Iterable[Cell]) -> None:
        """Forbid ``solution`` until `close`. Only ``cells`` can be held."""
        self._solver, self.solution = solver, solution
        self._literals = {cell: solver.literals([(cell, solution[cell])]) for cell in cells}
        self._cells = {literals[0]: cell for cell, literals in self._literals.items() if literals}
        self._guard = solver.fresh()
        solver.add([-self._guard, *(-literal for literal in solver.literals(enumerate(solution)))])

    def close(self) -> None:
        """Allow the solution again; no queries may follow."""
        self._solver.add([-self._guard])

    def ask(self, held: Iterable[Cell]) -> Solution | frozenset[Cell]:
        """Return another solution that agrees in the cells ``held``, or a core of these cells for which there is none."""
        assumed = [self._guard, *(literal for cell in held for literal in self._literals[cell])]
        found = self._solver.solution_or_core(assumed)
        if isinstance(found, frozenset):
            return frozenset(self._cells[literal] for literal in found if literal != self._guard)
        return found

    def nearest(self, other: Solution) -> Solution:
        """Return a solution that differs in a minimal subset of the cells in which ``other`` does.

        These cells are an unavoidable set: a puzzle with the given solution alone has a given in it.
        """
        differing = self.differing(other)
        settled: set[Cell] = set()
        while open_ := differing - settled:
            cell = min(open_)
            found = self.ask(held for held in self._literals if held not in differing or held == cell)
            if isinstance(found, frozenset):
                settled.add(cell)
            else:
                other, differing = found, self.differing(found)
        return other

    def differing(self, other: Solution) -> frozenset[Cell]:
        """Return the cells in which another solution differs."""
        return frozenset(cell for cell in self._literals if self.solution[cell] != other[cell])

"""Puzzles with givens in prescribed cells, under any rules: local search over their values.

The search minimises the number of solutions: a few givens are dropped, one of the solutions that this allows is drawn, and its
values are given instead if they leave no more solutions than before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.general.rule_solver import RuleEncoding, RuleSolver, random_phases

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.grid import Cell

COUNTED = 30
"""Solutions are counted up to this number."""
DRAWN = 12
"""One of at most this number of solutions is drawn."""
DROPPED = 3
"""The most givens dropped at a time."""
STEPS = 150
"""Changes tried before the search is given up for a new grid."""
PATIENCE = 1000
"""Conflicts after which a puzzle counts as one with many solutions."""


def find_values_for_pattern(
    rules: RuleEncoding, start: Solution, cells: Sequence[Cell], random: Random, clock: Clock
) -> Solution | None:
    """Return a solution that its values in ``cells`` determine uniquely, None where none was found in `STEPS` changes."""
    formula = rules.formula(rules.domains, clock)
    if formula is None:
        return None
    climb = _Climb(RuleSolver(formula, clock), cells, random)
    number, found = climb.count(start), start
    for _ in range(STEPS):
        if number <= 1:
            return found
        other = climb.neighbour(found)
        fewer = climb.count(other) if other else number + 1
        if fewer <= number:
            number, found = fewer, other or found
    return found if number <= 1 else None


class _Climb:
    """A solver and the cells that are given."""

    def __init__(self, solver: RuleSolver, cells: Sequence[Cell], random: Random) -> None:
        self.solver, self.cells, self.random = solver, cells, random

    def count(self, grid: Solution) -> int:
        """Return how many solutions the givens taken from the grid leave, counted up to a limit."""
        return len(self._several({cell: grid[cell] for cell in self.cells}, COUNTED))

    def neighbour(self, grid: Solution) -> Solution | None:
        """Return a random solution that agrees with the grid in most of the cells given."""
        dropped = set(self.random.sample(self.cells, min(len(self.cells), self.random.randint(1, DROPPED))))
        self.solver.prefer(random_phases(self.solver.formula, self.random))
        found = self._several({cell: grid[cell] for cell in self.cells if cell not in dropped}, self.random.randint(1, DRAWN))
        return found[-1] if found else None

    def _several(self, givens: dict[Cell, int], most: int) -> list[Solution]:
        """Return up to ``most`` solutions, padded to ``most`` where the search takes long."""
        selector = self.solver.fresh()
        assumed = [*self.solver.literals(givens.items()), selector]
        found: list[Solution] = []
        while len(found) < most:
            answer = self.solver.ask(assumed, PATIENCE)
            if answer is None:
                found += found[-1:] * (most - len(found))
            if not answer:
                break
            found.append(self.solver.solution())
            self.solver.add([-selector, *(-literal for literal in self.solver.literals(enumerate(found[-1])))])
        self.solver.add([-selector])
        return found

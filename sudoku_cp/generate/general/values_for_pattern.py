"""Puzzles whose givens stand in given cells, under any rules: values are changed until they leave one solution.

What is climbed down is the number of solutions: of a few givens the values are forgotten, one of the solutions that there are
then is drawn, and its values are given instead, if they leave no more solutions than before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.general.rule_solver import RuleEncoding, RuleSolver, random_phases

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain

COUNTED = 30
"""Solutions are counted up to so many."""
DRAWN = 12
"""One of so many solutions is drawn."""
FORGOTTEN = 3
"""So many values at most are forgotten at a time."""
STEPS = 150
"""So many changes are tried before a new grid is begun with."""
PATIENCE = 1000
"""Conflicts after which a question counts as answered badly."""


def find_values_for_pattern(
    rules: RuleEncoding, domains: Sequence[Domain], start: Solution, cells: Sequence[Cell], random: Random, clock: Clock
) -> Solution | None:
    """Return a grid that its values in ``cells`` leave as the only solution, None where it was not found in a number of steps."""
    formula = rules.formula(domains, clock)
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
    """A solver, and the cells that are given."""

    def __init__(self, asked: RuleSolver, cells: Sequence[Cell], random: Random) -> None:
        self.asked, self.cells, self.random = asked, cells, random

    def count(self, grid: Solution) -> int:
        """Return how many solutions the values of the grid leave, counted up to a limit."""
        return len(self._several({cell: grid[cell] for cell in self.cells}, COUNTED))

    def neighbour(self, grid: Solution) -> Solution | None:
        """Return a solution that agrees with the grid in most of the cells given."""
        forgotten = set(self.random.sample(self.cells, min(len(self.cells), self.random.randint(1, FORGOTTEN))))
        self.asked.prefer(random_phases(self.asked.formula, self.random))
        found = self._several({cell: grid[cell] for cell in self.cells if cell not in forgotten}, self.random.randint(1, DRAWN))
        return found[-1] if found else None

    def _several(self, givens: dict[Cell, int], most: int) -> list[Solution]:
        """Return up to so many solutions; a search that takes long counts as ``most``."""
        selector = self.asked.fresh()
        assumed = [*self.asked.literals(givens.items()), selector]
        found: list[Solution] = []
        while len(found) < most:
            answer = self.asked.ask(assumed, PATIENCE)
            if answer is None:
                found += found[-1:] * (most - len(found))
            if not answer:
                break
            found.append(self.asked.solution())
            self.asked.add([-selector, *(-literal for literal in self.asked.literals(enumerate(found[-1])))])
        self.asked.add([-selector])
        return found

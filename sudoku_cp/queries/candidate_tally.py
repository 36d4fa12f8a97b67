"""What is known of a puzzle's candidates while solutions come in: how often each was seen, and which are settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import WrongAnswer
from sudoku_cp.model import Domain, to_mask
from sudoku_cp.queries.session_pool import is_solution

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.backends import Assumed, Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


class CandidateTally:
    """The candidates of one puzzle. Knowledge only grows: numbers never decrease, and what is settled remains so.

    Sets of values for each cell: ``allowed`` by givens and candidates, ``seen`` in some solution, ``settled`` if the number of
    their solutions (up to ``cap``) is known; what is settled but was never seen is impossible. ``solutions`` are all those seen.
    """

    def __init__(self, puzzle: Puzzle, cap: int) -> None:
        """Start from the givens and candidates of ``puzzle``; solutions are counted up to ``cap``."""
        self.puzzle, self.cap = puzzle, cap
        everything, assume = to_mask(puzzle.grid.values), puzzle.assume()
        self.allowed = [everything & assume.get(cell, everything) for cell in puzzle.grid.cells]
        self.seen = [0] * len(self.allowed)
        self.settled = [everything & ~domain for domain in self.allowed]
        self.numbers: list[dict[int, int]] = [{} for _ in self.allowed]
        self.solutions: dict[Solution, None] = {}
        self.calls = 0

    def add(self, solution: Solution) -> None:
        """Count a solution if it is new; raise `WrongAnswer` if it is wrong."""
        if solution in self.solutions:
            return
        if not is_solution(self.puzzle, solution):
            raise WrongAnswer(f"expected a solution of {self.puzzle!r}, got {solution!r}")
        self.solutions[solution] = None
        for cell, (value, settled, seen) in enumerate(zip(solution, self.settled, self.seen, strict=True)):
            if not settled >> value & 1:
                self._see(cell, value)
            elif not seen >> value & 1:
                raise WrongAnswer(f"expected no {value} in {self.puzzle.grid.cell_name(cell)}, got {solution!r}")

    def _see(self, cell: Cell, value: int) -> None:
        """Note one more solution with a value in a cell."""
        numbers = self.numbers[cell]
        numbers[value] = numbers.get(value, 0) + 1
        self.seen[cell] |= 1 << value
        if numbers[value] >= self.cap:
            self.settled[cell] |= 1 << value

    def settle(self, sets: Assumed) -> None:
        """Note candidates that have no solutions beyond those seen."""
        for cell, domain in sets.items():
            self.settled[cell] |= domain & self.allowed[cell]

    def count(self, cell: Cell, value: int, number: int) -> None:
        """Note how many solutions a candidate has, up to the cap."""
        if number < self.numbers[cell].get(value, 0):
            name = self.puzzle.grid.cell_name(cell)
            raise WrongAnswer(f"expected {self.numbers[cell][value]} solutions or more with {value} in {name}, got {number}")
        if number:
            self.seen[cell] |= 1 << value
            self.numbers[cell][value] = number
        self.settle({cell: 1 << value})

    def wanted(self) -> dict[Cell, Domain]:
        """Return the candidates that are not settled."""
        left = ((cell, domain & ~self.settled[cell]) for cell, domain in enumerate(self.allowed))
        return {cell: domain for cell, domain in left if domain}

    def assume(self) -> Mapping[Cell, Domain]:
        """Return the allowed values without those found impossible: the same solutions, and an easier question."""
        everything = to_mask(self.puzzle.grid.values)
        possible = ((cell, domain & (self.seen[cell] | ~self.settled[cell])) for cell, domain in enumerate(self.allowed))
        return {cell: domain for cell, domain in possible if domain != everything}

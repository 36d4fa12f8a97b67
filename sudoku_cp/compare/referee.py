"""All solutions of a puzzle by trying, with nothing but the words of its rules: no model, no engine.

Only what the houses say prunes the search, cell by cell, where the puzzle has that rule; every other rule is asked about filled
grids alone. So it can judge engines and translations alike, where few enough grids are left to try.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle.puzzle import CLASSIC

if TYPE_CHECKING:
    from sudoku_cp.backends import Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle

MOST = 4000
"""So many values are placed, and so many filled grids looked at, before it gives up: about a quarter of a second."""


def by_hand(puzzle: Puzzle, solution_limit: int | None = None, most: int = MOST) -> tuple[list[Solution], bool] | None:
    """Return up to ``solution_limit`` solutions and whether it looked for more in vain; None where there is too much to try."""
    cells, seen = _order(puzzle), _peers(puzzle)
    allowed = puzzle.assume()
    every = to_mask(puzzle.grid.values)
    values = [-1] * len(puzzle.grid.cells)
    found: list[Solution] = []
    placed = 0
    waiting = [(0, value) for value in _open(cells, 0, allowed, every)]
    while waiting:
        depth, value = waiting.pop()
        cell = cells[depth]
        # What was placed deeper down belongs to another branch; only cells before this one count.
        if any(values[other] == value for other in seen[depth]):
            continue
        values[cell] = value
        placed += 1
        if placed > most:
            return None
        if depth + 1 < len(cells):
            waiting += [(depth + 1, value) for value in _open(cells, depth + 1, allowed, every)]
        elif puzzle.holds(values):
            found.append(tuple(values))
            if len(found) == solution_limit:
                return found, False
    return found, True


def _open(cells: list[Cell], depth: int, allowed: dict[Cell, int], every: int) -> list[int]:
    return members(every & allowed.get(cells[depth], -1))


def _order(puzzle: Puzzle) -> list[Cell]:
    """Return all cells, those that can have few values first."""
    allowed = puzzle.assume()
    return sorted(puzzle.grid.cells, key=lambda cell: (allowed[cell].bit_count() if cell in allowed else 99, cell))


def _peers(puzzle: Puzzle) -> list[list[Cell]]:
    """Return for each cell in that order the earlier ones that must differ from it."""
    order = _order(puzzle)
    houses = list(puzzle.grid.houses.values()) if CLASSIC[0] in puzzle.rules else []
    near = {cell: {other for house in houses if cell in house for other in house} for cell in order}
    return [[other for other in order[:place] if other in near[cell]] for place, cell in enumerate(order)]

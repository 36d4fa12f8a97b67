"""All solutions of a puzzle by brute force, with nothing but the rules' own `holds`: no model, no engine.

Only houses prune the search, cell by cell, if the puzzle has that rule; every other rule is only tested on filled grids. So it
can judge engines and translations alike, if few enough grids are left to try.
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
"""Values placed before it gives up, after about a quarter of a second."""


def solve_by_brute_force(
    puzzle: Puzzle, solution_limit: int | None = None, most: int = MOST
) -> tuple[list[Solution], bool] | None:
    """Return up to ``solution_limit`` solutions, and whether there are no others; None if there is too much to try."""
    allowed, every = puzzle.assume(), to_mask(puzzle.grid.values)
    options = {cell: members(every & allowed.get(cell, -1)) for cell in puzzle.grid.cells}
    # Cells that can have few values come first.
    cells = sorted(allowed, key=lambda cell: (allowed[cell].bit_count(), cell))
    cells += [cell for cell in puzzle.grid.cells if cell not in allowed]
    earlier_peers = _earlier_peers(puzzle, cells)
    values = [-1] * len(cells)
    found: list[Solution] = []
    placed = 0
    waiting = [(0, value) for value in options[cells[0]]]
    while waiting:
        depth, value = waiting.pop()
        # What was placed deeper belongs to another branch; only cells before this one count.
        if any(values[other] == value for other in earlier_peers[depth]):
            continue
        values[cells[depth]] = value
        placed += 1
        if placed > most:
            return None
        if depth + 1 < len(cells):
            waiting += [(depth + 1, value) for value in options[cells[depth + 1]]]
        elif puzzle.holds(values):
            found.append(tuple(values))
            if len(found) == solution_limit:
                return found, False
    return found, True


def _earlier_peers(puzzle: Puzzle, order: list[Cell]) -> list[list[Cell]]:
    """Return for each cell, in this order, the earlier ones that must differ from it."""
    houses = list(puzzle.grid.houses.values()) if CLASSIC[0] in puzzle.rules else []
    near = {cell: {other for house in houses if cell in house for other in house} for cell in order}
    return [[other for other in order[:place] if other in near[cell]] for place, cell in enumerate(order)]

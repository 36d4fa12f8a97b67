"""Random connected areas of a grid, compact rather than stringy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.random_paths import edge_neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells

COMPACT = 0.6
"""How much more attractive a cell is for each further edge that it shares with the area."""


def random_area(random: Random, grid: Grid, start: Cell, size: int, fits: Callable[[list[Cell], Cell], bool]) -> Cells:
    """Return a connected area around ``start``, of ``size`` cells, or fewer where no further cell ``fits`` it."""
    near, inside = edge_neighbours(grid), [start]
    while len(inside) < size:
        edge = dict.fromkeys(cell for one in inside for cell in near[one] if cell not in inside and fits(inside, cell))
        if not edge:
            break
        inside.append(max(edge, key=lambda cell: random.random() + COMPACT * sum(other in inside for other in near[cell])))
    return tuple(sorted(inside))


def components(grid: Grid, cells: Iterable[Cell]) -> Iterator[Cells]:
    """Yield the connected components of the cells; neighbours share an edge."""
    near, left = edge_neighbours(grid), set(cells)
    while left:
        part = [min(left)]
        left.remove(part[0])
        for cell in part:  # grows while it is walked
            found = left.intersection(near[cell])
            left -= found
            part += sorted(found)
        yield tuple(sorted(part))


def is_connected(grid: Grid, cells: Iterable[Cell]) -> bool:
    """Return whether the cells are connected over edges."""
    return sum(1 for _ in components(grid, cells)) <= 1


def excess_outline(grid: Grid, cells: Cells) -> int:
    """Return how many inner edges the area lacks, compared with the most compact one of its size."""
    inner = sum(other in cells for cell in cells for other in edge_neighbours(grid)[cell]) // 2
    return _MOST_INNER[len(cells)] - inner if len(cells) < len(_MOST_INNER) else 0


_MOST_INNER = (0, 0, 1, 2, 4, 5, 7, 8, 10, 12)
"""The most inner edges that an area of each size can have."""

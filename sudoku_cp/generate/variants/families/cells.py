"""Clues about marked cells: shades, signs and circles in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.finder_family import ONE_PER_BOARD, FinderFamily
from sudoku_cp.generate.variants.families.random_areas import can_share_cage, components, random_area
from sudoku_cp.generate.variants.families.random_paths import edge_neighbours, start_cells
from sudoku_cp.generate.variants.proposals import Proposal, spots_of_cells, spots_of_edge
from sudoku_cp.rules.clones import Clone
from sudoku_cp.rules.counting import CountingCircles
from sudoku_cp.rules.indexing import Indexer
from sudoku_cp.rules.marked_cells import Even, Maximum, Minimum, Odd
from sudoku_cp.rules.regions import ExtraRegion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sudoku_cp.generate.variants.families.finder_family import Finder, FinderContext
    from sudoku_cp.generate.variants.proposals import Spot
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells, Rule

    Mark = Callable[[Cells], Rule]


# --- cells by themselves ----------------------------------------------------------------------------------------


def _each_cell(*marks: Mark, edged: bool = False) -> Finder:
    """Return a finder that proposes each of the ``marks`` that holds in each cell; ``edged`` ones have signs on all sides."""

    def find(context: FinderContext) -> Iterator[Proposal]:
        grid = context.grid
        for cell in grid.cells:
            spots = _bordered(grid, (cell,)) if edged else spots_of_cells("sign", grid, (cell,))
            rules = (mark((cell,)) for mark in marks)
            yield from (Proposal((rule,), spots=spots) for rule in rules if rule.holds(grid, context.values))

    return find


def _bordered(grid: Grid, cells: Cells) -> frozenset[Spot]:
    """Return the spots of the cells and their edges, so that adjacent shades do not merge."""
    edges = (spots_of_edge(grid, cell, other) for cell in cells for other in edge_neighbours(grid)[cell])
    return spots_of_cells("sign", grid, cells).union(*edges)


# --- circles that count each other ------------------------------------------------------------------------------

SETS = 12
"""Number of sets of circles proposed."""


def _circles(context: FinderContext) -> Iterator[Proposal]:
    """Yield sets of circles in which each value is the number of circles that hold it; at most a third of the board."""
    random, grid = context.random, context.grid
    where: Mapping[int, list[Cell]] = {
        value: [cell for cell in grid.cells if context.values[cell] == value] for value in grid.values if value
    }
    able = [value for value, cells in where.items() if len(cells) >= value]
    for _ in range(SETS if able else 0):
        chosen = random.sample(able, random.randint(1, len(able)))
        if sum(chosen) <= len(grid.cells) / 3:
            cells = tuple(sorted(cell for value in chosen for cell in random.sample(where[value], value)))
            yield Proposal((CountingCircles(cells),), spots=spots_of_cells("sign", grid, cells))


# --- areas ------------------------------------------------------------------------------------------------------

REGIONS, SHIFTS = 90, 160
"""Areas grown at most, and shifts by which the board is compared with itself."""


def _extra_regions(context: FinderContext) -> Iterator[Proposal]:
    """Yield areas that hold every value."""
    grid = context.grid
    for start in start_cells(context.random, grid, min(REGIONS, len(grid.cells))):
        cells = random_area(
            context.random, grid, start, len(grid.values), lambda inside, cell: can_share_cage(context, [*inside, cell])
        )
        if len(cells) == len(grid.values) and cells not in grid.regions:
            for image in map(sorted, context.images(cells)):
                yield Proposal((ExtraRegion(tuple(image)),), spots=_bordered(grid, tuple(image)))


def _clones(context: FinderContext) -> Iterator[Proposal]:
    """Yield areas of at least two cells that recur elsewhere; the larger, the cheaper."""
    grid, at = context.grid, context.grid.cell_at
    height, width = (max(numbers) for numbers in zip(*grid.places, strict=True))
    shifts = [(down, right) for down in range(height + 1) for right in range(-width if down else 1, width + 1)]
    for down, right in shifts if len(shifts) <= SHIFTS else context.random.sample(shifts, SHIFTS):
        beyond = {cell: at.get((row + down, column + right)) for cell, (row, column) in enumerate(grid.places)}
        same = {cell: to for cell, to in beyond.items() if to is not None and context.values[cell] == context.values[to]}
        for cells in components(grid, same):
            copy = tuple(same[cell] for cell in cells)
            if 1 < len(cells) <= len(grid.values) and not set(cells) & set(copy):
                yield Proposal((Clone(cells, (copy,)),), 1 + 1 / len(cells), _bordered(grid, cells + copy))


CELL_FAMILIES = (
    FinderFamily("odd", (), _each_cell(Odd), 3),
    FinderFamily("even", (), _each_cell(Even), 3),
    FinderFamily("odd-even", ("even-odd",), _each_cell(Odd, Even), 2),
    FinderFamily("minimum", (), _each_cell(Minimum, edged=True)),
    FinderFamily("maximum", ("fortress",), _each_cell(Maximum, edged=True)),
    FinderFamily("extreme", ("minimum-maximum",), _each_cell(Minimum, Maximum, edged=True), 4),
    FinderFamily("indexer", ("column-indexer", "159"), _each_cell(Indexer)),
    FinderFamily("row-indexer", (), _each_cell(lambda cells: Indexer(cells, rows=True))),
    FinderFamily("counting-circles", ("circle",), _circles, ONE_PER_BOARD),
    FinderFamily("extra-region", (), _extra_regions, 25),
    FinderFamily("clone", (), _clones, 20),
)

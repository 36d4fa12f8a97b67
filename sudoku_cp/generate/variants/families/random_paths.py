"""Random paths over a grid, like those that setters draw: they neither cross nor touch themselves, nor turn back sharply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import TypeAlias

from sudoku_cp.grid import Cell, Grid
from sudoku_cp.rules.base import Cells
from sudoku_cp.rules.neighbour_pairs import neighbours_of

PathTest: TypeAlias = Callable[[Cells], bool]
Growth: TypeAlias = Callable[[Random, Grid, Cells], list[Cells]]
"""Returns the ways to extend a path, the most attractive last."""

STEPS, ENOUGH = 40, 12
"""The most paths tried, and the number after which any path found is good enough."""
STRAIGHT, ALONG = 0.35, 0.25
"""How much more attractive a straight step is, and one along a row or a column."""


@lru_cache(maxsize=64)
def edge_neighbours(grid: Grid) -> tuple[Cells, ...]:
    """Return the cells that share an edge with each cell."""
    return tuple(tuple(neighbours_of(grid, cell)) for cell in grid.cells)


@lru_cache(maxsize=64)
def touching_cells(grid: Grid) -> tuple[tuple[tuple[Cell, int, int], ...], ...]:
    """Return the cells that touch each cell, at an edge or a corner, with the steps down and right to them."""
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    return tuple(
        tuple(
            (grid.cell_at[row + down, column + right], down, right)
            for down, right in steps
            if (row + down, column + right) in grid.cell_at
        )
        for row, column in grid.places
    )


def next_cells(random: Random, grid: Grid, path: Cells) -> list[Cell]:
    """Return the cells by which a path can be extended at its end, the most attractive last."""
    last, near = path[-1], edge_neighbours(grid)
    before = {*path[:-1]}
    came_down = came_right = 0
    if len(path) > 1:
        (row, column), (before_row, before_column) = grid.places[last], grid.places[path[-2]]
        came_down, came_right = row - before_row, column - before_column
    found = []
    for cell, down, right in touching_cells(grid)[last]:
        ahead = came_down * down + came_right * right
        if ahead < 0 or cell in before or not before.isdisjoint(near[cell]):
            continue
        straight = down == came_down and right == came_right
        found.append((random.random() + STRAIGHT * straight + ALONG * (not down or not right), cell))
    return [cell for _, cell in sorted(found)]


def grow_at_end(random: Random, grid: Grid, path: Cells) -> list[Cells]:
    """Return the path with each possible cell added at its end."""
    return [(*path, cell) for cell in next_cells(random, grid, path)]


def grow_at_both_ends(random: Random, grid: Grid, path: Cells) -> list[Cells]:
    """Return the path with each possible pair of cells added at both ends."""
    near, ends = edge_neighbours(grid), next_cells(random, grid, path)
    return [
        (start, *path, end)
        for start in next_cells(random, grid, path[::-1])
        for end in ends
        if start != end and end not in near[start] and (len(path) > 1 or _is_blunt(grid, start, path[0], end))
    ]


def _is_blunt(grid: Grid, start: Cell, middle: Cell, end: Cell) -> bool:
    (row, column), (top, left), (bottom, right) = (grid.places[cell] for cell in (middle, start, end))
    return (row - top) * (bottom - row) + (column - left) * (right - column) >= 0


def random_path(
    random: Random, grid: Grid, start: Cells, size: int, fits: PathTest, done: PathTest, grow: Growth = grow_at_end
) -> Cells:
    """Return a path of about ``size`` cells that starts with ``start``; () where none was found.

    Every prefix ``fits`` and the whole is ``done``. A depth-first search returns the longest path found in `STEPS` steps.
    """
    best: Cells = ()
    untried = [[start]]
    for step in range(STEPS):
        while untried and not untried[-1]:
            untried.pop()
        if not untried:
            break
        found = untried[-1].pop()
        if len(found) > len(best) and done(found):
            best = found
        if len(best) >= size or (best and step >= ENOUGH):
            break
        untried.append([longer for longer in grow(random, grid, found) if len(longer) <= size and fits(longer)])
    return best


def count_bends(grid: Grid, cells: Cells) -> int:
    """Return how often a path changes direction."""
    places = [grid.places[cell] for cell in cells]
    steps = [(other[0] - one[0], other[1] - one[1]) for one, other in pairwise(places)]
    return sum(one != other for one, other in pairwise(steps))


def start_cells(random: Random, grid: Grid, number: int) -> Iterator[Cell]:
    """Yield ``number`` random cells, each equally often, give or take one."""
    while number > 0:
        cells = random.sample(grid.cells, min(number, len(grid.cells)))
        yield from cells
        number -= len(cells)

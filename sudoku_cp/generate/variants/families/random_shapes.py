"""Random areas and paths on a board, for families of clues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.grid import Cell, Grid
from sudoku_cp.rules.base import Cells
from sudoku_cp.rules.neighbour_pairs import neighbours_of

if TYPE_CHECKING:
    from sudoku_cp.generate.variants.families.finder_family import FinderContext


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


# --- cages and covers --------------------------------------------------------------------------------------------------


def can_share_cage(context: FinderContext, cells: Sequence[Cell]) -> bool:
    """Return whether no value repeats in the cells; with a symmetry also in their images, which must not overlap them."""
    return all(len({values[cell] for cell in cells}) == len(cells) for values in context.views) and context.is_clear_of_image(
        tuple(cells)
    )


def cover_with_areas(context: FinderContext, cells: Iterable[Cell], size: Callable[[], int]) -> list[Cells]:
    """Return areas of at least two cells that cover the cells; a cell is left over only where no neighbour can join it."""
    areas = _cover_all(context, set(cells), size)
    for single in [one for one in areas if len(one) == 1]:
        if len(single) == 1:  # else its image or a neighbour has joined it already
            _merge_single(context, areas, single[0])
    return [tuple(sorted(one)) for one in areas if len(one) > 1]


def _cover_all(context: FinderContext, free: set[Cell], size: Callable[[], int]) -> list[list[Cell]]:
    """Return areas that cover all ``free`` cells, some of them single cells; the most enclosed cells are covered first."""
    near, areas = edge_neighbours(context.grid), []
    room = {cell: context.random.random() for cell in sorted(free)}

    def fits(inside: list[Cell], cell: Cell) -> bool:
        return cell in free and can_share_cage(context, [*inside, cell])

    for start in [cell for cell in sorted(free) if not context.is_clear_of_image((cell,))]:
        if start in free:
            areas.append([*_area_on_axis(context, start, size(), free)])
            free.difference_update(areas[-1])
    while free:
        start = min(free, key=lambda cell: (sum(other in free for other in near[cell]), room[cell]))
        found = random_area(context.random, context.grid, start, size(), fits) if can_share_cage(context, [start]) else (start,)
        for image in dict.fromkeys(context.images(found)):
            areas.append([*image])
            free.difference_update(image)
    return areas


def _area_on_axis(context: FinderContext, start: Cell, size: int, free: set[Cell]) -> Cells:
    """Return a connected area without repeated values that is its own image, around a cell that a move leaves in place.

    A cell that a move takes elsewhere comes alone.
    """
    near, inside = edge_neighbours(context.grid), {start, *(move[start] for move in context.moves)}
    if len(inside) > 1:
        return (start,)
    while len(inside) < size:
        edge = dict.fromkeys(cell for one in sorted(inside) for cell in near[one] if cell not in inside)
        groups = dict.fromkeys(frozenset(image for one in context.images((cell,)) for image in one) for cell in edge)
        able = [
            group
            for group in groups
            if group <= free and len({context.values[cell] for cell in inside | group}) == len(inside | group)
        ]
        if not able:
            break
        inside |= context.random.choice(able)
    return tuple(sorted(inside))


def _merge_single(context: FinderContext, areas: list[list[Cell]], single: Cell) -> None:
    """Let a single cell join a neighbouring area, or a cell of one join it, and do the same in the image; else leave it."""
    home = {cell: one for one in areas for cell in one}
    way = _find_merge(context, home, single) if len(home[single]) == 1 and can_share_cage(context, [single]) else ()
    for source, target in zip(*map(context.images, (way[:1], way[1:])), strict=True) if way else ():
        home[source[0]].remove(source[0])
        home[target[0]].append(source[0])
    areas[:] = filter(None, areas)


def _find_merge(context: FinderContext, home: Mapping[Cell, list[Cell]], single: Cell) -> Cells:
    """Return the cell to move and a cell of its new area: ``single`` joins the smallest area, or the largest gives it a cell."""
    beyond = sorted(
        (cell for cell in edge_neighbours(context.grid)[single] if cell in home), key=lambda cell: (len(home[cell]), cell)
    )
    for cell in beyond:
        if can_share_cage(context, [*home[cell], single]):
            return single, cell
    for cell in reversed(beyond):
        rest = [other for other in home[cell] if other != cell]
        if len(rest) > 1 and is_connected(context.grid, rest) and can_share_cage(context, [single, cell]):
            return cell, single
    return ()


# Random paths over a grid, like those that setters draw: they neither cross nor touch themselves, nor turn back sharply.


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

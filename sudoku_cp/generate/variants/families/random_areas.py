"""Random connected areas of a grid, compact rather than stringy, and covers of cells by small ones without repeated values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.random_paths import edge_neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from sudoku_cp.generate.variants.families.finder_family import FinderContext
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


# --- cages and covers --------------------------------------------------------------------------------------------------


def can_share_cage(context: FinderContext, cells: Sequence[Cell]) -> bool:
    """Return whether no value repeats in the cells; in a symmetric style also in their image, which must not overlap them."""
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

    while free:
        start = min(free, key=lambda cell: (sum(other in free for other in near[cell]), room[cell]))
        found = random_area(context.random, context.grid, start, size(), fits) if can_share_cage(context, [start]) else (start,)
        for image in dict.fromkeys(context.images(found)):
            areas.append([*image])
            free.difference_update(image)
    return areas


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

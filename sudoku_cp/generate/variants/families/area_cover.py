"""Cells cut into small areas, in each of which no value comes twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.random_areas import is_connected, random_area
from sudoku_cp.generate.variants.families.random_paths import edge_neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sudoku_cp.generate.variants.families.finder_family import FinderContext
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Cells


def can_share_cage(sight: FinderContext, cells: Sequence[Cell]) -> bool:
    """Say whether no value comes twice in the cells; in a symmetric style also after half a turn, clear of which they are."""
    return all(len({values[cell] for cell in cells}) == len(cells) for values in sight.views) and sight.own(tuple(cells))


def cover_with_areas(sight: FinderContext, cells: Iterable[Cell], size: Callable[[], int]) -> list[Cells]:
    """Return areas of two cells and more that cover the cells; a cell is left over only where nothing beside it has room."""
    areas = _cover_all(sight, set(cells), size)
    for single in [one for one in areas if len(one) == 1]:
        if len(single) == 1:  # else its image, or a cell beside it, has seen to it
            _merge_single(sight, areas, single[0])
    return [tuple(sorted(one)) for one in areas if len(one) > 1]


def _cover_all(sight: FinderContext, free: set[Cell], size: Callable[[], int]) -> list[list[Cell]]:
    """Return areas that cover all ``free`` cells, some of them single cells; they begin where there is the least room."""
    near, areas = edge_neighbours(sight.grid), []
    room = {cell: sight.random.random() for cell in sorted(free)}

    def fits(inside: list[Cell], cell: Cell) -> bool:
        return cell in free and can_share_cage(sight, [*inside, cell])

    while free:
        start = min(free, key=lambda cell: (sum(other in free for other in near[cell]), room[cell]))
        found = random_area(sight.random, sight.grid, start, size(), fits) if can_share_cage(sight, [start]) else (start,)
        for image in dict.fromkeys(sight.images(found)):
            areas.append([*image])
            free.difference_update(image)
    return areas


def _merge_single(sight: FinderContext, areas: list[list[Cell]], single: Cell) -> None:
    """Let a single cell join an area beside it, or be joined by a cell of one, in its image too; leave it where neither goes."""
    home = {cell: one for one in areas for cell in one}
    way = _find_merge(sight, home, single) if len(home[single]) == 1 and can_share_cage(sight, [single]) else ()
    for source, target in zip(*map(sight.images, (way[:1], way[1:])), strict=True) if way else ():
        home[source[0]].remove(source[0])
        home[target[0]].append(source[0])
    areas[:] = filter(None, areas)


def _find_merge(sight: FinderContext, home: Mapping[Cell, list[Cell]], single: Cell) -> Cells:
    """Return a cell to be moved and one whose area it goes to: the smallest beside it, or a cell of the largest comes."""
    beyond = sorted(
        (cell for cell in edge_neighbours(sight.grid)[single] if cell in home), key=lambda cell: (len(home[cell]), cell)
    )
    for cell in beyond:
        if can_share_cage(sight, [*home[cell], single]):
            return single, cell
    for cell in reversed(beyond):
        rest = [other for other in home[cell] if other != cell]
        if len(rest) > 1 and is_connected(sight.grid, rest) and can_share_cage(sight, [single, cell]):
            return cell, single
    return ()

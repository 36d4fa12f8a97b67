"""Cells cut into small areas, in each of which no value comes twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.areas import area, is_connected
from sudoku_cp.generate.variants.families.paths import beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sudoku_cp.generate.variants.families.kind import Sight
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Cells


def apart(sight: Sight, cells: Sequence[Cell]) -> bool:
    """Say whether no value comes twice in the cells; in a symmetric style also after half a turn, clear of which they are."""
    return all(len({values[cell] for cell in cells}) == len(cells) for values in sight.views) and sight.own(tuple(cells))


def tiling(sight: Sight, cells: Iterable[Cell], size: Callable[[], int]) -> list[Cells]:
    """Return areas of two cells and more that cover the cells; a cell is left over only where nothing beside it has room."""
    areas = _first(sight, set(cells), size)
    for single in [one for one in areas if len(one) == 1]:
        if len(single) == 1:  # else its image, or a cell beside it, has seen to it
            _merge(sight, areas, single[0])
    return [tuple(sorted(one)) for one in areas if len(one) > 1]


def _first(sight: Sight, free: set[Cell], size: Callable[[], int]) -> list[list[Cell]]:
    """Return areas that cover all ``free`` cells, some of them single cells; they begin where there is the least room."""
    near, areas = beside(sight.grid), []
    room = {cell: sight.random.random() for cell in sorted(free)}

    def fits(inside: list[Cell], cell: Cell) -> bool:
        return cell in free and apart(sight, [*inside, cell])

    while free:
        start = min(free, key=lambda cell: (sum(other in free for other in near[cell]), room[cell]))
        found = area(sight.random, sight.grid, start, size(), fits) if apart(sight, [start]) else (start,)
        for image in dict.fromkeys(sight.images(found)):
            areas.append([*image])
            free.difference_update(image)
    return areas


def _merge(sight: Sight, areas: list[list[Cell]], single: Cell) -> None:
    """Let a single cell join an area beside it, or be joined by a cell of one, in its image too; leave it where neither goes."""
    home = {cell: one for one in areas for cell in one}
    way = _way(sight, home, single) if len(home[single]) == 1 and apart(sight, [single]) else ()
    for source, target in zip(*map(sight.images, (way[:1], way[1:])), strict=True) if way else ():
        home[source[0]].remove(source[0])
        home[target[0]].append(source[0])
    areas[:] = filter(None, areas)


def _way(sight: Sight, home: Mapping[Cell, list[Cell]], single: Cell) -> Cells:
    """Return a cell to be moved and one whose area it goes to: the smallest beside it, or a cell of the largest comes."""
    beyond = sorted((cell for cell in beside(sight.grid)[single] if cell in home), key=lambda cell: (len(home[cell]), cell))
    for cell in beyond:
        if apart(sight, [*home[cell], single]):
            return single, cell
    for cell in reversed(beyond):
        rest = [other for other in home[cell] if other != cell]
        if len(rest) > 1 and is_connected(sight.grid, rest) and apart(sight, [single, cell]):
            return cell, single
    return ()

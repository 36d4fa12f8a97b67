"""The engine for plain grids, which are recognised by their houses."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model import AllDifferent, Model

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell


# Recognises models that are the houses of a plain grid, by their constraints and never by the rule they came from.


Boxes: TypeAlias = tuple[int, int]
"""Rows and columns of a box."""

SHAPES: tuple[Boxes, ...] = (
    *((side, side) for side in (2, 3, 4, 5)),
    *((2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (4, 3), (3, 5), (5, 3)),
)
"""The boxes that are recognised."""
LOADED: set[Boxes] = set()
"""The boxes whose lane kernel has run in this process; defined here so that reading it imports nothing."""


@lru_cache(maxsize=32)
def shape_of(model: Model) -> Boxes | None:
    """Return the (height, width) of the boxes if ``model`` is just the houses of a plain grid, cells in reading order."""
    shapes = [boxes for boxes in SHAPES if side_of(boxes) ** 2 == model.board == len(model.domains)]
    if not shapes or not model.is_houses:
        return None
    side = side_of(shapes[0])
    groups = [constraint.cells for constraint in model.constraints if isinstance(constraint, AllDifferent)]
    if any(len(cells) != side for cells in groups) or any(domain != (2 << side) - 2 for domain in model.domains):
        return None
    houses = set(map(frozenset, groups))
    return next((boxes for boxes in shapes if houses == set(map(frozenset, house_cells(boxes)))), None)


def side_of(boxes: Boxes) -> int:
    """Return the side of a board with these boxes: the number of its rows, columns and values."""
    return boxes[0] * boxes[1]


def house_cells(boxes: Boxes) -> list[list[Cell]]:
    """Return the cells of every row, column and box, in reading order."""
    height, width = boxes
    side = side_of(boxes)
    houses: defaultdict[tuple[str, int], list[Cell]] = defaultdict(list)
    for cell in range(side * side):
        row, column = divmod(cell, side)
        for house in (("row", row), ("column", column), ("box", row // height * height + column // width)):
            houses[house].append(cell)
    return list(houses.values())

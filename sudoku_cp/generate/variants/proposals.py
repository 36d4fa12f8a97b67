"""The interface between families, which propose clues, and the selection among them.

A family (`FinderFamily`) proposes clues of its kind that hold for a solution, each pretty by itself, many more than are needed.
The selection knows only the cost of a clue and the spots that it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.puzzle.pattern_symmetry import PointMove
    from sudoku_cp.rules.base import Rule

Spot: TypeAlias = "tuple[str, int, int]"
"""A place in a drawing: layer, row and column; rows and columns may lie outside the board (-1, 9).

Layers: ``cage`` (cells in cages), ``line`` (cells under lines, arrows, thermometers), ``corner`` (the corner below and right of
that cell: where a line goes diagonally, quadruples), ``right`` and ``below`` (edges between a cell and its neighbour: dots and
marks), ``sign`` (shades and signs in cells), ``outside``. Clues that share a spot are never chosen together.
"""


@dataclass(frozen=True)
class Proposal:
    """Rules (usually one) that are drawn as one clue, or as the images of one under a symmetry, and hold for the solution.

    ``cost`` is 1 for an ordinary clue, more for an ugly one. ``spots`` are the places that it takes, ``count`` the number of
    clues that people see.
    """

    rules: tuple[Rule, ...]
    cost: float = 1.0
    spots: frozenset[Spot] = frozenset()
    count: int = 1


@dataclass(frozen=True)
class Style:
    """How the clues of a puzzle look together; ``words`` describe it to users.

    Families aim at ``size`` times the usual length or number of cells. In a ``tiled`` style clues that can cover the board
    (cages) do so if they are the only ones. ``spare`` is the share of redundant clues that stays, unless the puzzle must be
    minimal. In a ``composed`` style the clues and givens of a puzzle are symmetric together, keep apart, and are drawn before
    there is a solution; of several such puzzles the one with the fewest flaws (`variants.beauty`) is chosen.
    """

    name: str
    words: str
    size: float = 1.0
    tiled: bool = False
    spare: float = 0.0
    composed: bool = True


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        style.name: style
        for style in (
            Style("beautiful", "symmetric, apart, few and long clues, few givens; cages alone cover the board", tiled=True),
            Style("sparse", "the same with fewer, larger clues, which leave some of the board free", size=1.3),
            Style("rich", "the same with more and smaller clues than are needed", size=0.8, tiled=True, spare=0.5),
            Style("any", "clues wherever they fit, as few as will do", tiled=True, composed=False),
        )
    }
)
USUAL = "beautiful"
_EARLIER = MappingProxyType({"": USUAL, "usual": "any", "symmetric": USUAL})
"""What no name, and names that styles had earlier, mean."""


def style_named(name: str) -> Style:
    """Return the style of that name, the usual one for an empty name; names of earlier versions are known too."""
    name = _EARLIER.get(name, name)
    if name not in STYLES:
        raise UnknownName("style", name, STYLES)
    return STYLES[name]


# --- spots ------------------------------------------------------------------------------------------------------


def spots_of(layer: str, places: Iterable[Place]) -> frozenset[Spot]:
    """Return these places of a layer."""
    return frozenset((layer, *place) for place in places)


def spots_of_cells(layer: str, grid: Grid, cells: Iterable[Cell]) -> frozenset[Spot]:
    """Return the places of these cells in a layer."""
    return spots_of(layer, (grid.places[cell] for cell in cells))


def spots_of_line(grid: Grid, cells: tuple[Cell, ...]) -> frozenset[Spot]:
    """Return the cells under a line, and the corners and edges that it crosses."""
    spots = spots_of_cells("line", grid, cells)
    for one, other in pairwise(cells):
        (row, column), (down, right) = grid.places[one], grid.places[other]
        diagonal = row != down and column != right
        spots |= spots_of("corner", [(min(row, down), min(column, right))]) if diagonal else spots_of_edge(grid, one, other)
    return spots


def spots_of_edge(grid: Grid, one: Cell, other: Cell) -> frozenset[Spot]:
    """Return the edge between two neighbours."""
    (row, column), (down, _) = sorted((grid.places[one], grid.places[other]))
    return spots_of("below" if down > row else "right", [(row, column)])


_BEYOND: Mapping[str, Place] = MappingProxyType({"corner": (2, 2), "right": (1, 2), "below": (2, 1)})
"""Where a spot lies in half cells from the top left corner of the cell that names it; in its middle, except for these."""
_EDGE = {(1, 0): "right", (0, 1): "below"}
"""The layer of an edge by whether its row and its column, in half cells, are odd."""


def move_spot(spot: Spot, move: PointMove) -> Spot:
    """Return the image of a spot under a move of points."""
    layer, row, column = spot
    down, right = _BEYOND.get(layer, (1, 1))
    row, column = move((2 * row + down, 2 * column + right))
    layer = _EDGE.get((row % 2, column % 2), layer)
    down, right = _BEYOND.get(layer, (1, 1))
    return layer, (row - down) // 2, (column - right) // 2


def move_cells(grid: Grid, move: PointMove) -> tuple[Cell, ...]:
    """Return the image of each cell of the grid, which is symmetric, under a move of points."""
    points = (move((2 * row + 1, 2 * column + 1)) for row, column in grid.places)
    return tuple(grid.cell_at[row // 2, column // 2] for row, column in points)

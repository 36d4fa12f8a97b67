"""The few things that can be drawn on a grid. A rule says which; a renderer knows these and no rule.

Cells are cells of the grid; colours are ``#RRGGBB``, those that setters are used to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell


@dataclass(frozen=True)
class Line:
    """A line through the centres of ``cells``; ``bulb`` draws a filled circle at its first cell."""

    cells: tuple[Cell, ...]
    colour: str = "#CFCFCF"
    bulb: bool = False


@dataclass(frozen=True)
class Arrow:
    """A line from the first of ``cells`` that ends in an arrow head at the last."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Cage:
    """A dashed outline around ``cells``, with a text in its top-left corner."""

    cells: tuple[Cell, ...]
    text: str = ""


@dataclass(frozen=True)
class Dot:
    """A circle in one cell, on the edge of two or on the corner of four, with a text in it."""

    cells: tuple[Cell, ...]
    text: str = ""
    filled: bool = False


@dataclass(frozen=True)
class Clue:
    """A text outside the grid, before the first of ``cells``; the clue looks along them."""

    cells: tuple[Cell, ...]
    text: str


@dataclass(frozen=True)
class Shade:
    """A coloured background, over the whole of each cell or as a shape in it."""

    cells: tuple[Cell, ...]
    colour: str = "#D8D8D8"
    shape: Literal["cell", "circle", "square"] = "cell"


Cosmetic: TypeAlias = Line | Arrow | Cage | Dot | Clue | Shade

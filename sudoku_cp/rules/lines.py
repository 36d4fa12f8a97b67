"""Rules drawn as lines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from operator import lt
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Arrow as DrawnArrow
from sudoku_cp.cosmetics import Dot, Line
from sudoku_cp.model import Linear, Values, relation
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid


@dataclass(frozen=True)
class Thermometer(Rule):
    """Values rise strictly along the line from the bulb, which is its first cell."""

    kind = "thermometer"
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """One table of rising pairs for each step of the line."""
        for pair in pairwise(self.cells):
            yield named("thermometer", grid, pair), relation(*pair, grid.values, lt)

    def holds(self, grid: Grid, values: Values) -> bool:  # noqa: ARG002
        """Each value is larger than the one before."""
        return all(values[one] < values[other] for one, other in pairwise(self.cells))

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:  # noqa: ARG002
        """A grey line with a bulb."""
        yield Line(self.cells, bulb=True)

    @classmethod
    def example(cls, grid: Grid) -> Thermometer:
        """Return a thermometer of three cells."""
        return cls(tuple(grid.cell_at[place] for place in ((0, 0), (0, 1), (1, 2))))


@dataclass(frozen=True)
class Arrow(Rule):
    """The values along each shaft add up to the value in the bulb."""

    kind = "arrow"
    bulb: Cell
    shafts: tuple[Cells, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One sum a shaft."""
        for shaft in self.shafts:
            terms = (*((cell, 1) for cell in shaft), (self.bulb, -1))
            yield named("arrow", grid, (self.bulb, *shaft)), Linear(terms, "==", 0)

    def holds(self, grid: Grid, values: Values) -> bool:  # noqa: ARG002
        """Each shaft sums to the bulb; its values may repeat."""
        return all(sum(values[cell] for cell in shaft) == values[self.bulb] for shaft in self.shafts)

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:  # noqa: ARG002
        """A circle and an arrow for each shaft."""
        yield Dot((self.bulb,))
        for shaft in self.shafts:
            yield DrawnArrow((self.bulb, *shaft))

    @classmethod
    def example(cls, grid: Grid) -> Arrow:
        """Return an arrow with two shafts."""
        at = grid.cell_at
        return cls(at[0, 0], ((at[0, 1], at[0, 2]), (at[1, 0], at[2, 0])))

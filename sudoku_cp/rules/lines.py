"""Rules drawn as lines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from operator import lt
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Line
from sudoku_cp.model import Values, relation
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid


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
        yield Line(self.cells, start="bulb")

    @classmethod
    def example(cls, grid: Grid) -> Thermometer:
        """Return a thermometer of three cells."""
        return cls(tuple(grid.cell_at[place] for place in ((0, 0), (0, 1), (1, 2))))

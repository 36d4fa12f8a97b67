"""Rules about cages: outlined groups of cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Cage
from sudoku_cp.model import AllDifferent, DigitSet, Linear, Values, to_mask
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid

MANY = 100_000
"""Sets of values that are too many to list: 16x16 has at most 12,870 for a cage, 36x36 thousands of millions."""


@dataclass(frozen=True)
class KillerCage(Rule):
    """The cells of a cage hold different values, which add up to its total where one is written."""

    kind = "killer-cage"
    cells: Cells
    total: int | None = None

    def lower(self, grid: Grid) -> Lowered:
        """The sets of different values with that total; where there would be too many, or no total, all different."""
        part = named("cage", grid, self.cells)
        if self.total is None or comb(len(grid.values), len(self.cells)) > MANY:
            yield part, AllDifferent(self.cells)
            if self.total is not None:
                yield part, Linear(tuple((cell, 1) for cell in self.cells), "==", self.total)
        else:
            sets = (values for values in combinations(grid.values, len(self.cells)) if sum(values) == self.total)
            yield part, DigitSet(self.cells, frozenset(map(to_mask, sets)))

    def holds(self, grid: Grid, values: Values) -> bool:  # noqa: ARG002
        """No value twice, and the right sum."""
        inside = [values[cell] for cell in self.cells]
        return len(set(inside)) == len(inside) and self.total in {None, sum(inside)}

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:  # noqa: ARG002
        """The cage with its total."""
        yield Cage(self.cells, "" if self.total is None else str(self.total))

    @classmethod
    def example(cls, grid: Grid) -> KillerCage:
        """Return a cage of three cells in the top-left corner."""
        return cls(tuple(grid.cell_at[place] for place in ((0, 0), (0, 1), (1, 0))), 3 * grid.values[0] + 4)

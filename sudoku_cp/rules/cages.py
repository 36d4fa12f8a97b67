"""Rules about cages: outlined groups of cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Cage
from sudoku_cp.model import AllDifferent, DigitSet, Values, to_mask
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid


@dataclass(frozen=True)
class KillerCage(Rule):
    """The cells of a cage hold different values, which add up to its total where one is written."""

    kind = "killer-cage"
    cells: Cells
    total: int | None = None

    def lower(self, grid: Grid) -> Lowered:
        """The sets of different values with that total; without a total, all different."""
        part = named("cage", grid, self.cells)
        if self.total is None:
            yield part, AllDifferent(self.cells)
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

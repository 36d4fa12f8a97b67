"""Rules drawn as arrows: sums along shafts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Arrow as DrawnArrow
from sudoku_cp.cosmetics import Dot
from sudoku_cp.model import Linear, Values
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid


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

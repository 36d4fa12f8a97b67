"""Rules in which a value says where another value is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Shade
from sudoku_cp.model import Clause, Literal, Values
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid


@dataclass(frozen=True)
class Indexer(Rule):
    """A marked cell with value V says where its column's number stands in its row: in column V (159 sudoku).

    With ``rows``, the other way: where its row's number stands in its column, in row V. Rows and columns count from 1;
    a value that names no cell of the line is not allowed.
    """

    kind = "indexer"
    cells: Cells
    rows: bool = False

    def _named(self, grid: Grid, cell: Cell, value: int) -> tuple[Cell | None, int]:
        """Return the cell that ``cell`` = ``value`` speaks of, and the value it says is there."""
        row, column = grid.places[cell]
        if self.rows:
            return grid.cell_at.get((value - 1, column)), row + 1
        return grid.cell_at.get((row, value - 1)), column + 1

    def lower(self, grid: Grid) -> Lowered:
        """One implication for each value of each marked cell."""
        for cell in self.cells:
            for value in grid.values:
                target, there = self._named(grid, cell, value)
                unless = Literal(cell, value, equal=False)
                goal = () if target is None or there not in grid.values else (Literal(target, there),)
                yield named("indexer", grid, (cell,)), Clause((unless, *goal))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look where each marked cell points."""
        for cell in self.cells:
            target, there = self._named(grid, cell, values[cell])
            if target is None or values[target] != there:
                return False
        return True

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:  # noqa: ARG002
        """A shade over the marked cells."""
        yield Shade(self.cells, "#F9C9C9" if not self.rows else "#C9D9F9")

    @classmethod
    def example(cls, grid: Grid) -> Indexer:
        """Return the first column, marked down to row 4."""
        return cls(tuple(grid.cell_at[row, 0] for row in range(4)))

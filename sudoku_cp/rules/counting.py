"""Rules about how often values occur."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Dot
from sudoku_cp.model import Count, Values
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid


@dataclass(frozen=True)
class Quadruple(Rule):
    """The cells around a corner hold all the digits written in its circle, each as often as it is written."""

    kind = "quadruple"
    cells: Cells
    digits: tuple[int, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One count a digit."""
        for digit, times in sorted(Counter(self.digits).items()):
            yield named("quadruple", grid, self.cells), Count(self.cells, frozenset({digit}), ">=", times)

    def holds(self, grid: Grid, values: Values) -> bool:  # noqa: ARG002
        """The circle's digits are among the cells' values."""
        return Counter(self.digits) <= Counter(values[cell] for cell in self.cells)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find digits that are no values."""
        for digit in sorted(set(self.digits) - set(grid.values)):
            yield f"{self.kind}: expected digits from {grid.values[0]} to {grid.values[-1]}, got {digit!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:  # noqa: ARG002
        """A circle on the corner with the digits in it."""
        yield Dot(self.cells, " ".join(map(str, sorted(self.digits))))

    @classmethod
    def example(cls, grid: Grid) -> Quadruple:
        """Return the second value twice and the third once, around the middle of the top-left 4x4 cells."""
        cells = tuple(grid.cell_at[place] for place in ((1, 1), (1, 2), (2, 1), (2, 2)))
        return cls(cells, (grid.values[1], grid.values[1], grid.values[2]))

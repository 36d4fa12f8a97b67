"""Rules written outside the grid, which look along a row, a column or a diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Clue
from sudoku_cp.model import Automaton, Values
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid


@dataclass(frozen=True)
class Skyscraper(Rule):
    """Looking along the cells from the first, so many values are higher than all before them (0 is no building)."""

    kind = "skyscraper"
    cells: Cells
    visible: int

    def lower(self, grid: Grid) -> Lowered:
        """An automaton whose state is the tallest value so far and the number seen."""
        top = grid.values[-1]
        most = min(self.visible, len(self.cells))

        def state(tallest: int, seen: int) -> int:
            return seen * (top + 1) + tallest

        edges = frozenset(
            (state(tallest, seen), value, state(max(tallest, value), seen + (value > tallest)))
            for seen in range(most + 1)
            for tallest in range(top + 1)
            for value in grid.values
            if seen + (value > tallest) <= most
        )
        accepting = frozenset(state(tallest, most) for tallest in range(top + 1) if most == self.visible)
        yield named("skyscraper", grid, self.cells), Automaton(self.cells, state(0, 0), edges, accepting)

    def holds(self, grid: Grid, values: Values) -> bool:  # noqa: ARG002
        """Count the record highs."""
        line = [values[cell] for cell in self.cells]
        return self.visible == sum(value > max((0, *line[:place])) for place, value in enumerate(line))

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:  # noqa: ARG002
        """The number before the first cell."""
        yield Clue(self.cells, str(self.visible))

    @classmethod
    def example(cls, grid: Grid) -> Skyscraper:
        """Return a clue of 2 at the left of the first row."""
        return cls(grid.lines[0], 2)

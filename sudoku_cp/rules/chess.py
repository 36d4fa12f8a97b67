"""Rules named after the moves of chess pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.model import AllDifferent, Values
from sudoku_cp.rules.base import Lowered, Rule, named

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid


@dataclass(frozen=True)
class AntiKnight(Rule):
    """Cells a chess knight's move apart hold different values."""

    kind = "anti-knight"

    def lower(self, grid: Grid) -> Lowered:
        """One all-different a pair of cells."""
        for pair in grid.pairs((1, 2), (2, 1), (1, -2), (2, -1)):
            yield named("knight's move", grid, pair), AllDifferent(pair)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No knight on a cell attacks its own value."""
        places = grid.places
        return not any(
            values[one] == values[other]
            and {abs(places[one][0] - places[other][0]), abs(places[one][1] - places[other][1])} == {1, 2}
            for one in grid.cells
            for other in grid.cells
        )

    @classmethod
    def example(cls, grid: Grid) -> AntiKnight:  # noqa: ARG003
        """Return the rule."""
        return cls()

"""The rule of every plain sudoku, in a file of its own because it is always imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.model import AllDifferent, Values
from sudoku_cp.rules.base import Lowered, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Grid, House
    from sudoku_cp.rules.wording import RuleWording


def different(cells: House, values: Values) -> bool:
    """Return whether no two of ``cells`` hold the same value."""
    return len({values[cell] for cell in cells}) == len(cells)


@dataclass(frozen=True)
class Houses(Rule):
    """Every row, every column and every region holds different values."""

    kind = "houses"

    def lower(self, grid: Grid) -> Lowered:
        """One all-different per house, under the house's name."""
        for name, cells in grid.houses.items():
            yield name, AllDifferent(cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice in a house."""
        return all(different(cells, values) for cells in grid.houses.values())

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        grid = wording.grid
        if any(len(cells) != len(grid.values) for cells in grid.houses.values()):
            return f"The values are {wording.alphabet}; none repeats in any row, column or {wording.region}."
        return f"Every row, column and {wording.region} holds each of the values {wording.alphabet}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find houses with more cells than there are values."""
        for name, cells in grid.houses.items():
            if len(cells) > len(grid.values):
                needed = f"{len(cells)} values for the cells of {name}"
                yield f"{self.kind}: expected at least {needed}, got {len(grid.values)}"

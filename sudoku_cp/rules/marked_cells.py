"""Rules about marked cells, each on its own or compared with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import gt, lt
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from sudoku_cp.cosmetics import Chevron, Shade, Shape
from sudoku_cp.model import Table, Values, pair_table
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.neighbour_pairs import neighbours_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.wording import RuleWording


@lru_cache(maxsize=64)
def _of_parity(values: range, parity: int) -> frozenset[tuple[int, ...]]:
    return frozenset((value,) for value in values if value % 2 == parity)


@dataclass(frozen=True)
class MarkedParity(Rule, family=True):
    """Marked cells that hold odd or even values."""

    parity: ClassVar[int]
    shape: ClassVar[Shape]
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """One table per cell: the values of that parity."""
        for cell in self.cells:
            yield part_name(self.kind, grid, (cell,)), Table((cell,), _of_parity(grid.values, self.parity))

    def holds(self, grid: Grid, values: Values) -> bool:
        """The last bit of each value is the parity."""
        return all(values[cell] & 1 == self.parity for cell in self.cells)

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A grey shape in each cell."""
        yield Shade(self.cells, shape=self.shape)

    @classmethod
    def example(cls, grid: Grid) -> Self:
        """Return two cells."""
        return cls((grid.cell_at[0, 0], grid.cell_at[1, 2]))


@dataclass(frozen=True)
class Odd(MarkedParity):
    """Every cell with a circle holds an odd value."""

    kind = "odd"
    elsewhere = MappingProxyType({"f-puzzles": "odd", "SudokuSolver": "odd", "SudokuPad": "grey circle", "also": "odd cells"})
    parity, shape = 1, "circle"

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A grey circle marks an odd value."


@dataclass(frozen=True)
class Even(MarkedParity):
    """Every cell with a square holds an even value."""

    kind = "even"
    elsewhere = MappingProxyType({"f-puzzles": "even", "SudokuSolver": "even", "SudokuPad": "grey square", "also": "even cells"})
    parity, shape = 0, "square"

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A grey square marks an even value."


@dataclass(frozen=True)
class MarkedExtremum(Rule, family=True):
    """Marked cells that hold more or less than their neighbours."""

    cells: Cells

    def _edges(self, grid: Grid) -> Iterator[tuple[Cell, Cell]]:
        """Yield each of the cells with each of its neighbours that is not one of them."""
        for cell in dict.fromkeys(self.cells):
            yield from ((cell, other) for other in neighbours_of(grid, cell) if other not in self.cells)


@dataclass(frozen=True)
class Minimum(MarkedExtremum):
    """A marked cell holds less than each of its neighbours that is not marked too."""

    kind = "minimum"
    elsewhere = MappingProxyType({"f-puzzles": "minimum", "SudokuSolver": "min", "also": "local minimum"})

    def lower(self, grid: Grid) -> Lowered:
        """One table of rising pairs for each edge around the marked cells."""
        for pair in self._edges(grid):
            yield part_name("minimum", grid, pair), pair_table(*pair, grid.values, lt)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Each marked cell is below the least of its unmarked neighbours."""
        return all(
            values[cell] < min((values[other] for other in neighbours_of(grid, cell) if other not in self.cells), default=99)
            for cell in self.cells
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A shaded cell with arrowheads around it holds a lower value than its neighbours, other such cells aside."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over the cells, and signs that point inwards."""
        yield Shade(self.cells)
        for cell, other in self._edges(grid):
            yield Chevron((other, cell))

    @classmethod
    def example(cls, grid: Grid) -> Minimum:
        """Return two neighbours in the top-left corner."""
        return cls((grid.cell_at[0, 0], grid.cell_at[0, 1]))


@dataclass(frozen=True)
class Maximum(MarkedExtremum):
    """A marked cell holds more than each of its neighbours that is not marked too (a fortress)."""

    kind = "maximum"
    elsewhere = MappingProxyType({"f-puzzles": "maximum", "SudokuSolver": "max", "also": "fortress, local maximum"})

    def lower(self, grid: Grid) -> Lowered:
        """One table of falling pairs for each edge around the marked cells."""
        for pair in self._edges(grid):
            yield part_name("maximum", grid, pair), pair_table(*pair, grid.values, gt)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Each marked cell is above the greatest of its unmarked neighbours."""
        return all(
            values[cell] > max((values[other] for other in neighbours_of(grid, cell) if other not in self.cells), default=-1)
            for cell in self.cells
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A shaded cell with arrowheads around it holds a higher value than its neighbours, other such cells aside."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over the cells, and signs that point outwards."""
        yield Shade(self.cells)
        for cell, other in self._edges(grid):
            yield Chevron((cell, other))

    @classmethod
    def example(cls, grid: Grid) -> Maximum:
        """Return a cell in the middle and one next to it."""
        return cls((grid.cell_at[1, 1], grid.cell_at[1, 2]))

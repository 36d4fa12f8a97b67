"""Rules in which a value points to the place of another value."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import DrawnArrow, Shade
from sudoku_cp.grid import Cell
from sudoku_cp.model import Clause, Literal, Values
from sudoku_cp.rules.automata import make_automaton
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.line_helpers import pointing_clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid, House
    from sudoku_cp.rules.automata import AutomatonTemplate
    from sudoku_cp.rules.wording import RuleWording


@dataclass(frozen=True)
class HouseIndexer(Rule, family=True):
    """The base class of rules in which a cell with value V makes the V-th cell of its house hold the cell's own position."""

    cells: Cells

    @abstractmethod
    def houses(self, grid: Grid) -> Iterable[House]:
        """Return the houses in which marked cells point."""

    def _marked(self, grid: Grid) -> Iterator[tuple[Cell, House]]:
        """Yield each marked cell with each house that it lies in: several only where boards overlap."""
        houses = tuple(self.houses(grid))
        return ((cell, house) for cell in self.cells for house in houses if cell in house)

    def lower(self, grid: Grid) -> Lowered:
        """One implication for each value of each marked cell."""
        for cell, house in self._marked(grid):
            part, position = part_name(self.kind.replace("-", " "), grid, (cell,)), house.index(cell) + 1
            for value in grid.values:
                target = house[value - 1] if 1 <= value <= len(house) else None
                yield part, pointing_clause(cell, value, target, position, grid)

    def holds(self, grid: Grid, values: Values) -> bool:
        """The cell that is V-th in the house holds the position."""
        for cell, house in self._marked(grid):
            at_position = dict(enumerate(house, 1))
            target = at_position.get(values[cell])
            if target is None or at_position.get(values[target]) != cell:
                return False
        return True


@dataclass(frozen=True)
class Indexer(HouseIndexer):
    """In a marked cell, a value V means that column V of its row holds the number of the marked cell's column (159 sudoku).

    With ``rows``, rows and columns change places: row V of its column holds the number of the marked cell's row. Both are
    counted from 1 on the cell's board; where boards overlap, the rule holds on each. A value that names no cell of the line
    is not allowed.
    """

    kind = "indexer"
    elsewhere = MappingProxyType(
        {
            "ISS": "Indexing",
            "f-puzzles": "columnindexer, rowindexer",
            "SudokuSolver": "colindexer, rowindexer",
            "also": "159, row indexer, column indexer",
        }
    )
    rows: bool = False

    def houses(self, grid: Grid) -> Iterator[House]:
        """Yield the rows, or with ``rows`` the columns, of every board."""
        noun = "column " if self.rows else "row "
        return (house for name, house in grid.houses.items() if name.startswith(noun))

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over the marked cells."""
        yield Shade(self.cells, "#F9C9C9" if not self.rows else "#C9D9F9")

    @classmethod
    def example(cls, grid: Grid) -> Indexer:
        """Return the first column, marked down to row 4."""
        return cls(tuple(grid.cell_at[row, 0] for row in range(4)))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        house, part = ("column", "row") if self.rows else ("row", "column")
        return f"If a marked cell holds V, then {part} V of its {house} holds the number of the marked cell's {part}."


@dataclass(frozen=True)
class BoxIndexer(HouseIndexer):
    """In a marked cell, a value V means that position V of its box, in reading order from 1, holds the cell's own position.

    A value that names no cell of the box is not allowed; irregular regions are boxes too.
    """

    kind = "box-indexer"
    elsewhere = MappingProxyType({"f-puzzles": "boxindexer", "SudokuSolver": "boxindexer"})

    def houses(self, grid: Grid) -> Iterable[House]:
        """Return the boxes of every board."""
        return grid.regions

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find marked cells that lie in no box."""
        inside = {cell for region in grid.regions for cell in region}
        outside = [cell for cell in self.cells if cell in grid.cells and cell not in inside]
        if outside:
            yield f"{self.kind}: expected cells in a box, got {' '.join(map(grid.cell_name, outside))}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over the marked cells."""
        yield Shade(self.cells, "#D4F0C9")

    @classmethod
    def example(cls, grid: Grid) -> BoxIndexer:
        """Return the first cell and the one below it."""
        return cls((grid.cell_at[0, 0], grid.cell_at[1, 0]))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "If a marked cell holds V, then cell V of its box, in reading order, holds the place of the marked cell."


MOST_EDGES = 40_000
"""An automaton with more edges than this is replaced by clauses."""


@lru_cache(maxsize=256)
def _countdown_automaton(values: range, length: int) -> AutomatonTemplate:
    """Return the automaton that reads index, value and the cells after; its state is how many cells are left, and the value."""

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        match state:
            case ():
                return (value,) if 1 <= value <= length else None
            case (left,):
                return (left, value)
            case (0, _):
                return state
            case (1, wanted):
                return (0, 0) if value == wanted else None
            case (left, wanted):
                return (left - 1, wanted)
        return None

    start: tuple[int, ...] = ()
    return make_automaton(start, step, lambda state: state == (0, 0), values)


@dataclass(frozen=True)
class ValueIndexing(Rule):
    """The value occurs again as many cells after the index cell as the index says; ``cells`` are those after it.

    An index that reaches none of them (0, or more than there are) is not allowed.
    """

    kind = "value-indexing"
    stated = frozenset({"value", "index"})
    elsewhere = MappingProxyType({"ISS": "ValueIndexing"})
    value: Cell
    index: Cell
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """An automaton that counts down; where it would be large, an implication for each index and value."""
        part = part_name("value indexing", grid, (self.value, self.index, *self.cells))
        if len(self.cells) * len(grid.values) ** 2 <= MOST_EDGES:
            yield part, _countdown_automaton(grid.values, len(self.cells)).on_cells((self.index, self.value, *self.cells))
            return
        for index in grid.values:
            unless = Literal(self.index, index, equal=False)
            if not 1 <= index <= len(self.cells):
                yield part, Clause((unless,))
                continue
            for value in grid.values:
                there = Literal(self.cells[index - 1], value)
                yield part, Clause((unless, Literal(self.value, value, equal=False), there))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look at the cell with that number."""
        index = values[self.index]
        return 0 < index <= len(self.cells) and values[self.cells[index - 1]] == values[self.value]

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        value, index = wording.cells((self.value,)), wording.cells((self.index,))
        return f"The value in {value} stands again along the arrow, as many cells after {index} as {index} says."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """An arrow along the line."""
        yield DrawnArrow((self.value, self.index, *self.cells))

    @classmethod
    def example(cls, grid: Grid) -> ValueIndexing:
        """Return the first four cells of a diagonal."""
        value, index, *cells = (grid.cell_at[step, step] for step in range(4))
        return cls(value, index, tuple(cells))

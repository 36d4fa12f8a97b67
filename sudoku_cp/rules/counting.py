"""Rules about how often values occur."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from sudoku_cp.cosmetics import RING, Cage, Dot, Shade
from sudoku_cp.grid import Cell
from sudoku_cp.model import Clause, Connected, Count, Linear, Literal, Relation, Values
from sudoku_cp.rules.automata import make_automaton
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.descriptions import notes_for
from sudoku_cp.rules.line_helpers import repeated_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid, Place
    from sudoku_cp.rules.automata import AutomatonTemplate
    from sudoku_cp.rules.wording import RuleWording


def impossible_values(rule: Rule, grid: Grid, digits: Iterable[int]) -> Iterator[str]:
    """Yield a problem for each of ``digits`` that is not a value of the grid."""
    for digit in sorted(set(digits) - set(grid.values)):
        yield f"{rule.kind}: expected digits from {grid.values[0]} to {grid.values[-1]}, got {digit!r:.80}"


def _corner(grid: Grid) -> Cells:
    """Return the cells around the middle of the top-left 4x4 cells."""
    return tuple(grid.cell_at[place] for place in ((1, 1), (1, 2), (2, 1), (2, 2)))


def _share_a_corner(cells: Cells, grid: Grid) -> bool:
    """Return whether these are the four cells around a corner."""
    row, column = min(grid.places[cell] for cell in cells) if cells else (0, 0)
    around = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
    return sorted(grid.places[cell] for cell in cells) == around


@dataclass(frozen=True)
class CountedDigits(Rule, family=True):
    """Cells that hold digits as often (or at least as often) as these are listed."""

    noun: ClassVar[str] = "contains"
    relation: ClassVar[Relation] = ">="
    cells: Cells
    digits: tuple[int, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One count per digit."""
        for digit, times in sorted(Counter(self.digits).items()):
            yield part_name(self.noun, grid, self.cells), Count(self.cells, frozenset({digit}), self.relation, times)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find digits that are not values of the grid."""
        yield from impossible_values(self, grid, self.digits)


@dataclass(frozen=True)
class Quadruple(CountedDigits):
    """The cells around a corner hold all the digits written in its circle, each as often as it is written."""

    kind = "quadruple"
    elsewhere = MappingProxyType({"ISS": "Quad", "f-puzzles": "quadruple", "SudokuSolver": "quad"})
    noun = "quadruple"

    def holds(self, grid: Grid, values: Values) -> bool:
        """The circle's digits are among the cells' values."""
        return Counter(self.digits) <= Counter(values[cell] for cell in self.cells)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "The cells around a circle hold all the values written in it, each at least as often as it is written."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A circle with the digits in it on the corner of four cells; for others, which no corner identifies, a note."""
        corner = Dot(self.cells, " ".join(map(str, sorted(self.digits))))
        yield from [corner] if _share_a_corner(self.cells, grid) else notes_for(self, self.cells, grid)

    @classmethod
    def example(cls, grid: Grid) -> Quadruple:
        """Return the second value twice and the third once, around the middle of the top-left 4x4 cells."""
        return cls(_corner(grid), (grid.values[1], grid.values[1], grid.values[2]))


@dataclass(frozen=True)
class ContainsAtLeast(CountedDigits):
    """The cells hold all the digits listed, each at least as often as it is listed."""

    kind = "contains-at-least"
    elsewhere = MappingProxyType({"ISS": "ContainAtLeast"})

    def holds(self, grid: Grid, values: Values) -> bool:
        """Cross each digit off the cells' values."""
        left = [values[cell] for cell in self.cells]
        for digit in self.digits:
            if digit not in left:
                return False
            left.remove(digit)
        return True

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A cage holds all the values written in it, each at least as often as it is written."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A cage with the digits."""
        yield Cage(self.cells, " ".join(map(str, self.digits)))

    @classmethod
    def example(cls, grid: Grid) -> ContainsAtLeast:
        """Return the first value twice and the last once, in the first four cells of a diagonal."""
        first, last = grid.values[0], grid.values[-1]
        return cls(tuple(grid.cell_at[step, step] for step in range(4)), (first, first, last))


@dataclass(frozen=True)
class ContainsExactly(CountedDigits):
    """The cells hold all the digits listed, each exactly as often as it is listed; other digits are free."""

    kind = "contains-exactly"
    elsewhere = MappingProxyType({"ISS": "ContainExact"})
    relation = "=="

    def holds(self, grid: Grid, values: Values) -> bool:
        """The cells' values that are listed are the list in some order."""
        return sorted(values[cell] for cell in self.cells if values[cell] in self.digits) == sorted(self.digits)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A cage holds the values after its equals sign, each exactly as often as it is written; other values are free."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A cage with the digits after an equals sign."""
        yield Cage(self.cells, f"= {' '.join(map(str, self.digits))}")

    @classmethod
    def example(cls, grid: Grid) -> ContainsExactly:
        """Return the first value once and the last once, in the first four cells of a diagonal."""
        return cls(tuple(grid.cell_at[step, step] for step in range(4)), (grid.values[0], grid.values[-1]))


@lru_cache(maxsize=1024)
def _possible_circle_values(values: range, circles: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the values that some circles must hold and those that they may; None where no values add up to ``circles``.

    The values that occur in circles add up to the number of circles, for each occurs as often as it says.
    """

    def sums(without: int) -> int:
        found = 1
        for value in values:
            if 0 < value <= circles and value != without:
                found |= found << value
        return found

    if not sums(0) >> circles & 1:
        return None
    must = tuple(value for value in values if 0 < value <= circles and not sums(value) >> circles & 1)
    may = tuple(v for v in values if 0 < v <= circles and v not in must and sums(v) >> circles - v & 1)
    return must, may


_UNDECIDED = -1
"""The first state: nothing has been read."""


@lru_cache(maxsize=1024)
def _all_or_none_automaton(values: range, digit: int) -> AutomatonTemplate:
    """Return the automaton that reads whether the digit occurs, then cells that hold it ``digit`` times or not at all."""

    def step(left: int, value: int) -> int | None:
        if left == _UNDECIDED:
            return {0: 0, 1: digit}.get(value)
        left -= value == digit
        return left if left >= 0 else None

    return make_automaton(_UNDECIDED, step, lambda left: left == 0, sorted({0, 1, *values}))


@dataclass(frozen=True)
class CountingCircles(Rule):
    """A digit in a circle is the number of circles that hold it; so no circle holds a 0.

    A cell that is listed twice counts once.
    """

    kind = "counting-circles"
    sets_differ = True
    elsewhere = MappingProxyType({"ISS": "CountingCircles"})
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """Counts for values that must or cannot occur; for each other one an automaton, and the sum of those that occur."""
        cells = tuple(dict.fromkeys(self.cells))
        part = part_name("counting circles", grid, cells)
        sorts = _possible_circle_values(grid.values, len(cells))
        if sorts is None:
            yield part, Clause(())
            return
        must, may = sorts
        never = frozenset(grid.values) - {*must, *may}
        if never:
            yield part, Count(cells, never, "==", 0)
        for value in must:
            yield part, Count(cells, frozenset({value}), "==", value)
        occurs = {value: -1 - index for index, value in enumerate(may)}
        for value, auxiliary in occurs.items():
            yield part, _all_or_none_automaton(grid.values, value).on_cells((auxiliary, *cells))
        if may:
            yield part, Linear(tuple((cell, value) for value, cell in occurs.items()), "==", len(cells) - sum(must))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Count each value in the circles."""
        return all(value == times for value, times in Counter(values[cell] for cell in set(self.cells)).items())

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        no_zero = "; so no circle holds a 0" if 0 in wording.grid.values else ""
        of_set = " of its set" if self.kind in wording.recurring else ""
        return f"A value in a circle is the number of circles{of_set} that hold it{no_zero}."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A circle in each cell."""
        for cell in dict.fromkeys(self.cells):
            yield Dot((cell,), colour=RING)

    @classmethod
    def example(cls, grid: Grid) -> CountingCircles:
        """Return three circles on a diagonal."""
        return cls(tuple(grid.cell_at[step, step] for step in range(3)))


@dataclass(frozen=True)
class CountDistinct(Rule):
    """The value of the cell is the number of different values in the cells."""

    kind = "count-distinct"
    elsewhere = MappingProxyType({"ISS": "CountDistinct"})
    cell: Cell
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """An auxiliary for each value shows whether it occurs; the cell is their sum."""
        part = part_name("distinct values", grid, (self.cell, *self.cells))
        cells = tuple(dict.fromkeys(self.cells))
        for index, value in enumerate(grid.values):
            occurs, absent = Literal(-1 - index, 1), Literal(-1 - index, 0)
            for cell in cells:
                yield part, Clause((Literal(cell, value, equal=False), occurs))
            yield part, Clause((absent, *(Literal(cell, value) for cell in cells)))
        terms = tuple((-1 - index, 1) for index in range(len(grid.values)))
        yield part, Linear((*terms, (self.cell, -1)), "==", 0)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Gather the values."""
        return values[self.cell] == len({values[cell] for cell in self.cells})

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "The value in a shaded circle is the number of different values in the cells of the same colour."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shaded circle in the cell, the same shade over the others."""
        yield Shade((self.cell,), shape="circle", group=True)
        yield Dot((self.cell,), colour=RING)
        if self.cells:
            yield Shade(self.cells, group=True)

    @classmethod
    def example(cls, grid: Grid) -> CountDistinct:
        """Return the first cell, which counts three cells of a diagonal."""
        return cls(grid.cell_at[0, 0], tuple(grid.cell_at[step, 3 - step] for step in range(3)))


TOO_MANY = 60_000
"""The most auxiliaries with which clauses may state that cells are connected."""


@dataclass(frozen=True)
class ConnectedValues(Rule):
    """The cells that hold any of the digits, at least one, are connected by their edges; with a ``size``, there are that many.

    If cells are listed, it is about these alone; with ``columns``, they are laid out in rows of that length, wherever they are
    on the grid. Grids of more than 16x16 cells need a small size: otherwise the formula would be too large.
    """

    kind = "connected-values"
    elsewhere = MappingProxyType({"ISS": "ConnectedValues"})
    digits: tuple[int, ...]
    size: int | None = None
    cells: Cells = ()
    columns: int | None = None

    def _places(self, grid: Grid) -> dict[Cell, Place]:
        """Return the cells that the rule is about, with their places."""
        if self.columns is not None:
            return {cell: divmod(index, max(1, self.columns)) for index, cell in enumerate(self.cells)}
        return {cell: grid.places[cell] for cell in self.cells or grid.cells}

    def _steps(self, grid: Grid) -> int:
        """Return how far apart two of the cells can be: a shortest path has at most three cells of any 2x2 block."""
        blocks = Counter((row // 2, column // 2) for row, column in self._places(grid).values())
        longest = sum(min(cells, 3) for cells in blocks.values())
        return max(0, (longest if self.size is None else min(longest, self.size)) - 1)

    def lower(self, grid: Grid) -> Lowered:
        """The number of cells, if it is known, and that they are connected."""
        noun = f"connected {' '.join(map(str, self.digits))}"
        places = self._places(grid)
        cells, digits = tuple(places), frozenset(self.digits)
        if self.size is not None:
            yield noun, Count(cells, digits, "==", self.size)
        yield noun, Connected(cells, digits, adjacent_places(tuple(places.values())), self._steps(grid))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Walk from one of the cells to all that can be reached."""
        inside = {place for cell, place in self._places(grid).items() if values[cell] in self.digits}
        if not inside or self.size not in {None, len(inside)}:
            return False
        waiting = [min(inside)]
        for place in waiting:  # grows while it is walked
            inside.discard(place)
            near = _neighbour_places(place) & inside
            waiting += near
            inside -= near
        return not inside

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        many = f"; there are {self.size} such cells" if self.size is not None else ""
        rows = f", listed in rows of {self.columns}" if self.columns is not None else ""
        return f"All cells that hold {wording.either(self.digits)} are connected by their edges{many}{rows}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find digits that are not values, invalid lists of cells, and a grid for which the formula would be too large."""
        yield from impossible_values(self, grid, self.digits)
        yield from repeated_cells(self, grid, self.cells)
        if self.columns is not None and (self.columns < 1 or not self.cells):
            yield f"{self.kind}, columns: expected 1 or more with a list of cells, got {self.columns!r:.80}"
        on_grid = {*self.cells} <= {*grid.cells}
        if on_grid and len(self._places(grid)) * (self._steps(grid) + 3) > TOO_MANY:
            yield f"{self.kind}: expected a grid of up to 16x16 cells or a small size, got {grid}"

    @classmethod
    def example(cls, grid: Grid) -> ConnectedValues:
        """Return the rule for the smaller two thirds of the values; fewer are seldom connected."""
        return cls(tuple(grid.values[: -(-2 * len(grid.values) // 3)]))


def _neighbour_places(place: Place) -> set[Place]:
    """Return the four places next to one."""
    row, column = place
    return {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}


@lru_cache(maxsize=64)
def adjacent_places(places: tuple[Place, ...]) -> tuple[tuple[int, ...], ...]:
    """Return for each of the places which of them are its neighbours, by number."""
    numbers = {place: number for number, place in enumerate(places)}
    return tuple(tuple(sorted(numbers[other] for other in _neighbour_places(place) & numbers.keys())) for place in places)

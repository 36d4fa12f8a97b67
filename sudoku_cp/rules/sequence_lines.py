"""Lines whose values form sequences, point to each other, or count or sum the others.

Their meanings follow the recipes of the Interactive Sudoku Solver (sigh.github.io/Interactive-Sudoku-Solver),
which expresses them with its general constraints; setters define the same-difference line in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import DrawnArrow, Line, Shade
from sudoku_cp.model import Clause, Linear, Literal, Table, Values
from sudoku_cp.rules.automata import (
    FEW_VALUES,
    NOTHING_READ,
    STATES,
    AutomatonTemplate,
    ValuesRead,
    make_automaton,
    marked_automaton,
)
from sudoku_cp.rules.base import Cells, Lowered, part_name
from sudoku_cp.rules.line_helpers import LineRule, pointing_clause, repeated_cells, too_many_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.wording import RuleWording


@lru_cache(maxsize=64)
def _even_steps_automaton(values: range) -> AutomatonTemplate:
    """Return an automaton whose state is the last value and, from the second on, its difference from the one before."""

    def step(read: ValuesRead, value: int) -> ValuesRead | None:
        if not read:
            return (value,)
        size = abs(value - read[0])
        return (value, size) if read[1:] in {(), (size,)} else None

    return make_automaton(NOTHING_READ, step, lambda _: True, values)


def _equal_step_sums(cells: Cells, largest: int) -> Iterator[Linear]:
    """Yield equivalent sums: the first auxiliaries are the bits of the difference, and one more per step is 1 if it rises."""
    size = tuple((-bit - 1, -(1 << bit)) for bit in range(largest.bit_length()))
    for number, (one, other) in enumerate(pairwise(cells), len(size) + 1):
        for low, high, rises in ((one, other, 1), (other, one, 0)):
            further = (high, 1), (low, -1), *size
            yield Linear(further, "<=", 0)
            # Twice the largest difference makes the sum hold for the other direction, whatever the values.
            slack = 2 * largest * (1 - 2 * rises)
            yield Linear((*further, (-number, slack)), ">=", -2 * largest * rises)


@dataclass(frozen=True)
class SameDifferenceLine(LineRule):
    """Every two neighbours on the line have the same difference, which is not given; it may be 0 where values may repeat."""

    kind = "same-difference-line"
    drawn = Line((), colour="#30D5C8")  # a turquoise line

    def lower(self, grid: Grid) -> Lowered:
        """One automaton; for many values, sums with the difference in auxiliaries."""
        if len(self.cells) < 3:  # noqa: PLR2004
            return
        part, values = part_name("same-difference line", grid, self.cells), grid.values
        if len(values) ** 2 <= STATES + len(values):
            yield part, _even_steps_automaton(values).on_cells(self.cells)
            return
        for constraint in _equal_step_sums(self.cells, len(values) - 1):
            yield part, constraint

    def holds(self, grid: Grid, values: Values) -> bool:
        """Collect the differences."""
        return len({abs(values[one] - values[other]) for one, other in pairwise(self.cells)}) <= 1

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "All neighbouring values along the line have the same difference."


@lru_cache(maxsize=64)
def _progressions(values: range, size: int) -> frozenset[tuple[int, ...]]:
    longest = (len(values) - 1) // (size - 1)
    every = (tuple(first + by * place for place in range(size)) for by in range(-longest, longest + 1) for first in values)
    return frozenset(one for one in every if one[-1] in values)


@dataclass(frozen=True)
class ArithmeticSequence(LineRule):
    """The values along the line go up, or down, by the same amount at every step, which is not given and may be 0."""

    kind = "arithmetic-sequence"
    drawn = Line((), colour="#A8D8A0")  # a light green line

    def lower(self, grid: Grid) -> Lowered:
        """A table of all sequences; where there are too many, each cell is halfway between its neighbours."""
        if len(self.cells) < 3:  # noqa: PLR2004
            return
        part = part_name("arithmetic sequence", grid, self.cells)
        if len(grid.values) ** 2 <= STATES * (len(self.cells) - 1):
            yield part, Table(self.cells, _progressions(grid.values, len(self.cells)))
        else:
            for before, cell, after in zip(self.cells, self.cells[1:], self.cells[2:], strict=False):
                yield part, Linear(((before, 1), (cell, -2), (after, 1)), "==", 0)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Collect the steps."""
        return len({values[other] - values[one] for one, other in pairwise(self.cells)}) <= 1

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values along the line increase, or decrease, by the same amount at every step, which may be 0."


@dataclass(frozen=True)
class SuccessorArrow(LineRule):
    """If the first cell holds N, then N + 1 is N cells further along the arrow.

    An N that leads to no other cell of the arrow (0, or beyond its end) is not allowed.
    """

    kind = "successor-arrow"
    fewest = 2

    def lower(self, grid: Grid) -> Lowered:
        """One implication for each value of the first cell."""
        first, part = self.cells[0], part_name("successor arrow", grid, self.cells)
        for value in grid.values:
            target = self.cells[value] if 0 < value < len(self.cells) else None
            yield part, pointing_clause(first, value, target, value + 1, grid)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look where the first cell points."""
        far = values[self.cells[0]]
        return any(place == far and values[cell] == far + 1 for place, cell in enumerate(self.cells) if place)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "If the cell at the start of an arrow holds N, then the cell N steps along the arrow holds N + 1."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find an arrow with nowhere to point, and one that comes back to a cell."""
        yield from super().problems(grid)
        yield from repeated_cells(self, grid, self.cells)

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shaded circle in the first cell, and an arrow from there."""
        yield Shade(self.cells[:1], shape="circle")
        yield DrawnArrow(self.cells)

    @classmethod
    def example(cls, grid: Grid) -> SuccessorArrow:
        """Return an arrow along the first row."""
        return cls(grid.lines[0])


@dataclass(frozen=True)
class IndexLine(LineRule):
    """The value of the line's Nth cell is the position on the line, counted from 1, of the value N.

    A value that is not a position on the line (0, or more than its number of cells) is not allowed.
    """

    kind = "index-line"
    drawn = Line((), colour="#D0B090", start="bulb")  # a brown line with a bulb at its first cell

    def lower(self, grid: Grid) -> Lowered:
        """One implication for each value of each cell."""
        part = part_name("index line", grid, self.cells)
        for place, cell in enumerate(self.cells, 1):
            for value in grid.values:
                if value != place:
                    target = self.cells[value - 1] if 0 < value <= len(self.cells) else None
                    yield part, pointing_clause(cell, value, target, place, grid)

    def holds(self, grid: Grid, values: Values) -> bool:
        """The cell at the position that each cell names holds that cell's own position."""
        line = dict(enumerate((values[cell] for cell in self.cells), 1))
        return all(line.get(there) == place for place, there in line.items())

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "The Nth cell of the line, counted from its start, holds the number of the cell in which the value N stands."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line without cells, one that comes back to a cell, and positions that no value names."""
        yield from super().problems(grid)
        yield from too_many_cells(self, self.cells, grid.values[-1], "the largest value")
        yield from repeated_cells(self, grid, self.cells)

    @classmethod
    def example(cls, grid: Grid) -> IndexLine:
        """Return the first three cells of the first row."""
        return cls(grid.lines[0][:3])


@lru_cache(maxsize=64)
def _parity_count_automaton(values: range, size: int, even: bool) -> AutomatonTemplate:  # noqa: FBT001
    """Return an automaton whose state is how many odd (or even) values are still to come; ``size`` before the first cell."""

    def step(left: int, value: int) -> int | None:
        after = (value if left == size else left) - (value % 2 != even)
        return after if 0 <= after < size else None

    return make_automaton(size, step, lambda left: left == 0, values)


@dataclass(frozen=True)
class OddEvenLot(LineRule):
    """The first cell's value is the number of odd values on the line (or of ``even`` ones), its own included.

    A cell that the line visits twice counts once. 0 is even.
    """

    kind = "odd-even-lot"
    even: bool = False

    def lower(self, grid: Grid) -> Lowered:
        """One automaton that counts down."""
        cells = tuple(dict.fromkeys(self.cells))
        yield (
            part_name("even lot" if self.even else "odd lot", grid, cells),
            _parity_count_automaton(grid.values, len(cells), self.even).on_cells(cells),
        )

    def holds(self, grid: Grid, values: Values) -> bool:
        """Count them."""
        odd = sum(values[cell] % 2 for cell in set(self.cells))
        return values[self.cells[0]] == (len(set(self.cells)) - odd if self.even else odd)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        kind = "even" if self.even else "odd"
        return f"The first value on the line is the number of {kind} values on it, its own included."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A line from a circle for odd values, from a square for even ones."""
        yield Line(self.cells, start="plain" if self.even else "bulb")
        if self.even:
            yield Shade(self.cells[:1], "#CFCFCF", "square")


@lru_cache(maxsize=64)
def _greatest_automaton(values: range) -> AutomatonTemplate:
    """Return an automaton whose state is the greatest value and the sum of the rest, which may not exceed the largest value."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        greatest, rest = state
        after = max(greatest, value), rest + min(greatest, value)
        return after if after[1] <= values[-1] else None

    return make_automaton((0, 0), step, lambda state: state[0] == state[1], values)


@lru_cache(maxsize=64)
def _sum_of_rest_automaton(values: range) -> AutomatonTemplate:
    """Return an automaton that reads a mark, a cell and other cells, which add up to the value of the first if the mark is 1."""

    def subtract(rest: int, value: int) -> int | None:
        return rest - value if value <= rest else None

    return marked_automaton(values, subtract, lambda rest: rest == 0)


@dataclass(frozen=True)
class AmbiguousArrow(LineRule):
    """The greatest value on the line is the sum of all the others; around a corner this is called a quad sum."""

    kind = "ambiguous-arrow"
    drawn = Line((), width=0.1, start="circle", end="circle")  # a line with circles at both ends: either may be the bulb
    fewest = 2

    def lower(self, grid: Grid) -> Lowered:
        """One automaton; for many values one per cell, with an auxiliary that selects the cell that is the sum."""
        part = part_name("ambiguous arrow", grid, self.cells)
        if len(grid.values) <= FEW_VALUES:
            yield part, _greatest_automaton(grid.values).on_cells(self.cells)
            return
        yield part, Clause(tuple(Literal(-number, 1) for number in range(1, len(self.cells) + 1)))
        for number, cell in enumerate(self.cells, 1):
            others = (*self.cells[: number - 1], *self.cells[number:])
            yield part, _sum_of_rest_automaton(grid.values).on_cells((-number, cell, *others))

    def holds(self, grid: Grid, values: Values) -> bool:
        """The greatest value is half of the sum of all."""
        line = [values[cell] for cell in self.cells]
        return 2 * max(line) == sum(line)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "The greatest value on the line is the sum of all the others on it."

    @classmethod
    def example(cls, grid: Grid) -> AmbiguousArrow:
        """Return the four cells around a corner."""
        return cls(tuple(grid.cell_at[place] for place in ((1, 1), (1, 2), (2, 2), (2, 1))))

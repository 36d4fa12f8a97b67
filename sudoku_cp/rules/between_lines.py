"""Lines whose two ends bound the values between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Line
from sudoku_cp.model import Table, Values
from sudoku_cp.rules.automata import FEW_VALUES, NOTHING_READ, AutomatonTemplate, ValuesRead, make_automaton
from sudoku_cp.rules.base import Lowered, part_name
from sudoku_cp.rules.line_helpers import LineRule, allowed_pairs, differ_by, example_line, repeated_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.wording import RuleWording


def _bounded_automaton(values: range, least: int, inside: Callable[[int, int, int], bool]) -> AutomatonTemplate:
    """Return the automaton that reads both ends, at least ``least`` apart, then cells that pass ``inside(low, value, high)``."""

    def step(read: ValuesRead, value: int) -> ValuesRead | None:
        match read:
            case ():
                return (value,)
            case (end,):
                return (min(end, value), max(end, value)) if abs(end - value) >= least else None
            case _:
                return read if inside(read[0], value, read[1]) else None

    return make_automaton(NOTHING_READ, step, lambda _: True, values)


@lru_cache(maxsize=64)
def _between_automaton(values: range) -> AutomatonTemplate:
    return _bounded_automaton(values, 0, lambda low, value, high: low < value < high)


@lru_cache(maxsize=64)
def _outside_automaton(values: range, least: int) -> AutomatonTemplate:
    return _bounded_automaton(values, least, lambda low, value, high: not low <= value <= high)


@lru_cache(maxsize=64)
def _one_side_automaton(values: range, above: int) -> AutomatonTemplate:
    """Return the automaton that reads an auxiliary, an end and cells: all larger if the auxiliary is ``above``, else smaller."""

    def step(read: ValuesRead, value: int) -> ValuesRead | None:
        match read:
            case ():
                return (value,) if value in {0, 1} else None
            case (side,):
                return side, value
            case _:
                larger = read[0] == above
                return read if (value > read[1] if larger else value < read[1]) else None

    return make_automaton(NOTHING_READ, step, lambda _: True, sorted({0, 1, *values}))


@dataclass(frozen=True)
class BetweenLine(LineRule):
    """The values along the line lie strictly between those in the circles at its ends."""

    kind = "between-line"
    elsewhere = MappingProxyType({"ISS": "Between", "f-puzzles": "betweenline", "SudokuSolver": "betweenline"})
    drawn = Line((), start="circle", end="circle")  # a grey line with circles at its ends
    fewest = 2

    def lower(self, grid: Grid) -> Lowered:
        """One automaton that reads the ends first; for many values two, with an auxiliary: whether the line rises."""
        first, *inner, last = self.cells
        part = part_name("between line", grid, self.cells)
        if not inner:
            return
        if len(grid.values) <= FEW_VALUES:
            yield part, _between_automaton(grid.values).on_cells((first, last, *inner))
        else:
            yield part, _one_side_automaton(grid.values, 1).on_cells((-1, first, *inner))
            yield part, _one_side_automaton(grid.values, 0).on_cells((-1, last, *inner))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Compare each value with both ends."""
        ends = sorted((values[self.cells[0]], values[self.cells[-1]]))
        return all(ends[0] < values[cell] < ends[1] for cell in self.cells[1:-1])

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values along the line lie strictly between those in the circles at its ends."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line without two ends, and ends to which the line returns."""
        yield from super().problems(grid)
        yield from repeated_cells(self, grid, self.cells[:1], set(self.cells[1:-1]), self.cells[1:][-1:])


@dataclass(frozen=True)
class LockoutLine(LineRule):
    """The values in the diamonds at the ends differ by at least ``difference``; those between are below or above both."""

    kind = "lockout-line"
    elsewhere = MappingProxyType({"ISS": "Lockout", "f-puzzles": "lockout"})
    drawn = Line((), colour="#B0A8E0", start="diamond", end="diamond")  # a lilac line with diamonds at its ends
    fewest = 2
    difference: int = 4

    def lower(self, grid: Grid) -> Lowered:
        """One automaton that reads the ends first; for many values two per cell, with an auxiliary: whether it is above."""
        first, *inner, last = self.cells
        part = part_name("lockout line", grid, self.cells)
        if inner and len(grid.values) <= FEW_VALUES:
            yield part, _outside_automaton(grid.values, self.difference).on_cells((first, last, *inner))
            return
        yield part, Table((first, last), allowed_pairs(differ_by, grid.values, self.difference))
        for number, cell in enumerate(inner, 1):
            for end in (first, last):
                yield part, _one_side_automaton(grid.values, 1).on_cells((-number, end, cell))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Compare the ends, and each value with the range from one to the other."""
        low, high = sorted((values[self.cells[0]], values[self.cells[-1]]))
        locked = range(low, high + 1)
        return high - low >= self.difference and not any(values[cell] in locked for cell in self.cells[1:-1])

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return (
            f"The values in the diamonds at the ends of the line differ by at least {self.difference}; "
            "all others on it lie outside the range that these two span."
        )

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line without two ends, ends to which the line returns, and a difference that no two values have."""
        yield from super().problems(grid)
        yield from repeated_cells(self, grid, self.cells[:1], set(self.cells[1:-1]), self.cells[1:][-1:])
        most = len(grid.values) - 1
        if not 0 <= self.difference <= most:
            yield f"{self.kind}: expected a difference from 0 to {most}, got {self.difference!r:.80}"

    @classmethod
    def example(cls, grid: Grid) -> LockoutLine:
        """Return a line with one cell between its ends, which four values allow to differ by 2."""
        return cls(example_line(grid), 2)

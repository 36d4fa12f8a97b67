"""Rules drawn as lines: how values rise, differ, repeat and alternate along them, with circles and bulbs at their ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb, dist
from operator import eq, le, lt
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import RING, Dot, DrawnArrow, Line, Pill
from sudoku_cp.grid import Cell
from sudoku_cp.model import AllDifferent, DigitSet, Linear, Table, Values, to_mask
from sudoku_cp.rules.automata import FEW_VALUES, NOTHING_READ, AutomatonTemplate, ValuesRead, make_automaton
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.line_helpers import (
    LineRule,
    allowed_pairs,
    cyclic_tables,
    differ_by,
    equal_sum,
    example_line,
    neighbour_tables,
    repeated_cells,
    too_many_cells,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid


# Rules drawn as arrows: sums along shafts.


LONGEST_PILL = 4
"""The most cells in the bulb of a pill arrow, and so decimal digits of its number."""


@dataclass(frozen=True)
class Arrow(Rule):
    """The values along each shaft add up to the value in the bulb.

    A cell that a shaft visits twice counts twice.
    """

    kind = "arrow"
    elsewhere = MappingProxyType({"ISS": "Arrow", "f-puzzles": "arrow", "SudokuSolver": "arrow"})
    bulb: Cell
    shafts: tuple[Cells, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One sum per shaft."""
        for shaft in self.shafts:
            terms = (*((cell, 1) for cell in shaft), (self.bulb, -1))
            yield part_name("arrow", grid, (self.bulb, *shaft)), Linear(terms, "==", 0)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Each shaft sums to the bulb; its values may repeat."""
        return all(sum(values[cell] for cell in shaft) == values[self.bulb] for shaft in self.shafts)

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A circle and an arrow for each shaft."""
        yield Dot((self.bulb,), colour=RING)
        for shaft in self.shafts:
            yield DrawnArrow((self.bulb, *shaft))

    @classmethod
    def example(cls, grid: Grid) -> Arrow:
        """Return an arrow with two shafts."""
        at = grid.cell_at
        return cls(at[0, 0], ((at[0, 1], at[0, 2]), (at[1, 0], at[2, 0])))


@dataclass(frozen=True)
class PillArrow(Rule):
    """The values along each shaft add up to the decimal number that the bulb's cells spell in their order.

    A value above 9 counts as it stands: 1 and 12 spell 22.
    """

    kind = "pill-arrow"
    elsewhere = MappingProxyType({"ISS": "PillArrow", "f-puzzles": "arrow", "SudokuSolver": "arrow"})
    bulb: Cells
    shafts: tuple[Cells, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One sum per shaft, in which each cell of the bulb counts ten times the next."""
        number = tuple((cell, -(10**power)) for power, cell in enumerate(reversed(self.bulb)))[::-1]
        for shaft in self.shafts:
            terms = (*((cell, 1) for cell in shaft), *number)
            yield part_name("pill arrow", grid, (*self.bulb, *shaft)), Linear(terms, "==", 0)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Read the number, and compare it with the sum of each shaft."""
        number = 0
        for cell in self.bulb:
            number = 10 * number + values[cell]
        return all(sum(values[cell] for cell in shaft) == number for shaft in self.shafts)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a bulb with no cells or too many."""
        if not 1 <= len(self.bulb) <= LONGEST_PILL:
            yield f"{self.kind}, bulb: expected 1 to {LONGEST_PILL} cells, got {len(self.bulb)}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A pill around the bulb, and an arrow for each shaft from the nearest of the bulb's cells, the last if several are."""
        yield Pill(self.bulb)
        at = grid.places
        for shaft in filter(None, self.shafts):
            *_, nearest = sorted(self.bulb, key=lambda cell: -dist(at[cell], at[shaft[0]]))  # used at once
            yield DrawnArrow((nearest, *shaft), bulb=self.bulb)

    @classmethod
    def example(cls, grid: Grid) -> PillArrow:
        """Return an arrow whose bulb spells a number of two digits."""
        at = grid.cell_at
        return cls((at[0, 0], at[0, 1]), ((at[1, 2], at[2, 3], at[3, 2], at[2, 1]),))


@dataclass(frozen=True)
class DoubleArrow(LineRule):
    """The values between the circles at the ends of the line add up to the sum of the values in the circles."""

    kind = "double-arrow"
    elsewhere = MappingProxyType({"ISS": "DoubleArrow", "f-puzzles": "doublearrow", "SudokuSolver": "doublearrow"})
    drawn = Line((), colour="#C54B8B", width=0.1, start="circle", end="circle")  # a purple line with circles at its ends
    fewest = 3

    def lower(self, grid: Grid) -> Lowered:
        """One sum."""
        first, *inner, last = self.cells
        yield part_name("double arrow", grid, self.cells), equal_sum(inner, (first, last))

    def holds(self, grid: Grid, values: Values) -> bool:
        """The ends add up to half of the whole."""
        return sum(values[cell] for cell in self.cells) == 2 * (values[self.cells[0]] + values[self.cells[-1]])

    @classmethod
    def example(cls, grid: Grid) -> DoubleArrow:
        """Return a line with two cells between its ends."""
        at = grid.cell_at
        return cls((at[0, 0], at[0, 1], at[1, 2], at[1, 3]))


# Lines whose two ends bound the values between them.


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


SETS = 10_000
"""The most sets of values that are listed."""


@dataclass(frozen=True)
class Thermometer(LineRule):
    """Values rise strictly along the line from the bulb, which is its first cell."""

    kind = "thermometer"
    elsewhere = MappingProxyType({"ISS": "Thermo", "f-puzzles": "thermometer", "SudokuSolver": "thermo", "also": "thermo sudoku"})
    drawn = Line((), start="bulb")  # a grey line with a bulb

    def lower(self, grid: Grid) -> Lowered:
        """One table of rising pairs for each step of the line."""
        return neighbour_tables("thermometer", grid, self.cells, allowed_pairs(lt, grid.values))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Each value is larger than the one before."""
        return all(values[one] < values[other] for one, other in pairwise(self.cells))

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a thermometer without cells, one that comes back to a cell, and one with more cells than there are values."""
        yield from super().problems(grid)
        yield from repeated_cells(self, grid, self.cells)
        yield from too_many_cells(self, self.cells, len(grid.values), "one per value")


@dataclass(frozen=True)
class SlowThermometer(LineRule):
    """Values rise or stay the same along the line from the bulb, which is its first cell."""

    kind = "slow-thermometer"
    elsewhere = MappingProxyType({"f-puzzles": "slowthermometer", "SudokuSolver": "slowthermo"})
    drawn = Line((), colour="#6495ED", start="bulb")  # a blue line with a bulb

    def lower(self, grid: Grid) -> Lowered:
        """One table of pairs that do not fall for each step of the line."""
        return neighbour_tables("slow thermometer", grid, self.cells, allowed_pairs(le, grid.values))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value is smaller than the one before."""
        return not any(values[other] < values[one] for one, other in pairwise(self.cells))


@dataclass(frozen=True)
class Whisper(LineRule):
    """Neighbours on the line differ by at least ``difference``: half the number of values, rounded up, where none is given.

    On a 9x9 board that is 5, the German whisper; the Dutch whisper has 4.
    """

    kind = "whisper"
    elsewhere = MappingProxyType(
        {"ISS": "Whisper", "f-puzzles": "whispers", "SudokuSolver": "whispers", "also": "German whispers"}
    )
    difference: int | None = None

    def _least(self, grid: Grid) -> int:
        return (len(grid.values) + 1) // 2 if self.difference is None else self.difference

    def lower(self, grid: Grid) -> Lowered:
        """One table of distant pairs for each step of the line."""
        return neighbour_tables("whisper", grid, self.cells, allowed_pairs(differ_by, grid.values, self._least(grid)))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No step along the line is too small."""
        return min((abs(values[b] - values[a]) for a, b in pairwise(self.cells)), default=99) >= self._least(grid)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line without cells, and a difference that no two values have."""
        yield from super().problems(grid)
        most = len(grid.values) - 1
        if not 0 <= self._least(grid) <= most:
            yield f"{self.kind}: expected a difference from 0 to {most}, got {self._least(grid)!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A green line, orange where the difference is less than half the number of values."""
        german = 2 * self._least(grid) >= len(grid.values)
        yield Line(self.cells, colour="#67F067" if german else "#FF9A00")


@lru_cache(maxsize=256)
def _consecutive_sets(values: range, size: int) -> frozenset[int]:
    return frozenset(to_mask(values[first : first + size]) for first in range(len(values) - size + 1))


@dataclass(frozen=True)
class Renban(LineRule):
    """The line holds consecutive values without repeats, in any order; a cell that it visits twice counts once."""

    kind = "renban"
    elsewhere = MappingProxyType({"ISS": "Renban", "f-puzzles": "renban", "SudokuSolver": "renban"})
    drawn = Line((), colour="#F067F0")  # a pink line

    def lower(self, grid: Grid) -> Lowered:
        """The sets of that many consecutive values."""
        cells = tuple(dict.fromkeys(self.cells))
        if len(cells) > 1:
            yield part_name("renban", grid, cells), DigitSet(cells, _consecutive_sets(grid.values, len(cells)))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Sorted, each value is one more than the one before."""
        line = sorted(values[cell] for cell in set(self.cells))
        return all(other - one == 1 for one, other in pairwise(line))

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line without cells, or with more than there are values."""
        yield from super().problems(grid)
        yield from too_many_cells(self, tuple(set(self.cells)), len(grid.values), "one per value")


@lru_cache(maxsize=256)
def _nonconsecutive_sets(values: range, size: int) -> frozenset[int]:
    """Return the sets of ``size`` values, no two consecutive: any combination, with its k-th value (from 0) moved up by k."""
    spare = range(len(values) - size + 1)
    return frozenset(to_mask(values[place + moved] for moved, place in enumerate(some)) for some in combinations(spare, size))


@dataclass(frozen=True)
class Nabner(LineRule):
    """No two cells of the line hold the same value or consecutive ones; a cell that it visits twice counts once."""

    kind = "nabner"
    elsewhere = MappingProxyType({"f-puzzles": "nabner", "SudokuSolver": "nabner"})
    drawn = Line((), colour="#C9C883")  # a khaki line

    def lower(self, grid: Grid) -> Lowered:
        """The sets of that many values, no two consecutive; one table per pair for two cells or too many sets."""
        cells = tuple(dict.fromkeys(self.cells))
        part = part_name("nabner", grid, cells)
        spare = len(grid.values) - len(cells) + 1
        if len(cells) > 2 and comb(max(0, spare), len(cells)) <= SETS:  # noqa: PLR2004
            yield part, DigitSet(cells, _nonconsecutive_sets(grid.values, len(cells)))
            return
        if len(cells) > 2:  # noqa: PLR2004
            yield part, AllDifferent(cells)
        for pair in combinations(cells, 2):
            yield part, Table(pair, allowed_pairs(differ_by, grid.values, 2))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Sorted, each value is at least two more than the one before."""
        line = sorted(values[cell] for cell in set(self.cells))
        return all(other - one > 1 for one, other in pairwise(line))

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line without cells, or with more than there are values apart from each other."""
        yield from super().problems(grid)
        yield from too_many_cells(self, tuple(set(self.cells)), (len(grid.values) + 1) // 2, "every second value")

    @classmethod
    def example(cls, grid: Grid) -> Nabner:
        """Return a line of two cells, as many as four values allow."""
        return cls(example_line(grid)[1:])


@dataclass(frozen=True)
class Palindrome(LineRule):
    """The line reads the same from both ends."""

    kind = "palindrome"
    elsewhere = MappingProxyType({"ISS": "Palindrome", "f-puzzles": "palindrome", "SudokuSolver": "palindrome"})

    def lower(self, grid: Grid) -> Lowered:
        """One table of equal pairs for every two cells that mirror each other."""
        half = len(self.cells) // 2
        for pair in zip(self.cells[:half], reversed(self.cells), strict=False):
            yield part_name("palindrome", grid, pair), Table(pair, allowed_pairs(eq, grid.values))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Reversed, the values are the same."""
        line = [values[cell] for cell in self.cells]
        return line == line[::-1]

    @classmethod
    def example(cls, grid: Grid) -> Palindrome:
        """Return a line of three cells, whose ends are equal and share no house of the usual boards."""
        return cls(tuple(grid.cell_at[place] for place in ((0, 1), (1, 2), (1, 3))))


def _entropy_bounds(values: range) -> tuple[int, int]:
    """Return the last of the low values and the last of the middle ones.

    Low and high values are equally many; where the number of values is not divisible by 3, the middle ones are one more
    or one fewer (as in SudokuSolver).
    """
    outer = (len(values) + 1) // 3
    return values.start + outer - 1, values.stop - outer - 1


def _same_group(one: int, other: int, low: int, middle: int) -> bool:
    return (one > low) + (one > middle) == (other > low) + (other > middle)


def _different_groups(one: int, other: int, low: int, middle: int) -> bool:
    return not _same_group(one, other, low, middle)


@dataclass(frozen=True)
class EntropicLine(LineRule):
    """Every three cells in a row along the line hold a low, a middle and a high value; two cells alone, two of these.

    Where the number of values is not divisible by 3, there are as many low values as high ones, and one middle value
    more or fewer.
    """

    kind = "entropic-line"
    elsewhere = MappingProxyType({"ISS": "Entropic", "f-puzzles": "entropicline", "SudokuSolver": "entrol"})
    drawn = Line((), colour="#FFCCAA")  # a peach line

    def lower(self, grid: Grid) -> Lowered:
        """Tables: pairs of different groups for cells one or two steps apart, of the same for those three, six, ... apart."""
        ends = _entropy_bounds(grid.values)
        unlike, alike = allowed_pairs(_different_groups, grid.values, *ends), allowed_pairs(_same_group, grid.values, *ends)
        return cyclic_tables(part_name("entropic line", grid, self.cells), self.cells, 3, unlike, alike)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No group comes twice among any three cells in a row."""
        size = len(grid.values)
        third = size // 3 + (size % 3 == 2)  # noqa: PLR2004
        low, high = grid.values[:third], grid.values[size - third :]
        line = ["low" if values[cell] in low else "high" if values[cell] in high else "middle" for cell in self.cells]
        return all(len(set(some)) == len(some) for first in range(len(line) - 1) for some in [line[first : first + 3]])


def _congruent(one: int, other: int, modulus: int) -> bool:
    return (one - other) % modulus == 0


def _incongruent(one: int, other: int, modulus: int) -> bool:
    return not _congruent(one, other, modulus)


@dataclass(frozen=True)
class ModularLine(LineRule):
    """Any ``modulus`` cells in a row along the line leave different remainders when divided by it; a shorter line, all."""

    kind = "modular-line"
    elsewhere = MappingProxyType({"ISS": "Modular", "f-puzzles": "modularline", "SudokuSolver": "modl"})
    drawn = Line((), colour="#33BBBB")  # a teal line
    modulus: int = 3

    def lower(self, grid: Grid) -> Lowered:
        """Tables: pairs with different remainders for cells less than a modulus apart, with the same one for multiples of it."""
        unlike, alike = (allowed_pairs(test, grid.values, self.modulus) for test in (_incongruent, _congruent))
        return cyclic_tables(part_name("modular line", grid, self.cells), self.cells, self.modulus, unlike, alike)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No remainder comes twice in any window."""
        line = [values[cell] % self.modulus for cell in self.cells]
        windows = (line[first : first + self.modulus] for first in range(len(line)))
        return all(len(set(some)) == len(some) for some in windows)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line without cells, and a modulus below 2."""
        yield from super().problems(grid)
        if self.modulus < 2:  # noqa: PLR2004
            yield f"{self.kind}: expected a modulus of at least 2, got {self.modulus!r:.80}"


@dataclass(frozen=True)
class ParityLine(LineRule):
    """Odd and even values alternate along the line."""

    kind = "parity-line"
    drawn = Line((), colour="#F09090")  # a red line

    def lower(self, grid: Grid) -> Lowered:
        """One table of an odd and an even value for each step of the line."""
        return neighbour_tables("parity line", grid, self.cells, allowed_pairs(_incongruent, grid.values, 2))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Every second cell has one parity, all others the other."""
        odd = [values[cell] % 2 for cell in self.cells]
        return len(set(odd[::2])) <= 1 and len(set(odd[1::2])) <= 1 and odd[:1] != odd[1:2]

"""Rules drawn as lines: how values rise, differ, repeat and alternate along them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb
from operator import eq, le, lt
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Line
from sudoku_cp.model import AllDifferent, DigitSet, Table, Values, to_mask
from sudoku_cp.rules.base import Lowered, part_name
from sudoku_cp.rules.line_helpers import (
    LineRule,
    allowed_pairs,
    cyclic_tables,
    differ_by,
    example_line,
    neighbour_tables,
    repeated_cells,
    too_many_cells,
)
from sudoku_cp.rules.wording import listed, remainder_classes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.wording import RuleWording

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values increase along a thermometer, starting at its bulb."

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values increase or stay the same along a slow thermometer, starting at its bulb."


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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"Neighbouring values along the line differ by at least {self._least(wording.grid)}."

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values on the line are consecutive, in any order, without repeats."

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "No two values on the line are the same or consecutive, wherever on the line they are."

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "The line reads the same in both directions."

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
    """Every three consecutive cells of the line hold a low, a middle and a high value; two cells alone, two of these.

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
        """No group comes twice among any three consecutive cells."""
        size = len(grid.values)
        third = size // 3 + (size % 3 == 2)  # noqa: PLR2004
        low, high = grid.values[:third], grid.values[size - third :]
        line = ["low" if values[cell] in low else "high" if values[cell] in high else "middle" for cell in self.cells]
        return all(len(set(some)) == len(some) for first in range(len(line) - 1) for some in [line[first : first + 3]])

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        values, (low, middle) = wording.grid.values, _entropy_bounds(wording.grid.values)
        sets = (
            [value for value in values if value <= low],
            [value for value in values if low < value <= middle],
            range(middle + 1, values.stop),
        )
        one, two, three = map(wording.signs, sets)
        return f"Any three neighbouring cells along the line hold a low ({one}), a middle ({two}) and a high value ({three})."


def _congruent(one: int, other: int, modulus: int) -> bool:
    return (one - other) % modulus == 0


def _incongruent(one: int, other: int, modulus: int) -> bool:
    return not _congruent(one, other, modulus)


@dataclass(frozen=True)
class ModularLine(LineRule):
    """Any ``modulus`` consecutive cells of the line leave different remainders when divided by it; a shorter line, all."""

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        sets = listed([*map(wording.signs, remainder_classes(wording.grid.values, self.modulus))], "and")
        return f"Any {self.modulus} neighbouring cells along the line hold values of different sets out of these: {sets}."

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Odd and even values alternate along the line."

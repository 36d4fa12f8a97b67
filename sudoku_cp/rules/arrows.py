"""Rules drawn as arrows: sums along shafts."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import RING, Dot, DrawnArrow, Line, Pill
from sudoku_cp.grid import Cell
from sudoku_cp.model import Linear, Values
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.line_helpers import LineRule, equal_sum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.wording import RuleWording

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values along an arrow add up to the value in its circle."

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values along an arrow add up to the number that is written in its pill."

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

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values between the circles at the ends of the line have the same sum as those in the two circles."

    @classmethod
    def example(cls, grid: Grid) -> DoubleArrow:
        """Return a line with two cells between its ends."""
        at = grid.cell_at
        return cls((at[0, 0], at[0, 1], at[1, 2], at[1, 3]))

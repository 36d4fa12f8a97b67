"""Rules about two cells, most of them drawn on the edge between neighbours, and their negatives about all other neighbours.

Neighbours are cells that share an edge. What two cells may hold is a table; `pair_table` caches one for each test, so
every test here is cached too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import gt
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.cosmetics import Chevron, Dot, Mark
from sudoku_cp.model import Values, pair_table
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.descriptions import notes_for
from sudoku_cp.rules.wording import BLACK_DOTS, DOTS, SUMS, listed, with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid

    Test: TypeAlias = Callable[[int, int], bool]
    from sudoku_cp.rules.wording import RuleWording

LETTERS = MappingProxyType({5: "V", 10: "X"})
"""The sums that setters write as Roman numerals."""


# --- tests of two values, each made once and cached -----------------------------------------


@lru_cache(maxsize=256)
def differing_by(differences: tuple[int, ...]) -> Test:
    """Return the test that two values differ by one of ``differences``."""
    return lambda one, other: abs(one - other) in differences


@lru_cache(maxsize=256)
def not_differing_by(differences: tuple[int, ...]) -> Test:
    """Return the test that two values differ by none of ``differences``."""
    return lambda one, other: abs(one - other) not in differences


@lru_cache(maxsize=256)
def _in_ratio(ratio: int) -> Test:
    return lambda one, other: one == ratio * other or other == ratio * one


@lru_cache(maxsize=256)
def _in_no_ratio(ratios: tuple[int, ...]) -> Test:
    return lambda one, other: not any(_in_ratio(ratio)(one, other) for ratio in ratios)


@lru_cache(maxsize=256)
def _adding_up(total: int) -> Test:
    return lambda one, other: one + other == total


@lru_cache(maxsize=256)
def never_adding_up(sums: tuple[int, ...]) -> Test:
    """Return the test that two values add up to none of ``sums``."""
    return lambda one, other: one + other not in sums


# --- pairs of cells ---------------------------------------------------------------------------------------------


def pair_problems(where: str, pairs: Iterable[Cells], noun: str = "cells") -> Iterator[str]:
    """Yield a problem for each of ``pairs`` that is not two different cells."""
    for cells in pairs:
        if len(cells) != 2 or cells[0] == cells[1]:  # noqa: PLR2004
            yield f"{where}: expected two different {noun}, got {list(cells)!r:.80}"


def unmarked_pairs(grid: Grid, exempt: tuple[Cells, ...]) -> Iterator[tuple[Cell, Cell]]:
    """Yield every pair of neighbours except those listed as ``exempt``."""
    marked = set(map(frozenset, exempt))
    return (pair for pair in grid.pairs((0, 1), (1, 0)) if frozenset(pair) not in marked)


def neighbours_of(grid: Grid, cell: Cell) -> list[Cell]:
    """Return the cells that share an edge with ``cell``."""
    row, column = grid.places[cell]
    beside = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [grid.cell_at[place] for place in beside if place in grid.cell_at]


def neighbours_hold(grid: Grid, exempt: tuple[Cells, ...], values: Values, test: Test) -> bool:
    """Return whether ``values`` pass ``test`` wherever two neighbours are not ``exempt``."""
    let_off = {*exempt, *(pair[::-1] for pair in exempt)}
    return all(
        test(values[cell], values[other])
        for cell in grid.cells
        for other in neighbours_of(grid, cell)
        if (cell, other) not in let_off
    )


def _on_the_edge(rule: Rule, sign: Dot | Mark | Chevron, grid: Grid) -> Iterator[Cosmetic]:
    """Yield a sign between cells that share an edge; for others, which no edge identifies, a note."""
    one, other = sign.cells
    yield from [sign] if other in neighbours_of(grid, one) else notes_for(rule, sign.cells, grid)


# --- marks ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference(Rule):
    """The values on both sides of a white (Kropki) dot differ by its number, by 1 where none is written."""

    kind = "difference"
    elsewhere = MappingProxyType(
        {"ISS": "WhiteDot", "f-puzzles": "difference", "SudokuSolver": "difference", "also": "white kropki, consecutive"}
    )
    cells: Cells
    difference: int = 1

    def lower(self, grid: Grid) -> Lowered:
        """The table of pairs with that difference."""
        one, other = self.cells
        yield part_name("white dot", grid, self.cells), pair_table(one, other, grid.values, differing_by((self.difference,)))

    def holds(self, grid: Grid, values: Values) -> bool:
        """The larger value less the smaller one is the number."""
        low, high = sorted(values[cell] for cell in self.cells)
        return high - low == self.difference

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        if self.difference == 1:
            return "Values on either side of a white dot are consecutive."
        return "Values on either side of a white dot with a number differ by that number."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find anything but two cells, and a negative difference."""
        yield from pair_problems(f"{self.kind}, cells", [self.cells])
        if self.difference < 0:
            yield f"{self.kind}, difference: expected 0 or more, got {self.difference!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The dot, with its number unless that is 1."""
        yield from _on_the_edge(self, Dot(self.cells, "" if self.difference == 1 else str(self.difference)), grid)

    @classmethod
    def example(cls, grid: Grid) -> Difference:
        """Return a dot between the first two cells."""
        return cls((grid.cell_at[0, 0], grid.cell_at[0, 1]))


@dataclass(frozen=True)
class Ratio(Rule):
    """Of the two values at a black (Kropki) dot, one is the other times the dot's number, or twice the other if it has none.

    So both values may be 0, but not one alone.
    """

    kind = "ratio"
    elsewhere = MappingProxyType({"ISS": "BlackDot", "f-puzzles": "ratio", "SudokuSolver": "ratio", "also": "black kropki"})
    cells: Cells
    ratio: int = 2

    def lower(self, grid: Grid) -> Lowered:
        """The table of pairs in that ratio."""
        one, other = self.cells
        yield part_name("black dot", grid, self.cells), pair_table(one, other, grid.values, _in_ratio(self.ratio))

    def holds(self, grid: Grid, values: Values) -> bool:
        """The larger value is the smaller one times the number."""
        low, high = sorted(values[cell] for cell in self.cells)
        return high == low * self.ratio

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        if self.ratio == 2:  # noqa: PLR2004  # as the dot of Kropki has it
            return "Of the values on either side of a black dot, one is twice the other."
        return "Of the values on either side of a black dot with a number, one is that number times the other."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find anything but two cells, and a ratio below 1."""
        yield from pair_problems(f"{self.kind}, cells", [self.cells])
        if self.ratio < 1:
            yield f"{self.kind}, ratio: expected 1 or more, got {self.ratio!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The dot, with its number unless that is 2."""
        yield from _on_the_edge(self, Dot(self.cells, "" if self.ratio == 2 else str(self.ratio), filled=True), grid)  # noqa: PLR2004

    @classmethod
    def example(cls, grid: Grid) -> Ratio:
        """Return a dot between the second and the third cell of the first row."""
        return cls((grid.cell_at[0, 1], grid.cell_at[0, 2]))


@dataclass(frozen=True)
class PairSum(Rule):
    """The values on both sides of a mark add up to it: 10 at an X, 5 at a V."""

    kind = "pair-sum"
    elsewhere = MappingProxyType({"ISS": "X, V", "f-puzzles": "xv", "SudokuSolver": "sum", "also": "XV"})
    cells: Cells
    total: int

    def lower(self, grid: Grid) -> Lowered:
        """The table of pairs with that sum."""
        one, other = self.cells
        yield part_name("sum", grid, self.cells), pair_table(one, other, grid.values, _adding_up(self.total))

    def holds(self, grid: Grid, values: Values) -> bool:
        """The sum is right."""
        return sum(values[cell] for cell in self.cells) == self.total

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        if sign := LETTERS.get(self.total):
            return f"Values on either side of {with_article(sign)} add up to {self.total}."
        return "Values on either side of a number add up to it."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find anything but two cells."""
        yield from pair_problems(f"{self.kind}, cells", [self.cells])

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The letter, or the number where it has none."""
        yield from _on_the_edge(self, Mark(self.cells, LETTERS.get(self.total, str(self.total))), grid)

    @classmethod
    def example(cls, grid: Grid) -> PairSum:
        """Return a V between two cells, one above the other."""
        return cls((grid.cell_at[0, 0], grid.cell_at[1, 0]), 5)


@dataclass(frozen=True)
class Inequality(Rule):
    """The first cell's value is greater than the second's, to which the sign on their edge points."""

    kind = "inequality"
    elsewhere = MappingProxyType({"ISS": "GreaterThan", "also": "comparison, futoshiki"})
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """The table of falling pairs."""
        one, other = self.cells
        yield part_name("greater", grid, self.cells), pair_table(one, other, grid.values, gt)

    def holds(self, grid: Grid, values: Values) -> bool:
        """The first is greater."""
        greater, smaller = self.cells
        return values[greater] > values[smaller]

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "The sign between two cells points at the smaller value."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find anything but two cells."""
        yield from pair_problems(f"{self.kind}, cells", [self.cells])

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The sign."""
        greater, smaller = self.cells
        yield from _on_the_edge(self, Chevron((greater, smaller)), grid)

    @classmethod
    def example(cls, grid: Grid) -> Inequality:
        """Return a sign between the first two cells."""
        return cls((grid.cell_at[0, 0], grid.cell_at[0, 1]))


# --- what neighbours without a mark may not do ------------------------------------------------------------------


@dataclass(frozen=True)
class NegativeDifference(Rule):
    """Neighbours never differ by one of the differences, unless a dot between them lets them off (they are ``exempt``)."""

    kind = "negative-difference"
    stated = frozenset({"exempt"})
    elsewhere = MappingProxyType({"ISS": "StrictKropki", "f-puzzles": "negative", "SudokuSolver": "difference:neg1"})
    differences: tuple[int, ...] = (1,)
    exempt: tuple[Cells, ...] = ()

    def lower(self, grid: Grid) -> Lowered:
        """One table for each two neighbours without a dot."""
        for pair in unmarked_pairs(grid, self.exempt):
            yield part_name("no dot", grid, pair), pair_table(*pair, grid.values, not_differing_by(self.differences))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No neighbours without a dot could have one."""
        return neighbours_hold(
            grid, self.exempt, values, lambda one, other: max(one, other) - min(one, other) not in self.differences
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        differences = listed([*map(str, self.differences)])
        return f"Values in neighbouring cells never differ by {differences}{wording.exceptions(self.exempt, DOTS)}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find pairs that are not two cells."""
        yield from pair_problems(f"{self.kind}, exempt", self.exempt)

    @classmethod
    def example(cls, grid: Grid) -> NegativeDifference:
        """Return the rule for differences of 1 and 2, with the first two cells let off."""
        return cls((1, 2), ((grid.cell_at[0, 0], grid.cell_at[0, 1]),))


@dataclass(frozen=True)
class NegativeRatio(Rule):
    """Neighbours are never in one of the ratios, unless a dot between them lets them off (they are ``exempt``)."""

    kind = "negative-ratio"
    stated = frozenset({"exempt"})
    elsewhere = MappingProxyType({"ISS": "StrictKropki", "f-puzzles": "negative", "SudokuSolver": "ratio:neg2"})
    ratios: tuple[int, ...] = (2,)
    exempt: tuple[Cells, ...] = ()

    def lower(self, grid: Grid) -> Lowered:
        """One table for each two neighbours without a dot."""
        for pair in unmarked_pairs(grid, self.exempt):
            yield part_name("no dot", grid, pair), pair_table(*pair, grid.values, _in_no_ratio(self.ratios))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No neighbours without a dot could have one."""
        return neighbours_hold(
            grid,
            self.exempt,
            values,
            lambda one, other: all(max(one, other) != ratio * min(one, other) for ratio in self.ratios),
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        times = ("twice" if ratio == 2 else f"{ratio} times" for ratio in self.ratios)  # noqa: PLR2004
        return f"In neighbouring cells, no value is {listed([*times])} the other{wording.exceptions(self.exempt, BLACK_DOTS)}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find pairs that are not two cells, and ratios below 1."""
        yield from pair_problems(f"{self.kind}, exempt", self.exempt)
        if min(self.ratios, default=1) < 1:
            yield f"{self.kind}, ratios: expected numbers of 1 or more, got {list(self.ratios)!r:.80}"

    @classmethod
    def example(cls, grid: Grid) -> NegativeRatio:
        """Return the rule for twice and three times, with two cells of the first row let off."""
        return cls((2, 3), ((grid.cell_at[0, 1], grid.cell_at[0, 2]),))


@dataclass(frozen=True)
class NegativeSum(Rule):
    """Neighbours never add up to one of the sums, unless a mark between them lets them off (they are ``exempt``)."""

    kind = "negative-sum"
    stated = frozenset({"exempt"})
    elsewhere = MappingProxyType({"ISS": "StrictXV", "f-puzzles": "negative", "SudokuSolver": "sum:neg5;neg10"})
    sums: tuple[int, ...] = (5, 10)
    exempt: tuple[Cells, ...] = ()

    def lower(self, grid: Grid) -> Lowered:
        """One table for each two neighbours without a mark."""
        for pair in unmarked_pairs(grid, self.exempt):
            yield part_name("no mark", grid, pair), pair_table(*pair, grid.values, never_adding_up(self.sums))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No neighbours without a mark could have one."""
        return neighbours_hold(grid, self.exempt, values, lambda one, other: all(one + other != total for total in self.sums))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        sums = listed([*map(str, self.sums)])
        return f"Values in neighbouring cells never add up to {sums}{wording.exceptions(self.exempt, SUMS)}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find pairs that are not two cells."""
        yield from pair_problems(f"{self.kind}, exempt", self.exempt)

    @classmethod
    def example(cls, grid: Grid) -> NegativeSum:
        """Return the rule for X and V, with two cells, one above the other, let off."""
        return cls(exempt=((grid.cell_at[0, 0], grid.cell_at[1, 0]),))

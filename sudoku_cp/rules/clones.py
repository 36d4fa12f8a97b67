"""Rules about groups of cells that are alike: in their values one by one, in the set of them, or in their sum."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, pairwise
from operator import eq
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Note, Shade
from sudoku_cp.model import Table, Values
from sudoku_cp.rules.automata import make_automaton
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.line_helpers import allowed_pairs, equal_sum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.automata import AutomatonTemplate
    from sudoku_cp.rules.wording import RuleWording

COLOURS = ("#D8D8D8", "#C9E4F9", "#F9E4C9", "#D4F0C9", "#E9C9F9")
"""The shades of groups."""

FEW = 5
"""Up to this many groups, every pair is compared; of more, each with the first and the one before."""


def _surplus(group: Cells, other: Cells) -> tuple[Cells, Cells]:
    """Return the cells of each group that the other lacks, with multiplicity."""
    one, two = Counter(group), Counter(other)
    return tuple((one - two).elements()), tuple((two - one).elements())


def _size_problems(rule: Rule, groups: tuple[Cells, ...]) -> Iterator[str]:
    if len({len(group) for group in groups}) > 1:
        yield f"{rule.kind}: expected groups of the same size, got {', '.join(str(len(group)) for group in groups)} cells"


def _group_cosmetics(words: str, groups: tuple[Cells, ...], grid: Grid) -> Iterator[Cosmetic]:
    """Yield a shade over each group; whole houses, and more groups than there are shades, are described in the legend."""
    names = [house_name(group, grid) for group in groups]
    if any(names) or len(groups) > len(COLOURS):
        listed = ", ".join(name or " ".join(map(grid.cell_name, group)) for name, group in zip(names, groups, strict=True))
        yield Note(tuple(dict.fromkeys(chain.from_iterable(groups))), f"{words}: {listed}")
    else:
        yield from (Shade(group, colour, group=True) for group, colour in zip(groups, COLOURS, strict=False) if group)


def house_name(group: Cells, grid: Grid) -> str | None:
    """Return the name of the row, column, region or whole diagonal that a group is, or None."""
    if len(set(group)) < len(group):
        return None
    cells = {*group}
    corner, opposite = grid.cell_name(min(group, default=0)), grid.cell_name(max(group, default=0))
    part_name = {frozenset(house): name for name, house in grid.houses.items()}
    return part_name.get(frozenset(cells)) or (f"diagonal {corner} to {opposite}" if _is_diagonal(cells, grid) else None)


def _is_diagonal(cells: set[Cell], grid: Grid) -> bool:
    """Return whether these are all cells on one diagonal, from one border of the grid to the other."""
    places = sorted(grid.places[cell] for cell in cells)
    if len(places) < 2:  # noqa: PLR2004
        return False
    step = 1 if places[1][1] > places[0][1] else -1
    (row, column), last = places[0], places[-1]
    straight = [(row + far, column + step * far) for far in range(len(places))]
    beyond = ((row - 1, column - step), (last[0] + 1, last[1] + step))
    return places == straight and not any(place in grid.cell_at for place in beyond)


def _example_pairs(grid: Grid) -> tuple[Cells, Cells]:
    """Return two cells in the top-left corner, and two that do not see them on a plain 4x4 board."""
    at = grid.cell_at
    return (at[0, 0], at[1, 0]), (at[2, 2], at[3, 2])


@dataclass(frozen=True)
class Clone(Rule):
    """Each copy holds the same values as the cells, in the same order."""

    kind = "clone"
    elsewhere = MappingProxyType({"ISS": "SameValues", "f-puzzles": "clone", "SudokuSolver": "clone"})
    cells: Cells
    copies: tuple[Cells, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One table of equal pairs for each cell of each copy."""
        for copy in self.copies:
            for pair in zip(self.cells, copy, strict=False):
                if pair[0] != pair[1]:
                    yield part_name("clone", grid, pair), Table(pair, allowed_pairs(eq, grid.values))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Read the cells and each copy."""
        read = [values[cell] for cell in self.cells]
        return all([values[cell] for cell in copy] == read for copy in self.copies)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Shaded groups with the same label hold the same values in the same places."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find copies that are shorter or longer."""
        yield from _size_problems(self, (self.cells, *self.copies))

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The same shade over all of them."""
        for group in (self.cells, *self.copies):
            if group:
                yield Shade(group, group=True)

    @classmethod
    def example(cls, grid: Grid) -> Clone:
        """Return two cells and their copy."""
        cells, copy = _example_pairs(grid)
        return cls(cells, (copy,))


@lru_cache(maxsize=1024)
def _balance_automaton(values: range, counted: int, size: int) -> AutomatonTemplate:
    """Return the automaton that reads two groups of ``size`` cells in turn and accepts if both hold ``counted`` equally often."""

    def step(state: tuple[int, bool], value: int) -> tuple[int, bool] | None:
        surplus, second = state
        surplus += (-1 if second else 1) * (value == counted)
        return (surplus, not second) if abs(surplus) <= size else None

    return make_automaton((0, False), step, lambda state: state == (0, False), values)


@dataclass(frozen=True)
class SameValueSets(Rule):
    """The groups, all of the same size, hold the same values, each as often as in the others."""

    kind = "same-value-sets"
    elsewhere = MappingProxyType({"ISS": "SameValues"})
    groups: tuple[Cells, ...]

    def lower(self, grid: Grid) -> Lowered:
        """For each group and the next, one automaton per value, and the equal sums, which are redundant but help."""
        for one, two in pairwise(self.groups):
            first, second = _surplus(one, two)
            if not first:
                continue
            part = part_name("same values", grid, first + second)
            if len(first) == 1:
                yield part, Table(first + second, allowed_pairs(eq, grid.values))
                continue
            yield part, equal_sum(first, second)
            turns = tuple(chain.from_iterable(zip(first, second, strict=False)))
            for value in grid.values:
                yield part, _balance_automaton(grid.values, value, len(first)).on_cells(turns)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Sort the values of each group."""
        return len({tuple(sorted(values[cell] for cell in group)) for group in self.groups}) <= 1

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Shaded groups with the same label hold the same values, in any order."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find groups of different sizes."""
        yield from _size_problems(self, self.groups)

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over each group, or words for the legend."""
        yield from _group_cosmetics("the same values", self.groups, grid)

    @classmethod
    def example(cls, grid: Grid) -> SameValueSets:
        """Return two groups of two cells."""
        return cls(_example_pairs(grid))


@dataclass(frozen=True)
class EqualSums(Rule):
    """The values of each group add up to the same."""

    kind = "equal-sums"
    elsewhere = MappingProxyType({"ISS": "EqualSum"})
    groups: tuple[Cells, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One equation for each pair of a few groups; of many, for each with the first and with the one before."""
        near = combinations(self.groups, 2)
        far = (pair for group, after in pairwise(self.groups) for pair in ((self.groups[0], after), (group, after)))
        for one, two in near if len(self.groups) <= FEW else far:
            first, second = _surplus(one, two)
            yield part_name("equal sums", grid, first + second), equal_sum(first, second)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Add up each group."""
        return len({sum(values[cell] for cell in group) for group in self.groups}) <= 1

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Shaded groups with the same label have the same sum."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over each group, or words for the legend."""
        yield from _group_cosmetics("equal sums", self.groups, grid)

    @classmethod
    def example(cls, grid: Grid) -> EqualSums:
        """Return a group of two cells and one of three."""
        one, two = _example_pairs(grid)
        return cls((one, (*two, grid.cell_at[2, 3])))

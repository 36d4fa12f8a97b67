"""What families share: what they look at, what a family is made of, and how clues come in pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.generate.variants.proposals import Proposal, half_turn

if TYPE_CHECKING:
    from random import Random

    from sudoku_cp.backends import Solution
    from sudoku_cp.generate.variants.proposals import Spot, Style
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells

ONE_PER_BOARD = inf
"""Cells to a clue of a family that a board has one clue of."""


@dataclass(frozen=True)
class FinderContext:
    """What a family looks at: a solution, with chance to choose by and a style to choose in."""

    random: Random
    grid: Grid
    values: Solution
    style: Style

    @cached_property
    def opposite(self) -> Mapping[Cell, Cell]:
        """Where each cell comes to after half a turn, where the style asks for that; nothing for a grid that does not fit."""
        return (half_turn(self.grid) or {}) if self.style.symmetric else {}

    @cached_property
    def views(self) -> tuple[Solution, ...]:
        """The solution, and in a symmetric style also the solution after half a turn: a clue is to hold in all of them."""
        turned = self.opposite
        return (self.values, tuple(self.values[turned[cell]] for cell in self.grid.cells)) if turned else (self.values,)

    def images(self, cells: Cells) -> tuple[Cells, ...]:
        """Return the cells, and in a symmetric style also where they come to after half a turn."""
        return (cells, tuple(map(self.opposite.__getitem__, cells))) if self.opposite else (cells,)

    def own(self, cells: Cells) -> bool:
        """Say whether the cells, in a symmetric style, keep clear of where they come to."""
        return not self.opposite or not any(self.opposite[cell] in cells for cell in cells)

    def length(self, least: int) -> int:
        """Return a length for a line: 3 to 7 on the usual board, a little more on a larger one."""
        usual = (2 + sqrt(len(self.grid.values))) * self.style.size
        return max(least, round(self.random.uniform(usual - 2.4, usual + 2.4)))


Finder: TypeAlias = Callable[[FinderContext], Iterable[Proposal]]


@dataclass(frozen=True)
class FinderFamily:
    """A family as data: ``find`` proposes its clues; a pretty board has at the most one of them to ``each`` so many cells.

    ``short`` are further names that people give it, in the singular.
    """

    name: str
    short: tuple[str, ...]
    find: Finder
    each: float = 7.0

    @property
    def words(self) -> tuple[str, ...]:
        """The further names, and all names in the plural."""
        names = (self.name, *self.short)
        return (*self.short, *(name + ("es" if name.endswith("ch") else "s") for name in names))

    def propose(self, random: Random, grid: Grid, solution: Solution, style: Style) -> list[Proposal]:
        """Return distinct clues that hold for the solution; in a symmetric style those whose image holds too, with it."""
        return in_style(grid, self.find(FinderContext(random, grid, tuple(solution), style)), style)

    def most(self, grid: Grid) -> int:
        """Return how many proposals of it a pretty board has at the most."""
        return max(1, round(len(grid.cells) / self.each))


def in_style(grid: Grid, proposals: Iterable[Proposal], style: Style) -> list[Proposal]:
    """Return the proposals as the style has them: each once, in a symmetric one with its image or not at all."""
    found = dict.fromkeys(proposals)
    return _pair_images(grid, found) if style.symmetric else list(found)


# --- half a turn ------------------------------------------------------------------------------------------------

_SHIFTS: Mapping[str, tuple[int, int]] = {"corner": (1, 1), "right": (0, 1), "below": (1, 0)}
"""How far a spot reaches beyond the cell that names it."""


def _turn_spots(grid: Grid, spots: frozenset[Spot]) -> frozenset[Spot]:
    last_row = max(row for row, _ in grid.places)
    last_column = max(column for _, column in grid.places)
    found = set()
    for layer, row, column in spots:
        down, right = _SHIFTS.get(layer, (0, 0))
        found.add((layer, last_row - down - row, last_column - right - column))
    return frozenset(found)


def _pair_images(grid: Grid, proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return each proposal with its image, once; without those whose image nobody proposes or that touch it."""
    at = {proposal.spots: proposal for proposal in proposals}
    found = []
    while at:
        spots, proposal = at.popitem()
        image = _turn_spots(grid, spots)
        if image == spots:
            found.append(proposal)
        elif image in at and not image & spots:
            other = at.pop(image)
            found.append(Proposal(proposal.rules + other.rules, proposal.cost + other.cost, spots | image))
    return found[::-1]

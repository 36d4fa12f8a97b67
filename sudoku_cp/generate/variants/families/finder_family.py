"""What all families share: the context in which they find clues, a family as data, and symmetric pairs of clues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.generate.variants.proposals import Proposal, Spot, Style, half_turn

if TYPE_CHECKING:
    from random import Random

    from sudoku_cp.backends import Solution
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells

ONE_PER_BOARD = inf
"""Cells per clue for a family of which a board has one clue."""


@dataclass(frozen=True)
class FinderContext:
    """What a family finds clues in: the ``values`` of a solution, a random stream and a style."""

    random: Random
    grid: Grid
    values: Solution
    style: Style

    @cached_property
    def opposite(self) -> Mapping[Cell, Cell]:
        """The image of each cell under half a turn in a symmetric style; empty otherwise, and for grids that do not allow it."""
        return (half_turn(self.grid) or {}) if self.style.symmetric else {}

    @cached_property
    def views(self) -> tuple[Solution, ...]:
        """The solution, and in a symmetric style also its image: a clue must hold in all of them."""
        turned = self.opposite
        return (self.values, tuple(self.values[turned[cell]] for cell in self.grid.cells)) if turned else (self.values,)

    def images(self, cells: Cells) -> tuple[Cells, ...]:
        """Return the cells, and in a symmetric style also their image."""
        return (cells, tuple(map(self.opposite.__getitem__, cells))) if self.opposite else (cells,)

    def is_clear_of_image(self, cells: Cells) -> bool:
        """Return whether the cells do not overlap their image; always true unless the style is symmetric."""
        return not self.opposite or not any(self.opposite[cell] in cells for cell in cells)

    def length(self, least: int) -> int:
        """Return a random length for a line: 3 to 7 on a 9x9 board, a little more on larger ones."""
        usual = (2 + sqrt(len(self.grid.values))) * self.style.size
        return max(least, round(self.random.uniform(usual - 2.4, usual + 2.4)))


Finder: TypeAlias = Callable[[FinderContext], Iterable[Proposal]]
Tile: TypeAlias = "Callable[[FinderContext, Iterable[Cell]], Iterable[Proposal]]"
"""Covers these cells (a whole board, or a few neighbours) with clues that, if possible, do not overlap."""


@dataclass(frozen=True)
class FinderFamily:
    """A family as data: ``find`` proposes its clues; a pretty board has at most one of them per ``cells_per_clue`` cells.

    ``name`` is the kind of the rule, or a name of its own where it has several kinds; ``aliases`` are further names that people
    use, in the singular. Clues that can cover a board do so by ``tile``.
    """

    name: str
    aliases: tuple[str, ...]
    find: Finder
    cells_per_clue: float = 7.0
    tile: Tile | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The aliases, and all names in the plural."""
        names = (self.name, *self.aliases)
        return (*self.aliases, *(name + ("es" if name.endswith("ch") else "s") for name in names))

    def propose(self, random: Random, grid: Grid, solution: Solution, style: Style) -> list[Proposal]:
        """Return distinct clues that hold for the solution, reproducible by ``random``; none where the grid does not suit them.

        They may overlap, and should be enough for several boards. In a symmetric style they are pairs of a clue and its image.
        """
        return in_style(grid, self.find(FinderContext(random, grid, tuple(solution), style)), style)

    def most(self, grid: Grid) -> int:
        """Return how many of its proposals a pretty board has at most."""
        return max(1, round(len(grid.cells) / self.cells_per_clue))


def in_style(grid: Grid, proposals: Iterable[Proposal], style: Style) -> list[Proposal]:
    """Return the distinct proposals; in a symmetric style each with its image, or not at all."""
    found = dict.fromkeys(proposals)
    return _pair_images(grid, found) if style.symmetric else list(found)


# --- half a turn ------------------------------------------------------------------------------------------------

_SHIFTS: Mapping[str, tuple[int, int]] = {"corner": (1, 1), "right": (0, 1), "below": (1, 0)}
"""How far a spot extends beyond the cell that names it."""


def _turn_spots(grid: Grid, spots: frozenset[Spot]) -> frozenset[Spot]:
    last_row, last_column = map(max, zip(*grid.places, strict=True))
    shifts = ((spot, _SHIFTS.get(spot[0], (0, 0))) for spot in spots)
    return frozenset(
        (layer, last_row - down - row, last_column - right - column) for (layer, row, column), (down, right) in shifts
    )


def _pair_images(grid: Grid, proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return each proposal combined with its image, once; drop those whose image was not proposed or overlaps them."""
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

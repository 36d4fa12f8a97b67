"""What all families share: the context in which they find clues, a family as data, and symmetric groups of clues."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.generate.variants.proposals import Proposal, Style, move_cells, move_spot
from sudoku_cp.puzzle.pattern_symmetry import symmetry_moves

if TYPE_CHECKING:
    from random import Random

    from sudoku_cp.backends import Solution
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells

ONE_PER_BOARD = inf
"""Cells per clue for a family of which a board has one clue."""


@dataclass(frozen=True)
class FinderContext:
    """What a family finds clues in: the ``values`` of a solution, a random stream, a style and the symmetry of all clues.

    Drafts are found without a solution; then ``values`` is empty. Lines have ``line_length`` cells if that is given.
    """

    random: Random
    grid: Grid
    values: Solution
    style: Style
    symmetry: str = "none"
    line_length: int | None = None

    @cached_property
    def moves(self) -> tuple[Cells, ...]:
        """The image of each cell under every move of the symmetry."""
        return tuple(move_cells(self.grid, move) for move in symmetry_moves(self.grid, self.symmetry))

    @cached_property
    def views(self) -> tuple[Solution, ...]:
        """The solution and its images: a clue must hold in all of them."""
        return (self.values, *(tuple(self.values[move[cell]] for cell in self.grid.cells) for move in self.moves))

    def images(self, cells: Cells) -> tuple[Cells, ...]:
        """Return the cells and their images, each set of cells once."""
        return tuple({frozenset(image): image for image in (*self._moved(cells), cells)}.values())[::-1]

    def is_clear_of_image(self, cells: Cells) -> bool:
        """Return whether the cells do not overlap their images."""
        return not any(move[cell] in cells for move in self.moves for cell in cells)

    def is_moved_onto_itself(self, cells: Cells) -> bool:
        """Return whether an image has the same cells in another order."""
        return any(image != cells and set(image) == set(cells) for image in self._moved(cells))

    def _moved(self, cells: Cells) -> list[Cells]:
        return [tuple(move[cell] for cell in cells) for move in self.moves]

    def length(self, least: int) -> int:
        """Return a random length for a line: 3 to 7 on a 9x9 board, a little more on larger ones."""
        if self.line_length is not None:
            return max(least, self.line_length)
        usual = (2 + sqrt(len(self.grid.values))) * self.style.size
        return max(least, round(self.random.uniform(usual - 2.4, usual + 2.4)))


Finder: TypeAlias = Callable[[FinderContext], Iterable[Proposal]]
Tile: TypeAlias = "Callable[[FinderContext, Iterable[Cell]], Iterable[Proposal]]"
"""Covers these cells (a whole board, or a few neighbours) with clues that, if possible, do not overlap."""


@dataclass(frozen=True)
class FinderFamily:
    """A family as data: ``find`` proposes its clues; a pretty board has at most one of them per ``cells_per_clue`` cells.

    ``name`` is the kind of the rule, or a name of its own where it has several kinds; ``aliases`` are further names that people
    use, in the singular. Clues that can cover a board do so by ``tile``. ``draft`` finds clues for which a solution can be
    made later: rules that hold for it, or that say that one of several clues does.
    """

    name: str
    aliases: tuple[str, ...]
    find: Finder
    cells_per_clue: float = 7.0
    tile: Tile | None = None
    draft: Finder | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The aliases, and all names in the plural."""
        names = (self.name, *self.aliases)
        return (*self.aliases, *(name + ("es" if name.endswith("ch") else "s") for name in names))

    def propose(self, random: Random, grid: Grid, solution: Solution, style: Style, symmetry: str = "none") -> list[Proposal]:
        """Return distinct clues that hold for the solution, reproducible by ``random``; none where the grid does not suit them.

        They may overlap, and should be enough for several boards. With a symmetry each is a clue with all its images.
        """
        context = FinderContext(random, grid, tuple(solution), style, symmetry)
        return join_images(context, self.find(context))

    def most(self, grid: Grid) -> int:
        """Return how many of its proposals a pretty board has at most."""
        return max(1, round(len(grid.cells) / self.cells_per_clue))


def join_images(context: FinderContext, proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return the distinct proposals; with a symmetry each joined with its images.

    Those of which an image was not proposed, or overlaps another, are left out.
    """
    distinct = dict.fromkeys(proposals)
    moves = symmetry_moves(context.grid, context.symmetry)
    if not moves:
        return list(distinct)
    at = {proposal.spots: proposal for proposal in distinct}
    found = []
    while at:
        spots, proposal = at.popitem()
        images = {spots, *(frozenset(move_spot(spot, move) for spot in spots) for move in moves)}
        others = [at.pop(image) for image in sorted(images - {spots}, key=sorted) if image in at]
        together = [proposal, *others]
        taken = spots.union(*images)
        if len(together) == len(images) and len(taken) == sum(map(len, images)):
            rules = tuple(rule for one in together for rule in one.rules)
            found.append(Proposal(rules, sum(one.cost for one in together), taken, len(together)))
    return found[::-1]

"""Clues that are cages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.generate.variants.families.area_cover import can_share_cage, cover_with_areas
from sudoku_cp.generate.variants.families.finder_family import FinderContext, FinderFamily, in_style
from sudoku_cp.generate.variants.families.random_areas import excess_outline, random_area
from sudoku_cp.generate.variants.families.random_paths import start_cells
from sudoku_cp.generate.variants.proposals import Proposal, spots_of_cells
from sudoku_cp.rules.base import Cells, Rule
from sudoku_cp.rules.cages import DigitalRootCage, EqualityCage, KillerCage, RellikCage

if TYPE_CHECKING:
    from random import Random

    from sudoku_cp.backends import Solution
    from sudoku_cp.generate.variants.proposals import Style
    from sudoku_cp.grid import Cell, Grid

MakeCageRule: TypeAlias = Callable[[FinderContext, Cells], "Rule | None"]
"""Returns the clue for a cage; None where there is none."""

CAGES = 1.3
"""Cages looked for, to a cell."""
EXCESS_COST = 0.12
"""What every edge costs that a more compact cage has not."""
ROOT = 9
MANY = 12
"""More values than these are many."""


def _cage_size(sight: FinderContext) -> int:
    """Return a number of cells for a cage: 2 to 5 on the usual board, 3 as a rule; fewer on a smaller one, and on a larger one.

    The more values there are, the less a sum says.
    """
    values = len(sight.grid.values)
    usual = sight.style.size * (min(1, (2 + sqrt(values)) / 5) if values <= MANY else 0.8)
    return max(2, min(len(sight.grid.values), round(usual * sight.random.triangular(1.5, 5.4, 2.8))))


def _propose_cage(sight: FinderContext, cells: Cells, draw: MakeCageRule) -> Iterator[Proposal]:
    rule = draw(sight, cells)
    if rule is not None:
        yield Proposal((rule,), 1 + EXCESS_COST * excess_outline(sight.grid, cells), spots_of_cells("cage", sight.grid, cells))


@dataclass(frozen=True)
class CageFinder:
    """Finds the cages of a family: areas in which no value comes twice, with what ``draw`` says of them."""

    draw: MakeCageRule

    def __call__(self, sight: FinderContext) -> Iterator[Proposal]:
        """Yield the cages that are found, and in a symmetric style their images."""
        for start in start_cells(sight.random, sight.grid, round(CAGES * len(sight.grid.cells))):
            cells = random_area(
                sight.random, sight.grid, start, _cage_size(sight), lambda inside, cell: can_share_cage(sight, [*inside, cell])
            )
            if len(cells) > 1:
                for image in sight.images(cells):
                    yield from _propose_cage(sight, tuple(sorted(image)), self.draw)


# --- killer cages, which can cover a board ----------------------------------------------------------------------


def _killer(sight: FinderContext, cells: Cells) -> Rule:
    return KillerCage(cells, sum(sight.values[cell] for cell in cells))


@dataclass(frozen=True)
class KillerFamily(FinderFamily):
    """Killer cages, which can cover a board."""

    def cover(self, random: Random, grid: Grid, solution: Solution, style: Style, cells: Iterable[Cell]) -> list[Proposal]:
        """Return cages, none overlapping, of two of these cells or more; a cell is left out only where no cage can have it."""
        sight = FinderContext(random, grid, tuple(solution), style)
        found = (
            cage
            for one in cover_with_areas(sight, cells, lambda: _cage_size(sight))
            for cage in _propose_cage(sight, one, _killer)
        )
        return in_style(grid, found, style)


# --- cages that say something else ------------------------------------------------------------------------------


def _rellik(sight: FinderContext, cells: Cells) -> Rule | None:
    sums = 1
    for cell in cells:
        sums |= sums << sight.values[cell]
    # The larger the total, the fewer sets of values come to it, and the less it says.
    never = [total for total in range(1, sum(sight.values[cell] for cell in cells)) if not sums >> total & 1]
    return RellikCage(cells, sight.random.choice(never)) if never else None


def _equality(sight: FinderContext, cells: Cells) -> Rule | None:
    rule = EqualityCage(cells)
    return rule if rule.holds(sight.grid, sight.values) else None


def _root(sight: FinderContext, cells: Cells) -> Rule | None:
    total = sum(sight.values[cell] for cell in cells)
    return DigitalRootCage(cells, (total - 1) % ROOT + 1 if total else 0)


CAGE_FAMILIES = (
    KillerFamily("killer-cage", ("killer", "cage"), CageFinder(_killer), 4),
    FinderFamily("rellik-cage", ("rellik",), CageFinder(_rellik)),
    FinderFamily("equality-cage", ("equality",), CageFinder(_equality), 10),
    FinderFamily("digital-root-cage", ("digital-root",), CageFinder(_root), 5),
)

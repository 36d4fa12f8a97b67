"""Clues that are cages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.generate.variants.families.finder_family import Finder, FinderContext, FinderFamily
from sudoku_cp.generate.variants.families.random_areas import can_share_cage, cover_with_areas, excess_outline, random_area
from sudoku_cp.generate.variants.families.random_paths import start_cells
from sudoku_cp.generate.variants.proposals import Proposal, spots_of_cells
from sudoku_cp.rules.base import Cells, Rule
from sudoku_cp.rules.cages import DigitalRootCage, EqualityCage, KillerCage, RellikCage

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell

MakeCageRule: TypeAlias = Callable[[FinderContext, Cells], "Rule | None"]
"""Returns the rule for a cage; None where there is none."""

CAGES = 1.3
"""Searches for cages per cell."""
EXCESS_COST = 0.12
"""The cost of each inner edge that a more compact cage would have."""
ROOT = 9
MANY = 12
"""Above this number of values cages become smaller."""


def _cage_size(context: FinderContext) -> int:
    """Return a random number of cells for a cage: 2 to 5 on a 9x9 board, mostly 3; fewer on smaller and on larger boards.

    The more values there are, the less a sum says.
    """
    values = len(context.grid.values)
    usual = context.style.size * (min(1, (2 + sqrt(values)) / 5) if values <= MANY else 0.8)
    return max(2, min(len(context.grid.values), round(usual * context.random.triangular(1.5, 5.4, 2.8))))


def _propose_cage(context: FinderContext, cells: Cells, draw: MakeCageRule) -> Iterator[Proposal]:
    rule = draw(context, cells)
    if rule is not None:
        yield Proposal(
            (rule,), 1 + EXCESS_COST * excess_outline(context.grid, cells), spots_of_cells("cage", context.grid, cells)
        )


def _cage_finder(draw: MakeCageRule) -> Finder:
    """Return a finder of areas without repeated values and, in a symmetric style, their images; ``draw`` makes the rules."""

    def find(context: FinderContext) -> Iterator[Proposal]:
        random, grid = context.random, context.grid
        for start in start_cells(random, grid, round(CAGES * len(grid.cells))):
            cells = random_area(
                random, grid, start, _cage_size(context), lambda inside, cell: can_share_cage(context, [*inside, cell])
            )
            if len(cells) > 1:
                for image in context.images(cells):
                    yield from _propose_cage(context, tuple(sorted(image)), draw)

    return find


# --- killer cages, which can cover a board ----------------------------------------------------------------------


def _killer(context: FinderContext, cells: Cells) -> Rule:
    return KillerCage(cells, sum(context.values[cell] for cell in cells))


def _killer_tiles(context: FinderContext, cells: Iterable[Cell]) -> Iterator[Proposal]:
    """Yield cages without overlaps that cover these cells; a cell is left out only where no cage can take it."""
    for area in cover_with_areas(context, cells, lambda: _cage_size(context)):
        yield from _propose_cage(context, area, _killer)


# --- cages that say something else ------------------------------------------------------------------------------


def _rellik(context: FinderContext, cells: Cells) -> Rule | None:
    sums = 1
    for cell in cells:
        sums |= sums << context.values[cell]
    # The larger the total, the fewer sets of values reach it, and the less it says.
    never = [total for total in range(1, sum(context.values[cell] for cell in cells)) if not sums >> total & 1]
    return RellikCage(cells, context.random.choice(never)) if never else None


def _equality(context: FinderContext, cells: Cells) -> Rule | None:
    rule = EqualityCage(cells)
    return rule if rule.holds(context.grid, context.values) else None


def _root(context: FinderContext, cells: Cells) -> Rule | None:
    total = sum(context.values[cell] for cell in cells)
    return DigitalRootCage(cells, (total - 1) % ROOT + 1 if total else 0)


CAGE_FAMILIES = (
    FinderFamily("killer-cage", ("killer", "cage"), _cage_finder(_killer), 4, _killer_tiles),
    FinderFamily("rellik-cage", ("rellik",), _cage_finder(_rellik)),
    FinderFamily("equality-cage", ("equality",), _cage_finder(_equality), 10),
    FinderFamily("digital-root-cage", ("digital-root",), _cage_finder(_root), 5),
)

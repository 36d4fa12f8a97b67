"""Clues that are lines along which values add up, or lie between those at the ends."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.finder_family import FinderFamily
from sudoku_cp.generate.variants.families.line_finder import LineFinder
from sudoku_cp.generate.variants.proposals import Proposal
from sudoku_cp.rules.arrows import Arrow, DoubleArrow, PillArrow
from sudoku_cp.rules.between_lines import BetweenLine, LockoutLine
from sudoku_cp.rules.sequences import AmbiguousArrow, OddEvenLot
from sudoku_cp.rules.sums import RegionSumLine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.backends import Solution
    from sudoku_cp.generate.variants.families.finder_family import FinderContext
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells


# --- arrows -----------------------------------------------------------------------------------------------------


def _arrow(cells: Cells) -> Arrow:
    return Arrow(cells[0], (cells[1:],))


def _within_bulb(_: Grid, values: Solution, cells: Cells) -> bool:
    return sum(values[cell] for cell in cells[1:]) <= values[cells[0]]


def _fills_bulb(_: Grid, values: Solution, cells: Cells) -> bool:
    return sum(values[cell] for cell in cells[1:]) == values[cells[0]]


SHAFTS = 1.2
"""The cost of an arrow with two shafts."""


def _arrows(context: FinderContext) -> Iterator[Proposal]:
    """Yield arrows with one shaft, then combinations of two with the same bulb."""
    found = list(dict.fromkeys(LineFinder(_arrow, _within_bulb, _fills_bulb, head=True)(context)))
    yield from found
    arrows = [(rule, proposal.spots) for proposal in found for rule in proposal.rules if isinstance(rule, Arrow)]
    for (one, taken), (other, there) in combinations(arrows, 2):
        if one.bulb == other.bulb and len(taken & there) == 1:  # nothing but the bulb
            yield Proposal((Arrow(one.bulb, (*one.shafts, *other.shafts)),), SHAFTS, taken | there)


def _pill(context: FinderContext, cell: Cell) -> Cells:
    """Return the cell with the one right of it or below it, in which direction numbers are read."""
    row, column = context.grid.places[cell]
    place = context.random.choice(((row, column + 1), (row + 1, column)))
    return (cell, context.grid.cell_at[place]) if place in context.grid.cell_at else ()


def _pill_arrow(cells: Cells) -> PillArrow:
    return PillArrow(cells[:2], (cells[2:],))


def _spelled(values: Solution, cells: Cells) -> int:
    """Return how much the number in the pill is more than the sum of the shaft."""
    return 10 * values[cells[0]] + values[cells[1]] - sum(values[cell] for cell in cells[2:])


def _within_pill(grid: Grid, values: Solution, cells: Cells) -> bool:
    # A number with a large first digit needs a longer shaft than fits.
    return 0 <= _spelled(values, cells) <= 3 * grid.values[-1]


def _fills_pill(_: Grid, values: Solution, cells: Cells) -> bool:
    return _spelled(values, cells) == 0


def _ends_are_half(_: Grid, values: Solution, cells: Cells) -> bool:
    return sum(values[cell] for cell in cells) == 2 * (values[cells[0]] + values[cells[-1]])


def _could_be_half(grid: Grid, values: Solution, cells: Cells) -> bool:
    # The sum between the ends is at most the first value plus the largest one.
    return sum(values[cell] for cell in cells[1:-1]) <= values[cells[0]] + grid.values[-1]


def _within_greatest(grid: Grid, values: Solution, cells: Cells) -> bool:
    line = [values[cell] for cell in cells]
    return sum(line) - max(line) <= grid.values[-1]


def _greatest_is_half(_: Grid, values: Solution, cells: Cells) -> bool:
    line = [values[cell] for cell in cells]
    return sum(line) == 2 * max(line)


def _counts_odd(grid: Grid, values: Solution, cells: Cells) -> bool:
    return OddEvenLot(cells).holds(grid, values)


def _could_count_odd(_: Grid, values: Solution, cells: Cells) -> bool:
    return sum(values[cell] % 2 for cell in cells) <= values[cells[0]]


# --- between the ends -------------------------------------------------------------------------------------------


def _on_one_side(_: Grid, values: Solution, cells: Cells) -> bool:
    first, second, last = (values[cells[index]] for index in (0, 1, -1))
    return (first - second) * (first - last) > 0


def _farthest(_: Grid, values: Solution, cells: Cells) -> bool:
    first = values[cells[0]]
    return all(abs(values[cell] - first) < abs(values[cells[-1]] - first) for cell in cells[1:-1])


def _wide(context: FinderContext, cell: Cell) -> Cells:
    """Return the cell, if there are enough values for ends as far apart as the rule asks."""
    return (cell,) if len(context.grid.values) > LockoutLine.difference + 1 else ()


def _unlike_first(_: Grid, values: Solution, cells: Cells) -> bool:
    return values[cells[0]] != values[cells[-1]]


def _locked_out(grid: Grid, values: Solution, cells: Cells) -> bool:
    return LockoutLine(cells).holds(grid, values)


# --- a sum for each region --------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _regions(grid: Grid) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the regions that each cell lies in."""
    return tuple(tuple(number for number, region in enumerate(grid.regions) if cell in region) for cell in grid.cells)


def _stretches(grid: Grid, values: Solution, cells: Cells) -> list[int]:
    """Return the sum of each stretch of the line within one region."""
    sums: list[int] = []
    regions = _regions(grid)
    for before, cell in zip((None, *cells), cells, strict=False):
        if before is None or regions[cell] != regions[before]:
            sums.append(0)
        sums[-1] += values[cell]
    return sums


def _could_be_equal(grid: Grid, values: Solution, cells: Cells) -> bool:
    first, *others = _stretches(grid, values, cells)
    return all(total == first for total in others[:-1]) and all(total <= first for total in others[-1:])


def _equal(grid: Grid, values: Solution, cells: Cells) -> bool:
    sums = _stretches(grid, values, cells)
    return len(sums) > 1 and len(set(sums)) == 1


ARROW_FAMILIES = (
    FinderFamily("arrow", (), _arrows),
    FinderFamily(
        "pill-arrow", (), LineFinder(_pill_arrow, _within_pill, _fills_pill, head=True, least=4, longer=2, begin=_pill), 10
    ),
    FinderFamily("double-arrow", (), LineFinder(DoubleArrow, _could_be_half, _ends_are_half, least=4)),
    FinderFamily("ambiguous-arrow", (), LineFinder(AmbiguousArrow, _within_greatest, _greatest_is_half)),
    FinderFamily("odd-even-lot", ("odd-lot",), LineFinder(OddEvenLot, _could_count_odd, _counts_odd, head=True, longer=1)),
    FinderFamily("between-line", ("between",), LineFinder(BetweenLine, _on_one_side, _farthest, least=4)),
    FinderFamily("lockout-line", ("lockout",), LineFinder(LockoutLine, _unlike_first, _locked_out, least=4, begin=_wide)),
    FinderFamily("region-sum-line", ("region-sum",), LineFinder(RegionSumLine, _could_be_equal, _equal, longer=1)),
)

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
from sudoku_cp.rules.sequence_lines import AmbiguousArrow, OddEvenLot
from sudoku_cp.rules.sum_lines import RegionSumLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.generate.variants.families.finder_family import FinderContext
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells


# --- arrows -----------------------------------------------------------------------------------------------------


def _arrow(cells: Cells) -> Arrow:
    return Arrow(cells[0], (cells[1:],))


SHAFTS = 1.2
"""The cost of an arrow with two shafts."""


def _arrows(context: FinderContext) -> Iterator[Proposal]:
    """Yield arrows with one shaft, then combinations of two with the same bulb."""
    finder = LineFinder(_arrow, lambda line, *_: sum(line[1:]) <= line[0], lambda line, *_: sum(line[1:]) == line[0], head=True)
    found = list(dict.fromkeys(finder(context)))
    yield from found
    arrows = [(rule, proposal.spots) for proposal in found for rule in proposal.rules if isinstance(rule, Arrow)]
    for (one, taken), (other, there) in combinations(arrows, 2):
        if one.bulb == other.bulb and len(taken & there) == 1:  # nothing but the bulb
            yield Proposal((Arrow(one.bulb, (*one.shafts, *other.shafts)),), SHAFTS, taken | there)


def _pill(context: FinderContext, cell: Cell) -> Cells:
    """Return the cell and the one to its right or below it, the directions in which numbers are read."""
    row, column = context.grid.places[cell]
    place = context.random.choice(((row, column + 1), (row + 1, column)))
    return (cell, context.grid.cell_at[place]) if place in context.grid.cell_at else ()


def _pill_arrow(cells: Cells) -> PillArrow:
    return PillArrow(cells[:2], (cells[2:],))


def _missing_in_pill(line: Sequence[int]) -> int:
    """Return by how much the number in the pill exceeds the sum of the shaft."""
    return 10 * line[0] + line[1] - sum(line[2:])


def _within_pill(line: Sequence[int], grid: Grid, _: Cells) -> bool:
    # A number with a large first digit needs a longer shaft than fits.
    return 0 <= _missing_in_pill(line) <= 3 * grid.values[-1]


def _could_be_half(line: Sequence[int], grid: Grid, _: Cells) -> bool:
    # The sum between the ends is at most the first value plus the largest one.
    return sum(line[1:-1]) <= line[0] + grid.values[-1]


def _within_greatest(line: Sequence[int], grid: Grid, _: Cells) -> bool:
    return sum(line) - max(line) <= grid.values[-1]


def _odd_count(line: Sequence[int]) -> int:
    return sum(value % 2 for value in line)


# --- between the ends -------------------------------------------------------------------------------------------


def _is_on_one_side(line: Sequence[int], *_: object) -> bool:
    return (line[0] - line[1]) * (line[0] - line[-1]) > 0


def _ends_farthest(line: Sequence[int], *_: object) -> bool:
    return all(abs(value - line[0]) < abs(line[-1] - line[0]) for value in line[1:-1])


def _where_ends_fit(context: FinderContext, cell: Cell) -> Cells:
    """Return the cell, if there are enough values for ends as far apart as the rule requires."""
    return (cell,) if len(context.grid.values) > LockoutLine.difference + 1 else ()


def _is_locked_out(line: Sequence[int], *_: object) -> bool:
    low, high = sorted((line[0], line[-1]))
    return high - low >= LockoutLine.difference and not any(low <= value <= high for value in line[1:-1])


# --- a sum for each region --------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _regions(grid: Grid) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the regions that each cell lies in."""
    return tuple(tuple(number for number, region in enumerate(grid.regions) if cell in region) for cell in grid.cells)


def _region_sums(line: Sequence[int], grid: Grid, cells: Cells) -> list[int]:
    """Return the sum of each stretch of the line within one region."""
    sums: list[int] = []
    regions = _regions(grid)
    for before, cell, value in zip((None, *cells), cells, line, strict=False):
        if before is None or regions[cell] != regions[before]:
            sums.append(0)
        sums[-1] += value
    return sums


def _could_be_equal(line: Sequence[int], grid: Grid, cells: Cells) -> bool:
    first, *others = _region_sums(line, grid, cells)
    return all(total == first for total in others[:-1]) and all(total <= first for total in others[-1:])


def _are_equal(line: Sequence[int], grid: Grid, cells: Cells) -> bool:
    sums = _region_sums(line, grid, cells)
    return len(sums) > 1 and len(set(sums)) == 1


ARROW_FAMILIES = (
    FinderFamily("arrow", (), _arrows),
    FinderFamily(
        "pill-arrow",
        (),
        LineFinder(
            _pill_arrow, _within_pill, lambda line, *_: not _missing_in_pill(line), head=True, least=4, longer=2, begin=_pill
        ),
        10,
    ),
    FinderFamily(
        "double-arrow",
        (),
        LineFinder(DoubleArrow, _could_be_half, lambda line, *_: sum(line) == 2 * (line[0] + line[-1]), least=4),
    ),
    FinderFamily(
        "ambiguous-arrow", (), LineFinder(AmbiguousArrow, _within_greatest, lambda line, *_: sum(line) == 2 * max(line))
    ),
    FinderFamily(
        "odd-even-lot",
        ("odd-lot",),
        LineFinder(
            OddEvenLot,
            lambda line, *_: _odd_count(line) <= line[0],
            lambda line, *_: _odd_count(line) == line[0],
            head=True,
            longer=1,
        ),
    ),
    FinderFamily("between-line", ("between",), LineFinder(BetweenLine, _is_on_one_side, _ends_farthest, least=4)),
    FinderFamily(
        "lockout-line",
        ("lockout",),
        LineFinder(LockoutLine, lambda line, *_: line[0] != line[-1], _is_locked_out, least=4, begin=_where_ends_fit),
    ),
    FinderFamily("region-sum-line", ("region-sum",), LineFinder(RegionSumLine, _could_be_equal, _are_equal, longer=1)),
)

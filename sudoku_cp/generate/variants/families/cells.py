"""Clues about marked cells: shades, signs and circles in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.generate.variants.families.finder_family import ONE_PER_BOARD, Finder, FinderContext, FinderFamily
from sudoku_cp.generate.variants.families.random_shapes import (
    can_share_cage,
    components,
    cover_with_areas,
    edge_neighbours,
    excess_outline,
    random_area,
    start_cells,
)
from sudoku_cp.generate.variants.proposals import Proposal, Spot, spots_of_cells, spots_of_edge
from sudoku_cp.rules.base import Cells, Rule
from sudoku_cp.rules.cages import DigitalRootCage, EqualityCage, KillerCage, RellikCage
from sudoku_cp.rules.clones import Clone
from sudoku_cp.rules.composite import AnyOf
from sudoku_cp.rules.counting import CountingCircles, Quadruple
from sudoku_cp.rules.indexing import Indexer
from sudoku_cp.rules.marked_cells import Even, Maximum, Minimum, Odd
from sudoku_cp.rules.neighbour_pairs import Difference, Inequality, NegativeDifference, NegativeRatio, NegativeSum, PairSum, Ratio
from sudoku_cp.rules.regions import ExtraRegion

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid


if TYPE_CHECKING:
    Mark = Callable[[Cells], Rule]


# --- cells by themselves ----------------------------------------------------------------------------------------


def _each_cell(*marks: Mark, edged: bool = False) -> Finder:
    """Return a finder that proposes each of the ``marks`` that holds in each cell; ``edged`` ones have signs on all sides."""

    def find(context: FinderContext) -> Iterator[Proposal]:
        grid = context.grid
        for cell in grid.cells:
            spots = _bordered(grid, (cell,)) if edged else spots_of_cells("sign", grid, (cell,))
            rules = (mark((cell,)) for mark in marks)
            yield from (Proposal((rule,), spots=spots) for rule in rules if rule.holds(grid, context.values))

    return find


def _bordered(grid: Grid, cells: Cells) -> frozenset[Spot]:
    """Return the spots of the cells and their edges, so that adjacent shades do not merge."""
    edges = (spots_of_edge(grid, cell, other) for cell in cells for other in edge_neighbours(grid)[cell])
    return spots_of_cells("sign", grid, cells).union(*edges)


# --- circles that count each other ------------------------------------------------------------------------------

SETS = 12
"""Number of sets of circles proposed."""


def _circles(context: FinderContext) -> Iterator[Proposal]:
    """Yield sets of circles in which each value is the number of circles that hold it; at most a third of the board."""
    random, grid = context.random, context.grid
    where: Mapping[int, list[Cell]] = {
        value: [cell for cell in grid.cells if context.values[cell] == value] for value in grid.values if value
    }
    able = [value for value, cells in where.items() if len(cells) >= value]
    for _ in range(SETS if able else 0):
        chosen = random.sample(able, random.randint(1, len(able)))
        if sum(chosen) <= len(grid.cells) / 3:
            cells = tuple(sorted(cell for value in chosen for cell in random.sample(where[value], value)))
            yield Proposal((CountingCircles(cells),), spots=spots_of_cells("sign", grid, cells))


# --- areas ------------------------------------------------------------------------------------------------------

REGIONS, SHIFTS = 90, 160
"""Areas grown at most, and shifts by which the board is compared with itself."""


def _extra_regions(context: FinderContext) -> Iterator[Proposal]:
    """Yield areas that hold every value."""
    grid = context.grid
    for start in start_cells(context.random, grid, min(REGIONS, len(grid.cells))):
        cells = random_area(
            context.random, grid, start, len(grid.values), lambda inside, cell: can_share_cage(context, [*inside, cell])
        )
        if len(cells) == len(grid.values) and cells not in grid.regions:
            for image in map(sorted, context.images(cells)):
                yield Proposal((ExtraRegion(tuple(image)),), spots=_bordered(grid, tuple(image)))


def _clones(context: FinderContext) -> Iterator[Proposal]:
    """Yield areas of at least two cells that recur elsewhere; the larger, the cheaper."""
    grid, at = context.grid, context.grid.cell_at
    height, width = (max(numbers) for numbers in zip(*grid.places, strict=True))
    shifts = [(down, right) for down in range(height + 1) for right in range(-width if down else 1, width + 1)]
    for down, right in shifts if len(shifts) <= SHIFTS else context.random.sample(shifts, SHIFTS):
        beyond = {cell: at.get((row + down, column + right)) for cell, (row, column) in enumerate(grid.places)}
        same = {cell: to for cell, to in beyond.items() if to is not None and context.values[cell] == context.values[to]}
        for cells in components(grid, same):
            copy = tuple(same[cell] for cell in cells)
            if 1 < len(cells) <= len(grid.values) and not set(cells) & set(copy):
                yield Proposal((Clone(cells, (copy,)),), 1 + 1 / len(cells), _bordered(grid, cells + copy))


CELL_FAMILIES = (
    FinderFamily("odd", (), _each_cell(Odd), 3),
    FinderFamily("even", (), _each_cell(Even), 3),
    FinderFamily("odd-even", ("even-odd",), _each_cell(Odd, Even), 2),
    FinderFamily("minimum", (), _each_cell(Minimum, edged=True)),
    FinderFamily("maximum", ("fortress",), _each_cell(Maximum, edged=True)),
    FinderFamily("extreme", ("minimum-maximum",), _each_cell(Minimum, Maximum, edged=True), 4),
    FinderFamily("indexer", ("column-indexer", "159"), _each_cell(Indexer)),
    FinderFamily("row-indexer", (), _each_cell(lambda cells: Indexer(cells, rows=True))),
    FinderFamily("counting-circles", ("circle",), _circles, ONE_PER_BOARD),
    FinderFamily("extra-region", (), _extra_regions, 25),
    FinderFamily("clone", (), _clones, 20),
)


# Clues that are cages.


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
    """Return a finder of areas without repeated values and, with a symmetry, their images; ``draw`` makes the rules."""

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


# Clues on the edges between neighbours, and around corners.


if TYPE_CHECKING:
    EdgeMark = Callable[[FinderContext, Cell, Cell], Iterator[Rule]]

XV = (5, 10)
"""The sums that setters mark."""
TWICE = 2
FULL = 0.4
"""The extra cost of a circle with three or four digits, which is hard to read."""


# --- edges ------------------------------------------------------------------------------------------------------


def _white(context: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    if abs(context.values[one] - context.values[other]) == 1:
        yield Difference((one, other))


def _black(context: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    low, high = sorted((context.values[one], context.values[other]))
    if high == TWICE * low:
        yield Ratio((one, other))


def _either(context: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    """Yield a dot; between 1 and 2 it can be of either kind."""
    dots = [*_white(context, one, other), *_black(context, one, other)]
    if dots:
        yield context.random.choice(dots)


def _sum(context: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    total = context.values[one] + context.values[other]
    if total in XV:
        yield PairSum((one, other), total)


def _greater(context: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    larger, smaller = sorted((one, other), key=context.values.__getitem__, reverse=True)
    if context.values[larger] > context.values[smaller]:
        yield Inequality((larger, smaller))


def _edge_draft(*marks: Callable[[Cells], Rule]) -> Finder:
    """Return a finder that drafts, for every edge, that it has one of the marks."""

    def find(context: FinderContext) -> Iterator[Proposal]:
        for pair in context.grid.pairs((0, 1), (1, 0)):
            rules = tuple(mark(pair) for mark in marks)
            yield Proposal((rules[0] if len(rules) == 1 else AnyOf(rules),), spots=spots_of_edge(context.grid, *pair))

    return find


def _edge_finder(mark: EdgeMark) -> Finder:
    """Return a finder that proposes a mark on every edge that can have one."""

    def find(context: FinderContext) -> Iterator[Proposal]:
        for one, other in context.grid.pairs((0, 1), (1, 0)):
            for rule in mark(context, one, other):
                yield Proposal((rule,), spots=spots_of_edge(context.grid, one, other))

    return find


def _all_edges_finder(mark: EdgeMark, *negatives: type[NegativeDifference | NegativeRatio | NegativeSum]) -> Finder:
    """Return a finder that proposes all marks together as one clue, with the rule that there are no others."""

    def find(context: FinderContext) -> Iterator[Proposal]:
        marked = {(one, other): rule for one, other in context.grid.pairs((0, 1), (1, 0)) for rule in mark(context, one, other)}
        none_else = tuple(negative(exempt=tuple(marked)) for negative in negatives)
        spots = frozenset(spot for pair in marked for spot in spots_of_edge(context.grid, *pair))
        if marked:
            yield Proposal((*marked.values(), *none_else), spots=spots)

    return find


# --- corners ----------------------------------------------------------------------------------------------------


def _quadruples(context: FinderContext) -> Iterator[Proposal]:
    """Yield for every corner a circle with some of the values around it, mostly two or three."""
    at = context.grid.cell_at
    for cell, (row, column) in enumerate(context.grid.places):
        places = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
        if all(place in at for place in places):
            cells = tuple(at[place] for place in places)
            digits = context.random.sample([context.values[one] for one in cells], context.random.choice((1, 2, 2, 3, 3, 4)))
            rule = Quadruple(cells, tuple(sorted(digits)))
            yield Proposal((rule,), 1 + FULL * (len(digits) > 2), spots_of_cells("corner", context.grid, (cell,)))  # noqa: PLR2004


_EITHER_SUM = [partial(PairSum, total=total) for total in XV]

DOT_FAMILIES = (
    FinderFamily("kropki", ("kropki-dot", "dot"), _edge_finder(_either), 1.6, draft=_edge_draft(Difference, Ratio)),
    FinderFamily("difference", ("white-dot", "white-kropki"), _edge_finder(_white), 2.5, draft=_edge_draft(Difference)),
    FinderFamily("ratio", ("black-dot", "black-kropki"), _edge_finder(_black), 2.5, draft=_edge_draft(Ratio)),
    FinderFamily("pair-sum", ("xv", "x-v"), _edge_finder(_sum), 2.5, draft=_edge_draft(*_EITHER_SUM)),
    FinderFamily("inequality", ("greater-than", "greater"), _edge_finder(_greater), 1.2),
    FinderFamily(
        "all-kropki",
        ("strict-kropki", "negative-kropki"),
        _all_edges_finder(_either, NegativeDifference, NegativeRatio),
        ONE_PER_BOARD,
    ),
    FinderFamily("all-xv", ("strict-xv", "negative-xv"), _all_edges_finder(_sum, NegativeSum), ONE_PER_BOARD),
    FinderFamily("quadruple", ("quad",), _quadruples, 4),
)

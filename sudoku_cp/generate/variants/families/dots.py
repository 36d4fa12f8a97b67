"""Clues on the edges between neighbours, and around corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.finder_family import ONE_PER_BOARD, FinderFamily
from sudoku_cp.generate.variants.proposals import Proposal, spots_of_cells, spots_of_edge
from sudoku_cp.rules.counting import Quadruple
from sudoku_cp.rules.edges import Difference, Inequality, NegativeDifference, NegativeRatio, NegativeSum, PairSum, Ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.generate.variants.families.finder_family import Finder, FinderContext
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule

    Mark = Callable[[FinderContext, Cell, Cell], Iterator[Rule]]

XV = (5, 10)
"""The sums that setters mark."""
TWICE = 2
FULL = 0.4
"""What a circle costs that is hard to read, with three digits or four."""


# --- edges ------------------------------------------------------------------------------------------------------


def _white(sight: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    if abs(sight.values[one] - sight.values[other]) == 1:
        yield Difference((one, other))


def _black(sight: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    low, high = sorted((sight.values[one], sight.values[other]))
    if high == TWICE * low:
        yield Ratio((one, other))


def _either(sight: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    """Yield a dot; between 1 and 2 (and 0 and 0) it can be of either kind."""
    dots = [*_white(sight, one, other), *_black(sight, one, other)]
    if dots:
        yield sight.random.choice(dots)


def _sum(sight: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    total = sight.values[one] + sight.values[other]
    if total in XV:
        yield PairSum((one, other), total)


def _greater(sight: FinderContext, one: Cell, other: Cell) -> Iterator[Rule]:
    larger, smaller = sorted((one, other), key=sight.values.__getitem__, reverse=True)
    if sight.values[larger] > sight.values[smaller]:
        yield Inequality((larger, smaller))


def _edge_finder(mark: Mark) -> Finder:
    """Return what proposes a mark on every edge that can have one."""

    def find(sight: FinderContext) -> Iterator[Proposal]:
        for one, other in sight.grid.pairs((0, 1), (1, 0)):
            for rule in mark(sight, one, other):
                yield Proposal((rule,), spots=spots_of_edge(sight.grid, one, other))

    return find


def _all_edges_finder(mark: Mark, *negatives: type[NegativeDifference | NegativeRatio | NegativeSum]) -> Finder:
    """Return what proposes all marks as one clue, and with them that there are no others."""

    def find(sight: FinderContext) -> Iterator[Proposal]:
        marked = {(one, other): rule for one, other in sight.grid.pairs((0, 1), (1, 0)) for rule in mark(sight, one, other)}
        none_else = tuple(negative(exempt=tuple(marked)) for negative in negatives)
        spots = frozenset(spot for pair in marked for spot in spots_of_edge(sight.grid, *pair))
        if marked:
            yield Proposal((*marked.values(), *none_else), spots=spots)

    return find


# --- corners ----------------------------------------------------------------------------------------------------


def _quadruples(sight: FinderContext) -> Iterator[Proposal]:
    """Yield for every corner some of the values around it, a circle of two or three as a rule."""
    at = sight.grid.cell_at
    for cell, (row, column) in enumerate(sight.grid.places):
        places = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
        if all(place in at for place in places):
            cells = tuple(at[place] for place in places)
            digits = sight.random.sample([sight.values[one] for one in cells], sight.random.choice((1, 2, 2, 3, 3, 4)))
            rule = Quadruple(cells, tuple(sorted(digits)))
            yield Proposal((rule,), 1 + FULL * (len(digits) > 2), spots_of_cells("corner", sight.grid, (cell,)))  # noqa: PLR2004


DOT_FAMILIES = (
    FinderFamily("kropki", ("kropki-dot", "dot"), _edge_finder(_either), 1.6),
    FinderFamily("difference", ("white-dot", "white-kropki"), _edge_finder(_white), 2.5),
    FinderFamily("ratio", ("black-dot", "black-kropki"), _edge_finder(_black), 2.5),
    FinderFamily("pair-sum", ("xv", "x-v"), _edge_finder(_sum), 2.5),
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

"""Clues on the edges between neighbours, and around corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.finder_family import ONE_PER_BOARD, FinderFamily
from sudoku_cp.generate.variants.proposals import Proposal, spots_of_cells, spots_of_edge
from sudoku_cp.rules.counting import Quadruple
from sudoku_cp.rules.neighbour_pairs import Difference, Inequality, NegativeDifference, NegativeRatio, NegativeSum, PairSum, Ratio

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


def _edge_finder(mark: Mark) -> Finder:
    """Return a finder that proposes a mark on every edge that can have one."""

    def find(context: FinderContext) -> Iterator[Proposal]:
        for one, other in context.grid.pairs((0, 1), (1, 0)):
            for rule in mark(context, one, other):
                yield Proposal((rule,), spots=spots_of_edge(context.grid, one, other))

    return find


def _all_edges_finder(mark: Mark, *negatives: type[NegativeDifference | NegativeRatio | NegativeSum]) -> Finder:
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

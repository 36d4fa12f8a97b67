"""Meanings of cages, marks and groups of cells."""

from __future__ import annotations

import operator
from collections import Counter
from functools import lru_cache, partial
from itertools import accumulate, chain, combinations, pairwise
from typing import TYPE_CHECKING, Any

from .rule_machines import EQUAL, MACHINES, Cells, RuleMachine, Statements, all_different, digit_counts, keep_all, weighted_sum
from .rule_meanings import MEANINGS, UnknownMeaning, meaning, on_cells, on_distinct_cells, on_each_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .certified_grid import CertifiedGrid


@meaning
def rellik_cage(_: CertifiedGrid, cells: Cells, total: int) -> Statements:
    """Different values, of which none, alone or together, add up to the total."""

    def avoids(some: list[int]) -> bool:
        sums = {0}
        for value in some:
            if value == total or (total > 0 and total - value in sums):
                return False
            sums |= {found + value for found in sums}
        return True

    return on_cells(cells, all_different(avoids))


@meaning
def equality_cage(grid: CertifiedGrid, cells: Cells) -> Statements:
    """Different values, as many low as high ones, as many odd as even ones, and none in the middle."""
    middle = grid.values[0] + grid.values[-1]

    def balanced(some: list[int]) -> bool:
        low, high = sum(2 * value < middle for value in some), sum(2 * value > middle for value in some)
        return low == high and low + high == len(some) == 2 * sum(value % 2 for value in some)

    return on_cells(cells, all_different(balanced))


@meaning
def look_and_say(_: CertifiedGrid, cells: Cells, clue: Sequence[Sequence[int]]) -> Statements:
    """Each value of the clue occurs as often as it says."""
    for times, value in clue:
        step = lambda state, _, own, value=value: state + (own == value)
        yield tuple(cells), RuleMachine(0, step, partial(operator.eq, times))


@meaning
def clone(_: CertifiedGrid, cells: Cells, copies: Sequence[Cells]) -> Statements:
    """Cells and their copies are equal."""
    return ((pair, EQUAL) for copy in copies for pair in zip(cells, copy, strict=True))


@meaning
def same_value_sets(_: CertifiedGrid, groups: Sequence[Cells]) -> Statements:
    """All groups have the same values, each equally often."""
    size = len(groups[0]) if groups else 0

    def step(state: tuple[tuple[int, ...], tuple[int, ...]], place: int, value: int) -> Any:
        first, left = state
        if place < size:
            first = left = tuple(sorted((*first, value)))
            return first, left
        left = left if place % size else first
        if value not in left:
            return None
        where = left.index(value)
        return first, left[:where] + left[where + 1 :]

    if any(len(group) != size for group in groups):
        raise UnknownMeaning
    return on_cells(tuple(chain.from_iterable(groups)), RuleMachine(((), ()), step))


def equal_parts(parts: Sequence[Cells]) -> Statements:
    """Each part adds up to the same."""
    if not all(parts):
        raise UnknownMeaning
    cells = tuple(chain.from_iterable(parts))
    ends = {end - 1 for end in accumulate(map(len, parts))}

    def step(state: tuple[int | None, int], place: int, value: int) -> Any:
        wanted, found = state[0], state[1] + value
        if place not in ends:
            return wanted, found
        return (found, 0) if wanted in {None, found} else None

    return on_cells(cells, RuleMachine((None, 0), step) if len(parts) > 1 else RuleMachine(0, lambda *_: 0))


@meaning
def equal_sums(_: CertifiedGrid, groups: Sequence[Cells]) -> Statements:
    """All groups add up to the same; a cell of two groups counts for neither.

    Of many groups the first is compared with each, and each with the next; of a few, any two. This is what the model states;
    the other equalities follow.
    """
    far = (pair for one, other in pairwise(groups) for pair in ((groups[0], other), (one, other)))
    for pair in combinations(groups, 2) if len(groups) <= 5 else far:
        factors = Counter(pair[0])
        factors.subtract(pair[1])
        own = [cell for cell, factor in factors.items() if factor]
        yield tuple(own), weighted_sum(lambda found: found == 0, [factors[cell] for cell in own])


@meaning
def region_sum_line(grid: CertifiedGrid, cells: Cells) -> Statements:
    """The stretches of the line inside one region each add up to the same."""
    inside = [grid.regions_of.get(cell) for cell in cells]
    borders = [place for place in range(1, len(cells)) if inside[place] != inside[place - 1]]
    if not borders:
        return []
    parts = [list(cells[start:end]) for start, end in zip([0, *borders], [*borders, len(cells)], strict=True)]
    if cells[0] == cells[-1]:
        parts = [*parts[1:-1], parts[-1][:-1] + parts[0]]
    return equal_parts(parts)


@meaning
def zipper_line(_: CertifiedGrid, cells: Cells) -> Statements:
    """Cells as far from the middle have the same sum, that of the middle cell where there is one."""
    half = len(cells) // 2
    return equal_parts([*([cells[k], cells[-1 - k]] for k in range(half)), *([[cells[half]]] if len(cells) % 2 else [])])


@meaning
def counting_circles(_: CertifiedGrid, cells: Cells) -> Statements:
    """Each value in a circle is the number of circles that have it."""
    step = lambda state, _, value: tuple(sorted((*state, value))) if state.count(value) < value else None
    return on_distinct_cells(cells, RuleMachine((), step, lambda state: all(state.count(value) == value for value in state)))


@meaning
def count_distinct(_: CertifiedGrid, cell: int, cells: Cells) -> Statements:
    """The cell holds the number of values that the cells have."""
    step = lambda state, place, value: (state[0], state[1] | 1 << value) if place else (value, 0)
    return on_cells((cell, *cells), RuleMachine((0, 0), step, lambda state: state[0] == state[1].bit_count()))


@lru_cache(maxsize=MACHINES)
def region_count_machine(lengths: tuple[int, ...], omitted: int) -> RuleMachine:
    """Return the machine that reads a number, a region and arms, and takes off what the arms begin with in the region."""
    begins = {2 + sum(lengths[:index]) for index in range(len(lengths))}

    def step(state: tuple[int, int, bool], place: int, value: int) -> tuple[int, int, bool] | None:
        left, region, inside = state
        if place == 0:
            return value + omitted - 1, 0, True
        if place == 1:
            return left, value, True
        inside = (inside or place in begins) and value == region
        return (left - inside, region, inside) if left >= inside else None

    return RuleMachine((0, 0, True), step, lambda state: state[0] == 0)


@meaning
def region_count(_: CertifiedGrid, cell: int, arms: Sequence[Cells], others: bool) -> Statements:
    """The cell counts the first cell, unless only others are counted, and those of each arm up to one with another value."""
    cells = (cell, arms[0][0], *chain.from_iterable(arm[1:] for arm in arms))
    return on_cells(cells, region_count_machine(tuple(len(arm) - 1 for arm in arms), int(others)))


@meaning
def odd_even_lot(_: CertifiedGrid, cells: Cells, even: bool) -> Statements:
    """The first cell counts the odd (or even) values on the line."""

    def step(state: Any, place: int, value: int) -> Any:
        expected, found = state if place else (value, 0)
        found += value % 2 != even
        return (expected, found) if found <= max(expected, 1) else None

    return on_distinct_cells(cells, RuleMachine((), step, lambda state: state[0] == state[1]))


def has_sum_among(totals: frozenset[int]) -> Callable[[list[int]], bool]:
    """Return the test for values that add up to one of the totals."""
    return lambda some: sum(some) in totals


MEANINGS |= {
    "contains-at-least": lambda _, cells, digits: on_cells(cells, digit_counts(digits, operator.ge)),
    "contains-exactly": lambda _, cells, digits: on_cells(cells, digit_counts(digits, operator.eq)),
    "difference": lambda _, cells, difference: on_cells(cells, keep_all(lambda a, b: abs(a - b) == difference)),
    "digital-root-cage": lambda _, cells, root: on_cells(
        cells, all_different(lambda some: (1 + (sum(some) - 1) % 9 if sum(some) else 0) == root)
    ),
    "even": lambda _, cells: on_each_cell(cells, lambda own: own % 2 == 0),
    "inequality": lambda _, cells: on_cells(cells, keep_all(lambda a, b: a > b)),
    "killer-cage": lambda _, cells, total: on_cells(cells, all_different(lambda some: total is None or sum(some) == total)),
    "little-killer": lambda _, cells, total: on_cells(cells, weighted_sum(lambda found: found == total)),
    "multi-sum-cage": lambda _, cells, totals: on_cells(cells, all_different(has_sum_among(frozenset(totals)))),
    "odd": lambda _, cells: on_each_cell(cells, lambda own: own % 2 == 1),
    "pair-sum": lambda _, cells, total: on_cells(cells, keep_all(lambda a, b: a + b == total)),
    "quadruple": lambda _, cells, digits: on_cells(cells, digit_counts(digits, operator.ge)),
    "ratio": lambda _, cells, ratio: on_cells(cells, keep_all(lambda a, b: max(a, b) == ratio * min(a, b))),
    "sum-cage": lambda _, cells, total, factors: on_cells(cells, weighted_sum(lambda found: found == total, factors)),
}

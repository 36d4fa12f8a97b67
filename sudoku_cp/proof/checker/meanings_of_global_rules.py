"""Meanings of rules that hold everywhere on the grid."""

from __future__ import annotations

import operator
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from .rule_machines import Cells, RuleMachine, Statements, keep_all
from .rule_meanings import MEANINGS, meaning, on_each_pair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .certified_grid import CertifiedGrid


def on_adjacent_cells(grid: CertifiedGrid, exempt: Sequence[Cells], holds: Callable[[int, int], bool]) -> Statements:
    """Return the same statement about every two cells that share an edge and are not exempt."""
    free = {frozenset(pair) for pair in exempt}
    return on_each_pair((pair for pair in grid.apart([(0, 1)]) if frozenset(pair) not in free), holds)


def on_unmarked_neighbours(grid: CertifiedGrid, cells: Cells, holds: Callable[[int, int], bool]) -> Statements:
    """Return the same statement about every marked cell and each neighbour that is not marked."""
    marked = set(cells)
    near = ((cell, other) for pair in grid.apart([(0, 1)]) for cell, other in (pair, pair[::-1]))
    return on_each_pair(((cell, other) for cell, other in near if cell in marked and other not in marked), holds)


def on_2x2_squares(grid: CertifiedGrid, sort: Callable[[int], int], sorts: int) -> Statements:
    """Every 2x2 square of a board has values of all sorts."""
    machine = RuleMachine(frozenset(), lambda state, _, value: state | {sort(value)}, lambda state: len(state) == sorts)
    for rows, _, _ in grid.boards:
        for row, column in product(range(len(rows) - 1), range(len(rows[0]) - 1)):
            yield (*rows[row][column : column + 2], *rows[row + 1][column : column + 2]), machine


@meaning
def self_taxicab(grid: CertifiedGrid) -> Statements:
    """No value V is V steps from an equal one."""
    for value in grid.values:
        steps = [(down, value - down) for down in range(value + 1)] if value else []
        yield from on_each_pair(grid.apart(steps), lambda a, b, value=value: not a == b == value)  # type: ignore[misc]


@meaning
def global_entropy(grid: CertifiedGrid) -> Statements:
    """All thirds of the values are in every 2x2 square."""
    low, third = grid.values[0], -(-len(grid.values) // 3)
    return on_2x2_squares(grid, lambda value: (value - low) // third, -(-len(grid.values) // third))


@meaning
def dutch_flatmates(grid: CertifiedGrid) -> Statements:
    """The middle value has the lowest value directly above it or the highest directly below it."""
    first, last = grid.values[0], grid.values[-1]
    middle = (first + last) // 2
    beside = {
        (True, True): keep_all(lambda own, above, below: own != middle or above == first or below == last),
        (True, False): keep_all(lambda own, above: own != middle or above == first),
        (False, True): keep_all(lambda own, below: own != middle or below == last),
        (False, False): keep_all(lambda own: own != middle),
    }
    for cell, (row, column) in enumerate(grid.places):
        near = [grid.cell_at.get((row - 1, column)), grid.cell_at.get((row + 1, column))]
        yield (cell, *(other for other in near if other is not None)), beside[near[0] is not None, near[1] is not None]


def without_differences(grid: CertifiedGrid, differences: Sequence[int], exempt: Sequence[Cells]) -> Statements:
    """No two neighbours that are not exempt have one of the differences."""
    wrong = frozenset(differences)
    return on_adjacent_cells(grid, exempt, lambda a, b: abs(a - b) not in wrong)


def without_ratios(grid: CertifiedGrid, ratios: Sequence[int], exempt: Sequence[Cells]) -> Statements:
    """No two neighbours that are not exempt have one of the ratios; that of 0 and 0 is any."""
    wrong = {min(ratio, grid.values[-1] + 1) for ratio in ratios}  # a larger one is that of 0 and 0 alone
    return on_adjacent_cells(grid, exempt, lambda a, b: all(max(a, b) != ratio * min(a, b) for ratio in wrong))


def without_sums(pairs: Callable[..., Statements], sums: Sequence[int]) -> Statements:
    """No two cells have one of the sums."""
    wrong = frozenset(sums)
    return pairs(holds=lambda a, b: a + b not in wrong)


MEANINGS |= {
    "diagonally-nonconsecutive": lambda grid: on_each_pair(grid.apart([(1, 1)]), lambda a, b: abs(a - b) != 1),
    "global-mod": lambda grid, modulus: on_2x2_squares(grid, lambda value: value % modulus, modulus),
    "knightmare": lambda grid, sums: without_sums(partial(on_each_pair, grid.apart([(1, 2)])), sums),
    "maximum": partial(on_unmarked_neighbours, holds=operator.gt),
    "minimum": partial(on_unmarked_neighbours, holds=operator.lt),
    "negative-difference": without_differences,
    "negative-ratio": without_ratios,
    "negative-sum": lambda grid, sums, exempt: without_sums(partial(on_adjacent_cells, grid, exempt), sums),
    "nonconsecutive": lambda grid, exempt: on_adjacent_cells(grid, exempt, lambda a, b: abs(a - b) != 1),
}

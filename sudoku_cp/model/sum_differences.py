"""Differences of sums: of two known sums that share cells, the cells that only one of them has, where these are few.

Two diagonals that cross say more about their other cells than either does. Innies take no sums that overlap.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.model.cliques import cell_set
from sudoku_cp.model.constraints import Linear, members
from sudoku_cp.model.model import IMPLIED, Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_CELLS = 6
"""A sum of more cells than these bounds each of them too little."""
MOST_SUMS = 100
"""Of more sums only these are compared: their pairs take a few milliseconds."""


def sum_differences(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the differences of few cells of every two sums with a common cell.

    Sums with cells taken away, as of arrows and equal sums, are left out: their differences cost as much as they save.
    """
    known = []
    for statement in statements:
        match statement.constraint:
            case Linear(terms, "==", total) if {factor for _, factor in terms} == {1}:
                cells = cell_set(cell for cell, _ in terms)
                if cells.bit_count() == len(terms):
                    known.append((cells, total, statement))
            case _:
                pass
    for (one, its_total, first), (other, total, second) in combinations(known[:MOST_SUMS], 2):
        if one & other and 0 < (one ^ other).bit_count() <= MOST_CELLS:
            inside, outside = members(one & ~other), members(other & ~one)
            terms = (*((cell, 1) for cell in inside), *((cell, -1) for cell in outside))
            yield Statement(Linear(terms, "==", its_total - total), IMPLIED, f"{first} minus {second}")

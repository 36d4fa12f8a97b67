"""Implied counts: if the same cells need several kinds of values, few cells are left for each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model.constraints import Count
from sudoku_cp.model.model import IMPLIED, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.constraints import Constraint

Need: TypeAlias = tuple[frozenset[int], int]
"""Values, and how many of some cells must hold one of them at least."""
SEVERAL = 2


def implied_counts(constraints: Sequence[Constraint]) -> Iterator[Statement]:
    """Yield upper bounds on how many cells hold values of a kind, if the same cells need other kinds too.

    Of four cells that hold a low, a middle and a high value, two at most are low.
    """
    for cells, needs in _needs(constraints).items():
        if len(needs) < SEVERAL or not _are_disjoint(needs):
            continue
        spare = len(cells) - sum(number for _, number in needs)
        for values, number in needs:
            if number + spare < len(cells):
                yield Statement(Count(cells, values, "<=", number + spare), IMPLIED, "what other values leave")


def _needs(constraints: Sequence[Constraint]) -> dict[tuple[Cell, ...], list[Need]]:
    """Return the needs of cells for sets of several values; all-different constraints take care of single values."""
    found: dict[tuple[Cell, ...], list[Need]] = {}
    for constraint in constraints:
        match constraint:
            case Count(cells, values, "==" | ">=", number) if number > 0 and len(values) >= SEVERAL:
                found.setdefault(cells, []).append((values, number))
            case _:
                pass
    return found


def _are_disjoint(needs: Sequence[Need]) -> bool:
    """Return whether no value serves two needs."""
    return len(frozenset().union(*(values for values, _ in needs))) == sum(len(values) for values, _ in needs)

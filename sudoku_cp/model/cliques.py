"""Which cells are known to differ, and what follows for sums and counts over them.

Rules of this file: a set of cells is an int, bit c for cell c. A clique is a set of cells that all differ from each
other, so their values form a set: a sum over them is far tighter than over cells that may repeat.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from sudoku_cp.model.model import COMPARE, AllDifferent, Constraint, DigitSet, Linear, Model, Table, cells_of, members
from sudoku_cp.time_limits import tick, ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.grid import Cell

CellSet: TypeAlias = int
"""A set of cells as bits."""
PAIR = 2
"""As many cells as a relation has."""

_different_cells_of: WeakKeyDictionary[Model, Sequence[CellSet]] = WeakKeyDictionary()


def cell_set(cells: Iterable[Cell]) -> CellSet:
    """Return the set of ``cells`` as bits."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def different_cells(model: Model) -> Sequence[CellSet]:
    """Return for each cell the set of the cells known to hold another value; it is computed once for each model."""
    found = _different_cells_of.get(model)
    if found is None:
        found = _different_cells_of[model] = _find_different(model)
    return found


def remember(model: Model, found: Sequence[CellSet]) -> None:
    """Store which cells of ``model`` differ, if a pass has already found it."""
    _different_cells_of[model] = found


def _find_different(model: Model) -> Sequence[CellSet]:
    return different_board_cells((constraint for constraint, _, _ in model.statements), len(model.domains))


def different_board_cells(constraints: Iterable[Constraint], size: int) -> Sequence[CellSet]:
    """Return for each of ``size`` cells those known to hold another value; auxiliaries of rules (below 0) are left out."""
    houses: list[tuple[Cell, ...]] = []
    rest: list[tuple[Cell, ...]] = []
    for constraint in ticked(constraints):
        if isinstance(constraint, AllDifferent):
            houses.append(constraint.cells)
        elif isinstance(constraint, DigitSet) or _pair_differs(constraint):
            rest.append(cells_of(constraint))
    found = list(_adjacent(tuple(houses), size))
    for cells in ticked(rest):
        on_board = [cell for cell in cells if cell >= 0]
        whole = cell_set(on_board)
        for cell in on_board:
            found[cell] |= whole
    return tuple([others & ~(1 << cell) for cell, others in enumerate(found)])


def _pair_differs(constraint: Constraint) -> bool:
    """Return whether a constraint relates two cells in a way that keeps them different."""
    match constraint:
        case Table((_, _), tuples):
            return never_equal(tuples)
        case Linear(((_, factor), (_, opposite)), relation, total):
            # The difference of two equal values is 0.
            return factor == -opposite != 0 and not COMPARE[relation](0, total)
        case _:
            return False


@lru_cache(maxsize=64)
def _adjacent(cliques: tuple[tuple[Cell, ...], ...], size: int) -> tuple[CellSet, ...]:
    """Return for each cell the union of the ``cliques`` that it is in, itself included."""
    found = [0] * size
    for cells in cliques:
        on_board = [cell for cell in cells if cell >= 0]
        whole = cell_set(on_board)
        for cell in on_board:
            found[cell] |= whole
    return tuple(found)


@lru_cache(maxsize=1024)
def never_equal(tuples: frozenset[tuple[int, ...]]) -> bool:
    """Return whether no pair among ``tuples`` holds the same value twice."""
    return all(first != second for first, second in tuples)


def clique_terms(terms: Iterable[tuple[Cell, int]], different: Sequence[CellSet]) -> list[tuple[int, tuple[Cell, ...]]]:
    """Return a sum's ``terms`` as (factor, clique) pairs: few and large cliques, the larger first.

    A cell that is named several times counts with the sum of its factors, and not at all if that is 0.
    """
    factors: dict[Cell, int] = {}
    for cell, factor in terms:
        factors[cell] = factors.get(cell, 0) + factor
    by_factor: dict[int, CellSet] = {}
    for cell, factor in factors.items():
        if factor:
            by_factor[factor] = by_factor.get(factor, 0) | 1 << cell
    found = [(factor, clique) for factor, cells in by_factor.items() for clique in _clique_cover(cells, different)]
    return sorted(found, key=lambda group: -len(group[1]))


def clique_cover(cells: Iterable[Cell], different: Sequence[CellSet]) -> list[tuple[Cell, ...]]:
    """Return ``cells``, each once, as few and large cliques, the larger first: none of them holds a value twice."""
    return _clique_cover(cell_set(cells), different)


def _clique_cover(left: CellSet, different: Sequence[CellSet]) -> list[tuple[Cell, ...]]:
    found = []
    while left:
        clique = _grow_clique(left, different)
        found.append(clique)
        left &= ~cell_set(clique)
    return sorted(found, key=len, reverse=True)


def _grow_clique(left: CellSet, different: Sequence[CellSet]) -> tuple[Cell, ...]:
    """Return a clique of ``left``: the cell with most neighbours there, then the one with most among those, and so on."""
    clique = []
    while left:
        tick()
        best, most, rest = 0, -1, left
        while rest:
            lowest = rest & -rest
            rest ^= lowest
            cell = lowest.bit_length() - 1
            degree = (left & different[cell]).bit_count()
            if degree > most:
                best, most = cell, degree
        clique.append(best)
        left &= different[best]
        if is_clique(left, different):
            clique += members(left)
            break
    return tuple(clique)


def is_clique(cells: CellSet, different: Sequence[CellSet]) -> bool:
    """Return whether all of ``cells`` are known to differ from each other."""
    rest = cells
    while rest:
        lowest = rest & -rest
        rest ^= lowest
        if rest & ~different[lowest.bit_length() - 1]:
            return False
    return True

"""Small hitting sets of the unavoidable sets, by a SAT solver with a totalizer (Bailleux and Boufkhad, 2003)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysat.card import ITotalizer

from sudoku_cp.backends import Limits
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sudoku_cp.backends import Clock
    from sudoku_cp.grid import Cell


class HittingSetSearch:
    """Looks for a bounded number of cells that hit all sets added so far; learnt clauses serve later questions."""

    def __init__(self, cells: Sequence[Cell], clock: Clock) -> None:
        """Begin without sets; only ``cells`` may be chosen; loading and questions end at the limits of ``clock``."""
        self._variables = {cell: number for number, cell in enumerate(cells, 1)}
        totals = ITotalizer(list(self._variables.values()), ubound=len(cells))
        self._at_least: Sequence[int] = totals.rhs
        self._oracle = SatOracle("cadical153", [totals.cnf.clauses], clock)
        self._clock = clock

    def add(self, cells: Iterable[Cell]) -> None:
        """Require one of these cells from now on."""
        self._oracle.add([self._variables[cell] for cell in cells if cell in self._variables])

    def cover(self, most: int, conflicts: int) -> Collection[Cell] | None:
        """Return at most ``most`` cells that hit every set, None where there are none.

        Raises `LimitReached`, also after ``conflicts`` conflicts.
        """
        self._clock.check()
        if most >= len(self._variables):
            return list(self._variables)
        budget = Limits(self._clock.seconds_left, conflicts, self._clock.limits.cancel).started()
        if not self._oracle.solve([-self._at_least[most]], budget, dict.fromkeys(COUNTERS, 0)):
            return None
        true = {literal for literal in self._oracle.model() if literal > 0}
        return [cell for cell, variable in self._variables.items() if variable in true]

"""Small sets of groups that refute a literal: a known one shrunk by SAT, then the smallest there is, if there is time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.logic.proofs.group_solver import GroupSolver
from sudoku_cp.queries.delta_debugging import step_limits
from sudoku_cp.queries.minimal_cores import Core, minimal_core, smallest_core

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.group_clauses import GroupClauses
    from sudoku_cp.logic.proofs.part_clauses import ProofLiteral


class SmallProofs:
    """The sets of groups that refute one literal, which together they must; a `CoreOracle`.

    For `minimal_cores` a part is a group counted from the end, because deletion there begins with the highest number.
    """

    def __init__(self, board: CandidateBoard, groups: Sequence[GroupClauses], target: ProofLiteral, clock: Clock) -> None:
        """Load what the groups of a board say."""
        self._solver = GroupSolver(board, groups, clock)
        self._target, self._clock = target, clock
        self._last = len(groups) - 1

    def smallest(self, known: frozenset[int] | None, patience: float) -> Core:
        """Return the smallest set found within ``patience`` seconds, at least a minimal one, begun from a ``known`` one.

        Raises `LimitReached` if the clock runs out.
        """
        everything = range(self._last + 1)
        core = frozenset(self._last - group for group in known) if known else self.ask(everything, clock=self._clock)
        if not isinstance(core, frozenset):
            raise TypeError("the groups do not refute the literal")
        found = minimal_core(self, core, self._clock)
        self._clock.check()
        if patience > 0 and len(found.parts) > 1:
            found = smallest_core(self, self._last + 1, found, step_limits(self._clock.left(), patience).started())
        found = replace(found, smallest=found.smallest or len(found.parts) <= 1)
        return replace(found, parts=frozenset(self._last - part for part in found.parts))

    def ask(self, held: Collection[int], *, clock: Clock) -> Solution | frozenset[int]:
        """Return an assignment in which the literal is true and the parts ``held`` hold, or some of them that refute it."""
        core = self._solver.core(self._target, sorted(self._last - part for part in held), clock)
        return self._solver.assignment() if core is None else frozenset(self._last - group for group in core)

    def obeyed(self, solution: Solution) -> list[int]:
        """Return the parts that an assignment obeys."""
        return [self._last - group for group in self._solver.obeyed(solution)]

"""Cells whose value a SAT solver proves, for paths on boards on which propagation refutes nothing.

There a proof that a person could follow is seldom found, and a path that removed candidate after candidate would not end. So what
is proved is a value, which leads further: of a cell of few candidates, with few conflicts. Effort is counted in conflicts, so
that the answer is the same everywhere.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.proofs.part_clauses import group_clauses, literal_numbers
from sudoku_cp.logic.proofs.searched_refutations import GroupSolver, narrowed_core
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.backends import Clock
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.part_clauses import GroupClauses
    from sudoku_cp.logic.step import ProofGroup
    from sudoku_cp.model import Domain

ENOUGH = 3
"""Cells that are settled at a time, if there are as many."""
EFFORTS = (50, 500, 5_000, None)
"""The most conflicts for each cell, until some are settled; None is without a limit."""

PATIENCE = 2_000
"""The most conflicts for making a proof smaller, each time."""
TIMES = 3
"""How often a proof is made smaller: nobody follows it, so that it should be found soon."""


class SettledCell(NamedTuple):
    """A cell, the only value it can have, and groups that prove that."""

    cell: int
    value: int
    proof: tuple[ProofGroup, ...]


def settled_cells(board: CandidateBoard, clock: Clock) -> list[SettledCell]:
    """Return some open cells that have only one value in all solutions; none if there are none. Raises `LimitReached`."""
    search = _CellSearch(board, clock)
    for most in EFFORTS:
        if found := list(search.settled(most)):
            return found
    return []


class _CellSearch:
    """Asks for solutions in which a cell has another value than in those seen, until there is none."""

    def __init__(self, board: CandidateBoard, clock: Clock) -> None:
        self._board, self._clock = board, clock
        self._groups: Sequence[GroupClauses] = group_clauses(board)
        self._solver = GroupSolver(board, self._groups, clock)
        self._numbers = literal_numbers(board.layout)
        self._seen: dict[Cell, Domain] = defaultdict(int)

    def settled(self, most: int | None) -> Iterator[SettledCell]:
        """Yield cells that ``most`` conflicts suffice to settle, `ENOUGH` of them; those of few candidates in front."""
        number = 0
        for cell in sorted(members(self._board.open), key=lambda cell: self._board.candidates[cell].bit_count()):
            if number == ENOUGH:
                return
            if found := self._settle(cell, most):
                number += 1
                yield found

    def _settle(self, cell: Cell, most: int | None) -> SettledCell | None:
        """Settle a cell; None if it has several values, or the conflicts do not suffice."""
        while True:
            seen = self._seen[cell] or self._board.candidates[cell]
            value = (seen & -seen).bit_length() - 1
            if self._seen[cell] & (self._seen[cell] - 1):
                return None
            literal = self._numbers.literal(cell, value) ^ 1
            core = self._solver.core_within(literal, range(len(self._groups)), most, self._clock)
            if core is not None:
                groups = [self._groups[number] for number in sorted(core)]
                left = narrowed_core(self._board, groups, literal, self._clock, PATIENCE, TIMES)
                return SettledCell(cell, value, tuple(group.group for group in left))
            if not self._solver.agrees:
                return None
            self._note_solution()

    def _note_solution(self) -> None:
        for variable, sign in enumerate(self._solver.assignment()):
            if sign > 0 and (candidate := self._numbers.candidate(2 * variable)):
                self._seen[candidate[0]] |= 1 << candidate[1]

"""A SAT solver in which each proof group of a board is held or left out, for proofs that propagation does not find or shrink."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle, solver_named
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.proofs.part_clauses import literal_numbers
from sudoku_cp.ticks import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sudoku_cp.backends import Clock
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.group_clauses import GroupClauses
    from sudoku_cp.logic.proofs.part_clauses import ProofLiteral
    from sudoku_cp.logic.step import ProofGroup

SOLVER = "glucose4"
"""Of python-sat's solvers the one that finds the smallest cores here."""

PATIENCE = 2_000
"""Conflicts after which a group counts as needed, when one is left out after the other."""


class GroupSolver:
    """Returns which of the groups held contradict a literal; ``agrees`` if the last question ended without contradiction."""

    def __init__(self, board: CandidateBoard, groups: Sequence[GroupClauses], clock: Clock) -> None:
        """Load what the groups say, each clause behind the guard of its group."""
        self.groups = groups
        self.agrees = False
        own = literal_numbers(board.layout).own
        self._counts = dict.fromkeys(COUNTERS, 0)
        with ticking(clock.check):
            used = (literal for group in groups for clause in ticked((*group.clauses, group.exclusive)) for literal in clause)
            self._first = max(own, max((literal // 2 for literal in used), default=0)) + 2
            blocks = [
                [[*clause, -self._first - number] for clause in ticked(_dimacs(group))] for number, group in enumerate(groups)
            ]
        self._oracle = SatOracle(solver_named(SOLVER), blocks, clock)

    def core(self, target: ProofLiteral, held: Iterable[int], clock: Clock) -> frozenset[int] | None:
        """Return some of the groups held that contradict a literal, None if it agrees with all; raises `LimitReached`."""
        assumed = [_signed(target), *(self._first + number for number in held)]
        self.agrees = False
        self.agrees = self._oracle.solve(assumed, clock, self._counts)
        if self.agrees:
            return None
        return frozenset(literal - self._first for literal in self._oracle.core() if literal >= self._first)

    def core_within(self, target: ProofLiteral, held: Iterable[int], most: int | None, clock: Clock) -> frozenset[int] | None:
        """Return what `core` does, but None also if more than ``most`` conflicts are needed (no limit if that is None)."""
        own = replace(clock.left(), nodes=most).started()
        try:
            return self.core(target, held, own)
        except LimitReached as reached:
            if reached.reason != "nodes":
                raise
        return None

    def count_implied(self, target: ProofLiteral) -> int:
        """Return how many literals propagation infers from one, with all groups held."""
        return self._oracle.count_implied([_signed(target), *(self._first + number for number in range(len(self.groups)))])

    def proof(self, numbers: Iterable[int]) -> tuple[ProofGroup, ...]:
        """Return the groups of these numbers, in order."""
        return tuple(self.groups[number].group for number in sorted(numbers))

    def assignment(self) -> tuple[int, ...]:
        """Return what the solver has just found, each variable in its place, negative if it is false."""
        return tuple(self._oracle.model()[: self._first - 1])

    def obeyed(self, assignment: Sequence[int]) -> list[int]:
        """Return the groups that an assignment obeys."""
        return [number for number, group in enumerate(self.groups) if _obeys(group, assignment)]

    def shrink(self, target: ProofLiteral, core: Collection[int], clock: Clock) -> frozenset[int]:
        """Leave groups out of a core, in the order of their numbers, while the rest is seen to contradict the literal."""
        left, needed = frozenset(core), set[int]()
        while open_ := left - needed:
            number = min(open_)
            found = self.core_within(target, sorted(left - {number}), PATIENCE, clock)
            if found is None:
                needed.add(number)
            else:
                left = found
        return left


def _dimacs(group: GroupClauses) -> Iterator[list[int]]:
    for clause in group.clauses:
        yield [_signed(literal) for literal in clause]
    for one, other in combinations(group.exclusive, 2):
        yield [-_signed(one), -_signed(other)]


def _signed(literal: ProofLiteral) -> int:
    """Return a literal as DIMACS has it: a variable from 1 on, negative if it is false."""
    return -(literal // 2) - 1 if literal & 1 else literal // 2 + 1


def _obeys(group: GroupClauses, assignment: Sequence[int]) -> bool:
    def is_true(literal: ProofLiteral) -> bool:
        return (assignment[literal // 2] > 0) != bool(literal & 1)

    return all(any(map(is_true, clause)) for clause in group.clauses) and sum(map(is_true, group.exclusive)) <= 1

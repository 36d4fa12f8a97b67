"""Refutations by SAT, for boards on which propagation refutes nothing: small sets of groups, found by deletion.

A candidate from which much follows is refuted soon, and what is refuted with few conflicts has a small proof, more often than
not: there proofs are sought. Each has a solver of its own, for what one has learned from other candidates would bring most
groups of the board into every proof. Effort is counted in conflicts, so that the answer is the same everywhere.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle, solver_named
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.proofs.part_clauses import group_clauses, literal_numbers, signed_clauses, signed_literal
from sudoku_cp.logic.proofs.refutations import Refutation, open_candidates
from sudoku_cp.model import members
from sudoku_cp.queries.conflicts import Core, minimal_core, smallest_core, step_limits
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.part_clauses import GroupClauses, ProofLiteral
    from sudoku_cp.logic.step import Candidate, ProofGroup
    from sudoku_cp.model import Domain


ENOUGH = 8
"""Candidates that are proved, if there are as many."""
EFFORTS = ((40, 50), (120, 300), (None, 3_000), (None, None))
"""How many candidates are tried, and the most conflicts for each, until some are refuted; None is without a limit."""


def searched_refutations(board: CandidateBoard, clock: Clock) -> list[Refutation]:
    """Return candidates with small sets of groups that refute them, the smallest in front; none if none can be refuted.

    Raises `LimitReached`.
    """
    groups, found = group_clauses(board), list[Refutation]()
    candidates = _by_consequences(board, groups, clock)
    possible: set[Candidate] = set()
    for most_candidates, most_conflicts in EFFORTS:
        for candidate, core in _cores(board, groups, candidates[:most_candidates], most_conflicts, clock, possible):
            found.append(_shrink(board, candidate, core, clock))
            if len(found) == ENOUGH:
                break
        if found:
            break
    return sorted(found, key=lambda refutation: (refutation.size, refutation))


def _by_consequences(board: CandidateBoard, groups: Sequence[GroupClauses], clock: Clock) -> list[Candidate]:
    """Return the open candidates, those in front from which propagation infers the most."""
    solver, numbers = GroupSolver(board, groups, clock), literal_numbers(board.layout)
    with ticking(clock.check):
        open_ = ticked(open_candidates(board), 1)
        counts = [(-solver.count_implied(numbers.literal(*candidate)), candidate) for candidate in open_]
    return [candidate for _, candidate in sorted(counts)]


def _cores(
    board: CandidateBoard,
    groups: Sequence[GroupClauses],
    candidates: Iterable[Candidate],
    most: int | None,
    clock: Clock,
    possible: set[Candidate],
) -> Iterator[tuple[Candidate, list[GroupClauses]]]:
    """Yield those of the candidates that ``most`` conflicts suffice to refute, each with groups that refute it.

    Those that stand in a solution are noted as ``possible``, and are not tried: one solver looks for solutions with all of them.
    """
    numbers, everything = literal_numbers(board.layout), range(len(groups))
    finder = GroupSolver(board, groups, clock)
    for candidate in candidates:
        if candidate in possible:
            continue
        literal = numbers.literal(*candidate)
        finder.core_within(literal, everything, most, clock)
        if finder.agrees:
            true = (2 * variable for variable, sign in enumerate(finder.assignment()) if sign > 0)
            possible.update(found for one in true if (found := numbers.candidate(one)))
        elif named := GroupSolver(board, groups, clock).core_within(literal, everything, most, clock):
            yield candidate, narrowed_core(board, [groups[number] for number in sorted(named)], literal, clock, most)


def narrowed_core(
    board: CandidateBoard,
    core: Sequence[GroupClauses],
    literal: ProofLiteral,
    clock: Clock,
    most: int | None = None,
    times: int | None = None,
) -> list[GroupClauses]:
    """Return groups of a core that refute its literal too, by asking again (a number of times) while they get fewer.

    A question that takes over ``most`` conflicts is the last.
    """
    left = list(core)
    for _ in count() if times is None else range(times):
        named = GroupSolver(board, left, clock).core_within(literal, range(len(left)), most, clock)
        if not named or len(named) == len(left):
            break
        left = [left[number] for number in sorted(named)]
    return left


def _shrink(board: CandidateBoard, candidate: Candidate, core: Sequence[GroupClauses], clock: Clock) -> Refutation:
    """Return the refutation by those groups of a core that deletion finds to be needed."""
    solver, literal = GroupSolver(board, core, clock), literal_numbers(board.layout).literal(*candidate)
    return Refutation(*candidate, solver.proof(solver.shrink(literal, range(len(core)), clock)))


# A SAT solver in which each proof group of a board is held or left out, for proofs that propagation does not find or shrink.


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
                [[*clause, -self._first - number] for clause in ticked(signed_clauses(group))]
                for number, group in enumerate(groups)
            ]
        self._oracle = SatOracle(solver_named(SOLVER), blocks, clock)

    def core(self, target: ProofLiteral, held: Iterable[int], clock: Clock) -> frozenset[int] | None:
        """Return some of the groups held that contradict a literal, None if it agrees with all; raises `LimitReached`."""
        assumed = [signed_literal(target), *(self._first + number for number in held)]
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
        return self._oracle.count_implied([signed_literal(target), *(self._first + number for number in range(len(self.groups)))])

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


def _obeys(group: GroupClauses, assignment: Sequence[int]) -> bool:
    def is_true(literal: ProofLiteral) -> bool:
        return (assignment[literal // 2] > 0) != bool(literal & 1)

    return all(any(map(is_true, clause)) for clause in group.clauses) and sum(map(is_true, group.exclusive)) <= 1


# Small sets of groups that refute a literal: a known one shrunk by SAT, then the smallest there is, if there is time.


class SmallProofs:
    """The sets of groups that refute one literal, which together they must; a `CoreOracle`.

    For a minimal core a part is a group counted from the end, because deletion there begins with the highest number.
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


# Cells whose value a SAT solver proves, for paths on boards on which propagation refutes nothing.
#
# There a proof that a person could follow is seldom found, and a path that removed candidate after candidate would not end. So
# what is proved is a value, which leads further: of a cell of few candidates, with few conflicts. Effort is counted in
# conflicts, so that the answer is the same everywhere.


ENOUGH_CELLS = 3
"""Cells that are settled at a time, if there are as many."""
EFFORTS_TO_SETTLE = (50, 500, 5_000, None)
"""The most conflicts for each cell, until some are settled; None is without a limit."""

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
    for most in EFFORTS_TO_SETTLE:
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
        """Yield cells that ``most`` conflicts suffice to settle, `ENOUGH_CELLS` of them; those of few candidates in front."""
        number = 0
        for cell in sorted(members(self._board.open), key=lambda cell: self._board.candidates[cell].bit_count()):
            if number == ENOUGH_CELLS:
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

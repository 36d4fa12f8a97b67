"""Refutations by SAT, for boards on which propagation refutes nothing: small sets of groups, found by deletion.

A candidate from which much follows is refuted soon, and what is refuted with few conflicts has a small proof, more often than
not: there proofs are sought. Each has a solver of its own, for what one has learned from other candidates would bring most
groups of the board into every proof. Effort is counted in conflicts, so that the answer is the same everywhere.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from sudoku_cp.logic.proofs.group_clauses import group_clauses
from sudoku_cp.logic.proofs.group_solver import GroupSolver
from sudoku_cp.logic.proofs.part_clauses import literal_numbers
from sudoku_cp.logic.proofs.refutations import Refutation, open_candidates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.backends import Clock
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.group_clauses import GroupClauses
    from sudoku_cp.logic.proofs.part_clauses import ProofLiteral
    from sudoku_cp.logic.step import Candidate

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
    counts = [(-solver.count_implied(numbers.literal(*candidate)), candidate) for candidate in open_candidates(board)]
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

"""Refutations to be read in order: a candidate is supposed, and what follows ends in a contradiction, or in cases that all do.

Of a refutation that propagation follows, the lines are put in order. Where propagation refutes nothing, a second candidate is
supposed upon the first: the two (or else three) that are left of a cell, or of the places of a value, each have to lead to a
contradiction.
A solver propagates, as there are thousands of pairs to try; it never searches, so that the answer is the same everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.proofs.part_clauses import group_clauses, literal_numbers, signed_clauses
from sudoku_cp.logic.proofs.proof_lines import ProofPropagation, proof_lines
from sudoku_cp.logic.proofs.refutations import open_candidates
from sudoku_cp.logic.step import ProofStatement, Supposition
from sudoku_cp.model import members
from sudoku_cp.time_limits import ticking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.part_clauses import GroupClauses, LiteralNumbers, ProofLiteral
    from sudoku_cp.logic.proofs.refutations import Refutation
    from sudoku_cp.logic.step import ProofGroup

CASES = (2, 3)
"""A choice has so many cases, the fewer first: of more, nobody keeps track."""
ENOUGH = 24
"""Suppositions with cases that are compared by how much follows from them; the first so many that are found."""
COMPARED = 4
"""Those of them, with the fewest consequences, that are put in order and compared by their lines."""


def supposition_of(board: CandidateBoard, refutation: Refutation, groups: Sequence[GroupClauses]) -> Supposition | None:
    """Return how a refutation by groups of a board is read; None if propagation does not follow it."""
    numbers, candidate = literal_numbers(board.layout), (refutation.cell, refutation.value)
    lines = proof_lines(groups, numbers.literal(*candidate), numbers)
    return Supposition(candidate, lines) if lines else None


class ProvedSupposition(NamedTuple):
    """A supposition that fails, and the groups that prove that."""

    supposition: Supposition
    proof: tuple[ProofGroup, ...]


def suppositions_by_cases(board: CandidateBoard) -> list[ProvedSupposition]:
    """Return suppositions that few cases each contradict, that with the fewest lines in front; none where it takes more.

    Raises what the board's tick raises.
    """
    search = _CaseSearch(board)
    with ticking(board.tick):
        found = next((some for most in CASES if (some := sorted(search.choices(most))[:COMPARED])), [])
        told = [search.supposition(choice, target, literals) for _, choice, target, literals in found]
    return sorted(told, key=lambda one: (_line_count(one.supposition), one.supposition.candidate))


def _line_count(supposition: Supposition) -> int:
    return len(supposition.lines) + sum(map(_line_count, supposition.cases))


class _CaseSearch:
    """Propagates what is supposed on a board, and looks for choices of which it contradicts all cases."""

    def __init__(self, board: CandidateBoard) -> None:
        from sudoku_cp.backends.sat_oracle import SatOracle, solver_named  # noqa: PLC0415  # a solver library

        self._board = board
        self._groups: Sequence[GroupClauses] = group_clauses(board)
        self._numbers: LiteralNumbers = literal_numbers(board.layout)
        self._oracle = SatOracle(solver_named("glucose4"), [list(signed_clauses(group)) for group in self._groups], board.clock)
        self._choices = [
            (number, group.clauses[0])
            for number, group in enumerate(self._groups)
            if group.group.statement in {ProofStatement.HAS_VALUE, ProofStatement.HAS_PLACE}
        ]

    def choices(self, most: int) -> Iterator[tuple[int, int, ProofLiteral, tuple[ProofLiteral, ...]]]:
        """Yield how much follows, a choice of ``most`` cases, the literal supposed, and the cases, of `ENOUGH` suppositions."""
        found = 0
        cells = sorted(members(self._board.open), key=lambda cell: self._board.candidates[cell].bit_count())
        rank = {cell: place for place, cell in enumerate(cells)}
        for candidate in sorted(open_candidates(self._board), key=lambda one: (rank[one[0]], one)):
            self._board.tick()
            target = self._numbers.literal(*candidate)
            implied = self._propagate((target,))
            for number, left in self._open_choices(implied or frozenset(), most):
                size = self._size_of_cases(target, left)
                if size is not None and implied is not None:
                    yield len(implied) + size, number, target, left
                    found += 1
                    break
            if found == ENOUGH:
                return

    def _open_choices(self, implied: frozenset[int], most: int) -> Iterator[tuple[int, tuple[ProofLiteral, ...]]]:
        """Yield the choices between so many candidates that what is implied leaves."""
        for number, clause in self._choices:
            left = tuple(literal for literal in clause if -(literal // 2 + 1) not in implied)
            if len(left) == most and not any(literal // 2 + 1 in implied for literal in left):
                yield number, left

    def _size_of_cases(self, target: ProofLiteral, cases: Iterable[ProofLiteral]) -> int | None:
        """Return how much follows from the cases until each is contradicted; None if one is not."""
        size = 0
        for case in cases:
            agrees, literals = self._oracle.propagate([target // 2 + 1, case // 2 + 1])
            if agrees:
                return None
            size += len(literals)
        return size

    def _propagate(self, literals: Iterable[ProofLiteral]) -> frozenset[int] | None:
        """Return what follows from literals, as signed variables from 1; None if that is a contradiction."""
        agrees, implied = self._oracle.propagate([literal // 2 + 1 for literal in literals])
        return frozenset(implied) if agrees else None

    def supposition(self, choice: int, target: ProofLiteral, cases: tuple[ProofLiteral, ...]) -> ProvedSupposition:
        """Return the lines that lead to a choice, and from each of its cases to a contradiction."""
        trunk = ProofPropagation(self._groups)
        trunk.suppose(target)
        ends = {literal ^ 1 for literal in self._groups[choice].clauses[0] if literal not in cases}
        used, told = {choice}, []
        for case in cases:
            branch = trunk.copy()
            branch.suppose(case)
            if branch.contradiction is None:
                raise TypeError("propagation does not contradict a case")
            needed = branch.needed(branch.contradiction.literals)
            own = [literal for literal in needed if literal not in trunk.reasons]
            ends |= set(needed) & trunk.reasons.keys()
            used |= {*branch.groups_of(own), branch.contradiction.group}
            candidate = self._numbers.candidate(case)
            if candidate is None:
                raise TypeError(f"expected a case that is a candidate, got {case}")
            told.append(Supposition(candidate, branch.lines(own, self._numbers, branch.contradiction)))
        needed = trunk.needed(ends)
        used |= set(trunk.groups_of(needed))
        candidate = self._numbers.candidate(target)
        if candidate is None:
            raise TypeError(f"expected to suppose a candidate, got {target}")
        group = self._groups[choice].group
        whole = Supposition(candidate, trunk.lines(needed, self._numbers), group, tuple(told))
        return ProvedSupposition(whole, tuple(self._groups[number].group for number in sorted(used)))

"""Refutations to be read in order: a candidate is supposed, and what follows ends in a contradiction, or in cases that all do.

Of a refutation that propagation follows, the lines are put in order. Where propagation refutes nothing, a second candidate is
supposed upon the first: the two (or else three) that are left of a cell, or of the places of a value, each have to lead to a
contradiction.
A solver propagates, as there are thousands of pairs to try; it never searches, so that the answer is the same everywhere.
"""

from __future__ import annotations

from collections import defaultdict, deque
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.proofs.part_clauses import group_clauses, literal_numbers, signed_clauses
from sudoku_cp.logic.proofs.refutations import open_candidates
from sudoku_cp.logic.step import Claim, ProofLine, ProofStatement, Supposition
from sudoku_cp.model import members
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.part_clauses import GroupClauses, LiteralClause, LiteralNumbers, ProofLiteral
    from sudoku_cp.logic.proofs.refutations import Refutation
    from sudoku_cp.logic.step import ProofGroup


# A proof as lines to be read one after the other: what each group shows, from what is known by then.


class _Reason(NamedTuple):
    group: int
    literals: LiteralClause


def proof_lines(groups: Sequence[GroupClauses], target: ProofLiteral, numbers: LiteralNumbers) -> tuple[ProofLine, ...] | None:
    """Return how the groups of a proof refute a literal, in order; None if propagation alone does not show it."""
    propagation = ProofPropagation(groups)
    propagation.suppose(target)
    if propagation.contradiction is None:
        return None
    return propagation.lines(propagation.needed(propagation.contradiction.literals), numbers, propagation.contradiction)


def _make_line(
    groups: Sequence[GroupClauses], reason: _Reason, literal: ProofLiteral | None, numbers: LiteralNumbers
) -> ProofLine:
    uses = _claims(reason.literals, numbers)
    return ProofLine(groups[reason.group].group, uses, () if literal is None else _claims((literal,), numbers))


def _claims(literals: Iterable[ProofLiteral], numbers: LiteralNumbers) -> tuple[Claim, ...]:
    found = ((numbers.candidate(literal), not literal & 1) for literal in literals)
    return tuple(Claim(*candidate, holds) for candidate, holds in found if candidate)


class ProofPropagation:
    """Follows what groups force from literals that are supposed, one upon the other; what is found first comes first."""

    def __init__(self, groups: Sequence[GroupClauses]) -> None:
        """Suppose nothing yet."""
        self._groups = groups
        self._clauses: dict[ProofLiteral, list[tuple[int, LiteralClause]]] = defaultdict(list)
        self._exclusive: dict[ProofLiteral, list[int]] = defaultdict(list)
        self._waiting: deque[ProofLiteral] = deque()
        self.reasons: dict[ProofLiteral, _Reason | None] = {}
        """Why each literal follows, in order; None for what is supposed."""
        self.contradiction: _Reason | None = None
        """What cannot hold, if anything."""
        for number, group in enumerate(groups):
            for clause in ticked(group.clauses):
                for literal in clause:
                    self._clauses[literal ^ 1].append((number, clause))
            for literal in group.exclusive:
                self._exclusive[literal].append(number)

    def copy(self) -> ProofPropagation:
        """Return another one that goes on from here."""
        other = copy(self)
        other.reasons, other._waiting = dict(self.reasons), deque()  # noqa: SLF001  # its own
        return other

    def suppose(self, target: ProofLiteral) -> None:
        """Follow what a literal forces, until nothing is new or something cannot hold."""
        is_first = not self.reasons
        self.reasons[target] = None
        self._waiting.append(target)
        for number, group in enumerate(self._groups) if is_first else ():
            for clause in ticked(group.clauses):
                self._look_at(number, clause)
        while self._waiting and self.contradiction is None:
            literal = self._waiting.popleft()
            for number in self._exclusive.get(literal, ()):
                for other in self._groups[number].exclusive:
                    if other != literal:
                        self._find(other ^ 1, _Reason(number, (literal,)))
            for number, clause in self._clauses.get(literal, ()):
                self._look_at(number, clause)

    def needed(self, ends: Iterable[ProofLiteral]) -> list[ProofLiteral]:
        """Return the literals that lead to some, these included, in the order in which they were found."""
        found: set[ProofLiteral] = set()
        waiting = list(ends)
        while waiting:
            literal = waiting.pop()
            if literal not in found:
                found.add(literal)
                reason = self.reasons[literal]
                waiting += reason.literals if reason else ()
        return [literal for literal in self.reasons if literal in found]

    def lines(
        self, literals: Iterable[ProofLiteral], numbers: LiteralNumbers, contradiction: _Reason | None = None
    ) -> tuple[ProofLine, ...]:
        """Return why literals follow, each line with what its group forces, and last what cannot hold, if that is named."""
        steps = [(self.reasons[literal], literal) for literal in literals]
        ends: list[tuple[_Reason | None, ProofLiteral | None]] = [*steps, (contradiction, None)]
        lines: list[ProofLine] = []
        for reason, literal in ends:
            if reason is None:
                continue
            line = _make_line(self._groups, reason, literal, numbers)
            if lines and lines[-1].group == line.group:
                own = {*lines[-1].forces, *lines[-1].uses}
                uses = (*lines[-1].uses, *(claim for claim in line.uses if claim not in own))
                lines[-1] = ProofLine(line.group, uses, (*lines[-1].forces, *line.forces) if literal is not None else ())
            else:
                lines.append(line)
        last = lines[-1:] if contradiction else []
        return tuple(line for line in lines if line.forces or line in last)

    def groups_of(self, literals: Iterable[ProofLiteral]) -> Iterator[int]:
        """Yield the numbers of the groups by which literals follow."""
        return (reason.group for literal in literals if (reason := self.reasons[literal]))

    def _look_at(self, number: int, clause: LiteralClause) -> None:
        left = [literal for literal in clause if literal ^ 1 not in self.reasons]
        if len(left) <= 1:
            denied = tuple(literal ^ 1 for literal in clause if literal not in left)
            if left:
                self._find(left[0], _Reason(number, denied))
            else:
                self.contradiction = self.contradiction or _Reason(number, denied)

    def _find(self, literal: ProofLiteral, reason: _Reason) -> None:
        """Note that a literal follows; if its negation does too, the group cannot hold together with what gave that."""
        if literal ^ 1 in self.reasons:
            self.contradiction = self.contradiction or _Reason(reason.group, (*reason.literals, literal ^ 1))
        elif literal not in self.reasons:
            self.reasons[literal] = reason
            self._waiting.append(literal)


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

"""A proof as lines to be read one after the other: what each group shows, from what is known by then."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.logic.proofs.part_clauses import GroupClauses, LiteralClause, LiteralNumbers, ProofLiteral
    from sudoku_cp.logic.step import ProofGroup


class Claim(NamedTuple):
    """That a cell holds a value, or (``holds`` False) that it does not."""

    cell: int
    value: int
    holds: bool


class ProofLine(NamedTuple):
    """What a group forces from the claims ``uses`` of earlier lines; the last line forces nothing: the group cannot hold.

    In a proof by cases, which propagation cannot follow, no line says what is forced.
    """

    group: ProofGroup
    uses: tuple[Claim, ...] = ()
    forces: tuple[Claim, ...] = ()


class _Reason(NamedTuple):
    group: int
    literals: LiteralClause


def proof_lines(groups: Sequence[GroupClauses], target: ProofLiteral, numbers: LiteralNumbers) -> tuple[ProofLine, ...] | None:
    """Return how the groups of a proof refute a literal, in order; None if propagation alone does not show it."""
    reasons, contradiction = _ProofPropagation(groups).run(target)
    if contradiction is None:
        return None
    steps = [*((reasons[literal], literal) for literal in _needed(reasons, contradiction)), (contradiction, None)]
    lines: list[ProofLine] = []
    for reason, literal in steps:
        if reason is None:
            continue
        line = _make_line(groups, reason, literal, numbers)
        if lines and lines[-1].group == line.group:
            own = {*lines[-1].forces, *lines[-1].uses}
            uses = (*lines[-1].uses, *(claim for claim in line.uses if claim not in own))
            lines[-1] = ProofLine(line.group, uses, (*lines[-1].forces, *line.forces) if literal is not None else ())
        else:
            lines.append(line)
    return tuple(line for line in lines if line.forces or line is lines[-1])


def _make_line(
    groups: Sequence[GroupClauses], reason: _Reason, literal: ProofLiteral | None, numbers: LiteralNumbers
) -> ProofLine:
    uses = _claims(reason.literals, numbers)
    return ProofLine(groups[reason.group].group, uses, () if literal is None else _claims((literal,), numbers))


def _claims(literals: Iterable[ProofLiteral], numbers: LiteralNumbers) -> tuple[Claim, ...]:
    found = ((numbers.candidate(literal), not literal & 1) for literal in literals)
    return tuple(Claim(*candidate, holds) for candidate, holds in found if candidate)


def _needed(reasons: dict[ProofLiteral, _Reason | None], contradiction: _Reason) -> list[ProofLiteral]:
    """Return the literals that lead to the contradiction, in the order in which they were found."""
    needed: set[ProofLiteral] = set()
    waiting = list(contradiction.literals)
    while waiting:
        literal = waiting.pop()
        if literal not in needed:
            needed.add(literal)
            reason = reasons[literal]
            waiting += reason.literals if reason else ()
    return [literal for literal in reasons if literal in needed]


class _ProofPropagation:
    """Follows what groups force from a literal, the literals found first in front."""

    def __init__(self, groups: Sequence[GroupClauses]) -> None:
        self._groups = groups
        self._clauses: dict[ProofLiteral, list[tuple[int, LiteralClause]]] = defaultdict(list)
        self._exclusive: dict[ProofLiteral, list[int]] = defaultdict(list)
        self._reasons: dict[ProofLiteral, _Reason | None] = {}
        self._contradiction: _Reason | None = None
        self._waiting: deque[ProofLiteral] = deque()

    def run(self, target: ProofLiteral) -> tuple[dict[ProofLiteral, _Reason | None], _Reason | None]:
        """Return the reason of each literal that follows, in order, and what cannot hold, if anything."""
        self._reasons[target] = None
        self._waiting.append(target)
        for number, group in enumerate(self._groups):
            for clause in ticked(group.clauses):
                for literal in clause:
                    self._clauses[literal ^ 1].append((number, clause))
                self._look_at(number, clause)
            for literal in group.exclusive:
                self._exclusive[literal].append(number)
        while self._waiting and self._contradiction is None:
            literal = self._waiting.popleft()
            for number in self._exclusive.get(literal, ()):
                for other in self._groups[number].exclusive:
                    if other != literal:
                        self._find(other ^ 1, _Reason(number, (literal,)))
            for number, clause in self._clauses.get(literal, ()):
                self._look_at(number, clause)
        return self._reasons, self._contradiction

    def _look_at(self, number: int, clause: LiteralClause) -> None:
        left = [literal for literal in clause if literal ^ 1 not in self._reasons]
        if len(left) <= 1:
            denied = tuple(literal ^ 1 for literal in clause if literal not in left)
            if left:
                self._find(left[0], _Reason(number, denied))
            else:
                self._contradiction = self._contradiction or _Reason(number, denied)

    def _find(self, literal: ProofLiteral, reason: _Reason) -> None:
        """Note that a literal follows; if its negation does too, the group cannot hold together with what gave that."""
        if literal ^ 1 in self._reasons:
            self._contradiction = self._contradiction or _Reason(reason.group, (*reason.literals, literal ^ 1))
        elif literal not in self._reasons:
            self._reasons[literal] = reason
            self._waiting.append(literal)

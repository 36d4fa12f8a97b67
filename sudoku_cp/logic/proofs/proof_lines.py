"""A proof as lines to be read one after the other: what each group shows, from what is known by then."""

from __future__ import annotations

from collections import defaultdict, deque
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.step import Claim, ProofLine
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.logic.proofs.part_clauses import GroupClauses, LiteralClause, LiteralNumbers, ProofLiteral


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

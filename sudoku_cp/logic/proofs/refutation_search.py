"""The search for a small refutation of a literal, in readable Python; `refutation_kernel` is the same in compiled code.

Theory of operation. The literal is assumed, and unit propagation follows what single proof groups force. It settles literals
in the order of the number of groups that it took to force them (Dijkstra's order), then of their numbers, then of the sets of
groups read as binary numbers, so that the answer is the same everywhere. The groups that it took to settle a literal are its
*cone*, a bit mask of group numbers. A literal forced both ways, or a group that cannot hold, is a contradiction: its cone
refutes the literal. Cones that share groups count these once, which no queue can foresee, so a cone need not be the smallest.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from heapq import heappop, heappush
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model import members
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sudoku_cp.logic.proofs.part_clauses import GroupClauses, LiteralClause, ProofLiteral
    from sudoku_cp.logic.step import ProofGroup

Cone: TypeAlias = int
"""A set of proof groups as bits: bit g is set when the group of number g is in."""
UNBOUNDED = sys.maxsize
"""A bound that no cone reaches."""


class RefutationSearch:
    """Looks for refutations by the proof groups of one board."""

    def __init__(self, groups: Sequence[GroupClauses]) -> None:
        """Index the groups by literals."""
        self._groups = groups
        self._clauses: list[tuple[Cone, LiteralClause]] = []
        self._denied_in: dict[ProofLiteral, list[int]] = defaultdict(list)
        self._excluded_by: dict[ProofLiteral, list[tuple[Cone, LiteralClause]]] = defaultdict(list)
        for number, group in enumerate(groups):
            for clause in ticked(group.clauses):
                for literal in clause:
                    self._denied_in[literal ^ 1].append(len(self._clauses))
                self._clauses.append((1 << number, clause))
            for literal in group.exclusive:
                self._excluded_by[literal].append((1 << number, group.exclusive))
        self._begin(0, UNBOUNDED)

    def proof(self, cone: Cone) -> tuple[ProofGroup, ...]:
        """Return the groups of a cone."""
        return tuple(self._groups[number].group for number in members(cone))

    def least(self, targets: Iterable[ProofLiteral], bound: int, tick: Callable[[], object]) -> list[tuple[ProofLiteral, Cone]]:
        """Return those of the targets that the fewest groups refute, if fewer than ``bound``, with their cones."""
        found: list[tuple[ProofLiteral, Cone]] = []
        for target in targets:
            tick()
            cone = self.refute(target, bound)
            if cone is None:
                continue
            if cone.bit_count() + 1 < bound or not found:
                bound, found = cone.bit_count() + 1, []
            found.append((target, cone))
        return found

    def refute(self, start: ProofLiteral, bound: int = UNBOUNDED) -> Cone | None:
        """Return a cone of fewer than ``bound`` groups that refutes a literal; None if propagation finds none."""
        self._begin(start, bound)
        queue, cones = self._queue, self.cones
        while queue:
            size, literal, cone = heappop(queue)
            if size >= self._bound:
                break
            if literal in cones:
                continue
            if literal ^ 1 in cones:
                self._contradiction(cone | cones[literal ^ 1])
                continue
            cones[literal] = cone
            self._follow_exclusions(literal, cone)
            self._follow_clauses(literal)
        return self._best

    def _begin(self, start: ProofLiteral, bound: int) -> None:
        """Assume a literal, and what groups force without it."""
        self.cones: dict[ProofLiteral, Cone] = {}
        self._unsettled = [len(clause) for _, clause in self._clauses]
        self._bound = bound
        self._best: Cone | None = None
        self._queue: list[tuple[int, ProofLiteral, Cone]] = [(0, start, 0)]
        for number, (_, clause) in enumerate(ticked(self._clauses)):
            if len(clause) <= 1:
                self._follow_clause(number)

    def _contradiction(self, cone: Cone) -> None:
        if cone.bit_count() < self._bound:
            self._bound, self._best = cone.bit_count(), cone

    def _push(self, literal: ProofLiteral, cone: Cone) -> None:
        if cone.bit_count() < self._bound:
            heappush(self._queue, (cone.bit_count(), literal, cone))

    def _follow_exclusions(self, literal: ProofLiteral, cone: Cone) -> None:
        """A true literal makes the others of its exclusive sets false."""
        for bit, literals in self._excluded_by.get(literal, ()):
            for other in literals:
                if other != literal and other ^ 1 not in self.cones:
                    self._push(other ^ 1, cone | bit)

    def _follow_clauses(self, literal: ProofLiteral) -> None:
        """Clauses in which all literals but one are false force that one."""
        for number in self._denied_in.get(literal, ()):
            self._unsettled[number] -= 1
            if self._unsettled[number] <= 1:
                self._follow_clause(number)

    def _follow_clause(self, number: int) -> None:
        union, clause = self._clauses[number]
        last: ProofLiteral | None = None
        for literal in clause:
            denied = self.cones.get(literal ^ 1)
            if denied is None:
                last = literal
            else:
                union |= denied
        if last is None:
            self._contradiction(union)
        else:
            self._push(last, union)

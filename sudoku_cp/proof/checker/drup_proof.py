"""Proofs in DRUP: every lemma follows by unit propagation (RUP), and the last one is the empty clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .dimacs_formula import CLAUSE_BYTES, Clauses, DimacsFormula
from .proof_files import read_numbers, require_lemmas
from .report import CheckBudget, Rejected, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def read_drup(name: str, data: bytes | bytearray, size: int, count: int, budget: CheckBudget) -> Clauses:
    """Parse the lemmas of a proof, ``count`` of them as the manifest says; this format has no deletions."""
    lemmas: Clauses = []
    for *lemma, end in read_numbers(name, data, count, budget):
        if end or (lemma and (max(lemma) > size or min(lemma) < -size or 0 in lemma)):
            raise Rejected(f"{name}: expected literals up to {size} and a 0 at the end, got {shown([*lemma, end])}")
        lemmas.append(lemma)
    require_lemmas(name, lemmas, count)
    return lemmas


class Propagation:
    """Unit propagation with two watched literals; clauses of two literals are lists of implications.

    ``value`` and the lists are indexed by literals, negative ones from the end.
    """

    def __init__(self, size: int, clauses: Clauses, groups: Clauses, budget: CheckBudget) -> None:
        """Add the clauses, shortest first: what is decided by then shortens the others."""
        self.value = bytearray(2 * size + 1)  # 1 where a literal is true
        self.implied: Clauses = [[] for _ in range(2 * size + 1)]
        self.watching: list[Clauses] = [[] for _ in range(2 * size + 1)]
        self.trail: list[int] = []
        self.contradiction = False
        self.budget = budget
        budget.hold(sum(8 * len(group) ** 2 for group in groups))
        for group in groups:
            budget.spend(len(group) ** 2 // 8)
            negative = [-variable for variable in group]
            for place, variable in enumerate(group):
                self.implied[variable] += negative[:place] + negative[place + 1 :]
        for clause in clauses:
            budget.spend(1)
            if len(clause) == 2:
                self.implied[-clause[0]].append(clause[1])
                self.implied[-clause[1]].append(clause[0])
        for clause in sorted((clause for clause in clauses if len(clause) != 2), key=len):
            budget.spend(2 + len(clause))
            budget.hold(CLAUSE_BYTES + 16 * len(clause))
            self.add(clause)

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause that holds from now on."""
        value, rest = self.value, dict.fromkeys(clause)
        if self.contradiction or any(value[literal] or -literal in rest for literal in rest):
            return
        left = [literal for literal in rest if not value[-literal]]
        if len(left) < 2:
            self.contradiction = not left or self.conflict(left)
        elif len(left) == 2:
            self.implied[-left[0]].append(left[1])
            self.implied[-left[1]].append(left[0])
        else:
            self.watching[left[0]].append(left)
            self.watching[left[1]].append(left)

    def follows(self, lemma: Iterable[int]) -> bool:
        """Return whether the negation of a lemma leads to a contradiction by unit propagation; undo it afterwards."""
        if self.contradiction:
            return True
        mark = len(self.trail)
        found = self.conflict([-literal for literal in lemma])
        for literal in self.trail[mark:]:
            self.value[literal] = 0
        del self.trail[mark:]
        return found

    def conflict(self, literals: Iterable[int]) -> bool:
        """Make the literals true and propagate; return whether that is a contradiction."""
        value, trail = self.value, self.trail
        place = len(trail)
        self.budget.spend(100)
        for literal in literals:
            if value[-literal]:
                return True
            if not value[literal]:
                value[literal] = 1
                trail.append(literal)
        while place < len(trail):
            if place & 63 == 0:
                self.budget.tick()
            literal = trail[place]
            place += 1
            for other in self.implied[literal]:
                if not value[other]:
                    if value[-other]:
                        return True
                    value[other] = 1
                    trail.append(other)
            if self.watching[-literal] and self._update_watches(-literal):
                return True
        return False

    def _update_watches(self, false: int) -> bool:
        """Find other literals to watch in the clauses that watch a false one; return whether a clause has none left."""
        value, kept = self.value, []
        clauses = self.watching[false]
        for number, clause in enumerate(clauses):
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            first = clause[0]
            if value[first]:
                kept.append(clause)
                continue
            for place in range(2, len(clause)):
                literal = clause[place]
                if not value[-literal]:
                    clause[1], clause[place] = literal, false
                    self.watching[literal].append(clause)
                    break
            else:
                kept.append(clause)
                if value[-first]:
                    self.watching[false] = kept + clauses[number + 1 :]
                    return True
                value[first] = 1
                self.trail.append(first)
        self.watching[false] = kept
        return False


def drup_problems(name: str, lemmas: Clauses, formula: DimacsFormula) -> Iterator[str]:
    """Yield the first lemma that does not follow by unit propagation from the clauses and the lemmas before it."""
    propagation = Propagation(formula.size, formula.clauses, formula.groups, formula.puzzle.budget)
    for number, lemma in enumerate(lemmas, 1):
        if not propagation.follows(lemma):
            text = " ".join(map(str, (*lemma, 0)))
            yield f"{name}: lemma {number} of {len(lemmas)} does not follow by unit propagation: '{text:.80}'"
            return
        propagation.add(lemma)

"""Proofs in LRAT: every lemma comes with hints, the clauses that it follows from, so that nothing has to be searched.

A line is the number of the lemma, its literals, 0, the numbers of its hints, 0. Clauses of the formula have the numbers from 1
on, in the order of formula.cnf; lemmas those after them. Hints are followed in order: once the literals of the lemma are false,
each clause has at most one literal that is not, which must then be true, and the last clause has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .clause_remainders import only_open_literal
from .dimacs_formula import CLAUSE_BYTES, LITERAL_BYTES, DimacsFormula
from .proof_files import read_numbers, require_lemmas
from .report import Rejected, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class HintedLemma(NamedTuple):
    """A lemma, and the numbers of the clauses that it follows from."""

    literals: list[int]
    hints: list[int]


def read_lrat(name: str, data: bytes | bytearray, formula: DimacsFormula, count: int) -> list[HintedLemma]:
    """Parse the lemmas of a proof, ``count`` of them as the manifest says; this format has no deletions."""
    lemmas: list[HintedLemma] = []
    first = 1 + sum(len(block.lines) for block in formula.blocks)
    for number, numbers in enumerate(read_numbers(name, data, count, formula.puzzle.budget), first):
        right = numbers[0] == number and numbers[-1] == 0 and numbers.count(0) == 2
        middle = numbers.index(0) if right else 0
        literals, hints = numbers[1:middle], numbers[middle + 1 : -1]
        right = right and all(-formula.size <= literal <= formula.size for literal in literals)
        if not right or not all(0 < hint < number for hint in hints):
            raise Rejected(
                f"{name}: expected lemma {number}, literals up to {formula.size}, 0, earlier clauses, 0, got {shown(numbers)}"
            )
        lemmas.append(HintedLemma(literals, hints))
    require_lemmas(name, [lemma.literals for lemma in lemmas], count)
    return lemmas


class NumberedClauses:
    """The clauses of the formula and the lemmas so far, by their numbers; those of the formula are parsed when they are needed.

    Every line of the formula is one of the premises once all blocks have been compared.
    """

    def __init__(self, formula: DimacsFormula) -> None:
        """Start without lemmas."""
        self.budget = formula.puzzle.budget
        self.lines = [line for block in formula.blocks for line in block.lines]
        self.budget.hold(8 * len(self.lines))
        self.clauses: dict[int, Sequence[int]] = {}

    def __getitem__(self, number: int) -> Sequence[int]:
        """Return the literals of a clause, each once."""
        if number not in self.clauses:
            line = self.lines[number - 1]
            self.budget.hold(CLAUSE_BYTES + LITERAL_BYTES * line.count(" "))
            self.budget.spend(2 + len(line) // 4)
            self.clauses[number] = tuple(dict.fromkeys(map(int, line.split()[:-1])))
        return self.clauses[number]

    def follows(self, lemma: HintedLemma) -> bool:
        """Return whether the hints lead to a contradiction once all literals of the lemma are false."""
        false = set(lemma.literals)
        for hint in lemma.hints:
            clause = self[hint]
            self.budget.spend(1 + len(clause) // 8)
            literal = only_open_literal(clause, false)
            if literal == 0:
                return True
            if literal is None:
                return False
            false.add(-literal)
        return False


def lrat_problems(name: str, lemmas: Sequence[HintedLemma], formula: DimacsFormula) -> Iterator[str]:
    """Yield the first lemma that does not follow from its hints."""
    clauses = NumberedClauses(formula)
    for number, lemma in enumerate(lemmas, 1):
        if not clauses.follows(lemma):
            text = " ".join(map(str, (*lemma.literals, 0)))
            yield f"{name}: lemma {number} of {len(lemmas)} does not follow from its hints: '{text:.80}'"
            return
        clauses.clauses[len(clauses.lines) + number] = tuple(dict.fromkeys(lemma.literals))

"""Proofs in DRUP: every lemma follows by unit propagation (RUP), and the last one is the empty clause."""

from __future__ import annotations

import lzma
import re
from typing import TYPE_CHECKING

from .certificate_files import CHUNK, decode_lines
from .dimacs_formula import CLAUSE_BYTES, LITERAL_BYTES
from .report import CheckBudget, CheckLimitReached, Rejected, require, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .dimacs_formula import Clauses, DimacsFormula


# The files of proofs: unpacked as if they were hostile, and parsed into lines of numbers.


MAX_BYTES, MAX_NUMBERS, MAX_LEMMAS, MAX_MEMORY = 1 << 26, 1 << 22, 1 << 20, 1 << 26
"""The most bytes, numbers and lemmas of a proof that is read, and the memory that unpacking it may take."""


def check_limit(name: str, size: int, most: int, noun: str) -> None:
    """Raise `CheckLimitReached` if a proof is too large for this checker, which leaves open whether it is right."""
    if size > most:
        raise CheckLimitReached(f"{name}: more than {most:,} {noun}: let another program check it (README.md says how)")


def unpack(name: str, data: bytes | bytearray, budget: CheckBudget) -> Iterator[bytes]:
    """Decompress an xz file, chunk by chunk."""
    unpacker, size, ended = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MAX_MEMORY), 0, False
    while not ended:
        budget.tick()
        try:
            piece = unpacker.decompress(bytes(data), max_length=CHUNK)
        except lzma.LZMAError as error:
            if "emory" in str(error):  # "Memory usage limit exceeded"
                raise CheckLimitReached(f"{name}: unpacking it needs more than {MAX_MEMORY:,} bytes of memory") from error
            raise Rejected(f"{name}: expected an xz file ({error})") from error
        ended = unpacker.eof
        require(ended or not unpacker.needs_input, f"{name}: the xz file is cut off")
        data, size = b"", size + len(piece)
        check_limit(name, size, MAX_BYTES, "bytes")
        yield piece
    require(not unpacker.unused_data, f"{name}: the xz file continues after its end")


def read_numbers(name: str, data: bytes | bytearray, count: int, budget: CheckBudget) -> Iterator[list[int]]:
    """Yield the numbers of every line of a proof, which are ``count`` lines at most; no line is empty."""
    numbers = lines = 0
    check_limit(name, count, MAX_LEMMAS, "lemmas")
    for text in decode_lines(name, unpack(name, data, budget), budget):
        numbers += text.count(" ")
        lines += text.count("\n") + 1
        budget.hold(CLAUSE_BYTES * text.count("\n") + 2 * LITERAL_BYTES * text.count(" "))
        check_limit(name, numbers, MAX_NUMBERS, "numbers")
        require(lines <= count, f"{name}: expected {count} lemmas as the manifest says, got more")
        require(not re.search(r"[^-0-9 \n]", text), f"{name}: expected lines of numbers that end in 0")
        for line in text.split("\n"):
            budget.spend(2 + len(line) // 4)
            try:
                found = [*map(int, line.split())]
            except ValueError as error:
                raise Rejected(f"{name}: expected lines of numbers that end in 0") from error
            require(found, f"{name}: expected lines of numbers that end in 0")
            yield found


def require_lemmas(name: str, lemmas: Clauses, count: int) -> None:
    """Raise `Rejected` unless the last of ``count`` lemmas, and no other, is the empty clause."""
    require(lemmas and not lemmas[-1], f"{name}: it does not end with the empty clause")
    require([] not in lemmas[:-1], f"{name}: something follows the empty clause")
    require(len(lemmas) == count, f"{name}: expected {count} lemmas as the manifest says, got {len(lemmas)}")


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

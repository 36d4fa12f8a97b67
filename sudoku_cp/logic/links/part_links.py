"""The links that one rule part makes between candidates of different cells: a cage, a dot, a thermometer, asked alone.

Each live candidate of the part's cells is taken for true, and then for false, and unit propagation over the part's clauses, and
over those that its cells have one value each, tells what it forces: a true candidate that makes another false has a weak link to
it, a false one that makes another true a strong one.
Links are remembered for the part and the candidates of its cells.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.proofs.part_clauses import clauses_over, literal_numbers, part_domains
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import Layout, PartIndex
    from sudoku_cp.logic.proofs.part_clauses import LiteralClause, ProofLiteral
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain

MOST_LITERALS = 4000
"""Parts whose clauses have more literals are not asked."""
_CACHED = 20_000


class PartLink(NamedTuple):
    """Two candidates of different cells, at least one of which is true (strong), or at most one."""

    start: Candidate
    end: Candidate
    strong: bool


def part_links(board: CandidateBoard, part: PartIndex) -> tuple[PartLink, ...]:
    """Return the links that a part of a board's layout makes, each once."""
    return _links(board.layout, part, part_domains(board, part))


@lru_cache(maxsize=_CACHED)
def _links(layout: Layout, part: PartIndex, domains: tuple[Domain, ...]) -> tuple[PartLink, ...]:
    clauses = clauses_over(layout, part, domains)
    if len(clauses.literals) > MOST_LITERALS or () in clauses.clauses:
        return ()
    numbers = literal_numbers(layout)
    of_cells = [
        [numbers.literal(cell, value) for value in members(domain)]
        for cell, domain in zip(layout.parts[part].cells, domains, strict=True)
        if domain & (domain - 1)
    ]
    apart = [(one ^ 1, other ^ 1) for cell in of_cells for one, other in combinations(cell, 2)]
    search = _LinkPropagation([*clauses.clauses, *map(tuple, of_cells), *apart])
    found = []
    for literal in search.literals():
        start = numbers.candidate(literal)
        if start is None:
            continue
        for other in search.forced_by(literal):
            end = numbers.candidate(other)
            is_link = other & 1 != literal & 1  # a true one makes another false, or a false one another true
            if end is not None and is_link and start < end and start[0] != end[0]:
                found.append(PartLink(start, end, strong=bool(literal & 1)))
    return tuple(found)


class _LinkPropagation:
    """Unit propagation over the clauses of a part, each time from one literal."""

    def __init__(self, clauses: Sequence[LiteralClause]) -> None:
        self._clauses = clauses
        self._with: dict[ProofLiteral, list[int]] = {}
        for index, clause in enumerate(clauses):
            for literal in clause:
                self._with.setdefault(literal, []).append(index)

    def literals(self) -> Iterator[ProofLiteral]:
        """Yield all literals of the variables in the clauses."""
        yield from sorted({one for literal in self._with for one in (literal, literal ^ 1)})

    def forced_by(self, literal: ProofLiteral) -> list[ProofLiteral]:
        """Return the literals that follow from one; none if a clause fails: the part alone refutes the literal then."""
        true, queue = {literal}, [literal]
        for one in queue:
            for index in self._with.get(one ^ 1, ()):
                clause = self._clauses[index]
                if not true.isdisjoint(clause):
                    continue
                left = [other for other in clause if other ^ 1 not in true]
                if not left:
                    return []
                if len(left) == 1:
                    true.add(left[0])
                    queue.append(left[0])
        return queue[1:]

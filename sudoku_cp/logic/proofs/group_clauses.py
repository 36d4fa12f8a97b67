"""The proof groups of a board and what each says: clauses, and sets of literals of which at most one is true.

Groups of filled cells, and of values that their house has, are gone; what is left is numbered in this order: for each open cell
that it has a value, and one value only; for each group and value that it has a place there (in a house), and stands once; then
the rule parts. A group whose cells all lie in another one says nothing that the other does not, and is left out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.proofs.part_clauses import literal_numbers, part_clauses
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import members
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import GroupIndex, Layout
    from sudoku_cp.logic.proofs.part_clauses import LiteralClause, LiteralNumbers


class GroupClauses(NamedTuple):
    """A proof group, the clauses that it says, and the literals of which it allows at most one."""

    group: ProofGroup
    clauses: tuple[LiteralClause, ...]
    exclusive: LiteralClause = ()


@lru_cache(maxsize=64)
def differing_groups(layout: Layout) -> tuple[GroupIndex, ...]:
    """Return the groups that alone state that a value stands once: no rule part does, and they lie in no other group."""
    free = [(index, group.mask) for index, group in enumerate(layout.groups) if group.part is None]
    return tuple(
        index
        for index, mask in ticked(free)
        if index < layout.houses or not any(mask & ~other == 0 and number != index for number, other in free)
    )


def group_clauses(board: CandidateBoard) -> list[GroupClauses]:
    """Return all proof groups of a board, in the order of their numbers."""
    numbers = literal_numbers(board.layout)
    found = [*_cell_groups(board, numbers), *_house_groups(board, numbers)]
    auxiliaries = 0
    for part in range(len(board.layout.parts)):
        own = part_clauses(board, part)
        clauses = _shift_auxiliaries(own.clauses, 2 * numbers.own, 2 * auxiliaries)
        found.append(GroupClauses(ProofGroup(ProofStatement.PART, part), tuple(clauses)))
        auxiliaries += own.auxiliaries
    return found


def _cell_groups(board: CandidateBoard, numbers: LiteralNumbers) -> Iterator[GroupClauses]:
    for cell in members(board.open):
        literals = tuple(numbers.literal(cell, value) for value in members(board.candidates[cell]))
        yield GroupClauses(ProofGroup(ProofStatement.HAS_VALUE, cell), (literals,))
        if len(literals) > 1:
            yield GroupClauses(ProofGroup(ProofStatement.ONE_VALUE, cell), (), literals)


def _house_groups(board: CandidateBoard, numbers: LiteralNumbers) -> Iterator[GroupClauses]:
    layout = board.layout
    differing = set(differing_groups(layout))
    for index, group in ticked(enumerate(layout.groups)):
        if index >= layout.houses and index not in differing:
            continue
        placed = {board.values[cell] for cell in group.cells}
        for value in layout.values:
            literals = tuple(numbers.literal(cell, value) for cell in members(board.places[value] & group.mask))
            if index < layout.houses and value not in placed:
                yield GroupClauses(ProofGroup(ProofStatement.HAS_PLACE, index, value), (literals,))
            if index in differing and len(literals) > 1:
                yield GroupClauses(ProofGroup(ProofStatement.ONCE, index, value), (), literals)


def _shift_auxiliaries(clauses: Iterable[LiteralClause], own: int, shift: int) -> Iterable[LiteralClause]:
    """Return clauses with the auxiliaries of a part behind those of the parts before it."""
    return (tuple([one + shift if one >= own else one for one in clause]) for clause in ticked(clauses))

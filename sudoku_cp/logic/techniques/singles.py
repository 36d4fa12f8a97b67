"""Singles: a cell with one candidate, or a value with one place in a house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.step import Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import GroupIndex


def full_houses(board: CandidateBoard) -> Iterator[Step]:
    """Yield the last open cell of each house that has a single one."""
    for house in range(board.layout.houses):
        last = board.layout.groups[house].mask & board.open
        if last.bit_count() == 1:
            domain = board.candidates[last.bit_length() - 1]
            if domain:
                yield _placement(Technique.FULL_HOUSE, last.bit_length() - 1, domain.bit_length() - 1, house)


def hidden_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the values that have a single place left in a house."""
    for house in range(board.layout.houses):
        once = twice = 0
        group = board.layout.groups[house]
        for cell in group.cells:
            twice |= once & board.candidates[cell]
            once |= board.candidates[cell]
        for value in members(once & ~twice):
            cell = (board.places[value] & group.mask).bit_length() - 1
            yield _placement(Technique.HIDDEN_SINGLE, cell, value, house)


def naked_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the cells with a single candidate."""
    for cell in members(board.open):
        domain = board.candidates[cell]
        if domain and not domain & (domain - 1):
            yield _placement(Technique.NAKED_SINGLE, cell, domain.bit_length() - 1)


def _placement(technique: Technique, cell: int, value: int, house: GroupIndex | None = None) -> Step:
    proof = ProofGroup(ProofStatement.HAS_VALUE, cell) if house is None else ProofGroup(ProofStatement.HAS_PLACE, house, value)
    bases = () if house is None else (house,)
    return Step(technique, 1 << value, 1 << cell, (), ((cell, value),), Pattern(bases), (proof,))

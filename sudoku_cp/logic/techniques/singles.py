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
    is_open = board.open
    for house, mask in enumerate(board.layout.house_masks):
        last = mask & is_open
        if last and not last & (last - 1):
            domain = board.candidates[last.bit_length() - 1]
            if domain:
                yield _placement(Technique.FULL_HOUSE, last.bit_length() - 1, domain.bit_length() - 1, house)


def hidden_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the values that have a single place left in a house."""
    layout = board.layout
    for house, mask in enumerate(layout.house_masks):
        once = twice = 0
        for domain in layout.readers[house](board.candidates):
            twice |= once & domain
            once |= domain
        if once != twice:
            for value in members(once & ~twice):
                yield _placement(Technique.HIDDEN_SINGLE, (board.places[value] & mask).bit_length() - 1, value, house)


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

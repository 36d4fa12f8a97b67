"""Techniques: functions from a board to the steps that they find there. A further one is a function, and a line in `ladder`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.step import Step, Technique

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard


def full_houses(board: CandidateBoard) -> Iterator[Step]:
    """Yield the last open cell of each house that has a single one."""
    for name, house in board.houses:
        cells = [cell for cell in house if board.values[cell] is None]
        if len(cells) == 1 and (domain := board.candidates[cells[0]]):
            yield Step(Technique.FULL_HOUSE, cells[0], domain.bit_length() - 1, name)


def hidden_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the values that have a single place left in a house."""
    for name, house in board.houses:
        once = twice = 0
        for cell in house:
            twice |= once & board.candidates[cell]
            once |= board.candidates[cell]
        for cell in house:
            if hidden := board.candidates[cell] & once & ~twice:
                yield Step(Technique.HIDDEN_SINGLE, cell, hidden.bit_length() - 1, name)


def naked_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the cells with a single candidate."""
    for cell, domain in enumerate(board.candidates):
        if domain and not domain & (domain - 1):
            yield Step(Technique.NAKED_SINGLE, cell, domain.bit_length() - 1)

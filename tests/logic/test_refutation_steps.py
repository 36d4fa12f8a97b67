"""Refutations as steps: what goes on where no technique does."""

from __future__ import annotations

import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.logic import make_board
from sudoku_cp.logic.techniques.refutation import refutations
from sudoku_cp.logic.words import describe_step
from tests.logic.proof_check import unproved_results

FORUM = "98.7.....6.....97.....9.6..8.4..5.....9.6..4....3....2..8....6.....1...9.....2.1."


@pytest.mark.parametrize("text", [FORUM, "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"])
def test_refutations_are_proved(text: str) -> None:
    """Each eliminates one false candidate with a proof of the least size, and its sentence names the facts."""
    puzzle = Puzzle.parse(text)
    solution, board = solve(puzzle).solution, make_board(puzzle)
    found = list(refutations(board))
    assert found
    assert len({len(step.proof) for step in found}) == 1
    for step in found:
        ((cell, value),) = step.eliminations
        assert solution[cell] != value
        assert not unproved_results(board, step)
        assert f"{len(step.proof)} facts together" in describe_step(board.layout, puzzle.symbols, step)

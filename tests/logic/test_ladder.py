"""The ladder: every technique in it, taken alone, is sound and changes no board."""

from __future__ import annotations

from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.techniques import LADDER, SINGLES, Technique, apply_steps

if TYPE_CHECKING:
    from sudoku_cp.logic.techniques import Finder

PUZZLES = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "417369825632158947958724316825437169791586432346912758289643571573291684164875.93",
]
"""One that singles solve, two that they do not, and one that is almost full."""


@pytest.mark.parametrize("find", LADDER, ids=lambda find: find.__name__)
def test_every_technique_is_sound(find: Finder) -> None:
    """While a puzzle is solved, every step that the technique finds is correct and new, and it does not change the board.

    Techniques above the singles are tried only where no single is left.
    """
    found = 0
    for text in PUZZLES:
        puzzle = Puzzle.parse(text)
        solution = solve(puzzle).solution
        board = make_board(puzzle)
        for _ in chain([None], apply_steps(board, LADDER)):
            before = deepcopy((board.values, board.candidates))
            seen = list(find(board)) if find in SINGLES or not any(any(lower(board)) for lower in SINGLES) else []
            assert (board.values, board.candidates) == before
            assert all(solution[step.cell] == step.value for step in seen)
            assert all(board.values[step.cell] is None for step in seen), "a step that changes nothing would be found for ever"
            found += len(seen)
    assert found, "no puzzle above shows the technique: add one that does"


def test_every_technique_has_a_name_of_its_own() -> None:
    """There are as many names as techniques, and the singles are the lowest rungs."""
    words = "a line in LADDER is missing, or a name in Technique"
    assert len(Technique) == len(LADDER) == len(set(LADDER)), words
    assert LADDER[: len(SINGLES)] == SINGLES

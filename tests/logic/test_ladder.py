"""The ladder: whatever technique is added to it, each of its steps is proved, true and new, and it changes no board."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.logic import make_board, parse_technique
from sudoku_cp.logic.ladder import ON_DEMAND, RUNGS, SINGLES, apply_steps, next_step
from sudoku_cp.logic.step import Technique
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.ladder import Rung

PUZZLES = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "417369825632158947958724316825437169791586432346912758289643571573291684164875.93",
]
"""One that singles solve, two that they do not, and one that is almost full."""


@cache
def boards() -> list[tuple[CandidateBoard, tuple[int, ...], bool]]:
    """Return every board on the way of each puzzle, with the solution, and whether there is a single on it."""
    found = []
    for text in PUZZLES:
        puzzle = Puzzle.parse(text)
        solution = tuple(solve(puzzle).solution)
        board = make_board(puzzle)
        found += [
            (board.copy(), solution, next_step(board, SINGLES) is not None) for _ in chain([None], apply_steps(board, RUNGS))
        ]
    return found


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.technique.title)
def test_every_step_is_proved(rung: Rung) -> None:
    """On the way of each puzzle the steps that the technique finds are true, new and proved, and it leaves the board alone.

    Techniques above the singles are tried where no single is left; not every one of them occurs in these puzzles. Of the steps
    on a board the first 25 are checked.
    """
    for board, solution, has_single in boards():
        if rung in SINGLES or not has_single:
            before = deepcopy((board.values, board.candidates, board.places, board.allowed))
            seen = list(rung.find(board))
            assert (board.values, board.candidates, board.places, board.allowed) == before
            for step in seen[:25]:
                assert step.technique is rung.technique
                assert step.eliminations or step.placements
                assert all(solution[cell] == value for cell, value in step.placements)
                assert all(solution[cell] != value for cell, value in step.eliminations)
                results = (*step.eliminations, *step.placements)
                assert all(board.candidates[cell] >> value & 1 for cell, value in results), "it would be found for ever"
                assert step.needs_uniqueness or not unproved_results(board, step)


def test_every_rung_has_a_technique_of_its_own() -> None:
    """As many techniques as rungs, none twice."""
    rungs = (*RUNGS, *ON_DEMAND)
    assert len({rung.technique for rung in rungs}) == len(rungs)
    assert RUNGS[: len(SINGLES)] == SINGLES


@pytest.mark.parametrize("technique", Technique, ids=str)
def test_codes_and_names_are_understood(technique: Technique) -> None:
    """A code, a name and its variants of blanks and hyphens lead to the technique."""
    for text in (technique.code, technique.title, technique.title.upper().replace(" ", "-"), technique.name):
        assert parse_technique(text) is technique


def test_no_rung_is_tried_on_a_full_grid() -> None:
    """A path tries a rung once before each step: at its end, where nothing is left to find, it tries none again."""
    tried: list[CandidateBoard] = []
    watched = RUNGS[0]._replace(find=lambda board: tried.append(board) or RUNGS[0].find(board))
    steps = list(apply_steps(make_board(Puzzle.parse(PUZZLES[0])), (watched, *RUNGS[1:])))
    assert len(tried) == len(steps)

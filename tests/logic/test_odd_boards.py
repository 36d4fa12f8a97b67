"""Boards on which some houses are missing: techniques find nothing that is false there, and do not stumble."""

from __future__ import annotations

import pytest

from sudoku_cp import Puzzle, true_candidates
from sudoku_cp.errors import LimitReached
from sudoku_cp.grid import Board, Grid
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import LAST_RESORT, ON_DEMAND, RUNGS, next_step, rung_of
from sudoku_cp.logic.step import Technique
from sudoku_cp.rules import RULES
from tests.logic.proof_check import unproved_results

HOUSES = RULES["houses"]()
CAGE = RULES["killer-cage"]((0, 1), 3)
BOARDS = {
    "a cage and no houses": Puzzle(Grid.square(4), (CAGE,), {0: 1}),
    "more values than cells": Puzzle(Grid.square(4, values=range(1, 6)), givens={0: 1, 5: 2, 10: 3}),
    "no boxes": Puzzle(Grid.rectangle(4, 4, None), givens={0: 1, 5: 2, 10: 3}),
    "a jigsaw with cells in no region": Puzzle(Grid.jigsaw("aab. aabb ccbd .cdd"), givens={0: 1, 5: 2}),
    "two boards that overlap": Puzzle(
        Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5)), givens={0: 1, 5: 2, 14: 3}
    ),
    "a board and single cells": Puzzle(Grid.of((Board(4, 4, (2, 2)), Board(1, 2, at=(0, 6))), range(1, 5)), givens={0: 1, 7: 2}),
    "values from 0": Puzzle(Grid.square(4, values=range(4)), givens={0: 0, 5: 1}),
    "a row alone": Puzzle(Grid.rectangle(1, 9, None), givens={0: 1}),
}


@pytest.mark.parametrize("name", BOARDS)
def test_nothing_false_is_found(name: str) -> None:
    """On the way from the givens no step removes a candidate that holds in some solution, and each is proved."""
    puzzle = BOARDS[name]
    possible = true_candidates(puzzle).possible
    board = make_board(puzzle)
    rungs = [rung for rung in (*RUNGS, *ON_DEMAND, LAST_RESORT) if not rung.technique.needs_uniqueness]
    while step := next_step(board, rungs):
        assert not any(possible[cell] >> value & 1 for cell, value in step.eliminations), step
        assert all(possible[cell] == 1 << value for cell, value in step.placements), step
        assert not unproved_results(board, step), step
        board.apply(step)


@pytest.mark.parametrize(
    "technique",
    [
        Technique.UNIQUE_RECTANGLE_1,
        Technique.X_CHAIN,
        Technique.CONTINUOUS_LOOP,
        Technique.DISCONTINUOUS_LOOP,
        Technique.AIC,
        Technique.GROUPED_AIC,
        Technique.TEMPLATE_SET,
    ],
    ids=str,
)
def test_searches_on_a_large_empty_board_look_at_the_clock_often(technique: Technique) -> None:
    """Of 15,625 candidates even the tables that a search prepares take seconds: it can be given up on the way."""
    calls = iter(range(200))

    def tick() -> None:
        if next(calls, None) is None:
            raise LimitReached("deadline")

    board = make_board(Puzzle(Grid.square(25)))
    board.tick = tick
    with pytest.raises(LimitReached):
        next(rung_of(technique).find(board), None)

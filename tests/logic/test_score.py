"""The score like HoDoKu's: sums and levels of a path."""

from __future__ import annotations

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.backends import Limits
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import RUNGS, apply_steps, rung_of
from sudoku_cp.logic.rating.path_score import GUESS, LEVELS, _level_of_score, score_puzzle
from sudoku_cp.logic.step import Technique

EASY = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")


def test_singles_add_up() -> None:
    """Full houses cost 4, hidden singles 14, naked ones 4: the path's sum, an easy puzzle."""
    found = score_puzzle(EASY)
    prices = {Technique.FULL_HOUSE: 4, Technique.HIDDEN_SINGLE: 14, Technique.NAKED_SINGLE: 4}
    assert found.solved
    assert found.level == "easy"
    assert found.score == sum(prices[step.technique] for step in found.steps)
    assert len(found.steps) == 51


def test_naked_singles_come_before_hidden_ones() -> None:
    """Where a cell is the one as well as the other, it costs less."""
    steps = score_puzzle(EASY).steps
    assert steps[0].technique is Technique.NAKED_SINGLE
    assert next(apply_steps(make_board(EASY), RUNGS)).technique is Technique.HIDDEN_SINGLE


def test_a_puzzle_that_no_technique_solves_is_extreme() -> None:
    """Going on would be a guess, which costs more than any path."""
    found = score_puzzle(EASY.with_givens(dict(list(EASY.givens.items())[:3])))
    assert not found.solved
    assert found.level == "extreme"
    assert found.score >= GUESS


def test_a_deadline() -> None:
    """It raises."""
    with pytest.raises(LimitReached):
        score_puzzle(EASY, limits=Limits(seconds=0))


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.technique.title)
def test_every_rung_has_a_score_and_a_level(rung) -> None:
    """The level is one of the five letters."""
    assert rung_of(rung.technique) is rung
    assert rung.score > 0
    assert rung.level in LEVELS


@pytest.mark.parametrize(("cells", "level"), [(16, "X"), (81, "X"), (369, "E")])
def test_the_limits_of_levels_grow_with_the_board(cells: int, level: str) -> None:
    """2460 points are extreme on 81 cells, and easy on five boards in one, which take five times as many steps."""
    assert _level_of_score(2460, cells) == level

"""Random full grids: every rule holds, the random stream alone decides, and a missing solution is reported."""

from collections import Counter

import pytest

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.generate.base import random_stream
from sudoku_cp.generate.general.random_solution import random_solution
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules.chess import AntiKing, AntiKnight, Nonconsecutive
from sudoku_cp.rules.houses import Houses
from sudoku_cp.rules.regions import Diagonals, Windoku

NINE = Grid.square(9)
JIGSAW = Grid.jigsaw("AAAAAABBB ACACCABDD CCCCCBBDD EECEFBBDD EEEEFBGDD EHHFFGGGD EHHFFGGGI HHFFFGGII HHHIIIIII")
TWO_BOARDS = Grid.of((Board(6, 6, (2, 3)), Board(6, 6, (2, 3), at=(4, 3))), range(1, 7))
PUZZLES = {
    "two by two": Puzzle(Grid.square(2)),
    "plain": Puzzle(),
    "values from 0": Puzzle(Grid.square(6, values=range(6))),
    "more values than cells": Puzzle(Grid.square(4, values=range(1, 7))),
    "no houses": Puzzle(Grid.rectangle(3, 5), ()),
    "diagonals and windoku": Puzzle(NINE, (Houses(), Diagonals(), Windoku())),
    "chess": Puzzle(NINE, (Houses(), AntiKnight(), AntiKing())),
    "nonconsecutive": Puzzle(Grid.square(6), (Houses(), Nonconsecutive())),
    "jigsaw": Puzzle(JIGSAW),
    "two boards": Puzzle(TWO_BOARDS),
    "12x12": Puzzle(Grid.square(12)),
    "20x20": Puzzle(Grid.square(20)),
    "givens": Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_a_full_grid_is_a_solution(name):
    """The result obeys the rules, and is the same for the same random stream."""
    puzzle = PUZZLES[name]
    found = random_solution(puzzle, random_stream(3, 0))
    assert puzzle.holds(found)
    assert name not in {"plain", "two by two", "two boards"} or random_solution(puzzle, random_stream(3, 0)) == found


@pytest.mark.parametrize("name", ["plain", "jigsaw", "chess", "two boards"])
def test_other_chance_makes_another_grid(name):
    """Different seeds find different solutions."""
    assert len({random_solution(PUZZLES[name], random_stream(seed, 0)) for seed in range(4)}) == 4


@pytest.mark.slow
def test_the_largest_board_fills():
    """36x36 boards are filled, to different grids."""
    puzzle = Puzzle(Grid.square(36))
    grids = [random_solution(puzzle, random_stream(seed, 0)) for seed in range(2)]
    assert all(map(puzzle.holds, grids))
    assert grids[0] != grids[1]


@pytest.mark.parametrize(
    "puzzle",
    [
        Puzzle(Grid.square(4), (Houses(), AntiKing(), AntiKnight())),
        Puzzle(Grid.square(4), givens={0: 1, 1: 1}),
        Puzzle(Grid.square(9), candidates={0: 0b10, 1: 0b10}),
        Puzzle(Grid.square(25), givens={0: 1, 24: 1}),
        Puzzle.parse("..9.7...5..21..9..1...28....7...5..1..851......5....3.......3..68........21.....7"),
    ],
    ids=["rules", "givens", "candidates", "large", "hidden"],
)
def test_no_solution_is_said(puzzle):
    """A puzzle without a solution is bad input at once, not an endless search."""
    with pytest.raises(InvalidInput, match="that have a solution"):
        random_solution(puzzle, random_stream(1, 0), Limits(seconds=30))


def test_limits_are_kept():
    """A deadline and a cancellation end the search for a grid, even while rules are encoded."""
    stopped = Cancellation()
    stopped.cancel()
    for limits in (Limits(seconds=0), Limits(cancel=stopped)):
        with pytest.raises(LimitReached):
            random_solution(PUZZLES["20x20"], random_stream(1, 0), limits)


def test_small_grids_come_about_equally_often():
    """Of the 288 grids of 4x4 none is much rarer or more frequent than chance explains."""
    puzzle = Puzzle(Grid.square(4))
    drawn = Counter(random_solution(puzzle, random_stream(seed, 0)) for seed in range(288))
    chi_squared = sum((drawn[grid] - 1) ** 2 for grid in drawn) + 288 - len(drawn)
    # Its mean is 287 and its deviation 24 where all are equally likely.
    assert chi_squared < 287 + 6 * 24

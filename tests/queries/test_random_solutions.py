"""A random solution is a solution, determined by its seed."""

from __future__ import annotations

import pytest

from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.errors import WrongAnswer
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import random_solution
from sudoku_cp.rules import Diagonals, Houses

GRIDS_OF_4 = small_board().solutions


@pytest.mark.parametrize(
    "puzzle",
    [Puzzle(), Puzzle(Grid.rectangle(4, 6)), Puzzle(rules=(Houses(), Diagonals()), givens={0: 5})],
    ids=["9x9", "rectangle", "variant"],
)
def test_a_random_solution_is_a_solution(puzzle: Puzzle) -> None:
    """It obeys the rules and the givens, has the status solved, and is the same for the same seed."""
    answer = random_solution(puzzle, seed=7, backend="sat")
    assert (answer.status, answer.count, answer.exact) == ("solved", 1, False)
    assert answer.solution is not None
    assert puzzle.holds(answer.solution)
    assert random_solution(puzzle, seed=7, backend="sat").solution == answer.solution
    assert len({random_solution(puzzle, seed=seed, backend="sat").solution for seed in range(5)}) == 5


def test_every_solution_can_come(engine: str) -> None:
    """In some hundred draws from the 12 grids that begin with 1234, each is drawn."""
    puzzle = Puzzle.parse("1234" + "." * 12)
    drawn = {random_solution(puzzle, seed=seed, backend=engine).solution for seed in range(150)}
    assert drawn == {grid for grid in GRIDS_OF_4 if grid[:4] == (1, 2, 3, 4)}


def test_the_only_solution_is_drawn(engine: str, unique: Puzzle) -> None:
    """Where there is one solution, every seed draws it."""
    only = next(iter(unique.solutions()))
    assert {random_solution(unique, seed=seed, backend=engine).solution for seed in range(3)} == {only}


def test_there_is_nothing_to_draw_without_a_solution(engine: str) -> None:
    """No solution is an exact answer."""
    answer = random_solution(Puzzle(givens={0: 5, 1: 5}), backend=engine)
    assert (answer.status, answer.count, answer.exact, answer.solution) == ("none", 0, True, None)


def test_a_wrong_grid_is_never_drawn(scripted) -> None:
    """An engine's answer is checked against the rules here too."""
    with pytest.raises(WrongAnswer):
        random_solution(Puzzle(Grid.square(4)), seed=1, backend=scripted([(1,) * 16]))

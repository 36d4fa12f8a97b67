"""Digging by cores: one solution is left, nothing that could go stays, and limits only leave more givens."""

import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.base import random_stream
from sudoku_cp.generate.general.dig_with_cores import dig_with_cores
from sudoku_cp.generate.general.random_solution import random_solution
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric, orbits
from sudoku_cp.queries import is_unique
from sudoku_cp.rules.chess import AntiKnight
from sudoku_cp.rules.houses import Houses
from sudoku_cp.rules.regions import Diagonals

NINE = Grid.square(9)
PUZZLES = {
    "plain": Puzzle(),
    "diagonals": Puzzle(NINE, (Houses(), Diagonals())),
    "anti-knight": Puzzle(NINE, (Houses(), AntiKnight())),
    "values from 0": Puzzle(Grid.square(6, values=range(6))),
    "given": Puzzle(givens={40: 5}),
}


def cells_of(puzzle, seed):
    """Return the cells that may go, one by one, in random order."""
    cells = [cell for cell in puzzle.grid.cells if cell not in puzzle.givens]
    return [(cell,) for cell in random_stream(seed, 0).sample(cells, len(cells))]


@pytest.mark.parametrize("name", PUZZLES)
def test_what_is_left_is_unique_and_needed(name):
    """By another engine there is one solution, and several without any one of the removable givens (every third is tried)."""
    puzzle = PUZZLES[name]
    solution = random_solution(puzzle, random_stream(1, 0))
    found = dig_with_cores(puzzle, solution, cells_of(puzzle, 2))
    assert found == dig_with_cores(puzzle, solution, cells_of(puzzle, 2))
    assert (found.reason, found.unsettled) == (None, 0)
    left = puzzle.with_givens(found.givens)
    assert is_unique(left, backend="cpsat")
    for cell in sorted(found.givens.keys() - puzzle.givens.keys())[::3]:
        fewer = {one: value for one, value in found.givens.items() if one != cell}
        assert not is_unique(puzzle.with_givens(fewer), backend="cpsat")


@pytest.mark.parametrize("kind", ["rot180", "full", "diagonal"])
def test_units_go_as_a_whole(kind):
    """Dug by orbits, a puzzle is symmetric, and no orbit can go."""
    puzzle = PUZZLES["diagonals"]
    found = dig_with_cores(puzzle, random_solution(puzzle, random_stream(4, 0)), orbits(NINE, kind))
    assert is_symmetric(NINE, kind, tuple(found.givens))
    assert is_unique(puzzle.with_givens(found.givens), backend="cpsat")
    for orbit in orbits(NINE, kind):
        if orbit[0] in found.givens:
            fewer = {cell: value for cell, value in found.givens.items() if cell not in orbit}
            assert not is_unique(puzzle.with_givens(fewer), backend="cpsat")


@pytest.mark.parametrize("least", [30, 64, 81, 100])
def test_at_least_so_many_are_left(least):
    """Digging stops at the least number of givens."""
    solution = random_solution(Puzzle(), random_stream(5, 0))
    found = dig_with_cores(Puzzle(), solution, cells_of(Puzzle(), 5), least=least)
    assert len(found.givens) == min(least, 81)
    assert is_unique(Puzzle(givens=found.givens), backend="cpsat")


def test_units_do_not_fall_below_the_least():
    """If a unit is too large to go, smaller ones still can."""
    solution = random_solution(Puzzle(), random_stream(6, 0))
    fixed = Puzzle(givens=dict(enumerate(solution[7:], 7)))
    assert len(dig_with_cores(fixed, solution, [(0, 1, 2, 3), (4,), (5, 6)], least=78).givens) == 78
    assert len(dig_with_cores(fixed, solution, [(0, 1, 2, 3)], least=76).givens) == 78
    assert len(dig_with_cores(fixed, solution, [(4,), (0, 1, 2, 3), (5, 6)], least=80).givens) == 80


def test_a_deadline_leaves_more_givens():
    """At a limit the result has a reason, and still one solution."""
    solution = random_solution(Puzzle(), random_stream(8, 0))
    found = dig_with_cores(Puzzle(), solution, cells_of(Puzzle(), 8), limits=Limits(seconds=0))
    assert (found.reason, len(found.givens)) == ("deadline", 81)
    some = dig_with_cores(Puzzle(), solution, cells_of(Puzzle(), 8), limits=Limits(nodes=1))
    assert some.reason in (None, "nodes")
    assert is_unique(Puzzle(givens=some.givens), backend="cpsat")


def test_what_is_not_unique_is_refused():
    """Givens that leave several solutions cannot be dug, nor can a grid that is no solution."""
    solution = random_solution(Puzzle(), random_stream(9, 0))
    with pytest.raises(InvalidInput, match="one solution"):
        dig_with_cores(Puzzle(), solution, [(0,), (1,)])
    with pytest.raises(InvalidInput, match="expected a solution"):
        dig_with_cores(Puzzle(), (1,) * 81, cells_of(Puzzle(), 9))


@pytest.mark.slow
@pytest.mark.parametrize("side", [20, 25, 36])
def test_large_boards_are_dug(side):
    """A large board is dug to about half, and has one solution by another engine."""
    puzzle = Puzzle(Grid.square(side))
    solution = random_solution(puzzle, random_stream(1, 0))
    found = dig_with_cores(puzzle, solution, cells_of(puzzle, 1), minimal=False, limits=Limits(seconds=120))
    assert found.reason is None
    assert len(found.givens) < 0.55 * side * side
    assert is_unique(puzzle.with_givens(found.givens), backend="cpsat")

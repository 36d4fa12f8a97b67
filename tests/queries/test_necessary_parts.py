"""Each given that a puzzle needs has a witness."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import LimitReached
from sudoku_cp.grid import Grid
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import Necessity, necessary_givens, solve, solve_many
from sudoku_cp.queries.puzzle_check import redundant_parts
from sudoku_cp.rules import Diagonals, Houses, KillerCage


def without(puzzle: Puzzle, cell: int) -> Puzzle:
    """The puzzle without one given."""
    return puzzle.with_givens({other: value for other, value in puzzle.givens.items() if other != cell})


def assert_right(puzzle: Puzzle, found: Necessity) -> None:
    """Every given is needed or not as another engine finds, and every witness is valid."""
    solution = solve(puzzle).solution
    for cell in puzzle.givens:
        fewer = without(puzzle, cell)
        assert (cell in found.unnecessary) == (solve(fewer, backend="cpsat").status == "unique")
        assert (cell in found.unnecessary) != (cell in found.witnesses)
        if cell in found.witnesses:
            assert fewer.holds(found.witnesses[cell])
            assert solution is not None
            assert found.witnesses[cell][cell] != solution[cell]
    assert found.reason is None


@pytest.mark.parametrize("engine", ["auto", "native", "sat"])
def test_needed_and_unnecessary_givens_are_told_apart(engine: str, unique: Puzzle) -> None:
    """Of a minimal puzzle with three further givens, those and the ones they make redundant can be left out."""
    solution = solve(unique).solutions[0]
    puzzle = unique.with_givens({**unique.givens, **{cell: solution[cell] for cell in (1, 20, 44)}})
    assert necessary_givens(unique, solution, backend=engine).unnecessary == ()
    found = necessary_givens(puzzle, solution, backend=engine)
    assert {1, 20, 44} <= {*found.unnecessary}
    assert_right(puzzle, found)


@pytest.mark.parametrize("seed", range(6))
def test_givens_beside_other_rules_and_candidates_are_told_apart(seed: int) -> None:
    """With diagonals, cages and restricted cells too; a cell whose candidates leave one value needs no given."""
    random = Random(seed)  # noqa: S311
    rules = ((Houses(), Diagonals()), (Houses(), KillerCage((0, 1, 2), 6)), (Houses(),))[seed % 3]
    grid = Grid.square(4)
    solution = solve(Puzzle(grid, rules)).solutions[0]
    puzzle = Puzzle(grid, rules, {cell: solution[cell] for cell in random.sample(range(16), 9)})
    cell = min(puzzle.givens)
    puzzle = replace(puzzle, candidates={cell: 1 << solution[cell], 15: 1 << solution[15] | 0b10})
    assert solve(puzzle).status == "unique"
    found = necessary_givens(puzzle, solution)
    assert cell in found.unnecessary
    assert_right(puzzle, found)
    spare = redundant_parts(puzzle, solution)
    for other in puzzle.candidates:
        left = {one: domain for one, domain in puzzle.candidates.items() if one != other}
        needless = solve(replace(puzzle, candidates=left), backend="cpsat").status == "unique"
        assert (other in spare.candidates) == needless


def test_the_lane_kernel_tells_the_same(unique: Puzzle) -> None:
    """If the kernel is loaded, it is used, and agrees with the other engines."""
    solve_many(np.zeros((1, 81), np.uint8), 1)
    solution = solve(unique).solutions[0]
    puzzle = unique.with_givens({**unique.givens, 1: solution[1], 20: solution[20]})
    found = necessary_givens(puzzle, solution)
    assert_right(puzzle, found)
    assert found.unnecessary == necessary_givens(puzzle, solution, backend="sat").unnecessary


def test_a_limit_leaves_givens_undecided(unique: Puzzle, scripted) -> None:
    """Without time, and with an engine that always runs out, no given is called needed or unnecessary."""
    solution = solve(unique).solutions[0]

    class Tired(scripted):
        def solutions(self, assume=None, *, limits=None):
            raise LimitReached("nodes")

    for options in ({"limits": Limits(seconds=0)}, {"backend": Tired([])}):
        found = necessary_givens(unique, solution, **options)
        assert (dict(found.witnesses), found.unnecessary) == ({}, ())
        assert found.reason is not None


def test_all_values_are_the_candidates_of_a_cell_left_open(unique: Puzzle) -> None:
    """Candidates that allow all values can be left out."""
    solution = solve(unique).solutions[0]
    puzzle = replace(unique, candidates={1: to_mask(range(1, 10))})
    assert redundant_parts(puzzle, solution).candidates == (1,)

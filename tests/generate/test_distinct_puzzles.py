"""No two puzzles of a run are isomorphic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudoku_cp.generate import distinct_puzzles
from sudoku_cp.generate.base import GeneratedPuzzle, PuzzleArray
from sudoku_cp.generate.distinct_puzzles import SeenPuzzles, board_keys, keys_of
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, canonical_key, scramble
from sudoku_cp.rules import RULES, Houses, rule_from_json

HARD = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
SIXES = Puzzle(Grid.square(6), givens={0: 1, 7: 2, 14: 3, 21: 4, 28: 5, 33: 1, 4: 6})
DIAGONALS = Puzzle(Grid.square(6), (*HARD.rules, rule_from_json("diagonals", Grid.square(6))), {0: 1, 8: 2, 20: 5})
JIGSAW = Puzzle(Grid.jigsaw("aabb aacb dacc ddbc".replace(" ", "\n")), givens={0: 1, 6: 2})
PUZZLES = {"9x9": HARD, "6x6": SIXES, "diagonals": DIAGONALS, "jigsaw": JIGSAW}


@pytest.mark.parametrize("name", PUZZLES)
def test_a_key_is_the_same_for_all_guises(name: str) -> None:
    """A puzzle keeps its key under every symmetry of its rules; another given changes it."""
    puzzle = PUZZLES[name]
    keys = {int(keys_of(GeneratedPuzzle(0, scramble(puzzle, seed)))[0]) for seed in range(8)}
    assert len(keys) == 1
    cell = next(cell for cell in puzzle.grid.cells if cell not in puzzle.givens)
    other = puzzle.with_givens({**puzzle.givens, cell: 3})
    assert int(keys_of(GeneratedPuzzle(0, other))[0]) not in keys


def test_compiled_keys_are_those_of_python(monkeypatch) -> None:
    """Python and the compiled code give the same keys, so that a run can be resumed with either."""
    random = np.random.default_rng(1)
    boards = random.integers(1, 10, (60, 81)) * (random.random((60, 81)) < 0.3)
    monkeypatch.setattr(distinct_puzzles, "ENOUGH", 0)
    compiled = board_keys(boards.astype(np.uint8), HARD)
    monkeypatch.setattr(distinct_puzzles, "ENOUGH", 1000)
    monkeypatch.setattr(distinct_puzzles._kernel, "_module", None)
    assert board_keys(boards.astype(np.uint8), HARD).tolist() == compiled.tolist()
    assert len(set(compiled.tolist())) == 60


def sheet(puzzles: list[Puzzle], first: int = 0) -> PuzzleArray:
    """Return puzzles as arrays."""
    givens = np.array([[puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells] for puzzle in puzzles], np.uint8)
    numbers = np.arange(first, first + len(puzzles))
    return PuzzleArray(Puzzle(puzzles[0].grid), numbers, givens, givens, np.ones(len(puzzles), np.int64))


@pytest.mark.parametrize(("size", "weak"), [(1, False), (7, False), (7, True), (40, True)])
def test_what_is_new_does_not_depend_on_how_it_comes(monkeypatch, size: int, weak: bool) -> None:
    """Of isomorphic puzzles only the first is kept, in chunks of any size, even if all keys are the same."""
    puzzles = [HARD.with_givens({**HARD.givens, cell: 1}) for cell in range(1, 11) if cell not in HARD.givens]
    series = [scramble(puzzles[number * 7 % len(puzzles)], number) for number in range(20)]
    seen = SeenPuzzles(series.__getitem__)
    if weak:
        monkeypatch.setattr(distinct_puzzles, "keys_of", lambda part: np.full(len(part.numbers), 5))
    found: list[int] = []
    for start in range(0, 20, size):
        part = series[start : start + size]
        keys = distinct_puzzles.keys_of(sheet(part, start))
        fresh = seen.fresh(keys, np.arange(start, start + len(part)), part.__getitem__)
        found += (start + np.flatnonzero(fresh)).tolist()
    first: dict[object, int] = {}
    for number, puzzle in enumerate(series):
        first.setdefault(canonical_key(puzzle), number)
    assert found == sorted(first.values())
    assert len(seen) == len(first)


def test_a_canonical_form_that_takes_too_long_is_given_up(monkeypatch) -> None:
    """Without effort only identical puzzles are recognised, in every process alike."""
    monkeypatch.setattr(distinct_puzzles, "EFFORT", 0)
    one, turned = GeneratedPuzzle(0, DIAGONALS), GeneratedPuzzle(0, scramble(DIAGONALS, 3))
    assert keys_of(one).tolist() == keys_of(GeneratedPuzzle(7, DIAGONALS)).tolist()
    assert keys_of(one).tolist() != keys_of(turned).tolist()


def test_rules_of_very_many_statements_have_no_canonical_form(monkeypatch) -> None:
    """The graph of regions to be found takes a second, which a short limit does not have: such puzzles stand for themselves."""
    grid = Grid.square(6)
    puzzle = Puzzle(grid, (Houses(), RULES["chaos-construction"].example(grid)), {0: 1})
    assert len(puzzle.model().statements) > distinct_puzzles.MOST_STATEMENTS
    monkeypatch.setattr(distinct_puzzles, "canonical_key", lambda *_: pytest.fail("its graph is built"))
    assert keys_of(GeneratedPuzzle(0, puzzle)).tolist() == keys_of(GeneratedPuzzle(1, replace(puzzle))).tolist()
    assert keys_of(GeneratedPuzzle(0, puzzle)).tolist() != keys_of(GeneratedPuzzle(0, replace(puzzle, givens={1: 1}))).tolist()

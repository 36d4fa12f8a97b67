"""Puzzles under any rules of the whole board, made one at a time by SAT: as requested, proved by another engine, reproducible."""

from itertools import islice

import numpy as np
import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput, LimitReached, Unsupported
from sudoku_cp.generate import random_regions
from sudoku_cp.generate.base import GenerateRequest, Span
from sudoku_cp.generate.general import general_generator
from sudoku_cp.generate.general.dig_with_cores import dig_with_cores
from sudoku_cp.generate.general.general_generator import GeneralGenerator
from sudoku_cp.generate.request_parsing import parse_pattern
from sudoku_cp.generate.targets import make_target
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric
from sudoku_cp.queries import is_unique, solve
from sudoku_cp.rules.chess import AntiKing, AntiKnight
from sudoku_cp.rules.houses import Houses
from sudoku_cp.rules.regions import Diagonals

NINE, SIX = Grid.square(9), Grid.square(6)
DIAGONALS = (Houses(), Diagonals())
TWO_BOARDS = Grid.of((Board(6, 6, (2, 3)), Board(6, 6, (2, 3), at=(4, 3))), range(1, 7))
PATTERN = parse_pattern("#..#.#..#.#.....#...#.#.#..#.......#..#.#.#..#.......#..#.#.#...#.....#.#..#.#..#", NINE)
REQUESTS = {
    "plain": GenerateRequest(),
    "jigsaw": GenerateRequest(jigsaw=True),
    "chess": GenerateRequest(rules=(Houses(), AntiKnight())),
    "symmetric": GenerateRequest(rules=DIAGONALS, symmetry="rot180"),
    "minimal": GenerateRequest(SIX, symmetry="rot180", minimal=True),
    "pattern": GenerateRequest(rules=DIAGONALS, pattern=PATTERN),
    "span": GenerateRequest(rules=DIAGONALS, givens=Span(30, 34)),
    "few": GenerateRequest(rules=DIAGONALS, givens=Span(0, 17)),
    "easy": GenerateRequest(rules=DIAGONALS, difficulty="easy"),
    "hard": GenerateRequest(rules=DIAGONALS, difficulty="hard"),
    "from 0": GenerateRequest(Grid.square(6, values=range(6)), difficulty="easy"),
    "two boards": GenerateRequest(TWO_BOARDS),
}


def made(wanted, numbers=(0,), seed=1, limits=Limits(seconds=60)):  # noqa: B008  # never changed
    """Return the puzzles of these numbers."""
    return list(GeneralGenerator(wanted, seed).make(numbers, limits))


@pytest.mark.parametrize("name", REQUESTS)
def test_puzzles_are_as_requested(name):
    """Each has one solution, the stated one, by another engine, and fulfils the request, by an independent check."""
    wanted = REQUESTS[name]
    (one,) = made(wanted)
    puzzle = one.puzzle
    assert one.reason is None
    assert not one.missed
    assert solve(puzzle, backend="cpsat").solutions == (puzzle.solution,)
    assert is_symmetric(puzzle.grid, wanted.symmetry, tuple(puzzle.givens))
    if wanted.pattern:
        assert tuple(puzzle.givens) == wanted.pattern
    if wanted.givens:
        assert wanted.givens.miss(len(puzzle.givens)) == 0
    if wanted.jigsaw:
        assert {len(region) for region in puzzle.grid.regions} == {9}
        assert puzzle.grid.boards[0].regions
    if wanted.minimal:
        for cell in puzzle.givens:
            fewer = {other: value for other, value in puzzle.givens.items() if other != cell}
            assert not is_unique(puzzle.with_givens(fewer), backend="cpsat")


@pytest.mark.slow
def test_a_large_board_is_proved_minimal():
    """A minimal puzzle of 20x20 with diagonals has one solution, and several without any one given (every tenth is tried)."""
    wanted = GenerateRequest(Grid.square(20), (Houses(), Diagonals()), minimal=True)
    (one,) = GeneralGenerator(wanted, 1).make([0], Limits(seconds=400))
    assert one.reason is None
    assert is_unique(one.puzzle, backend="sat")
    for cell in sorted(one.puzzle.givens)[::10]:
        fewer = {other: value for other, value in one.puzzle.givens.items() if other != cell}
        assert not is_unique(one.puzzle.with_givens(fewer), backend="sat")


def test_the_number_alone_decides():
    """A puzzle is the same whether made alone or with others, and other numbers give other puzzles."""
    together = made(REQUESTS["jigsaw"], (3, 1, 2))
    assert [one.number for one in together] == [3, 1, 2]
    assert made(REQUESTS["jigsaw"], (2,)) == together[2:]
    assert len({one.puzzle for one in together}) == 3
    assert made(REQUESTS["jigsaw"], (2,), seed=2)[0].puzzle != together[2].puzzle


def test_difficulty_is_reached():
    """The target that judges plain puzzles judges these as well."""
    for name in ("easy", "hard"):
        puzzle = made(REQUESTS[name])[0].puzzle
        row = [[puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells]]
        assert make_target(REQUESTS[name]).miss(puzzle, np.array(row, np.uint8)) == [0]


@pytest.mark.slow
def test_large_boards_have_irregular_regions_too():
    """A large jigsaw has one solution by another engine; its regions are not the boxes, and each has every value."""
    grid = Grid.square(18)
    (one,) = made(GenerateRequest(grid, jigsaw=True))
    assert one.reason is None
    (board,) = one.puzzle.grid.boards
    boxes = random_regions.straight_regions(18, 18)
    assert sum(label != box for label, box in zip(board.regions, boxes, strict=True)) > 18
    for number in range(18):
        values = [one.puzzle.solution[cell] for cell, label in enumerate(board.regions) if label == number]
        assert sorted(values) == [*range(1, 19)]
    assert is_unique(one.puzzle, backend="cpsat")


def test_requests_that_cannot_be_fulfilled_end_at_the_deadline():
    """What was found is kept, with the reason and what it misses; if nothing was found, `LimitReached` is raised."""
    (one,) = made(GenerateRequest(SIX, givens=Span(0, 5)), limits=Limits(seconds=1))
    assert one.reason == "deadline"
    assert one.missed.endswith("givens, not as asked for: givens 0..5")
    assert is_unique(one.puzzle, backend="native")
    with pytest.raises(LimitReached):
        made(GenerateRequest(pattern=(0, 1, 2, 3, 4, 5, 6)), limits=Limits(seconds=0.2))


def test_a_deadline_leaves_a_puzzle_less_dug(monkeypatch):
    """If digging takes too long, the puzzle still has one solution and says why it is not as requested."""
    monkeypatch.setattr(
        general_generator, "dig_with_cores", lambda *told, **more: dig_with_cores(*told, **more | {"limits": Limits(seconds=0)})
    )
    (one,) = made(GenerateRequest(minimal=True))
    assert one.reason == "deadline"
    assert one.missed == "81 givens, dug until time ran out"
    assert one.puzzle.holds(one.puzzle.solution)


def test_rules_without_a_solution_are_refused(monkeypatch):
    """Rules without any full grid are bad input, with irregular regions too."""
    monkeypatch.setattr(general_generator, "LAYOUTS", 5)
    rules = (Houses(), AntiKing(), AntiKnight())
    with pytest.raises(InvalidInput, match="that have a solution"):
        made(GenerateRequest(Grid.square(4), rules))
    with pytest.raises(InvalidInput, match="on 5 layouts"):
        made(GenerateRequest(Grid.square(4), rules, jigsaw=True))


def test_requests_for_other_generators_are_refused():
    """Families of clues, a jigsaw on several boards, and pattern cells outside the grid are refused."""
    with pytest.raises(Unsupported):
        GeneralGenerator(GenerateRequest(families=("killer-cage",)), 1)
    with pytest.raises(Unsupported):
        GeneralGenerator(GenerateRequest(TWO_BOARDS, jigsaw=True), 1)
    with pytest.raises(InvalidInput):
        GeneralGenerator(GenerateRequest(pattern=(81,)), 1)


def test_puzzles_come_one_by_one():
    """The first is there before the second is made."""
    endless = GeneralGenerator(GenerateRequest(SIX), 1).make(range(10**9), Limits())
    assert len(list(islice(endless, 2))) == 2

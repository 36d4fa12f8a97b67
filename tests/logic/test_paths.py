"""Whole paths: every step of them is true and proved, and positions on the way are those that the steps lead to."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Limits, Puzzle, solve
from sudoku_cp.errors import LimitReached
from sudoku_cp.formats import read_records
from sudoku_cp.logic import hint, make_board, steps
from sudoku_cp.logic.ladder import RUNGS, next_step
from sudoku_cp.questions.steps import StepsAnswer
from sudoku_cp.rules import AntiKnight, Diagonals, Houses
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from collections.abc import Callable

SETS = {
    "euler96.txt": 50,
    "norvig_top95.txt": 95,
    "generated_minimal_50k.txt.gz": 700,
    "generated_easy_100k.txt.gz": 300,
    "17clue.txt.gz": 300,
    "magictour_top1465.txt": 300,
    "forum_hardest_11plus_20k.txt.gz": 30,
    "gen_6x6_2x3_minimal.txt": 100,
    "gen_12x12_3x4_minimal.txt": 30,
    "gecode_16x16.txt": 20,
}
"""How many puzzles of each set are walked in the long run."""
LONG = {
    "16x16",
    "self-taxicab",
    "sum-line",
    "between",
    "nonconsecutive",
    "global-mod",
    "global-entropy",
    "little-killer",
    "clone",
}
"""Variants whose paths take over a second."""
VARIANTS = sorted(Path("examples/variants").glob("*.jsonl"))


def check_path(puzzle: Puzzle) -> None:
    """Walk from the givens and check every step."""
    solution = solve(puzzle).solution
    assert solution is not None
    board = make_board(puzzle)
    while step := next_step(board, RUNGS):
        assert all(solution[cell] == value for cell, value in step.placements), step
        assert all(solution[cell] != value for cell, value in step.eliminations), step
        assert step.needs_uniqueness or not unproved_results(board, step), step
        board.apply(step)


@pytest.mark.parametrize("name", SETS)
def test_a_few_paths(name: str, puzzle_lines: Callable[[str], list[str]]) -> None:
    """Every step of the first puzzle of each set is proved."""
    check_path(Puzzle.parse(puzzle_lines(name)[0]))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SETS)
def test_two_thousand_paths(name: str, puzzle_lines: Callable[[str], list[str]]) -> None:
    """Every step of some two thousand puzzles of all kinds is proved."""
    lines = puzzle_lines(name)
    for line in lines[:: max(1, len(lines) // SETS[name])][: SETS[name]]:
        check_path(Puzzle.parse(line))


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] * (path.stem in LONG)) for path in VARIANTS],
    ids=[path.stem for path in VARIANTS],
)
def test_variants(path: Path) -> None:
    """Steps under other rules are proved by the groups of these rules."""
    record = next(read_records(path))
    assert record.puzzle is not None
    check_path(record.puzzle)


@pytest.mark.parametrize("path", VARIANTS, ids=[path.stem for path in VARIANTS])
def test_answers_are_values(path: Path) -> None:
    """The same question has equal answers, of one hash, under any rules, and so has an answer that another process sends."""
    puzzle = next(read_records(path)).puzzle
    assert puzzle is not None
    answer, again = (steps(puzzle, ["naked-single", "hidden-single"], every=True) for _ in range(2))
    sent = pickle.loads(pickle.dumps(answer))  # noqa: S301
    assert answer == again == sent
    assert hash(answer) == hash(again) == hash(sent)


def test_boards_are_equal_by_what_they_show() -> None:
    """Boards of the same values, candidates and rules are equal, whoever changed them; one difference makes them unequal."""
    plain = Puzzle.parse("." * 16)
    board, other = make_board(plain), make_board(plain)
    assert board == other == board.copy()
    board.remove(1 << 5, 3)
    assert board != other
    other.remove(1 << 5, 3)
    assert board == other
    board.place(5, 2)
    assert board != other
    assert make_board(plain) != make_board(replace(plain, rules=(*plain.rules, Diagonals())))
    assert make_board(plain) != plain


def test_a_limit_before_there_is_a_board_leaves_the_position() -> None:
    """What techniques see is laid out within the limits too; without it there are no steps, and all blanks are open."""
    puzzle = Puzzle(rules=(Houses(), Diagonals(), AntiKnight()))
    over = Limits(seconds=0)
    with pytest.raises(LimitReached):
        make_board(puzzle, over.started())
    path = steps(puzzle, limits=over)
    assert (path.board, path.steps, path.end, path.complete, path.open_cells) == (None, (), "limit", False, 81)
    assert not steps(puzzle, every=True, limits=over).complete
    assert StepsAnswer.of(path).to_json()["steps"] == []
    assert hint(puzzle, limits=over).answer == "unknown"

"""Refutations as steps: what goes on where no technique does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Limits, Puzzle, solve
from sudoku_cp.backends import UNLIMITED
from sudoku_cp.errors import LimitReached
from sudoku_cp.formats import read_records
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import LAST_RESORT, RUNGS, apply_steps, path_end, walk
from sudoku_cp.logic.proofs import lone_refutations, smallest_refutations
from sudoku_cp.logic.techniques.forcing import refutations
from sudoku_cp.logic.words import describe_step
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from sudoku_cp.logic.ladder import Rung

FORUM = "98.7.....6.....97.....9.6..8.4..5.....9.6..4....3....2..8....6.....1...9.....2.1."


@pytest.mark.parametrize("text", [FORUM, "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"])
def test_refutations_are_proved(text: str) -> None:
    """Each eliminates one false candidate with a proof of the least size, and its sentence names the facts."""
    puzzle = Puzzle.parse(text)
    solution, board = solve(puzzle).solution, make_board(puzzle)
    found = list(refutations(board))
    assert found
    assert len({len(step.proof) for step in found}) == 1
    for step in found:
        ((cell, value),) = step.eliminations
        assert solution[cell] != value
        assert not unproved_results(board, step)
        assert f"{len(step.proof)} facts together" in describe_step(board.layout, puzzle.symbols, step)


def variant(name: str, number: int) -> Puzzle:
    """Return a puzzle of the examples."""
    puzzle = list(read_records(f"examples/variants/{name}.jsonl"))[number].puzzle
    assert puzzle
    return puzzle


def test_what_propagation_cannot_refute_cases_do() -> None:
    """Where propagation refutes nothing, a solver does: the steps are proved, say so, and keep the deadline."""
    puzzle = variant("arrow-double", 1)
    solution, board = solve(puzzle).solution, make_board(puzzle)
    while known := lone_refutations(board) or smallest_refutations(board):
        for refutation in known:
            board.remove(1 << refutation.cell, refutation.value)
    found = list(refutations(board))
    assert found
    for step in found:
        ((cell, value),) = step.placements
        assert solution
        assert solution[cell] == value
        assert not unproved_results(board, step)
        assert step.pattern.by_cases
        assert "only when cases are tried" in describe_step(board.layout, puzzle.symbols, step)
    board.clock = Limits(seconds=0).started()
    with pytest.raises(LimitReached):
        list(refutations(board))


def test_all_refutations_of_a_round_are_made_together() -> None:
    """Each is still proved when those before it were made, and a path makes them one after the other."""
    board = make_board(Puzzle.parse(FORUM))
    expected = list(refutations(board))
    assert len(expected) > 1
    path = apply_steps(board.copy(), (LAST_RESORT,))
    for step in expected:
        assert next(path) == step
        assert not unproved_results(board, step)
        board.apply(step)


@pytest.mark.parametrize(
    ("text", "rungs", "limits", "end"),
    [
        ("1" + "." * 15, (*RUNGS, LAST_RESORT), UNLIMITED, "ambiguous"),
        ("1" + "." * 15, RUNGS, UNLIMITED, "stuck"),
        ("11" + "." * 14, (*RUNGS, LAST_RESORT), UNLIMITED, "contradiction"),
        (FORUM, (*RUNGS, LAST_RESORT), Limits(seconds=0), "limit"),
        ("12..341221434321", RUNGS, UNLIMITED, "solved"),
    ],
)
def test_a_path_knows_why_it_ends(text: str, rungs: tuple[Rung, ...], limits: Limits, end: str) -> None:
    """A path that does not fill the board ends for a reason, and each reason is told from the others."""
    board = make_board(Puzzle.parse(text))
    board.clock = limits.started()
    assert path_end(board, walk(board, rungs), rungs) == end


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), [("equal-sums", 0), ("sum-line", 0)])
def test_where_no_technique_leads_further_the_path_goes_on(name: str, number: int) -> None:
    """Hard variants are walked to their end, by refutations where techniques do not suffice."""
    puzzle = variant(name, number)
    board = make_board(puzzle)
    board.clock = Limits(seconds=900).started()
    walk(board, (*RUNGS, LAST_RESORT))
    assert tuple(board.values) == solve(puzzle).solution

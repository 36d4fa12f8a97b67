"""Refutations as steps: what goes on where no technique does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Limits, Puzzle, logic, solve
from sudoku_cp.backends import UNLIMITED, Cancellation
from sudoku_cp.errors import LimitReached
from sudoku_cp.formats import read_records
from sudoku_cp.logic import make_board, removable_places
from sudoku_cp.logic.ladder import LAST_RESORT, RUNGS, apply_steps, find_steps, next_step, path_end, walk
from sudoku_cp.logic.proofs import lone_refutations, searched_refutations, smallest_refutations
from sudoku_cp.logic.proofs.refutations import open_candidates
from sudoku_cp.logic.proofs.searched_refutations import GroupSolver, group_clauses
from sudoku_cp.logic.removable_places import BarrenSearches
from sudoku_cp.logic.step import MOST_FACTS, Technique
from sudoku_cp.logic.techniques.forcing import refutations
from sudoku_cp.logic.words import describe_step
from sudoku_cp.model import members
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from sudoku_cp.logic.ladder import Rung


# --- refutation steps -------------------------------------------------------------------------------------------------


FORUM = "98.7.....6.....97.....9.6..8.4..5.....9.6..4....3....2..8....6.....1...9.....2.1."


@pytest.mark.parametrize("text", [FORUM, "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"])
def test_refutations_are_proved(text: str) -> None:
    """Each eliminates one false candidate with a proof of the least size, and its sentence tells what follows."""
    puzzle = Puzzle.parse(text)
    solution, board = solve(puzzle).solution, make_board(puzzle)
    found = list(refutations(board))
    assert found
    assert len({len(step.proof) for step in found}) == 1
    for step in found:
        ((cell, value),) = step.eliminations
        assert solution[cell] != value
        assert not unproved_results(board, step)
        text = describe_step(board.layout, puzzle.symbols, step)
        assert f"uppose {puzzle.grid.cell_name(cell)} = {value}" in text
        assert ("no named step leads on here" in text) == (len(step.proof) > MOST_FACTS)


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
        assert "no named step leads on here. A search shows" in describe_step(board.layout, puzzle.symbols, step)
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


# --- barren searches --------------------------------------------------------------------------------------------------


HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One search more than fit, and the earlier ones are forgotten."""
    monkeypatch.setattr(removable_places, "_MOST", 2)
    memory = BarrenSearches()
    for search in "abc":
        memory.add(search)
    assert [search in memory for search in "abc"] == [False, False, True]


def test_a_crossing_known_to_be_barren_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sue de Coq looks again only at the crossings in whose houses a candidate went."""
    searched: list[object] = []

    def at_crossing(_board: object, crossing: object) -> list[object]:
        searched.append(crossing)
        return []

    board = logic.make_board(Puzzle.parse(HARD))
    monkeypatch.setattr("sudoku_cp.logic.techniques.als._barren", BarrenSearches())
    monkeypatch.setattr("sudoku_cp.logic.techniques.als._at_crossing", at_crossing)
    counts = []
    for _ in range(2):
        assert not list(find_steps(board, Technique.SUE_DE_COQ))
        counts.append(len(searched))
    board.remove(1 << 1, members(board.candidates[1])[0])
    assert not list(find_steps(board, Technique.SUE_DE_COQ))
    counts.append(len(searched))
    assert counts == [54, 54, 54 + 3 + 3 + 6 - 2], "three crossings of the row, three of the column, six of the box, two of both"


def test_no_technique_is_asked_about_a_full_grid() -> None:
    """Where no cell is open there is nothing to deduce, and no time is spent on finding that out."""
    board = logic.make_board(Puzzle.parse(SOLVED))
    board.tick = lambda: pytest.fail("a technique is tried")
    assert next_step(board, RUNGS) is None


def test_a_limit_may_come_before_any_candidate_is_looked_at() -> None:
    """Propagation from one candidate takes a millisecond in a large formula, so the clock is checked before each."""
    board, checks = make_board(Puzzle.parse(FORUM)), []

    class Counting(Cancellation):
        @property
        def cancelled(self) -> bool:
            checks.append("check")
            return False

        @cancelled.setter
        def cancelled(self, value: bool) -> None:
            assert not value

    clock, groups = Limits(cancel=Counting()).started(), group_clauses(board)
    GroupSolver(board, groups, clock)
    loading = len(checks)
    found = searched_refutations._by_consequences(board, groups, clock)
    assert {*found} == {*open_candidates(board)}
    assert len(checks) >= 2 * loading + len(found)

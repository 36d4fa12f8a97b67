"""The memory of searches that found nothing, and what the ladder spares itself by it."""

from __future__ import annotations

import pytest

from sudoku_cp import Puzzle, logic
from sudoku_cp.logic import removable_places
from sudoku_cp.logic.ladder import RUNGS, find_steps, next_step
from sudoku_cp.logic.removable_places import BarrenSearches
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

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

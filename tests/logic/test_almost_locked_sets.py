"""The index of almost locked sets against their definition."""

from __future__ import annotations

from itertools import combinations

from sudoku_cp import Puzzle
from sudoku_cp.grid import Grid
from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet, almost_locked_sets, exits_of_sets
from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
from sudoku_cp.logic.ladder import RUNGS, apply_steps
from sudoku_cp.model import members, to_mask


def test_every_set_is_found_once() -> None:
    """All subsets of all houses with one value more than cells, and nothing else."""
    board = make_board(Puzzle.parse("1.......4..3.2.....6.......5..4.1.2.", Grid.square(6)))
    found = almost_locked_sets(board)
    expected = {
        to_mask(cells)
        for group in board.layout.groups
        for size in range(1, 7)
        for cells in combinations([cell for cell in group.cells if board.values[cell] is None], size)
        if board.values_in(to_mask(cells)).bit_count() == size + 1
    }
    assert len(found) == len({one.cells for one in found})
    assert {one.cells for one in found} == expected
    assert len(expected) > 20


def test_places_and_what_sees_them() -> None:
    """For each value, its places in the set, and the other places of the board that see all of these."""
    board = make_board(Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"))
    for one in almost_locked_sets(board):
        assert not one.cells & ~board.layout.groups[one.house].mask
        for value, cells in one.places.items():
            places = [cell for cell in range(81) if cells >> cell & 1]
            assert all(board.candidates[cell] >> value & 1 and one.cells >> cell & 1 for cell in places)
            seeing = [cell for cell in range(81) if all(board.layout.sight[cell] >> place & 1 for place in places)]
            assert one.sight[value] == to_mask(seeing)


def test_exits_along_a_path() -> None:
    """On each board of a path, whatever is known of the last: the cells to which a set leaves just one value."""
    board = make_board(Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"))
    found = 0
    for _ in apply_steps(board, RUNGS):
        sets = almost_locked_sets(board)
        for almost, exits in exits_of_sets(board, sets).items():
            expected = _exits(board, almost)
            assert {(one.cell, one.value): {almost.nodes[place].value for place in one.places} for one in exits} == expected
            found += len(expected)
    assert found > 100


def _exits(board: CandidateBoard, almost: AlmostLockedSet) -> dict[tuple[int, int], set[int]]:
    """Return by definition cells that see all the set's places of their candidates but one, with that and the set's others."""
    found = {}
    for cell in members(board.open & ~almost.cells):
        domain = set(members(board.candidates[cell]))
        taken = {value for value in domain & almost.places.keys() if not almost.places[value] & ~board.layout.sight[cell]}
        if len(domain) > 2 and len(domain - taken) == 1:
            found[cell, min(domain - taken)] = almost.places.keys() - taken
    return found

"""The index of almost locked sets against their definition."""

from __future__ import annotations

from itertools import combinations

from sudoku_cp import Puzzle
from sudoku_cp.grid import Grid
from sudoku_cp.logic.almost_locked_sets import almost_locked_sets
from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
from sudoku_cp.logic.ladder import apply_steps
from sudoku_cp.logic.links.set_links import exits_of_sets
from sudoku_cp.logic.rungs import RUNGS
from sudoku_cp.model import to_mask


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
    """On each board of a path, whatever is known of the last: the cells to which a set leaves just one value foreign to it."""
    board = make_board(Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"))
    found = 0
    for _ in apply_steps(board, RUNGS):
        sets = almost_locked_sets(board)
        for almost, exits in exits_of_sets(board, sets).items():
            expected = _exits(board, almost.values, almost.cells)
            assert {(one.cell, one.value) for one in exits} == expected
            for one in exits:
                foreign = {node.value for node in almost.nodes if not board.candidates[one.cell] >> node.value & 1}
                assert {almost.nodes[place].value for place in one.places} == foreign
            found += len(expected)
    assert found > 100


def _exits(board: CandidateBoard, values: int, cells: int) -> set[tuple[int, int]]:
    """Return by definition: cells of two or more values of the set, all of whose places there they see, and of a single other."""
    found = set()
    for cell in range(81):
        foreign, shared = board.candidates[cell] & ~values, board.candidates[cell] & values
        if cells >> cell & 1 or foreign.bit_count() != 1 or shared.bit_count() < 2:
            continue
        seen = [board.places[value] & cells & ~board.layout.sight[cell] for value in range(1, 10) if shared >> value & 1]
        if not any(seen):
            found.add((cell, foreign.bit_length() - 1))
    return found

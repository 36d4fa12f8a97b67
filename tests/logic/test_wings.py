"""Wings: positions by hand for each clause of the definitions, near misses, proofs, and symmetries."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import all_steps
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import to_mask
from tests.logic.proof_check import unproved_results
from tests.logic.value_boards import image_of, random_symmetry, rows_of

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard

XY_WING = {"r1c1": "12", "r1c5": "13", "r5c1": "23"}
XYZ_WING = {"r1c1": "123", "r1c5": "13", "r2c2": "23"}
W_WING = {"r1c1": "12", "r5c5": "12", "row 9 of 1": "r9c1 r9c5"}
PATTERNS = [(Technique.XY_WING, XY_WING), (Technique.XYZ_WING, XYZ_WING), (Technique.W_WING, W_WING)]


def board_with(cells: dict[str, str]) -> CandidateBoard:
    """Return an open board with these candidates; ``row 9 of 1`` keeps the places of 1 in a row to some cells."""
    board = make_board(Puzzle())
    parse = board.layout.grid.parse_cell
    for name, text in cells.items():
        if name.startswith("row"):
            row, value = int(name[4]) - 1, int(name[-1])
            kept = to_mask(parse(cell) for cell in text.split())
            board.remove(board.layout.groups[row].mask & ~kept, value)
        else:
            board.keep_candidates(parse(name), to_mask(map(int, text)))
    return board


def results(board: CandidateBoard, technique: Technique) -> set[str]:
    """Return what each step eliminates, as words."""
    name = board.layout.grid.cell_name
    return {" ".join(f"{name(cell)}<>{value}" for cell, value in sorted(row)) for row in rows_of(board, technique)}


def test_xy_wing() -> None:
    """Pivot 12, pincers 13 and 23: 3 leaves what sees both pincers, the pivot's own cell apart, which does not hold it."""
    assert results(board_with(XY_WING), Technique.XY_WING) == {"r5c5<>3"}


def test_xyz_wing() -> None:
    """Pivot 123: 3 leaves only what sees the pivot too."""
    assert results(board_with(XYZ_WING), Technique.XYZ_WING) == {"r1c2<>3 r1c3<>3"}


def test_w_wing() -> None:
    """Two cells 12 at the ends of a conjugate pair of 1: 2 leaves what sees both."""
    assert results(board_with(W_WING), Technique.W_WING) == {"r1c5<>2 r5c1<>2"}


@pytest.mark.parametrize(
    ("technique", "cells"),
    [
        (Technique.XY_WING, XY_WING | {"r5c1": "13"}),  # both pincers hold the same
        (Technique.XY_WING, XY_WING | {"r5c1": "24"}),  # no value in common
        (Technique.XY_WING, XY_WING | {"r1c1": "123"}),  # a pivot of three
        (Technique.XY_WING, {"r1c1": "12", "r1c5": "13", "r5c2": "23"}),  # a pincer that the pivot does not see
        (Technique.XY_WING, XY_WING | {"r5c5": "12456789"}),  # nothing to eliminate
        (Technique.XYZ_WING, XYZ_WING | {"r1c1": "1234"}),
        (Technique.XYZ_WING, XYZ_WING | {"r2c2": "13"}),
        (Technique.XYZ_WING, {"r1c1": "123", "r1c5": "13", "r5c1": "23"}),  # nothing sees all three
        (Technique.W_WING, W_WING | {"row 9 of 1": "r9c1 r9c5 r9c7"}),  # three places
        (Technique.W_WING, W_WING | {"row 9 of 1": "r9c1 r9c7"}),  # one end is not seen
        (Technique.W_WING, W_WING | {"r5c5": "13"}),
        (Technique.W_WING, {"r1c1": "12", "r5c5": "12", "row 1 of 1": "r1c1 r1c5"}),  # an end in one of the cells
    ],
)
def test_near_misses(technique: Technique, cells: dict[str, str]) -> None:
    """One candidate more or less, and there is no wing."""
    assert not results(board_with(cells), technique)


def test_both_values_of_a_w_wing() -> None:
    """A pair of either value removes the other."""
    found = results(board_with(W_WING | {"row 8 of 2": "r8c1 r8c5"}), Technique.W_WING)
    assert found == {"r1c5<>2 r5c1<>2", "r1c5<>1 r5c1<>1"}


def test_ends_must_be_different() -> None:
    """Two cells that both see one end only are no wing."""
    assert not results(board_with({"r1c1": "12", "r5c1": "12", "row 9 of 1": "r9c1 r9c5"}), Technique.W_WING)


@pytest.mark.parametrize(("technique", "cells"), PATTERNS)
def test_wings_are_proved_and_move_with_the_board(technique: Technique, cells: dict[str, str]) -> None:
    """Each result follows from the proof groups; the steps of a board's image are the images of its steps."""
    rng, board = Random(1), board_with(cells)  # noqa: S311
    for step in all_steps(board, technique):
        assert not unproved_results(board, step)
        assert step.cells
    for _ in range(5):
        images, values = random_symmetry(rng), [0, *rng.sample(range(1, 10), 9)]
        expected = {frozenset((images[cell], values[value]) for cell, value in row) for row in rows_of(board, technique)}
        assert rows_of(image_of(board, images, values), technique) == expected

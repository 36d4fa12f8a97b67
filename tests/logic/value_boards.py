"""Boards on which only the places of one value matter, from pictures and by chance; and all symmetries of a square board."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sudoku_cp import Puzzle
from sudoku_cp.grid import Grid
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import find_steps
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from random import Random

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Technique

VALUE = 1


@cache
def _blank(size: int) -> CandidateBoard:
    return make_board(Puzzle(Grid.square(size)))


def board_of(picture: str) -> CandidateBoard:
    """Return the board of a picture: a row for each row, ``x`` where the value has a place."""
    rows = picture.split()
    board = _blank(len(rows)).copy()
    board.remove(to_mask(cell for cell, sign in enumerate("".join(rows)) if sign != "x"), VALUE)
    board.searched = 1 << VALUE
    return board


def random_board(rng: Random, size: int, more: int) -> CandidateBoard:
    """Return a board on which the value has its places in a solution and up to ``more`` others."""
    board = _blank(size).copy()
    rest, kept = (1 << size * size) - 1, 0
    while rest:  # the value fits: it is placed where it likes, anew when that fails
        cell = rng.choice(list(members(rest)))
        kept |= 1 << cell
        rest &= ~(board.layout.sight[cell] | 1 << cell)
        if not rest and kept.bit_count() < size:
            rest, kept = (1 << size * size) - 1, 0
    for _ in range(more):
        kept |= 1 << rng.randrange(size * size)
    board.remove(((1 << size * size) - 1) & ~kept, VALUE)
    board.searched = 1 << VALUE
    return board


def rows_of(board: CandidateBoard, technique: Technique) -> set[frozenset[tuple[int, int]]]:
    """Return what the steps of a technique eliminate, each once."""
    return {frozenset(step.eliminations) for step in find_steps(board, technique)}


def names(board: CandidateBoard, technique: Technique) -> set[str]:
    """Return the cells that each step of a technique of one value clears, as words."""
    grid = board.layout.grid
    return {" ".join(grid.cell_name(cell) for cell, _ in sorted(row)) for row in rows_of(board, technique)}


def random_symmetry(rng: Random) -> list[int]:
    """Return the image of each cell of a 9x9 board under a symmetry of its houses."""
    lines = []
    for _ in range(2):
        bands = rng.sample(range(3), 3)
        lines.append([3 * band + line for band in bands for line in rng.sample(range(3), 3)])
    rows, columns = lines
    transposed = rng.random() < 0.5
    images = [(rows[cell // 9], columns[cell % 9]) for cell in range(81)]
    return [9 * (column if transposed else row) + (row if transposed else column) for row, column in images]


def image_of(board: CandidateBoard, images: list[int], values: list[int]) -> CandidateBoard:
    """Return an open board with its cells and values (``values[v]`` for v) moved."""
    other = _blank(9).copy()
    for cell, domain in enumerate(board.candidates):
        other.keep_candidates(images[cell], to_mask(values[value] for value in members(domain)))
    other.searched = to_mask(values[value] for value in members(board.searched))
    return other

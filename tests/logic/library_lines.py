"""Positions as lines of HoDoKu's library, read without the package's own reader, and the symmetric images of a position."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp import Puzzle
from sudoku_cp.logic import make_board, parse_technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Candidate, Step, Technique

Row = frozenset[tuple[str, int, int]]


class LibraryCase(NamedTuple):
    """A technique, a position, and what one instance of the technique does there."""

    technique: Technique
    board: CandidateBoard
    row: Row

    @property
    def code(self) -> str:
        """The code of the technique."""
        return self.technique.code


def library_cases(name: str) -> list[str]:
    """Return the lines of a file beside the tests."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8").split("\n")[:-1]


def parse_case(line: str) -> LibraryCase:
    """Read a line ``:code:values:grid:deleted:eliminations:placements:``."""
    _, code, _, grid, deleted, eliminations, placements, *_ = line.split(":")
    row = [("-", *_candidate(word)) for word in eliminations.split()] + [("+", *_candidate(word)) for word in placements.split()]
    return LibraryCase(parse_technique(code), parse_board(grid, deleted), frozenset(row))


def parse_board(grid: str, deleted: str = "") -> CandidateBoard:
    """Return a board from 81 signs, ``+`` before those placed but not given, and deleted candidates."""
    signs = grid.replace("+", "")
    placed = {index - grid[:index].count("+") for index, sign in enumerate(grid) if sign == "+"}
    assert len(signs) == 81
    board = make_board(Puzzle.parse("".join("." if cell in placed else sign for cell, sign in enumerate(signs))))
    for cell in sorted(placed):
        board.place(cell, int(signs[cell]))
    for cell, value in map(_candidate, deleted.split()):
        board.remove(1 << cell, value)
    return board


def _candidate(word: str) -> Candidate:
    value, row, column = map(int, word)
    return 9 * row + column - 10, value


def rows_of(steps: Iterable[Step]) -> set[Row]:
    """Return what steps eliminate (-) and place (+)."""
    return {
        frozenset([("-", *one) for one in step.eliminations] + [("+", *one) for one in step.placements]) for step in steps
    }  # fmt: skip


def random_symmetry(seed: int) -> tuple[list[int], list[int]]:
    """Return where each cell of a 9x9 grid goes, and what each value becomes, under a symmetry."""
    random = Random(seed)  # noqa: S311
    lines = [[3 * band + line for band in random.sample(range(3), 3) for line in random.sample(range(3), 3)] for _ in range(2)]
    flipped = random.random() < 0.5
    cells = [9 * lines[0][cell // 9] + lines[1][cell % 9] for cell in range(81)]
    return [cell % 9 * 9 + cell // 9 if flipped else cell for cell in cells], [0, *random.sample(range(1, 10), 9)]


def symmetric_image(board: CandidateBoard, cells: list[int], values: list[int]) -> CandidateBoard:
    """Return the image of a board under a symmetry."""
    old = {cells[cell]: cell for cell in range(81)}
    text = ["." if board.values[old[cell]] is None else str(values[board.values[old[cell]]]) for cell in range(81)]
    given = [bool(board.givens >> old[cell] & 1) for cell in range(81)]
    image = parse_board("".join(sign if own or sign == "." else f"+{sign}" for sign, own in zip(text, given, strict=True)))
    for cell in members(image.open):
        image.keep_candidates(cell, to_mask(values[value] for value in members(board.candidates[old[cell]])))
    return image


def image_of_row(row: Row, cells: list[int], values: list[int]) -> Row:
    """Return the image of a row of effects under a symmetry."""
    return frozenset((sign, cells[cell], values[value]) for sign, cell, value in row)

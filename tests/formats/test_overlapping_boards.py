"""Boards that overlap, as rows of text with gaps."""

from __future__ import annotations

from itertools import product

import pytest

from sudoku_cp.errors import ParseError
from sudoku_cp.formats import overlapping_boards, records_of_text
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle

SHAPES = {
    "samurai": ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12)),
    "two": ((0, 0), (6, 6)),
    "three": ((0, 12), (6, 6), (12, 0)),
}


def _puzzle(shape):
    grid = Grid.of(tuple(Board(9, 9, (3, 3), at=at) for at in shape), range(1, 10))
    return Puzzle(grid, givens={cell: cell * 7 % 9 + 1 for cell in grid.cells if cell % 5 == 0})


def _rows(puzzle, gap, blank):
    side = 1 + max(row for row, _ in puzzle.grid.places)
    signs = {place: str(puzzle.givens.get(cell, blank)) for cell, place in enumerate(puzzle.grid.places)}
    return [[signs.get((row, column), gap) for column in range(side)] for row in range(side)]


GAPS = " .0-x*"
"""The signs of places without a cell."""
WRITTEN = [*product(".", ("", " ", ",")), ("0", "|"), ("-", ""), ("_", "\t")]
"""The sign of an empty cell, and what parts cells."""


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("gap", GAPS)
def test_rows_with_gaps_are_boards_that_overlap(gap, kind, every):
    """Gaps may be spaces, the mark of empty cells or another; cells and bands may be parted; a title may stand above.

    Two boards are written in every way, the larger shapes in each way with one sign for gaps; `make test-all` tries all of them.
    """
    puzzle = _puzzle(SHAPES[kind])
    for blank, mark in WRITTEN if every or kind == "two" else WRITTEN[GAPS.index(gap) :: len(GAPS)]:
        lines = [mark.join(row).rstrip(" ") for row in _rows(puzzle, gap, blank)]
        banded = [line + "\n" * (number % 3 == 2) for number, line in enumerate(lines)]
        for text in ("\n".join(lines), "\n".join(banded)):
            (record,) = records_of_text(text)
            assert (record.error, record.puzzle) == (None, puzzle)
        titled, second = records_of_text("\n".join(["A title", *lines, "", *lines]))
        assert (titled.puzzle.title, titled.puzzle.givens, second.puzzle) == ("A title", puzzle.givens, puzzle)


def test_gaps_may_be_left_out():
    """Rows of 18, 21 and 9 cells are a samurai, the two boards of a row parted by a blank or not."""
    puzzle = _puzzle(SHAPES["samurai"])
    for blank in ("", " "):
        lines = ["".join(row).strip().replace("   ", blank) for row in _rows(puzzle, " ", ".")]
        (record,) = records_of_text("\n".join(lines))
        assert record.puzzle == puzzle


def test_what_is_drawn_is_read():
    """The text of a puzzle of boards that overlap, as Python shows it, is read."""
    puzzle = _puzzle(SHAPES["samurai"])
    assert Puzzle.parse(str(puzzle)) == puzzle


def test_a_large_board_is_no_samurai():
    """A 21x21 board with larger values, or with cells filled where a samurai has gaps, is one board."""
    rows = _rows(_puzzle(SHAPES["samurai"]), ".", ".")
    for row, column, sign, mark in ((0, 0, "F", ""), (0, 10, "1", ""), (0, 0, "12", ",")):
        changed = [[*line] for line in rows]
        changed[row][column] = sign
        (record,) = records_of_text("\n".join(map(mark.join, changed)))
        assert record.puzzle.grid == Grid.square(21)


def test_a_wrong_sign_is_named():
    """What stands in a cell and is no value is an error with its cell."""
    text = "\n".join("".join(row) for row in _rows(_puzzle(SHAPES["samurai"]), " ", "."))
    (record,) = records_of_text("Q" + text[1:])
    with pytest.raises(ParseError, match="'Q' in r1c1"):
        raise record.error


@pytest.mark.parametrize("stripped", [False, True])
def test_a_spreadsheet_has_tabs_in_empty_rows_too(stripped):
    """Rows of tabs alone are rows: five boards copied from a spreadsheet were one board of 21x21."""
    rows = [["" for _ in range(21)] for _ in range(21)]
    for at in range(0, 21, 2):
        rows[at][at] = str(at % 9 + 1)
        rows[at][20 - at] = str((at + 4) % 9 + 1)
    rows[10][10] = ""
    lines = ["\t".join(row) for row in rows]
    text = "\n".join(line.rstrip("\t") if stripped and line.strip() else line for line in lines)
    (record,) = records_of_text(text)
    assert [board.at for board in record.puzzle.grid.boards] == [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)]
    assert len(record.puzzle.givens) == 20


def test_a_shape_of_too_many_boards_is_refused_and_no_other_reading_taken():
    """A plane full of boards can be covered in too many ways to say which they are."""
    rows = ["." * 45] * 27 + ["." * 27 + " " * 18] * 18
    (record,) = records_of_text("\n".join(rows))
    assert "a shape of too many boards" in str(record.error)


def test_boards_apart_are_seen_not_to_overlap_at_once(count_calls):
    """Their rows are tried as one shape again behind each of them: the rows of known shapes are counted once."""
    text = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n\n" * 20
    found, calls = count_calls(lambda: overlapping_boards.sniff(text))
    assert not found
    assert calls < 1000 * text.count("\n")

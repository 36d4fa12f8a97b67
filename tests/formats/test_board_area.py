"""Boards in tables with empty rows and columns, as spreadsheets are laid out."""

from __future__ import annotations

import pytest

from sudoku_cp.formats import records_of_text
from sudoku_cp.grid import Grid, default_boxes

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SIX = "1.....23.....4.....5..6.........1..6"
SIXTEEN = "".join("." * (index % 7) + "123456789ABCDEFG"[index] + "." * (15 - index % 7) for index in range(16))
BOARDS = {6: SIX, 9: LINE, 16: SIXTEEN}


def _rows(side, blank=""):
    cells = [{".": blank}.get(sign) if sign == "." else str(int(sign, 17)) for sign in BOARDS[side]]
    return [cells[start : start + side] for start in range(0, side * side, side)]


def _parted(items, size, nothing):
    """Return items with something between each ``size`` of them."""
    return [one for at, item in enumerate(items) for one in ([nothing, item] if at and at % size == 0 else [item])]


def _text(rows, mark):
    return "\n".join(map(mark.join, rows)) + "\n"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("blank", ["", "0"])
@pytest.mark.parametrize("side", BOARDS)
@pytest.mark.parametrize("which", ["both", "columns", "rows"])
def test_empty_rows_and_columns_between_boxes_are_no_cells(side, blank, mark, which):
    """Where a spreadsheet has an empty column or row between boxes, the board is what stands around it."""
    height, width = default_boxes(side)
    rows = _rows(side, blank)
    if which != "rows":
        rows = [_parted(row, width, "") for row in rows]
    if which != "columns":
        rows = _parted(rows, height, [""] * len(rows[0]))
    (record,) = records_of_text(_text(rows, mark))
    assert record.error is None
    assert (record.puzzle.grid, record.puzzle.line()) == (Grid.square(side), BOARDS[side])


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("left", "right", "above", "below"), [(1, 0, 1, 0), (2, 0, 2, 0), (0, 3, 0, 0), (3, 4, 1, 6), (1, 1, 0, 0)]
)
@pytest.mark.parametrize("gaps", [False, True])
def test_margins_are_no_cells(left, right, above, below, mark, gaps):
    """Empty columns and rows around a board do not make it a larger one, whose boxes would be others."""
    rows = [_parted(row, 3, "") if gaps else row for row in _rows(9)]
    rows = [[*[""] * left, *row, *[""] * right] for row in (_parted(rows, 3, [""] * len(rows[0])) if gaps else rows)]
    empty = [""] * len(rows[0])
    (record,) = records_of_text(_text([*[empty] * above, *rows, *[empty] * below], mark))
    assert record.error is None
    assert (record.puzzle.grid, record.puzzle.line()) == (Grid.square(9), LINE)


def test_a_board_that_can_stand_in_several_places_is_refused():
    """Where a margin and an outer column of the board cannot be told apart, one message names the ways to read the table."""
    rows = [["", *row[:8], ""] for row in _rows(9)]
    for row in rows:
        row[1] = row[1] or "1"
    (record,) = records_of_text(_text([[""] * 10, *rows], ","))
    assert "expected 9 rows and columns between empty ones, got 10 rows of 10" in str(record.error)
    assert "columns 1 and 2" in str(record.error)


@pytest.mark.parametrize("side", [10, 11, 12, 16])
def test_larger_boards_stay_larger(side):
    """A board with larger values, or without empty rows and columns at its edges, is as large as its table."""
    rows = [["" for _ in range(side)] for _ in range(side)]
    for row in range(1, side):
        rows[row][1 + row % (side - 1)] = str(row + 1)
    (record,) = records_of_text(_text(rows, ","))
    assert len(record.puzzle.grid.cells) == side * side
    (required,) = records_of_text(_text([row[:] for row in rows], ","), grid=Grid.square(side))
    assert required.puzzle == record.puzzle


def test_trailing_separators_and_empty_first_columns_stay_readable():
    """A separator at the end of each row is no column, also where the first column of the board is empty."""
    rows = [["", *row[1:]] for row in _rows(9)]
    (record,) = records_of_text("".join(",".join(row) + ",\n" for row in rows))
    assert record.puzzle.line() == "".join("".join(sign or "." for sign in row) for row in rows)


@pytest.mark.parametrize(
    ("between", "mark"), [("\n", ","), ("Second\n", ","), ("\nSecond\n", ";"), ("Second\n", "\t"), ("\nSecond\n", "\t")]
)
def test_several_boards_of_a_sheet_have_gaps_of_their_own(between, mark):
    """Boards below one another, parted by an empty line or a title, are each read without their empty rows and columns."""
    rows = [_parted(row, 3, "") for row in _rows(9)]
    text = _text(_parted(rows, 3, [""] * len(rows[0])), mark)
    first, second = records_of_text(f"First\n{text}{between}{text}")
    assert first.puzzle.line() == second.puzzle.line() == LINE
    assert (first.puzzle.title, second.puzzle.title) == ("First", "Second" if "Second" in between else "")

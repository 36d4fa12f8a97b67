"""Patterns of givens as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.request_parsing import parse_pattern, pattern_text
from sudoku_cp.grid import Board, Grid

TWO = Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))
GRIDS = (Grid.square(4), Grid.square(9), Grid.rectangle(4, 6), TWO)


@given(st.sampled_from(GRIDS), st.data())
def test_a_pattern_written_and_read_is_the_same(grid, data):
    """Writing and reading undo each other, on grids of every shape."""
    cells = tuple(cell for cell in grid.cells if data.draw(st.booleans()))
    assert parse_pattern(pattern_text(grid, cells), grid) == cells


@given(st.text("1Xx#*9aZ0.-_", min_size=16, max_size=16))
def test_a_pattern_reads_the_same_in_one_line_and_in_rows(line):
    """Line breaks and spaces are ignored; blanks are 0, ., - and _."""
    rows = "\n".join(" ".join(line[start : start + 4]) for start in range(0, 16, 4))
    expected = tuple(cell for cell, sign in enumerate(line) if sign not in "0.-_")
    assert parse_pattern(line, Grid.square(4)) == parse_pattern(rows, Grid.square(4)) == expected


def test_lines_between_boxes_are_passed_over():
    """A pattern may be drawn as puzzles are, with lines between boxes; a line of blanks is not one of these."""
    drawn = "x.|..\n----\n--+--\n..|.x\n.1|..\n"
    assert parse_pattern(drawn, Grid.square(4)) == (0, 11, 13)


def test_everything_wrong_is_said_at_once():
    """Unknown characters are named with their places, together with a wrong number of cells."""
    with pytest.raises(InvalidInput) as caught:
        parse_pattern("x.?.\n..!", Grid.square(4))
    assert len(caught.value.problems) == 3
    assert "'?' (line 1, column 3" in caught.value.problems[0]
    assert "expected a pattern of 16 cells for a 4x4 grid, got 7" in caught.value.problems[2]

"""Drawing pencil marks for a terminal."""

from __future__ import annotations

import re

from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.render import Look, draw_candidates

ANSI = re.compile(r"\x1b\[\d+m")


def test_each_candidate_has_its_place() -> None:
    """A given stands alone, a single candidate in a circle, every other one at its place with its note."""
    notes = [{1: ""}, {2: ""}, {3: "", 4: "?"}, {4: "?"}] + [{1: "", 2: "", 3: "", 4: ""}] * 12
    lines = draw_candidates(Puzzle(Grid.square(4), givens={0: 1}), notes).splitlines()
    assert lines[1] == "│               │ .  .   .  .   │"
    assert lines[2] == "│   1      ②    │ 3  4?  .  4?  │"
    assert len(lines) == 2 * 4 + 3


def test_rows_of_marks_are_filled_up() -> None:
    """Where the values do not fill the last row of marks, all lines are still of the same length, in colour or not."""
    puzzle = Puzzle(Grid.jigsaw("AABBB AABBC ADDCC DDEEC DEEEC"), givens={0: 1})
    notes = [{1: ""}, {2: ""}, *[dict.fromkeys(puzzle.grid.values, "")] * 22, {3: "?"}]
    plain = draw_candidates(puzzle, notes, Look(ascii_only=True))
    assert plain.isascii()
    assert len({len(line) for line in plain.splitlines()}) == 1
    assert "[2]" in plain
    coloured = draw_candidates(puzzle, notes, Look(colour=True))
    assert ANSI.sub("", coloured) == draw_candidates(puzzle, notes)
    assert "\x1b[33m3?\x1b[0m" in coloured


def test_overlapping_boards_leave_holes() -> None:
    """Places without a cell are blank, and every cell is drawn once."""
    grid = Grid(tuple(Board(4, 4, (2, 2), at=at) for at in ((0, 0), (2, 2))), range(1, 5))
    drawn = draw_candidates(Puzzle(grid), [{4: "", 1: ""}] * len(grid.cells))
    assert drawn.count("4") == len(grid.cells)
    assert drawn.splitlines()[-2].startswith(" " * 12 + "│ . 4  . 4  │")


def test_a_grid_without_candidates_is_drawn() -> None:
    """Where nothing is possible there are only dots."""
    assert "│ . .  . .  │ . .  . .  │" in draw_candidates(Puzzle(Grid.square(4)), [{}] * 16)

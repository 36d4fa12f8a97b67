"""Candidates in text: pencilmark lines, grids of groups, HoDoKu's lines, .sdx."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import records_of_text, sniff, write_puzzles
from sudoku_cp.formats.board_text.candidate_marks import domains_left_by_givens
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
GROUPS = ("candidates", "sdx")


def _read(text, name=None):
    return list(records_of_text(text, format=name))


def _written(puzzles, name):
    target = StringIO()
    write_puzzles(puzzles, target, name)
    return target.getvalue()


@st.composite
def _marked(draw, sides=(4, 6, 9)):
    """Draw a puzzle with consistent givens and with candidates, as other programs write them."""
    grid = Grid.square(draw(st.sampled_from(sides)))
    candidates = {}
    givens = draw(st.dictionaries(st.sampled_from(grid.cells), st.sampled_from(grid.values), max_size=8))
    left = domains_left_by_givens(grid, givens)
    for cell in draw(st.sets(st.sampled_from(grid.cells), max_size=12)) - set(givens):
        values = [value for value in grid.values if left[cell] >> value & 1]
        if values:
            candidates[cell] = sum(1 << value for value in draw(st.sets(st.sampled_from(values), min_size=1)))
    return Puzzle(grid, givens=givens, candidates=candidates)


@pytest.mark.parametrize("name", ["pencilmarks", "candidates", "sdx", "hodoku"])
@given(data=st.data())
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_candidates_come_back(name, data):
    """Candidates come back with the same values for each cell, except those that the givens rule out anyway."""
    puzzle = data.draw(_marked(sides=(9,) if name in {"sdx", "hodoku"} else (4, 6, 9)))
    try:
        text = _written([puzzle], name)
    except Unsupported:
        if name not in GROUPS:  # only there a given and a candidate may look alike
            raise
        return
    (record,) = _read(text, name)
    found = record.puzzle
    if name == "pencilmarks":
        assert found.assume() == {
            cell: kept for cell, kept in puzzle.assume().items() if kept != 2 ** (len(puzzle.grid.values) + 1) - 2
        }
        return
    assert found.givens == puzzle.givens
    left = domains_left_by_givens(puzzle.grid, puzzle.givens)
    for cell in puzzle.grid.cells:
        assert found.candidates.get(cell, -1) & left[cell] == puzzle.candidates.get(cell, -1) & left[cell]


def test_a_digit_alone_is_a_given_unless_it_is_still_open_elsewhere(data):
    """HoDoKu's rule: in a published grid with all candidates the givens are found again, and nothing else."""
    (record,) = _read(data("formats/self_made/candidate_grid.txt").read_text())
    assert record.puzzle == Puzzle.parse(LINE)
    # r5c5 has one candidate left, which others in its row still have: it is not a given.
    assert 40 not in record.puzzle.givens


@pytest.mark.parametrize("layout", ["rows", "one a line", "one line", "framed"])
def test_the_layout_of_groups_says_nothing(layout):
    """81 groups are a board, however the lines are cut and whatever stands between them."""
    grid = _written([Puzzle.parse(LINE)], "candidates")
    groups = [word for word in grid.split() if word.isdigit() or word == "."]
    text = {
        "rows": "\n".join(" ".join(groups[start : start + 9]) for start in range(0, 81, 9)),
        "one a line": "\n".join(groups),
        "one line": " ".join(groups),
        "framed": grid.replace("-", "=").replace("|", " : "),
    }[layout]
    assert sniff(text).name == "candidates"
    assert [record.puzzle for record in _read(text)] == [Puzzle.parse(LINE)]
    assert [record.puzzle for record in _read(f"{text}\n\n{text}", "candidates")] == [Puzzle.parse(LINE)] * 2


def test_titles_stand_before_grids_of_candidates():
    """A line of words before a grid is its title, even if it has digits."""
    puzzles = [Puzzle(givens={0: 1}, candidates={80: 0b110}, title=title) for title in ("Puzzle 1", "The second", "")]
    assert [record.puzzle for record in _read(_written(puzzles, "candidates"))] == puzzles


@pytest.mark.sampled(2)
@pytest.mark.parametrize("written", ["puzzle", "one open cell", "nothing"])
@pytest.mark.parametrize("side", [4, 6, 7, 8, 9])
def test_groups_are_no_boards_beside_each_other(side, written):
    """Rows of groups of the same size are the candidates of one board: no row is a board, and no column of groups."""
    grid = Grid.square(side)
    givens = {0: 1, side + 2: 4} if written == "puzzle" else {}
    candidates = {5: 0b110} if written == "one open cell" else {}
    puzzle = Puzzle(grid, givens=givens, candidates=candidates)
    text = _written([replace(puzzle, title="Today"), puzzle], "candidates")
    for name in (None, "candidates"):
        assert [record.puzzle for record in _read(text, name)] == [replace(puzzle, title="Today"), puzzle]


def test_a_line_of_marks_says_what_is_possible(data):
    """729 signs are the candidates of 81 cells, with dots or zeros; 216 are those of a 6x6 board."""
    dots, zeros = _read(data("formats/self_made/pencilmark729.txt").read_text())
    assert dots.puzzle == zeros.puzzle
    assert not dots.puzzle.givens
    assert dots.puzzle.candidates[0] == 1 << 5
    assert dots.puzzle.candidates[2] == 1 << 1 | 1 << 2 | 1 << 4
    (record,) = _read("1" + "." * 5 + "123456" * 35 + " a title")
    assert record.puzzle == Puzzle(Grid.square(6), candidates={0: 2}, title="a title")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("2" + "." * 728, "line 2, column 1: expected '1' or a blank ('.' or '0') at column 1, got '2'"),
        ("1" * 728, "line 2: expected as many signs as a board has cells times values"),
        ("." * 9 + "123456789" * 80, "line 2: expected at least one candidate in r1c1, got none"),
        ("9" * 729, "and 638 more such signs"),
        ("\x00", "line 2: expected as many signs"),
    ],
)
def test_a_bad_line_of_marks_is_told_and_passed(bad, message):
    """A line that is wrong is named with everything wrong in it; those around it are read."""
    good = "123456789" * 81
    before, record, after = _read(f"{good}\n{bad}\n{good}", "pencilmarks")
    assert before.puzzle == after.puzzle == Puzzle()
    assert message in str(record.error)


# --- HoDoKu -----------------------------------------------------------------------------------------------------


def test_a_library_line_keeps_givens_apart(data):
    """Digits with a plus are a player's and are named in a warning; deleted candidates are left out of the cells."""
    first, second = _read(data("formats/self_made/hodoku_library.txt").read_text())
    assert first.puzzle == Puzzle.parse(LINE)
    assert second.puzzle.givens == first.puzzle.givens
    assert first.warnings == ()
    assert second.warnings == (
        "not read: the technique, its candidates (about a solving step)",
        "digits placed but not given are not read: 1 (r1c4)",
    )
    assert second.puzzle.candidates == dict.fromkeys((12, 13), 0b1111111100)
    (susser,) = _read(f"{LINE}:124 125")
    assert susser.puzzle == second.puzzle


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (f":0000:x:{LINE[1:]}::::", "line 2: expected 81 cells, got 80"),
        (f":0000:x:!{LINE[1:]}::::", "line 2, column 9: expected a sign"),
        (f":0000:x:{LINE}:024 12 xyz:::", "got '024'; expected a deleted candidate as value, row and column ('124'), got '12'; "),
        (f":0000:x:{LINE}", "line 2: expected a library line such as"),
        (f":0000:x:{LINE}:{' '.join(f'{value}11' for value in range(1, 10))}:::", "expected a candidate left in r1c1"),
        ("nonsense", "line 2: expected 81 cells, got 8"),
    ],
)
def test_a_bad_library_line_is_told_and_passed(bad, message):
    """A line that is wrong is named; those around it are read."""
    good = f":0000:x:{LINE}::::"
    before, record, after = _read(f"{good}\n{bad}\n{good}", "hodoku")
    assert before.puzzle == after.puzzle == Puzzle.parse(LINE)
    assert message in str(record.error)


# --- .sdx -------------------------------------------------------------------------------------------------------


def test_what_a_player_set_is_no_given():
    """A digit with a ``u`` before it is named in a warning and left open."""
    text = _written([Puzzle.parse(LINE)], "sdx").replace(" 124 ", " u4 ", 1)
    assert sniff(text).name == "sdx"
    (record,) = _read(text)
    assert record.puzzle.givens == Puzzle.parse(LINE).givens
    assert record.warnings == ("digits that a player set are not read: 1",)


def test_a_bad_sdx_is_told_with_all_that_is_wrong():
    """Short rows and invalid cells are named with their places."""
    rows = _written([Puzzle()], "sdx").split("\n")
    rows[1], rows[2] = "1 2 3", rows[2].replace("123456789", "11", 1)
    (record,) = _read("\n".join(rows), "sdx")
    assert str(record.error).startswith(
        "line 2: expected 9 cells between blanks, got 3; line 3, column 1: expected different digits"
    )


@pytest.mark.parametrize("title", ["", "Monday", "A title, of: two . lines"])
def test_a_title_stands_above_cells_with_all_their_marks(title: str) -> None:
    """A drawing whose cells have one mark or all of them is read back whole, with its title."""
    givens = Puzzle.parse(LINE).givens
    puzzle = Puzzle(candidates={cell: 1 << value for cell, value in givens.items()}, title=title)
    (record,) = _read(_written([puzzle], "candidates"))
    assert record.puzzle is not None
    assert (record.puzzle.title, record.puzzle.candidates, record.puzzle.givens) == (title, puzzle.candidates, {})

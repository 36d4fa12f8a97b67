"""One puzzle a line."""

from __future__ import annotations

import pytest

from sudoku_cp.formats import records_of_text, sniff
from sudoku_cp.grid import Grid
from sudoku_cp.symbols import hexadecimal, letters, numerals

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def _read(text, **options):
    return list(records_of_text(text, format="line", **options))


@pytest.mark.parametrize("blank", "0.Xx*_?- ")
def test_every_blank_is_a_blank(blank):
    """Each of the usual signs for an empty cell is one, the space too, and a title may follow."""
    for text in (LINE.replace(".", blank), LINE.replace(".", blank) + " A title # and a comment"):
        (record,) = records_of_text(text)
        assert record.puzzle.line() == LINE
        assert record.puzzle.title == ("A title" if "title" in text else "")


def test_comments_and_sizes_mix():
    """Comments, empty lines and boards of several sizes stand in one file, and lines are counted from 1."""
    text = f"# a file\r\n\r\n{LINE} # easy\r\n12..34..21..43..\r\n"
    records = list(records_of_text(text))
    assert [(record.line, len(record.puzzle.grid.cells)) for record in records] == [(3, 81), (4, 16)]


def test_a_given_grid_is_used():
    """A requested grid gives the shape that the text does not, and the expected number of cells."""
    grid = Grid.rectangle(6, 8, (2, 4))
    good, bad = records_of_text("12345678" * 6 + "\n" + "1" * 47, grid=grid)
    assert good.puzzle.grid == grid
    assert str(bad.error) == "line 2: expected 48 cells, got 47"


@pytest.mark.parametrize("make", [numerals, letters, hexadecimal])
def test_the_alphabet_is_one_for_the_file(make):
    """A line that alone would be read in another alphabet is read in that of its file."""
    symbols = make(range(1, 17))
    rich = symbols.signs[:15] + "." * 241
    poor = "." * 255 + symbols.signs[9]
    first, second = records_of_text(f"{rich}\n{poor}\n")
    assert first.puzzle.symbols == second.puzzle.symbols == symbols
    assert second.puzzle.givens == {255: 10}


def test_an_alphabet_asked_for_wins():
    """The requested alphabet is used, whatever the text looks like."""
    (record,) = records_of_text("A" + "." * 80, alphabet="letters")
    assert record.puzzle.givens == {0: 1}
    (record,) = records_of_text("A" + "." * 255, alphabet="digits")
    assert record.puzzle.givens == {0: 10}
    (record,) = records_of_text("7" + "." * 80, alphabet="987654321")
    assert record.puzzle.givens == {0: 3}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (LINE[:-2], "line 2: expected 81 cells, got 79"),
        (LINE[:-2] + " with a title", "line 2: expected 81 cells, got 79"),
        (LINE + "...", "line 2: expected 81 cells, got 84"),
        ("!" + LINE[1:], "line 2, column 1: expected a sign of '123456789' or a blank (one of '0.Xx*_?- '), got '!' at column 1"),
        (f"  {LINE[:4]}!!{LINE[6:]}", "line 2, column 7: .* got '!' at column 7; .* got '!' at column 8"),
        ("nonsense", "line 2: expected 81 cells, got 8"),
        ("\x00\x01\x02", "line 2: expected 81 cells, got 3"),
        (LINE[17:], "line 2: expected 81 cells, got 64"),
        ("!" * 81, "and 71 more such signs"),
    ],
)
def test_a_bad_line_is_told_and_passed(bad, message):
    """A line that is not a puzzle is an error with everything wrong with it; the puzzles around it are read."""
    before, record, after = _read(f"{LINE}\n{bad}\n{LINE}\n")
    assert before.puzzle == after.puzzle
    assert record.line == 2
    assert_matches(record.error, message)


@pytest.mark.parametrize("length", [16, 25, 36, 49, 64])
@pytest.mark.parametrize(("name", "header"), [("line", ""), ("csv", "puzzle\n")])
def test_a_board_cut_to_another_size_is_told_once(length, name, header):
    """A line in the file's signs that is as long as a smaller board gets one message, not one for each sign."""
    cut = ("987654321" * 9)[:length]
    records = list(records_of_text(f"{header}{LINE}\n{cut}\n{LINE}\n", format=name))
    assert [record.puzzle is None for record in records] == [False, True, False]
    assert records[1].error.problems == (f"expected 81 cells, got {length}",)


def test_marks_cut_to_another_size_are_told_once():
    """Pencil marks cut to the length of a smaller board get one message about it."""
    marks = "123456789" * 81
    _, record, _ = records_of_text(f"{marks}\n{marks[:512]}\n{marks}\n", format="pencilmarks")
    assert record.error.problems == ("expected 729 signs, got 512",)


def test_a_lone_short_line_is_a_puzzle_with_cells_missing():
    """For 79 signs the error names the number of signs, not the formats."""
    (record,) = records_of_text(LINE[:-2])
    assert str(record.error) == "line 1: expected one sign for each cell of a square board (81 for 9x9), got 79"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("jigsaw", f"{LINE}\n{'000111222' * 3 + '333444555' * 3 + '666777888' * 3}"),
        ("pencilmarks", "....5......3......12.4......2...6..." + "." * 693),
        ("killer81", "8<A<F<A<2D<3<E<7<8A<B<6<B<7D<G<7<6<36<E<8<G<18<C<6<D<6F<6<A<A<4A<B<A<9<57<7<E<8<9"),
    ],
    ids=["jigsaw", "pencil marks", "killer"],
)
def test_lines_of_something_else_are_no_boards(name, text):
    """Regions, pencil marks and cages in one line are not taken for givens."""
    assert sniff(text).name == name


def assert_matches(error, message):
    """Compare an error with a message, in which ``.*`` stands for anything."""
    parts = message.split(".*")
    found = str(error)
    assert all(part in found for part in parts), found


def test_the_solution_below_a_damaged_line_is_no_puzzle():
    """A full board below a line that has lost a cell is the solution of that line, and an error as long as the line is one."""
    solved = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    whole, damaged, below, last = records_of_text(f"{LINE}\n{LINE[:-1]}\n{solved}\n{LINE}\n")
    assert whole.puzzle.line() == last.puzzle.line() == LINE
    assert "expected 81 cells, got 80" in str(damaged.error)
    assert "line 3: expected the solution of a puzzle above it that can be read, got an error at line 2" in str(below.error)
    assert [bool(record.puzzle) for record in records_of_text(f"{LINE}\n{solved[:-1]}\n{solved}\n")] == [True, False, True]

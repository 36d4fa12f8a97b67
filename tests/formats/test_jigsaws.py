"""Boards with irregular regions, in signs."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import read_puzzles, records_of_text, sniff, write_puzzles
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import AntiKing, Houses

SMALL = "AAABACBBCCDBCDDD"
GIVENS = "1..." + "." * 12


def _read(text, name="jigsaw"):
    return list(records_of_text(text, format=name))


def _text_of(puzzle):
    target = StringIO()
    write_puzzles([puzzle], target, "jigsaw")
    return target.getvalue()


@pytest.mark.parametrize(
    "text", [GIVENS + SMALL, f"{GIVENS}\n{SMALL}", f"# one\n\n{GIVENS}  \n\n{SMALL} # regions\n", GIVENS + SMALL.lower()]
)
def test_signs_and_regions_are_a_jigsaw(text):
    """Regions follow the signs of a board, or stand below them, in any letters."""
    assert sniff(text).name == "jigsaw"
    (record,) = _read(text)
    assert record.puzzle == Puzzle(Grid.jigsaw("AAAB ACBB CCDB CDDD"), givens={0: 1})


@pytest.mark.parametrize("name", [None, "line", "jigsaw"])
@pytest.mark.parametrize("side", [4, 5, 7, 9, 16])
def test_regions_a_blank_behind_a_board_are_its_regions(side, name):
    """A board, a blank and its regions in letters are a jigsaw of any size, whichever format reads them; a title may follow."""
    first = list("ABCDEFGHIJKLMNOP"[:side])
    rows = [[first[row]] * side for row in range(side)]
    rows[0][0], rows[1][0] = rows[1][0], rows[0][0]
    regions = "".join(map("".join, rows))
    text = f"{'.' * (side * side - 1)}1 {regions}  A title\n{'.' * (side * side)}\n"
    record, *others = records_of_text(text, format=name)
    assert record.puzzle == Puzzle(Grid.jigsaw(regions), givens={side * side - 1: 1}, title="A title")
    if name != "jigsaw":
        assert others[0].puzzle.grid == Grid.square(side)


PLAIN = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_a_solution_behind_a_board_is_no_region():
    """A solved board has every sign as often as regions do, but is the solution of the board, or refused."""
    (record,) = records_of_text("1..............1 1234341221434321 easy\n")
    assert (record.puzzle.grid, record.puzzle.title) == (Grid.square(4), "easy")
    assert "".join(map(str, record.puzzle.solution)) == "1234341221434321"
    (record,) = records_of_text("1..............4 1234341221434321\n")
    assert "expected one puzzle on the line, got two" in str(record.error)


@pytest.mark.parametrize("grid", [None, Grid.square(9)])
@pytest.mark.parametrize("gap", ["", "\n"])
def test_lines_with_their_solutions_below_are_single_puzzles(gap, grid):
    """A full line that has the givens of the line above is its solution; a line without one is a plain puzzle."""
    text = f"{PLAIN} easy\n{gap}{SOLVED}\n{OTHER}\n{gap}{PLAIN.replace('.', '0')}\n{SOLVED}\n"
    records = list(records_of_text(text, grid=grid))
    assert [record.puzzle.line() for record in records] == [PLAIN, OTHER, PLAIN]
    assert [record.puzzle.title for record in records] == ["easy", "", ""]
    assert [record.puzzle.solution is None for record in records] == [False, True, False]


def test_a_full_line_that_contradicts_the_board_above_is_refused():
    """It is neither regions all over the board nor a solution: the error names the cell."""
    good, bad = records_of_text(f"{PLAIN}\n{SOLVED}\n{OTHER}\n{SOLVED}\n")
    assert good.puzzle.solution is not None
    assert "line 3: expected the solution of the cells below them, got a full board with '5' in r1c1" in str(bad.error)


@pytest.mark.parametrize("side", [4, 9, 16])
def test_a_solution_in_the_same_word_is_no_region(side):
    """A board with its solution behind it, without a gap, is a plain board; it was a jigsaw with regions all over it."""
    solved = Puzzle(Grid.square(side))
    solved = solved.with_givens(dict(enumerate(next(iter(solved.solutions())))))
    target = StringIO()
    write_puzzles([solved], target, "line")
    full = target.getvalue().strip()
    (record,) = records_of_text("".join("." if cell % 3 else sign for cell, sign in enumerate(full)) + full)
    assert record.puzzle.is_plain
    assert record.puzzle.solution == tuple(solved.givens.values())


def test_regions_alone_are_a_board():
    """Regions without a board are a board without givens; several may follow each other."""
    text = f"{SMALL}\n{GIVENS}{SMALL}\n"
    assert sniff(text).name == "jigsaw"
    assert [dict(record.puzzle.givens) for record in _read(text)] == [{}, {0: 1}]


def test_regions_that_are_boxes_are_boxes():
    """The regions of a plain board make a plain board."""
    (record,) = _read("1..." * 4 + "0011001122332233")
    assert record.puzzle.grid.is_plain


@given(data=st.data())
@settings(max_examples=20)
def test_jigsaws_survive(data):
    """Boards with regions of any shape, up to 16 x 16, come back with their givens."""
    side = data.draw(st.sampled_from([4, 6, 9, 12, 16]))
    labels = data.draw(st.permutations([index // side for index in range(side * side)]))
    grid = Grid.jigsaw("".join(chr(65 + label) for label in labels))
    givens = data.draw(st.dictionaries(st.sampled_from(grid.cells), st.sampled_from(grid.values), max_size=20))
    puzzle = Puzzle(grid, givens=givens)
    (record,) = _read(_text_of(puzzle))
    assert record.puzzle == puzzle


@pytest.mark.parametrize("name", ["jigsaw_162.txt", "jigsaw_2x81.txt"])
def test_the_samples_are_the_usual_puzzle(name, data):
    """Both samples are recognised, and their regions are the usual boxes."""
    path = data(f"formats/self_made/{name}")
    assert sniff(path.read_text()).name == "jigsaw"
    (puzzle,) = read_puzzles(path)
    assert puzzle.is_plain


def test_real_layouts_are_read(data):
    """Published layouts are recognised and come back; the regions of all have nine cells."""
    lines = data("formats/third_party/iss_nonnative_strings.txt").read_text().split()
    layouts = [line for line in lines if len(line) == 81 and sniff(line).name == "jigsaw"]
    assert len(layouts) == 42
    for line in layouts:
        (record,) = _read(line)
        (back,) = _read(_text_of(record.puzzle))
        assert back.puzzle == record.puzzle


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (GIVENS, "a board and the regions of its cells .* got 16 signs"),
        (f"{GIVENS}\n{GIVENS}{SMALL}", "line 1: expected a board and the regions"),
        (GIVENS + SMALL[:-1] + "A", "regions of its cells"),
        ("12z4" + "." * 12 + SMALL, "got 'z' at column 3"),
        ("x", "got 1 signs"),
    ],
)
def test_errors_say_what_is_wrong(text, named):
    """A line that is not a jigsaw is an error in its place."""
    error = next(record.error for record in _read(text) if record.error)
    with pytest.raises(type(error), match=named):
        raise error


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (Puzzle(Grid.square(5)), "as many regions as rows"),
        (Puzzle(Grid.jigsaw("AAB. CCB. CCDD EEDD")), "as many regions as rows"),
        (Puzzle(Grid.jigsaw("AAAB ACBB CCDB CDDD"), (Houses(), AntiKing())), "anti-king"),
        (Puzzle(candidates={0: 6}), "candidates"),
    ],
    ids=["5x5", "holes", "rules", "candidates"],
)
def test_what_signs_cannot_say_is_refused(puzzle, named):
    """Anything besides a board and its regions is refused by name."""
    with pytest.raises(Unsupported, match=named):
        _text_of(puzzle)

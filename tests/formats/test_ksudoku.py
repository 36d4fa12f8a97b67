"""KSudoku's XML."""

from __future__ import annotations

import re
from io import StringIO

import pytest

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import records_of_text, sniff, write_puzzles
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import RULES, Houses

DIAGONALS, CAGE, EXTRA = RULES["diagonals"], RULES["killer-cage"], RULES["extra-region"]
LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWO = Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))


def _read(text, name=None):
    return list(records_of_text(text, format=name))


def _written(puzzles):
    target = StringIO()
    write_puzzles(puzzles, target, "ksudoku")
    return target.getvalue()


PUZZLES = {
    "classic": Puzzle.parse(LINE),
    "texts": Puzzle(givens={1: 2}, title='a <"&', author="é", solution=tuple(range(1, 10)) * 9),
    "four": Puzzle(Grid.square(4), givens={1: 2}),
    "six": Puzzle(Grid.square(6), givens={1: 2}),
    "tall boxes": Puzzle(Grid.rectangle(6, 6, (3, 2)), givens={1: 2}),
    "twenty-five": Puzzle(Grid.square(25), givens={1: 25}),
    "no boxes": Puzzle(Grid.square(5), givens={1: 2}),
    "diagonals": Puzzle(rules=(*CLASSIC, DIAGONALS()), givens={1: 2}),
    "one diagonal": Puzzle(rules=(*CLASSIC, DIAGONALS(down=False))),
    "jigsaw": Puzzle(Grid.jigsaw("AAAB CCAB CCBB DDDD"), givens={1: 2}),
    "extra regions": Puzzle(rules=(*CLASSIC, EXTRA((0, 10, 20)), EXTRA((8, 16, 24)))),
    "killer": Puzzle(Grid.square(4), (*CLASSIC, CAGE((0, 1), 5), CAGE((2, 3, 7), 6), CAGE((15,), 2)), {4: 3}),
    "two boards": Puzzle(TWO, givens={1: 2, 10: 3}, solution=(1,) * 28),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_a_puzzle_comes_back(name):
    """Whatever KSudoku can express is read back as the same puzzle, and recognised."""
    text = _written([PUZZLES[name]] * 2)
    assert sniff(text).name == "ksudoku"
    assert [record.puzzle for record in _read(text)] == [PUZZLES[name]] * 2


def test_cells_are_counted_down_the_columns():
    """The second cell is that below the first; a letter is a value, an underscore a blank."""
    (record,) = _read(
        '<ksudoku><game><puzzle><graph order="4" type="sudoku"/><values>_b______________</values></puzzle></game></ksudoku>'
    )
    assert record.puzzle == Puzzle(Grid.square(4), givens={4: 1})


def test_overlapping_boards_are_boards(data):
    """Samurai shapes are boards with boxes, even the middle one, four of whose boxes its neighbours define."""
    (samurai,) = _read(data("formats/third_party/Samurai.xml").read_text())
    assert [board.at for board in samurai.puzzle.grid.boards] == [(0, 0), (12, 0), (6, 6), (0, 12), (12, 12)]
    assert all(board.boxes == (3, 3) for board in samurai.puzzle.grid.boards)
    assert samurai.puzzle.rules == (Houses(),)
    (tiny,) = _read(data("formats/third_party/TinySamurai.xml").read_text())
    assert len(tiny.puzzle.grid.cells) == 5 * 16 - 4
    assert tiny.puzzle.author == "Francesco Rossi"
    for record in (samurai, tiny):
        assert [again.puzzle for again in _read(_written([record.puzzle]))] == [record.puzzle]


def test_a_jigsaw_has_regions(data):
    """Groups that tile a board are its regions; all 27 groups of the file are houses."""
    (record,) = _read(data("formats/third_party/Jigsaw.xml").read_text())
    (board,) = record.puzzle.grid.boards
    assert board.regions is not None
    assert len(record.puzzle.grid.houses) == 27
    # The file counts down the columns: its cells 0 1 2 9 10 28 18 19 20 are these.
    names = {record.puzzle.grid.cell_name(cell) for cell in record.puzzle.grid.regions[0]}
    assert names == {"r1c1", "r2c1", "r3c1", "r1c2", "r2c2", "r2c4", "r1c3", "r2c3", "r3c3"}


def _graph(body, size=4, kind="Jigsaw"):
    head = f'<graph order="4" type="custom" specific-type="{kind}" sizeX="{size}" sizeY="4" sizeZ="1" name="x">'
    return f"<ksudoku-graph>\n{head}\n{body}\n</graph>\n</ksudoku-graph>\n"


def _clique(cells, name="clique", more=""):
    return f'<{name} size="{len(cells)}"{more}>{" ".join(map(str, cells))}</{name}>'


def test_groups_alone_are_a_board_where_they_are_its_rows():
    """Rows and columns listed one by one are a board; two groups more are its diagonals."""
    rows = [range(start, 16, 4) for start in range(4)]
    columns = [range(start, start + 4) for start in range(0, 16, 4)]
    body = "".join(map(_clique, (*rows, *columns, range(0, 16, 5), range(3, 13, 3))))
    (record,) = _read(_graph(body))
    assert record.puzzle == Puzzle(Grid.rectangle(4, 4), (*CLASSIC, DIAGONALS()), title="x")


def test_groups_without_a_board_are_groups():
    """Where rows mean nothing, the cells stand in pieces of rows and each group is a rule of its own."""
    (record,) = _read(_graph(_clique((0, 1, 6, 7)) + _clique((1, 2, 3, 5))))
    puzzle = record.puzzle
    names = {tuple(puzzle.grid.cell_name(cell) for cell in rule.cells) for rule in puzzle.rules}
    assert names == {("r1c1", "r2c1", "r3c2", "r4c2"), ("r2c1", "r2c2", "r3c1", "r4c1")}
    assert len(puzzle.grid.cells) == 7
    with pytest.raises(Unsupported, match="boards that are not squares"):
        _written([puzzle])


def test_sums_may_repeat_values_outside_killers():
    """A cage that adds is a killer's cage in a killer, else a plain sum; one cell with a number is that number."""
    board = '<sudokugroups at="0" withblocks="0" />'
    cages = _clique((0, 5), "cage", ' operator="4" value="6"') + _clique((15,), "cage", ' operator="0" value="2"')
    (killer,) = _read(_graph(board + cages, kind="KillerSudoku"))
    assert killer.puzzle.rules[1:] == (CAGE((0, 5), 6), CAGE((15,), 2))
    (other,) = _read(_graph(board + cages, kind="Mathdoku"))
    assert other.puzzle.rules[1:] == (RULES["sum-cage"]((0, 5), 6), CAGE((15,), 2))
    (record,) = _read(_written([Puzzle(Grid.square(4), (*CLASSIC, RULES["sum-cage"]((0, 5), 6)))]))
    assert record.puzzle.rules[1:] == (RULES["sum-cage"]((0, 5), 6),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            _graph(_clique((0, 1), "cage", ' operator="1" value="2"') + '<sudokugroups at="0"/>'),
            "expected cages with sums, got cages that divide",
        ),
        (_graph('<sudokugroups at="1"/>'), "expected a board of 4 x 4 cells within the graph, got one at r2c1"),
        (_graph('<clique size="2">0 1 2</clique>'), "expected 2 different cells in a clique, got 0 1 2"),
        (_graph('<clique size="2">0 99</clique>'), "expected cells from 0 to 15, got 99"),
        (
            _graph('<clique size="2">0 x</clique>\n<clique size="1"> </clique>'),
            "got 'x'; line 4: expected cells in a clique, got none",
        ),
        (
            _graph('<cage size="1" operator="9" value="1">0</cage>'),
            "expected a number from 0 to 4 as 'operator' of a cage, got '9'",
        ),
        (_graph(""), "expected groups of cells in the graph, got none"),
        (
            '<ksudoku><graph order="3" type="roxdoku"/></ksudoku>',
            "expected a flat graph of the type 'sudoku' or 'custom', got one in three",
        ),
        ('<ksudoku><graph order="4" type="custom" sizeX="999" sizeY="999"/></ksudoku>', "at most 10000 places"),
        ('<ksudoku><graph order="99999999999" type="sudoku"/></ksudoku>', "expected a number from 1 to 61 as 'order'"),
        ('<ksudoku><graph order="6" type="sudoku"/></ksudoku>', "expected blocks on boards of 4, 9, 16 or 25 values, got 6"),
        (
            '<ksudoku><game><graph order="4" type="sudoku"/><values>bb</values></game></ksudoku>',
            "expected 16 signs of values, got 2",
        ),
        (
            f'<ksudoku><game><graph order="4" type="sudoku"/><values>{"z" * 16}</values></game></ksudoku>',
            "expected letters from 'b' (1) to 'e'",
        ),
    ],
)
def test_a_bad_graph_is_told(text, message):
    """What is wrong with a graph, or not supported, is named."""
    (record,) = _read(text, "ksudoku")
    assert record.puzzle is None
    assert message in str(record.error)


def test_the_moves_of_a_player_are_no_part_of_the_puzzle():
    """A history is a warning."""
    text = _written([Puzzle.parse(LINE)]).replace("</game>", '<history><simple-event index="2" value="4"/></history></game>')
    (record,) = _read(text)
    assert record.puzzle == Puzzle.parse(LINE)
    assert record.warnings == ("the moves of a player (history) are not read",)


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (Puzzle(rules=(*CLASSIC, RULES["anti-knight"]())), "the rule anti-knight"),
        (Puzzle(rules=(*CLASSIC, CAGE((0, 1)))), "a cage without a total"),
        (Puzzle(rules=(*CLASSIC, CAGE((0, 1), 5), RULES["sum-cage"]((3, 4), 5))), "with and without repeated values"),
        (Puzzle(rules=(*CLASSIC, RULES["sum-cage"]((3, 4), -5))), "a cage with a negative total"),
        (Puzzle(rules=(DIAGONALS(),)), "no rule 'houses'"),
        (Puzzle(candidates={0: 6}), "candidates"),
        (Puzzle(Grid.square(36)), "at most 25"),
        (Puzzle(Grid.rectangle(6, 8)), "not squares"),
        (Puzzle(TWO, (*CLASSIC, DIAGONALS())), "diagonals of several boards"),
    ],
)
def test_what_ksudoku_cannot_say_is_refused(puzzle, named):
    """A puzzle that the XML cannot express is refused with the reason."""
    with pytest.raises(Unsupported, match=named):
        _written([puzzle])


def test_half_a_solution_is_named():
    """A solution with blanks is not read: a warning names it."""
    puzzle = Puzzle(solution=tuple(range(1, 10)) * 9)
    (record,) = records_of_text(re.sub("<solution>b", "<solution>_", _written([puzzle])))
    assert record.puzzle.solution is None
    assert record.warnings == ("the stated solution is not read: it is not complete",)

"""Tables with puzzles in them."""

from __future__ import annotations

import csv
import json

import pytest

from sudoku_cp.formats import format_puzzles, read_records, records_of_text
from sudoku_cp.formats.table_rows import is_number
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.rules import Diagonals, Houses

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"quizzes,solutions\n{LINE},{SOLVED}\n", ("", "", True)),
        (f"id,puzzle,solution,clues,difficulty\n1,{LINE},{SOLVED},30,0.5\n", ("", "difficulty 0.5", True)),
        (f"ID; Source; PUZZLE\n7;a book;{LINE}\n", ("", "a book", False)),
        (f'Puzzle,Solution,Name,\n"{LINE}",,"the first, easy",\n', ("the first, easy", "", False)),
        (f"99480,99408,114,1895,{LINE},Sample,20.00s,0\n", ("Sample", "", False)),
        (f"{LINE},{SOLVED}\n", ("", "", True)),
    ],
    ids=["kaggle", "rated", "semicolons", "quoted", "gsf", "no header"],
)
def test_a_puzzle_is_found_in_its_column(text, told):
    """The header names the columns in any case and order; without one, the field that is a board is the puzzle."""
    (record,) = records_of_text(text)
    puzzle = record.puzzle
    assert puzzle.line() == LINE
    assert (puzzle.title, puzzle.source, puzzle.solution is not None) == told
    assert puzzle.solution is None or puzzle.line(puzzle.solution) == SOLVED


def test_what_no_line_can_say_is_a_document():
    """A puzzle with other rules is written in its field as JSON; an error in one affects no other line."""
    puzzle = Puzzle(Grid.square(4), (Houses(), Diagonals()), {0: 1}, solution=(1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
    told = {name: value for name, value in to_json(puzzle).items() if name != "solution"}
    field = json.dumps(told).replace('"', '""')
    first, wrong, plain = records_of_text(f'puzzle,solution\n"{field}",1234341221434321\n"{{""format"": 3}}",\n{LINE},{SOLVED}\n')
    assert first.puzzle == puzzle
    assert "sudoku-cp puzzle" in str(wrong.error)
    assert plain.puzzle.line() == LINE


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (f"{LINE[:-1]},{SOLVED}", "line 3, column 1: expected 81 cells, got 80"),
        (f"{LINE},{SOLVED[:-1]}", "line 3, column 83: expected 81 cells, got 80"),
        (f"{LINE},{LINE[:-1]}!", "line 3, column 163: expected a sign"),
        (f"{LINE},{LINE}", "line 3, column 83: expected a stated solution without blanks"),
        (f"!{LINE[1:]},{SOLVED}", "line 3, column 1: expected a sign"),
        (f'{LINE},"{SOLVED}', "line 3: expected fields separated by ','"),
        (",", "line 3, column 1: expected 81 cells, got 0"),
        ("\x00", "line 3, column 1: expected one sign for each cell"),
    ],
)
def test_a_bad_line_is_told_and_passed(bad, message):
    """An invalid line, even one with an open quote, affects no other line."""
    before, record, after = records_of_text(f"quizzes,solutions\n{LINE},{SOLVED}\n{bad}\n{LINE},{SOLVED}\n")
    assert before.puzzle == after.puzzle
    assert record.line == 3
    assert message in str(record.error)


def test_a_table_says_all_about_a_plain_puzzle():
    """Title, author, source and stated solution come back from a table."""
    solution = tuple(map(int, SOLVED))
    puzzle = Puzzle.parse(LINE)
    puzzle = Puzzle(givens=puzzle.givens, title='a "first", easy', author="Nobody", source="here", solution=solution)
    (record,) = records_of_text("".join(one.text for one in format_puzzles([puzzle], "csv")))
    assert record.puzzle == puzzle


def test_a_header_alone_is_no_puzzle():
    """A table without lines is empty."""
    (record,) = records_of_text("quizzes,solutions\n")
    assert "expected at least one puzzle, got none" in str(record.error)


PUZZLES = (LINE, LINE.translate(str.maketrans("123456789", "234567891")))
SOLUTIONS = (SOLVED, SOLVED.translate(str.maketrans("123456789", "234567891")))
RATED = [("00a7", PUZZLES[0], "7.2"), ("0b12", PUZZLES[1], "8.3")]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", ["initial_board", "quiz", "unsolved", "start", "problem", "Sudoku", "question", "givens", "Grid", "x"]
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
def test_a_column_of_boards_is_the_puzzles_whatever_its_name(name, delimiter):
    """A line without a puzzle before lines with one is a header; content says which columns have puzzles and solutions."""
    rows = zip("ab", PUZZLES, SOLUTIONS, "57", strict=True)
    text = "\n".join(map(delimiter.join, [("key", name, "filled", "clues"), *rows])) + "\n"
    records = list(records_of_text(text))
    assert [(record.line, record.puzzle.line(), record.puzzle.solution) for record in records] == [
        (line, puzzle, tuple(map(int, solution))) for line, puzzle, solution in zip((2, 3), PUZZLES, SOLUTIONS, strict=True)
    ]


@pytest.mark.parametrize("order", [("filled", "start"), ("start", "filled"), ("id", "filled", "start")])
def test_solutions_stand_on_either_side(order):
    """Full boards are solutions though they come first; without a puzzle that they agree with they are none."""
    right = dict(zip(("id", "start", "filled"), ("1234123412341234", LINE, SOLVED), strict=True))
    wrong = right | {"filled": SOLUTIONS[1]}
    text = ",".join(order) + "\n" + "".join(",".join(row[name] for name in order) + "\n" for row in [right] * 2)
    assert [record.puzzle.solution for record in records_of_text(text)] == [tuple(map(int, SOLVED))] * 2
    others = text.replace(SOLVED, wrong["filled"])
    assert [(record.puzzle.line(), record.puzzle.solution) for record in records_of_text(others)] == [(LINE, None)] * 2


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "  ", " \t"])
@pytest.mark.parametrize("columns", [(0, 1, 2), (0, 1), (1, 2), (2, 1), (0, 2, 1), (2, 0, 1)])
def test_a_table_without_header_has_its_puzzle_anywhere(delimiter, columns):
    """An id or a rating may stand before or after the puzzle; ids are titles, numbers are not."""
    text = "".join(delimiter.join(row[column] for column in columns) + "\n" for row in RATED)
    records = list(records_of_text(text))
    assert [record.puzzle and record.puzzle.line() for record in records] == list(PUZZLES)
    assert [record.puzzle.title for record in records] == (["00a7", "0b12"] if 0 in columns else ["", ""])


def test_words_after_a_board_are_its_title_still():
    """Lines with a title of words after each board are no table."""
    records = list(records_of_text(f"{PUZZLES[0]} the first 1\n{PUZZLES[1]} 7.2\n"))
    assert [record.puzzle.title for record in records] == ["the first 1", "7.2"]


@pytest.mark.parametrize("first", [f"key,{LINE[:-1]}", f"key,{LINE[:-1]}!", f"1,{LINE[:-3]}"])
def test_a_broken_puzzle_is_no_header(first):
    """A first line in which a puzzle was meant is an error, not silently the names of the columns."""
    broken, whole = records_of_text(f"{first}\nb,{LINE}\n")
    assert (broken.puzzle, broken.line, whole.puzzle.line()) == (None, 1, LINE)


@pytest.mark.parametrize("text", [f"puzzle\n{LINE}\n", f"quiz  \n{LINE}\n{LINE}\n", f"start\tend\n{LINE}\t{SOLVED}\n"])
def test_a_header_above_boards_is_no_puzzle(text):
    """The names above a single column, or above the columns of a table that begins with boards, are no lines of boards."""
    assert {record.puzzle.line() for record in records_of_text(text)} == {LINE}


def test_regions_in_a_column_are_the_puzzles():
    """A column of region labels makes jigsaws, as after a board in a line."""
    regions = "1112133224324344"
    (record,) = records_of_text(f"start,shape\n1..............4,{regions}\n")
    assert record.puzzle.grid == Grid.jigsaw(regions)


@pytest.mark.parametrize("names", ["puzzle,solution,number", "number,puzzle,solution", "id,puzzle,solution", "index,start,end"])
def test_a_number_of_a_row_is_no_title(names):
    """A column that counts the rows gives no puzzle a title, whatever its name."""
    fields = {"puzzle": LINE, "start": LINE, "solution": SOLVED, "end": SOLVED}
    text = f"{names}\n" + "".join(",".join(fields.get(name, row) for name in names.split(",")) + "\n" for row in "0123")
    assert [record.puzzle.title for record in records_of_text(text)] == [""] * 4


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "-1+1|cmd", "'=1", "''=1", "'quoted'", "-", "+x", "1-1", "a=b", "=", "＝1"]  # noqa: RUF001


@pytest.mark.parametrize("text", FORMULAS)
def test_a_table_has_no_formulas_and_loses_nothing(text):
    """Texts that a spreadsheet would run have an apostrophe before them, which reading takes away; numbers are numbers."""
    puzzle = Puzzle(Grid.square(4), givens={0: 1}, title=text, author=text, source=text)
    written = "".join(piece.text for piece in format_puzzles([puzzle], "csv"))
    fields = list(csv.reader(written.splitlines()))[-1]
    assert not [field for field in fields if field[:1] in {*"=+-@＝"} and not is_number(field)]  # noqa: RUF001
    (record,) = records_of_text(written)
    assert (record.puzzle.title, record.puzzle.author, record.puzzle.source) == (text, text, text)


def test_the_answers_of_the_program_are_its_own_json():
    """A line of JSON with its puzzle as a text, as `generate` and `solve` write it, is read as that and without a warning."""
    text = json.dumps(
        {"index": 0, "puzzle": LINE, "solution": SOLVED, "seed": 3, "number": 0, "givens": 30, "difficulty": "easy"}
    )
    (record,) = records_of_text(f"{text}\n")
    assert (record.puzzle.line(), record.warnings, record.difficulty) == (LINE, (), "easy")
    assert record.puzzle.solution == tuple(map(int, SOLVED))


STATE = LINE[:2] + "4" + LINE[3:]


def _table(columns, *rows):
    return "".join(",".join(fields) + "\n" for fields in (columns, *rows))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("current_state", "initial_state"),
        ("userGrid", "puzzle"),
        ("progress", "givens"),
        ("state", "initial"),
        ("a", "b"),
        ("grid", "board"),
        ("current puzzle", "original puzzle"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_players_board_is_not_the_puzzle(first, second, turned):
    """Of two boards in a row the one that the other goes on with is the puzzle, in either order; the other is a position."""
    columns, row = [first, second], [STATE, LINE]
    text = _table(["id", *columns[:: -1 if turned else 1]], ["7", *row[:: -1 if turned else 1]])
    (record,) = records_of_text(text)
    assert (record.puzzle.line(), record.puzzle.solution) == (LINE, None)
    assert record.position().values[:4] == (5, 3, 4, None)
    assert f"the column {first!r}" in record.warnings[0]


@pytest.mark.parametrize("state", [STATE, SOLVED, LINE])
def test_a_name_makes_a_puzzle_of_a_board(state):
    """What a player has filled in, though it is full or wrong, is neither the puzzle nor its solution."""
    wrong = "6" + state[1:]
    same, other = records_of_text(_table(["current", "puzzle"], [state, LINE], [wrong, LINE]))
    assert [(record.puzzle.line(), record.puzzle.solution) for record in (same, other)] == [(LINE, None)] * 2
    assert "contradicts the puzzle" in other.warnings[0]


@pytest.mark.parametrize("columns", [("puzzle1", "puzzle2"), ("Puzzle A", "Puzzle B"), ("a", "b"), ("puzzle", "initial"), ()])
def test_two_puzzles_in_a_row_are_never_one(columns):
    """Where neither names nor cells say which of two boards is the puzzle, a row is refused and both columns are named."""
    rows = [[LINE, PUZZLES[1]]] * 2
    records = list(records_of_text(_table(columns, *rows) if columns else _table(*rows)))
    assert len(records) == 2
    for record in records:
        assert "expected one puzzle in a row, got 2" in str(record.error)
        assert all(name in str(record.error) for name in (map(repr, columns) if columns else ("column 1", "column 2")))


def test_a_board_beside_the_puzzles_column_is_named_once():
    """Boards of another name, such as masks, do not keep a puzzle from being read; one remark names the column."""
    rows = [[puzzle, "10" * 40 + "1"] for puzzle in PUZZLES]
    records = list(records_of_text(_table(["puzzle", "mask"], *rows)))
    assert [record.puzzle.line() for record in records] == list(PUZZLES)
    assert [len(record.warnings) for record in records] == [1, 0]
    assert "'mask'" in records[0].warnings[0]


@pytest.mark.parametrize("column", ["variant", "rules", "Type", "constraints"])
@pytest.mark.parametrize(
    ("stated", "kinds"),
    [
        ("anti-knight", ["anti-knight"]),
        ("Diagonal", ["diagonals"]),
        ("X", ["diagonals"]),
        ("X-Sudoku", ["diagonals"]),
        ("Windoku", ["windoku"]),
        ("anti king + nonconsecutive", ["anti-king", "nonconsecutive"]),
        ("classic", []),
        ("9x9 standard sudoku", []),
        ("Very hard", []),
        ("7.2", []),
        ("Normal rules", []),
        ("Normal sudoku rules apply.", []),
        ("9x9", []),
    ],
)
def test_a_column_names_rules(column, stated, kinds):
    """The name of a rule beside a puzzle is a rule of it, which a remark says; words for no rule and for difficulty are none."""
    first, plain = records_of_text(_table(["puzzle", column], [LINE, stated], [LINE, ""]))
    assert [rule.kind for rule in first.puzzle.rules] == ["houses", *kinds]
    assert [rule.kind for rule in plain.puzzle.rules] == ["houses"]
    assert bool(first.warnings) == bool(kinds)
    assert all(kind in first.warnings[0] and f"{column!r}" in first.warnings[0] for kind in kinds)


@pytest.mark.parametrize(
    ("column", "stated", "message"),
    [
        ("variant", "anti-night", "the nearest: anti-knight"),
        ("rules", "foo", "expected the name of a rule in the column 'rules', got 'foo'"),
        ("variant", "killer", "whose cells"),
        ("type", "thermo", "whose cells"),
        ("type", "jigsaw", "whose regions"),
    ],
)
def test_a_variant_that_cannot_be_read_is_refused(column, stated, message):
    """A puzzle is never read without the rule that stands beside it."""
    (record,) = records_of_text(_table(["puzzle", column], [LINE, stated]))
    assert message in str(record.error)


def test_a_type_may_be_anything():
    """The name of a type that is no rule is named in a remark."""
    (record,) = records_of_text(_table(["puzzle", "type"], [LINE, "train"]))
    assert "'train' in the column 'type'" in record.warnings[0]


def test_rules_in_sentences_are_named():
    """Sentences are no names: a remark says that they were not read, once, whatever signs stand in them."""
    words = "Normal sudoku rules apply; digits along a line increase, and neighbours differ."
    (record,) = records_of_text(f'puzzle;rules\n{LINE};"{words}"\n')
    assert record.puzzle.line() == LINE
    assert record.warnings == (f"not read: the rules in words in the column 'rules': {words[:60]!r}",)


def test_the_reported_tables_are_read(data):
    """Tables that people have reported are read without an error."""
    files = [*data("reports/reading").glob("*.csv"), *data("reports/reading").glob("*.tsv")]
    assert files
    for path in files:
        assert [record.error for record in read_records(path)] == [None] * len(list(read_records(path)))


ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
SOLVED_ROWS = [SOLVED[start : start + 9] for start in range(0, 81, 9)]
PARTED = {
    "rows between spaces": " ".join,
    "rows between bars": "|".join,
    "cells between spaces": lambda rows: " ".join("".join(rows)),
    "a list of rows": lambda rows: json.dumps([[int(sign) if sign != "." else 0 for sign in row] for row in rows]),
    "a list of rows with null": lambda rows: json.dumps([[int(sign) if sign != "." else None for sign in row] for row in rows]),
    "a list of cells": lambda rows: json.dumps([int(sign) if sign != "." else 0 for row in rows for sign in row]),
    "an array of NumPy": lambda rows: "[" + " ".join(f"[{' '.join(row)}]" for row in rows).replace(".", "0") + "]",
}


@pytest.mark.parametrize("header", ["id,puzzle,solution", "", "n,a,b"])
@pytest.mark.parametrize("form", PARTED)
def test_a_board_in_a_field_may_be_in_parts(form, header):
    """Rows or cells that a field of a table parts are a board in one word."""
    row = f'7,"{PARTED[form](ROWS)}","{PARTED[form](SOLVED_ROWS)}"\n'
    records = [*records_of_text(f"{header}\n{row}{row}" if header else row + row)]
    assert [record.puzzle and record.puzzle.line().replace("0", ".") for record in records] == [LINE, LINE]
    assert [record.puzzle.line(record.puzzle.solution) for record in records] == [SOLVED, SOLVED]


def test_words_in_a_field_are_no_board():
    """A title of four words of four letters is one, though the text has signs of its own."""
    (record,) = records_of_text(f"title,puzzle\nhome work done late,{LINE}\n", alphabet="123456789")
    assert (record.puzzle.title, record.puzzle.line()) == ("home work done late", LINE)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize(
    "names", ['"","V1","V2","V3","V4","V5","V6","V7","V8","V9"', ",A,B,C,D,E,F,G,H,I", "V1,V2,V3,V4,V5,V6,V7,V8,V9"]
)
@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("labels", ["123456789", "012345678", "ABCDEFGHI"])
def test_names_of_columns_and_numbers_of_rows_are_no_cells(mark, names, quote, labels):
    """A board as R and spreadsheets write it, with names above the columns and numbers before the rows."""
    rows = [
        mark.join([f"{quote}{label}{quote}", *(sign.replace(".", "NA") for sign in row)])
        for label, row in zip(labels, ROWS, strict=True)
    ]
    (record,) = records_of_text("\n".join([names.replace(",", mark), *rows]))
    assert record.error is None
    assert record.puzzle.line() == LINE


def _records_of_table(header, rows):
    return [*records_of_text("\n".join([header] * bool(header) + [",".join(row) for row in rows]))]


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("blank", ["0", ".", ""])
@pytest.mark.parametrize("named", [False, True])
def test_each_cell_of_a_board_and_its_solution_may_have_a_column(before, blank, named):
    """81 columns of cells and 81 of the solution are two boards in a row, behind a number."""
    header = ",".join([*["id"] * before, *(f"q{cell}" for cell in range(81)), *(f"s{cell}" for cell in range(81))])
    cells = [sign.replace(".", blank) for sign in LINE] + [*SOLVED]
    found = _records_of_table(header * named, [[*[str(number)] * before, *cells] for number in (10, 11)])
    assert [record.puzzle and record.puzzle.line().replace("0", ".") for record in found] == [LINE, LINE]
    assert [record.puzzle.line(record.puzzle.solution) for record in found] == [SOLVED, SOLVED]


@pytest.mark.parametrize("name", ["row{}", "r{}", "Row {}"])
@pytest.mark.parametrize("first", [0, 1])
def test_each_row_may_have_a_column(name, first):
    """A column of names and nine of rows are a board in a row, with its name."""
    header = ",".join(["name", *(name.format(number) for number in range(first, first + 9))])
    found = _records_of_table(header, [["p1", *ROWS], ["p2", *ROWS]])
    assert [(record.puzzle.line(), record.puzzle.title) for record in found] == [(LINE, "p1"), (LINE, "p2")]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        (",".join(["name", *(f"col{number}" for number in range(1, 10))]), ["p1", *ROWS]),
        (",".join(["name", *(f"row{number}" for number in range(9, 0, -1))]), ["p1", *ROWS]),
        ("", [*LINE.replace(".", "0"), "7"]),
        (",".join([*(f"c{number}" for number in range(81)), "level"]), [*LINE.replace(".", "0"), "7"]),
        (",".join(["id", *(f"r{cell % 9 + 1}c{cell // 9 + 1}" for cell in range(81))]), ["10", *LINE.replace(".", "0")]),
    ],
    ids=["columns", "rows upwards", "a number somewhere", "a number behind", "cells by columns"],
)
def test_columns_that_may_be_something_else_are_refused(header, row):
    """What is not known to be rows, from the top, or cells row by row is no board."""
    assert any(record.error for record in _records_of_table(header, [row, row]))


_SHORT, _SHIFTED = LINE[:40] + LINE[41:], LINE.replace(".", "0", 3)[:-2]
_NUMBER = "1.04E+78"


@pytest.mark.parametrize(
    "layout",
    [
        "puzzle,solution\n{0},{1}\n{0},{1}\n",
        "quizzes\tsolutions\n{0}\t{1}\n",
        "id;start;full\n1;{0};{1}\n2;{0};{1}\n",
        "a,b\n{1},{0}\n",
        "{0},{1}\n{0},{1}\n",
        "{0},{1}\n",
        "{1};{0}\n",
        "{0}\t{1}\n",
    ],
)
@pytest.mark.parametrize(
    ("damaged", "came"), [(_SHORT, "81 cells, got 80"), (_SHIFTED, "81 cells, got 79"), (_NUMBER, f"81 cells, got {_NUMBER!r}")]
)
def test_the_solution_of_a_damaged_puzzle_is_not_the_puzzle(layout, damaged, came):
    """A puzzle that a spreadsheet or an editor has damaged is an error of its line; the full board beside it is none."""
    for record in records_of_text(layout.format(damaged, SOLVED)):
        assert record.puzzle is None
        assert came in str(record.error), record.error


@pytest.mark.parametrize("mark", [" ", ",", "\t"])
def test_a_damaged_row_among_whole_ones_is_an_error_alone(mark):
    """In a table without header, whose puzzles are whole in other rows, a damaged puzzle is an error, and only its own."""
    lines = [f"{LINE}{mark}{SOLVED}", f"{_SHORT}{mark}{SOLVED}", f"{LINE}{mark}{SOLVED}"]
    first, damaged, last = records_of_text("\n".join(lines))
    assert first.puzzle.solution
    assert last.puzzle.solution
    assert "expected 81 cells, got 80" in str(damaged.error)


@pytest.mark.parametrize("beside", ["Anna", "7", "0.53", "2024-01-31 12:30:00", "1.2E+3", "", "5" * 81])
def test_full_boards_alone_stay_puzzles(beside):
    """A full board beside names, numbers, dates or nothing is a puzzle without empty cells."""
    (record,) = records_of_text(f"name,board\n{beside},{SOLVED}\n")
    assert record.puzzle.line() == SOLVED


@pytest.mark.parametrize(
    ("name", "kind"), [("diagonal", "diagonals"), ("anti_knight", "anti-knight"), ("Anti-King", "anti-king")]
)
def test_a_column_named_after_a_rule_says_whether_it_applies(name, kind):
    """A cell that says yes adds the rule, with a remark; one that says no adds nothing; any other is named in a warning."""
    text = f"puzzle,{name}\n{LINE},%s\n"
    for yes in ("yes", "1", "True", "x"):
        (record,) = records_of_text(text % yes)
        assert {rule.kind for rule in record.puzzle.rules} == {"houses", kind}
        assert record.warnings == (f"added the rule {kind}, stated in the column {name!r}",)
    for no in ("no", "0", "False", ""):
        (record,) = records_of_text(text % no)
        assert ([rule.kind for rule in record.puzzle.rules], record.warnings) == (["houses"], ())
    (record,) = records_of_text(text % "partly")
    assert record.warnings == (f"not read: 'partly' in the column {name!r}, which may be a rule of the puzzle",)


def test_a_column_named_after_a_rule_with_cells_is_named():
    """A rule that needs more than yes is not read, and a warning says so; columns x and maximum are no rules."""
    (record,) = records_of_text(f"puzzle,thermometer,x,maximum\n{LINE},1,1,1\n")
    assert record.warnings == ("not read: '1' in the column 'thermometer', which may be a rule of the puzzle",)


def test_a_rule_in_the_name_of_the_column_of_puzzles_is_named():
    """Where the column of puzzles is called after a rule, the first of them has a warning."""
    first, second = records_of_text(f"diagonal_puzzle,solution\n{LINE},{SOLVED}\n{LINE},{SOLVED}\n")
    assert first.warnings == ("not read: 'diagonal', which may be the name of a rule of the puzzle",)
    assert second.warnings == ()

"""What stands around the lines of a text (quotations, bullets, numbers, labels, codes) is no part of the puzzle."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sudoku_cp.formats import records_of_text
from sudoku_cp.puzzle import Puzzle

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
ROWS = [LINE[at : at + 9] for at in range(0, 81, 9)]
SPACED = [" ".join(row) for row in ROWS]
BOXED = [
    line
    for at, row in enumerate(ROWS)
    for line in [
        *["+-------+-------+-------+"] * (at % 3 == 0),
        "| " + " | ".join(" ".join(row[start : start + 3]) for start in (0, 3, 6)) + " |",
    ]
]
FORMS = {
    "rows": ROWS,
    "spaced": SPACED,
    "boxed": BOXED,
    "spaces": [line.replace(".", " ") for line in BOXED],
    "line": [LINE],
    "lines": [LINE, OTHER],
    "matrix": [f"{[int(sign) for sign in row.replace('.', '0')]}," for row in ROWS],
    "iss": [".~R1C1_5", ".~R9C9_9"],
    "json": json.dumps({"format": 1, "givens": LINE}, indent=1).split("\n"),
}


def _puzzles(text):
    return [record.puzzle or str(record.error) for record in records_of_text(text)]


@pytest.mark.parametrize("mark", ["> ", ">> ", "> > ", " > "])
@pytest.mark.parametrize("form", sorted(FORMS.keys() - {"line"}))
def test_a_quotation_is_read_without_its_marks(form, mark):
    """Whatever is quoted in a mail is read as if it were not, words around it are a title or a warning."""
    text = "\n".join(FORMS[form])
    assert _puzzles("".join(f"{mark}{line}\n" for line in FORMS[form])) == _puzzles(text)
    if form in {"rows", "boxed"}:
        quoted = f"On Monday Bob wrote:\n{mark}Hi,\n{mark.rstrip()}\n" + "".join(f"{mark}{line}\n" for line in FORMS[form])
        (record,) = records_of_text(f"{quoted}{mark}\n{mark}Bob\n")
        assert (record.puzzle.line(), record.puzzle.title) == (LINE, "Hi,")


@pytest.mark.parametrize("around", ["\x1b[1m{}\x1b[0m", "{}<br>", "{}<br />", "\u200b{}\u200b"])
@pytest.mark.parametrize("form", ["rows", "spaced", "boxed", "line", "lines"])
def test_codes_of_terminals_and_pages_are_no_cells(form, around):
    """Colours of a terminal, line breaks of HTML and signs without width do not show, so they mean nothing."""
    assert _puzzles("\n".join(map(around.format, FORMS[form]))) == _puzzles("\n".join(FORMS[form]))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("label", ["{}. ", "{}: ", "{}) ", "{} ", "{:>6}\t", "{}|"])
@pytest.mark.parametrize("first", ["1", "0", "A", "a"])
@pytest.mark.parametrize("form", ["rows", "spaced", "boxed"])
def test_labels_of_rows_are_no_cells(form, first, label):
    """Numbers and letters in front of rows, as of a listing, are left out; a line of labels above the columns too."""
    at = iter(range(9))
    fronts = [label.format(chr(ord(first) + next(at)) if any(map(str.isalnum, line)) else " ") for line in FORMS[form]]
    if form == "rows" and label == "{} " and first in "01":
        pytest.skip("nine rows of ten signs, of which a table might have any: covered by tables")
    lines = [front + line for front, line in zip(fronts, FORMS[form], strict=True)]
    assert _puzzles("\n".join(lines)) == [Puzzle.parse(LINE)], lines
    header = " " * len(fronts[0].expandtabs()) + "1 2 3   4 5 6   7 8 9"
    assert _puzzles("\n".join([header, *lines])) == [Puzzle.parse(LINE)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("cell", ["[{}]", "[ {} ]", "[{}] "])
@pytest.mark.parametrize("empty", [" ", "", ".", "_", "0"])
@pytest.mark.parametrize("title", ["", "Monday\n"])
def test_each_cell_may_stand_between_brackets(title, empty, cell):
    """Rows such as ``[5][3][ ]`` are read without the brackets, whatever stands in an empty pair; several boards, too."""
    rows = ["".join(cell.format(sign.replace(".", empty)) for sign in row) for row in ROWS]
    assert _puzzles(title + "\n".join(rows)) == [replace(Puzzle.parse(LINE), title=title.strip())]
    assert _puzzles("\n".join([*rows, "", *rows])) == [Puzzle.parse(LINE)] * 2


@pytest.mark.parametrize("line", [LINE, LINE.replace(".", "0"), "1...34....12...4", "1..2.3.4..5.6..1.2..3...64..5..2...1"])
def test_each_line_may_have_one_sign(line):
    """As many lines of one sign as a board has cells are that board."""
    assert _puzzles("\n".join(line)) == _puzzles("\n".join(line) + "\n") == _puzzles(line)


def test_labels_around_a_drawing_with_spaces_are_no_cells():
    """Spaces are empty cells within labels too."""
    at = iter("ABCDEFGHI")
    lines = [f"{next(at) if '-' not in line else ' '} {line}" for line in FORMS["spaces"]]
    assert _puzzles("\n".join(["    1 2 3   4 5 6   7 8 9", *lines])) == [Puzzle.parse(LINE)]


@pytest.mark.parametrize("bullet", "-*+•")
@pytest.mark.parametrize("form", ["rows", "spaced", "line", "lines"])
def test_bullets_are_no_cells_where_a_board_is_left(form, bullet):
    """A list of the rows of a board, or of lines, is read without its bullets."""
    assert _puzzles("\n".join(f"{bullet} {line}" for line in FORMS[form])) == _puzzles("\n".join(FORMS[form]))


def test_numbers_with_a_hash_are_no_comments():
    """Lines such as ``#1 53..7....`` are numbered puzzles."""
    assert _puzzles(f"#1 {LINE}\n#2 {OTHER}\n") == [Puzzle.parse(LINE), Puzzle.parse(OTHER)]
    assert _puzzles(f"#1 {LINE}\n{OTHER}\n{OTHER}\n") == [Puzzle.parse(OTHER)] * 2


@pytest.mark.parametrize(
    "text", ["1 2 3 4\n2 1 4 3\n3 4 1 2\n4 3 2 1", "1234\n2143\n3412\n4321", "1 2 3 4\n2 . . .\n3 . . .\n4 . . ."]
)
def test_cells_that_look_like_labels_stay_cells(text):
    """A board whose first row or column counts is a board: without it, no square would be left."""
    assert _puzzles(text) == [Puzzle.parse("".join(text.split()))]


@pytest.mark.parametrize("width", [20, 27, 40, 41, 76, 80])
@pytest.mark.parametrize("boards", [[LINE], [LINE, OTHER, LINE]])
def test_lines_that_were_wrapped_are_whole_again(boards, width):
    """81 cells that a mail or a window has cut into lines are one board, on the line where it begins."""
    lines = [line[at : at + width] for line in boards for at in range(0, 81, width)]
    records = list(records_of_text("\n".join(lines)))
    assert [record.puzzle for record in records] == [*map(Puzzle.parse, boards)]
    assert [record.line for record in records] == [1 + at * -(-81 // width) for at in range(len(boards))]


@pytest.mark.parametrize("lengths", [(40, 41), (41, 40), (27, 27, 27), (20, 30, 31)])
def test_81_cells_on_a_few_lines_are_one_board(lengths):
    """Lines that are no boards themselves and have 81 cells together are one."""
    ends = [sum(lengths[: at + 1]) for at in range(len(lengths))]
    assert _puzzles("\n".join(LINE[end - length : end] for end, length in zip(ends, lengths, strict=True))) == [
        Puzzle.parse(LINE)
    ]


@pytest.mark.parametrize("dress", ['"{}"', "'{}'", "{};", "{}\\", '"{}";', '"{}" +', "  - {}", '- "{}"'])
@pytest.mark.parametrize("name", ["", "rows:\n", "Nice one:\n"])
@pytest.mark.parametrize("blank", [".", "0"])
def test_rows_may_be_quoted_ended_or_listed(dress, name, blank):
    """Marks of quotation, of ends of lines, or of a list in YAML are no cells."""
    if name and "-" not in dress:
        pytest.skip("only lists have names")
    text = "\n".join(dress.format(row.replace(".", blank)) for row in ROWS)
    (record,) = records_of_text(name + text)
    assert record.error is None
    assert record.puzzle.line() == LINE
    assert record.puzzle.title == ("Nice one:" if "Nice" in name else "")


@pytest.mark.parametrize("blank", "~#oN$/@é")
@pytest.mark.parametrize("form", [ROWS, SPACED], ids=["rows", "spaced"])
def test_a_sign_in_more_cells_than_a_value_can_be_marks_empty_ones(blank, form):
    """Whatever stands in more than nine cells of a 9x9 board of digits is no value."""
    assert _puzzles("\n".join(form).replace(".", blank)) == [Puzzle.parse(LINE)]


def test_a_sign_that_may_be_a_value_marks_no_empty_cells():
    """A letter in nine cells of a full board may be a digit that was misread, and two strange signs are none."""
    full = "".join(str((row * 3 + row // 3 + column) % 9 + 1) for row in range(9) for column in range(9)).replace("1", "l")
    for line in (full, LINE.replace(".", "~", 20).replace(".", "#")):
        (record,) = records_of_text("\n".join(line[at : at + 9] for at in range(0, 81, 9)))
        assert record.error is not None


@pytest.mark.parametrize("board", [LINE, "\n".join(ROWS), "\n".join(["```", *BOXED, "```"]), "\n".join(map(" ".join, ROWS))])
def test_a_rule_in_a_heading_is_named(board):
    """A comment or a heading of Markdown above a board that names a rule is in a warning of that board alone."""
    first, second = records_of_text(f"# Anti-Knight Sudoku\n\n{board}\n\n# Monday\n\n{board}\n")
    assert first.puzzle.line() == second.puzzle.line() == LINE
    assert first.warnings == ("not read: 'Anti-Knight Sudoku', which may be the name of a rule of the puzzle",)
    assert second.warnings == ()

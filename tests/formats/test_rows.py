"""Boards of several lines: drawn grids, commas, Project Euler's blocks."""

from __future__ import annotations

from io import StringIO

import pytest

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import format_puzzles, records_of_text, write_puzzles
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.render import Look, draw
from sudoku_cp.symbols import hexadecimal, letters, numerals

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
PLAIN = "\n".join(ROWS)
SPACED = "\n".join(" ".join(row) for row in ROWS)
GROUPED = "\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in ROWS)
BANDS = "\n\n".join("\n".join(ROWS[start : start + 3]) for start in (0, 3, 6))
HODOKU = (
    ".-------.-------.-------.\n"
    + "\n:-------+-------+-------:\n".join(
        "\n".join("| " + " | ".join(" ".join(row[at : at + 3]) for at in (0, 3, 6)) + " |" for row in ROWS[start : start + 3])
        for start in (0, 3, 6)
    )
    + "\n'-------'-------'-------'"
)
SIMPLE = "\n-----------\n".join(
    "\n".join("|".join(row[at : at + 3] for at in (0, 3, 6)) for row in ROWS[start : start + 3]) for start in (0, 3, 6)
)
DASHED = SIMPLE.replace("-----------", "---+---+---").replace(".", "-")


@pytest.mark.parametrize("text", [PLAIN, SPACED, GROUPED, BANDS, HODOKU, SIMPLE, DASHED, PLAIN.replace(".", "0")])
def test_a_drawn_grid_is_read_however_it_is_drawn(text):
    """Borders, blanks between cells, empty lines between bands: the same puzzle; also two of them, and under a title."""
    for found in (text, f"{text}\n\n{text}", f"Puzzle 1 of 2\n{text}\nDifficult\n{text}\n"):
        records = list(records_of_text(found))
        assert [record.error for record in records] == [None] * (1 + (len(found) > len(text)))
        assert {record.puzzle.line() for record in records} == {LINE}
        assert [record.puzzle.title for record in records] in ([""], ["", ""], ["Puzzle 1 of 2", "Difficult"])


@pytest.mark.parametrize("size", [4, 6, 9, 12, 16])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_our_own_drawings_are_read(size, ascii_only):
    """What the package draws on a terminal can be read again."""
    puzzle = Puzzle(Grid.square(size), givens={0: 1, 5: 2, size * size - 1: size})
    (record,) = records_of_text(draw(puzzle, Look(ascii_only=ascii_only)))
    assert record.puzzle == puzzle


def test_dashes_are_blanks_or_borders_as_the_text_says():
    """A row of dashes is a row where dashes stand beside digits, with as many as a row has cells; else it is a border."""
    rows = [*ROWS[:3], "---------", *ROWS[4:]]
    (record,) = records_of_text("\n".join(rows).replace(".", "-"))
    assert record.puzzle.line() == "".join(rows).replace("-", ".")
    (record,) = records_of_text("\n---------\n".join(ROWS))
    assert record.puzzle.line() == LINE


@pytest.mark.parametrize(
    ("row", "symbols", "givens"),
    [
        ("10 . 3 . | . . 16 . | . . . . | 1 . . .", numerals, 4),
        ("10 00 03 00 00 00 16 00 00 00 00 00 01 00 00 00", numerals, 4),
        ("A.3...G.....1...", numerals, 4),
        ("9.2...F.....0...", hexadecimal, 4),
        ("J . C . | . . P . | . . . . | A . . .", letters, 4),
    ],
)
def test_large_boards_have_signs_or_numbers(row, symbols, givens):
    """Above 9 values, cells are numbers of two digits or single signs of an alphabet, one, two or three boards alike."""
    for number in (1, 2, 3):
        records = list(records_of_text(f"{row}\n" * (16 * number)))
        assert len(records) == number
        for record in records:
            assert record.puzzle.symbols == symbols(range(1, 17))
            assert len(record.puzzle.givens) == 16 * givens
            assert record.puzzle.givens[0] == 10


def test_groups_of_digits_are_candidates(data):
    """A grid of candidates is read as candidates and no givens, even if only one is left; it is written and read back."""
    text = data("formats/self_made/candidate_grid.txt").read_text()
    (record,) = records_of_text(text, format="grid")
    assert not record.puzzle.givens
    assert record.puzzle.candidates[0] == 1 << 5
    assert record.puzzle.candidates[2] == 1 << 1 | 1 << 2 | 1 << 4
    (again,) = records_of_text("".join(one.text for one in format_puzzles([record.puzzle], "grid")), format="grid")
    assert again.puzzle == record.puzzle
    with pytest.raises(Unsupported, match="several in some cell"):
        write_puzzles([Puzzle(candidates={0: 2})], StringIO(), "grid")


def test_a_rectangle_asked_for_is_read():
    """Any rectangle can be requested; what does not fit it is an error."""
    grid = Grid.rectangle(6, 8, (2, 4))
    for text, name in (("1 2 3 4 5 6 7 8\n" * 6, "grid"), ("1,2,3,4,5,6,7,8\n" * 6, "comma")):
        good, bad = records_of_text(f"{text}\n{text[16:]}", grid=grid, format=name)
        assert good.puzzle.grid == grid
        assert str(bad.error) == "line 8: expected 6 rows, got 5"


GOOD = {
    "grid": PLAIN,
    "comma": "\n".join(",".join(row.replace(".", "0")) for row in ROWS),
    "euler": "Grid 07\n" + PLAIN.replace(".", "0"),
}
BAD = [
    ("short row", lambda rows: [*rows[:3], rows[3][:-1].rstrip(","), *rows[4:]], "expected 9 cells, got 8", 3),
    ("row missing", lambda rows: rows[:-1], "expected 9 rows, got 8", 0),
    ("bad sign", lambda rows: [rows[0], "q" + rows[1][1:], *rows[2:]], "got 'q'", 1),
    ("two bad signs", lambda rows: [rows[0], "!" + rows[1][1:], rows[2], "!" + rows[3][1:], *rows[4:]], "column 1: expected", 1),
    ("truncated", lambda rows: [*rows[:5], rows[5][:4]], "expected 9 rows, got 6", 0),
]


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize(("change", "message", "offset"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_board_is_told_and_passed(name, change, message, offset):
    """A board with an error is named with the line of the error; the boards around it are read."""
    heading, rows = (["Grid 08"], GOOD[name].split("\n")[1:]) if name == "euler" else ([], GOOD[name].split("\n"))
    bad = "\n".join([*heading, *change(rows)])
    before, record, after = records_of_text(f"{GOOD[name]}\n\n{bad}\n\n{GOOD[name]}\n", format=name)
    assert before.puzzle.givens == after.puzzle.givens
    start = GOOD[name].count("\n") + 3
    assert record.line == start
    assert message in str(record.error)
    assert record.error.line == start + len(heading) + offset


def test_everything_wrong_with_a_board_is_told_at_once():
    """Several problems of a board are one error, each with its own place, the first ten of them."""
    (record,) = records_of_text("\n".join(["!!5..7...", *ROWS[1:8], "....8..7!"]), format="grid")
    assert [problem.partition(": ")[0] for problem in record.error.problems[1:]] == ["line 1, column 2", "line 9, column 9"]
    assert str(record.error).startswith("line 1, column 1: expected a sign of '123456789' or a blank, got '!'; line 1, column 2:")
    (record,) = records_of_text("\n".join([ROWS[0][1:], *ROWS[1:8], ROWS[8][1:]]), format="grid")
    assert str(record.error) == "line 1: expected 9 cells, got 8; line 9: expected 9 cells, got 8"


@pytest.mark.parametrize(
    "text",
    [
        ",".join(ROWS),
        "\n".join(",".join(row) for row in ROWS),
        "\n".join(",".join(row).replace(".", "") for row in ROWS),
        ", ".join(LINE.replace(".", "0")),
    ],
    ids=["rows as words", "a row a line", "empty fields", "a board a line"],
)
def test_commas_stand_between_cells_or_rows(text):
    """Rows as words, a row a line, a board a line: the same puzzle, also twice."""
    for number in (1, 2):
        records = list(records_of_text("\n".join([text] * number)))
        assert [record.puzzle.line() for record in records] == [LINE] * number


def test_small_boards_between_commas_are_told_from_rows_by_their_values():
    """Sixteen values are a 4x4 board if none is above 4, else a row of a 16x16 board."""
    small = ",".join("1234341221434320")
    assert [len(record.puzzle.grid.cells) for record in records_of_text(f"{small}\n{small}\n")] == [16, 16]
    large = [",".join(str((row + column) % 16 + 1) for column in range(16)) for row in range(16)]
    (record,) = records_of_text("\n".join(large))
    assert record.puzzle.givens[15] == 16


def test_words_between_commas_are_told_where_they_are_short():
    """A row that is short, or missing, in one line of words is named."""
    records = list(records_of_text("\n".join([",".join(ROWS), ",".join(ROWS[:8]), ",".join(ROWS)[:-1], ",".join(LINE[:-1])])))
    assert [record.line for record in records] == [1, 2, 3, 4]
    assert [str(record.error) for record in records[1:]] == [
        "line 2: expected 9 rows, got 8",
        "line 3: expected 9 cells, got 8",
        "line 4: expected a row, or each cell of a square board (81 for 9x9), between commas; got 80",
    ]


def test_euler_blocks_keep_their_headings():
    """The heading is the title; rows without one and headings without rows are errors."""
    good = GOOD["euler"]
    records = list(records_of_text(f"Grid 01\nGrid 02\n123\n{good}", format="euler"))
    assert [record.line for record in records] == [1, 2, 4]
    assert str(records[0].error) == "line 1: expected 9 rows below 'Grid 01', got none"
    assert str(records[1].error) == "line 3: expected 9 rows, got 1; line 3: expected 9 cells, got 3"
    assert records[2].puzzle.title == "Grid 07"
    (record,) = records_of_text(PLAIN, format="euler")
    assert "expected a heading such as 'Grid 01'" in str(record.error)
    with pytest.raises(Unsupported, match="expected a 9x9 puzzle"):
        write_puzzles([Puzzle(Grid.square(4))], StringIO(), "euler")


EMPTY_ROW = [*ROWS[:3], ".........", *ROWS[4:]]
CELLS = {
    "tabs": lambda rows: "\n".join("\t".join(row.replace(".", " ")).replace(" ", "") for row in rows),
    "tabs cut off": lambda rows: "\n".join("\t".join(row.replace(".", " ")).replace(" ", "").rstrip() for row in rows),
    "tabs and zeros": lambda rows: "\n".join("\t".join(row.replace(".", "0")) for row in rows),
    "semicolons": lambda rows: "\n".join(";".join(row.replace(".", " ")).replace(" ", "") for row in rows),
    "a semicolon too many": lambda rows: "\n".join(";".join(row.replace(".", " ")).replace(" ", "") + ";" for row in rows),
    "commas": lambda rows: "\n".join(",".join(row.replace(".", " ")).replace(" ", "") for row in rows),
    "question marks": lambda rows: "\n".join(" ".join(row.replace(".", "?")) for row in rows),
    "question marks alone": lambda rows: "\n".join(row.replace(".", "?") for row in rows),
    "Windows": lambda rows: "\r\n".join("\t".join(row.replace(".", " ")).replace(" ", "") for row in rows),
    "Markdown": lambda rows: "\n".join(
        [
            "| | | | | | | | | |",
            "|---|---|---|---|---|---|---|---|---|",
            *(f"| {' | '.join(row.replace('.', ' '))} |" for row in rows),
        ]
    ),
}


@pytest.mark.parametrize("rows", [ROWS, EMPTY_ROW], ids=["puzzle", "empty row"])
@pytest.mark.parametrize("notation", sorted(CELLS.keys() - {"Markdown"}))
def test_cells_are_copied_from_anywhere(notation, rows):
    """Spreadsheets, tables with semicolons, question marks: empty cells are where they were."""
    if notation == "tabs cut off" and rows is EMPTY_ROW:
        pytest.skip("an empty row without its tabs is an empty line")
    (record,) = records_of_text(CELLS[notation](rows))
    assert record.error is None
    assert record.puzzle.line() == "".join(rows)


@pytest.mark.parametrize("mark", [" ", "  ", "/", " / ", "|", ";", ",", "-", "\t"])
@pytest.mark.parametrize("size", [4, 6, 9, 16])
def test_rows_on_one_line_are_a_board(mark, size):
    """Rows may be parted by anything, in a line or in each of several."""
    puzzle = Puzzle(Grid.square(size), givens={cell: cell % size + 1 for cell in range(0, size * size, 3)})
    line = puzzle.line().replace(".", "0") if size < 10 else puzzle.line()
    text = mark.join(line[start : start + size] for start in range(0, len(line), size))
    for copies in (1, 3):
        records = list(records_of_text(f"{text}\n" * copies))
        assert [record.puzzle and record.puzzle.givens for record in records] == [puzzle.givens] * copies


def test_rows_of_a_large_board_in_boxes_are_no_boards():
    """The boxes of a row of a 16x16 board are four words of four signs, as the rows of a 4x4 board are."""
    puzzle = Puzzle(Grid.square(16), givens={cell: cell // 16 + 1 for cell in range(0, 256, 17)})
    rows = [puzzle.line()[start : start + 16] for start in range(0, 256, 16)]
    for mark in (" ", "|"):
        text = "\n".join(mark.join(row[at : at + 4] for at in range(0, 16, 4)) for row in rows)
        (record,) = records_of_text(text)
        assert record.puzzle.givens == puzzle.givens


@pytest.mark.sampled(3)
@pytest.mark.parametrize("side", [4, 6, 8, 9])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("mark", [",", "\t", ";"])
@pytest.mark.parametrize("blank", ["", "0", "."])
def test_numbers_of_rows_and_columns_are_no_cells(side, first, mark, blank):
    """A board as spreadsheets and data frames show it is no larger board with its numbers as givens."""
    puzzle = Puzzle(Grid.square(side))
    solved = next(iter(puzzle.solutions()))
    signs = [str(value) if cell % 3 else blank for cell, value in enumerate(solved)]
    counts = [str(first + number) for number in range(side)]
    rows = [signs[start : start + side] for start in range(0, side * side, side)]
    lines = [mark.join(row) for row in (["", *counts], *([count, *row] for count, row in zip(counts, rows, strict=True)))]
    (record,) = records_of_text("\n".join(lines))
    assert record.puzzle == puzzle.with_givens({cell: value for cell, value in enumerate(solved) if cell % 3})


NOTHING = ["", "NA", "nan", "NaN", "None", "null", "0", "."]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("number", ["{}", '"{}"', "'{}'", "{}.0", " {} "])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_tables_of_cells_are_read_as_programs_write_them(nothing, number, mark):
    """Fields may be in quotes, numbers may have a fraction of zeros, and empty cells the word of a program for nothing."""
    rows = [LINE[start : start + 9] for start in range(0, 81, 9)]
    fields = [[nothing if sign == "." else number.format(sign) for sign in row] for row in rows]
    (record,) = records_of_text("".join(mark.join(row) + "\n" for row in fields))
    assert record.puzzle.line() == LINE


SEEN = Puzzle.parse(LINE)


def _marks(domains, side=9):
    """Return the rows of pencil marks: each value at its place in a square of a cell."""
    size = round(side**0.5)
    sign = [[str(value) if domains[cell] >> value & 1 else "." for value in range(1, side + 1)] for cell in range(side * side)]
    return [
        "".join(sign[row // size * side + column][row % size * size + at] for column in range(side) for at in range(size))
        for row in range(side * size)
    ]


@pytest.mark.parametrize("drawn", ["joined", "spaced", "groups", "bars", "spaces and bars"])
def test_rows_of_pencil_marks_are_no_large_board(drawn):
    """27 rows of 27 signs in which each digit has its own place are the candidates of a 9x9 board."""
    everything = SEEN.assume()
    domains = [everything.get(cell, 1022) for cell in range(81)]
    rows = _marks(domains)
    cut = [[row[at : at + 3] for at in range(0, 27, 3)] for row in rows]
    border = "---+" * 8 + "---"
    lines = {
        "joined": rows,
        "spaced": [" ".join(row) for row in rows],
        "groups": [" ".join(row) for row in cut],
        "bars": ["|".join(row) for row in cut],
        "spaces and bars": [
            line for at, row in enumerate(cut) for line in [*[border] * (at % 3 == 0), "|".join(row).replace(".", " ")]
        ],
    }[drawn]
    for copies in (1, 2):
        records = list(records_of_text("\n\n".join(["\n".join(lines)] * copies)))
        assert len(records) == copies
        for record in records:
            assert record.puzzle.grid == Grid.square(9)
            found = record.puzzle.assume()
            assert [found.get(cell, 1022) for cell in range(81)] == domains


@pytest.mark.parametrize("copies", [1, 3, 8])
def test_lines_of_the_marks_of_a_row_are_no_boards(copies):
    """Nine lines of 81 marks are one 9x9 board; as boards, each would have a digit twice in a column."""
    domains = [SEEN.assume().get(cell, 1022) for cell in range(81)]
    line = "".join(str(value) if domain >> value & 1 else "." for domain in domains for value in range(1, 10))
    rows = [line[at : at + 81] for at in range(0, 729, 81)]
    records = list(records_of_text("\n\n".join(["\n".join(rows)] * copies)))
    (whole,) = records_of_text(line)
    assert [record.puzzle for record in records] == [whole.puzzle] * copies
    *_, cut = records_of_text("\n".join([*rows, *rows[:4]]))
    assert "expected 9 lines of the pencil marks of a row, got 4" in str(cut.error)


@pytest.mark.parametrize("form", ["rows", "spaced", "commas", "line", "bars"])
@pytest.mark.parametrize("side", [4, 6, 9])
def test_0_beside_another_mark_is_refused_if_it_may_be_a_value(side, form):
    """Values from 0 to 8 are not read with 0 as an empty cell; where the last value occurs, both are empty."""
    signs = [str((row + column) % (side - 1)) if (row * column) % 3 else "." for row in range(side) for column in range(side)]
    if form == "commas":
        signs = ["" if sign == "." else sign for sign in signs]
    for change, clear in ((signs, False), ([str(side), *signs[1:]], True)):
        rows = [change[at : at + side] for at in range(0, side * side, side)]
        text = {
            "rows": "\n".join(map("".join, rows)),
            "spaced": "\n".join(map(" ".join, rows)),
            "commas": "\n".join(map(",".join, rows)),
            "line": "".join(change),
            "bars": "\n".join(f"| {' | '.join(row)} |" for row in rows),
        }[form]
        (record,) = records_of_text(text)
        named = f"either 0 is empty too, or the values are 0 to {side - 1}"
        assert record.error is None if clear else named in str(record.error)


def test_rows_of_small_values_may_be_small_boards():
    """Sixteen rows of sixteen spaced cells with no value above 4 are refused with both readings, unless the size is stated."""
    rows = [" ".join(str((row + at) % 4 + 1) if (row + at) % 5 == 0 else "." for at in range(16)) for row in range(16)]
    (record,) = records_of_text("\n".join(rows))
    assert "one board of 16x16 (state the size 16), or a board of 4x4 in each row" in str(record.error)
    (stated,) = records_of_text("\n".join(rows), grid=Grid.square(16))
    assert stated.puzzle.givens
    (large,) = records_of_text("\n".join(["7" + rows[0][1:], *rows[1:]]))
    assert large.puzzle.grid == Grid.square(16)


@pytest.mark.parametrize("mark", "*-")
def test_bullets_in_front_of_rows_are_no_empty_cells(mark):
    """Nine rows of a bullet and eight cells are refused: they were a board with an empty first column."""
    rows = [f"{mark} " + " ".join("." if (row + at) % 3 else str(row % 8 + 1) for at in range(8)) for row in range(9)]
    (record,) = records_of_text("\n".join(rows))
    assert "remove it if it is a bullet" in str(record.error)


@pytest.mark.parametrize(
    "line", ["{} {} {}", "{},{},{}", "{};{};{}", "({}, {}): {}", "r{}c{}={}", "[{}, {}, {}]", "grid[{}][{}] == {}"]
)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("all_cells", [False, True])
@pytest.mark.parametrize("by_rows", [False, True])
def test_lists_of_cells_are_read_or_refused_with_both_readings(line, first, all_cells, by_rows):
    """A row, a column and a value a line are no board of these numbers; where the column may come first, both are named."""
    cells = [(at // 9 + first, at % 9 + first, 0 if sign == "." else int(sign)) for at, sign in enumerate(LINE)]
    lines = [line.format(*(cell if by_rows else (cell[1], cell[0], cell[2]))) for cell in cells if cell[2] or all_cells]
    turned = Puzzle.parse(LINE if by_rows else "".join(LINE[at % 9 * 9 + at // 9] for at in range(81)))
    for header in ("", "row,col,value\n"):
        (record,) = records_of_text(header + "\n".join(lines))
        is_labelled = line.startswith("r") or (header and line in {"{} {} {}", "{},{},{}", "{};{};{}"})
        if by_rows or is_labelled:
            assert record.puzzle == turned, record.error
        else:
            assert "may be r" in str(record.error)


@pytest.mark.parametrize("word", ["WORDSQUAE", "COPYRIGHT", "XYZWVUTSR"])
@pytest.mark.parametrize("blank", [".", "-", "_", "*", "0"])
@pytest.mark.parametrize("title", ["", "A title\n"])
def test_rows_in_letters_of_their_own_are_rows(word, blank, title):
    """Rows of a wordoku are no words, whatever their letters; without its alphabet it is refused, with the option to state."""
    rows = ["".join(word[int(sign) - 1] if sign != "." else blank for sign in row) for row in ROWS]
    text = title + "\n".join(rows)
    (record,) = records_of_text(text, alphabet=word)
    assert record.error is None
    assert record.puzzle.givens == Puzzle.parse(LINE).givens
    (refused,) = records_of_text(text)
    assert "state them with `alphabet`" in str(refused.error)


@pytest.mark.parametrize("bar", ["|", " ", " | "])
@pytest.mark.parametrize("border", ["", "-", "blank"])
@pytest.mark.parametrize(("side", "box"), [(9, 3), (16, 4)])
def test_rows_in_letters_may_have_bars_or_gaps_between_boxes(bar, border, side, box):
    """Letters are read as digits are: in the boxes that are drawn, with or without an outer frame."""
    letter = letters(range(1, side + 1)).sign
    grid = [
        [letter((3 * row + column) % side + 1) if (row * column + row) % 3 else "." for column in range(side)]
        for row in range(side)
    ]
    lines = [bar.join("".join(row[at : at + box]) for at in range(0, side, box)) for row in grid]
    between = {"": "\n", "-": f"\n{'+'.join(['-' * box] * (side // box))}\n", "blank": "\n\n"}[border]
    for frame in ("", "|"):
        bands = ["\n".join(f"{frame}{line}{frame}" for line in lines[at : at + box]) for at in range(0, side, box)]
        (record,) = records_of_text(between.join(bands))
        assert record.error is None
        assert record.puzzle.line().replace("0", ".") == Puzzle.parse("".join(map("".join, grid))).line()


def test_words_with_full_stops_are_no_rows_of_letters():
    """A few lines of abbreviations above a board are words."""
    (record,) = records_of_text(f"M.A.R.K.S\nT.W.A.I.N\n\n{PLAIN}")
    assert record.puzzle.line() == LINE

"""Drawings in which spaces stand for empty cells: every layout is read right, or refused with both readings."""

from __future__ import annotations

import itertools
import random
from dataclasses import astuple, dataclass

import pytest

from sudoku_cp.formats import format_puzzles, records_of_text, sniff
from sudoku_cp.grid import Grid, default_boxes
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.render import Look, draw

BOARDS = {
    4: "1...34....12...4",
    6: "1..2.3.4..5.6..1.2..3...64..5..2...1",
    9: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
}
SIGNS = ".123456789ABCDEFG"
STYLES = {
    "none": None,
    "gaps": None,
    "boxes": ("|", "+", "-"),
    "boxes unicode": ("│", "┼", "─"),
    "cells": ("|", "+", "-"),
    "cells unicode": ("│", "┼", "─"),
    "Markdown": ("|", "|", "-"),
}


def _board(side):
    """Return the values of a board, 0 for empty cells; no row is empty."""
    if side in BOARDS:
        values = [SIGNS.index(sign) for sign in BOARDS[side]]
    else:
        chance = random.Random(side)  # noqa: S311
        values = [
            chance.randint(1, side) if chance.random() < 0.4 or cell % (side + 1) == 0 else 0 for cell in range(side * side)
        ]
    return [values[start : start + side] for start in range(0, len(values), side)]


@dataclass(frozen=True)
class Layout:
    """How a board is drawn: its borders, the width of a cell and the spaces between cells, alignment, margin, what is cut off."""

    style: str
    width: int
    space: int
    align: str
    indent: int = 0
    stripped: bool = False
    outer: bool = True
    letters: bool = False

    def cell(self, value):
        """Return the text of a cell, as wide as all."""
        text = (SIGNS[value] if self.letters else str(value)) if value else ""
        return {"right": text.rjust, "left": text.ljust, "centre": text.center}[self.align](self.width)

    def draw(self, rows):
        """Return the drawing of a board."""
        height, width = default_boxes(len(rows))
        bar, cross, dash = STYLES[self.style] or ("", "", "")
        whole = self.style in {"cells", "cells unicode", "Markdown"}
        parts = 1 if whole else width if self.style != "none" else len(rows)
        pad = " " * (self.space if whole else self.space > 0) if bar else ""
        between = bar or " " * (self.space + 1) * (self.style == "gaps")
        texts = [
            [pad + (" " * self.space).join(map(self.cell, row[at : at + parts])) + pad for at in range(0, len(rows), parts)]
            for row in rows
        ]
        rule = (
            cross.join([dash * max(3, len(texts[0][0]))] * len(texts[0]))
            if whole
            else cross.join([dash * len(texts[0][0])] * len(texts[0]))
        )
        lines = []
        for index, row in enumerate(texts):
            if bar and self._is_ruled(index, height):
                lines.append(cross + rule + cross if self.outer else rule)
            lines += [""] * (self.style == "gaps" and index > 0 and index % height == 0)
            lines.append(bar + bar.join(row) + bar if bar and self.outer else between.join(row))
        if bar and self.outer and self.style != "Markdown":
            lines.append(cross + rule + cross)
        lines = [" " * self.indent + line for line in lines]
        return "\n".join(line.rstrip() if self.stripped else line for line in lines)

    def _is_ruled(self, index, height):
        if self.style == "Markdown":
            return index == 1
        return (self.outer or index > 0) and (self.style.startswith("cells") or index % height == 0)


def _layouts(side):
    options = itertools.product(STYLES, (1, 2, 3), (0, 1, 2), ("right", "left", "centre"), (0, 4), (False, True), (True, False))
    for style, width, space, align, indent, stripped, outer in options:
        plain = STYLES[style] is None
        touching = space == 0 and width == len(str(side)) > 1 and style not in {"cells", "cells unicode", "Markdown"}
        if (width == 1 and align != "right") or (plain and not outer) or width < len(str(side)) or touching:
            continue
        yield Layout(style, width, space, align, indent, stripped, outer)


def _sample(layouts):
    """Return a tenth of some layouts, or a few more: together they have whatever any of them has."""
    taken = layouts[::10]
    for layout in layouts:
        if any(
            value not in values for value, values in zip(astuple(layout), zip(*map(astuple, taken), strict=True), strict=True)
        ):
            taken.append(layout)
    return taken


@pytest.mark.parametrize(
    ("side", "every"),
    [(4, True), (6, False), (9, False), (16, False), *(pytest.param(side, True, marks=pytest.mark.slow) for side in (6, 9, 16))],
)
@pytest.mark.parametrize("style", STYLES)
def test_spaces_are_empty_cells_in_every_layout(side, style, every):
    """With borders or without, however wide, indented or cut off: the board that was drawn, and never another.

    Each layout is tried with the smallest board, and each feature of a layout with every size; `make test-all` tries all.
    """
    rows = _board(side)
    expected = {cell: value for cell, value in enumerate(itertools.chain(*rows)) if value}
    tried = [layout for layout in _layouts(side) if layout.style == style]
    assert len(tried) >= 16
    for layout in tried if every else _sample(tried):
        text = layout.draw(rows)
        assert sniff(text).name == "grid", text
        (record,) = records_of_text(text, format="grid")  # which needs not be recognised once more
        assert record.error is None, text
        assert (record.puzzle.grid, record.puzzle.givens) == (Grid.square(side), expected), text


@pytest.mark.parametrize("seed", range(20))
def test_a_drawing_is_never_read_as_another_board(seed):
    """Boards with few givens and empty columns are read right or refused with two readings."""
    chance = random.Random(seed)  # noqa: S311
    for _ in range(20):
        side = chance.choice([4, 6, 9, 16])
        rows = [[chance.randint(1, side) * (chance.random() < 0.3) for _ in range(side)] for _ in range(side)]
        empty = chance.choice([None, 0, side - 1, chance.randrange(side)])
        for number, row in enumerate(rows):
            row[(number + 1) % side] = row[(number + 1) % side] or chance.randint(1, side)
            if empty is not None and any(row[:empty] + row[empty + 1 :]):
                row[empty] = 0
        layout = chance.choice([*_layouts(side)])
        text = layout.draw(rows)
        expected = {cell: value for cell, value in enumerate(itertools.chain(*rows)) if value}
        for record in records_of_text(text, format="grid"):
            assert record.puzzle is None or record.puzzle.givens == expected, text
            assert record.error is None or "can be read in several ways" in str(record.error), text


SHIFTED = "\n".join("  " + " ".join(str(value or " ") for value in [*row[1:8], 0]).rstrip() for row in _board(9))


def test_both_readings_of_an_ambiguous_drawing_are_named():
    """If an empty first column might as well be a margin, the error shows a row as either."""
    (record,) = records_of_text(SHIFTED)
    assert record.puzzle is None
    assert "can be read in several ways: row 1 as '.3..7....' or as '3..7.....'" in str(record.error)


@pytest.mark.parametrize("between", ["\n", "\n\n", "\nThe next one\n"])
@pytest.mark.parametrize("style", ["none", "boxes", "cells unicode"])
def test_several_drawings_with_spaces_are_several_puzzles(style, between):
    """One below the other, in one size or two; a complete drawing among them is read as ever."""
    if style == "none" and between == "\n":
        pytest.skip("nothing parts these")
    small, large = (Layout(style, 1, 1, "right").draw(_board(side)) for side in (4, 9))
    records = list(records_of_text("First\n" + between.join([large, small, large])))
    assert [record.error for record in records] == [None] * 3
    assert [record.puzzle.line() for record in records] == [BOARDS[9], BOARDS[4], BOARDS[9]]
    assert [record.puzzle.title for record in records] == ["First", *[between.strip()] * 2]


def test_an_empty_row_is_a_row():
    """A line of spaces between rows is a row without givens; with bars it needs no count."""
    rows = _board(9)
    rows[3] = [0] * 9
    expected = [value for row in rows for value in row]
    for style in ("none", "boxes", "cells"):
        for stripped in (False, True):
            (record,) = records_of_text(Layout(style, 1, 1, "right", stripped=stripped).draw(rows))
            assert [record.puzzle.givens.get(cell, 0) for cell in range(81)] == expected


@pytest.mark.parametrize("style", ["none", "boxes", "cells"])
def test_letters_have_empty_cells_too(style):
    """A 16x16 board in signs of its own."""
    rows = _board(16)
    (record,) = records_of_text(Layout(style, 1, 1, "right", letters=True).draw(rows))
    assert [record.puzzle.givens.get(cell, 0) for cell in range(256)] == [value for row in rows for value in row]


def test_rectangles_have_empty_cells_too():
    """A board that is not square is read if its size is stated."""
    rows = [[(row + column) % 8 + 1 if (row + 2 * column) % 3 else 0 for column in range(8)] for row in range(6)]
    grid = Grid.rectangle(6, 8, (2, 4))
    text = "\n".join(" ".join(str(value or " ") for value in row) for row in rows)
    (record,) = records_of_text(text, grid=grid)
    assert [record.puzzle.givens.get(cell, 0) for cell in range(48)] == [value for row in rows for value in row]


@pytest.mark.parametrize(
    ("lines", "most"), [("1 2\n\n3 4 5\n\n", 620), ("1  2 3\n", 1400), (" 1\n2\n  3\n", 2300), ("| 1 | |\n\n", 700)]
)
def test_long_texts_that_are_no_boards_take_no_longer_for_their_length(lines, most, count_calls):
    """The work grows with the number of lines alone, by few calls for each: what is known of a row is kept."""
    few, many = (count_calls(lambda size=size: list(records_of_text(lines * size, format="grid")))[1] for size in (100, 400))
    assert many < 6 * few
    assert many < most * 400 * lines.count("\n")


@pytest.mark.parametrize("mark", ["<!--", "-->", "<!-- 1 -->"])
def test_comments_of_web_pages_are_no_rows(mark, count_calls):
    """A page of comments is refused once, and as fast as other texts of its length."""
    page = "<tr><td>\n" + f"{mark}\n" * 1000
    records, calls = count_calls(lambda: list(records_of_text(page)))
    assert [record.puzzle for record in records] == [None]
    assert calls < 1700 * 1000


@pytest.mark.parametrize("empty", [".", " "])
@pytest.mark.parametrize(
    ("side", "boxes"), [(6, (3, 2)), (6, (2, 3)), (8, (4, 2)), (8, (2, 4)), (9, (3, 3)), (12, (4, 3)), (12, (3, 4))]
)
def test_boxes_are_those_that_are_drawn(side, boxes, empty):
    """Borders around boxes other than the usual ones are read, not drawn over."""
    height, width = boxes
    signs = [
        [SIGNS[(3 * row + column) % side + 1] if (row + column) % 3 else empty for column in range(side)] for row in range(side)
    ]
    rule = "+".join(["", *["-" * (2 * width + 1)] * (side // width), ""])
    lines = []
    for row, cells in enumerate(signs):
        lines += [rule] * (row % height == 0)
        lines.append("| " + " | ".join(" ".join(cells[at : at + width]) for at in range(0, side, width)) + " |")
    for text in ("\n".join([*lines, rule]), "\n".join(line for line in lines if line != rule)):
        (record,) = records_of_text(text)
        assert record.error is None
        assert record.puzzle.grid == (Grid.square(side) if boxes == default_boxes(side) else Grid.rectangle(side, side, boxes))


def test_words_around_a_drawing_are_a_title_or_a_warning():
    """A title is kept; other lines above and below are named, and never silently skipped nor puzzles of their own."""
    drawing = Layout("boxes", 1, 1, "right").draw(_board(9))
    (record,) = records_of_text(f"Puzzle 3\nDifficulty: hard\n{drawing}\n\nGood luck!\n")
    assert record.puzzle.title == "Puzzle 3"
    assert record.warnings == ("not read, above the board: 'Difficulty: hard'", "not read, below the board: 'Good luck!'")
    first, second = records_of_text(f"{drawing}\nDifficulty: hard\n{drawing}")
    assert (first.puzzle.title, second.puzzle.title) == ("", "Difficulty: hard")
    assert not first.warnings
    assert not second.warnings


@pytest.mark.parametrize("empty", [" ", "."])
@pytest.mark.parametrize(
    "header", ["| | | | | | | | | |", "| A | B | C | D | E | F | G | H | I |", "| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |"]
)
def test_the_header_of_a_markdown_table_is_no_row(header, empty):
    """Nine rows below a header are the board; with eight, the header is its first row."""
    rows = ["| " + " | ".join(str(value or empty) for value in row) + " |" for row in _board(9)]
    rule = "|---" * 9 + "|"
    (record,) = records_of_text("\n".join(["Mine", "", header, rule, *rows]))
    assert (record.puzzle.line(), record.puzzle.title) == (BOARDS[9], "Mine")
    assert bool(record.warnings) == any(map(str.isalnum, header))
    (record,) = records_of_text("\n".join([rows[0], rule, *rows[1:]]))
    assert record.puzzle.line() == BOARDS[9]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("heading", ["Solution:", "Solution", "ANSWER", "Lösung:", "The solution to puzzle 1", "Solución 1", ""])
@pytest.mark.parametrize("style", ["none", "boxes", "cells"])
def test_a_solution_below_a_drawing_is_its_solution(style, heading):
    """Below a heading, an empty line or both; a drawing below another title is a puzzle of its own."""
    solved = list(next(iter(Puzzle.parse(BOARDS[9]).solutions())))
    rows = [solved[at : at + 9] for at in range(0, 81, 9)]
    first, second = (Layout(style, 1, 1, "right").draw(one) for one in (_board(9), rows))
    records = list(records_of_text(f"Puzzle 1\n{first}\n\n{heading}\n{second}\n\nPuzzle 2\n{second}\n"))
    assert [record.puzzle.line() for record in records] == [BOARDS[9], "".join(map(str, solved))]
    assert [record.puzzle.solution for record in records] == [tuple(solved), None]
    assert [record.puzzle.title for record in records] == ["Puzzle 1", "Puzzle 2"]
    assert bool(records[0].warnings) == (not heading)


@pytest.mark.parametrize(("change", "named"), [(".", "got 1 empty cells"), ("9", "got '9' in r1c1, which is given")])
def test_a_heading_says_solution_and_the_drawing_is_none(change, named):
    """What is called a solution and is none is an error, not a second puzzle."""
    solved = "".join(map(str, next(iter(Puzzle.parse(BOARDS[9]).solutions()))))
    one, other = ("\n".join(text[at : at + 9] for at in range(0, 81, 9)) for text in (BOARDS[9], change + solved[1:]))
    good, bad = records_of_text(f"{one}\n\nSolution:\n{other}\n")
    assert good.puzzle.line() == BOARDS[9]
    assert named in str(bad.error)


LAYOUTS = {
    4: ("1112132233243444", "1122112233443344"),
    5: ("1112211222334443354435555",),
    6: ("111222113322133324536444556644555666", "112233112233112233445566445566445566"),
    9: ("999998888555998888555998333555111333222111333222111444222766444777766444777766666",),
}


def _walled(rows, labels, *, pad, frame):
    """Return a drawing with bars and borders between cells of different regions, in front of the next of the same column."""
    side = len(rows)
    at = {(row, column): labels[row * side + column] for row in range(side) for column in range(side)}
    lines = []
    for row in range(side + 1):
        parted = [at.get((row - 1, column)) != at.get((row, column)) for column in range(side)]
        rule = "+".join(("-" if wall else " ") * (1 + 2 * pad) for wall in parted)
        lines += [f"+{rule}+"] * (any(parted) and (frame or 0 < row < side))
        if row < side:
            space = " " * pad
            bars = ["|" if at[row, column] != at.get((row, column + 1)) else " " for column in range(side - 1)]
            cells = "".join(space + sign + space + bar for sign, bar in zip(rows[row], [*bars, ""], strict=True))
            lines.append(f"|{cells}|" if frame else f" {cells}")
    return "\n".join(line.rstrip() for line in lines)


@pytest.mark.parametrize("frame", [True, False])
@pytest.mark.parametrize("pad", [0, 1, 2])
@pytest.mark.parametrize("layout", [layout for several in LAYOUTS.values() for layout in several])
def test_irregular_regions_are_those_that_are_drawn(layout, pad, frame):
    """Bars and borders around regions of the board's size are these regions: they were read as the usual boxes."""
    side = len(layout) ** 0.5
    rows = [
        [SIGNS[(3 * row + column) % int(side) + 1] if (row + column) % 3 else "." for column in range(int(side))]
        for row in range(int(side))
    ]
    (record,) = records_of_text(_walled(rows, layout, pad=pad, frame=frame))
    assert record.error is None
    assert [*record.puzzle.grid.boards[0].labels()] == [*Grid.jigsaw(layout).boards[0].labels()]
    assert record.puzzle.line() == "".join(sign for row in rows for sign in row)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("corner", ["+", "┼", " "])
@pytest.mark.parametrize("frame", [True, False])
@pytest.mark.parametrize("pad", [1, 2])
@pytest.mark.parametrize("layout", [layout for several in LAYOUTS.values() for layout in several])
def test_spaces_are_empty_cells_between_irregular_regions(layout, pad, frame, corner):
    """Bars and corners show where columns are, in whichever rows they stand; what shows too few is refused with the remedy."""
    side = round(len(layout) ** 0.5)
    rows = [
        [SIGNS[(3 * row + column) % side + 1] if (row + 2 * column) % 3 else " " for column in range(side)] for row in range(side)
    ]
    record, *others = records_of_text(_walled(rows, layout, pad=pad, frame=frame).replace("+", corner))
    if corner == " " and not frame and side in {5, 9}:  # no bar beside the outer columns
        assert side == 9 or "expected a dot for each empty cell" in str(record.error)
        assert [one.puzzle for one in (record, *others)] == [None] * (1 + len(others))
        return
    assert record.error is None
    assert [*record.puzzle.grid.boards[0].labels()] == [*Grid.jigsaw(layout).boards[0].labels()]
    assert record.puzzle.line() == "".join(sign for row in rows for sign in row).replace(" ", ".")


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("layout", [layout for several in LAYOUTS.values() for layout in several])
def test_our_own_drawings_of_regions_are_read(layout, ascii_only):
    """What `show` draws on a terminal is the same puzzle again."""
    puzzle = Puzzle(Grid.jigsaw(layout), givens={0: 1, 5: 2})
    (record,) = records_of_text(draw(puzzle, Look(ascii_only=ascii_only)))
    assert [*record.puzzle.grid.boards[0].labels()] == [*puzzle.grid.boards[0].labels()]
    assert record.puzzle.givens == puzzle.givens


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("1 2|. .\n.|. .|3\n. .|. .\n.|. .|.", "1 of 16 cells"),
        (
            "1 . .|. . .\n. .|. . .|3\n-----------\n. .|. . . .\n.|. . .|. 2\n-----------\n. . . . . .\n. 3 . . . .",
            "3 of 12, 12, 12",
        ),
        (
            "1 .|. .|. 2\n. .|. .|. .\n---+---+---\n. .|. .|3 .\n. .|. .|. .\n---+---+---\n. 4|. .|. .\n. .|. .|. .",
            "9 of 4, 4, 4",
        ),
    ],
    ids=["bars alone", "halves", "small boxes"],
)
def test_bars_that_enclose_no_regions_are_refused(text, got):
    """Bars mean something: a drawing whose walls end in the middle is an error with what they enclose, not a board of boxes."""
    (record,) = records_of_text(text)
    assert f"cells, got {got}" in str(record.error)
    (stated,) = records_of_text(text, grid=Grid.square(len(text.split("\n")[0].replace("|", " ").split())))
    assert stated.error is None


@pytest.mark.parametrize("heavy", [("||", "|", "=", "-"), ("┃", "│", "━", "─"), ("|", ":", "=", "-")])
def test_heavier_bars_among_others_are_the_walls(heavy):
    """Where each cell has bars, the regions are those of the heavier bars."""
    thick, thin, double, single = heavy
    labels = LAYOUTS[4][0]
    lines = []
    for row in range(4):
        bars = [thick if labels[4 * row + at] != labels[4 * row + at + 1] else thin.ljust(len(thick)) for at in range(3)]
        lines.append("".join(f" {at + 1 if at == row else '.'} {bar}" for at, bar in enumerate([*bars, ""])))
        walls = [double if row < 3 and labels[4 * row + at] != labels[4 * row + at + 4] else single for at in range(4)]
        lines += [("+" * len(thick)).join(wall * 3 for wall in walls)] * (row < 3)
    (record,) = records_of_text("\n".join(lines))
    assert record.puzzle.grid == Grid.jigsaw(labels)


@pytest.mark.parametrize("sign", "*x#@")
@pytest.mark.parametrize("empty", [".", "0", "_", " "])
def test_frames_may_be_drawn_of_any_sign(sign, empty):
    """Stars around a board and between its boxes are its frame: they were the empty cells of a board of 13x13."""
    text = Layout("boxes", 1, 0, "right").draw(_board(9)).replace(" ", empty)
    framed = "\n".join(sign * 13 if "-" in line else line.replace("|", sign) for line in text.split("\n"))
    for found in (framed, f"{framed}\n\n{framed}"):
        records = list(records_of_text(found))
        assert {record.puzzle.line() for record in records} == {BOARDS[9]}
        assert len(records) == 1 + (found != framed)


@pytest.mark.parametrize("empty", "-_")
def test_borders_of_the_mark_of_empty_cells_are_borders(empty):
    """Lines such as |---|---|---| are borders if the other rows are the whole board, though they might be empty rows."""
    rows = [[str(value or empty) for value in row] for row in _board(9)]
    lines = []
    for number, row in enumerate(rows):
        lines += [f"|{'|'.join([empty * 3] * 3)}|" if empty == "-" else empty * 11] * (number % 3 == 0)
        bars = "|".join("".join(row[at : at + 3]) for at in (0, 3, 6))
        lines.append(f"|{bars}|" if empty == "-" else bars)
    text = "\n".join([*lines, lines[0]])
    for found in (text, f"{text}\n\n{text}", f"{text}\nThe next one\n{text}"):
        assert {record.puzzle.line() for record in records_of_text(found)} == {BOARDS[9]}


@pytest.mark.parametrize("stripped", [False, True])
@pytest.mark.parametrize("sides", ["both", "none"])
def test_bars_between_boxes_alone_leave_outer_margins_out(sides, stripped):
    """Rows such as ``5 3   |   7   |      ``: the outer boxes have a margin on one side only."""
    for rows in (_board(4), _board(6), _board(9)):
        width = default_boxes(len(rows))[1]
        lines = []
        for number, row in enumerate(rows):
            cells = [" ".join(str(value or " ") for value in row[at : at + width]) for at in range(0, len(row), width)]
            rule = "+".join("-" * (2 * width + 1 - (at in {0, len(cells) - 1})) for at in range(len(cells)))
            lines += [rule] * (number > 0 and number % default_boxes(len(rows))[0] == 0 and sides == "both")
            lines.append(" | ".join(cells))
        (record,) = records_of_text("\n".join(line.rstrip() if stripped else line for line in lines))
        assert [record.puzzle.givens.get(cell, 0) for cell in range(len(rows) ** 2)] == [value for row in rows for value in row]


@pytest.mark.parametrize("rule", ["|---", "|:-:", "| --- ", "|:---", "|--:"])
@pytest.mark.parametrize("header", ["", "c{}", "{}"])
def test_columns_of_markdown_may_be_uneven(header, rule):
    """Bars that are not below each other part cells all the same."""
    rows = ["| " + " | ".join(str(value or "") for value in row) + " |" for row in _board(9)]
    head = "| " + " | ".join(header.format(at) for at in range(1, 10)) + " |"
    (record,) = records_of_text("\n".join([head, rule * 9 + "|", *rows]))
    assert record.puzzle.line() == BOARDS[9]


@pytest.mark.parametrize("spaced", [False, True])
@pytest.mark.parametrize("gap", ["   ", "  |  "])
def test_boards_beside_each_other_are_several(gap, spaced):
    """A wide gap in all rows parts two or three boards; a full one that solves the board before it is its solution."""
    solved = "".join(map(str, next(iter(Puzzle.parse(BOARDS[9]).solutions()))))
    other = BOARDS[9][::-1]
    cut = [[text[at : at + 9] for at in range(0, 81, 9)] for text in (BOARDS[9], solved, other)]
    rows = [gap.join(" ".join(part) if spaced else part for part in parts) for parts in zip(*cut, strict=True)]
    records = list(records_of_text("\n".join(rows)))
    assert [record.puzzle.line() for record in records] == [BOARDS[9], other]
    assert "".join(map(str, records[0].puzzle.solution)) == solved


@pytest.mark.parametrize("mark", [" ", "  ", "|"])
def test_all_cells_may_stand_on_one_line(mark):
    """81 signs with spaces between them are a board, alone or among drawings and lines."""
    line = mark.join(BOARDS[9])
    drawn = "\n".join(BOARDS[9][at : at + 9] for at in range(0, 81, 9))
    for text in (line, f"{line}\n{line}", f"Puzzle 1\n{BOARDS[9]}\n\nPuzzle 2\n{drawn}", f"{drawn}\n\n{line}\n\n{drawn}"):
        assert {record.puzzle.line() for record in records_of_text(text)} == {BOARDS[9]}


@pytest.mark.parametrize("empty", "·•□☐○–—−")  # noqa: RUF001
def test_signs_that_look_like_marks_of_empty_cells_are_these(empty):
    """Dots of any height, empty boxes and circles, dashes of any length."""
    for mark in ("", " "):
        text = "\n".join(mark.join(BOARDS[9][at : at + 9]) for at in range(0, 81, 9)).replace(".", empty)
        (record,) = records_of_text(text)
        assert record.puzzle.line() == BOARDS[9]


def test_a_row_of_pencil_marks_with_the_digits_of_a_small_board_is_a_row():
    """49 digits in the nine cells of a row are no board of 7x7: a grid of pencil marks is read as it was written."""
    marks = ["135689", "13456789", "12345689", ".", "1234589", "12345678", ".", "12489", "12458"]
    assert sum(map(len, marks)) == 49
    every = {cell: sum(1 << int(digit) for digit in text) for cell, text in enumerate(marks * 9) if text != "."}
    puzzle = Puzzle(candidates=every)
    written = "".join(piece.text for piece in format_puzzles([puzzle], "grid"))
    for options in ({"format": "grid"}, {}):
        (record,) = records_of_text(written, **options)
        assert record.puzzle == puzzle

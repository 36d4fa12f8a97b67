"""Puzzles as blocks of rows below each other: cells, then regions or cages."""

from __future__ import annotations

from itertools import product

import pytest

from sudoku_cp.errors import ParseError
from sudoku_cp.formats import read_records, records_of_text, stacked_blocks
from sudoku_cp.formats.grid_text import jigsaw_grid
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Houses, KillerCage

JIGSAWS = {
    4: ("1.....2..3.....4", "1112132233243444"),
    6: ("1....2..3......4..5....6.......1...2", "111222113322133324536444556644555666"),
    9: (
        "8...........1.....2.....4.6.....8..5...62..18.3...4.2....5..1.7..2.........8...9.",
        "999998888555998888555998333555111333222111333222111444222766444777766444777766666",
    ),
}
"""Cells and regions of a small puzzle of each side."""
SUMS = (
    "20 - 11 - 12 10 - 14 -,- 12 - 17 - 21 - 15 -,4 - - - 8 - - - 14,- 6 - - - - 16 - -,17 8 - 10 - - 14 - 6,"
    "- 13 - 18 - - 4 - -,9 23 - - 13 11 - - 7,- 9 - 16 - 13 8 - -,9 - - - - - - 17 -"
).replace(",", "\n")
CAGES = (
    "21 21 24 24 25 27 27 29 29,21 23 24 32 25 33 27 28 29,22 23 23 32 26 33 28 28 30,22 31 31 32 26 33 1 1 30,"
    "2 3 3 4 4 4 5 5 6,2 7 7 8 8 8 9 9 6,10 11 11 11 18 12 12 12 13,10 14 14 17 18 19 15 15 13,16 16 17 17 18 19 19 20 20"
).replace(",", "\n")
KILLER_4 = ("aabb", "cabd", "ceed", "ffgg")
"""Seven cages of a 4x4 board."""
SUMS_4 = {"a": 6, "b": 7, "c": 5, "d": 6, "e": 5, "f": 4, "g": 7}


def _cut(text, side):
    return [text[at : at + side] for at in range(0, side * side, side)]


def _spaced(rows, mark):
    return [mark.join(row) for row in rows]


def _boxed(rows, corner="+", bar="|"):
    border = corner + "---" * len(rows) + corner
    return [border, *[f"{bar} {'  '.join(row)} {bar}" for row in rows], border]


def _ruled(rows):
    border = "+" + "---+" * len(rows)
    return [border, *[line for row in rows for line in ("| " + " | ".join(row) + " |", border)]]


def _banded(rows):
    half = len(rows) // 2
    return [*rows[:half], "", *rows[half:]]


def _grouped(rows):
    half = len(rows) // 2
    return [f"{row[:half]} {row[half:]}" for row in rows]


DRAWN = {
    "joined": lambda rows: rows,
    "blanks": lambda rows: _spaced(rows, " "),
    "tabs": lambda rows: _spaced(rows, "\t"),
    "commas": lambda rows: _spaced(rows, ","),
    "commas and blanks": lambda rows: _spaced(rows, ", "),
    "bars": lambda rows: _spaced(rows, "|"),
    "bars outside": lambda rows: [f"|{row}|" for row in rows],
    "boxed": _boxed,
    "ruled": _ruled,
    "bands": _banded,
    "groups": _grouped,
}
MARKS = ".0-_*x?"
BETWEEN = {"nothing": [], "an empty line": [""], "a heading": ["", "Regions:", ""], "a line": ["====="]}
LABELS = {"digits": lambda text: text, "from 0": lambda text: text.translate(str.maketrans("123456789", "012345678"))} | {
    name: (lambda text, signs=signs: text.translate(str.maketrans("123456789", signs)))
    for name, signs in {"capitals": "ABCDEFGHI", "letters": "abcdefghi", "others": "zyxwvutsr"}.items()
}


def _layouts():
    """Yield each way to write a jigsaw in two blocks: each pair of two of the choices at least once."""
    choices = list(product(JIGSAWS, DRAWN, MARKS, BETWEEN, LABELS))
    for number, (side, drawn, mark, between, labels) in enumerate(choices):
        if number % 9 == 0:
            yield side, drawn, mark, between, labels


LAYOUTS = list(_layouts())


def test_there_are_hundreds_of_layouts():
    """The layouts below have each choice with each other choice."""
    assert len(LAYOUTS) > 320
    for first, second in ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)):
        kinds = [{layout[at] for layout in LAYOUTS} for at in (first, second)]
        assert {(layout[first], layout[second]) for layout in LAYOUTS} == set(product(*kinds))


@pytest.mark.parametrize("side", JIGSAWS)
def test_two_blocks_are_one_jigsaw_however_they_are_written(side):
    """A block of cells and a block of regions are one puzzle: any mark for empty cells, any separators, any labels."""
    cells, regions = JIGSAWS[side]
    wanted = Puzzle(Grid.jigsaw(regions), givens={at: int(sign) for at, sign in enumerate(cells) if sign != "."})
    wrong = []
    for _, drawn, mark, between, labels in (layout for layout in LAYOUTS if layout[0] == side):
        rows = [DRAWN[drawn](_cut(text, side)) for text in (cells.replace(".", mark), LABELS[labels](regions))]
        text = "\n".join([*rows[0], *BETWEEN[between], *rows[1]]) + "\n"
        records = list(records_of_text(text))
        if [record.puzzle for record in records] != [wanted]:
            wrong.append((drawn, mark, between, labels, [str(record.error or record.puzzle.grid) for record in records]))
    assert not wrong


@pytest.mark.sampled(3)
@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("drawn", sorted({*DRAWN} - {"bands", "groups"}))
@pytest.mark.parametrize("side", JIGSAWS)
def test_spaces_may_be_empty_cells_of_a_jigsaw(side, drawn, between):
    """Cells with spaces for empty ones and a block of regions are one jigsaw, or an error where a row is an empty line."""
    cells, regions = JIGSAWS[side]
    wanted = Puzzle(Grid.jigsaw(regions), givens={at: int(sign) for at, sign in enumerate(cells) if sign != "."})
    rows = DRAWN[drawn](_cut(cells.replace(".", " "), side))
    (record,) = records_of_text("\n".join([*rows, *BETWEEN[between], *_cut(regions, side)]))
    if all(row.strip(" ") for row in rows):
        assert record.puzzle == wanted
    else:
        assert "with a dot for each empty cell" in str(record.error)


@pytest.mark.parametrize("name", ["blocks", "jigsaw"])
def test_several_such_jigsaws_and_plain_boards_share_a_file(name):
    """Pairs of blocks follow each other, plain boards between them; regions may stand first, a solution last; titles are kept."""
    blocks = {side: ["\n".join(_cut(text, side)) for text in JIGSAWS[side]] for side in JIGSAWS}
    plain = "12....\n" + "......\n" * 4 + "....34\n"
    solved = "1234\n2143\n3412\n4321\n"
    text = "\n\n".join(["First", blocks[9][0], blocks[9][1], "Second", plain, blocks[4][1], blocks[4][0], solved, blocks[6][1]])
    found = [record.puzzle for record in records_of_text(text, format=name)]
    assert [puzzle.title for puzzle in found] == ["First", "Second", "", ""]
    assert [puzzle.grid.is_plain for puzzle in found] == [False, True, False, False]
    assert found[2].solution == tuple(int(sign) for sign in solved.replace("\n", ""))
    assert [len(puzzle.givens) for puzzle in found] == [20, 4, 4, 0]


def test_regions_that_are_boxes_are_a_plain_board():
    """The usual boxes as a block of regions are the usual board."""
    (record,) = records_of_text("1...\n....\n....\n...2\n\naabb\naabb\nccdd\nccdd\n")
    assert record.puzzle == Puzzle(Grid.square(4), givens={0: 1, 15: 2})


def test_two_plain_boards_stay_two_puzzles():
    """Two puzzles are no regions, nor is a full board that solves another puzzle."""
    for second in ("2134\n3412\n1243\n4321", "..34\n....\n1...\n....", "1111\n....\n....\n....", "21..\n....\n....\n.122"):
        assert len(list(records_of_text(f"1...\n....\n....\n...1\n\n{second}\n"))) == 2


@pytest.mark.parametrize("order", ["csr", "crs", "rcs", "cs"])
def test_a_solution_may_stand_at_any_place(order):
    """It is the solution of the cells above it, with regions between them, below them or without any."""
    blocks = {"c": "1234\n24..\n..42\n4321", "s": "1234\n2413\n3142\n4321", "r": "AAAA\nBBCC\nBBCC\nDDDD"}
    after = [] if "r" in order else [blocks["c"], blocks["r"]]
    record, *others = records_of_text("\n\n".join([*(blocks[one] for one in order), *after]))
    assert record.puzzle.solution == (1, 2, 3, 4, 2, 4, 1, 3, 3, 1, 4, 2, 4, 3, 2, 1)
    assert record.puzzle.givens == Puzzle.parse("123424....424321").givens
    assert (record.puzzle.grid == Grid.square(4)) == bool(after)
    assert len(others) == bool(after)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ("a=6", "line 14: expected one sum for the cage 'a', got 6 here and 5 in line 6"),
        ("b: 7, a: 6", "line 14: expected one sum for the cage 'b', got 7 here and 5 in line 7"),
        ("", "line 4: expected a sum for each cage, such as h=15, got none for 'h'"),
    ],
)
def test_sums_are_stated_once_for_each_cage(more, named):
    """A second sum that differs, or a cage without one, is an error with its line; the same sum again is none."""
    text = "aabb\ncdde\ncffe\ngghh\n\na=5\nb=5\nc=4\nd=6\ne=5\nf=5\ng=4\n"
    (record,) = records_of_text(f"{text}{'h=6' if more else ''}\n{more}\n")
    assert named in str(record.error)
    (again,) = records_of_text(f"{text}h=6\na=5 h=6\n")
    (once,) = records_of_text(f"{text}h=6\n")
    assert again.puzzle == once.puzzle is not None


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\nCages\n"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("start", ["", "9 9\n", "9\n"])
def test_sums_and_cages_are_a_killer(start, turned, gap):
    """A block with the sum of each cage in one of its cells and a block of cages are one puzzle, in either order."""
    blocks = [SUMS, CAGES][:: -1 if turned else 1]
    (record,) = records_of_text(f"{start}{blocks[0]}{gap}{blocks[1]}\n")
    killers = [rule for rule in record.puzzle.rules if isinstance(rule, KillerCage)]
    assert len(killers) == 33
    assert killers[0] == KillerCage((0, 1, 9), 20)
    assert sum(rule.total for rule in killers) == 405


@pytest.mark.parametrize("join", [" ", ",", ", ", "\t", " | ", ";"])
def test_sums_may_have_spaces_for_cells_without_one(join):
    """Sums in columns of two characters, or between separators with nothing between them, are read as with marks."""
    rows = [" " * 2 + join.join(text.replace("-", "").rjust(2) for text in row.split()) for row in SUMS.split("\n")]
    (record,) = records_of_text("\n".join([*rows, "", CAGES]))
    (marked,) = records_of_text(f"{SUMS}\n\n{CAGES}")
    assert record.puzzle == marked.puzzle


@pytest.mark.parametrize("cells", ["", "1...\n....\n....\n....\n\n"])
@pytest.mark.parametrize(
    "form",
    [
        lambda sums: "\n".join(f"{label}={total}" for label, total in sums.items()),
        lambda sums: "\n".join(f"{label}: {total}" for label, total in sums.items()),
        lambda sums: "\n".join(f"{label} -> {total}" for label, total in sums.items()),
        lambda sums: "\n".join(f"Cage {label}: sum {total}" for label, total in sums.items()),
        lambda sums: " ".join(f"{label}={total}" for label, total in sums.items()),
        lambda sums: ", ".join(f"{label} = {total}" for label, total in sums.items()),
        lambda sums: ", ".join(f"{label}: {total}" for label, total in sums.items()),
    ],
    ids=["lines", "colons", "arrows", "words", "one line", "commas", "colons on one line"],
)
@pytest.mark.parametrize("spaced", [False, True])
def test_cages_as_letters_have_their_sums_below(spaced, form, cells):
    """A block of cages and lines such as a=15 are a killer, with a block of givens before it or without."""
    rows = _spaced(KILLER_4, " ") if spaced else KILLER_4
    (record,) = records_of_text(f"{cells}" + "\n".join(rows) + f"\n\n{form(SUMS_4)}\n")
    letters = "".join(KILLER_4)
    cages = [KillerCage(tuple(at for at, sign in enumerate(letters) if sign == label), SUMS_4[label]) for label in SUMS_4]
    assert record.puzzle == Puzzle(Grid.square(4), (Houses(), *cages), {0: 1} if cells else {})


def test_the_reported_files_are_read(data):
    """Texts that people had: a jigsaw and a killer in two blocks."""
    (jigsaw,) = read_records(data("reports/reading/jigsaw_two_blocks.txt"))
    (line,) = read_records(data("reports/reading/jigsaw_one_line_reads_right.txt"))
    assert jigsaw.puzzle == line.puzzle
    (killer,) = read_records(data("reports/reading/killer_two_blocks.txt"))
    assert len(killer.puzzle.rules) == 34


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "1...\n....\n....\n....\n\naabb\naabb\nccdd\ncccd",
            "4 connected regions of 4 cells, or cages .* 'c' 5 times",
        ),
        ("1...\n....\n....\n....\n\naabb\naabb\nddcc\nbbaa", "'a' 6 times|in several places"),
        ("1...\n....\n....\n....\n\naabb\ncabd\nceed\nffgg", "has 7 labels"),
        ("9 . . .\n. . 5 .\n. . . .\n. . . .\n\naabb\naabb\nccdd\naacd\na=3", "'a' in 2 places .* one cage or several"),
        (
            "6 7 . .\n. . . .\n. . . .\n. . . .\n\naaab\nccbb\nccdd\nddee",
            "one sum in each cage, got 6 in r1c1, 7 in r1c2",
        ),
        ("aabb\ncabd\nceed\nffgg\na=3 q=4", "got one for 'q'"),
        ("3 . . .\n. . . .\n. . . .\n. 4 . .\n\naa..\n....\n....\n.bb.", "or cages with their sums .* or a board of its own"),
    ],
    ids=["uneven", "apart", "no sums", "label twice", "two sums", "lost sum", "small sums"],
)
def test_what_can_mean_two_things_is_refused(text, named):
    """Blocks that are no regions and no cages with sums are an error with what they could be, never two boards."""
    (record,) = records_of_text(text)
    with pytest.raises(ParseError, match=named):
        raise record.error


_ROWS = ["53  7    ", "6  195   ", " 98    6 ", "8   6   3", "4  8 3  1", "7   2   6", " 6    28 ", "   419  5", "    8  79"]
_IN_BOXES = "\n".join(f"| {' | '.join(' '.join(row[at : at + 3]) for at in (0, 3, 6))} |" for row in _ROWS)


@pytest.mark.parametrize("dotted", [False, True])
@pytest.mark.parametrize(
    ("heading", "board"),
    [
        ("", "\n".join(map(" ".join, _ROWS))),
        ("", "\n".join(_ROWS)),
        ("", "\n".join(f"|{'|'.join(row)}|" for row in _ROWS)),
        ("", _IN_BOXES),
        ("-----\n9x9 (3x3) SUDOKU PUZZLE\nDifficulty: HARD (20 STEPS)\n-----\n", _IN_BOXES),
    ],
    ids=["spaced", "tight", "bars", "boxes", "words"],
)
def test_drawings_that_are_no_blocks_are_seen_to_be_none_at_once(heading, board, dotted, count_calls):
    """Spaces are tried as empty cells of regions or cages only where equal signs stand together."""
    text = "\n\n".join([heading + (board.replace("  ", " .").replace("  ", " .") if dotted else board)] * 20)
    found, calls = count_calls(lambda: stacked_blocks.sniff(text))
    assert not found
    assert calls < 850 * text.count("\n")


def test_rows_that_may_be_cages_are_not_laid_out_in_every_way(count_calls):
    """Between bars, cells begin where the width of all boxes lets them: other places are not tried."""
    text = "| 1 2   |  3 |\n" * 200
    found, calls = count_calls(lambda: stacked_blocks.sniff(text))
    assert not found
    assert calls < 1700 * text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "|1| |3| |\n| |2 | | |\n| | | |1|\n|2| | | |\n\n|a |a|b| |\n| a|a|b| |\n|c|c|b| |\n|c|c|b| |",
        "|1  |3  |\n|  2|   |\n|   |  1|\n|2  |   |\n\n|a a|b  |\n|a a|b  |\n|c c|b  |\n|c c|b  |",
        "1   3  \n  2    \n      1\n2      \n\na a b  \na a b  \nc c b  \nc c b  ",
    ],
    ids=["a cell between bars", "boxes between bars", "no bars"],
)
def test_regions_may_be_drawn_with_spaces_for_one_of_them(text):
    """A region whose cells are left empty is one like the others, wherever the signs of the others stand in their cells."""
    (record,) = records_of_text(text)
    assert record.puzzle.grid == jigsaw_grid("aab.aab.ccb.ccb.", Grid.square(4))
    assert record.puzzle.givens == {0: 1, 2: 3, 5: 2, 11: 1, 12: 2}


def test_a_cage_without_a_sum_in_the_block_of_sums_is_refused():
    """A block of sums has one for each cage, as a list of sums has; a sum that got lost is named with its cage."""
    sums = "7 . . {}\n9 . . .\n. 10 . 8\n. . . .\n"
    cages = "AAAB\nCCBB\nCDDE\nDDEE\n"
    (record,) = records_of_text(f"{sums.format('.')}\n{cages}")
    assert "line 6: expected one sum in each cage, got none for 'B' (in row 1 of the cages" in str(record.error)
    (record,) = records_of_text(f"{sums.format(6)}\n{cages}")
    assert record.error is None

"""Drawings that a puzzle keeps from its source: in our JSON, in pictures, and in the formats that have a place for them."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from contextlib import suppress
from dataclasses import fields, replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.cosmetics import (
    DRAWINGS,
    MOST_DRAWINGS,
    DrawnCage,
    DrawnLine,
    DrawnShape,
    DrawnText,
    in_drawing_order,
)
from sudoku_cp.errors import InvalidInput, InvalidType
from sudoku_cp.formats import FORMATS, format_puzzles, records_of_text
from sudoku_cp.formats.fpuzzles.document import puzzle_from_fpuzzles, puzzle_to_fpuzzles
from sudoku_cp.formats.sudokupad import draw_document, puzzle_from_sudokupad, puzzle_to_sudokupad
from sudoku_cp.grid import Grid
from sudoku_cp.paper import PrintedPuzzle, SheetOptions, make_pdf
from sudoku_cp.puzzle import Position, Puzzle, canonical_keys, from_json, to_json
from sudoku_cp.puzzle.json_document import puzzle_to_short_json
from sudoku_cp.render import layers, svg
from sudoku_cp.render.png_picture import svg_to_png
from sudoku_cp.rules import RULES, KillerCage

PLAIN = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
KEPT = {
    "line": DrawnLine(((0.5, 0.5), (0.5, 1.5), (1.5, 2.5)), "#FFCCAA", 0.3),
    "dot of a line": DrawnLine(((4.5, 4.5),), "#123456", 0.5),
    "line beside the grid": DrawnLine(((-0.5, 0.5), (0.5, 1.5))),
    "coloured cell": DrawnShape((3.5, 3.5), fill="#D0D0FF"),
    "rectangle": DrawnShape((2.5, 2.5), "rectangle", 2, 0.8, "#EEEEEE", "#010101"),
    "turned rectangle": DrawnShape((2.5, 2.5), "rectangle", 0.5, 0.8, "", "#020202", 30),
    "circle on an edge": DrawnShape((1, 2.5), "ellipse", 0.4, 0.4, "#FFFFFF", "#8A8A8A", over=True),
    "circle on a corner": DrawnShape((1, 2), "ellipse", 0.4, 0.4, "#FFFFFF", "#8A8A8A", over=True),
    "circle between three cells": DrawnShape((0.8333, 0.8333), "ellipse", 0.4, 0.4, "#ABCDEF", over=True),
    "text": DrawnText((4.5, 4), "V", 0.7, "#303030"),
    "turned text": DrawnText((4, 4), ">", 0.7, angle=90),
    "text above the grid": DrawnText((-0.5, 3.5), "12"),
    "cage": DrawnCage((1, 2), "A", "#666666"),
    "cage without a text": DrawnCage((80, 79, 71)),
}
"""One of each kind that an f-puzzles document has a place for."""
ONLY_PAD = {
    "arrow": DrawnLine(((0.25, 0.5), (3.5, 0.5)), "#111111", 0.05, head=0.3),
    "filled line": DrawnLine(((0, 0), (0, 2), (2, 2)), "#111111", 0.05, "#AAFFAA"),
    "line over the grid": DrawnLine(((0.1, 0.1), (0.7, 0.3)), over=True),
    "pill": DrawnShape((2.5, 3), "pill", 2, 0.8, "", "#010101", over=True),
    "turned pill": DrawnShape((2.5, 3), "pill", 2, 0.8, "#00FF00", angle=45),
    "shape at any point": DrawnShape((2.123, 3.456), "ellipse", 0.4, 0.4, "#ABCDEF", over=True),
    "text under the grid": DrawnText((2.5, 2.5), "x", over=False),
    "cage that looks like a clue": DrawnCage((0, 1), "DR5"),
    "cage that looks like a note": DrawnCage((0, 1), "rules: none"),
    "cage that looks like a sum": DrawnCage((0, 1), "12"),
}
"""Others, which SudokuPad has a place for."""
EVERY = {**KEPT, **ONLY_PAD}
every_drawing = pytest.mark.parametrize("name", EVERY)


def drawn(*drawings):
    """Return a puzzle with drawings."""
    return replace(PLAIN, drawings=drawings)


def test_every_kind_is_here():
    """The drawings of these tests are of all kinds."""
    assert {one.kind for one in EVERY.values()} == {*DRAWINGS}


# --- a part of the puzzle ---------------------------------------------------------------------------------------


@every_drawing
def test_drawings_come_back_from_our_json(name):
    """JSON has every field of a drawing, and text is all that it takes."""
    puzzle = drawn(EVERY[name], DrawnText((0.5, 0.5), "again"))
    assert from_json(json.loads(json.dumps(to_json(puzzle)))) == puzzle
    assert puzzle_to_short_json(puzzle) == to_json(puzzle)
    assert eval(repr(puzzle)).drawings == puzzle.drawings  # noqa: S307  # our own


@every_drawing
def test_drawings_mean_nothing(name):
    """Model, canonical form and hash are those of the puzzle without them; a copy as another puzzle has none."""
    puzzle = drawn(EVERY[name])
    assert puzzle != PLAIN
    assert puzzle.model() is PLAIN.model()
    assert hash(puzzle) == hash(PLAIN)
    assert puzzle.canonical() == PLAIN.canonical()
    assert canonical_keys([puzzle]) == canonical_keys([PLAIN])
    assert puzzle.with_givens({}).drawings == puzzle.drawings


def test_a_puzzle_without_drawings_has_no_field_for_them():
    """The JSON of all other puzzles is what it was."""
    assert "drawings" not in to_json(PLAIN)
    assert "drawings" not in repr(PLAIN)


def test_a_plain_puzzle_does_without_the_module_of_drawings():
    """Reading and solving a line imports nothing for drawings."""
    code = f"import sys, sudoku_cp as s; s.solve(s.Puzzle.parse({PLAIN.line()!r})); print('sudoku_cp.cosmetics' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


# --- what is refused --------------------------------------------------------------------------------------------

LINE = {"kind": "line", "points": [[0.5, 0.5], [1.5, 0.5]]}
SHAPE = {"kind": "shape", "at": [1, 1], "fill": "#FFFFFF"}
TEXT = {"kind": "text", "at": [1, 1], "text": "a"}
CAGE = {"kind": "cage", "cells": ["r1c1"]}
WRONG = {
    "no array": ({}, "expected an array"),
    "no object": ([7], "expected a JSON object, got 7"),
    "no kind": ([{}], "expected a drawing of the kind line, shape, text, cage, got None"),
    "kind that is an array": ([{"kind": []}], "expected a drawing of the kind"),
    "unknown field": ([LINE | {"onclick": "x"}], "got 'onclick'"),
    "missing field": ([{"kind": "line"}], "expected the field 'points', which is missing"),
    "no points": ([LINE | {"points": []}], "expected 1 to 20000 points, got 0"),
    "point of three": ([LINE | {"points": [[1, 2, 3]]}], "expected a row and a column in cells, got [1, 2, 3]"),
    "point of texts": ([LINE | {"points": [["a", "b"]]}], "expected a row and a column in cells"),
    "far away": ([TEXT | {"at": [1e300, 0]}], "expected a row and a column from -10 to"),
    "a little too far": ([TEXT | {"at": [19.5, 0]}], "expected drawings within 10 cells of"),
    "number of many digits": ([TEXT | {"at": [10**400, 0]}], "expected a row and a column from -10 to"),
    "NaN": ([TEXT | {"at": [math.nan, 0]}], "expected a row and a column from -10 to"),
    "endless": ([LINE | {"width": math.inf}], "expected the width from 0 to 50, got inf"),
    "negative": ([SHAPE | {"height": -1}], "expected the height from 0 to 50, got -1"),
    "NaN as a size": ([TEXT | {"size": math.nan}], "expected the size from 0 to 50, got nan"),
    "turned too far": ([TEXT | {"angle": 1e9}], "expected the angle from -360 to 360"),
    "no number": ([LINE | {"width": "wide"}], "expected a number, got 'wide'"),
    "true": ([LINE | {"width": True}], "expected a number, got True"),
    "no colour": ([LINE | {"colour": 'red"/><script>'}], "expected a colour such as '#CFCFCF'"),
    "colour of a name": ([SHAPE | {"fill": "red"}], "expected a fill such as '#CFCFCF', got 'red'"),
    "neither": ([{"kind": "shape", "at": [1, 1]}], "expected a fill or a colour, got neither"),
    "unknown shape": ([SHAPE | {"shape": "star"}], "'star'"),
    "empty text": ([TEXT | {"text": " "}], "expected a text, got ' '"),
    "long text": ([TEXT | {"text": "a" * 201}], "expected a text of at most 200 characters, got 201"),
    "half a character": ([TEXT | {"text": "a\ud800"}], "expected a text of characters that UTF-8 has"),
    "unknown cell": ([CAGE | {"cells": ["r10c1"]}], "r10c1"),
    "cell twice": ([CAGE | {"cells": ["r1c1", "r1c1"]}], "expected some cells, each once"),
    "no cells": ([CAGE | {"cells": []}], "expected some cells, each once"),
    "too many": ([TEXT] * (MOST_DRAWINGS + 1), "expected at most 2,000 drawings, got 2,001"),
    "too many points": (
        [LINE | {"points": [[1, 1]] * 11_000}] * 2,
        "expected drawings of at most 20,000 points and cells in all",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_drawn_is_refused(name):
    """Our JSON with such a drawing raises an error that names what was expected."""
    data, words = WRONG[name]
    with pytest.raises(InvalidInput) as caught:
        from_json({"drawings": data})
    assert words in str(caught.value)
    assert len(str(caught.value)) < 2_000


def test_only_drawings_are_drawings():
    """In Python a puzzle takes drawings alone, of cells that it has."""
    with pytest.raises(InvalidInput, match=r"expected drawings such as DrawnLine"):
        Puzzle(drawings=(None,))
    with pytest.raises(InvalidInput, match="expected a drawn cage of cells of"):
        Puzzle(Grid.square(4), drawings=(DrawnCage((16,)),))
    with pytest.raises(InvalidType):
        Puzzle(drawings="line")
    assert Puzzle(drawings=[KEPT["line"]]).drawings == (KEPT["line"],)


# --- pictures ---------------------------------------------------------------------------------------------------


def _printed(puzzle):
    return make_pdf([PrintedPuzzle(Position.of(puzzle))], SheetOptions())


@every_drawing
def test_every_drawing_is_in_every_picture(name):
    """SVG, the layers of a page and prints show it: under or over the lines of the grid."""
    one = EVERY[name]
    picture, before = svg(drawn(one)), svg(PLAIN)
    ET.fromstring(picture)  # noqa: S314  # our own
    assert len(picture) > len(before)
    made, plain = layers(drawn(one)), layers(PLAIN)
    below = isinstance(one, DrawnCage) or not one.over
    assert made["under"].startswith(plain["under"])
    assert (made["under"] != plain["under"]) == below
    assert (made["over"] != plain["over"]) == (not below or bool(isinstance(one, DrawnCage) and one.text))
    colours = {one.colour} - {""} if not isinstance(one, DrawnText | DrawnCage) else set()
    assert all(colour in picture for colour in colours)
    assert svg_to_png(picture) != svg_to_png(before)
    assert _printed(drawn(one)) != _printed(PLAIN)


def test_no_rule_draws_what_is_drawn():
    """The parts of rules are what they are without drawings; a drawn cage on a rule's cage has other dashes."""
    ruled = replace(PLAIN, rules=(*PLAIN.rules, KillerCage((1, 2), 3)))
    both = replace(ruled, drawings=(DrawnCage((1, 2), "A"), *EVERY.values()))
    assert layers(both)["parts"] == layers(ruled)["parts"]
    assert layers(both)["under"].count("stroke-dasharray") > layers(ruled)["under"].count("stroke-dasharray")


def test_texts_cannot_leave_their_element():
    """Markup in a text is shown as it is."""
    text = "</text><script>alert('&')</script>\x00"
    for picture in (svg(drawn(DrawnText((1, 1), text), DrawnCage((0, 1), text))), layers(drawn(DrawnText((1, 1), text)))["over"]):
        assert "<script" not in picture
        assert "&lt;script&gt;" in picture


def test_a_long_text_does_not_widen_a_picture_without_end():
    """The picture ends a few cells outside the board."""
    widths = [layers(drawn(DrawnText((4.5, 4.5), "W" * length, 50)))["box"][2] for length in (100, 200)]
    assert widths[0] == widths[1] < 3_000


def test_crowds_of_drawings_take_little_work(count_calls):
    """As many texts, cages and lines as there may be, all in one place, are drawn in a bounded number of calls."""
    crowd = [DrawnText((0.5, 0.5), "a", 0.1)] * 800 + [DrawnCage((0,), "b")] * 400 + [DrawnLine(((0.5, 0.5), (8.5, 8.5)))] * 800
    picture, calls = count_calls(lambda: svg(drawn(*crowd)))
    assert picture.count("<text") > 800
    assert calls < 20_000_000


# --- formats ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KEPT)
def test_fpuzzles_keeps_its_drawings(name):
    """A document has every drawing that it has a place for, and reading it gives the same without a warning."""
    warnings = []
    document = json.loads(json.dumps(puzzle_to_fpuzzles(drawn(KEPT[name]))))
    assert puzzle_from_fpuzzles(document, warnings) == drawn(KEPT[name])
    assert warnings == []


@every_drawing
def test_sudokupad_keeps_every_drawing(name):
    """SudokuPad's own document has every drawing; the drawing of a puzzle for people has it, too."""
    puzzle = drawn(EVERY[name])
    for write in (puzzle_to_sudokupad, draw_document):
        assert puzzle_from_sudokupad(json.loads(json.dumps(write(puzzle))), []).drawings == puzzle.drawings


@pytest.mark.parametrize("form", [name for name, found in FORMATS.items() if found.read and found.write])
@every_drawing
def test_what_a_format_has_no_place_for_is_told(name, form):
    """A drawing comes back from a format, or is reported as left out; that changes nothing of the puzzle."""
    one, *end = format_puzzles([drawn(EVERY[name])], form)
    (record,) = records_of_text(one.text + "".join(piece.text for piece in end), format=form)
    assert record.puzzle.assume() == PLAIN.assume()
    assert (record.puzzle.drawings == (EVERY[name],)) == ("drawings" not in one.left_out)
    assert {text for text in one.left_out if "drawing" in text} <= {"drawings", "drawings as it is"}
    assert not one.left_out or form not in {"json", "sudokupad"}


def test_all_at_once_are_kept_in_drawing_order():
    """Many drawings together come back from both formats, as they are drawn."""
    many = in_drawing_order(KEPT.values())
    assert puzzle_from_fpuzzles(puzzle_to_fpuzzles(drawn(*many)), []).drawings == many
    every = in_drawing_order(EVERY.values())
    assert puzzle_from_sudokupad(puzzle_to_sudokupad(drawn(*every)), []).drawings == every


def test_a_link_keeps_what_it_can():
    """SudokuPad's link is the document with more of the puzzle: f-puzzles' only if that has a place for the drawings."""
    for drawing, prefix in ((KEPT["line"], "fpuzzles"), (ONLY_PAD["pill"], "scl")):
        one, *_ = format_puzzles([drawn(drawing)], "sudokupad")
        assert one.text.startswith(f"https://sudokupad.app/{prefix}")
        assert one.left_out == ()
    ruled = replace(drawn(ONLY_PAD["pill"]), rules=(*PLAIN.rules, RULES["thermometer"]((0, 1))))
    one, *_ = format_puzzles([ruled], "sudokupad")
    assert one.left_out == ("drawings",)


FPUZZLES = {
    "several routes": ({"line": [{"lines": [["R1C1", "R1C2"], ["R5C5"]], "outlineC": "#abc", "width": 0.2}]}, 2),
    "circle with a text": (
        {"circle": [{"cells": ["R1C1", "R1C2"], "baseC": "#FFFFFF", "value": "3", "width": 1, "height": 0.5}]},
        2,
    ),
    "invisible": ({"rectangle": [{"cells": ["R1C1"], "baseC": "#FF000000", "outlineC": "transparent"}]}, 0),
    "translucent": ({"rectangle": [{"cells": ["R1C1", "R2C2"], "baseC": "#FF000080", "width": 0.3, "height": 0.3}]}, 1),
    "outside": ({"text": [{"cells": ["R0C3"], "value": 12, "fontC": "black"}]}, 1),
    "numbers as texts": ({"text": [{"cells": ["R1C3"], "value": "x", "size": "0.7"}]}, 1),
}


@pytest.mark.parametrize("name", FPUZZLES)
def test_documents_of_fpuzzles_are_read(name):
    """What the site and tools write is read, and comes back when it is written."""
    keys, count = FPUZZLES[name]
    warnings = []
    puzzle = puzzle_from_fpuzzles({"size": 9} | keys, warnings)
    assert (warnings, len(puzzle.drawings)) == ([], count)
    assert puzzle_from_fpuzzles(puzzle_to_fpuzzles(puzzle), []).drawings == puzzle.drawings


def test_half_a_character_is_replaced():
    """A text with a lone surrogate, which JSON can state and no file can have, is read with the replacement character."""
    entry = {"cells": ["R1C1"], "value": "a\ud800"}
    for puzzle in (
        puzzle_from_fpuzzles({"size": 9, "text": [entry]}, []),
        puzzle_from_sudokupad({"cells": [[{}] * 9] * 9, "overlays": [{"center": [1, 1], "text": "a\ud800"}]}, []),
    ):
        assert [one.text for one in puzzle.drawings] == ["a\ufffd"]


def test_colours_of_cells_are_drawn():
    """One colour fills its cell, several share it; white is that of the paper; numbers of a palette have none."""
    rows = [[{} for _ in range(9)] for _ in range(9)]
    rows[0][:4] = [{"c": "#D0D0FF"}, {"cArray": ["#FF0000", "#00FF00"]}, {"c": "#FFFFFF"}, {"highlight": 2}]
    warnings = []
    puzzle = puzzle_from_fpuzzles({"size": 9, "grid": rows}, warnings)
    halves = [DrawnShape((0.5, middle), width=0.5, fill=fill) for middle, fill in ((1.25, "#FF0000"), (1.75, "#00FF00"))]
    assert puzzle.drawings == (DrawnShape((0.5, 0.5), fill="#D0D0FF"), *halves)
    assert warnings == ["not read: colours in 1 cell"]
    assert puzzle_to_fpuzzles(puzzle)["grid"][0][0]["c"] == "#D0D0FF"


HOSTILE = {
    "no object": ({"line": [7]}, "1 line"),
    "no lines": ({"line": [{"lines": 7}]}, "1 line (expected an array of lines, got 7)"),
    "lines of numbers": ({"line": [{"lines": [[1, 2]]}]}, "1 line (expected a cell such as 'R4C7', got 1)"),
    "far away": ({"text": [{"cells": ["R999C999"], "value": "x"}]}, "1 text (expected drawings within 10 cells"),
    "huge": ({"circle": [{"cells": ["R1C1"], "baseC": "#000000", "width": 1e300}]}, "1 circle (expected a number, got 1e+300)"),
    "number of many digits": ({"circle": [{"cells": ["R1C1"], "width": 10**400}]}, "1 circle (expected a number"),
    "NaN": ({"circle": [{"cells": ["R1C1"], "baseC": "#000000", "width": math.nan}]}, "1 circle (expected a number, got nan)"),
    "NaN as a text": ({"text": [{"cells": ["R1C1"], "value": "x", "size": "nan"}]}, "1 text (expected a number, got nan)"),
    "negative": (
        {"circle": [{"cells": ["R1C1"], "baseC": "#000000", "width": -1}]},
        "1 circle (shape: expected the width from",
    ),
    "script": ({"line": [{"lines": [["R1C1"]], "outlineC": "url(javascript:x)"}]}, "1 line (expected a colour such as"),
    "no cells": ({"text": [{"cells": [], "value": "x"}]}, "1 text (cells: expected 1 to 1000 cells, got 0)"),
    "many cells": ({"line": [{"lines": [["R1C1"] * 10_000]}]}, "1 line (lines[1]: expected 1 to 1000 cells, got 10000)"),
    "a text that is an array": ({"text": [{"cells": ["R1C1"], "value": ["x"]}]}, "1 text (expected a text, got ['x'])"),
    "cage outside": ({"cage": [{"cells": ["R0C1"]}]}, "1 cage (expected a cage of cells of the grid, got R0C1)"),
    "many colours": ({"grid": [[{"cArray": ["#000000"] * 17}, {}], [{}, {}]], "size": 2}, "1 coloured cell (expected at most 16"),
    "thousands": ({"line": [{"lines": [["R1C1", "R1C2"]]}] * 5_000}, "3000 lines (expected at most 2,000 drawings"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_cannot_be_kept_is_counted(name):
    """A drawing that is damaged, or hostile, is left out; the warning counts it, with the first reason, and the rest is kept."""
    keys, words = HOSTILE[name]
    warnings = []
    puzzle = puzzle_from_fpuzzles({"size": 9} | keys, warnings)
    (warning,) = warnings
    assert warning.startswith(f"drawings are not read: {words}")
    assert len(warning) < 300
    assert len(puzzle.drawings) <= MOST_DRAWINGS


HOSTILE_PAD = {
    "no way": ({"lines": [{"wayPoints": 7}]}, "1 line ("),
    "way of numbers": ({"lines": [{"wayPoints": [1, 2]}]}, "1 line ("),
    "huge": ({"lines": [{"wayPoints": [[1e308, 0], [0, 0]], "thickness": 3}]}, "1 line (expected a number"),
    "far away": ({"lines": [{"wayPoints": [[500, 0], [0, 0]], "thickness": 3}]}, "1 line (expected drawings within 10 cells"),
    "path": ({"lines": [{"d": "M0 0L9 9"}]}, "1 line (expected an array"),
    "no middle": ({"overlays": [{"text": "x"}]}, "1 overlay (center: expected a row and a column, got None)"),
    "NaN": ({"underlays": [{"center": [1, 1], "backgroundColor": "#000", "width": math.nan}]}, "1 underlay ("),
    "thousands": ({"overlays": [{"center": [1, 1], "text": "x"}] * 5_000}, "3000 overlays ("),
    "no object": ({"arrows": ["x"]}, "1 arrow"),
}


@pytest.mark.parametrize("name", HOSTILE_PAD)
def test_what_cannot_be_kept_of_sudokupad_is_counted(name):
    """As for f-puzzles; the meaning of what is kept is another warning."""
    keys, words = HOSTILE_PAD[name]
    warnings = []
    puzzle = puzzle_from_sudokupad({"cells": [[{}] * 9 for _ in range(9)]} | keys, warnings)
    assert warnings[0].startswith(f"drawings are not read: {words}")
    assert len(warnings) == 1 + bool(puzzle.drawings)


@pytest.mark.parametrize("number", [0, 33, 34, 35])
def test_published_puzzles_keep_what_they_draw(number, data):
    """Links of real puzzles are read without a warning, and everything that they draw is written again."""
    (record,) = records_of_text(data(f"reports/page/cosmetics-{number}.txt").read_text())
    assert record.warnings == ()
    for form in ("fpuzzles", "sudokupad", "json"):
        one, *_ = format_puzzles([record.puzzle], form)
        assert one.left_out == ()
        (again,) = records_of_text(one.text)
        assert again.puzzle.drawings == record.puzzle.drawings != ()


# --- documents of any shape -------------------------------------------------------------------------------------

LIKELY = {
    "lines": [["R1C1", "R1C2"]],
    "cells": ["R1C1", "R1C2"],
    "wayPoints": [[0.5, 0.5], [1, 2]],
    "center": [1, 2],
    "points": [[0.5, 0.5], [1, 2]],
    "at": [1, 2],
    "fill": "#FFFFFF",
    "text": "a",
}
ANYTHING = st.one_of(
    st.sampled_from([None, True, False, 0, 1, -1, 0.5, 45, 12, 10**30, 1e308, -1e308, math.nan, math.inf]),
    st.sampled_from(
        ["", "x", "12", "1e3", "nan", "DR3", "a: b", "R0C0", "R9C10", "#FFF", "#FFFFFF80", "red", "</svg>", "\ud800"]
    ),
    st.sampled_from([[], [1], [[1, 2]], ["R0C1"], [["R1C1", "R2C2"]], [None, None], [0.5, 0.5], {}, {"a": 1}, ["overlay"]]),
)
FORMS = ("baseC", "outlineC", "fontC", "width", "height", "angle", "value", "size")
PAD_FORMS = ("center", "width", "height", "backgroundColor", "borderColor", "rounded", "text", "color", "fontSize", "angle")
FIELDS = {
    "line": ("lines", "outlineC", "width"),
    **dict.fromkeys(("rectangle", "circle", "text", "cage"), ("cells", *FORMS)),
}
PAD_FIELDS = {
    "lines": ("wayPoints", "color", "thickness", "fill", "target"),
    "arrows": ("wayPoints", "color", "thickness", "headLength"),
    "underlays": PAD_FORMS,
    "overlays": PAD_FORMS,
    "cages": ("value", "outlineC", "style", "hidden", "unique"),
}


def _entries(fields):
    """Return entries in which each field is absent, as a document has it, or anything."""
    choices = {name: st.just(LIKELY[name]) | ANYTHING if name in LIKELY else ANYTHING for name in fields}
    return st.lists(st.fixed_dictionaries({}, optional=choices) | ANYTHING, max_size=3) | ANYTHING


DOCUMENTS = st.fixed_dictionaries({"size": st.just(4)}, optional={key: _entries(names) for key, names in FIELDS.items()})
PAD_DOCUMENTS = st.fixed_dictionaries(
    {"cells": st.just([[{}] * 4] * 4)}, optional={key: _entries(names) for key, names in PAD_FIELDS.items()}
)


@given(document=DOCUMENTS | PAD_DOCUMENTS)
@settings(max_examples=150)
def test_documents_of_any_shape_are_read_or_refused(document):
    """Whatever stands in a document: what is kept is drawn, and comes back from our JSON and from SudokuPad."""
    (record,) = records_of_text(json.dumps(document), format="fpuzzles")
    if record.error is None:
        puzzle = record.puzzle
        assert from_json(json.loads(json.dumps(to_json(puzzle)))) == puzzle
        ET.fromstring(svg(puzzle))  # noqa: S314  # our own
        one, *_ = format_puzzles([puzzle], "sudokupad")
        assert one.left_out == ()
        (back,) = records_of_text(one.text)
        assert back.puzzle.drawings == puzzle.drawings


@given(
    data=_entries([field.name for one in DRAWINGS.values() for field in fields(one)] + ["kind"]),
    kind=st.sampled_from([*DRAWINGS]),
)
@settings(max_examples=150)
def test_our_json_of_any_shape_is_read_or_refused(data, kind):
    """Whatever the field holds: drawings, or an error of ours."""
    several = [{"kind": kind} | one if isinstance(one, dict) else one for one in data] if isinstance(data, list) else data
    with suppress(InvalidInput):
        puzzle = from_json({"drawings": several})
        assert from_json(to_json(puzzle)) == puzzle

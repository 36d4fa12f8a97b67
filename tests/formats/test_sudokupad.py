"""The documents and links of SudokuPad."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.cosmetics import unconditional_drawables
from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import records_of_text, sniff, write_puzzles
from sudoku_cp.formats.fpuzzles.clues import meanings
from sudoku_cp.formats.lzstring import compress, decompress
from sudoku_cp.formats.sudokupad import draw_document, puzzle_from_sudokupad, short_to_json
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.puzzle.rules_in_words import describe_rules
from sudoku_cp.rules import RULES, Inequality, KillerCage, Knightmare, LittleKiller, PillArrow, SumCage, Thermometer

NINE = Grid.square(9)


def _document(**keys):
    boxes = [[list(NINE.places[cell]) for cell in region] for region in NINE.regions]
    return {"cellSize": 50, "cells": [[{} for _ in range(9)] for _ in range(9)], "regions": boxes} | keys


def _read(text, name=None):
    return list(records_of_text(text, format=name))


def _only(document, warned=()):
    (record,) = _read(json.dumps(document), "sudokupad")
    assert record.error is None
    assert record.warnings == warned
    return record.puzzle


# --- reading ----------------------------------------------------------------------------------------------------


def test_exact_parts_are_read():
    """Givens, regions, cages with sums or different values, and the texts are those of the document."""
    document = _document(
        metadata={"title": "T", "author": "A", "rules": ["one", "two"], "solution": "123456789" * 9, "antiknight": True},
        cages=[
            {"cells": [[0, 0], [0, 1]], "value": "10", "sum": 10, "unique": True},
            {"cells": [[1, 0], [1, 1]], "value": 12},
            {"cells": [[2, 0], [2, 1]], "unique": True},
            {"cells": [[3, 0], [3, 1]], "sum": 9, "unique": False},
            {"cells": [[4, 0]], "unique": False, "hidden": True},
        ],
    )
    document["cells"][8][7:] = [{"value": "7", "given": False}, {"value": 5, "pencilMarks": [1]}]
    warned = ("values that a player has filled in are not read: 1", "not read: pencil marks and colours in 1 cell")
    puzzle = _only(document, warned)
    assert puzzle.grid == NINE
    assert puzzle.givens == {80: 5}
    cages = (KillerCage((0, 1), 10), KillerCage((9, 10), 12), KillerCage((18, 19)), SumCage((27, 28), 9))
    assert puzzle.rules == (*CLASSIC, RULES["anti-knight"](), *cages)
    assert (puzzle.title, puzzle.author, puzzle.ruleset) == ("T", "A", "one\ntwo")
    assert puzzle.solution == tuple(range(1, 10)) * 9


def test_notes_stand_in_cages_without_cells():
    """Older documents keep the texts in cages without cells."""
    told = ["title: A: title", "author: B", "rules: one", "rules: two", f"solution: {'123456789' * 9}", "msgcorrect: Yes"]
    puzzle = _only(_document(cages=[{"value": one} for one in told]), ("not read: 'msgcorrect'",))
    assert (puzzle.title, puzzle.author, puzzle.ruleset) == ("A: title", "B", "one\ntwo")
    assert puzzle.solution == tuple(range(1, 10)) * 9


def test_what_drawings_mean_is_not_read():
    """What is only drawn is kept, but no rule: a warning counts it, and names what matters in play."""
    document = _document(
        lines=[{"color": "#F067F0", "thickness": 10, "wayPoints": [[0.5, 0.5], [1.5, 0.5]]}] * 2,
        overlays=[{"center": [1, 1], "text": "X"}],
        cages=[{"cells": [[0, 0]], "value": "A"}, {"cells": [[1, 0]]}, {"cells": [[2, 0]], "value": "3", "style": "box"}],
        foglight=[[0, 0]],
        novelty={"a": 1},
    )
    warned = (
        "the meaning of 2 lines, 1 overlay, 3 cages, which the drawing does not show",
        "what only matters in play is not read: foglight",
        "not read: 'novelty'",
    )
    puzzle = _only(document, warned)
    assert puzzle.rules == CLASSIC
    assert [one.kind for one in puzzle.drawings] == ["line", "line", "text", "cage", "cage", "cage"]


@pytest.mark.parametrize(
    "grid",
    [
        Grid.jigsaw("AAAB ABBB CCCD CDDD"),
        Grid.rectangle(6, 6),
        Grid.square(6, (3, 2)),
        Grid.rectangle(4, 6, (2, 3)),
        Grid.square(16),
    ],
    ids=["jigsaw", "no boxes", "boxes", "rectangle", "16x16"],
)
def test_grids_come_back(grid):
    """Any one board with values from 1 is written and read as it was."""
    back = puzzle_from_sudokupad(json.loads(json.dumps(draw_document(Puzzle(grid, givens={0: grid.values[-1]})))), [])
    assert (back.grid.regions, back.grid.lines, back.grid.values) == (grid.regions, grid.lines, grid.values)
    assert back.givens == {0: grid.values[-1]}


def test_the_short_form_is_the_document():
    """Short names, single quotes, bare words and colours, and left out objects are expanded."""
    short = (
        "{cs:50,ce:[[{v:5},,],[,{v:'x'},]],ca:[{v:'title: it\\'s'},{ce:[[0,0],[0,1]],v:'3',unique:t}],"
        "l:[{c:CFCFCF,th:2.5,wp:[[0.5,-1]]}],o:[{c1:#0,c2:#F,te:'',r:f}],u:[]}"
    )
    assert json.loads(short_to_json(short)) == {
        "cellSize": 50,
        "cells": [[{"value": 5}, {}, {}], [{}, {"value": "x"}, {}]],
        "cages": [{"value": "title: it's"}, {"cells": [[0, 0], [0, 1]], "value": "3", "unique": True}],
        "lines": [{"color": "#CFCFCF", "thickness": 2.5, "wayPoints": [[0.5, -1]]}],
        "overlays": [{"borderColor": "#000000", "backgroundColor": "#FFFFFF", "text": "", "rounded": False}],
        "underlays": [{}],
    }


def test_a_short_form_in_a_link_is_read():
    """A link may hold the short form, with strings in either quotes."""
    for quote in "'\"":
        rows = ",".join(["[{v:1},,,]", *["[,,,]"] * 3])
        text = f"{{ce:[{rows}],ca:[{{v:{quote}title: x{quote}}}]}}"
        for link in (f"https://sudokupad.app/scl{compress(text)}", f"ctc{compress(text)}"):
            assert sniff(link).name == "sudokupad"
            (record,) = _read(link)
            assert (record.puzzle.title, record.puzzle.givens) == ("x", {0: 1})


def test_a_word_of_digits_is_a_classic():
    """The word of a plain sudoku packs up to five blanks into the sign of the digit before them; w and x may follow."""
    line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".replace(".", "0")
    signs, word, at = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx", "", 0
    while at < 81:
        blanks = len(line[at + 1 : at + 6]) - len(line[at + 1 : at + 6].lstrip("0"))
        word += signs[int(line[at]) + 10 * blanks]
        at += 1 + blanks
    for text, kinds in ((f"scf{word}", ["houses"]), (f"https://sudokupad.app/scf{word}wx", ["houses", "windoku", "diagonals"])):
        assert sniff(text).name == "sudokupad"
        (record,) = _read(text)
        assert record.puzzle.line() == line.replace("0", ".")
        assert [rule.kind for rule in record.puzzle.rules] == kinds


def test_a_link_of_f_puzzles_is_read_here_too():
    """SudokuPad shows f-puzzles documents: either format reads the links of both."""
    link = f"https://sudokupad.app/fpuzzles{compress(json.dumps({'size': 4, 'grid': [[{}] * 4] * 4}))}"
    assert [record.puzzle.grid for record in _read(link, "sudokupad")] == [Grid.square(4)]
    pad = f"https://sudokupad.app/scl{compress(json.dumps(_document()))}"
    assert [record.puzzle.grid for record in _read(f"{link}\n{pad}")] == [Grid.square(4), NINE]


# --- writing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(RULES))
@pytest.mark.parametrize("size", [4, 9])
def test_every_rule_is_drawn_or_told(kind, size):
    """The example of every rule is written: as a cage, or as drawings and words; only exact parts come back as rules."""
    grid = Grid.square(size)
    rule = RULES[kind].example(grid)
    if {*rule.problems(grid)}:
        pytest.skip("the rule does not fit on this grid")
    puzzle = Puzzle(grid, tuple(dict.fromkeys((*CLASSIC, rule))), {0: 1}, title="T")
    document = json.loads(json.dumps(draw_document(puzzle)))
    back = puzzle_from_sudokupad(document, [])
    exact = kind in {"killer-cage", "sum-cage", "anti-knight", "anti-king"} and not getattr(rule, "factors", ())
    assert back.rules == (puzzle.rules if exact else CLASSIC)
    assert document["metadata"]["rules"] == describe_rules(puzzle.rules, grid)
    assert (back.givens, back.title) == ({0: 1}, "T")
    drawn = sum(len(document[layer]) for layer in ("cages", "lines", "arrows", "underlays", "overlays"))
    assert bool(drawn) == any(True for _ in unconditional_drawables(rule.cosmetics(grid)))


@given(cells=st.lists(st.sampled_from(range(81)), min_size=1, max_size=9, unique=True), total=st.none() | st.integers(1, 45))
@settings(max_examples=20)
def test_cages_come_back(cells, total):
    """Killer cages and cages that may repeat are exact."""
    rules = (*CLASSIC, KillerCage(tuple(cells), total), *([SumCage(tuple(cells), total)] if total else []))
    assert puzzle_from_sudokupad(draw_document(Puzzle(NINE, rules)), []).rules == rules


def test_texts_and_solution_come_back():
    """Title, author, rules in words and a stated solution are kept; words that only repeat the exact rules are ours."""
    solution = tuple(range(1, 10)) * 9
    puzzle = Puzzle(NINE, title="T 😀", author="A", ruleset="one\ntwo", solution=solution)
    target = StringIO()
    write_puzzles([puzzle, Puzzle(NINE, title="plain")], target, "sudokupad")
    first, second = (record.puzzle for record in _read(target.getvalue()))
    assert first == puzzle
    assert second == Puzzle(NINE, title="plain")
    large = Puzzle(Grid.square(16), solution=tuple(range(1, 17)) * 16)
    assert puzzle_from_sudokupad(draw_document(large), []).solution == large.solution


def test_what_is_drawn():
    """Lines, bulbs, pills, signs of inequality and clues outside stand where they belong, in the middle of cells."""
    rules = (Thermometer((0, 1)), PillArrow((10, 11), ((20, 30),)), Inequality((40, 41)), LittleKiller((1, 9), 7))
    document = draw_document(Puzzle(NINE, (*CLASSIC, *rules)))
    assert document["lines"][0]["wayPoints"] == [[0.5, 0.5], [0.5, 1.5]]
    assert document["underlays"][0]["center"] == [0.5, 0.5]
    assert {"center": [1.5, 2.0], "width": 1.75, "height": 0.75}.items() <= document["overlays"][0].items()
    assert [(one["text"], one["center"]) for one in document["overlays"] if "text" in one] == [
        (">", [4.5, 5.0]),
        ("7", [-0.5, 2.5]),
    ]
    assert document["arrows"][-1]["wayPoints"][0] == [-0.2, 2.2]


def test_a_clue_that_begins_inside_stands_in_its_first_cell():
    """It stands in a corner of that cell, small, with an arrow, not on the cell before."""
    document = draw_document(Puzzle(NINE, (*CLASSIC, LittleKiller(tuple(range(10, 81, 10)), 7))))
    (text,) = (one for one in document["overlays"] if one.get("text") == "7")
    assert [int(number) for number in text["center"]] == [1, 1]
    assert [int(number) for number in document["arrows"][0]["wayPoints"][0]] == [1, 1]


def test_rules_that_are_not_drawn_tell_their_details():
    """The words of a rule without a drawing name its numbers and cells."""
    assert describe_rules([Knightmare((5, 15)), Knightmare((4,))], NINE).splitlines() == [
        "Cells a knight's move apart (in chess) never add up to 5 or 15.",
        "Cells a knight's move apart (in chess) never add up to 4.",
    ]


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (Puzzle(Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))), "one board"),
        (Puzzle(candidates={0: 0b110}), "no candidates"),
        (Puzzle(rules=()), "the rule houses"),
    ],
)
def test_what_has_no_place_is_refused(puzzle, named):
    """What a document cannot express is refused by name."""
    with pytest.raises(Unsupported, match=named):
        draw_document(puzzle)


# --- bad input --------------------------------------------------------------------------------------------------


def test_everything_wrong_is_told_at_once():
    """Each problem is named with its place."""
    document = _document(
        cages=[5, {"cells": [[0, 9]], "sum": 3}, {"cells": [[0, 0]], "sum": "x"}], metadata={"title": [["a"], {}]}
    )
    document["cells"][2][3] = {"value": "five"}
    document["cells"][4][4] = {"value": 12}
    (record,) = _read(json.dumps(document), "sudokupad")
    problems = "\n".join(record.error.problems)
    for told in (
        "cages[1]: expected an object, got 5",
        "cages[2]: cells[1]: expected a cell of 9 rows and 9 columns, from 0, got [0, 9]",
        "cages[3]: expected a sum, got 'x'",
        "r3c4: expected a value, got 'five'",
        "expected a value from 1 to 9 in r5c5, got 12",
    ):
        assert told in problems, told


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({"cells": []}, "expected an array of rows, got []"),
        ({"cells": [[{}] * 40] * 40}, "expected 1 to 36 rows and columns, got 40 and 40"),
        ({"cells": [[{}, {}], [{}]]}, "row 2: expected an array of 2 cells"),
        ({"cells": [[{}, 7]]}, "row 1: expected objects, got 7"),
        (_document(regions=[[[0, 0], [0, 0]]]), "expected each cell in one region, got row 1, column 1 twice"),
        (_document(regions=[[[0, 0]]]), "rows and columns all have regions, got none in row 2, row 3"),
        (_document(regions=[[[0]]]), "regions[1][1]: expected a row and a column, got [0]"),
        (_document(metadata=7), "metadata: expected an object, got 7"),
    ],
)
def test_what_is_wrong_is_named(document, named):
    """Bad shapes and regions are errors that say what was expected."""
    (record,) = _read(json.dumps(document), "sudokupad")
    assert named in "; ".join(record.error.problems)


@given(
    key=st.sampled_from(["cells", "regions", "cages", "metadata", "global", "lines", "foglight"]),
    told=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "1", "x", "title: y"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["cells", "value", "sum", "rules"]), inner),
    ),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_wrong_types_are_errors_of_ours(key, told):
    """Whatever a key contains, reading yields a puzzle or an error, never a traceback."""
    for value in (told, [told], [[told]], [{"cells": [[0, 0]], "sum": told, "value": told, "unique": True}]):
        (record,) = _read(json.dumps({"cells": [[{}] * 4] * 4} | {key: value}), "sudokupad")
        assert (record.puzzle is None) != (record.error is None)


@given(text=st.text(st.sampled_from("{}[],:'\"\\ abcf0#t1.-"), max_size=60))
@settings(max_examples=60)
def test_any_short_form_is_records(text):
    """Whatever a packed text contains, reading yields records."""
    for record in _read(f"scl{compress('{' + text)}", "sudokupad"):
        assert (record.puzzle is None) != (record.error is None)


HOSTILE = {
    "deep": lambda: "scl" + compress("{" + "ce:[" * 10_000),
    "quotes": lambda: "scl" + compress("{a:" + "'\\" * 30_000),
    "many cages": lambda: "scl" + compress(json.dumps(_document(cages=[{"cells": [[9, 9]]}] * 20_000))),
    "truncated": lambda: ("scl" + compress(json.dumps(_document())))[:-80],
    "a short word": lambda: "scf123",
    "a strange word": lambda: "scf" + "z" * 81,
}
"""Links that take long to make, too: each is made by its test."""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_links_take_little_work(name, count_calls):
    """Deep nesting, damage and endless texts end in a short error, after a bounded number of calls."""
    link = HOSTILE[name]()
    (record,), calls = count_calls(lambda: _read(link, "sudokupad"))
    assert calls < 2_000_000
    assert record.puzzle is None
    assert len(str(record.error)) < 20_000


def _link(puzzle, name="sudokupad"):
    target = StringIO()
    write_puzzles([puzzle], target, name)
    return target.getvalue().strip()


@pytest.mark.parametrize(
    ("puzzle", "name", "prefix", "key", "entry"),
    [
        (Puzzle(NINE), "sudokupad", "fpuzzles", "grid", [[{}] * 9] * 9),
        (Puzzle(Grid.rectangle(6, 8)), "sudokupad", "scl", "cells", [[{}] * 8] * 6),
        (Puzzle(NINE), "sudokupad-drawing", "scl", "cells", [[{}] * 9] * 9),
    ],
)
def test_written_links_hold_json(puzzle, name, prefix, key, entry):
    """What is written is JSON that any program can unpack: of f-puzzles if that can express the puzzle, else SudokuPad's own."""
    link = f"https://sudokupad.app/{prefix}"
    assert _link(puzzle, name).startswith(link)
    assert json.loads(decompress(_link(puzzle, name).removeprefix(link)))[key] == entry


@pytest.mark.parametrize(
    "puzzle",
    [
        Puzzle(NINE, (*CLASSIC, Thermometer((0, 1)), LittleKiller((1, 9), 7), RULES["anti-king"]()), {80: 1}, {0: 0b1100}),
        Puzzle(Grid.rectangle(6, 8, (2, 4)), (*CLASSIC, KillerCage((0, 1), 9), RULES["anti-knight"]()), {0: 8}),
        Puzzle(NINE, (*CLASSIC, SumCage((0, 1), 9), KillerCage((5, 6)), RULES["anti-king"]())),
        Puzzle(Grid.square(9, values=range(9)), givens={0: 0, 80: 8}, solution=tuple(range(9)) * 9),
        Puzzle(Grid.square(9, values=range(1, 13)), givens={0: 12}, solution=tuple(range(1, 10)) * 8 + (12,) * 9),
        Puzzle(Grid.square(6, (2, 2), values=range(1, 7))),
    ],
    ids=["f-puzzles", "rectangle", "sums", "from 0", "more values than cells", "small boxes"],
)
def test_what_is_written_comes_back(puzzle):
    """Every puzzle that is written is read back whole, rules, candidates and values too."""
    (record,) = _read(_link(puzzle))
    assert record.warnings == ()
    assert set(record.puzzle.rules) == set(puzzle.rules)
    assert replace(record.puzzle, rules=puzzle.rules) == puzzle


@pytest.mark.parametrize("kind", sorted(RULES))
def test_every_rule_comes_back_or_is_refused(kind):
    """The example of every rule is read back from the link, or the error names it and the two ways to keep it."""
    rule = RULES[kind].example(NINE)
    if {*rule.problems(NINE)}:
        pytest.skip("the rule does not fit on this grid")
    puzzle = Puzzle(NINE, tuple(dict.fromkeys((*CLASSIC, rule))), title="T")
    try:
        link = _link(puzzle)
    except Unsupported as error:
        assert kind in str(error)  # noqa: PT017
        assert "json can express everything, sudokupad-drawing draws the rest" in str(error)  # noqa: PT017
        return
    (record,) = _read(link)
    assert record.warnings == ()
    assert set(meanings(record.puzzle.rules)) == set(meanings(puzzle.rules))

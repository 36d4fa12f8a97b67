"""The documents and links of f-puzzles."""

from __future__ import annotations

import json
import re
from io import StringIO
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import records_of_text, sniff, write_puzzles
from sudoku_cp.formats.fpuzzles.clues import CLUES, FLAGS, NEGATIVES, meanings
from sudoku_cp.formats.fpuzzles.document import puzzle_from_fpuzzles, puzzle_to_fpuzzles
from sudoku_cp.formats.lzstring import compress, decompress
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import (
    RULES,
    Arrow,
    Clone,
    Difference,
    KillerCage,
    LittleKiller,
    NegativeRatio,
    PillArrow,
    Ratio,
    rule_to_json,
)

SAID = {"houses"} | {clue.kind for clue in CLUES.values()} | {"pill-arrow", "diagonals", *FLAGS.values()}
SAID |= {negative.kind for negative in NEGATIVES.values()}
MAY_SAY_MORE = {"little-killer", *(negative.kind for negative in NEGATIVES.values())}
"""Rules whose examples exempt unmarked neighbours, or leave out a part of their diagonal."""
NINE = Grid.square(9)


def _document(size=9, **keys):
    return {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **keys}


def _rules(size=9, **keys):
    """Return the rules of a document, except those of every sudoku."""
    return list(puzzle_from_fpuzzles(_document(size, **keys), []).rules[1:])


def _link(document):
    return f"https://f-puzzles.com/?load={compress(json.dumps(document))}"


def _read(text, name=None):
    return list(records_of_text(text, format=name))


def _problems(document):
    (record,) = _read(json.dumps(document), "fpuzzles")
    return record.error.problems


# --- what each key means ----------------------------------------------------------------------------------------

ROW = ["R1C1", "R1C2", "R1C3"]
TOLD = {"kind": None, "cells": ["r1c1", "r1c2", "r1c3"]}
MEANINGS = [
    ({"diagonal+": True}, [{"kind": "diagonals", "down": False}]),
    ({"diagonal-": True, "diagonal+": True}, [{"kind": "diagonals"}]),
    ({"antiknight": True, "antiking": True}, [{"kind": "anti-knight"}, {"kind": "anti-king"}]),
    ({"disjointgroups": True}, [{"kind": "disjoint-groups"}]),
    ({"odd": [{"cell": "R1C1"}, {"cell": "R9C9"}]}, [{"kind": "odd", "cells": ["r1c1", "r9c9"]}]),
    ({"even": [{"cell": "R2C1"}]}, [{"kind": "even", "cells": ["r2c1"]}]),
    ({"minimum": [{"cell": "R2C1"}]}, [{"kind": "minimum", "cells": ["r2c1"]}]),
    ({"maximum": [{"cell": "R2C1"}]}, [{"kind": "maximum", "cells": ["r2c1"]}]),
    ({"killercage": [{"cells": ROW, "value": "15"}]}, [TOLD | {"kind": "killer-cage", "total": 15}]),
    ({"killercage": [{"cells": ROW, "value": 15}]}, [TOLD | {"kind": "killer-cage", "total": 15}]),
    ({"killercage": [{"cells": ROW}]}, [TOLD | {"kind": "killer-cage"}]),
    ({"killercage": [{"cells": ROW, "value": ""}]}, [TOLD | {"kind": "killer-cage"}]),
    ({"killercage": [{"cells": ROW, "value": "0"}]}, [TOLD | {"kind": "killer-cage"}]),
    ({"cage": [{"cells": ROW, "value": "DR5"}]}, [TOLD | {"kind": "digital-root-cage", "root": 5}]),
    ({"extraregion": [{"cells": ROW}]}, [TOLD | {"kind": "extra-region"}]),
    (
        {"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R5C5", "R5C6"]}]},
        [{"kind": "clone", "cells": ["r1c1", "r1c2"], "copies": [["r5c5", "r5c6"]]}],
    ),
    (
        {"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, "2"]}]},
        [{"kind": "quadruple", "cells": ["r1c1", "r1c2", "r2c1", "r2c2"], "digits": [1, 2]}],
    ),
    ({"difference": [{"cells": ROW[:2]}]}, [{"kind": "difference", "cells": ["r1c1", "r1c2"]}]),
    ({"difference": [{"cells": ROW[:2], "value": "4"}]}, [{"kind": "difference", "cells": ["r1c1", "r1c2"], "difference": 4}]),
    ({"ratio": [{"cells": ROW[:2], "value": ""}]}, [{"kind": "ratio", "cells": ["r1c1", "r1c2"]}]),
    ({"ratio": [{"cells": ROW[:2], "value": 3}]}, [{"kind": "ratio", "cells": ["r1c1", "r1c2"], "ratio": 3}]),
    ({"xv": [{"cells": ROW[:2], "value": "V"}]}, [{"kind": "pair-sum", "cells": ["r1c1", "r1c2"], "total": 5}]),
    ({"xv": [{"cells": ROW[:2], "value": "x"}]}, [{"kind": "pair-sum", "cells": ["r1c1", "r1c2"], "total": 10}]),
    (
        {"thermometer": [{"lines": [ROW, ["R3C3", "R4C4"]]}]},
        [TOLD | {"kind": "thermometer"}, {"kind": "thermometer", "cells": ["r3c3", "r4c4"]}],
    ),
    ({"slowthermometer": [{"lines": [ROW]}]}, [TOLD | {"kind": "slow-thermometer"}]),
    ({"whispers": [{"lines": [ROW]}]}, [TOLD | {"kind": "whisper"}]),
    ({"whispers": [{"lines": [ROW], "value": "4"}]}, [TOLD | {"kind": "whisper", "difference": 4}]),
    ({"renban": [{"lines": [ROW]}]}, [TOLD | {"kind": "renban"}]),
    ({"nabner": [{"lines": [ROW]}]}, [TOLD | {"kind": "nabner"}]),
    ({"palindrome": [{"lines": [ROW]}]}, [TOLD | {"kind": "palindrome"}]),
    ({"betweenline": [{"lines": [ROW]}]}, [TOLD | {"kind": "between-line"}]),
    ({"lockout": [{"lines": [ROW]}]}, [TOLD | {"kind": "lockout-line"}]),
    ({"regionsumline": [{"lines": [ROW]}]}, [TOLD | {"kind": "region-sum-line"}]),
    ({"entropicline": [{"lines": [ROW]}]}, [TOLD | {"kind": "entropic-line"}]),
    ({"modularline": [{"lines": [ROW]}]}, [TOLD | {"kind": "modular-line"}]),
    ({"zipperline": [{"lines": [ROW]}]}, [TOLD | {"kind": "zipper-line"}]),
    ({"doublearrow": [{"lines": [ROW]}]}, [TOLD | {"kind": "double-arrow"}]),
    ({"rowindexer": [{"cells": ROW}]}, [TOLD | {"kind": "indexer", "rows": True}]),
    ({"columnindexer": [{"cells": ROW}]}, [TOLD | {"kind": "indexer"}]),
    ({"boxindexer": [{"cells": ROW}]}, [TOLD | {"kind": "box-indexer"}]),
    (
        {"arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2"], ["R1C1"], ["R1C1", "R2C1", "R3C1"]]}]},
        [{"kind": "arrow", "bulb": "r1c1", "shafts": [["r1c2"], ["r2c1", "r3c1"]]}],
    ),
    (
        {"arrow": [{"cells": ["R4C3", "R4C2"], "lines": [["R4C3", "R5C4"]]}]},
        [{"kind": "pill-arrow", "bulb": ["r4c2", "r4c3"], "shafts": [["r5c4"]]}],
    ),
    ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C1"]]}]}, []),
    (
        {"littlekillersum": [{"cell": "R0C4", "direction": "DL", "value": "17"}]},
        [{"kind": "little-killer", "cells": ["r1c3", "r2c2", "r3c1"], "total": 17}],
    ),
    ({"littlekillersum": [{"cell": "R0C4", "direction": "DL", "value": "0"}, {"cell": "R0C4", "direction": "DL"}]}, []),
    ({"thermometer": [{"lines": [["R1C1"]]}]}, []),
    ({"fogofwar": ["R1C1"], "disabledlogic": ["x"], "highlightConflicts": True}, []),
]


@pytest.mark.parametrize(
    ("keys", "expected"), MEANINGS, ids=[f"{number} {next(iter(keys))}" for number, (keys, _) in enumerate(MEANINGS)]
)
def test_each_key_means_its_rule(keys, expected):
    """A key of a document is the rule that setters know by that name."""
    assert [rule_to_json(rule, NINE) for rule in _rules(**keys)] == expected


def test_every_key_is_tested():
    """There is an example of every key of the table."""
    there = {key for keys, _ in MEANINGS for key in keys}
    assert there >= {*CLUES, *FLAGS} - {"sandwichsum", "xsum", "skyscraper"}


@pytest.mark.parametrize(("key", "field"), [("sandwichsum", "total"), ("xsum", "total"), ("skyscraper", "visible")])
@pytest.mark.parametrize(
    ("place", "first", "last"),
    [("R0C3", "r1c3", "r9c3"), ("R10C3", "r9c3", "r1c3"), ("R3C0", "r3c1", "r3c9"), ("R3C10", "r3c9", "r3c1")],
)
def test_clues_outside_look_inwards(key, field, place, first, last):
    """A clue beside the grid looks along its row or column from there."""
    (rule,) = _rules(**{key: [{"cell": place, "value": "8"}, {"cell": "R0C1", "value": ""}]})
    assert getattr(rule, field) == 8
    assert len(rule.cells) == 9
    assert (NINE.cell_name(rule.cells[0]), NINE.cell_name(rule.cells[-1])) == (first, last)


def test_negatives_let_marks_off():
    """Neighbours with a dot of either colour are exempt; a negative ratio forbids the ratios that are there, else 2."""
    dots = {"difference": [{"cells": ["R1C2", "R1C1"]}], "ratio": [{"cells": ["R2C1", "R2C2"], "value": "3"}]}
    rules = _rules(nonconsecutive=True, negative=["ratio"], **dots)
    both = ((0, 1), (9, 10))
    assert {rule.kind: rule.exempt for rule in rules if hasattr(rule, "exempt")} == {
        "nonconsecutive": both,
        "negative-ratio": both,
    }
    assert next(rule for rule in rules if rule.kind == "negative-ratio").ratios == (3,)
    assert _rules(negative=["ratio"]) == [NegativeRatio((2,))]
    (_, negative) = _rules(negative=["xv"], xv=[{"cells": ROW[:2], "value": "V"}])
    assert (negative.sums, negative.exempt) == ((5, 10), ((0, 1),))


def test_cells():
    """Values marked as given are givens, others the player's; pencil marks may be given; a parity may be a cell's own."""
    document = _document(title="T", author="A", ruleset="R", solution=[str(value) for value in range(1, 10)] * 9)
    document["grid"][0][:4] = [{"value": 5, "given": True}, {"value": 6}, {"givenPencilMarks": [1, 2]}, {"parity": "Odd"}]
    document["grid"][1][:2] = [
        {"centerPencilMarks": [1], "c": "#FFFFFF", "highlight": 3},
        {"givenPencilMarks": list(range(1, 10))},
    ]
    warnings = []
    puzzle = puzzle_from_fpuzzles(document, warnings)
    assert (puzzle.givens, puzzle.candidates) == ({0: 5}, {2: 0b110})
    assert (puzzle.title, puzzle.author, puzzle.ruleset) == ("T", "A", "R")
    assert puzzle.solution == tuple(range(1, 10)) * 9
    assert [rule.kind for rule in puzzle.rules] == ["houses", "odd"]
    assert warnings == [
        "values that a player has filled in are not read: 1",
        "not read: colours in 1 cell",
        "not read: pencil marks in 1 cell",
    ]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"successMessage": "Well done"}, "not read: 'successMessage'"),
        ({"metadata": {"norowcol": True}}, "not read: 'metadata'"),
        ({"cage": [{"cells": ["R1C1"], "value": "msgcorrect: yes"}]}, "not read: 'msgcorrect'"),
        ({"solution": [1, None] + ["."] * 79}, "the stated solution is not read: it is not complete"),
    ],
)
def test_what_is_said_to_people_is_warned_of(keys, told):
    """Messages, notes and half a solution are not rules: they are named, not dropped."""
    warnings = []
    assert puzzle_from_fpuzzles(_document(**keys), warnings).rules == CLASSIC
    assert warnings == [told]


def test_an_empty_solution_is_nothing():
    """A solution without a value is ignored without a warning."""
    warnings = []
    assert puzzle_from_fpuzzles(_document(solution=[None, "."] + [""] * 79), warnings).solution is None
    assert warnings == []


@pytest.mark.parametrize("size", [4, 5, 6, 8, 9, 10, 12, 15, 16])
def test_boxes_are_the_usual_ones_unless_regions_are_told(size):
    """Every size has the usual boxes; a cell without a region's number is in its usual box."""
    assert puzzle_from_fpuzzles(_document(size), []).grid == Grid.square(size)
    document = _document(size)
    document["grid"][0][0]["region"] = None
    grid = puzzle_from_fpuzzles(document, []).grid
    assert sum(map(len, grid.regions)) == (0 if grid == Grid.square(size) else size * size - 1)


@pytest.mark.parametrize(
    "grid",
    [
        Grid.jigsaw("AAAB ABBB CCCD CDDD"),
        Grid.square(6, (3, 2)),
        Grid.rectangle(6, 6),
        Grid.jigsaw("AAA. ABBB CCBD CCDD"),
    ],
    ids=["jigsaw", "boxes", "no boxes", "a cell in no region"],
)
def test_regions_come_back(grid):
    """Jigsaws, other boxes, none at all, and cells in no region are written and read."""
    assert puzzle_from_fpuzzles(puzzle_to_fpuzzles(Puzzle(grid)), []).grid.regions == grid.regions


# --- round trips ------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", sorted(RULES))
@pytest.mark.parametrize("size", [4, 6, 9])
def test_every_rule_is_said_or_refused_by_name(kind, size):
    """The example of each rule is written and means the same when read, or is refused with its name."""
    grid = Grid.square(size)
    rule = RULES[kind].example(grid)
    if {*RULES["houses"]().problems(grid), *rule.problems(grid)}:
        pytest.skip("the rule does not fit on this grid")
    puzzle = Puzzle(grid, tuple(dict.fromkeys((*CLASSIC, rule))))
    refused = ""
    try:
        document = puzzle_to_fpuzzles(puzzle)
    except Unsupported as error:
        refused = str(error)
    if refused or kind not in SAID:
        assert kind not in SAID or kind in MAY_SAY_MORE
        assert re.search(rf"got .*\b{kind}\b", refused)
        return
    back = puzzle_from_fpuzzles(json.loads(json.dumps(document)), [])
    assert set(meanings(back.rules)) == set(meanings(puzzle.rules))


CELLS = st.builds("R{}C{}".format, st.integers(1, 9), st.integers(1, 9))
LINE = st.lists(CELLS, min_size=2, max_size=5, unique=True)
VALUE = st.sampled_from(["", "1", 2, "3", 4, "8"])
TWO = st.sampled_from([["R1C1", "R1C2"], ["R3C4", "R2C4"], ["R9C9", "R9C8"]])
CORNERS = [("R0C3", "DL"), ("R0C3", "DR"), ("R10C3", "UR"), ("R4C10", "UL"), ("R0C0", "DR")]
MARK = st.fixed_dictionaries({"cell": CELLS})
DOT = st.fixed_dictionaries({"cells": TWO}, optional={"value": VALUE})
BESIDE = st.fixed_dictionaries({"cell": st.sampled_from(["R0C2", "R5C0", "R10C9", "R3C10"]), "value": VALUE})
BOTH = {"cells": LINE, "lines": st.lists(LINE, max_size=2)}
VALUED = st.fixed_dictionaries(BOTH, optional={"value": VALUE})
QUAD = {"cells": st.just(["R2C2", "R2C3", "R3C2", "R3C3"]), "values": st.lists(st.integers(1, 9), max_size=4)}
ENTRIES = {
    **dict.fromkeys(("odd", "even", "minimum", "maximum"), MARK),
    **dict.fromkeys(("difference", "ratio"), DOT),
    **dict.fromkeys(("sandwichsum", "xsum", "skyscraper"), BESIDE),
    **dict.fromkeys(("killercage", "whispers", "lockout"), VALUED),
    "cage": st.fixed_dictionaries({"cells": LINE, "value": st.sampled_from(["DR1", "dr9"])}),
    "clone": LINE.map(lambda cells: {"cells": cells[: len(cells) // 2], "cloneCells": cells[-(len(cells) // 2) :]}),
    "quadruple": st.fixed_dictionaries(QUAD),
    "xv": st.fixed_dictionaries({"cells": TWO, "value": st.sampled_from(["X", "V", ""])}),
    "arrow": LINE.map(lambda cells: {"cells": cells[:1], "lines": [cells]})
    | LINE.map(lambda cells: {"cells": cells[:2], "lines": [cells[1:], cells]}),
    "littlekillersum": st.tuples(st.sampled_from(CORNERS), VALUE).map(
        lambda told: {"cell": told[0][0], "direction": told[0][1], "value": told[1]}
    ),
}
"""Random entries of the keys; all others have cells and lines."""


@st.composite
def _documents(draw):
    keys = draw(st.lists(st.sampled_from(sorted(CLUES)), unique=True, max_size=5))
    document = _document(**{key: draw(st.lists(ENTRIES.get(key, st.fixed_dictionaries(BOTH)), max_size=3)) for key in keys})
    flags = draw(st.sets(st.sampled_from(["diagonal+", "diagonal-", "nonconsecutive", *FLAGS])))
    return (
        document
        | dict.fromkeys(flags, True)
        | {"negative": sorted(draw(st.sets(st.sampled_from(["ratio", "xv", "difference"]))))}
    )


@given(document=_documents())
@settings(max_examples=20)
def test_what_is_read_is_written_and_read_again(document):
    """Any document of clues is the same rules again after writing, whatever clues it combines."""
    (record,) = _read(json.dumps(document), "fpuzzles")
    if record.error:  # such as a clone of itself
        assert all("expected" in problem for problem in record.error.problems)
        return
    back = puzzle_from_fpuzzles(puzzle_to_fpuzzles(record.puzzle), [])
    assert set(meanings(back.rules)) == set(meanings(record.puzzle.rules))


def test_everything_of_a_puzzle_is_kept():
    """Texts, givens, pencil marks and the solution come back through a link."""
    rules = (*CLASSIC, KillerCage((0, 1), 10), Arrow(4, ((5,), (13, 22))), PillArrow((30, 31), ((40, 50),)), Ratio((0, 9)))
    texts = {"title": "Título 😀", "author": "b", "ruleset": "line\nline"}
    puzzle = Puzzle(NINE, rules, {80: 9}, {3: 0b1010}, **texts, solution=tuple(range(1, 10)) * 9)
    target = StringIO()
    write_puzzles([puzzle, puzzle], target, "fpuzzles")
    text = target.getvalue()
    assert [line[:29] for line in text.splitlines()] == ["https://f-puzzles.com/?load=N"] * 2
    assert [set(record.puzzle.rules) for record in _read(text)] == [set(rules)] * 2
    assert [record.puzzle.ruleset for record in _read(text)] == [puzzle.ruleset] * 2
    (one, _) = (record.puzzle for record in _read(text))
    assert (one.title, one.givens, one.candidates, one.solution) == (puzzle.title, {80: 9}, {3: 0b1010}, puzzle.solution)


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ((NegativeRatio((2,)), Difference((0, 1))), "negative-ratio"),
        ((NegativeRatio((2, 3)),), "negative-ratio"),
        ((LittleKiller((0, 10, 20), 12),), "little-killer"),
        ((LittleKiller((0, 1, 2), 12),), "little-killer"),
        ((KillerCage((0, 1), 0),), "killer-cage"),
        ((PillArrow((31, 30), ((40,),)),), "pill-arrow"),
        ((Clone((0, 1), ((9, 1),)),), "clone"),
        ((RULES["minimum"]((0,)), RULES["minimum"]((1,))), "minimum"),
        ((RULES["global-entropy"](), RULES["global-entropy"]()), r"global-entropy \(2\)"),
        ((RULES["sandwich"](NINE.lines[0], 5, (2, 8)),), "sandwich"),
        ((RULES["skyscraper"](NINE.lines[0][1:], 2),), "skyscraper"),
    ],
)
def test_what_it_would_mean_otherwise_is_refused(rules, named):
    """A rule whose meaning the document would change is refused by name, alone or with others."""
    with pytest.raises(Unsupported, match=rf"expected rules that the format 'fpuzzles' can express .*got {named}"):
        puzzle_to_fpuzzles(Puzzle(NINE, (*CLASSIC, *rules)))


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (Puzzle(Grid.rectangle(4, 6)), "square board"),
        (Puzzle(Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))), "square board"),
        (Puzzle(Grid.square(4, values=range(4))), "the values 1 to 4, got 0 to 3"),
        (Puzzle(rules=()), "the rule houses"),
    ],
)
def test_grids_that_it_cannot_say_are_refused(puzzle, named):
    """Only one square board with the usual values can be expressed."""
    with pytest.raises(Unsupported, match=named):
        puzzle_to_fpuzzles(puzzle)


# --- links ------------------------------------------------------------------------------------------------------


def _packed_with(sign):
    """Return a packed document with ``sign`` in it."""
    for number in range(200):
        packed = compress(json.dumps(_document(4, title="\uffff\ufffe" + "x" * number), ensure_ascii=False))
        if sign in packed:
            return packed
    raise AssertionError


@pytest.mark.parametrize(
    "link",
    [
        "{}",
        "fpuzzles{}",
        "fpuz{}",
        "https://f-puzzles.com/?load={}",
        "https://www.f-puzzles.com/?load={}",
        "http://f-puzzles.com?load={}",
        "https://sudokupad.app/fpuzzles{}",
        "https://sudokupad.app/fpuz{}",
        "https://app.crackingthecryptic.com/sudoku/fpuzzles{}",
        "https://sudokupad.app/?puzzleid=fpuzzles{}",
        "https://another-pad.web.app/sudoku/fpuzzles{}",
        "https://sudocle.example/fpuzzles{}",
        "http://localhost:8080/?load={}",
        "https://example.org/#{}",
        "https://example.org/solver/#fpuzzles{}",
        "example.org/play?x=1&p={}",
        "?load={}",
        "#fpuzzles{}",
        "look: https://example.org/?load={}",
    ],
)
def test_links_are_recognised(link):
    """Links of both sites and bare packed texts are recognised and read, however their signs were escaped."""
    packed = _packed_with("+")
    escaped = packed.replace("+", "%2B").replace("=", "%3D").replace("/", "%2F")
    spaced = packed if link.startswith("look") else packed.replace("+", " ")
    for told in (packed, spaced, escaped, escaped.replace("%", "%25"), escaped.replace("%", "%2525")):
        text = link.format(told)
        assert sniff(text).name == "fpuzzles"
        assert [record.puzzle.grid for record in _read(f"{text}\n\n{text}\n")] == [Grid.square(4)] * 2


def test_a_slash_lost_on_the_way_is_found_again():
    """Servers make one slash of two; the link is read all the same."""
    packed = _packed_with("//")
    (record,) = _read(f"https://sudokupad.app/fpuzzles{packed.replace('//', '/')}")
    assert record.puzzle.grid == Grid.square(4)


@pytest.mark.parametrize(
    "link", ["https://f-puzzles.com/?id=yhkyz63b", "https://sudokupad.app/abcd1234", "https://sudokupad.app/someone/a-title"]
)
def test_numbers_on_a_server_are_refused_with_the_reason(link):
    """The error for a link with only an ID says that only the server can look it up."""
    (record,) = _read(link)
    assert "which only the server of that site can look up" in str(record.error)


def test_a_document_of_another_program_is_named():
    """A link with a document that nobody reads says what it holds."""
    (record,) = _read(
        f"https://maker.example/?puzzle={compress(json.dumps({'formatVersion': '1.5.0', 'puzzle': {'cells': []}}))}"
    )
    assert "got one of 'formatVersion', 'puzzle'" in str(record.error)


STUDIO = {
    "1": {"type": "grid", "order": 101},
    "2": {"type": "box", "value": {"width": 2, "height": 2}},
    "3": {"type": "givens", "value": {"0": 1, "6": 3}},
    "4": {"type": "filled", "value": {"1": 2}},
    "5": {"type": "center", "value": {}},
    "6": {"type": "knight", "value": True},
    "7": {"type": "diagonal", "value": {"positive": False, "negative": True}},
    "8": {"type": "killer", "value": {"a": {"sum": 5, "cells": {"2": True, "3": True}}, "b": {"cells": {"8": True, "9": True}}}},
    "9": {"type": "thermo", "value": {"x": {"0": 0, "1": 5, "10": 6}}},
    "10": {"type": "min", "value": {"15": True}},
    "11": {"type": "difference", "value": {"0": 2, "7": True}},
    "12": {"type": "xv", "value": {"6": 5}},
    "13": {"type": "quadruple", "value": {"6": {"0": 1, "1": 2}}},
    "14": {"type": "sandwich", "value": {"0": 3, "6": 0}},
    "15": {"type": "arrow", "value": {"q": {"bulb": [12], "body": {"0": 12, "1": 13}}}},
}


def test_a_link_of_sudokustudio_is_read():
    """Its elements are those of f-puzzles under other names; what a player entered is named in a warning."""
    document = {"grid": {"width": 4, "height": 4}, "elements": STUDIO, "meta": {"title": "t", "description": "d"}}
    (record,) = _read(f"https://sudokustudio.github.io/SudokuStudio/?b={quote(compress(json.dumps(document)), safe='')}")
    theirs = _document(
        4,
        title="t",
        ruleset="d",
        antiknight=True,
        **{"diagonal-": True},
        killercage=[{"cells": ["R1C3", "R1C4"], "value": "5"}, {"cells": ["R3C1", "R3C2"]}],
        thermometer=[{"lines": [["R1C1", "R2C2", "R2C3"]]}],
        minimum=[{"cell": "R4C4"}],
        difference=[{"cells": ["R1C1", "R1C2"], "value": "2"}, {"cells": ["R1C4", "R2C4"]}],
        xv=[{"cells": ["R2C1", "R2C2"], "value": "V"}],
        quadruple=[{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 2]}],
        sandwichsum=[{"cell": "R0C1", "value": "3"}, {"cell": "R2C0", "value": "0"}],
        arrow=[{"cells": ["R4C1"], "lines": [["R4C1", "R4C2"]]}],
    )
    theirs["grid"][0][0] = {"value": 1, "given": True}
    theirs["grid"][1][2] = {"value": 3, "given": True}
    (known,) = _read(json.dumps(theirs))
    assert set(record.puzzle.rules) == set(known.puzzle.rules)
    assert (record.puzzle.grid, record.puzzle.givens) == (known.puzzle.grid, known.puzzle.givens)
    assert (record.puzzle.title, record.puzzle.ruleset) == ("t", "d")
    assert record.warnings == ("what a player entered is not read: filled",)


@pytest.mark.parametrize(
    "element",
    [{"type": "littleKiller", "value": {"1": 9}}, {"type": "min", "value": {"99": True}}, {"type": "xv", "value": {"0": 7}}, 5],
)
def test_what_sudokustudio_states_and_we_cannot_say_is_named(element):
    """An element without a meaning here is an error with its name, never left out."""
    document = {"grid": {"width": 4, "height": 4}, "elements": {"1": element}}
    (record,) = _read(f"?b={compress(json.dumps(document))}", "fpuzzles")
    assert (element["type"] if isinstance(element, dict) else "5") in str(record.error)


def test_documents_in_lines_and_arrays():
    """Documents may be one a line, one over many lines, or in an array."""
    document = _document(4, title="x")
    texts = (f"{json.dumps(document)}\n" * 2, json.dumps([document, document], indent=1), json.dumps(document, indent=1))
    for text, count in zip(texts, (2, 2, 1), strict=True):
        assert sniff(text).name == "fpuzzles"
        assert [record.puzzle.title for record in _read(text)] == ["x"] * count


# --- bad input --------------------------------------------------------------------------------------------------


def test_everything_wrong_is_told_at_once():
    """Each problem is named with its place in the document."""
    document = _document(
        title=5,
        thermometer=[{"lines": [["R1C1", "R10C1"]]}, 7],
        killercage=[{"cells": ["X"], "value": "ten"}],
        arrow={"cells": []},
        antiknight="yes",
        negative=["foo"],
        mystery=[{"cells": ROW}],
    )
    document["grid"][2][3] = {"value": "five", "given": True, "region": "x", "spirit": [1]}
    problems = "\n".join(_problems(document))
    for told in (
        "title: expected a text, got 5",
        "thermometer[1]: lines[1]: cell[2]: expected a cell of a 9x9 grid, got 'R10C1'",
        "thermometer[2]: expected an object, got 7",
        "killercage[1]: cells[1]: expected a cell such as 'R4C7', got 'X'",
        "arrow: expected an array",
        "antiknight: expected true or false, got 'yes'",
        "negative[1]: expected 'ratio', 'xv' or 'difference', got 'foo'",
        "expected clues that are known, got 'mystery', which may be a rule",
        "R3C4: expected a value, got 'five'",
        "R3C4, region: expected a whole number, got 'x'",
        "R3C4: expected only what is known of a cell, got 'spirit'",
    ):
        assert told in problems, told


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({"size": 10**9, "grid": []}, "size: expected 2 to 36, got 1000000000"),
        ({"size": 10**200}, "size: expected 2 to 36, got a number of many digits"),
        ({"size": 1, "grid": [[{}]]}, "size: expected 2 to 36, got 1"),
        ({"size": [], "grid": 7}, "got neither"),
        ({"size": "nine", "grid": []}, "expected a size, got 'nine'"),
        ({"size": 9, "grid": [[{}] * 9] * 8}, "grid: expected 9 rows, got 8"),
        ({"size": 4, "grid": [[{}] * 4, 5, [{}], [{}] * 4]}, "row 2: expected an array of 4 cells, got 5; grid, row 3: expected"),
        ({"size": 4, "grid": [["x"] * 4] * 4}, "R1C1: expected an object, got 'x'"),
        (_document(renban=[{"lines": [ROW], "value": "3"}]), "renban[1]: expected no value for this clue, got '3'"),
        (_document(xv=[{"cells": ROW[:2], "value": "XV"}]), "expected 'X' or 'V', got 'XV'"),
        (_document(ratio=[{"cells": ROW}]), "ratio[1]: expected two cells, got 3"),
        (_document(clone=[{"cells": ROW, "cloneCells": ROW[:2]}]), "as many cells as cloneCells, got 3 and 2"),
        (_document(sandwichsum=[{"cell": "R0C0", "value": 3}]), "expected a cell just outside a 9x9 grid, got 'R0C0'"),
        (_document(skyscraper=[{"cell": "R1C1", "value": 3}]), "expected a cell just outside a 9x9 grid, got 'R1C1'"),
        (_document(littlekillersum=[{"cell": "R0C1", "direction": "XX", "value": 3}]), "one of UR, UL, DR, DL, got 'XX'"),
        (
            _document(littlekillersum=[{"cell": "R5C5", "direction": "UR", "value": 3}]),
            "just outside a 9x9 grid, got 'R5C5' with UR",
        ),
        (_document(quadruple=[{"values": [1]}]), "quadruple[1]: expected the cells around a corner, got none"),
        (
            {"size": 4, "grid": [[{"region": 0}] * 4, *[[{}] * 4] * 3]},
            "expected at least 6 values for the cells of region 1, got 4",
        ),
        (_document(globalentropy=True), "got 'globalentropy', which may be a rule"),
    ],
)
def test_what_is_wrong_is_named(document, named):
    """Bad values, sizes and clues are errors that name what was expected, what came and where."""
    assert named in "; ".join(_problems(document))


def _nested(draw_from):
    return st.recursive(
        draw_from, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    )


@given(
    key=st.sampled_from(
        ["size", "grid", "solution", "negative", "title", "cage", "line", "foglight", "nonconsecutive", *FLAGS, *CLUES]
    ),
    told=_nested(
        st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "R1C1", "1", "x", "lines", "cells"])
    ),
)
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_wrong_types_are_errors_of_ours(key, told):
    """Whatever a key contains, reading yields a puzzle or an error, never a traceback."""
    for value in (told, [told], [{"cells": told, "lines": told, "cell": told, "value": told, "values": told, "direction": told}]):
        (record,) = _read(json.dumps(_document(4) | {key: value}), "fpuzzles")
        assert (record.puzzle is None) != (record.error is None)


def _bomb():
    """Return a packed text of 6,000 signs, each of whose codes stands for one sign more than the one before."""
    bits, width, room = "00" + f"{ord('{'):08b}"[::-1], 3, 4
    for code in range(4, 4000):
        bits += f"{code:0{width}b}"[::-1]
        room -= 1
        if not room:
            room, width = 1 << width, width + 1
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return "".join(signs[int(bits[at : at + 6].ljust(6, "0"), 2)] for at in range(0, len(bits), 6))


HOSTILE = {
    "a bomb": _bomb,
    "deep JSON": lambda: compress("[" * 100_000),
    "deep JSON in a key": lambda: compress('{"size":9,"grid":' + '{"a":' * 30_000),
    "many wrong cells": lambda: compress(json.dumps(_document(odd=[{"cell": 1}] * 50_000))),
    "many slashes": lambda: "https://sudokupad.app/fpuzzlesN4Ig" + "/a" * 30_001,
    "a truncated link": lambda: _link(_document())[:-50],
    "no base64": lambda: "https://f-puzzles.com/?load=N4Ig!!!!" + "x" * 60,
    "nothing": lambda: "https://f-puzzles.com/?load=",
    "a text": lambda: compress("just a text, not a document of any kind, but long enough"),
    "a number of many digits": lambda: compress('{"size":' + "9" * 100_000 + "}"),
}
"""Texts that no tool writes; packing them takes half a second, in each process that collects tests."""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_links_take_little_work(name, count_calls):
    """Bombs, deep nesting and damage end in a short error, after a bounded number of calls."""
    text = HOSTILE[name]()
    (record,), calls = count_calls(lambda: _read(text, "fpuzzles"))
    assert calls < 1_000_000
    assert record.puzzle is None
    assert len(str(record.error)) < 20_000


def test_what_is_no_drawing_is_warned_of():
    """Drawings are kept without a warning, but for those of rules; notes and what matters in play are named."""
    document = _document(
        line=[{"lines": [ROW]}, {"lines": [ROW], "isNewConstraint": True}],
        cage=[{"cells": ROW, "value": "A"}, {"cells": ROW, "value": "DR3"}, {"cells": [], "value": "msgcorrect: Yes!"}],
        text=[{"cells": ROW, "value": ">"}] * 2,
        foglight=["R1C1"],
        comment="hello",
    )
    (record,) = _read(json.dumps(document))
    assert record.warnings == (
        "not read: 'comment'",
        "not read: 'msgcorrect'",
        "what only matters in play is not read: foglight",
    )
    assert [one.kind for one in record.puzzle.drawings] == ["line", "text", "text", "cage"]
    assert [rule.kind for rule in record.puzzle.rules] == ["houses", "digital-root-cage"]


# --- real puzzles -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(data):
    """Return the real puzzles: title, packed text, and the known solution where there is one."""
    rows = json.loads(data("formats/third_party/sudokupad_testfpuzzles.json").read_text())
    known = [(row[0], *row[1].split('"'), *row[2:3]) for row in rows]
    return [(one[0], one[1], re.sub(r"[^0-9]", "", one[-1]) if len(one) > 2 else "") for one in known]


def test_real_puzzles_are_read_and_hold_their_solutions(real):
    """Every real puzzle is read from its packed text; its known solution obeys every rule; writing it gives the same puzzle."""
    assert len(real) == 37
    held = 0
    for title, packed, digits in real:
        assert sniff(packed).name == "fpuzzles", title
        (record,) = _read(packed)
        assert record.puzzle is not None, (title, record.error)
        if len(digits) == len(record.puzzle.grid.cells):
            assert record.puzzle.holds(tuple(map(int, digits))), title
            held += 1
        back = puzzle_from_fpuzzles(puzzle_to_fpuzzles(record.puzzle), [])
        assert (back.grid, back.givens) == (record.puzzle.grid, record.puzzle.givens)
        assert set(meanings(back.rules)) == set(meanings(record.puzzle.rules))
    assert held >= 28


def test_packed_documents_are_those_of_the_text(real):
    """Unpacking returns JSON with the keys that the reader knows."""
    for title, packed, _ in real:
        assert {"size", "grid"} <= json.loads(decompress(packed)).keys(), title


DRAWN = {0, 29, 33, 34, 35}
"""Real puzzles with rules that are only drawn or stated in words, or whose arrows mean something else."""


@pytest.mark.slow
def test_real_puzzles_have_one_solution(real):
    """Every real puzzle whose clues express all its rules has exactly one solution: the known one."""
    for number, (title, packed, digits) in enumerate(real):
        (record,) = _read(packed)
        if number not in DRAWN:
            (solution,) = record.puzzle.solutions(backend="sat")
            assert digits in {"", "".join(map(str, solution))}, title

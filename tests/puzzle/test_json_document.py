"""The project's own JSON represents every puzzle, and reading it gives that puzzle or everything that is wrong."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import MAX_SIDE, MAX_START, MAX_VALUE, Board, Grid
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Puzzle, from_json, json_document, to_json
from sudoku_cp.puzzle.json_document import position_from_json
from sudoku_cp.rules import RULES, Houses, KillerCage, Rule
from sudoku_cp.symbols import Symbols

# --- json document ----------------------------------------------------------------------------------------------------


GRIDS = [
    Grid.square(4),
    Grid.square(9),
    Grid.square(6, (3, 2)),
    Grid.square(5),
    Grid.square(9, values=range(9)),
    Grid.square(9, values=range(10)),
    Grid.square(16),
    Grid.rectangle(6, 8),
    Grid.rectangle(6, 8, (2, 4)),
    Grid.rectangle(4, 7, None, range(3, 14)),
    Grid.jigsaw("aabb aabb ccdd ccdd"),
    Grid.jigsaw("aab. .abb ccdd ccdd"),
    Grid((Board(4, 4, (2, 2), at=(2, 1)),), range(1, 5)),
    Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2)), Board(2, 5, at=(7, 0))), range(1, 6)),
    Grid(tuple(Board(9, 9, (3, 3), at=at) for at in ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))), range(1, 10)),
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def accepted(grid: Grid, rule: Rule) -> bool:
    """Return whether the rule is valid on the grid."""
    try:
        Puzzle(grid, (rule,))
    except InvalidInput:
        return False
    return True


@st.composite
def rules_on(draw: st.DrawFn, grid: Grid) -> tuple[Rule, ...]:
    """Any of the rules' examples that are valid on the grid, in any order and number."""
    examples = [kind.example(grid) for kind in RULES.values()] if (0, 0) in grid.cell_at else [Houses()]
    fitting = [rule for rule in examples if accepted(grid, rule)]
    return tuple(draw(st.lists(st.sampled_from(fitting), max_size=4)))


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Puzzles with any of the fields that a puzzle can have."""
    grid = draw(st.sampled_from(GRIDS))
    cells, value = st.sampled_from(grid.cells), st.sampled_from(grid.values)
    signs = st.lists(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), unique=True, min_size=61, max_size=61)
    size = len(grid.cells)
    return Puzzle(
        grid,
        draw(rules_on(grid)),
        draw(st.dictionaries(cells, value, max_size=12)),
        draw(st.dictionaries(cells, st.sets(value, min_size=1).map(to_mask), max_size=6)),
        draw(st.just(Puzzle(grid).symbols) | signs.map(lambda own: Symbols("".join(own), draw(st.integers(0, grid.values[0]))))),
        draw(TEXTS),
        draw(TEXTS),
        draw(TEXTS),
        draw(st.none() | st.lists(value, min_size=size, max_size=size).map(tuple)),
        draw(TEXTS),
    )


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(puzzles())
def test_a_puzzle_comes_back_from_its_json(puzzle: Puzzle) -> None:
    """Written, sent as text and read, any puzzle is the same puzzle."""
    sent = json.dumps(to_json(puzzle))
    assert from_json(json.loads(sent)) == puzzle


EXAMPLES = [
    (grid, rule)
    for grid in (
        *(Grid.square(4), Grid.square(9), Grid.square(9, values=range(10))),
        *(Grid.jigsaw("aaabb acbbb acccb dcdee dddee", range(1, 9)), *GRIDS[-2:]),
    )
    for rule in (kind.example(grid) for kind in RULES.values())
    if accepted(grid, rule)
]


def test_every_rule_is_tried() -> None:
    """Each rule is valid on some grid."""
    assert {rule.kind for _, rule in EXAMPLES} == set(RULES)


def once_each() -> list[Any]:
    """Return the examples as parameters: each rule on one of its grids by default, these in turn, and on the others when slow."""
    grids: dict[str, list[Grid]] = {}
    for grid, rule in EXAMPLES:
        grids.setdefault(rule.kind, []).append(grid)
    chosen = {kind: own[number % len(own)] for number, (kind, own) in enumerate(grids.items())}
    return [
        pytest.param(
            grid,
            rule,
            id=f"{rule.kind} on {grid}, {grid.values}",
            marks=[] if grid == chosen[rule.kind] else [pytest.mark.slow],
        )
        for grid, rule in EXAMPLES
    ]


@pytest.mark.parametrize(("grid", "rule"), once_each())
def test_every_rule_comes_back_from_json(grid: Grid, rule: Rule) -> None:
    """The example of every rule comes back from its JSON, in a puzzle."""
    puzzle = Puzzle(grid, (Houses(), rule))
    document = json.loads(json.dumps(to_json(puzzle)))
    assert document["rules"][1]["kind"] == rule.kind
    assert from_json(document) == puzzle


def test_defaults_are_left_out() -> None:
    """A usual puzzle is its grid and its givens; nothing at all is the empty 9x9 board."""
    puzzle = Puzzle(givens={0: 5})
    grid = {"rows": 9, "columns": 9, "boxes": [3, 3], "values": [1, 9]}
    assert to_json(puzzle) == {"format": "sudoku-cp puzzle", "version": 1, "grid": grid, "givens": {"r1c1": 5}}
    assert from_json({}) == Puzzle()
    assert from_json({"givens": {"R1C1": 5}}) == puzzle


@pytest.mark.parametrize(
    ("grid", "values"),
    [
        ({"rows": 9, "columns": 9}, range(1, 10)),
        ({"rows": 4, "columns": 7}, range(1, 8)),
        ({"rows": 4, "columns": 6, "boxes": [4, 3]}, range(1, 13)),
        ({"rows": 2, "columns": 2, "regions": [[0, 0], [0, None]]}, range(1, 4)),
        ({"boards": [{"rows": 2, "columns": 2}, {"rows": 3, "columns": 1, "at": [2, 0]}]}, range(1, 4)),
    ],
)
def test_values_run_to_the_longest_house_unless_told(grid: dict[str, Any], values: range) -> None:
    """Without ``values``, they start at 1 and are as many as the longest house has cells."""
    assert from_json({"grid": grid}).grid.values == values
    assert from_json({"grid": {**grid, "values": [0, 20]}}).grid.values == range(21)


@pytest.mark.parametrize("document", ["houses", {"kind": "houses"}])
def test_a_rule_may_be_its_name(document: Any) -> None:
    """A rule without fields may be its kind alone."""
    assert from_json({"rules": [document]}) == Puzzle()
    assert from_json({"rules": []}).rules == ()


@pytest.mark.parametrize(
    "document", ["ABCDEFGHI", "letters", {"signs": "ABCDEFGHI"}, {"signs": "ABCDEFGHI", "first": 1}], ids=str
)
def test_an_alphabet_may_be_written_in_short(document: Any) -> None:
    """A name, the signs, or the signs with the first value."""
    assert from_json({"symbols": document}).symbols == Symbols("ABCDEFGHI", 1)


# --- what is refused --------------------------------------------------------------------------------------------

FIELDS = "author, candidates, drawings, format, givens, grid, play, rules, ruleset, solution, source, symbols, title, version"
WRONG: list[tuple[Any, list[str]]] = [
    (None, ["expected a puzzle as a JSON object, got None"]),
    ([], ["expected a puzzle as a JSON object, got []"]),
    ({"format": "penpa"}, ["format: expected 'sudoku-cp puzzle', got 'penpa'"]),
    ({"version": 2}, ["version: expected 1, got 2"]),
    ({"version": True}, ["version: expected 1, got True"]),
    ({"title": 5, "author": None}, ["title: expected a text, got 5", "author: expected a text, got None"]),
    ({"grid": 9}, ["grid: expected a JSON object, got 9"]),
    (
        {"grid": {"rows": 9.0, "columns": "9"}},
        ["grid: rows: expected a whole number, got 9.0", "grid: columns: expected a whole number, got '9'"],
    ),
    (
        {"grid": {"columns": 9, "box": 3}},
        [
            "grid: expected the fields at, boxes, columns, regions, rows, values; got 'box'",
            "grid: expected the field 'rows', which is missing",
        ],
    ),
    ({"grid": {"rows": 40, "columns": 9}}, ["grid: expected 1 to 36 rows, got 40"]),
    ({"grid": {"rows": 4, "columns": 4, "boxes": [2, 2, 2]}}, ["grid: boxes: expected two whole numbers, got [2, 2, 2]"]),
    ({"grid": {"rows": 4, "columns": 4, "boxes": [2, True]}}, ["grid: boxes: expected a whole number, got True"]),
    ({"grid": {"rows": 4, "columns": 4, "boxes": None}}, ["grid: boxes: expected an array, got None"]),
    (
        {"grid": {"rows": 2, "columns": 2, "regions": [[0], [0, 1, 1]]}},
        ["grid: regions: expected 2 labels in every row, got 1, 3"],
    ),
    ({"grid": {"rows": 2, "columns": 2, "regions": [[0, 1]]}}, ["grid: expected a region for each of 4 cells, got 2"]),
    ({"grid": {"rows": 2, "columns": 2, "regions": []}}, ["grid: expected a region for each of 4 cells, got 0"]),
    ({"grid": {"rows": 1, "columns": 2, "regions": [["a", 1]]}}, ["grid: regions: [0]: expected a whole number, got 'a'"]),
    (
        {"grid": {"rows": 4, "columns": 4, "values": [3, 1]}},
        ["grid: values: expected the lowest and the highest value, between 0 and 61, got [3, 1]"],
    ),
    (
        {"grid": {"rows": 4, "columns": 4, "values": [1, 10**20]}},
        ["grid: values: expected the lowest and the highest value, between 0 and 61, got [1, 100000000000000000000]"],
    ),
    ({"grid": {"boards": []}}, ["grid: expected a grid of 1 to 1000 boards, got none"]),
    (
        {"grid": {"boards": [{"rows": 4, "columns": 4}, {"rows": 4, "columns": 4, "at": [10**20, 0]}, 5], "values": 4}},
        [
            "grid: values: expected an array, got 4",
            "grid: boards: [1]: expected a board to start at a row and a column from 0 to 999, got (100000000000000000000, 0)",
            "grid: boards: [2]: expected a JSON object, got 5",
        ],
    ),
    (
        {"grid": {"boards": [], "rows": 9}},
        ["grid: expected the fields boards, values; got 'rows'"],
    ),
    (
        {"rules": ["sudoku", 5, {"kind": "killer-cage"}]},
        [
            "rules: [0]: expected a rule, got 'sudoku'; did you mean diagonals, windoku or disjoint-groups?",
            "rules: [1]: expected a rule such as {'kind': 'houses'}, got 5",
            "rules: [2]: killer-cage: expected the field 'cells', which is missing",
        ],
    ),
    ({"rules": "houses"}, ["rules: expected an array, got 'houses'"]),
    (
        {"givens": {"r1c1": "5", "r1c10": 1, "r1c2": 10, "x": 1}},
        [
            "givens: r1c1: expected a whole number, got '5'",
            "givens: r1c10: expected a cell of a 9x9 grid, got 'r1c10'",
            "givens: x: expected a cell such as 'r4c7', got 'x'",
        ],
    ),
    ({"givens": {"r1c2": 10}}, ["expected a value from 1 to 9 in r1c2, got 10"]),
    ({"givens": {"r1c1": 1, "R1C1": 1}}, ["givens: R1C1: expected each cell once, got r1c1 twice"]),
    ({"givens": []}, ["givens: expected a JSON object, got []"]),
    ({"candidates": {"r1c1": 5}}, ["candidates: r1c1: expected an array, got 5"]),
    ({"candidates": {"r1c1": []}}, ["expected some of the values 1 to 9 as candidates of r1c1, got 0b0"]),
    ({"candidates": {"r1c1": [10**12]}}, ["candidates: r1c1: expected values between 0 and 61, got [1000000000000]"]),
    ({"candidates": {"r1c1": [-1]}}, ["candidates: r1c1: expected values between 0 and 61, got [-1]"]),
    (
        {"symbols": {"signs": 5, "first": "1", "last": 9}},
        [
            "symbols: expected the fields first, signs; got 'last'",
            "symbols: signs: expected a text, got 5",
            "symbols: first: expected a whole number, got '1'",
        ],
    ),
    ({"symbols": {}}, ["symbols: expected at least one sign, got none"]),
    (
        {"symbols": "abc"},
        ["symbols: expected a name of an alphabet or 9 signs of your own, one of digits, hex, letters; got 'abc'"],
    ),
    (
        {"solution": [1, "2", None]},
        ["solution: [1]: expected a whole number, got '2'", "solution: [2]: expected a whole number, got None"],
    ),
    ({"solution": [1, 2]}, ["expected a stated solution of 81 values from 1 to 9, got (1, 2)"]),
    (
        {"titel": "x", "version": 0, "givens": {"r1c1": 1.5}, "solution": "1", "rules": [7], "candidates": {"r1c1": [12]}},
        [
            f"expected the fields {FIELDS}; got 'titel'",
            "version: expected 1, got 0",
            "rules: [0]: expected a rule such as {'kind': 'houses'}, got 7",
            "givens: r1c1: expected a whole number, got 1.5",
            "solution: expected an array, got '1'",
            "expected some of the values 1 to 9 as candidates of r1c1, got 0b1000000000000",
        ],
    ),
]


@pytest.mark.parametrize(("data", "problems"), WRONG, ids=[str(data)[:60] for data, _ in WRONG])
def test_everything_wrong_is_said_with_its_path(data: Any, problems: list[str]) -> None:
    """All problems are reported at once, each after the path to its field."""
    with pytest.raises(InvalidInput) as caught:
        from_json(data)
    assert list(caught.value.problems) == problems


# --- data of any shape ------------------------------------------------------------------------------------------

NAMES = st.sampled_from(
    [
        *("format", "version", "grid", "rules", "givens", "candidates", "symbols", "solution", "title", "author", "source"),
        *("rows", "columns", "boxes", "regions", "at", "values", "boards", "signs", "first"),
        *("kind", "cells", "total", "digits", "bulb", "shafts", "visible"),
        *RULES,
        *("r1c1", "r1c2", "R2C2", "r9c9", "r10c10", "letters"),
    ]
)
NUMBERS = st.integers(-2, MAX_SIDE + 2) | st.integers() | st.sampled_from([10**9, 10**30])
SCALARS = st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=5) | NAMES
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=5),
    max_leaves=20,
)
PAIR = st.lists(NUMBERS, min_size=2, max_size=2)
SMALL = st.integers(0, 6)
BOARD = st.fixed_dictionaries(
    {"rows": SMALL | NUMBERS, "columns": SMALL | NUMBERS},
    optional={"boxes": PAIR, "regions": st.lists(st.lists(st.none() | SMALL)), "at": PAIR, "values": PAIR, "x": ANYTHING},
)
CELLS = st.dictionaries(st.from_regex(r"[rR][0-9]{1,2}[cC][0-9]", fullmatch=True) | NAMES, SMALL | st.lists(SMALL) | ANYTHING)
NEARLY = st.fixed_dictionaries(
    {},
    optional={
        "format": st.just("sudoku-cp puzzle") | ANYTHING,
        "version": st.just(1) | ANYTHING,
        "grid": BOARD | st.fixed_dictionaries({"boards": st.lists(BOARD)}, optional={"values": PAIR}) | ANYTHING,
        "rules": st.lists(NAMES | ANYTHING | st.fixed_dictionaries({"kind": NAMES, "cells": st.lists(NAMES)})) | ANYTHING,
        "givens": CELLS | ANYTHING,
        "candidates": CELLS | ANYTHING,
        "symbols": NAMES | ANYTHING,
        "solution": st.lists(NUMBERS) | ANYTHING,
        "title": st.text() | ANYTHING,
    },
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(NEARLY | ANYTHING)
def test_data_of_any_shape_is_a_puzzle_or_refused(data: Any) -> None:
    """Reading gives a puzzle, which survives a round trip, or `InvalidInput` with its problems, nothing else."""
    read_or_refused(data)


@pytest.mark.slow
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(NEARLY | ANYTHING)
def test_data_of_any_shape_is_a_puzzle_or_refused_at_length(data: Any) -> None:
    """The same, many times."""
    read_or_refused(data)


def read_or_refused(data: Any) -> None:
    """Require a puzzle that survives a round trip, or an `InvalidInput` with its problems."""
    try:
        puzzle = from_json(data)
    except InvalidInput as error:
        problems = error.problems
    else:
        assert from_json(json.loads(json.dumps(to_json(puzzle)))) == puzzle
        problems = (str(puzzle),)
    assert all(problems)
    assert problems


def test_one_wrong_field_anywhere_is_refused() -> None:
    """Exchanging any one value in a puzzle's JSON for an object nobody expects is an error that names the field."""
    puzzle = Puzzle(
        Grid.square(4),
        (Houses(), KillerCage((0, 1), 5)),
        {0: 1},
        {1: 0b110},
        Symbols("abcd"),
        "t",
        "a",
        "s",
        (1,) * 16,
    )
    paths = [path for path in _paths(to_json(puzzle)) if path]
    assert len(paths) > 40
    for path in paths:
        document = to_json(puzzle)
        inner: Any = document
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = {"unexpected": None}
        with pytest.raises(InvalidInput) as caught:
            from_json(document)
        assert all(problem.startswith(f"{path[0]}: ") for problem in caught.value.problems)


def _paths(data: Any) -> list[tuple[Any, ...]]:
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [(), *((step, *rest) for step, inner in steps for rest in _paths(inner))]


PLACES: dict[str, tuple[dict[str, Any], str, str]] = {
    "title": ({"title": 1}, "/title", ""),
    "cell of a rule": (
        {"rules": ["houses", {"kind": "thermometer", "cells": ["r1c1", "r10c1"]}]},
        "/rules/1/cells/1",
        "r10c1",
    ),
    "rule within a rule": (
        {"rules": [{"kind": "any-of", "rules": [{"kind": "odd", "cells": ["r1c1"]}, {"kind": "odd", "cells": ["x"]}]}]},
        "/rules/0/rules/1/cells/0",
        "x",
    ),
    "number of a rule": ({"rules": [{"kind": "killer-cage", "cells": ["r1c1"], "total": 10**9}]}, "/rules/0/total", ""),
    "given": ({"givens": {"r1c1": 10}}, "/givens/r1c1", "r1c1"),
    "key with signs of pointers": ({"a/b~": 1}, "/a~1b~0", ""),
}


@pytest.mark.parametrize("name", PLACES)
def test_problems_know_their_place(name):
    """A problem has a JSON pointer to what is wrong, and the cell if it is of one, also after a worker has sent it."""
    document, pointer, cell = PLACES[name]
    with pytest.raises(InvalidInput) as caught:
        from_json(document)
    [problem] = pickle.loads(pickle.dumps(caught.value)).problems  # noqa: S301
    assert (problem.pointer, problem.cell) == (pointer, cell)


def test_positions_are_read():
    """Entries become values and marks; givens need not be repeated, and cannot be overwritten."""
    puzzle = Puzzle.parse("1" + "." * 15)
    position = position_from_json(puzzle, {"values": {"r1c2": 2}, "marks": {"r2c1": [3, 4]}})
    assert position.values[:2] == (1, 2)
    assert position.marks[4] == 1 << 3 | 1 << 4
    with pytest.raises(InvalidInput) as caught:
        position_from_json(puzzle, {"values": {"r1c1": 2, "r1c2": 9}, "marks": {"r1c3": [7]}})
    assert [one.pointer for one in caught.value.problems] == ["/values/r1c1", "/values/r1c2", "/marks/r1c3"]
    assert caught.value.problems[-1] == "expected marks from 1 to 4 in r1c3, got 7"


# --- json page --------------------------------------------------------------------------------------------------------


PAGE = (Path(__file__).parents[2] / "docs/puzzle-json.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
LINES = [line for block in re.findall(r"^```jsonl\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE) for line in block.splitlines()]
READ = [from_json(json.loads(text)) for text in (*BLOCKS, *LINES)]


@pytest.mark.parametrize("text", [*BLOCKS, *LINES])
def test_every_example_is_a_puzzle(text: str) -> None:
    """What the page shows is read, and written so that it is read again; nothing is lost."""
    document = json.loads(text)
    puzzle = from_json(document)
    written = json.loads(json.dumps(to_json(puzzle)))
    assert from_json(written) == puzzle
    assert document.keys() <= written.keys()
    for key in ("format", "version", "givens", "candidates", "solution", "title", "author", "source", "ruleset"):
        assert document.get(key, written.get(key)) == written.get(key)


def test_the_page_shows_every_field() -> None:
    """Every field, and every field of a board, is named on the page and occurs in some example."""
    examples = "".join((*BLOCKS, *LINES))
    for key in {*json_document._KEYS, *json_document._BOARD_KEYS, "boards", "values", "signs", "first"}:
        assert f"`{key}`" in PAGE
        assert f'"{key}"' in examples


def test_a_saved_game_is_passed_over() -> None:
    """A game beside a puzzle changes nothing of it."""
    assert from_json({"givens": {"r1c1": 5}, "play": {"version": 1}}) == from_json({"givens": {"r1c1": 5}})
    assert "`play`" in PAGE


def test_the_page_shows_every_kind_of_puzzle() -> None:
    """Among the examples are boxes, a rectangle, a jigsaw, holes, several boards, values from 0, and none of these."""
    grids = [puzzle.grid for puzzle in READ]
    assert any(grid.is_plain for grid in grids)
    assert any(grid.boards[0].rows != grid.boards[0].columns for grid in grids)
    assert any(grid.boards[0].regions and None not in grid.boards[0].regions for grid in grids)
    assert any(grid.boards[0].regions and None in grid.boards[0].regions for grid in grids)
    assert any(len(grid.boards) > 1 for grid in grids)
    assert any(grid.values[0] == 0 for grid in grids)
    assert len(LINES) == 3


def test_the_page_tells_the_bounds() -> None:
    """Version, bounds and the default are those of the code."""
    assert f"This page describes version {json_document.VERSION} " in PAGE
    assert f'`"{json_document.FORMAT}"`' in PAGE
    assert f"whole numbers, 1 to {MAX_SIDE} |" in PAGE
    assert f"two whole numbers, 0 to {MAX_START} |" in PAGE
    assert f"two whole numbers, 0 to {MAX_VALUE} |" in PAGE
    assert from_json({}) == Puzzle()


def test_the_overlapping_example_has_the_cells_it_says() -> None:
    """28 cells, by rows 4, 4, 6, 6, 4, 4."""
    grid = next(puzzle.grid for puzzle in READ if len(puzzle.grid.boards) > 1)
    rows = [row for row, _ in grid.places]
    assert [rows.count(row) for row in range(6)] == [4, 4, 6, 6, 4, 4]


def test_the_message_on_the_page_is_the_message() -> None:
    """The problem that the page quotes is what a reader sees."""
    with pytest.raises(ValueError, match=r"^givens: r1c1: expected a whole number, got '5'$"):
        from_json({"givens": {"r1c1": "5"}})
    assert "givens: r1c1: expected a whole number,\n  got '5'" in PAGE

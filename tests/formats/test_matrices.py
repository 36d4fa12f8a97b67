"""Matrices in brackets, as programs of any language write them, and rows of Python objects."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest

from sudoku_cp import Puzzle
from sudoku_cp.cli import main
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import records_of_text, sniff
from sudoku_cp.formats.matrices.brackets import parse_brackets
from sudoku_cp.grid import Grid, default_boxes
from sudoku_cp.questions.answer import json_fields
from sudoku_cp.questions.question import NAMES, answer_type, question_named
from sudoku_cp.service.questions import QUESTIONS
from sudoku_cp.symbols import letters
from tests.questions.python_reference import parts_of

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
FOUR = "1...34....12...4"
SIX = "1.....23.....4.....5..6.........1..6"
SIXTEEN = "".join("." * (index % 7) + "123456789ABCDEFG"[index] + "." * (15 - index % 7) for index in range(16))
BOARDS = {4: FOUR, 6: SIX, 9: LINE, 16: SIXTEEN}


def _values(line):
    """Return the rows of a board, 0 for empty cells."""
    side = round(len(line) ** 0.5)
    values = ["0123456789ABCDEFG".index(sign) if sign != "." else 0 for sign in line]
    return [values[start : start + side] for start in range(0, len(line), side)]


def _brackets(rows, opening="[", closing="]", outer=", ", inner=", "):
    return opening + outer.join(f"{opening}{inner.join(map(str, row))}{closing}" for row in rows) + closing


def _joined(rows, between=",\n    "):
    return between.join(", ".join(map(str, row)) for row in rows)


NOTATIONS = {
    "Python": lambda rows: f"board = {_brackets(rows, outer=f',{chr(10)}         ')}\n",
    "Python, None": lambda rows: f"board = {_brackets([[value or None for value in row] for row in rows])}",
    "Python, -1": lambda rows: _brackets([[value or -1 for value in row] for row in rows]),
    "Python, floats": lambda rows: _brackets([[float(value) if value else float("nan") for value in row] for row in rows]),
    "Python, strings": lambda rows: repr([[str(value) if value else "" for value in row] for row in rows]),
    "Python, dots": lambda rows: f"problem: list[list[str]] = {[[str(value or '.') for value in row] for row in rows]}",
    "tuples": lambda rows: repr(tuple(tuple(row) for row in rows)),
    "numpy.int64": lambda rows: _brackets([[f"np.int64({value})" for value in row] for row in rows]),
    "flat": lambda rows: f"[{_joined(rows)}]",
    "NumPy repr": lambda rows: repr(np.array(rows)),
    "NumPy print": lambda rows: str(np.array(rows)),
    "NumPy floats": lambda rows: str(np.array(rows, dtype=float)),
    "NumPy strings": lambda rows: str(np.array([[str(value or ".") for value in row] for row in rows])),
    "NumPy code": lambda rows: f"import numpy as np\nboard = np.array({_brackets(rows)}, dtype=int)  # mine",
    "reshaped": lambda rows: f"grid = np.array([{_joined(rows)}]).reshape({len(rows)}, {len(rows)})",
    "JSON": json.dumps,
    "JSON, null": lambda rows: json.dumps([[value or None for value in row] for row in rows], indent=1),
    "JSON, board": lambda rows: json.dumps({"difficulty": "easy", "board": rows}),
    "JSON, grid": lambda rows: json.dumps({"id": 3, "grid": rows}),
    "JSON, puzzle": lambda rows: json.dumps({"puzzle": rows, "size": len(rows)}, indent=2),
    "JSON, sudoku": lambda rows: json.dumps({"sudoku": [str(value) for row in rows for value in row]}),
    "JSON, other name": lambda rows: json.dumps({"my_own_name": rows}),
    "JSON, nested": lambda rows: json.dumps({"newboard": {"grids": [{"value": rows, "difficulty": "Hard"}], "results": 1}}),
    "JavaScript": lambda rows: f"const board: number[][] = {_brackets(rows, outer=f',{chr(10)}')};",
    "MiniZinc": lambda rows: (
        f"int: n = {len(rows)};\narray[1..n,1..n] of int: start = [|\n"
        + "".join(f" {', '.join(str(value or '_') for value in row)}|\n" for row in rows)
        + "|];"
    ),
    "MiniZinc, flat": lambda rows: f"p = array2d(1..{len(rows)}, 1..{len(rows)}, [{_joined(rows)}]);",
    "C": lambda rows: f"int grid[{len(rows)}][{len(rows)}] = {_brackets(rows, '{', '}', outer=f',{chr(10)} ')};",
    "C, flat": lambda rows: f"static const char grid[] = {{ {_joined(rows)} }};",
    "C++": lambda rows: f"vector<vector<int>> board = {_brackets(rows, '{', '}')};",
    "Java": lambda rows: f"private static int[][] GRID = new int[][] {_brackets(rows, '{', '}', outer=f',{chr(10)}')};",
    "C#": lambda rows: f"int[,] grid = new int[{len(rows)},{len(rows)}] {_brackets(rows, '{', '}')};",
    "Rust": lambda rows: f"let board: [[u8; 9]; 9] = {_brackets(rows)};",
    "Mathematica": lambda rows: _brackets(rows, "{", "}"),
    "MATLAB": lambda rows: f"A = [{'; '.join(' '.join(map(str, row)) for row in rows)}];",
    "MATLAB, lines": lambda rows: "A = [\n" + "\n".join(" ".join(map(str, row)) for row in rows) + "\n];",
    "Julia": lambda rows: "A = [" + ";\n".join(" ".join(map(str, row)) for row in rows) + "]",
    "R": lambda rows: f"m <- matrix(c({_joined(rows)}), nrow={len(rows)}, byrow=TRUE)",
    "Lisp": lambda rows: _brackets(rows, "(", ")", " ", " "),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("side", BOARDS)
@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_matrix_is_read_in_any_notation(notation, side):
    """Whatever language wrote a matrix, it is the same puzzle, and nothing else claims it."""
    text = NOTATIONS[notation](_values(BOARDS[side]))
    assert sniff(text).name == "matrix"
    (record,) = records_of_text(text)
    assert record.error is None
    assert record.puzzle.grid == Grid.square(side)
    assert record.puzzle.line() == BOARDS[side]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("between", ["\n", "\n\n", "\n# another\n"])
@pytest.mark.parametrize("notation", sorted(NOTATIONS.keys() - {"NumPy code"}))
def test_several_matrices_are_several_puzzles(notation, between):
    """One after the other, in a list or in lines, each matrix is a puzzle of its own, at its own line."""
    first, second = (NOTATIONS[notation](_values(line)) for line in (LINE, FOUR))
    records = list(records_of_text(f"{first}{between}{second}"))
    assert [record.error for record in records] == [None, None]
    assert [record.puzzle.line() for record in records] == [LINE, FOUR]
    assert records[1].line > first.rstrip().count("\n") + 1


def test_a_list_of_matrices_is_several_puzzles():
    """Three levels of brackets are a list of puzzles, and so is a list of objects."""
    rows = _values(LINE)
    for text in (
        json.dumps([rows, rows, rows]),
        json.dumps([{"board": rows}] * 3),
        json.dumps({"easy": rows, "a": rows, "b": rows}),
    ):
        assert [record.puzzle.line() for record in records_of_text(text)] == [LINE] * 3


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"puzzle": _values(LINE), "solution": _values(SOLVED)}),
        json.dumps({"solution": _values(SOLVED), "board": _values(LINE)}),
        f"Input: board = {_values(LINE)}\nOutput: {_values(SOLVED)}",
        f"board = {_values(LINE)}\n\nsolution = {_values(SOLVED)}",
        json.dumps({"grid": LINE, "solution": SOLVED}),
        json.dumps([_values(LINE), _values(SOLVED)]),
    ],
)
def test_a_solution_belongs_to_its_puzzle(text):
    """A matrix named as a solution, or that completes the one before it, is stated as that puzzle's solution."""
    (record,) = records_of_text(text)
    assert record.puzzle.line() == LINE
    assert record.puzzle.line(record.puzzle.solution) == SOLVED


def test_regions_beside_a_board_are_its_regions():
    """A second matrix that partitions the board is its regions, named so or not."""
    regions = [[1, 1, 1, 2], [1, 3, 2, 2], [3, 3, 4, 2], [3, 4, 4, 4]]
    for text in (json.dumps({"grid": _values(FOUR), "regions": regions}), f"a = {_values(FOUR)}\nb = {regions}"):
        (record,) = records_of_text(text)
        assert record.puzzle.grid == Grid.jigsaw("AAAB ACBB CCDB CDDD")
    (record,) = records_of_text(json.dumps({"grid": _values(FOUR), "regions": [[1] * 4] * 4}))
    assert "expected 4 regions of 4 cells in 'regions'" in str(record.error)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (json.dumps([*_values(LINE)[:3], _values(LINE)[3][:8], *_values(LINE)[4:]]), "row 4: expected 9 cells, got 8"),
        (json.dumps(_values(LINE)[:8]), "expected 9 rows, got 8"),
        (json.dumps({"board": _values(LINE)[:8]}), "expected 9 rows, got 8"),
        (json.dumps([1] * 80), "each cell of a square board (81 for 9x9), got 80"),
        (json.dumps(_values(LINE)).replace("7", "10"), "expected a number from 1 to 9 or a blank, got '10'"),
        (json.dumps(_values(LINE)).replace("7", "7.5"), "got '7.5'"),
        (json.dumps(_values(LINE)).replace("9", "null"), "expected one mark for empty cells, got 0 and none"),
        (
            "[[5 3 0 ... 0 0 0]\n" + " [6 0 0 ... 0 0 0]\n" * 3 + " ...\n" + " [6 0 0 ... 0 0 0]\n" * 3 + "]",
            "expected the whole matrix",
        ),
        (json.dumps({"board": _values(LINE), "cages": [[1, 2], [3, 4]]}), "got 'cages' too, which may be rules"),
        (f"m = matrix(c({_joined(_values(LINE))}), nrow=9)", "a call that fills columns first"),
        (json.dumps(_values(LINE))[:-1], "without its end"),
        (json.dumps(_values(LINE))[:-1] + ")", "to close the '['"),
    ],
)
def test_a_matrix_of_another_shape_is_refused(text, problem):
    """What is wrong is named with its row, what was expected and what came; nothing is guessed."""
    (record,) = records_of_text(text, format="matrix")
    assert record.puzzle is None
    assert problem in str(record.error)


def test_what_is_not_read_is_named():
    """Words around a matrix, and fields that are not known, are warnings."""
    (record,) = records_of_text(f"Difficulty: hard\n{_values(LINE)}\nGood luck!")
    assert record.warnings == ("not read, before the matrix: 'Difficulty: hard'", "not read, after the matrix: 'Good luck!'")
    (record,) = records_of_text(json.dumps({"title": "Mine", "level": 3, "board": _values(LINE), "mode": "antiknight"}))
    assert (record.puzzle.title, record.puzzle.source) == ("Mine", "difficulty 3")
    assert record.warnings == ("not read: the field 'mode'",)


def test_candidates_in_a_matrix_are_candidates():
    """Several digits in a cell are its candidates, as in any other grid."""
    rows = _values(LINE)
    rows[0][2] = 12
    (record,) = records_of_text(str(rows))
    assert record.puzzle.candidates == {2: 1 << 1 | 1 << 2}
    assert record.puzzle.givens == Puzzle.parse(LINE).givens


class Frame:
    """A data frame, as far as its users can tell."""

    def __init__(self, rows):
        """Keep the rows."""
        self.rows = rows

    def to_numpy(self):
        """Return the values, as pandas and Polars do."""
        return np.array(self.rows, dtype=object)

    def __iter__(self):
        """Yield the names of the columns, not the rows."""
        return iter(range(len(self.rows)))


@pytest.mark.parametrize(
    "rows",
    [
        _values(LINE),
        tuple(map(tuple, _values(LINE))),
        [[value or None for value in row] for row in _values(LINE)],
        [[value or float("nan") for value in row] for row in _values(LINE)],
        [[str(value) if value else "" for value in row] for row in _values(LINE)],
        [LINE[start : start + 9] for start in range(0, 81, 9)],
        [LINE[start : start + 9].replace(".", " ") for start in range(0, 81, 9)],
        [",".join(LINE[start : start + 9]) for start in range(0, 81, 9)],
        [",".join(LINE[start : start + 9]).replace(".", "") for start in range(0, 81, 9)],
        [" ".join(LINE[start : start + 9]) for start in range(0, 81, 9)],
        [value for row in _values(LINE) for value in row],
        np.array(_values(LINE)),
        np.array(_values(LINE), dtype=np.uint8),
        np.array(_values(LINE), dtype=float),
        np.array([[str(value or ".") for value in row] for row in _values(LINE)]),
        np.array(_values(LINE)).ravel(),
        np.ma.masked_equal(np.array(_values(LINE)), 0),
        Frame([[value or None for value in row] for row in _values(LINE)]),
        (iter(row) for row in _values(LINE)),
    ],
    ids=(
        [
            "lists",
            "tuples",
            "None",
            "nan",
            "signs",
            "texts",
            "spaces",
            "commas",
            "nothing between commas",
            "cells between spaces",
            "flat",
            "array",
            "uint8",
            "float",
            "text-array",
            "flat-array",
            "masked",
            "frame",
            "iterators",
        ]
    ),
)
def test_rows_of_python_objects_are_a_puzzle(rows):
    """Lists, strings, arrays and data frames mean the same, whatever stands for an empty cell."""
    assert Puzzle.of_rows(rows) == Puzzle.parse(LINE)


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (_values(LINE)[:8], "expected 9 rows, got 8"),
        ([*_values(LINE)[:8], [1, 2]], "row 9: expected 9 cells, got 2"),
        ([*_values(LINE)[:8], [0, 0, 0, 0, 10, 0, 0, 0, 0]], "row 9, column 5: expected a number from 1 to 9"),
        ([*_values(LINE)[:8], [0, 0, 0, 0, 1.5, 0, 0, 0, 0]], "row 9, column 5"),
        ([*_values(LINE)[:8], [0, 0, 0, 0, True, 0, 0, 0, 0]], "got 'True'"),
        (LINE, "expected a list of rows"),
        ({"r1c1": 5}, "expected a list of rows"),
        (7, "expected a list of rows"),
        ([], "expected"),
        ([[]], "expected"),
        (range(10**9), "at most 1296 items"),
    ],
    ids=repr,
)
def test_rows_that_are_no_board_are_refused(rows, problem):
    """The row and the column of what is wrong are named."""
    with pytest.raises(InvalidInput) as caught:
        Puzzle.of_rows(rows)
    assert problem in str(caught.value)


def test_rows_may_have_a_grid_and_signs_of_their_own():
    """A grid that is not square, and an alphabet, are those of `Puzzle.parse`."""
    grid = Grid.rectangle(6, 8, (2, 4))
    assert Puzzle.of_rows([[0] * 8] * 6, grid) == Puzzle(grid)
    found = Puzzle.of_rows(["A...", "..B.", ".C..", "...D"], symbols=letters(range(1, 5)))
    assert [found.givens[cell] for cell in (0, 6, 9, 15)] == [1, 2, 3, 4]


def _beside(**fields):
    (record,) = records_of_text(json.dumps({"puzzle": LINE, **fields}) + "\n")
    return record


@pytest.mark.parametrize(
    "field",
    [{"cages": [{"cells": [[0, 0]], "sum": 5}]}, {"constraints": {"knight": 1}}, {"regions": [[1]]}, {"diagonal": True}],
)
def test_json_beside_a_line_that_may_be_a_rule_is_refused(field):
    """A field beside a puzzle as a text that may be a rule is an error that names it: without it the answer would be wrong."""
    assert re.search(f"got '{next(iter(field))}' too, which may be rules", str(_beside(**field).error))
    assert _beside(index=0, status="unique", **field).error


@pytest.mark.parametrize(
    "words", ["Normal sudoku rules apply.", "standard", "Normal sudoku rules apply, and digits along a line increase."]
)
@pytest.mark.parametrize("shape", [str, lambda words: [words]])
def test_json_beside_a_line_has_rules_in_sentences(words, shape):
    """Sentences are not names: a remark shows them, as in tables; words for a plain sudoku mean nothing; names are rules."""
    record = _beside(rules=shape(words))
    assert record.puzzle == Puzzle.parse(LINE)
    assert record.warnings == ((f"not read: the rules in words in the field 'rules': {words[:60]!r}",) if "," in words else ())
    record = _beside(rules=[words, "diagonals", {"kind": "anti-knight"}])
    assert {rule.kind for rule in record.puzzle.rules} == {"houses", "diagonals", "anti-knight"}
    assert "anti-knight" in str(_beside(rules="anti-night").error)


@pytest.mark.parametrize("hints", [[20, 3], [*range(40)], ["look at r1c1"], [], True, "none"])
@pytest.mark.parametrize(
    "cells", [LINE, [int(sign.replace(".", "0")) for sign in LINE], _values(LINE)], ids=["text", "cells", "rows"]
)
def test_hints_of_newspapers_are_no_rules(cells, hints):
    """Numbers or texts called hints are for the player, and a version alone is not our format: at most a warning names them."""
    inner = {"hints": hints, "puzzle": cells, "solution": [*map(int, SOLVED)]}
    for document in (inner, {"easy": {"version": 1, "difficulty": "easy", "puzzle_data": inner}}):
        if document is not inner and cells is LINE:
            continue
        (record,) = records_of_text(json.dumps(document))
        assert (record.puzzle.line(), record.puzzle.solution) == (LINE, tuple(map(int, SOLVED)))
    (record,) = records_of_text(json.dumps({**inner, "hints": [{"cells": [1, 2]}]}))
    assert "got 'hints' too, which may be rules" in str(record.error)


def test_json_beside_a_line_that_is_a_word_is_named():
    """A word that may be a rule is named in a warning; what describes a puzzle is not."""
    assert _beside(mode="anti-knight", set="x").warnings == ("not read: the fields 'mode', 'set'",)
    record = _beside(id=4, difficulty="easy", title="Monday", author="Ann", date="2024-01-01", diagonal=False)
    assert (record.warnings, record.puzzle.title, record.puzzle.author) == ((), "Monday", "Ann")


@pytest.mark.parametrize("rules", ["diagonals", ["diagonals"], [{"kind": "diagonals"}], '[{"kind": "diagonals"}]'])
def test_json_beside_a_line_has_rules(rules):
    """Rules beside a puzzle are its rules, by name or as JSON; an unknown one is an error."""
    assert [rule.kind for rule in _beside(rules=rules).puzzle.rules] == ["houses", "diagonals"]
    assert "nonsense" in str(_beside(rules=["nonsense"]).error)


@pytest.mark.parametrize("name", ["solution", "solved", "answer"])
@pytest.mark.parametrize(
    "stated", [SOLVED, [*map(int, SOLVED)], np.reshape([*SOLVED], (9, 9)).tolist()], ids=["text", "cells", "rows"]
)
def test_json_beside_a_line_has_a_solution(name, stated):
    """A solution beside a puzzle is its stated solution, as a text, cells or rows."""
    record = _beside(**{name: stated})
    assert (record.puzzle.solution, record.warnings) == (tuple(map(int, SOLVED)), ())


VERBS = ["solve --all", "check", "count --estimate", "candidates --cap 3", "audit --all", "prove --out proof"]


@pytest.mark.parametrize("verb", VERBS)
def test_json_that_a_verb_answers_is_read(verb, tmp_path, monkeypatch, capsys):
    """The answer of each verb about a puzzle is read as its puzzle, without a word."""
    path = tmp_path / "puzzle.txt"
    path.write_text(f"{LINE}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["sudoku-cp", *verb.split(), "--json", str(path)])
    with pytest.raises(SystemExit):
        main()
    record = next(records_of_text(capsys.readouterr().out))
    assert (record.puzzle.line(), record.warnings) == (LINE, ())


def test_the_fields_of_answers_are_known():
    """Every field of an answer of the service with a puzzle in it means nothing beside a puzzle that is read."""
    for name, question in QUESTIONS.items():
        fields = {field.alias or name for name, field in question.answer.model_fields.items()}
        sent = {field: ["x"] for field in fields} | {"index": 0, "status": "unique", "puzzle": LINE}
        if "puzzle" in fields:
            record = _beside(**sent)
            assert (name, record.error, record.warnings) == (name, None, ())


def test_our_own_puzzles_within_answers_are_read_without_a_remark():
    """A line of `generate`, `audit` or `compare` is a part of an answer: nothing in it is strange to our own reader."""
    parts = {kind for name in NAMES for kind in parts_of(answer_type(question_named(name)))}
    with_puzzle = [kind for kind in parts if "puzzle" in {one.name for one in json_fields(kind)}]
    assert len(with_puzzle) >= 3
    for kind in with_puzzle:
        fields = {one.name for one in json_fields(kind)} - {"puzzle"}
        record = _beside(**{name: ["x"] for name in fields} | {"index": 0, "status": "unique", "puzzle": LINE})
        assert (kind.__name__, record.error, record.warnings) == (kind.__name__, None, ())


@pytest.mark.parametrize("mark", [{"index": 3}, {"status": "new"}, {"seed": 7}])
def test_lines_beside_a_puzzle_may_be_rules_whatever_else_is_there(mark):
    """A number or a status does not make an object one of our own answers, whose fields mean nothing here."""
    (record,) = records_of_text(json.dumps({**mark, "puzzle": LINE, "lines": [[1, 2, 3]]}))
    assert "'lines'" in str(record.error)


def test_an_object_that_counts_its_rows_is_a_matrix():
    """The numbers of rows and columns beside rows are no call that fills columns first."""
    (record,) = records_of_text(json.dumps({"nrow": 9, "ncol": 9, "board": _values(LINE)}))
    assert record.puzzle == Puzzle.parse(LINE)


@pytest.mark.parametrize("pattern", ["a: 1, ", "1 2; "])
def test_the_work_of_brackets_grows_with_their_length(pattern):
    """Labels and rows look at the item before them, not at all of them."""
    counts = []
    for number in (500, 1000):
        calls = 0

        def count(_frame, event, _argument):
            nonlocal calls
            calls += event in {"call", "c_call"}

        sys.setprofile(count)
        try:
            list(parse_brackets(iter([(1, f"x = [{pattern * number}]")])))
        finally:
            sys.setprofile(None)
        counts.append(calls)
    assert counts[1] < 2.5 * counts[0]


def _shaped(shape, rows):
    """Return a board as JSON would have it: rows, all cells, or a text."""
    cells = [value for row in rows for value in row]
    return {"rows": rows, "cells": cells, "text": "".join(str(value or ".") for value in cells)}[shape]


STATE = LINE[:2] + "4" + LINE[3:]


@pytest.mark.parametrize("shape", ["rows", "cells", "text"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    "names", [("puzzle", "userGrid"), ("initial", "state"), ("givens", "current"), ("grid", "my_progress"), ("start", "board")]
)
def test_a_players_board_in_json_is_no_puzzle(names, turned, shape):
    """Of two boards in an object the one that the other goes on with is the puzzle, in either order; the other is a position."""
    boards = [(names[0], _shaped(shape, _values(LINE))), (names[1], _shaped(shape, _values(STATE)))]
    for text in (json.dumps(dict(boards[:: -1 if turned else 1])), json.dumps([dict(boards)] * 2)):
        for record in records_of_text(text):
            assert record.puzzle.line() == LINE
            assert record.position().values[:4] == (5, 3, 4, None)
            assert record.warnings == (f"values that a player has filled in are not read: 1, in the field {names[1]!r}",)


@pytest.mark.parametrize("shape", ["rows", "cells", "text"])
def test_who_reads_a_position_misses_no_warning_but_that_of_its_values(shape):
    """What a player has placed is part of a position; rules that were added, and fields that were not read, are warned of."""
    puzzle, entered = _shaped(shape, _values(LINE)), _shaped(shape, _values(STATE))
    (record,) = records_of_text(
        json.dumps({"puzzle": puzzle, "current": entered, "variant": "anti-knight", "mood": "gay"}) + "\n"
    )
    filled = "values that a player has filled in are not read: 1, in the field 'current'"
    assert filled in record.warnings
    assert record.position_warnings == tuple(one for one in record.warnings if one != filled)
    assert "anti-knight" in str(record.position_warnings)
    assert "'mood'" in str(record.position_warnings)


@pytest.mark.parametrize("shape", ["rows", "text"])
def test_a_players_board_that_contradicts_is_named(shape):
    """A player's board that lacks a given is not read, and a warning names it; it is no second puzzle."""
    wrong = _shaped(shape, _values("6" + STATE[1:]))
    (record,) = records_of_text(json.dumps({"state": wrong, "puzzle": _shaped(shape, _values(LINE))}))
    assert (record.puzzle.line(), record.state) == (LINE, None)
    assert "'state'" in record.warnings[0]


def test_two_puzzles_in_an_object_are_never_one():
    """Matrices that do not go together are a puzzle each; beside a line, another that may be the puzzle is refused by name."""
    other = LINE[::-1]
    records = records_of_text(json.dumps({"puzzle1": _values(LINE), "puzzle2": _values(other)}))
    assert [record.puzzle.line() for record in records] == [LINE, other]
    assert "'puzzle' and 'initial'" in str(_beside(initial=other).error)


@pytest.mark.parametrize("name", ["type", "variant", "constraints"])
@pytest.mark.parametrize("stated", ["anti-knight", ["anti-knight"], "Anti Knight"])
def test_a_field_names_rules(name, stated):
    """The name of a rule beside a board is a rule of it, which a remark says, whether the board is a text or a matrix."""
    for board in ({"puzzle": LINE}, {"puzzle": _values(LINE)}, {"board": LINE}):
        (record,) = records_of_text(json.dumps(board | {name: stated}))
        assert [rule.kind for rule in record.puzzle.rules] == ["houses", "anti-knight"]
        assert record.warnings == (f"added the rule anti-knight, stated in the field {name!r}",)


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("board", [{"puzzle": LINE}, {"board": _values(LINE)}, {"grid": LINE}])
@pytest.mark.parametrize("several", [False, True])
def test_the_difficulty_beside_a_board_is_its_label(indent, board, several):
    """Labels are read wherever JSON has its puzzles: on one line, indented, in arrays."""
    labels = ["easy", "very hard", "3"]
    objects = [board | {"difficulty": label} for label in labels]
    texts = [json.dumps(objects, indent=indent)] if several else [json.dumps(one, indent=indent) for one in objects]
    assert [record.difficulty for text in texts for record in records_of_text(text)] == labels


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("side", [9, 16])
def test_numbers_from_zero_are_refused(mark, side):
    """Where 0 and empty fields stand in a table without its last number, both readings are named and none is guessed."""
    rows = [["" if (row + column) % 3 else str((row + column) % side) for column in range(side)] for row in range(side)]
    (record,) = records_of_text("\n".join(map(mark.join, rows)) + "\n")
    assert f"the values are 0 to {side - 1}" in str(record.error)


def test_zero_is_a_value_where_nothing_else_can_be_one():
    """In rows of 0 to F with another sign for empty cells, 0 is the first value, as in a line of such signs."""
    rows = [
        ["" if sign == "." else "0123456789ABCDEF"["123456789ABCDEFG".index(sign)] for sign in SIXTEEN[at : at + 16]]
        for at in range(0, 256, 16)
    ]
    (record,) = records_of_text(repr(rows))
    assert record.puzzle.givens == Puzzle.parse(SIXTEEN).givens


TEXTS_IN_CODE = {
    "JSON": json.dumps,
    "Python": lambda line: f"grid = {line!r}\n",
    "annotated": lambda line: f"grid: str = '{line}'  # mine\nprint(solve(grid))\n",
    "JavaScript": lambda line: f"const puzzle = `{line}`;\n",
    "Java": lambda line: f'    private static final String PUZZLE = "{line}";\n',
    "C": lambda line: f'char board[] = "{line}";\n',
    "YAML": lambda line: f'name: easy\npuzzle: "{line}"\n',
    "a list": lambda line: repr([line]),
    "a call": lambda line: f'solve("{line}")\n',
}


@pytest.mark.parametrize("notation", TEXTS_IN_CODE)
def test_a_text_in_code_is_a_puzzle(notation):
    """A string of as many signs as a board has cells is one, alone, assigned, in a list or in a call."""
    assert [record.puzzle and record.puzzle.line() for record in records_of_text(TEXTS_IN_CODE[notation](LINE))] == [LINE]


@pytest.mark.parametrize("number", [2, 3, 4, 9, 10])
def test_a_list_of_texts_is_as_many_puzzles(number):
    """Each string is a board, however many there are; rows of one board are as many as each has cells."""
    assert [record.puzzle.line() for record in records_of_text(repr([LINE] * number))] == [LINE] * number
    rows = [LINE[at : at + 9] for at in range(0, 81, 9)]
    assert [record.puzzle.line() for record in records_of_text(repr(rows))] == [LINE]


@pytest.mark.parametrize("side", [4, 6, 9, 16])
@pytest.mark.parametrize("before", ["puzzle:\n", "", "name: easy\npuzzle:\n"])
def test_rows_of_yaml_are_a_matrix(side, before):
    """Rows in brackets of their own, one a line, are a board once there are as many as each has cells."""
    rows = "".join(f"  - {row}\n" for row in _values(BOARDS[side]))
    records = list(records_of_text(before + rows))
    assert [record.puzzle.line() for record in records] == [BOARDS[side]]
    assert ["easy" in warning for warning in records[0].warnings] == [True] * ("name" in before)


def test_boards_outside_the_brackets_are_read():
    """A text with lines, rows and matrices has all of their puzzles, in order and with their lines."""
    rows = "\n".join(LINE[at : at + 9] for at in range(0, 81, 9))
    text = f"{LINE}\n\n{rows}\n\n{_values(SIX)}\n\n{rows}\nend = True\n{_values(LINE)}\n{LINE}\n"
    records = list(records_of_text(text))
    assert [record.puzzle.line() for record in records] == [LINE, LINE, SIX, LINE, LINE, LINE]
    assert [record.line for record in records] == [1, 3, 13, 15, 25, 26]
    assert [record.warnings for record in records if record.warnings] == [("not read, before the matrix: 'end = True'",)]


HTML_CELLS = {
    "text": "<td>{}</td>",
    "entities": "<td class='cell'>\n  <span><b>{}</b></span>&nbsp;</td>",
    "inputs": '<td><input type="text" maxlength="1" value="{}"></td>',
    "unclosed": "<TD>{}",
}


@pytest.mark.parametrize("cell", HTML_CELLS)
@pytest.mark.parametrize("side", [4, 9, 16])
def test_tables_of_web_pages_are_boards(cell, side):
    """A row for each tr and a cell for each td are a board, whatever else is on the page; each table is one."""
    rows = [[str(value or "") for value in row] for row in _values(BOARDS[side])]
    table = "".join("<tr>" + "".join(HTML_CELLS[cell].format(value) for value in row) + "</tr>\n" for row in rows)
    page = (
        f"<!DOCTYPE html>\n<html><body><h1>Today (9)</h1>\n<table id=a>\n{table}</table>\n<p>or</p><table><tbody>{table}</table>"
    )
    assert [record.puzzle and record.puzzle.line() for record in records_of_text(page)] == [BOARDS[side]] * 2


def test_a_page_without_a_board_is_refused():
    """Tables of other things are no puzzles."""
    (record,) = records_of_text("<table><tr><td>Name</td><td>Age</td></tr><tr><td>Ann</td><td>7</td></tr></table>")
    assert record.puzzle is None


@pytest.mark.parametrize(
    "template", ["puzzle = {}\nsolution = {}\n", '{{"puzzle": {}, "solution": {}}}', '{{"solution": {1}, "board": {0}}}']
)
def test_the_solution_of_a_matrix_without_a_row_is_no_puzzle(template):
    """Where rows or cells are missing in a matrix, what is called its solution is not read as a puzzle of its own."""
    solved = [[(3 * row + row // 3 + column) % 9 + 1 for column in range(9)] for row in range(9)]
    board = [[value * (row % 2) for value in line] for row, line in enumerate(solved)]
    for damaged in (board[:8], [*board[:8], board[8][:8]]):
        (record,) = records_of_text(template.format(damaged, solved))
        assert "expected 9" in str(record.error)


@pytest.mark.parametrize("side", [4, 6, 9])
@pytest.mark.parametrize("form", ["texts", "lists", "flat"])
@pytest.mark.parametrize("name", ["columns", "boxes", "blocks"])
def test_columns_and_boxes_are_read_as_such(name, form, side):
    """A field called columns or boxes has those of the board, not its rows."""
    line, (height, width) = BOARDS[side], default_boxes(side)
    cells = range(side * side)
    places = sorted(cells, key=lambda at: (at % side, at))
    if name != "columns":
        places = sorted(cells, key=lambda at: (at // side // height, at % side // width, at))
    signs = [line[at] for at in places]
    parts = ["".join(signs[start : start + side]) for start in range(0, side * side, side)]
    found = {"texts": parts, "lists": [[int(sign.replace(".", "0")) for sign in part] for part in parts]}
    data = {name: found.get(form) or [int(sign.replace(".", "0")) for sign in signs]}
    (record,) = records_of_text(json.dumps(data))
    assert record.error is None
    assert record.puzzle.line() == line


def test_boxes_of_a_board_without_boxes_are_refused():
    """A prime board has no boxes: a field called so is refused, and the message asks for rows."""
    (record,) = records_of_text(json.dumps({"boxes": [[1, 0, 0, 0, 0]] * 5}))
    assert "expected a square board with boxes in the field 'boxes', got one of 5x5: write its rows" in str(record.error)


@pytest.mark.parametrize("board", [{"board": _values(LINE)}, {"puzzle": LINE}])
def test_a_rule_that_is_true_beside_a_board_is_refused(board):
    """A field that is true may be a rule, beside a board of rows as beside a text; what only praises the puzzle is none."""
    (record,) = records_of_text(json.dumps({"antiknight": True, **board}))
    assert "got 'antiknight' too, which may be rules" in str(record.error)
    (record,) = records_of_text(json.dumps({"antiknight": False, "unique": True, "success": True, **board}))
    assert record.puzzle.line() == LINE


@pytest.mark.parametrize("board", [{"board": _values(LINE)}, {"puzzle": LINE}])
@pytest.mark.parametrize("nothing", [None, ""])
def test_texts_that_are_null_are_none(board, nothing):
    """A title or an author that JSON gives as null or as an empty text is not there."""
    (record,) = records_of_text(json.dumps({"title": nothing, "author": nothing, "source": nothing, "id": nothing, **board}))
    assert (record.puzzle.title, record.puzzle.author, record.puzzle.source) == ("", "", "")


_OF_EVERY_TYPE = [
    None,
    True,
    0,
    -1,
    4.0e80,
    float("nan"),
    10**100,
    "",
    "1",
    SOLVED[:80],
    [],
    [[]],
    [None] * 81,
    [["x"] * 9] * 9,
    {},
    [{}],
]


@pytest.mark.parametrize("base", [{}, {"puzzle": LINE, "solution": SOLVED}, {"board": _values(LINE)}], ids=str)
@pytest.mark.parametrize(
    "name", ["puzzle", "solution", "rules", "title", "board", "progress", "regions", "type", "difficulty", "grid"]
)
def test_json_of_any_type_is_a_puzzle_or_an_error(name, base):
    """Whatever a field holds, also beside a whole solution, the record has a puzzle or an error of ours."""
    for value in (*_OF_EVERY_TYPE, json.loads("[" * 400 + "]" * 400)):
        for data in ({**base, name: value}, {name: value, "solution": SOLVED}, {name: value, "values": SOLVED}):
            for record in records_of_text(json.dumps(data)):
                assert bool(record.puzzle) != bool(record.error)
    (record,) = records_of_text(json.dumps({"puzzle": None, "solution": SOLVED}))
    assert "expected a puzzle as a text or an object, got None" in str(record.error)


@pytest.mark.parametrize("name", ["rules", "variants", "type"])
def test_rules_in_a_statement_of_their_own_are_those_of_the_puzzle(name):
    """Names of rules in a list beside a board, as in TOML, are rules of the next puzzle, or of the one before if it is first."""
    for board in (f"puzzle = '{LINE}'", f"puzzle = {_values(LINE)}"):
        for text in (f'{name} = ["anti-knight"]\n{board}\n', f'{board}\n{name} = ["anti-knight"]\n'):
            (record,) = records_of_text(text)
            assert [rule.kind for rule in record.puzzle.rules] == ["houses", "anti-knight"]
        before = f'{name} = ["anti-knight"]\n{board}\n{name} = ["anti-king"]\n{board}\n'
        after = f'{board}\n{name} = ["anti-knight"]\n{board}\n{name} = ["anti-king"]\n'
        for text in (before, after):
            kinds = [record.puzzle.rules[1].kind for record in records_of_text(text)]
            assert kinds == ["anti-knight", "anti-king"]


@pytest.mark.parametrize(
    "heading", ["<h1>Diagonal Sudoku</h1>", "<title>Diagonal sudoku &amp; more</title>", "<h3 class='a'>Killer</h3>"]
)
def test_headings_of_pages_that_name_a_rule_are_named(heading):
    """A rule that the heading above a table of a web page names is in a warning; other headings are not."""
    rows = "".join(f"<tr>{''.join(f'<td>{value or str()}</td>' for value in row)}</tr>" for row in _values(LINE))
    (record,) = records_of_text(f"{heading}\n<h2>Monday</h2><table>{rows}</table>")
    assert record.puzzle.line() == LINE
    (warning,) = record.warnings
    assert heading.split(">")[1][:6] in warning
    (record,) = records_of_text(f"<h1>Monday</h1><table>{rows}</table>")
    assert record.warnings == ()

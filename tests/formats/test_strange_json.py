"""JSON of other programs: what is clear is read, and what could be meant in two ways is refused."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.formats import records_of_text

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "..1.4.....435..86.6.9.....5.....1..2.9.3.4.5....25..9.96...8....7.6..2..8......34"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [[int(sign) if sign != "." else 0 for sign in LINE[at : at + 9]] for at in range(0, 81, 9)]
EMPTY = [[cell or None for cell in row] for row in ROWS]
CELLS = [(row, column, value) for row, cells in enumerate(EMPTY) for column, value in enumerate(cells)]


def _read(data):
    return [*records_of_text(json.dumps(data))]


@pytest.mark.parametrize("name", ["mission", "q", "Sudoku String"])
def test_a_board_has_any_name(name):
    """The one board of an object is its puzzle, be it in lines or within other objects."""
    data = {"id": 7, name: LINE, "solution": SOLVED}
    text = "\n".join([json.dumps(data)] * 2)
    nested = {"data": {"items": [{"attributes": data}, {"attributes": data}]}}
    for records in ([*records_of_text(text)], _read([data, data]), _read(nested)):
        assert [record.puzzle and record.puzzle.line() for record in records] == [LINE, LINE]
        assert [record.puzzle.line(record.puzzle.solution) for record in records] == [SOLVED, SOLVED]


def test_boards_by_name_are_several_puzzles():
    """An object of nothing but boards has as many puzzles, with their names as titles."""
    records = _read({"monday": LINE, "tuesday": OTHER})
    assert [(record.puzzle.title, record.puzzle.line()) for record in records] == [("monday", LINE), ("tuesday", OTHER)]


@pytest.mark.parametrize(
    "data",
    [
        {"rows": [{"cells": row} for row in EMPTY]},
        [[{"value": cell, "fixed": cell > 0} for cell in row] for row in ROWS],
        {"board": [[{"v": cell} for cell in row] for row in EMPTY]},
        [{str(at): cell for at, cell in enumerate(row)} for row in ROWS],
        [{f"c{at}": cell for at, cell in enumerate(row, 1)} for row in ROWS],
        {"cells": [{"row": row, "column": column, "value": value, "given": bool(value)} for row, column, value in CELLS]},
        {f"{row},{column}": value for row, column, value in CELLS if value},
        {f"({row}, {column})": value for row, column, value in CELLS if value},
        {str(9 * row + column): value for row, column, value in CELLS if value},
        [{"index": 9 * row + column, "value": value} for row, column, value in CELLS if value],
        [{"index": 9 * row + column + 1, "value": value} for row, column, value in CELLS if value],
    ],
    ids=[
        "rows",
        "cells",
        "cells of a field",
        "records",
        "named columns",
        "flags",
        "pairs",
        "tuples",
        "numbers",
        "from 0",
        "from 1",
    ],
)
def test_rows_and_cells_may_be_objects(data):
    """Rows and cells as objects are those of the same board as arrays."""
    (record,) = _read(data)
    assert record.error is None
    assert record.puzzle.line() == LINE


@pytest.mark.parametrize("labels", [[row // 3 * 3 + column // 3 for row in range(9) for column in range(9)], "AAABBBCCC" * 9])
def test_regions_stand_in_the_object_of_a_line(labels):
    """Regions in an object with a puzzle as a text are its regions, and a wrong number of them is refused."""
    rows = [labels[at : at + 9] for at in range(0, 81, 9)]
    whole = len({*labels}) == 9 and isinstance(labels, list)
    (record,) = _read({"puzzle": LINE, "regions": rows})
    assert (record.error is None) == whole
    assert whole or "expected 9 regions of 9 cells in the field 'regions'" in str(record.error)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({str(column): {str(row): ROWS[row][column] for row in range(9)} for column in range(9)}, "may be rows or columns"),
        ({str(at): value for at, value in enumerate(OTHER) if value != "."}, "counted from 0 or from 1"),
        ([[{"value": cell, "fixed": False} for cell in row] for row in ROWS], "expected the values that are given"),
        ({"mission": LINE[:-1], "id": 1}, "in the field 'mission', got 80"),
        ({"one": LINE, "two": OTHER, "id": 1}, "boards in the fields 'one' and 'two'"),
        ({"monday": LINE, "later": SOLVED[:-1] + "."}, "boards in the fields 'monday' and 'later'"),
    ],
    ids=["columns", "numbers", "a player's", "a cell too few", "two", "continued"],
)
def test_what_may_be_meant_otherwise_is_refused(data, message):
    """No board is guessed, and the error says what is unclear."""
    (record,) = _read(data)
    assert message in str(record.error)


def test_what_a_player_has_is_not_the_puzzle_whatever_that_is_called():
    """A board under any name comes before one that is called current."""
    current = SOLVED[:-9] + LINE[-9:]
    for data in ({"mission": LINE, "current": current}, {"current": current, "mission": LINE}):
        (record,) = _read(data)
        assert record.puzzle.line() == LINE
        assert len(record.state.placed) == sum(sign == "." for sign in LINE[:-9])

"""Lists of cells are read in common spellings, and what may be meant in two ways is refused with both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.formats import read_records, records_of_text
from sudoku_cp.grid import Grid
from sudoku_cp.questions import ask

PLAIN = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
CELLS = [(cell // 9 + 1, cell % 9 + 1, int(sign)) for cell, sign in enumerate(PLAIN) if sign != "0"]
ZERO = [(row - 1, column - 1, value) for row, column, value in CELLS]


def lines(pattern: str, cells: list[tuple[int, int, int]] = CELLS) -> str:
    """Return a line for each cell."""
    return "\n".join(pattern.format(*cell) for cell in cells)


TEXTS: dict[str, str] = {
    "a table": f"row,col,value\n{lines('{},{},{}')}",
    "from 0": f"row,col,value\n{lines('{},{},{}', ZERO)}",
    "semicolons": f"Row;Column;Digit\n{lines('{};{};{}')}",
    "tabs": "r\tc\tv\n" + lines("{}\t{}\t{}"),
    "columns first": f"x,y,value\n{lines('{1},{0},{2}')}",
    "an index": f",row,col,value\n{lines('0,{},{},{}')}",
    "Markdown": f"| row | col | value |\n|---|---|---|\n{lines('| {} | {} | {} |')}",
    "no header": lines("{},{},{}"),
    "spaces": lines("{} {} {}"),
    "all cells": "\n".join(f"{cell // 9},{cell % 9},{sign}" for cell, sign in enumerate(PLAIN)),
    "empty values": "row,col,value\n" + "\n".join(f"{cell // 9},{cell % 9},{sign.strip('0')}" for cell, sign in enumerate(PLAIN)),
    "JSON objects": json.dumps([{"row": row, "col": column, "value": value} for row, column, value in ZERO], indent=1),
    "JSON x and y": json.dumps([{"x": column, "y": row, "value": value} for row, column, value in ZERO]),
    "JSON triples": json.dumps(CELLS),
    "JSON names": json.dumps({f"r{row}c{column}": value for row, column, value in CELLS}),
    "JSON in an object": json.dumps(
        {"size": 9, "cells": [{"row": row, "col": column, "value": value} for row, column, value in ZERO]}
    ),
    "JSON lines": "\n".join(json.dumps({"row": row, "col": column, "value": value}) for row, column, value in ZERO),
    "JavaScript": "[\n" + lines("{{row: {}, col: {}, value: {}}},", ZERO) + "\n];",
    "YAML": lines("- {{row: {}, col: {}, value: {}}}", ZERO),
    "tuples": str(CELLS),
    "named tuples": f"givens = {CELLS}",
    "a dictionary": str({(row, column): value for row, column, value in ZERO}),
    "C": "int cells[][3] = {" + ",".join(f"{{{row},{column},{value}}}" for row, column, value in CELLS) + "};",
    "names": lines("r{}c{}={}"),
    "capitals": lines("R{}C{}: {}"),
    "one line": lines("r{}c{}={}").replace("\n", ", "),
    "words around": "Today's puzzle:\n\n" + lines("r{}c{} = {}").replace("\n", ", ") + "\n\nHave fun!",
    "bullets": lines("- r{}c{}: {}"),
    "pairs": lines("({},{})={}"),
    "words": lines("row {}, column {}: {}"),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_cells_are_read_in_common_spellings(text: str) -> None:
    """The board is 9x9, since a 9 shows that, and a warning says how it was read."""
    (record,) = records_of_text(text)
    assert record.error is None, record.error
    assert record.puzzle == Puzzle.parse(PLAIN)
    assert "read as a list of cells" in record.warnings[-1]


SMALL = [cell for cell in CELLS if max(cell) < 7]
REFUSED: dict[str, tuple[str, str]] = {
    "rows from 0 or 1": (
        lines("{},{},{}", [cell for cell in CELLS if max(cell[:2]) < 9]),
        "from 0, as r2c2=5 or from 1, as r1c1=5",
    ),
    "the size": (lines("r{}c{}={}", SMALL), "`size` .* a 9x9 board or one of 6x6"),
    "a large board": (lines("r{}c{}={}") + "\nr12c1=6", "`size` with a list of cells on a board larger than 9x9, got 12"),
    "a cell twice": (lines("r{}c{}={}") + "\nr1c1=6", "line 31: expected each cell once, got r1c1 as 5 and as 6"),
    "letters": (
        "\n".join(f"{'ABCDEFGHI'[row - 1]}{column}={value}" for row, column, value in CELLS),
        r"row \(r1c2=3\) or a column \(r2c1=3\)",
    ),
    "the value first": (lines("{2},{0},{1}"), "may be value, row, column"),
    "triples with the value first": (
        json.dumps([(value, row, column) for row, column, value in CELLS]),
        "may be value, row, column",
    ),
    "an empty 0": (lines("r{}c{}={}", [(row, column, value % 9) for row, column, value in CELLS]) + "\nr9c1=9", ""),
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.values(), ids=REFUSED)
def test_what_may_be_meant_in_two_ways_is_refused_with_both(text: str, expected: str) -> None:
    """No list is answered as another puzzle than was meant."""
    (record,) = records_of_text(text)
    if not expected:
        assert record.puzzle is not None  # a 9 shows that 0 is no value
        return
    assert record.error is not None
    assert re.search(expected, str(record.error)), record.error


OTHERS: dict[str, Callable[[], str]] = {
    "steps of a path": lambda: lines("Hidden single: r{}c{}={}"),
    "rows of boxes": lambda: str([tuple(map(int, PLAIN[start : start + 3])) for start in range(0, 81, 3)]),
    "a matrix of boxes": lambda: json.dumps(
        [[[*map(int, PLAIN[start : start + 3])] for start in range(row, row + 9, 3)] for row in range(0, 81, 9)]
    ),
    "cages": lambda: str([([(0, 0), (0, 1)], 10), ([(1, 0), (1, 1)], 9)] * 5),
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_lists_are_no_givens(text: Callable[[], str]) -> None:
    """Placements on the way, cages, and boards in other shapes are not read as lists of givens."""
    for record in records_of_text(text()):
        assert record.error is not None or record.puzzle == Puzzle.parse(PLAIN)


def test_the_size_may_be_stated() -> None:
    """A stated board decides where the list does not show its own."""
    (record,) = records_of_text(lines("r{}c{}={}", SMALL), grid=Grid.square(6))
    assert record.puzzle is not None
    assert record.puzzle.grid == Grid.square(6)


@pytest.mark.parametrize(
    "cells", [CELLS, {"cells": CELLS}, [{"row": row, "col": column, "value": value} for row, column, value in CELLS]]
)
def test_a_body_may_have_a_list_of_cells(cells: object) -> None:
    """An array of cells is no matrix."""
    assert ask("count", {"puzzle": cells})["count"] == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{PLAIN} Für Anfänger, é €", "Für Anfänger, é €"),
        ("Sudoku für Anfänger\n" + "\n".join(PLAIN[row : row + 9] for row in range(0, 81, 9)), "Sudoku für Anfänger"),
        (f"title,puzzle\nRätsel,{PLAIN}", "Rätsel"),
    ],
    ids=["line", "drawing", "csv"],
)
def test_words_in_windows_1252_are_read(tmp_path, text: str, words: str) -> None:
    """Where no cell depends on the encoding, titles are decoded, and a warning says so."""
    (tmp_path / "puzzles.txt").write_bytes(text.encode("cp1252"))
    (record,) = read_records(tmp_path / "puzzles.txt")
    assert record.puzzle is not None
    assert record.puzzle.title == words
    assert f"not UTF-8, read as Windows-1252: {words}" in record.warnings


@pytest.mark.parametrize("sign", ["·", "\xa0", "×"])  # noqa: RUF001  # such signs stand for empty cells
def test_cells_in_another_encoding_are_refused(tmp_path, sign: str) -> None:
    """What a cell is depends on the encoding, so the error says what to do."""
    (tmp_path / "puzzles.txt").write_bytes(PLAIN.replace("0", sign).encode("latin-1"))
    (record,) = read_records(tmp_path / "puzzles.txt")
    assert record.error is not None
    assert "save the text as UTF-8" in str(record.error)


def test_a_table_with_names_may_be_short() -> None:
    """Three cells below the names of a row, a column and a value are a board with three givens."""
    (record,) = records_of_text("row,col,value\n1,1,5\n1,2,3\n9,9,9\n")
    assert record.puzzle is not None
    assert record.puzzle.givens == {0: 5, 1: 3, 80: 9}

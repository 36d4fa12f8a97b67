"""Puzzles in JSON of other programs: boards by any name, in objects within objects, and rows or cells that are objects.

What is clear becomes an object with a ``puzzle``, as this program's answers are; what could be meant in two ways is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.board_roles import board_role
from sudoku_cp.formats.board_text.alphabets import can_be_board
from sudoku_cp.formats.jigsaws import is_layout
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import BLANKS, is_mostly_plain

_LEAST, _LEAST_SIDE, _MOST_SIDE, _DIGITS = 16, 4, 36, 9
_DEEPEST = 8
_LONGEST_INDEX = 4
_LONGEST = 2000
"""Signs of a text that may be meant as a board."""
_VALUE = frozenset({"value", "val", "v", "digit", "number", "num"})
_FLAGS = frozenset({"given", "fixed", "isgiven", "isfixed", "locked", "readonly", "clue", "editable", "prefilled", "initial"})
_NOTES = frozenset({"notes", "candidates", "marks", "pencilmarks", "row", "col", "column", "color", "id"})
_NO_PUZZLE = frozenset({"solution", "regions", "state"})
_INDEX = frozenset({"index", "idx", "cell", "pos", "position", "i"})
_OWN = frozenset({"puzzle", "format", "givens", "rules", "grid", "candidates", "play", "symbols", "version"})
_NUMBERED = re.compile(r"[A-Za-z_ ]*(\d+)")


def boards_of(data: Mapping[str, Any]) -> list[str]:
    """Return the fields of an object that hold a board as a text and are not called a solution, regions or a player's."""
    return [name for name, value in data.items() if board_role(name) not in _NO_PUZZLE and _is_board(value)]


def _is_board(value: Any) -> bool:
    side = square_side(len(value)) if isinstance(value, str) and len(value) >= _LEAST else None
    return side is not None and is_mostly_plain(value) and can_be_board(value, range(1, side + 1)) and not is_layout(value)


def with_puzzle(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return an object with its one board as ``puzzle``, None if it has none; raise `ParseError` if it has several."""
    boards = boards_of(data)
    if len(boards) > 1:
        names = " and ".join(map(repr, boards[:5]))
        raise ParseError(f"expected one puzzle in an object, got boards in the fields {names}: call just one of them 'puzzle'")
    return {"puzzle" if name == boards[0] else name: value for name, value in data.items()} if boards else None


def nearly_boards(data: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with fields of an object that were meant as boards."""
    texts = [(name, value) for name, value in data.items() if isinstance(value, str) and _LEAST <= len(value) <= _LONGEST]
    return [
        f"expected one sign for each cell of a square board (81 for 9x9) in the field {name!r:.40}, got {len(value)}"
        for name, value in texts
        if is_mostly_plain(value) and not any(map(str.isspace, value)) and square_side(len(value)) is None
    ]


def puzzles_in(text: str) -> list[Any] | None:
    """Return the puzzles of a document whose form is not that of other formats, as data; None for any other text.

    Raises `ParseError` for data that may be meant in two ways.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = _puzzles_of(data)
    return None if found is None or found in ([data], data) else found


def _puzzles_of(data: Any, depth: int = 0) -> list[Any] | None:
    """Return the puzzles in data: the one of an object or a matrix, or those within it."""
    if depth > _DEEPEST:
        return None
    if cells := _indexed_cells(data):
        return [{"puzzle": _line_of(cells)}]
    if rows := _rows_of(data):
        return [{"puzzle": rows}]
    if isinstance(data, list):
        inner = [_puzzles_of(one, depth + 1) if isinstance(one, dict) else None for one in data]
        return [one for found in inner for one in found or []] if inner and all(inner) else None
    return _puzzles_of_object(data, depth) if isinstance(data, dict) and _OWN.isdisjoint(data) else None


def _puzzles_of_object(data: dict[str, Any], depth: int) -> list[Any] | None:
    """Return the puzzles of an object: itself with its board, its boards by their names, or those in its only field."""
    if boards := boards_of(data):
        return _by_name(data) if len(boards) == len(data) > 1 else [data]
    return _puzzles_of(next(iter(data.values())), depth + 1) if len(data) == 1 else None


def _by_name(data: Mapping[str, str]) -> list[Any] | None:
    """Return the boards of an object of nothing else as puzzles with their names, None if one continues another."""
    boards = [*data.values()]
    apart = not any(_are_alike(one, other) for one, other in combinations(boards, 2))
    named = any(map(board_role, data))
    return None if named or not apart else [{"puzzle": value, "title": name} for name, value in data.items()]


def _are_alike(one: str, other: str) -> bool:
    """Return whether at least half of the cells that two boards both fill have the same sign, as in two states of one puzzle."""
    both = [(sign, mine) for sign, mine in zip(one, other, strict=False) if sign not in BLANKS and mine not in BLANKS]
    return 2 * sum(sign == mine for sign, mine in both) >= len(both)


def _rows_of(data: Any) -> list[list[Any]] | None:
    """Return the rows of a board of which rows or cells are objects, None for other data."""
    rows = [_items_of_row(row) for row in data] if isinstance(data, list) else []
    if isinstance(data, dict) and len(data) >= _LEAST_SIDE and all(isinstance(one, dict) for one in data.values()):
        _refuse_either_way(data)
    side = len(rows)
    if not _LEAST_SIDE <= side <= _MOST_SIDE or all(isinstance(row, list) and not _has_objects(row) for row in data):
        return None
    if any(row is None or len(row) != side for row in rows):
        return None
    cells = [[_value_of(cell) for cell in row or ()] for row in rows]
    return cells if all(_is_value(cell) for row in cells for cell in row) else None


def _has_objects(row: list[Any]) -> bool:
    return any(isinstance(cell, dict) for cell in row)


def _items_of_row(row: Any) -> list[Any] | None:
    """Return the cells of a row: of an array, of the one field of an object, or of fields that count the columns."""
    if isinstance(row, list):
        return row
    if not isinstance(row, dict):
        return None
    if len(row) == 1 and isinstance(inner := next(iter(row.values())), list):
        return inner
    return [*row.values()] if _count(row) else None


def _count(names: Mapping[str, Any]) -> bool:
    """Return whether the names of fields count them: numbers in order, with or without the same letters."""
    numbers = [int(found[1]) for name in names if (found := _NUMBERED.fullmatch(name))]
    return len(numbers) == len(names) >= _LEAST_SIDE and numbers == [*range(numbers[0], numbers[0] + len(numbers))]


def _value_of(cell: Any) -> Any:
    """Return the value of a cell, of an object the one that it has besides marks; raise `ParseError` for a player's value."""
    if not isinstance(cell, dict):
        return cell
    known = {name.lower().replace("_", ""): value for name, value in cell.items()}
    values = [value for name, value in known.items() if name in _VALUE]
    flags = [value is (name != "editable") for name, value in known.items() if name in _FLAGS and isinstance(value, bool)]
    if len(values) != 1 or not {*known} <= _VALUE | _FLAGS | _NOTES:
        return ()
    if values[0] and flags and not all(flags):
        raise ParseError(f"expected the values that are given, got {values[0]!r:.20} in a cell that says it is not: {cell!r:.80}")
    return values[0]


def _indexed_cells(data: Any) -> dict[int, Any]:
    """Return the value at each index of a list of cells, nothing for other data."""
    if isinstance(data, dict) and all(map(str.isdecimal, data)):
        pairs = [*data.items()]
    elif isinstance(data, list) and all(isinstance(one, dict) and len(one) == len(("index", "value")) for one in data):
        named = [{_kind_of(name): value for name, value in one.items()} for one in data]
        pairs = [(one.get("index"), one.get("value")) for one in named]
    else:
        return {}
    usable = all(str(at).isdecimal() and len(str(at)) < _LONGEST_INDEX and _is_value(value) for at, value in pairs)
    found = {int(at): value for at, value in pairs} if usable else {}
    return found if len(pairs) == len(found) >= _DIGITS - 1 else {}


def _kind_of(name: str) -> str:
    word = name.lower()
    return "index" if word in _INDEX else "value" if word in _VALUE else word


def _line_of(cells: Mapping[int, Any]) -> str:
    """Return the line of a 9x9 board; raise `ParseError` if it may be another, or indices may be counted from 0 or from 1."""
    first = 0 if 0 in cells else 1
    large = max(cells) >= (_DIGITS - 1) ** 2 + first and any(str(value) == str(_DIGITS) for value in cells.values())
    if not large or max(cells) >= _DIGITS**2 + first or (first == 1 and _DIGITS**2 not in cells):
        at, value = next(iter(cells.items()))
        places = [f"r{(at - start) // _DIGITS + 1}c{(at - start) % _DIGITS + 1}={value}" for start in (0, 1)]
        words = f"{at} may be {' or '.join(places)} on a 9x9 board, counted from 0 or from 1"
        raise ParseError(
            f"expected cells by row and column, or a number 0 or {_DIGITS**2} among them, got cells by number: {words}"
        )
    return "".join(str(cells.get(at) or ".") for at in range(first, _DIGITS**2 + first))


def _is_value(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and len(cell) <= 1) or (type(cell) is int and 0 <= cell <= _DIGITS)


def _refuse_either_way(data: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse an object of objects that count each other's cells, by columns or by rows, if these are different boards."""
    lines = [[*one.values()] for one in data.values()]
    if not (_count(data) and all(_count(one) and len(one) == len(data) for one in data.values())):
        return
    columns = [[*line] for line in zip(*lines, strict=True)]
    one, other = (" ".join(str(value or ".") for value in first) for first in (lines[0], columns[0]))
    words = f"objects that may be rows or columns: the first row is {one} or {other}"
    raise ParseError(f"expected rows of cells, got {words}; write an array of rows (in pandas, orient='values')")

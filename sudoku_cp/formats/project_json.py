"""The project's own JSON: one object a line, or one document: an object or an array of objects."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, islice
from math import isqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import InvalidInput, ParseError, require_type
from sudoku_cp.formats.base import (
    HEAD,
    TEXTS,
    Format,
    Options,
    Record,
    SolvingState,
    attempt_with_warnings,
    error_record,
    keep_unchanged,
    peek_head,
    write_each,
)
from sudoku_cp.formats.board_roles import BoardRoles, assign_roles, board_role, has_givens, meaning_of, state_of_player
from sudoku_cp.formats.board_text.alphabets import can_be_board
from sudoku_cp.formats.grid_text import region_signs
from sudoku_cp.formats.jigsaws import grid_from_regions, is_layout
from sudoku_cp.formats.stated_rules import add_stated_rules, are_kinds, split_names
from sudoku_cp.puzzle import Puzzle, from_json, square_side, to_json
from sudoku_cp.rules import rule_from_json
from sudoku_cp.symbols import BLANKS, is_mostly_plain

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid


# Puzzles in JSON of other programs: boards by any name, in objects within objects, and rows or cells that are objects.
#
# What is clear becomes an object with a ``puzzle``, as this program's answers are; what could be meant in two ways is refused.


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


MakePuzzle: TypeAlias = "Callable[[Any, list[str]], Puzzle]"
"""Makes a puzzle from plain data; it may add warnings to the list."""

_SPACE = " \t\r\n"
_VISIBLE = re.compile(f"[^{_SPACE}]")
_BEGINNING = re.compile(r"\s*(\{\s*([\"}]|$)|\[\s*([\[{\]\"]|$))")
"""How an object or an array begins; a title may begin with a bracket too."""
_SECTION = re.compile(r"\[[A-Za-z]+\]")


def unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, or refuse one with a repeated field: json itself would silently keep the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(name for name, _ in pairs)
        raise ParseError([f"expected each field once, got {name!r:.80} again" for name in found if times[name] > 1])
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=unique_fields)


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each line or of each element; lines stream, a document is read whole."""
    head, lines = peek_head(lines)
    try:
        found = puzzles_in("\n".join(head)) if sum(map(len, head)) < HEAD else None
    except ParseError as error:
        return iter([error_record(1, error)])
    return read_json(lines, _puzzle_from_json) if found is None else (_record_of(1, data, _puzzle_from_json) for data in found)


def read_json(lines: Iterator[str], make: MakePuzzle) -> Iterator[Record]:
    """Yield the record of each value in a text of JSON: one a line, or one document, or each element of an array."""
    numbered = ((number, line) for number, line in enumerate(lines, 1))
    start, first = next(((number, line) for number, line in numbered if line.strip()), (1, ""))
    second = next(numbered, None)
    rest = chain([second] if second else [], numbered)
    if first.lstrip().startswith("{") and (first.rstrip().endswith("}") or (second and second[1].startswith("{"))):
        return _read_lines(chain([(start, first)], rest), make)
    return _read_document("\n".join(chain([first], (line for _, line in rest))), start, make)


def _read_lines(lines: Iterator[tuple[int, str]], make: MakePuzzle) -> Iterator[Record]:
    """Yield the record of each value; one that a line leaves open goes on in the lines after it."""
    ahead: deque[tuple[int, str]] = deque()
    while first := ahead.popleft() if ahead else next(lines, None):
        number, text = first
        if not text.strip():
            continue
        try:
            data = _take_value(text, ahead, lines)
        except ParseError as error:
            yield error_record(number, error.at(line=number + (error.line or 1) - 1))
        else:
            yield _record_of(number, data, make)


def _take_value(first: str, ahead: deque[tuple[int, str]], lines: Iterator[tuple[int, str]]) -> Any:
    """Return the value that begins in the first line and take its other lines; raise `ParseError` if they do not complete it.

    Lines that are read meanwhile are put ``ahead``; their number is doubled, so that a long value is decoded few times.
    """
    more, text = 0, first
    while True:
        try:
            data, end = _DECODER.raw_decode(text, _skip_space(text, 0))
        except json.JSONDecodeError as error:
            if error.pos < len(text.rstrip()) or len(ahead) < more:
                return parse_json(first)
        except (InvalidInput, ValueError, RecursionError):
            return parse_json(first)
        else:
            taken = text.count("\n", 0, end)
            for _ in range(taken):
                ahead.popleft()
            _require_end("\n".join(text.split("\n")[: taken + 1]), end)
            return data
        more = 2 * more or 1
        ahead.extend(islice(lines, max(0, more - len(ahead))))
        text = "\n".join([first, *(line for _, line in islice(ahead, more))])


def _record_of(line: int, data: Any, make: MakePuzzle) -> Record:
    """Return the record of a value that is a puzzle, with what an object says about its difficulty and of a player's progress."""
    record = attempt_with_warnings(line, partial(make, data))
    if record.puzzle is None or not isinstance(data, dict):
        return record
    state, remarks = _player_state(data, record.puzzle)
    stated = data.get("difficulty")
    difficulty = str(stated) if isinstance(stated, str | int | float) and not isinstance(stated, bool) else ""
    return replace(record, difficulty=difficulty, state=state or record.state, warnings=(*record.warnings, *remarks))


def _parse_and_make(text: str, line: int, make: MakePuzzle) -> Record:
    """Return the record of a text of JSON that begins in ``line``."""
    try:
        data = parse_json(text)
    except ParseError as error:
        return error_record(line, error.at(line=line + (error.line or 1) - 1))
    return _record_of(line, data, make)


def parse_json(text: str) -> Any:
    """Return the one JSON value that a text is, or raise `ParseError`."""
    data, end = _decode(text, len(text) - len(text.lstrip(_SPACE)))
    _require_end(text, end)
    return data


def _require_end(text: str, end: int) -> None:
    """Raise `ParseError` if something follows a value."""
    end = _skip_space(text, end)
    if end < len(text):
        raise ParseError(f"expected the end of the text after the puzzle, got {text[end : end + 20]!r}", column=end + 1)


def puzzle_from_answer(data: dict[str, Any], warnings: list[str]) -> Puzzle:
    """Return the puzzle of an answer of this program (``--json``, .jsonl) or of a similar object, with what else it states.

    A field that may be a rule, other than ``rules``, is refused or named in a warning.
    """
    from sudoku_cp.formats.matrices.boards import not_read, refuse_rules, sort_fields  # noqa: PLC0415  # most JSON needs none

    boards, roles = _boards_in(data)
    stated = data[boards[roles.puzzle]] if roles else data["puzzle"]
    stated = "".join(_signs_of(stated) or ()) if isinstance(stated, list) else stated
    layouts = [name for name, value in data.items() if board_role(name) == "regions" and len(_labels_of(value)) == len(stated)]
    beside = sort_fields({name: value for name, value in data.items() if name not in {"puzzle", "rules", *boards, *layouts[:1]}})
    refuse_rules(beside.unread)
    puzzle = (
        from_json(stated)
        if isinstance(stated, dict)
        else Puzzle.parse(require_type("a puzzle as a text or an object", str, stated))
    )
    if layouts:
        puzzle = replace(puzzle, grid=_jigsaw(puzzle, layouts[0], _labels_of(data[layouts[0]])))
    added, sentences = _stated_rules(data.get("rules"))
    puzzle = replace(puzzle, rules=(*puzzle.rules, *(rule_from_json(rule, puzzle.grid) for rule in added)))
    solutions = beside.solutions or ((boards[roles.solution],) if roles and roles.solution is not None else ())
    found = [solution for name in solutions if (solution := _stated_solution(puzzle, data[name]))]
    unread = [boards[index] for index in roles.unread] if roles else []
    warnings += not_read([*unread, *beside.warnings])
    for name, names in (*(("rules", text) for text in sentences), *beside.rules):
        puzzle = add_stated_rules(puzzle, f"the field {name!r}", names, warnings, is_type=meaning_of(name) == "type")
    return replace(
        puzzle,
        solution=found[0] if found else puzzle.solution,
        title=puzzle.title or beside.texts.get("title", ""),
        author=puzzle.author or beside.texts.get("author", ""),
        source=puzzle.source or beside.texts.get("source", ""),
    )


def _labels_of(stated: Any) -> list[str]:
    """Return the labels of regions in a text or an array of cells or rows."""
    items = stated if isinstance(stated, list | str) else []
    return [str(cell) for row in items for cell in (row if isinstance(row, list | str) else [row])]


def _jigsaw(puzzle: Puzzle, name: str, labels: list[str]) -> Grid:
    """Return the grid of a puzzle with the regions of its cells; raise `ParseError` for others than as many as it needs."""
    side = isqrt(len(labels))
    if not puzzle.grid.is_plain or not is_layout(layout := region_signs(labels)):
        words = f"expected {side} regions of {side} cells in the field {name!r}"
        raise ParseError(f"{words}, got {len({*labels})} labels for {len(labels)} cells")
    return grid_from_regions(layout)


def _boards_in(data: dict[str, Any]) -> tuple[list[str], BoardRoles | None]:
    """Return the fields of an object with boards as large as its puzzle, which is a text, and what each of them is.

    Solutions are not among them. No roles: there is just the puzzle. Raises `ParseError` if two boards may be the puzzle.
    """
    stated = data["puzzle"]
    if not isinstance(stated, str):
        return ["puzzle"], None
    others = [
        name
        for name, value in data.items()
        if name != "puzzle"
        and (isinstance(value, list) or (isinstance(value, str) and len(value) == len(stated)))
        and board_role(name) not in {"solution", "regions"}
    ]
    if not others:
        return ["puzzle"], None
    found = {name: signs for name in ("puzzle", *others) if (signs := _signs_of(data[name]))}
    values = range(1, (square_side(len(stated)) or 0) + 1)
    found = {name: one for name, one in found.items() if len(one) == len(stated) and can_be_board("".join(one), values)}
    if len(found) < 2:  # noqa: PLR2004
        return ["puzzle"], None
    names, boards = [*found], [*found.values()]
    full = [not {*board} & {*BLANKS} for board in boards]
    roles = assign_roles(names, lambda one, other: has_givens(boards[one], boards[other]), full.__getitem__)
    if roles is None:
        words = f"expected one puzzle, got boards that do not go together in the fields {' and '.join(map(repr, names))}"
        raise ParseError(f"{words}: call just one of them 'puzzle'")
    return names, roles


def _signs_of(value: str | list[Any]) -> list[str]:
    """Return the signs of cells in a text or an array of cells or rows, ``.`` for nothing; an empty list for what has others."""
    if isinstance(value, str):
        return [*value]
    rows = [[*row] if isinstance(row, list | str) else [row] for row in value]
    signs = ["." if cell in (None, "", 0) else str(cell) for row in rows for cell in row if not isinstance(cell, list | dict)]
    return signs if all(len(sign) == 1 for sign in signs) else []


def _player_state(data: dict[str, Any], puzzle: Puzzle) -> tuple[SolvingState | None, list[str]]:
    """Return what a player has placed in a board that comes with a puzzle as text, and the remarks about it."""
    if not isinstance(data.get("puzzle"), str):
        return None, []
    names, roles = _boards_in(data)
    if roles is None or roles.progress is None:
        return None, []
    name = names[roles.progress]
    placed = enumerate(map(puzzle.symbols.parse, _signs_of(data[name])))
    return state_of_player(puzzle, {cell: value for cell, value in placed if value is not None}, f"the field {name!r}")


def _stated_rules(rules: Any) -> tuple[list[Any], list[str]]:
    """Return rules as data (JSON or names, in an array or in a text with commas), and texts of other words."""
    if isinstance(rules, str) and rules.lstrip().startswith(("[", "{")):
        rules = parse_json(rules)
        return (rules if isinstance(rules, list) else [rules]), []
    if isinstance(rules, str):
        return ([*split_names(rules)], []) if are_kinds(rules) else ([], [rules])
    stated = require_type("an array of rules", list, [] if rules is None else rules)
    sentences = [one for one in stated if isinstance(one, str) and not are_kinds(one)]
    return [one for one in stated if one not in sentences], sentences


def _stated_solution(puzzle: Puzzle, stated: Any) -> tuple[int, ...] | None:
    """Return the values of a solution as a text or an array of cells or rows, None if it is not one of this board."""
    if isinstance(stated, list):
        rows = [row if isinstance(row, list) else [row] for row in stated]
        signs = [str(cell) for row in rows for cell in row]
        signs = [*signs[0]] if len(signs) == 1 else signs
    else:
        signs = [*stated] if isinstance(stated, str) else []
    if len(signs) != len(puzzle.grid.cells):
        return None
    return tuple(puzzle.symbols.parse(sign) or 0 for sign in signs)


def _puzzle_from_json(data: Any, warnings: list[str]) -> Puzzle:
    """Return the puzzle; if the JSON does not claim to be ours, the error begins with that."""
    if isinstance(data, dict) and "puzzle" in data and "format" not in data:
        return puzzle_from_answer(data, warnings)
    if isinstance(data, dict) and "format" not in data and (found := with_puzzle(data)):
        return puzzle_from_answer(found, warnings)
    try:
        return from_json(data)
    except InvalidInput as error:
        strange = any(problem.startswith("expected the fields") for problem in error.problems)
        if not strange or "format" in data:
            raise
        ours = "expected the project's own JSON, with the format 'sudoku-cp puzzle'"
        raise InvalidInput(nearly_boards(data) or [ours, *error.problems[:3]]) from error


def _read_document(text: str, line: int, make: MakePuzzle) -> Iterator[Record]:
    """Yield the record of each array element up to the first syntax error, or of each value that is no array."""
    position = _skip_space(text, 0)
    while text[position : position + 1] not in {"[", ""}:
        start, position = position, _next_object(text, position)
        number = line + text.count("\n", 0, start)
        yield _parse_and_make(text[start:position], number, make)
    if text[position : position + 1] != "[":
        return
    position = _skip_space(text, position + 1)
    counted = 0
    while text[position : position + 1] != "]":
        line += text.count("\n", counted, position)
        counted = position
        try:
            data, end = _decode(text, position)
            position = _after_separator(text, _skip_space(text, end))
        except ParseError as error:
            yield error_record(line, error.at(line=line + (error.line or 1) - 1 - text.count("\n", 0, counted)))
            return
        yield _record_of(line, data, make)


def _next_object(text: str, position: int) -> int:
    """Return where an object begins right after the value at ``position``; the end of the text, if something else does."""
    try:
        following = _skip_space(text, _decode(text, position)[1])
    except ParseError:
        return len(text)
    return following if text[following : following + 1] == "{" else len(text)


def _after_separator(text: str, position: int) -> int:
    """Return where the element after a comma begins, or where the array ends."""
    if text[position : position + 1] == ",":
        return _skip_space(text, position + 1)
    if text[position : position + 1] == "]":
        return position
    what = repr(text[position : position + 20]) if text[position:] else "the end of the text"
    column = position - text.rfind("\n", 0, position)
    raise ParseError(f"expected ',' or ']' in JSON, got {what}", line=text.count("\n", 0, position) + 1, column=column)


def _skip_space(text: str, position: int) -> int:
    found = _VISIBLE.search(text, position)
    return found.start() if found else len(text)


def _decode(text: str, position: int) -> tuple[Any, int]:
    """Return the value at a position and where it ends, or raise `ParseError` with the place (from line 1) in the text."""
    try:
        return _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        expected = error.msg[0].lower() + error.msg[1:]
        raise ParseError(f"expected JSON, got an error in it: {expected}", line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise ParseError("expected a puzzle as JSON, got arrays or objects nested too deeply") from error
    except ParseError:
        raise
    except ValueError as error:
        raise ParseError("expected JSON of a puzzle, got a number of too many digits") from error


def sniff(head: str) -> bool:
    """Return whether the text begins as a JSON object or array."""
    return bool(_BEGINNING.match(head)) and not _SECTION.match(head.lstrip())


def puzzle_to_line(puzzle: Puzzle) -> str:
    """Return the puzzle as a JSON object on one line, with everything about it."""
    return json.dumps(to_json(puzzle), ensure_ascii=False, separators=(", ", ": ")) + "\n"


FORMAT = Format(
    "json",
    "the project's own JSON: an object a line, one object, or an array",
    (".json", ".jsonl", ".ndjson"),
    sniff,
    read,
    write_each(puzzle_to_line),
    keep_unchanged(*TEXTS),
)

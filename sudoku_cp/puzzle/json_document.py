"""The project's own JSON of a puzzle; `docs/puzzle-json.md` describes it for other programs."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.errors import InvalidInput, Problem, placed, require_type
from sudoku_cp.grid import MAX_VALUE, Board, Cell, Grid
from sudoku_cp.model import Domain, Values, members, to_mask
from sudoku_cp.puzzle.puzzle import CLASSIC, DEFAULT_SYMBOLS, Position, Puzzle
from sudoku_cp.rules import rule_from_json, rule_to_json
from sudoku_cp.symbols import Symbols, alphabet, numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from sudoku_cp.cosmetics import Drawing
    from sudoku_cp.rules import Rule

FORMAT, VERSION = "sudoku-cp puzzle", 1

_TEXTS = ("title", "author", "source", "ruleset")
_KEYS = {"format", "version", "grid", "rules", "givens", "candidates", "symbols", "solution", "drawings", *_TEXTS}
_PASSED_OVER = {"play"}
"""What accompanies a puzzle without being part of it: a saved game, which `play` reads."""
_BOARD_KEYS = {"rows", "columns", "boxes", "regions", "at"}
_T = TypeVar("_T")

_parse_integer: Callable[[Any], int] = partial(require_type, "a whole number", int)
_parse_text: Callable[[Any], str] = partial(require_type, "a text", str)
_parse_array: Callable[[Any], list[Any]] = partial(require_type, "an array", list)
_parse_object: Callable[[Any], dict[str, Any]] = partial(require_type, "a JSON object", dict)


def to_json(puzzle: Puzzle) -> dict[str, Any]:
    """Return the puzzle as JSON data that `from_json` reads back; fields at their defaults are left out."""
    grid, name = puzzle.grid, puzzle.grid.cell_name
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "grid": _grid_to_json(grid)}
    if puzzle.rules != CLASSIC:
        data["rules"] = [rule_to_json(rule, grid) for rule in puzzle.rules]
    if puzzle.givens:
        data["givens"] = {name(cell): value for cell, value in puzzle.givens.items()}
    if puzzle.candidates:
        data["candidates"] = {name(cell): members(domain) for cell, domain in puzzle.candidates.items()}
    if puzzle.symbols != numerals(grid.values):
        data["symbols"] = {"signs": puzzle.symbols.signs, "first": puzzle.symbols.first}
    if puzzle.solution is not None:
        data["solution"] = list(puzzle.solution)
    data |= {key: getattr(puzzle, key) for key in _TEXTS if getattr(puzzle, key)}
    return data | {"drawings": [_drawing_to_json(one, grid) for one in puzzle.drawings]} if puzzle.drawings else data


def from_json(data: Any) -> Puzzle:
    """Parse a puzzle from JSON data, or raise `InvalidInput` with everything that is wrong with it.

    A saved game (``play``) beside the puzzle is passed over.
    """
    document = require_type("a puzzle as a JSON object", dict, data)
    reader = _ProblemCollector(_unknown_fields(document, _KEYS | _PASSED_OVER))
    reader.read("format", _exactly(FORMAT), document.get("format", FORMAT))
    reader.read("version", _exactly(VERSION), document.get("version", VERSION))
    found: dict[str, Any] = {key: reader.read(key, _parse_text, document[key]) or "" for key in _TEXTS if key in document}
    grid = reader.read("grid", _parse_grid, document["grid"]) if "grid" in document else Grid.square()
    if grid is None:
        raise InvalidInput(reader.problems)
    for key, (parse, placeholder) in _FIELDS_ON_GRID.items():
        if key in document:
            value = reader.read(key, partial(parse, grid), document[key])
            found[key] = placeholder if value is None else value
    puzzle = reader.read("", lambda found: Puzzle(grid, **found), found)
    if puzzle is None or reader.problems:
        raise InvalidInput(reader.problems)
    return puzzle


def position_from_json(puzzle: Puzzle, data: Any) -> Position:
    """Parse somebody's entries in a puzzle, values and pencil marks by cell, or raise `InvalidInput` with all that is wrong."""
    document = _parse_object(data)
    reader = _ProblemCollector(_unknown_fields(document, {"values", "marks"}))
    grid = puzzle.grid
    values = reader.read("values", partial(_parse_by_cell, _parse_integer, grid), document.get("values", {})) or {}
    marks = reader.read("marks", partial(_parse_by_cell, _parse_domain, grid), document.get("marks", {})) or {}
    if not reader.problems:
        reader.problems += _entry_problems(puzzle, values, marks)
    reader.end()
    filled = {**puzzle.givens, **values}
    position = Position.of(puzzle, [filled.get(cell) for cell in grid.cells])
    return replace(position, marks=tuple(marks.get(cell, 0) for cell in grid.cells))


def _entry_problems(puzzle: Puzzle, values: Mapping[Cell, int], marks: Mapping[Cell, Domain]) -> Iterator[Problem]:
    """Yield the entries that no position of the puzzle can have."""
    grid, possible = puzzle.grid, to_mask(puzzle.grid.values)
    least, most = grid.values[0], grid.values[-1]
    for cell, value in values.items():
        name = grid.cell_name(cell)
        if value not in grid.values:
            yield Problem(f"expected a value from {least} to {most} in {name}, got {value!r}", ["values", name], name)
        elif puzzle.givens.get(cell, value) != value:
            words = f"expected the given {puzzle.givens[cell]} or nothing in {name}, got {value!r}"
            yield Problem(words, ["values", name], name)
    for cell, domain in marks.items():
        if domain & ~possible:
            name = grid.cell_name(cell)
            words = f"expected marks from {least} to {most} in {name}, got {', '.join(map(str, members(domain & ~possible)))}"
            yield Problem(words, ["marks", name], name)


class _ProblemCollector:
    """Runs parsers one after the other and collects everything that is wrong, each problem with its path."""

    def __init__(self, problems: Iterable[str] = ()) -> None:
        self.problems = list(problems)

    def read(self, key: str | int, parse: Callable[[Any], _T], data: Any) -> _T | None:
        try:
            return parse(data)
        except InvalidInput as error:
            name = f"[{key}]" if isinstance(key, int) else key
            self.problems += [placed(one, key, words=f"{name}: {one}") if name else one for one in error.problems]
            return None

    def end(self) -> None:
        if self.problems:
            raise InvalidInput(self.problems)


def _parse_each(parse: Callable[[Any], _T], items: Iterable[tuple[str | int, Any]]) -> list[_T]:
    """Parse each item, or raise everything that is wrong with any of them."""
    reader = _ProblemCollector()
    found = [reader.read(key, parse, data) for key, data in items]
    reader.end()
    return [one for one in found if one is not None]


def _parse_elements(parse: Callable[[Any], _T], data: Any) -> list[_T]:
    return _parse_each(parse, enumerate(_parse_array(data)))


def _grid_to_json(grid: Grid) -> dict[str, Any]:
    boards = []
    for board in grid.boards:
        fields: dict[str, Any] = {"rows": board.rows, "columns": board.columns}
        if board.boxes:
            fields["boxes"] = list(board.boxes)
        if board.regions is not None:
            fields["regions"] = [
                list(board.regions[start : start + board.columns]) for start in range(0, len(board.regions), board.columns)
            ]
        if board.at != (0, 0):
            fields["at"] = list(board.at)
        boards.append(fields)
    values = {"values": [grid.values[0], grid.values[-1]]}
    return boards[0] | values if len(boards) == 1 else {"boards": boards} | values


def _parse_grid(data: Any) -> Grid:
    document = _parse_object(data)
    several = "boards" in document
    reader = _ProblemCollector(_unknown_fields(document, {"boards", "values"} if several else _BOARD_KEYS | {"values"}))
    values = reader.read("values", _parse_values, document["values"]) if "values" in document else None
    if several:
        boards = reader.read("boards", partial(_parse_elements, _parse_board), document["boards"])
    else:
        only = {key: document[key] for key in document.keys() & _BOARD_KEYS}
        boards = reader.read("", lambda board: [_parse_board(board)], only)
    reader.end()
    shape = Grid.of(tuple(boards or ()), values or range(1, 2))
    return shape if values else Grid.of(shape.boards, range(1, max(map(len, shape.houses.values())) + 1))


def _parse_values(data: Any) -> range:
    low, high = _parse_pair(data)
    if not 0 <= low <= high <= MAX_VALUE:
        raise InvalidInput(f"expected the lowest and the highest value, between 0 and {MAX_VALUE}, got {data!r:.80}")
    return range(low, high + 1)


def _parse_board(data: Any) -> Board:
    document = _parse_object(data)
    reader = _ProblemCollector(_unknown_fields(document, _BOARD_KEYS))
    missing = [key for key in ("rows", "columns") if key not in document]
    reader.problems += [f"expected the field {key!r}, which is missing" for key in missing]
    parsers: dict[str, Callable[[Any], Any]] = {
        "rows": _parse_integer,
        "columns": _parse_integer,
        "boxes": _parse_pair,
        "regions": _parse_regions,
        "at": _parse_pair,
    }
    fields: dict[str, Any] = {key: reader.read(key, parse, document[key]) for key, parse in parsers.items() if key in document}
    rows = fields.get("regions")
    if rows and fields.get("columns") and {len(row) for row in rows} != {fields["columns"]}:
        lengths = sorted({len(row) for row in rows})
        problem = f"regions: expected {fields['columns']} labels in every row, got {str(lengths)[1:-1]}"
        reader.problems.append(placed(problem, "regions"))
    reader.end()
    if rows is not None:
        fields["regions"] = tuple(label for row in rows for label in row)
    return Board(**fields)


def _parse_regions(data: Any) -> list[list[int | None]]:
    return _parse_elements(lambda row: [None if label is None else _parse_integer(label) for label in _parse_array(row)], data)


def _parse_rules(grid: Grid, data: Any) -> tuple[Rule, ...]:
    return tuple(_parse_elements(lambda rule: rule_from_json(rule, grid), data))


def _parse_by_cell(parse: Callable[[Any], int], grid: Grid, data: Any) -> dict[Cell, int]:
    found: dict[Cell, int] = {}

    def cell(item: tuple[str, Any]) -> Cell:
        name, entry = item
        cell, value = grid.parse_cell(name), parse(entry)
        if cell in found:
            raise InvalidInput(f"expected each cell once, got {grid.cell_name(cell)} twice")
        found[cell] = value
        return cell

    try:
        _parse_each(cell, [(str(name), (name, entry)) for name, entry in _parse_object(data).items()])
    except InvalidInput as error:
        raise InvalidInput(placed(one, cell=_key_of(one)) for one in error.problems) from error
    return found


def _key_of(problem: str) -> str:
    """Return the name of the cell under which something is wrong."""
    return str(problem.path[0]) if isinstance(problem, Problem) and problem.path else ""


def _parse_domain(data: Any) -> Domain:
    values = [_parse_integer(value) for value in _parse_array(data)]
    if not all(0 <= value <= MAX_VALUE for value in values):
        raise InvalidInput(f"expected values between 0 and {MAX_VALUE}, got {data!r:.80}")
    return to_mask(values)


def _parse_symbols(grid: Grid, data: Any) -> Symbols:
    if isinstance(data, str):
        return alphabet(data, grid.values)
    document = _parse_object(data)
    reader = _ProblemCollector(_unknown_fields(document, {"signs", "first"}))
    signs = reader.read("signs", _parse_text, document.get("signs", ""))
    first = reader.read("first", _parse_integer, document.get("first", grid.values[0]))
    reader.end()
    return Symbols(signs or "", first or 0)


def _parse_solution(_: Grid, data: Any) -> tuple[int, ...]:
    return tuple(_parse_elements(_parse_integer, data))


# --- drawings ---------------------------------------------------------------------------------------------------


def _drawing_to_json(drawing: Drawing, grid: Grid) -> dict[str, Any]:
    """Return a drawing with the fields that are not at their defaults; whole numbers are written as such."""
    data: dict[str, Any] = {"kind": drawing.kind}
    for field in fields(drawing):
        value = getattr(drawing, field.name)
        if field.name == "cells":
            data[field.name] = [grid.cell_name(cell) for cell in value]
        elif value != field.default:
            data[field.name] = _plain_numbers(value)
    return data


def _plain_numbers(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain_numbers(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _parse_drawings(grid: Grid, data: Any) -> tuple[Drawing, ...]:
    from sudoku_cp.cosmetics import MOST_DRAWINGS  # noqa: PLC0415  # most puzzles have no drawings

    if len(_parse_array(data)) > MOST_DRAWINGS:
        raise InvalidInput(f"expected at most {MOST_DRAWINGS:,} drawings, got {len(data):,}")
    return tuple(_parse_elements(partial(_parse_drawing, grid), data))


def _parse_drawing(grid: Grid, data: Any) -> Drawing:
    from sudoku_cp.cosmetics import DRAWINGS  # noqa: PLC0415  # as above

    document = _parse_object(data)
    kind: Any = DRAWINGS.get(str(document.get("kind")))
    if kind is None:
        raise InvalidInput(f"expected a drawing of the kind {', '.join(DRAWINGS)}, got {document.get('kind')!r:.40}")
    names = {field.name: field for field in fields(kind)}
    reader = _ProblemCollector(_unknown_fields(document, {"kind", *names}))
    missing = [name for name, field in names.items() if field.default is MISSING and name not in document]
    reader.problems += [f"expected the field {name!r}, which is missing" for name in missing]
    parsers = {"cells": lambda cells: tuple(_parse_elements(grid.parse_cell, cells)), "points": _parse_points, "at": _parse_point}
    values = {
        name: reader.read(name, parsers.get(name, lambda value: value), document[name]) for name in names if name in document
    }
    reader.end()
    drawing: Drawing = kind(**values)
    return drawing


def _parse_points(data: Any) -> tuple[tuple[float, float], ...]:
    return tuple(_parse_elements(_parse_point, data))


def _parse_point(data: Any) -> tuple[float, float]:
    numbers = _parse_array(data)
    if len(numbers) != 2 or not all(type(number) in {int, float} for number in numbers):  # noqa: PLR2004
        raise InvalidInput(f"expected a row and a column in cells, got {data!r:.80}")
    return numbers[0], numbers[1]


_FIELDS_ON_GRID: Mapping[str, tuple[Callable[[Grid, Any], Any], Any]] = MappingProxyType(
    {
        "rules": (_parse_rules, ()),
        "givens": (partial(_parse_by_cell, _parse_integer), {}),
        "candidates": (partial(_parse_by_cell, _parse_domain), {}),
        "symbols": (_parse_symbols, DEFAULT_SYMBOLS),
        "solution": (_parse_solution, None),
        "drawings": (_parse_drawings, ()),
    }
)
"""The fields that refer to the grid: the parser of each, and what stands for it if it is wrong, so that the rest is checked."""


def _exactly(wanted: str | int) -> Callable[[Any], Any]:
    def parse(data: Any) -> Any:
        if type(data) is not type(wanted) or data != wanted:
            raise InvalidInput(f"expected {wanted!r}, got {data!r:.80}")
        return data

    return parse


def _parse_pair(data: Any) -> tuple[int, int]:
    if len(_parse_array(data)) != 2:  # noqa: PLR2004
        raise InvalidInput(f"expected two whole numbers, got {data!r:.80}")
    return _parse_integer(data[0]), _parse_integer(data[1])


def _unknown_fields(document: Mapping[str, Any], keys: AbstractSet[str]) -> list[str]:
    known = ", ".join(sorted(keys))
    strange = sorted(document.keys() - keys, key=str)
    return [placed(f"expected the fields {known}; got {key!r:.80}", str(key)) for key in strange]


# --- the shortest form ------------------------------------------------------------------------------------------


def puzzle_to_short_json(puzzle: Puzzle) -> str | dict[str, Any]:
    """Return the shortest JSON value of a puzzle: the line of text of a classic board, else the document of `to_json`."""
    return puzzle.line() if puzzle.is_plain and not puzzle.drawings else to_json(puzzle)


def solution_to_short_json(puzzle: Puzzle, solution: Values) -> str | dict[str, int]:
    """Return the shortest JSON value of a solution: the line of its one board without single cells, or values by cell."""
    board, *others = puzzle.grid.boards
    if not others:
        return puzzle.line(solution)
    if all((other.rows, other.columns) == (1, 1) for other in others):
        return "".join(puzzle.symbols.sign(solution[puzzle.grid.cell_at[place]]) for place in board.places())
    return {puzzle.grid.cell_name(cell): value for cell, value in enumerate(solution)}

"""The project's own JSON of a puzzle; `docs/puzzle-json.md` describes it for other programs."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.errors import InvalidInput, expect
from sudoku_cp.grid import MAX_VALUE, Board, Grid
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle.puzzle import CLASSIC, USUAL, Puzzle
from sudoku_cp.rules import rule_from_json, rule_to_json
from sudoku_cp.symbols import Symbols, alphabet, numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain, Values
    from sudoku_cp.rules import Rule

FORMAT, VERSION = "sudoku-cp puzzle", 1

_TEXTS = ("title", "author", "source", "ruleset")
_KEYS = {"format", "version", "grid", "rules", "givens", "candidates", "symbols", "solution", *_TEXTS}
_BOARD_KEYS = {"rows", "columns", "boxes", "regions", "at"}
_T = TypeVar("_T")


def to_json(puzzle: Puzzle) -> dict[str, Any]:
    """Return the puzzle as plain data that `from_json` reads back; what is at its default is left out."""
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
    return data | {key: getattr(puzzle, key) for key in _TEXTS if getattr(puzzle, key)}


def from_json(data: Any) -> Puzzle:
    """Return the puzzle told by plain data, or raise `InvalidInput` with everything that is wrong with it."""
    told = expect("a puzzle as a JSON object", dict, data)
    reader = _Reader(_unknown(told, _KEYS))
    reader.read("format", _exactly(FORMAT), told.get("format", FORMAT))
    reader.read("version", _exactly(VERSION), told.get("version", VERSION))
    fields: dict[str, Any] = {key: reader.read(key, _text, told[key]) for key in _TEXTS if key in told}
    grid = reader.read("grid", _grid, told["grid"]) if "grid" in told else Grid.square()
    if grid is None:
        raise InvalidInput(reader.problems)
    for key, parse in _PARTS.items():
        if key in told:
            fields[key] = reader.read(key, partial(parse, grid), told[key])
    # What could not be read is left empty, so that the rest can still be checked.
    fields = {key: _EMPTY.get(key, "") if value is None else value for key, value in fields.items()}
    puzzle = reader.read("", lambda fields: Puzzle(grid, **fields), fields)
    if puzzle is None or reader.problems:
        raise InvalidInput(reader.problems)
    return puzzle


class _Reader:
    """Reads one thing after the other and remembers everything that is wrong, each with its path."""

    def __init__(self, problems: Iterable[str] = ()) -> None:
        self.problems = list(problems)

    def read(self, path: str, parse: Callable[[Any], _T], data: Any) -> _T | None:
        try:
            return parse(data)
        except InvalidInput as error:
            self.problems += [f"{path}: {problem}" if path else problem for problem in error.problems]
            return None

    def end(self) -> None:
        if self.problems:
            raise InvalidInput(self.problems)


def _each(parse: Callable[[Any], _T], items: Iterable[tuple[str, Any]]) -> list[_T]:
    """Return what ``parse`` makes of each item, or raise everything that is wrong with any."""
    reader = _Reader()
    found = [reader.read(path, parse, data) for path, data in items]
    reader.end()
    return [one for one in found if one is not None]


def _numbered(data: Any) -> list[tuple[str, Any]]:
    return [(f"[{number}]", one) for number, one in enumerate(_array(data))]


def _grid_to_json(grid: Grid) -> dict[str, Any]:
    boards = []
    for board in grid.boards:
        told: dict[str, Any] = {"rows": board.rows, "columns": board.columns}
        if board.boxes:
            told["boxes"] = list(board.boxes)
        if board.regions is not None:
            told["regions"] = [
                list(board.regions[start : start + board.columns]) for start in range(0, len(board.regions), board.columns)
            ]
        if board.at != (0, 0):
            told["at"] = list(board.at)
        boards.append(told)
    values = {"values": [grid.values[0], grid.values[-1]]}
    return boards[0] | values if len(boards) == 1 else {"boards": boards} | values


def _grid(data: Any) -> Grid:
    told = _object(data)
    several = "boards" in told
    reader = _Reader(_unknown(told, {"boards", "values"} if several else _BOARD_KEYS | {"values"}))
    values = reader.read("values", _values, told["values"]) if "values" in told else None
    boards: list[Board] | None = None
    if several:
        boards = reader.read("boards", lambda boards: _each(_board, _numbered(boards)), told["boards"])
    else:
        boards = reader.read("", lambda board: [_board(board)], {key: told[key] for key in told.keys() & _BOARD_KEYS})
    reader.end()
    shape = Grid.of(tuple(boards or ()), values or range(1, 2))
    return shape if values else Grid.of(shape.boards, range(1, max(map(len, shape.houses.values())) + 1))


def _values(data: Any) -> range:
    low, high = _pair(data)
    if not 0 <= low <= high <= MAX_VALUE:
        raise InvalidInput(f"expected the lowest and the highest value, between 0 and {MAX_VALUE}, got {data!r:.80}")
    return range(low, high + 1)


def _board(data: Any) -> Board:
    told = _object(data)
    reader = _Reader(_unknown(told, _BOARD_KEYS))
    missing = [key for key in ("rows", "columns") if key not in told]
    reader.problems += [f"expected the field {key!r}, which is missing" for key in missing]
    parsers: dict[str, Callable[[Any], Any]] = {
        "rows": _value,
        "columns": _value,
        "boxes": _pair,
        "regions": _regions,
        "at": _pair,
    }
    fields: dict[str, Any] = {key: reader.read(key, parse, told[key]) for key, parse in parsers.items() if key in told}
    rows = fields.get("regions")
    if rows and fields.get("columns") and {len(row) for row in rows} != {fields["columns"]}:
        lengths = sorted({len(row) for row in rows})
        reader.problems.append(f"regions: expected {fields['columns']} labels in every row, got {str(lengths)[1:-1]}")
    reader.end()
    if rows is not None:
        fields["regions"] = tuple(label for row in rows for label in row)
    return Board(**fields)


def _regions(data: Any) -> list[list[int | None]]:
    return _each(lambda row: [None if label is None else _value(label) for label in _array(row)], _numbered(data))


def _rules(grid: Grid, data: Any) -> tuple[Rule, ...]:
    return tuple(_each(lambda told: rule_from_json(told, grid), _numbered(data)))


def _by_cell(grid: Grid, data: Any, parse: Callable[[Any], int]) -> dict[Cell, int]:
    found: dict[Cell, int] = {}

    def cell(item: tuple[str, Any]) -> Cell:
        name, told = item
        cell, value = grid.parse_cell(name), parse(told)
        if cell in found:
            raise InvalidInput(f"expected each cell once, got {grid.cell_name(cell)} twice")
        found[cell] = value
        return cell

    _each(cell, [(str(name), (name, told)) for name, told in _object(data).items()])
    return found


def _givens(grid: Grid, data: Any) -> dict[Cell, int]:
    return _by_cell(grid, data, _value)


def _candidates(grid: Grid, data: Any) -> dict[Cell, Domain]:
    return _by_cell(grid, data, _domain)


def _symbols(grid: Grid, data: Any) -> Symbols:
    if isinstance(data, str):
        return alphabet(data, grid.values)
    told = _object(data)
    reader = _Reader(_unknown(told, {"signs", "first"}))
    signs = reader.read("signs", _text, told.get("signs", ""))
    first = reader.read("first", _value, told.get("first", grid.values[0]))
    reader.end()
    return Symbols(signs or "", first or 0)


def _solution(_: Grid, data: Any) -> tuple[int, ...]:
    return tuple(_each(_value, _numbered(data)))


_PARTS: Mapping[str, Callable[[Grid, Any], Any]] = MappingProxyType(
    {"rules": _rules, "givens": _givens, "candidates": _candidates, "symbols": _symbols, "solution": _solution}
)
"""How the fields that speak of the grid are read."""
_EMPTY: Mapping[str, Any] = MappingProxyType({"rules": (), "givens": {}, "candidates": {}, "symbols": USUAL, "solution": None})
"""What stands for a field that could not be read."""


def _domain(data: Any) -> Domain:
    values = [_value(value) for value in _array(data)]
    if not all(0 <= value <= MAX_VALUE for value in values):
        raise InvalidInput(f"expected values between 0 and {MAX_VALUE}, got {data!r:.80}")
    return to_mask(values)


def _exactly(wanted: str | int) -> Callable[[Any], Any]:
    def parse(data: Any) -> Any:
        if type(data) is not type(wanted) or data != wanted:
            raise InvalidInput(f"expected {wanted!r}, got {data!r:.80}")
        return data

    return parse


def _value(data: Any) -> int:
    return expect("a whole number", int, data)


def _text(data: Any) -> str:
    return expect("a text", str, data)


def _array(data: Any) -> list[Any]:
    return expect("an array", list, data)


def _pair(data: Any) -> tuple[int, int]:
    if len(_array(data)) != 2:  # noqa: PLR2004
        raise InvalidInput(f"expected two whole numbers, got {data!r:.80}")
    return _value(data[0]), _value(data[1])


def _object(data: Any) -> dict[str, Any]:
    return expect("a JSON object", dict, data)


def _unknown(told: Mapping[str, Any], keys: AbstractSet[str]) -> list[str]:
    return [f"expected the fields {', '.join(sorted(keys))}; got {key!r:.80}" for key in sorted(told.keys() - keys, key=str)]


# --- in the fewest words ----------------------------------------------------------------------------------------


def puzzle_told(puzzle: Puzzle) -> str | dict[str, Any]:
    """Return a classic board as its line of text, anything else as the project's own JSON."""
    return puzzle.line() if puzzle.is_plain else to_json(puzzle)


def solution_told(puzzle: Puzzle, solution: Values) -> str | dict[str, int]:
    """Return a filled board as its line of text, without single cells beside it; of several boards, each cell's value by name."""
    board, *others = puzzle.grid.boards
    if not others:
        return puzzle.line(solution)
    if all((other.rows, other.columns) == (1, 1) for other in others):
        return "".join(puzzle.symbols.sign(solution[puzzle.grid.cell_at[place]]) for place in board.places())
    return {puzzle.grid.cell_name(cell): value for cell, value in enumerate(solution)}

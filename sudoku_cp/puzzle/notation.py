"""The project's own JSON of a puzzle; `docs/puzzle-json.md` describes it for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.errors import InvalidInput, expect
from sudoku_cp.grid import Board, Grid
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle.puzzle import CLASSIC, USUAL, Puzzle
from sudoku_cp.rules import rule_from_json, rule_to_json
from sudoku_cp.symbols import Symbols, alphabet, numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FORMAT, VERSION = "sudoku-cp puzzle", 1

_TEXTS = ("title", "author", "source")
_KEYS = {"format", "version", "grid", "rules", "givens", "candidates", "symbols", "solution", *_TEXTS}
_BOARD_KEYS = {"rows", "columns", "boxes", "regions", "at", "values"}
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
    reader = _Reader(expect("a puzzle as a JSON object", dict, data))
    reader.check(data.get("format", FORMAT) == FORMAT, f"format: expected {FORMAT!r}, got {data.get('format')!r:.80}")
    reader.check(data.get("version", VERSION) == VERSION, f"version: expected {VERSION}, got {data.get('version')!r:.80}")
    for key in sorted(data.keys() - _KEYS, key=str):
        reader.problems.append(f"expected the fields {', '.join(sorted(_KEYS))}; got {key!r:.80}")
    grid = reader.read("grid", _grid_from_json, Grid.square())
    fields: dict[str, Any] = {key: reader.read(key, _text, "") for key in _TEXTS}
    if not reader.problems:
        fields["rules"] = reader.read("rules", lambda rules: _rules(rules, grid), CLASSIC)
        fields["givens"] = reader.read("givens", lambda cells: _by_cell(cells, grid, _value), dict[int, int]())
        fields["candidates"] = reader.read("candidates", lambda cells: _by_cell(cells, grid, _domain), dict[int, int]())
        fields["symbols"] = reader.read("symbols", lambda told: _symbols(told, grid), USUAL)
        fields["solution"] = reader.read("solution", lambda values: tuple(_value(value) for value in _array(values)), None)
    if reader.problems:
        raise InvalidInput(reader.problems)
    return Puzzle(grid, **fields)


class _Reader:
    """Reads one field after the other and remembers everything that is wrong."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self.problems: list[str] = []

    def check(self, right: bool, problem: str) -> None:  # noqa: FBT001
        if not right:
            self.problems.append(problem)

    def read(self, key: str, parse: Callable[[Any], _T], default: _T) -> _T:
        if key not in self._data:
            return default
        try:
            return parse(self._data[key])
        except InvalidInput as error:
            self.problems += [f"{key}: {problem}" for problem in error.problems]
            return default


def _grid_to_json(grid: Grid) -> dict[str, Any]:
    boards = []
    for board in grid.boards:
        told: dict[str, Any] = {"rows": board.rows, "columns": board.columns}
        if board.boxes:
            told["boxes"] = list(board.boxes)
        if board.regions:
            told["regions"] = [
                list(board.regions[start : start + board.columns]) for start in range(0, len(board.regions), board.columns)
            ]
        if board.at != (0, 0):
            told["at"] = list(board.at)
        boards.append(told)
    values = {"values": [grid.values[0], grid.values[-1]]}
    return boards[0] | values if len(boards) == 1 else {"boards": boards} | values


def _grid_from_json(data: Any) -> Grid:
    told = _object(
        data, {"boards", "values"} if "boards" in _object(data) else {"rows", "columns", "boxes", "regions", "at", "values"}
    )
    boards = tuple(_board(one) for one in _array(told["boards"])) if "boards" in told else (_board(told),)
    if "values" in told:
        low, high = _pair(told["values"])
        values = range(low, high + 1)
    else:
        plain = Grid(boards, range(1, 2))
        values = range(1, max(map(len, plain.houses.values())) + 1)
    return Grid(boards, values)


def _board(data: Any) -> Board:
    told = _object(data, _BOARD_KEYS)
    missing = [f"expected the field {key!r}, which is missing" for key in ("rows", "columns") if key not in told]
    if missing:
        raise InvalidInput(missing)
    regions = [_array(row) for row in _array(told["regions"])] if "regions" in told else None
    return Board(
        _value(told["rows"]),
        _value(told["columns"]),
        _pair(told["boxes"]) if "boxes" in told else None,
        None if regions is None else tuple(None if label is None else _value(label) for row in regions for label in row),
        _pair(told["at"]) if "at" in told else (0, 0),
    )


def _rules(data: Any, grid: Grid) -> tuple[Any, ...]:
    rules, problems = [], []
    for number, told in enumerate(_array(data)):
        try:
            rules.append(rule_from_json(told, grid))
        except InvalidInput as error:
            problems += [f"[{number}]: {problem}" for problem in error.problems]
    if problems:
        raise InvalidInput(problems)
    return tuple(rules)


def _by_cell(data: Any, grid: Grid, parse: Callable[[Any], int]) -> dict[int, int]:
    found, problems = {}, []
    for name, told in _object(data).items():
        try:
            found[grid.parse_cell(name)] = parse(told)
        except InvalidInput as error:
            problems += [f"{name}: {problem}" for problem in error.problems]
    if problems:
        raise InvalidInput(problems)
    return found


def _symbols(data: Any, grid: Grid) -> Symbols:
    if isinstance(data, str):
        return alphabet(data, grid.values)
    told = _object(data, {"signs", "first"})
    return Symbols(_text(told.get("signs", "")), _value(told.get("first", grid.values[0])))


def _domain(data: Any) -> int:
    values = [_value(value) for value in _array(data)]
    if min(values, default=0) < 0:
        raise InvalidInput(f"expected values from 0, got {data!r:.80}")
    return to_mask(values)


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


def _object(data: Any, keys: set[str] | None = None) -> dict[str, Any]:
    told = expect("a JSON object", dict, data)
    unknown = sorted(told.keys() - keys) if keys is not None else []
    if keys is not None and unknown:
        raise InvalidInput([f"expected the fields {', '.join(sorted(keys))}; got {key!r:.80}" for key in unknown])
    return told

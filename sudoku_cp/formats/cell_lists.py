"""Lists of cells: the row, the column and the value of each given cell, in a table, in JSON, in code, or as ``r1c2=5``.

Nothing in such a list says whether rows are counted from 0 or from 1, or how large the board is, unless a cell shows it. What
is assumed is told in a warning; what could be meant in two ways is refused with both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from typing import Any, NamedTuple

from sudoku_cp.errors import OptionProblem, ParseError
from sudoku_cp.formats.base import Format, Options, Record, attempt_with_warnings, first_problems, not_read_lines
from sudoku_cp.formats.grid_text import label_components
from sudoku_cp.formats.killers.cages import SIDE, CellSum, puzzle_from_cages
from sudoku_cp.grid import MAX_SIDE, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.symbols import NULLS

# Killer sudokus as a list of cages by the names of their cells: ``22 = r1c1 + r1c2``, ``22: r1c1 r1c2``, or a table of both.
#
# That values in a cage differ is not said in such a list. It is assumed where the cages are those of a killer: in one piece, no
# cell in two of them, and either all cells in one or a word that calls them cages.


_NAME = r"[rR]\d{1,2}\s?[cC]\d{1,2}"
_CELLS = rf"[\"'(\[]?\s*(?P<cells>{_NAME}(?:[\s+,;&]+{_NAME})*)\s*[\"')\]]?"
_SUM = r"(?:sum\s*)?(?P<total>\d{1,2})"
_SIGN = r"\s*(?:=|:|->|→|[,;|]|\s)\s*"
_FORMS = [
    re.compile(form, re.IGNORECASE)
    for form in (rf"\s*{_SUM}{_SIGN}{_CELLS}\s*[;,.]?\s*", rf"\s*{_CELLS}{_SIGN}{_SUM}\s*[;,.]?\s*")
]
"""A cage with its sum before its cells, or behind them."""
_NAMED_CELL = re.compile(r"[rR](\d{1,2})\s?[cC](\d{1,2})")
_CALLED = re.compile(r"\b(?:killer|cages?)\b", re.IGNORECASE)
_HEADER = re.compile(r"(?:cage)?(?:sum|total|value)s?[,;|\s]+cells?|cells?[,;|\s]+(?:sum|total|value)s?", re.IGNORECASE)
_LEAST_CAGES = 4


@dataclass(frozen=True)
class CageList:
    """The cages of a text as rows and columns from 1, the lines that state them, and the lines of words."""

    line: int
    cages: Sequence[tuple[int, int, Sequence[tuple[int, int]]]]
    """The line, the sum and the places of each."""
    words: Sequence[str]

    @property
    def is_called(self) -> bool:
        """Whether a word calls these cages."""
        return any(map(_CALLED.search, self.words))


def find_cages(text: str) -> CageList | None:
    """Return the cages of a text that lists nothing else, None for any other text."""
    if len(text) > _LONGEST or not _NAMED_CELL.search(text):
        return None
    lines = [(number, " ".join(line.split())) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    words = [line for _, line in lines if not any(map(str.isdigit, line)) and not _HEADER.fullmatch(line)]
    stated = [(number, line) for number, line in lines if any(map(str.isdigit, line))]
    form = next((form for form in _FORMS if form.fullmatch(stated[0][1])), None) if len(stated) >= _LEAST_CAGES else None
    found = [form.fullmatch(line) for _, line in stated] if form else []
    cages = [
        (number, int(one["total"]), [(int(row), int(column)) for row, column in _NAMED_CELL.findall(one["cells"])])
        for (number, _), one in zip(stated, found, strict=False)
        if one
    ]
    large = sum(len(places) > 1 for _, _, places in cages)
    return CageList(stated[0][0], cages, words) if len(cages) == len(stated) >= _LEAST_CAGES and 2 * large >= len(cages) else None


def puzzle_from_list(found: CageList, options: Options, warnings: list[str]) -> Puzzle:
    """Return the killer, or raise `ParseError` with what keeps the cages from being those of one."""
    grid = options.grid or Grid.square(SIDE)
    problems = [
        f"expected cells of {grid}, got r{row}c{column} (line {number})"
        for number, _, places in found.cages
        for row, column in places
        if (row - 1, column - 1) not in grid.cell_at
    ]
    if problems:
        raise ParseError(first_problems(problems), line=found.line)
    cages = [
        CellSum(tuple(grid.cell_at[row - 1, column - 1] for row, column in places), total) for _, total, places in found.cages
    ]
    times = Counter(cell for cage in cages for cell in cage.cells)
    problems = [
        f"expected each cell in one cage, got {grid.cell_name(cell)} in several" for cell, many in times.items() if many > 1
    ]
    problems += [
        f"expected a cage in one piece, got cells apart (line {number})"
        for (number, _, _), cage in zip(found.cages, cages, strict=True)
        if not _is_connected(cage.cells, grid)
    ]
    if len(times) < len(grid.cells) and not found.is_called:
        problems.append(f"expected a word such as 'killer' with cages in {len(times)} of {len(grid.cells)} cells, got sums alone")
    if problems:
        raise ParseError(first_problems(problems), line=found.line)
    warnings += [*not_read_lines(found.words, "around the cages"), "read as a killer: the values in a cage differ"]
    return puzzle_from_cages(cages, grid=grid)


def _is_connected(cells: Sequence[int], grid: Grid) -> bool:
    places = [grid.places[cell] for cell in cells]
    beside = [
        (one, other)
        for one, (row, column) in enumerate(places)
        for other, place in enumerate(places)
        if place in {(row + 1, column), (row, column + 1)}
    ]
    return len({*label_components(len(places), beside)}) == 1


_LONGEST = 1 << 16
"""Characters of a list, at most."""
_LEAST_NAMED, _LEAST = 4, 8
"""Cells of a list in which they are called by name, and of any other, at least."""
_USUAL = 9
_TRIPLE = 3
_NAMES = {
    "row": frozenset({"row", "r", "y", "i", "line", "rowindex", "rownumber"}),
    "column": frozenset({"column", "col", "c", "x", "j", "columnindex", "colindex", "columnnumber"}),
    "value": frozenset({"value", "val", "v", "digit", "d", "number", "num", "n", "given", "clue"}),
}
_EMPTY = frozenset({"", "0", ".", "-", "_", "?"}) | NULLS
_BETWEEN = r"\s*(?:=|:|->|→|is\b|\s)\s*"
_NAMED = re.compile(rf"\b[rR](\d{{1,2}})\s?,?\s?[cC](\d{{1,2}})['\")\]]*{_BETWEEN}['\"]?(\d{{1,2}})\b(?!\s*[-+*/<>])")
_PAIR = re.compile(rf"[\[(]\s*(\d{{1,2}})\s*[,;]\s*(\d{{1,2}})\s*[\])]{_BETWEEN}['\"]?(\d{{1,2}})\b")
_LABELLED = re.compile(
    r"\b(?:row|r)['\"]?\s*[:= ]\s*(\d{1,2})[\s,;]+['\"]?(?:column|col|c)['\"]?\s*[:= ]\s*(\d{1,2})\s*[,;:=]?\s*"
    r"['\"]?(?:(?:value|val|v|digit|number)['\"]?\s*[:= ]\s*)?['\"]?(\d{1,2})\b",
    re.IGNORECASE,
)
_INDEXED = re.compile(r"\b[A-Za-z_]\w*\[(\d{1,2})\](?:\[|\s*,\s*)(\d{1,2})\]\s*={1,3}\s*(\d{1,2})\b")
_GROUP = re.compile(r"[\[({]\s*(\d{1,2})\s*[,;]\s*(\d{1,2})\s*[,;]\s*['\"]?(\d{1,2})['\"]?\s*[\])}]")
_LETTERED = re.compile(r"\b([A-Ia-i])([1-9])\s*(?:=|:|->|→)\s*([1-9])\b")
_PLACE = re.compile(r"\(?\s*(\d{1,2})\s*[,;:_ ]\s*(\d{1,2})\s*\)?")
_NUMBERS = re.compile(r"\d{1,2}")
_CLOSED = re.compile(r"[\])}]{2,}")
_BOX_ROWS = 27
_RULE = re.compile(r"[\s|:=+-]*")
_CELL_NAME = re.compile(r"[rR]\d+[cC]\d+")
_CODE = re.compile(r"\b(?:var|let|const|int|auto|list|tuple|dict|grid|board|cells|givens|clues|puzzle|sudoku|new)\b|\[\d{0,2}\]")


class _Cell(NamedTuple):
    """A cell of the list: the line that names it, its row and column as they are counted there, and its value, 0 for none."""

    line: int
    row: int
    column: int
    value: int


class _CellList(NamedTuple):
    """The cells of a text, and what else it says."""

    cells: Sequence[_Cell]
    is_named: bool = False
    """Whether they are called as in ``r1c2``, where rows are counted from 1."""
    is_labelled: bool = False
    """Whether it says which number is the row, the column and the value."""
    rest: Sequence[str] = ()
    """Lines that are not read."""
    skipped: Sequence[str] = ()
    """Columns that are not read."""
    size: int | None = None


# --- finding the cells ------------------------------------------------------------------------------------------


def _find_cells(text: str) -> _CellList | None:
    """Return the cells of a text that lists nothing else, None for any other text."""
    if len(text) >= _LONGEST:
        return None
    opening = text.lstrip()[:1]
    if opening and opening in "[{":
        found = _cells_of_json(text)
        if found is not None:
            return found
    if _CELL_NAME.search(text):
        return _cells_by_pattern(text, _NAMED, is_named=True)
    if found := _cells_by_pattern(text, _LABELLED):
        return found._replace(is_labelled=True)
    if "(" in text or "[" in text or "{" in text:
        return _cells_by_pattern(text, _PAIR) or _cells_by_pattern(text, _INDEXED) or _cells_by_pattern(text, _GROUP)
    return _cells_of_table(text)


def _cells_of_json(text: str) -> _CellList | None:
    """Return the cells of an array of objects with a row, a column and a value, or of arrays of three numbers."""
    import json  # noqa: PLC0415  # 1 ms that boards in one word do without

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    size, others = None, []
    places = _places_of(data)
    if isinstance(data, dict) and not places:
        size, others = data.get("size"), [key for key, value in data.items() if not isinstance(value, list) and key != "size"]
        data = next(iter(lists), None) if len(lists := [one for one in data.values() if isinstance(one, list)]) == 1 else None
    items: list[Any] = data if isinstance(data, list) else [[*map(int, one.groups()), data[key]] for key, one in places.items()]
    if len(items) < _LEAST:
        return None
    if all(isinstance(one, dict) for one in items):
        flags = {key for one in items for key, value in one.items() if isinstance(value, bool)}
        names = _columns_of(name for name in items[0] if name not in flags)
        if names and any(_is_of_player(one, names[-1]) for one in items):
            return None
        rows = [[one.get(name) for name in names] for one in items] if names else []
        skipped = sorted({key for one in items for key in one} - {*names}) if names else []
    else:
        rows, skipped = [one for one in items if isinstance(one, list) and len(one) == _TRIPLE], []
    cells = [cell for row in rows if (cell := _cell_of(1, row)) is not None]
    size = size if isinstance(size, int) and 2 <= size <= MAX_SIDE else None  # noqa: PLR2004
    found = _CellList(cells, is_labelled=isinstance(items[0], dict), skipped=[*others, *skipped], size=size)
    return found if len(cells) == len(items) else None


def _places_of(data: Any) -> dict[str, re.Match[str]]:
    """Return the row and the column in each name of an object's fields, nothing if some name is not such a pair."""
    found = {key: _PLACE.fullmatch(key) for key in data} if isinstance(data, dict) else {}
    pairs = {key: one for key, one in found.items() if one}
    return pairs if len(pairs) == len(found) else {}


def _is_of_player(cell: dict[str, Any], value: str) -> bool:
    """Return whether a cell has a value and a mark that it is not given."""
    return any(cell.get(name) is False for name in ("given", "fixed", "isGiven", "isFixed", "locked")) and bool(cell.get(value))


def _columns_of(names: Iterable[str]) -> list[str]:
    """Return which names are those of the row, the column and the value; none if one of them is missing or comes twice.

    Single letters are such names only where there are few: A to I are the columns of a board.
    """
    words = [name for name in names if str(name).strip()]
    shortest = 1 if len(words) <= _TRIPLE + 1 else _TRIPLE - 1
    usual = {name: re.sub(r"[\s_-]", "", str(name)).lower() for name in words}
    found = [[name for name in words if usual[name] in known and len(usual[name]) >= shortest] for known in _NAMES.values()]
    return [several[0] for several in found] if all(len(several) == 1 for several in found) else []


def _cell_of(line: int, fields: Sequence[Any]) -> _Cell | None:
    """Return the cell of a row, a column and a value; None if these are no such numbers."""
    row, column, value = ("" if field is None else str(field).strip().removesuffix(".0") for field in fields)
    value = "0" if value.lower() in _EMPTY else value
    usable = all(_NUMBERS.fullmatch(one) for one in (row, column, value))
    return _Cell(line, int(row), int(column), int(value)) if usable else None


def _cells_by_pattern(text: str, pattern: re.Pattern[str], *, is_named: bool = False) -> _CellList | None:
    """Return the cells that match a pattern; between them may stand only punctuation, and on lines of their own words."""
    cells: list[_Cell] = []
    rest: list[str] = []
    is_code = text.lstrip()[:1] in {"[", "{"}
    for number, line in enumerate(text.split("\n"), 1):
        found = [_Cell(number, *map(int, match)) for match in pattern.findall(line)]
        other = _CODE.sub("", pattern.sub("", line))
        if any(map(str.isdigit, other)) or (any(map(str.isalpha, other)) and (found or is_code)):
            return None
        cells += found
        rest += [line.strip()] * any(map(str.isalpha, other))
    if pattern is _GROUP and (len(_CLOSED.findall(re.sub(r"\s", "", text))) > 1 or _are_box_rows(cells)):
        return None
    return _CellList(cells, is_named, is_named, rest) if len(cells) >= (_LEAST_NAMED if is_named else _LEAST) else None


def _are_box_rows(cells: Sequence[_Cell]) -> bool:
    """Return whether three numbers may be a row of a box: 27 of them, three a line or all on one."""
    numbers = Counter(cell.line for cell in cells)
    return len(cells) == _BOX_ROWS and {*numbers.values()} <= {_TRIPLE, _BOX_ROWS}


def _cells_of_table(text: str) -> _CellList | None:
    """Return the cells of lines with a row, a column and a value: below such names, or in the order of the cells."""
    import csv  # noqa: PLC0415  # as above

    lines = [(number, line.strip().strip("|")) for number, line in enumerate(text.split("\n"), 1)]
    numbered = [(number, line) for number, line in lines if not _RULE.fullmatch(line) and not line.startswith("#")]
    if len(numbered) <= 1 or not any(map(str.isdigit, numbered[-1][1])):
        return None
    first = numbered[0][1]
    separator = next((sign for sign in ("\t", ";", "|", ",") if sign in numbered[1][1]), " ")
    texts = csv.reader((line for _, line in numbered), delimiter=separator, skipinitialspace=True)
    try:
        rows = [[field.strip() for field in row] for row in texts]
    except csv.Error:
        return None
    if len(rows) != len(numbered):  # a field goes on on the next line
        return None
    if any(map(str.isalpha, first)) and len(rows[0]) != len(rows[1]):  # names between other separators
        rows[0] = re.split(r"[\s,;|]+", first.strip())
    names = _columns_of(rows[0]) if any(map(str.isalpha, first)) else []
    if len(rows) <= (0 if names and min(map(len, names)) > 1 else _LEAST):
        return None
    if not names:
        cells = [_cell_of(number, row) if len(row) == _TRIPLE else None for (number, _), row in zip(numbered, rows, strict=True)]
        found = [cell for cell in cells if cell is not None]
        return _CellList(found) if len(found) == len(rows) and _are_in_order(found) else None
    at = [rows[0].index(name) for name in names]
    wide = [(number, row) for (number, _), row in zip(numbered[1:], rows[1:], strict=True) if len(row) > max(at)]
    cells = [_cell_of(number, [row[place] for place in at]) for number, row in wide]
    found = [cell for cell in cells if cell is not None]
    skipped = [name for name in rows[0] if name.strip() and name not in names]
    return _CellList(found, is_labelled=True, skipped=skipped) if len(found) == len(rows) - 1 else None


def _are_in_order(cells: Sequence[_Cell]) -> bool:
    """Return whether two of the three numbers are in order, as three digits a line of another text hardly are."""
    pairs = ((1, 2), (2, 1), (2, 3), (3, 2))
    return any(all((one[a], one[b]) < (other[a], other[b]) for one, other in pairwise(cells)) for a, b in pairs)


# --- from cells to a puzzle -------------------------------------------------------------------------------------


def _make_puzzle(found: _CellList, options: Options, warnings: list[str]) -> Puzzle:
    lines = [*{cell.row for cell in found.cells}, *{cell.column for cell in found.cells}]
    first = 0 if 0 in lines else 1
    grid = options.grid or (Grid.square(found.size) if found.size else _grid_of(found.cells, first))
    if len(grid.boards) > 1:
        raise ParseError(f"expected one board for a list of cells, got {grid}")
    rows, columns = grid.boards[0].rows, grid.boards[0].columns
    if not found.is_labelled:
        _require_order(found.cells, grid, first)
    _require_known_start(found, first, max(rows, columns))
    _require_within(found.cells, grid, first)
    values = _values_by_place(found.cells, first)
    _require_known_blank(values, grid)
    warnings += not_read_lines(found.rest, "around the cells")
    if found.skipped:
        warnings.append(f"columns not read: {', '.join(map(str, found.skipped))}")
    what = "" if found.is_labelled else ", as row, column and value"
    warnings.append(f"read as a list of cells{what}: rows and columns counted from {first}, on {grid}")
    return Puzzle(grid, givens={grid.cell_at[place]: value for place, value in values.items() if value})


def _grid_of(cells: Sequence[_Cell], first: int) -> Grid:
    """Return the board of cells: a square of which all are listed, or 9x9 if one shows that it is no smaller one."""
    side = 1 - first + max(max(cell.row, cell.column) for cell in cells)
    largest = max(side, *(cell.value for cell in cells))
    if len({cell[1:3] for cell in cells}) == side * side and largest == side:
        return Grid.square(side)
    if largest > _USUAL:
        raise ParseError(OptionProblem(f"expected `size` with a list of cells on a board larger than 9x9, got {largest}"))
    if largest < _USUAL:
        words = f"expected `size` with a list of cells that have no row, column or value above {largest}"
        raise ParseError(OptionProblem(f"{words}: it may be a {_USUAL}x{_USUAL} board or one of {largest}x{largest}"))
    return Grid.square(_USUAL)


def _require_known_start(found: _CellList, first: int, side: int) -> None:
    """Raise `ParseError` if rows may be counted from 0 as well as from 1."""
    most = max(max(cell.row, cell.column) for cell in found.cells)
    if first == 1 and not found.is_named and most < side:
        one = found.cells[0]
        begun = [f"from {start}, as r{one.row + 1 - start}c{one.column + 1 - start}={one.value}" for start in (0, 1)]
        words = f"expected a row or column 0 or {side}, which shows from where they are counted, got {most} as the largest"
        raise ParseError(f"{words}: line {one.line} may count them {' or '.join(begun)}; write cells like that", line=one.line)


def _require_within(cells: Sequence[_Cell], grid: Grid, first: int) -> None:
    """Raise `ParseError` with the cells that are not on the board, and values that it does not have."""
    board, values, problems = grid.boards[0], grid.values, []
    for cell in cells:
        if not (first <= cell.row < board.rows + first and first <= cell.column < board.columns + first):
            last = (board.rows - 1 + first, board.columns - 1 + first)
            expected = f"expected rows {first} to {last[0]} and columns {first} to {last[1]}"
            problems.append(f"{expected}, got row {cell.row}, column {cell.column} (line {cell.line})")
        if cell.value and cell.value not in values:
            problems.append(f"expected values from {values[0]} to {values[-1]}, got {cell.value} (line {cell.line})")
    if problems:
        raise ParseError(first_problems(problems))


def _values_by_place(cells: Sequence[_Cell], first: int) -> dict[tuple[int, int], int]:
    """Return the value of each place; raise `ParseError` if one has two."""
    found: dict[tuple[int, int], int] = {}
    for cell in cells:
        place = cell.row - first, cell.column - first
        if found.setdefault(place, cell.value) != cell.value:
            words = f"r{place[0] + 1}c{place[1] + 1} as {found[place]} and as {cell.value}"
            raise ParseError(f"expected each cell once, got {words}", line=cell.line)
    return found


def _require_known_blank(values: dict[tuple[int, int], int], grid: Grid) -> None:
    """Raise `ParseError` if 0 may be an empty cell as well as a value."""
    used = {*values.values()}
    if 0 in used and grid.values[-1] not in used and len(values) < len(grid.cells):
        last = grid.values[-1]
        raise ParseError(
            f"expected one mark for empty cells, got cells with 0 and others that are not listed: either 0 is empty too, or the "
            f"values are 0 to {last - 1}: leave out empty cells, and write 1 to {last}"
        )


def _require_order(cells: Sequence[_Cell], grid: Grid, first: int) -> None:
    """Raise `ParseError` if three numbers without names make no board in the usual order and do in another."""
    if all(one[2:0:-1] < other[2:0:-1] for one, other in pairwise(cells)):
        one = next((cell for cell in cells if cell.row != cell.column), cells[0])
        both = " or ".join(f"r{row + 1 - first}c{column + 1 - first}={one.value}" for row, column in (one[1:3], one[2:0:-1]))
        words = "expected row, column, value, row by row, got lines in the order of their second numbers, which may be rows"
        raise ParseError(f"{words}: line {one.line} may be {both}; write cells like that", line=one.line)
    if _fit(cells, grid, first):
        return
    for name, at in (("value, row, column", (2, 3, 1)), ("row, value, column", (1, 3, 2))):
        if _fit([_Cell(cell.line, *(cell[place] for place in at)) for cell in cells], grid, first):
            words = "expected row, column, value, in which order cells come twice or equal values stand in one house"
            raise ParseError(f"{words}; got what may be {name}: write the names of the columns above them")


def _fit(cells: Sequence[_Cell], grid: Grid, first: int) -> bool:
    """Return whether cells are on the board, each once, with different values in each house."""
    found = {(cell.row - first, cell.column - first): cell.value for cell in cells}
    if len(found) < len(cells) or not {*found} <= {*grid.cell_at} or not {*found.values()} <= {0, *grid.values}:
        return False
    givens = {grid.cell_at[place]: value for place, value in found.items() if value}
    houses = [[givens[cell] for cell in house if cell in givens] for house in grid.houses.values()]
    return all(len({*values}) == len(values) for values in houses)


# --- the format -------------------------------------------------------------------------------------------------


def _find_lettered(text: str) -> tuple[int, tuple[str, str, str]] | None:
    """Return the first cell of a list such as ``A5=3``, with its line, if a text is one."""
    if len(text) >= _LONGEST or any(map(str.isalnum, _LETTERED.sub("", text))):
        return None
    found = [(number, match) for number, line in enumerate(text.split("\n"), 1) for match in _LETTERED.findall(line)]
    turned = (one for one in found if "abcdefghi".index(one[1][0].lower()) + 1 != int(one[1][1]))
    return next(turned, found[0]) if len(found) >= _LEAST else None


def sniff(head: str) -> bool:
    """Return whether a text is a list of cells."""
    if not any(map(str.isdigit, head)):
        return False
    first = next((line for line in head.split("\n") if line.strip()), "")
    words = first.split()
    if len(words) == 1 and len(words[0]) >= _LEAST * 2 and words[0].isalnum():  # a board in one word
        return False
    return _find_cells(head) is not None or _find_lettered(head) is not None or find_cages(head) is not None


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the one puzzle of a list of cells."""
    text = "\n".join(islice(lines, _LONGEST))
    found = _find_cells(text)
    if found is not None:
        yield attempt_with_warnings(found.cells[0].line, partial(_make_puzzle, found, options))
        return
    lettered = _find_lettered(text)
    if cages := find_cages(text):
        yield attempt_with_warnings(cages.line, partial(puzzle_from_list, cages, options))
        return
    if lettered is None:
        raise ParseError("expected the row, the column and the value of each cell, such as r1c2=5, got something else")
    line, (letter, digit, value) = lettered
    number = "abcdefghi".index(letter.lower()) + 1
    both = f"{letter} may be a row (r{number}c{digit}={value}) or a column (r{digit}c{number}={value})"
    raise ParseError(f"expected cells such as r1c2=5, got {letter}{digit}={value}: {both}; write one of these", line=line)


FORMAT = Format(
    "cells",
    "a list of cells: row, column and value of each, in a table, in JSON, in code, or as r1c2=5",
    (),
    sniff,
    read,
    None,
    keeps_front=True,
)

"""Which column of a table holds what: found by the first line if it names the columns, and by what stands in them.

A column of boards is the puzzle's, whatever its name; full boards that agree with the puzzles beside them are solutions, and
others that agree are a player's progress. Every reader asks `find_layout`, so that one text is the same table everywhere.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from sudoku_cp.formats.base import LONGEST_LINE, Options
from sudoku_cp.formats.board_roles import assign_roles, board_role, has_givens, meaning_of
from sudoku_cp.formats.board_text.alphabets import can_be_board
from sudoku_cp.formats.board_text.candidate_marks import is_ascending
from sudoku_cp.formats.jigsaws import is_layout
from sudoku_cp.formats.table_rows import WHITE_SPACE, is_number, join_fields, split_fields, unescape_cell
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import BLANKS, NULLS, PLAIN_SIGNS, is_mostly_plain

MEANINGS = (
    "puzzle",
    "solution",
    "progress",
    "regions",
    "title",
    "id",
    "author",
    "source",
    "difficulty",
    "signs",
    "rules",
    "type",
)
"""What a column can hold."""
_BY_NAME = frozenset({"title", "id", "author", "source", "difficulty", "signs", "rules", "type"})
"""What only the name of a column shows."""
DOCUMENT = "{"
"""How the project's own JSON begins, which stands in the column for puzzles that a line cannot express."""
_DOCUMENT = re.compile(r'\{\s*"(format|grid|rules|givens)"')
_DELIMITERS = (",", ";", "\t", "|", WHITE_SPACE)
_NAMED_DELIMITERS = ",;\t"
"""Delimiters of a header that is recognised by a name alone, with no puzzle below it."""
_SAMPLE = 50
"""Lines by which a table is recognised."""
_LEAST = 16
"""Cells of the smallest board that cannot be mistaken for a word (4x4)."""
_RATED = 7
"""Fields of a line without header (the taxonomy of gsf's sudoku program has eight) of which one after the puzzle is its name."""
_LARGEST_SMALL = 6
"""The side of a board with as many cells as a row of a large board may have."""
_LONGEST_PARTED = 4000
_PARTED = re.compile(r"(?:[\w.*?\s|/;,'\"-]|\[[\w.*?\s,'\"-]*\])*")
"""Cells, or rows, between blanks or bars, or a list of them."""
_WORD = re.compile(r"[^\s|/;,'\"\[\]]+")
_ROW = re.compile(r"\[([^\[\]]+)\]")
_SHORTENED = re.compile(r"[1-9](?:[.,]\d+)?[Ee]\+(\d{1,3})")
"""A number of so many digits, less one, as spreadsheets show it."""
_MOSTLY = 0.9
"""The part of a damaged board that is digits and marks for empty cells."""
_RULE = re.compile(r"[\s|:+=-]*\|[\s|:+=-]*|sep=.")
"""A line that only separates a header from its rows, or names the delimiter for a spreadsheet."""

_Values = Sequence[str]
_Rows = Sequence[Sequence[str]]


class TableLayout(NamedTuple):
    """The delimiter, which column (from 0) holds what, the names of all columns, and the number of the line that has them.

    Without such a line ``header`` is 0 and the names are ours. No columns: each line is to be looked at by itself. ``rivals``:
    columns of which each may be the puzzle's; ``unread``: those of other boards.
    """

    delimiter: str
    columns: Mapping[str, int]
    names: tuple[str, ...]
    header: int = 0
    rivals: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.names)

    def name(self, column: int) -> str:
        """Return what a message calls a column."""
        name = self.names[column] if self.header else ""
        return f"the column {name!r}" if name else f"column {column + 1}"

    def header_text(self) -> str:
        """Return the names as a line of CSV, without its end."""
        return join_fields(self.names, "," if self.delimiter == WHITE_SPACE else self.delimiter).removesuffix("\n")


UNKNOWN = TableLayout(",", {}, ())
"""No layout is known."""


class _Table(NamedTuple):
    """A sample split at one delimiter: numbers of the lines, their fields, the first row with a board, how many rows have one."""

    delimiter: str
    numbers: Sequence[int]
    rows: _Rows
    first: int
    boards: int


def is_table_line(line: str) -> bool:
    """Return whether a line of a table has something to read: no comment, and not just a line drawn below the header."""
    return bool(line.strip()) and not line.startswith("#") and not _RULE.fullmatch(line)


def find_layout(lines: Sequence[str], options: Options) -> TableLayout | None:
    """Return the layout of the table that begins with these lines, None if they are none."""
    numbered = ((number, line[:LONGEST_LINE]) for number, line in enumerate(lines, 1) if is_table_line(line))
    sample = [pair for pair, _ in zip(numbered, range(_SAMPLE), strict=False)]
    tables = [table for delimiter in _DELIMITERS if (table := _tabulate(sample, delimiter, options))]
    for table in sorted(tables, key=lambda table: -table.boards):
        if layout := _layout_of(table, options):
            return layout
    return _layout_by_name(*sample[0]) if sample else None


def is_table(head: str, options: Options) -> bool:
    """Return whether a text begins as a table."""
    return find_layout(head.split("\n"), options) is not None


def cells_of(field: str, options: Options) -> str:
    """Return the cells in a field: without blanks around them, unless these are cells too; parted cells or rows in one word."""
    text = unescape_cell(field)
    fits = len(text) == len(options.grid.cells) if options.grid else square_side(len(text)) is not None
    return text if fits else _joined_cells(text.strip(), options) or text.strip()


def _joined_cells(text: str, options: Options) -> str:
    """Return the cells that a field has in as many words as cells or rows, or as a list of rows; nothing for other texts."""
    inner = text[1:-1] if text.startswith("[") else text
    if not _LEAST < len(text) <= _LONGEST_PARTED or text[-1:] == "[" or not _PARTED.fullmatch(inner):
        return ""
    words = [_cell_text(word) for word in _WORD.findall(text)]
    side = square_side(len(words)) or 0
    rows = [len(_WORD.findall(row)) for row in _ROW.findall(text)]
    cells = side > _LARGEST_SMALL and {*map(len, words)} == {1} and (not rows or rows in ([side] * side, [side * side]))
    are_rows = len(words) ** 2 >= _LEAST and {*map(len, words)} == {len(words)} and "[" not in text
    are_rows = are_rows and not all(is_ascending(word, len(words)) for word in words)
    joined = "".join(words)
    meant = is_mostly_plain(joined) or {*joined} <= {*(options.alphabet or ""), *BLANKS}
    return joined if meant and (cells or are_rows) else ""


def _cell_text(word: str) -> str:
    return "." if word.lower() in NULLS else word


def board_columns(row: Sequence[str], options: Options) -> list[int]:
    """Return the columns of a row that hold boards."""
    return [column for column, field in enumerate(row) if is_board(cells_of(field, options), options)]


def is_board(text: str, options: Options) -> bool:
    """Return whether a field holds a board, as signs or as the project's own JSON."""
    if text.startswith(DOCUMENT):
        return text.endswith("}") and _DOCUMENT.match(text) is not None
    if options.grid:
        side = len(options.grid.values) if len(text) == len(options.grid.cells) else None
    else:
        side = square_side(len(text)) if len(text) >= _LEAST else None
    return side is not None and (options.alphabet is not None or can_be_board(text, range(1, side + 1)))


# --- a sample at each delimiter -----------------------------------------------------------------------------------


def _tabulate(sample: Sequence[tuple[int, str]], delimiter: str, options: Options) -> _Table | None:
    """Return the sample split at a delimiter, None if no column has boards in at least half of the rows below a header."""
    rows = [_split_or_nothing(line, delimiter) for _, line in sample]
    found = [board_columns(row, options) for row in rows]
    column, most = next(iter(Counter(column for columns in found for column in columns).most_common(1)), (0, 0))
    first = next((index for index, columns in enumerate(found) if column in columns), 0)
    board_rows = sum(all(len(field) == len(row) for field in row) for row in rows[first:])
    if not most or 2 * most < len(rows) - 1 or 2 * board_rows > len(rows) - first:
        return None
    return _Table(delimiter, [number for number, _ in sample], rows, first, most)


def _split_or_nothing(line: str, delimiter: str) -> list[str]:
    try:
        return split_fields(line, delimiter)
    except csv.Error:
        return []


def _layout_of(table: _Table, options: Options) -> TableLayout | None:
    """Return the layout of a sample with boards: below its header, or without one."""
    header = _header_index(table)
    below = table.rows[table.first if header is None else header + 1 :]
    width = Counter(map(len, below)).most_common(1)[0][0]
    if header is not None:
        names = tuple(name.strip() for name in table.rows[header])
        if table.delimiter == WHITE_SPACE and {len(row) for row in below} != {len(names)}:
            return None
        if len(names) == 1 and meaning_of(names[0]) != "puzzle" and any(_is_parted(row, options) for row in below):
            return None
        found = _find_columns(_columns_by_name(names), names, below, max(width, len(names)), options)
        return found and found._replace(delimiter=table.delimiter, names=names, header=table.numbers[header])
    if table.delimiter == WHITE_SPACE:
        last = max(board_columns(table.rows[table.first], options))
        shortest = min(map(len, below))
        width = shortest + (shortest <= last + 1 < max(map(len, below)))
        below = [[*row[: width - 1], " ".join(row[width - 1 :])] for row in below]
    if width <= 1:
        return None
    found = _find_columns({}, (), below, width, options, lenient=table.delimiter != WHITE_SPACE)
    if not found or (table.delimiter == WHITE_SPACE and not _is_tabular(below, found.columns)):
        return None
    columns = {**found.columns, **_name_columns(below, found.columns, width)}
    ours = {column: meaning for meaning, column in columns.items() if meaning not in _BY_NAME}
    names = tuple(ours.get(column, f"column_{column + 1}") for column in range(width))
    return found._replace(delimiter=table.delimiter, columns=columns, names=names)


def _is_parted(row: Sequence[str], options: Options) -> bool:
    """Return whether a row is a single board in parts, which may be a row of candidates, or a list that needs no table."""
    return len(row) == 1 and bool(_joined_cells(row[0].strip(), options))


def _header_index(table: _Table) -> int | None:
    """Return the index of the row that names the columns: the first, by a name that is known, or the one before the boards."""
    if not table.first:
        return None
    if "puzzle" in _columns_by_name(table.rows[0]):
        return 0
    return table.first - 1 if _names_columns(table.rows[table.first - 1]) else None


def _names_columns(row: Sequence[str]) -> bool:
    """Return whether a row holds names: different words, and neither a number nor a puzzle with something wrong."""
    names = [name.strip() for name in row if name.strip()]
    words = all(any(sign.isalpha() for sign in name) and not is_number(name) for name in names)
    cells = any(map(_may_be_cells, " ".join(names).split()))
    return bool(names) and words and not cells and len({*names}) == len(names)


def is_damaged_board(text: str, cells: int) -> bool:
    """Return whether a text was a board of that many cells, but some are missing or there are too many.

    A spreadsheet keeps 15 digits of a long number, and leaves out zeros before it.
    """
    short = _SHORTENED.fullmatch(text)
    length = int(short[1]) + 1 if short else len(text)
    plain = short is not None or (len({*text}) > 1 and sum(sign in PLAIN_SIGNS for sign in text) >= _MOSTLY * len(text))
    return plain and max(_LEAST, cells) <= 2 * length <= 4 * cells and len(text) != cells


def is_shortened_number(text: str) -> bool:
    """Return whether a text is a long number as spreadsheets show it."""
    return _SHORTENED.fullmatch(text) is not None


def damaged_columns(row: Sequence[str], board: int, options: Options) -> list[int]:
    """Return the columns of a row that hold damaged puzzles, if the one board in it is full and so their solution."""
    cells = cells_of(row[board], options)
    return [at for at, field in enumerate(row) if is_damaged_board(field.strip(), len(cells))] if _is_full(cells) else []


def _may_be_cells(word: str) -> bool:
    """Return whether a word was meant as a board, though perhaps not a complete one."""
    return len(word) >= _LEAST and is_mostly_plain(word)


def _is_tabular(rows: _Rows, columns: Mapping[str, int]) -> bool:
    """Return whether rows between blanks are a table rather than puzzles with a title or regions after each.

    In a table, other columns come first, or only solutions and short numbers follow.
    """
    puzzle = columns["puzzle"]
    if puzzle > 0 or "regions" in columns:
        return puzzle > 0
    others = {column for column in range(1, max(map(len, rows))) if column != columns.get("solution")}
    return all(is_number(row[column]) and len(row[column]) < _LEAST for row in rows for column in others)


# --- columns by name ----------------------------------------------------------------------------------------------


def _columns_by_name(names: Sequence[str]) -> dict[str, int]:
    """Return the columns whose names are known, the first of each meaning."""
    known = [(meaning_of(name), column) for column, name in enumerate(names)]
    return {meaning: column for meaning, column in reversed(known) if meaning in {"puzzle", "solution", *_BY_NAME}}


def _layout_by_name(number: int, line: str) -> TableLayout | None:
    """Return the layout that a line states if one of its names is that of puzzles."""
    for delimiter in _NAMED_DELIMITERS:
        names = [name.strip() for name in line.replace('"', "").split(delimiter)]
        columns = _columns_by_name(names)
        if len(names) > 1 and "puzzle" in columns:
            return TableLayout(delimiter, columns, tuple(names), number)
    return None


# --- columns by content -------------------------------------------------------------------------------------------


def _find_columns(
    named: Mapping[str, int], names: Sequence[str], rows: _Rows, width: int, options: Options, *, lenient: bool = False
) -> TableLayout | None:
    """Return which column holds what, given what the names say; ``lenient`` takes any full boards for solutions."""
    values = [[cells_of(row[column], options) if column < len(row) else "" for row in rows] for column in range(width)]
    layouts = [column for column in range(width) if _most(values[column], is_layout)]
    boards = [column for column in range(width) if _most(values[column], lambda text: is_board(text, options))]
    grids = [column for column in boards if column not in layouts]
    if not boards and "puzzle" not in named:
        return None
    columns = {meaning: column for meaning, column in named.items() if meaning not in {"puzzle", "solution"}}
    columns["puzzle"] = puzzle = _puzzle_column(named, values, grids or boards)
    solution = _solution_column(named, values, puzzle, _not_of_players(names, grids), lenient=lenient)
    if solution is not None:
        columns["solution"] = solution
    if puzzle not in layouts and layouts and _usual_length(values[layouts[0]]) == _usual_length(values[puzzle]):
        columns["regions"] = layouts[0]
    if "id" in columns and all(text.isdecimal() for text in values[columns["id"]] if text):
        del columns["id"]  # it only counts the rows
    return _sort_boards(TableLayout("", columns, ()), names, values, grids)


def _not_of_players(names: Sequence[str], columns: Sequence[int]) -> list[int]:
    """Return the columns whose names do not stand for the boards of a player."""
    return [column for column in columns if not names or board_role(names[column]) != "state"]


def _sort_boards(found: TableLayout, names: Sequence[str], values: Sequence[_Values], grids: Sequence[int]) -> TableLayout:
    """Return the layout with further columns of boards as large as the puzzle's sorted: its start, progress, rivals."""
    columns = dict(found.columns)
    first, solution = columns["puzzle"], columns.get("solution")
    if first not in grids:
        return found
    others = [column for column in grids if column not in {first, solution} and not _repeats(values, column, solution)]
    boards = [first, *(column for column in others if _usual_length(values[column]) == _usual_length(values[first]))]
    if len(boards) == 1:
        return found
    roles = assign_roles(
        [names[column] if column < len(names) else "" for column in boards],
        lambda one, other: _agree(values[boards[other]], values[boards[one]]),
        lambda one: _most(values[boards[one]], _is_full),
    )
    if roles is None:
        return found._replace(rivals=tuple(sorted(boards)))
    unread = [boards[index] for index in roles.unread]
    columns["puzzle"] = boards[roles.puzzle]
    if roles.progress is not None:
        columns["progress"] = boards[roles.progress]
    if roles.solution is not None and solution is not None:
        unread.append(boards[roles.solution])
    elif roles.solution is not None:
        columns["solution"] = boards[roles.solution]
    return found._replace(columns=columns, unread=tuple(unread))


def _repeats(values: Sequence[_Values], column: int, solution: int | None) -> bool:
    """Return whether a column repeats the solutions, as an answer does that somebody found."""
    return solution is not None and _most(values[column], _is_full) and _agree(values[column], values[solution])


def _puzzle_column(named: Mapping[str, int], values: Sequence[_Values], boards: Sequence[int]) -> int:
    """Return the column of puzzles: as its name says, or the first of the largest boards with blanks.

    Where all boards are full, they are the solutions of damaged puzzles beside them.
    """
    stated = named.get("puzzle")
    if stated is not None and (stated in boards or not boards or "signs" in named or [*boards] == [named.get("solution")]):
        return stated
    if all(_most(values[column], _is_full) for column in boards):
        cells = max(_usual_length(values[column]) for column in boards)
        damaged = [column for column, own in enumerate(values) if _are_damaged(own, cells)]
        if damaged:
            return stated if stated in damaged else damaged[0]
    others = [column for column in boards if column != named.get("solution")] or boards
    largest = max(_usual_length(values[column]) for column in others)
    fit = [column for column in others if _usual_length(values[column]) in {0, largest}]
    return next((column for column in fit if _most(values[column], lambda text: not _is_full(text))), fit[0])


def _solution_column(
    named: Mapping[str, int], values: Sequence[_Values], puzzle: int, grids: Sequence[int], *, lenient: bool
) -> int | None:
    """Return the column of solutions, if there is one: as its name says, or full boards that agree with the puzzles."""
    stated = named.get("solution")
    damaged = bool(grids) and all(_are_damaged(values[puzzle], _usual_length(values[column])) for column in grids)
    size = _usual_length(values[grids[0] if damaged else puzzle])
    if stated is not None and stated != puzzle and _usual_length(values[stated]) in {0, size}:
        return stated
    others = [column for column in grids if column != puzzle and _usual_length(values[column]) == size]
    full = [column for column in others if _most(values[column], _is_full)]
    agreeing = [column for column in full if _agree(values[puzzle], values[column])]
    return next(iter(agreeing or (full if lenient or damaged else [])), None)


def _name_columns(rows: _Rows, columns: Mapping[str, int], width: int) -> dict[str, int]:
    """Return the column of names in a table without header: words, different in each row."""
    if width >= _RATED and columns["puzzle"] + 1 < width:
        return {"title": columns["puzzle"] + 1}
    for column in (one for one in range(width) if one not in columns.values()):
        words = [row[column].strip() for row in rows if column < len(row) and row[column].strip()]
        if words and len({*words}) == len(words) > 1 and not all(map(is_number, words)):
            return {"title": column}
    return {}


def _most(values: _Values, test: Callable[[str], bool]) -> bool:
    """Return whether at least half of the fields that are not empty pass a test."""
    filled = [text for text in values if text]
    return bool(filled) and 2 * sum(map(test, filled)) >= len(filled)


def _are_damaged(values: _Values, cells: int) -> bool:
    """Return whether most fields were boards of that many cells."""
    return _most(values, lambda text: is_damaged_board(text, cells))


def _usual_length(values: _Values) -> int:
    """Return the length of most boards, 0 for none; documents do not count."""
    lengths = sorted(len(text) for text in values if text and not text.startswith(DOCUMENT))
    return max(((len([*same]), length) for length, same in groupby(lengths)), default=(0, 0))[1]


def _is_full(text: str) -> bool:
    return not set(text) & set(BLANKS)


def _agree(puzzles: _Values, solutions: _Values) -> bool:
    """Return whether in most rows the solution has the puzzle's givens."""
    pairs = [(one, other) for one, other in zip(puzzles, solutions, strict=True) if one and other]
    return 2 * sum(has_givens(other, one) for one, other in pairs) >= len(pairs) > 0

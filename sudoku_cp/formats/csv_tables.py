"""CSV tables: a header names the columns, or, without one, each line has a puzzle among its fields."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, line_too_long, peek_head, record_or_error
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.encoder import collapse_space, keep_changed, keep_unchanged, require_plain, write_each
from sudoku_cp.formats.project_json import parse_json, puzzle_from_answer
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, detect_symbols, parse_line, square_side

if TYPE_CHECKING:
    from sudoku_cp.symbols import Symbols

_NAMES = {
    "puzzle": "puzzle puzzles quiz quizzes sudoku sudokus question",
    "solution": "solution solutions solved answer",
    "title": "title name label",
    "id": "id index number",
    "author": "author",
    "source": "source",
    "difficulty": "difficulty rating level",
    "signs": "signs",
}
_MEANING = {name: meaning for meaning, names in _NAMES.items() for name in names.split()}
_COLUMNS = ("puzzle", "solution", "title", "author", "source", "signs")
_DELIMITERS = ",;\t"
_BOARD = re.compile(r"[0-9A-Za-z.*_\- ]+")
_DOCUMENT = "{"
"""How the project's own JSON begins, which stands in the column for puzzles that a line cannot express."""
_LEAST = 16
_RATED = 7
"""Fields of a line without header (the taxonomy of gsf's sudoku program has eight)."""


class Header(NamedTuple):
    """The delimiter, and which column (from 0) holds what; no columns if there is no header."""

    delimiter: str
    columns: Mapping[str, int]


class TableFacts(NamedTuple):
    """What is known about a file: the options, its header and the number of that line (from 1), the usual size and alphabets."""

    options: Options
    header: Header
    first: int
    usual: int | None
    known: alphabets.KnownAlphabets


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each line below the header."""
    head, lines = peek_head(lines)
    return iter_records(enumerate(lines, 1), survey_head(head, options))


def survey_head(head: Sequence[str], options: Options) -> TableFacts:
    """Find the header and detect the alphabet of each size."""
    first = next((number for number, line in enumerate(head) if line.strip()), 0)
    header = _parse_header(head[first]) if head else Header(",", {})
    return TableFacts(options, header, first + 1, *_survey_sizes(head[first + bool(header.columns) :], header, options))


def iter_records(numbered: Iterable[tuple[int, str]], reading: TableFacts) -> Iterator[Record]:
    """Yield the puzzle of each line that is not empty, a comment or the header."""
    for number, line in numbered:
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif line.strip() and not (number == reading.first and reading.header.columns) and not line.startswith("#"):
            yield record_or_error(number, partial(_parse_puzzle, line, reading))


def _parse_header(line: str) -> Header:
    """Return the delimiter and the columns that the first line states."""
    for delimiter in _DELIMITERS:
        names = [name.strip().lower() for name in line[:LONGEST_LINE].replace('"', "").split(delimiter)]
        columns = {_MEANING[name]: column for column, name in reversed([*enumerate(names)]) if name in _MEANING}
        if "puzzle" in columns:
            return Header(delimiter, columns)
    return Header(",", {})


def _split_fields(line: str, header: Header) -> dict[str, str]:
    """Return the fields of a line by their meaning, empty if there is none.

    Each line is parsed by itself, so that an open quote affects only one line.
    """
    try:
        row = next(csv.reader([line], delimiter=header.delimiter, strict=True))
    except csv.Error as error:
        raise ParseError(f"expected fields separated by {header.delimiter!r}, got a line with an error: {error}") from error
    columns = header.columns or _guess_columns(row)
    if columns["puzzle"] >= len(row):
        raise ParseError(f"expected a puzzle in field {columns['puzzle'] + 1}, got a line of {len(row)}")
    fields = {meaning: row[column].strip() for meaning, column in columns.items() if column < len(row)}
    return dict.fromkeys(_NAMES, "") | fields | {"puzzle": row[columns["puzzle"]]}


def _guess_columns(row: Sequence[str]) -> dict[str, int]:
    """Guess the columns of a line without header: a board, then perhaps its solution or a name."""
    boards = [column for column, field in enumerate(row) if _is_board(field)]
    if not boards:
        raise ParseError(f"expected a puzzle in one of the fields, got none in {len(row)}")
    first, *others = boards
    if others and len(row[others[0]]) == len(row[first]):
        return {"puzzle": first, "solution": others[0]}
    return {"puzzle": first, "title": first + 1} if len(row) >= _RATED else {"puzzle": first}


def _is_board(field: str) -> bool:
    return len(field) >= _LEAST and square_side(len(field)) is not None and _BOARD.fullmatch(field) is not None


def _parse_puzzle(line: str, reading: TableFacts) -> Puzzle:
    fields, options = _split_fields(line, reading.header), reading.options
    if fields["puzzle"].startswith(_DOCUMENT):
        return puzzle_from_answer({"puzzle": parse_json(fields["puzzle"]), "solution": fields["solution"]})
    side = square_side(len(fields["puzzle"]))
    grid = options.grid or (Grid.square(side) if side else None)
    own = Options(grid, options.alphabet or fields["signs"] or None)
    symbols = alphabets.symbols_for(reading.known, grid.values, fields["puzzle"], own) if grid else None
    try:
        grid, symbols, givens = _parse_cells(line, fields["puzzle"], grid, symbols)
    except ParseError as error:
        cut = alphabets.wrong_size_error(fields["puzzle"], reading.usual, reading.known)
        raise ParseError((cut or error).problems, column=error.column) from error
    solution = _parse_cells(line, fields["solution"], grid, symbols)[2] if fields["solution"] else {}
    if fields["solution"] and len(solution) < len(grid.cells):
        column = line.rfind(fields["solution"]) + 1
        raise ParseError("expected a stated solution without blanks, got one with some", column=column)
    return Puzzle(
        grid,
        givens=givens,
        symbols=symbols,
        title=fields["title"] or fields["id"],
        author=fields["author"],
        source=fields["source"] or f"difficulty {fields['difficulty']}" * bool(fields["difficulty"]),
        solution=tuple(solution.values()) or None,
    )


def _parse_cells(line: str, text: str, grid: Grid | None, symbols: Symbols | None) -> tuple[Grid, Symbols, dict[int, int]]:
    """Read a field as cells, its columns counted in the whole line."""
    start = line.find(text)
    try:
        return parse_line(text, grid, symbols, start)
    except ParseError as error:
        raise ParseError(error.problems, column=error.column or start + 1) from error


def _survey_sizes(lines: Sequence[str], header: Header, options: Options) -> tuple[int | None, alphabets.KnownAlphabets]:
    """Find the most common size and the alphabet of each size; lines that name their own alphabet do not count."""
    used: dict[int, set[str]] = {}
    counts: Counter[int] = Counter()
    for line in lines:
        try:
            fields = _split_fields(line, header) if 0 < len(line) <= LONGEST_LINE else {}
        except InvalidInput:
            continue
        if fields and not fields["signs"] and not fields["puzzle"].startswith(_DOCUMENT):
            used.setdefault(len(fields["puzzle"]), set()).update(fields["puzzle"])
            counts[len(fields["puzzle"])] += 1
    grids = {length: options.grid or Grid.square(side) for length in used if (side := square_side(length))}
    known = {len(grid.values): detect_symbols(used[length], grid.values) for length, grid in grids.items()}
    return max(grids, key=counts.__getitem__, default=None), known


def sniff(head: str) -> bool:
    """Say whether the first line names a column of puzzles, or the first lines have a puzzle among their fields."""
    lines = [line[:LONGEST_LINE] for line in head.split("\n") if line.strip() and not line.startswith("#")][:2]
    if not lines or _parse_header(lines[0]).columns:
        return bool(lines)
    rows = [line.split(",") for line in lines]
    return all(len(row) > 1 and any(map(_is_board, row)) and not all(len(field) == len(row) for field in row) for row in rows)


def puzzle_to_row(puzzle: Puzzle) -> str:
    """Return the line of a puzzle; the column ``signs`` is filled if its alphabet is unusual or could be mistaken."""
    require_plain("csv", puzzle)
    line = puzzle.line()
    fields = (
        line,
        puzzle.line(puzzle.solution) if puzzle.solution else "",
        *map(collapse_space, (puzzle.title, puzzle.author, puzzle.source)),
        alphabets.unusual_signs("csv", puzzle, line),
    )
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


FORMAT = Format(
    "csv",
    "tables with a header that names a column of puzzles, and perhaps solutions",
    (".csv", ".tsv"),
    sniff,
    read,
    write_each(puzzle_to_row, opening=",".join(_COLUMNS) + "\n"),
    {**keep_changed(collapse_space, "title", "author", "source"), **keep_unchanged("solution", "symbols")},
)

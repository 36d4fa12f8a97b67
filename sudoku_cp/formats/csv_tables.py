"""CSV tables: a column has the puzzles, found by the name in the header or by what stands in it; headers are optional."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats import table_layout
from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Format,
    Options,
    Record,
    SolvingState,
    attempt_with_warnings,
    collapse_space,
    error_record,
    keep_changed,
    keep_unchanged,
    line_too_long,
    peek_head,
    require_plain,
    write_each,
)
from sudoku_cp.formats.board_roles import meaning_of, state_of_player
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.document_formats import is_json
from sudoku_cp.formats.jigsaws import grid_from_regions
from sudoku_cp.formats.project_json import parse_json, puzzle_from_answer
from sudoku_cp.formats.stated_rules import add_flagged_rule, add_stated_rules, flag_kind, unread_rule_warnings
from sudoku_cp.formats.table_layout import (
    DOCUMENT,
    MEANINGS,
    UNKNOWN,
    TableLayout,
    board_columns,
    cells_of,
    damaged_columns,
    is_board,
    is_damaged_board,
    is_shortened_number,
    is_table_line,
)
from sudoku_cp.formats.table_rows import format_row, split_fields, unescape_cell
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, detect_symbols, parse_line, square_side

if TYPE_CHECKING:
    from sudoku_cp.symbols import Symbols

_COLUMNS = ("puzzle", "solution", "title", "author", "source", "signs")
_OF_CELLS = ("puzzle", "solution", "progress", "regions")


class TableFacts(NamedTuple):
    """What is known about a file: the options, the layout of its columns, the usual size of boards and the alphabets."""

    options: Options
    layout: TableLayout
    first_row: int
    """The number of the first line below the header, whose puzzle gets the remarks about the whole table."""
    usual: int | None
    known: alphabets.KnownAlphabets


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each line below the header."""
    head, lines = peek_head(lines)
    return iter_records(enumerate(lines, 1), survey_head(head, options))


def survey_head(head: Sequence[str], options: Options) -> TableFacts:
    """Find the layout and detect the alphabet of each size."""
    layout = table_layout.find_layout(head, options) or UNKNOWN
    below = enumerate(head[layout.header :], layout.header + 1)
    first = next((number for number, line in below if is_table_line(line)), 0)
    return TableFacts(options, layout, first, *_survey_sizes(head[layout.header :], layout, options))


def iter_records(numbered: Iterable[tuple[int, str]], reading: TableFacts) -> Iterator[Record]:
    """Yield the puzzle of each line that is not empty, a comment or the header."""
    for number, line in numbered:
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif number != reading.layout.header and is_table_line(line):
            yield _parse_record(number, line, reading)


def _parse_record(number: int, line: str, reading: TableFacts) -> Record:
    layout = reading.layout
    try:
        if layout.rivals:
            raise _several_puzzles(layout)
        fields = _named_fields(line, layout, reading.options)
    except InvalidInput as error:
        return error_record(number, error)
    record = attempt_with_warnings(number, partial(_parse_puzzle, line, fields, reading))
    if record.puzzle is None:
        return record
    warnings = list(record.warnings)
    if number == reading.first_row:
        warnings += [f"not read: {layout.name(column)}, which has other boards" for column in layout.unread]
        heading = layout.names[layout.columns["puzzle"]] if layout.header else ""
        warnings += unread_rule_warnings(heading.replace("_", " "))
    state = None
    if fields["progress"]:
        state, remarks = _player_state(fields["progress"], record.puzzle, layout.name(layout.columns["progress"]))
        warnings += remarks
    return replace(record, difficulty=fields["difficulty"], state=state, warnings=tuple(warnings))


def _several_puzzles(layout: TableLayout) -> ParseError:
    """Return the error for rows with several boards, of which no name and no cell shows which is the puzzle."""
    columns = " and ".join(map(layout.name, layout.rivals))
    words = f"expected one puzzle in a row, got {len(layout.rivals)} that do not go together, in {columns}"
    return ParseError(f"{words}: put each in a row of its own, or let just one of these columns be called 'puzzle'")


def _player_state(cells: str, puzzle: Puzzle, where: str) -> tuple[SolvingState | None, list[str]]:
    """Return what a player has placed, if anything, and the remarks about it."""
    try:
        _, _, values = parse_line(cells, puzzle.grid, puzzle.symbols)
    except ParseError:
        values = {}
    return state_of_player(puzzle, values, where)


def _named_fields(line: str, layout: TableLayout, options: Options) -> dict[str, str]:
    """Return the fields of a line by their meaning; missing ones are empty."""
    try:
        row = split_fields(line, layout.delimiter, layout.width)
    except csv.Error as error:
        raise ParseError(f"expected fields separated by {layout.delimiter!r}, got a line with an error: {error}") from error
    columns = layout.columns if layout.header else _columns_of_row(row, layout, options)
    if columns["puzzle"] >= len(row):
        raise ParseError(f"expected a puzzle in field {columns['puzzle'] + 1}, got a line of {len(row)}")
    fields = {meaning: unescape_cell(row[column].strip()) for meaning, column in columns.items() if column < len(row)}
    cells = {meaning: cells_of(row[columns[meaning]], options) for meaning in _OF_CELLS if meaning in fields}
    return dict.fromkeys(MEANINGS, "") | fields | cells


def _columns_of_row(row: Sequence[str], layout: TableLayout, options: Options) -> dict[str, int]:
    """Return the columns of a line in a table without header: the usual ones, or those of boards if its puzzle is elsewhere."""
    columns = dict(layout.columns)
    if columns and columns["puzzle"] < len(row) and is_board(cells_of(row[columns["puzzle"]], options), options):
        return columns
    boards = board_columns(row, options)
    if columns and not boards:
        return columns
    if not boards:
        raise ParseError(f"expected a puzzle in one of the fields, got none in {len(row)}")
    first, *others = boards
    if not others and (damaged := damaged_columns(row, first, options)):
        return {"puzzle": damaged[0], "solution": first}
    return {"puzzle": first} | ({"solution": others[0]} if others and len(row[others[0]]) == len(row[first]) else {})


def _parse_puzzle(line: str, fields: Mapping[str, str], reading: TableFacts, warnings: list[str]) -> Puzzle:
    if fields["puzzle"].startswith(DOCUMENT):
        puzzle = puzzle_from_answer({"puzzle": parse_json(fields["puzzle"]), "solution": fields["solution"]}, warnings)
    else:
        puzzle = _parse_board(line, fields, reading)
    if not reading.layout.header and not fields["puzzle"].startswith(DOCUMENT):
        warnings += unread_rule_warnings(line)
    for meaning in ("rules", "type"):
        if fields[meaning]:
            where = reading.layout.name(reading.layout.columns[meaning])
            puzzle = add_stated_rules(puzzle, where, fields[meaning], warnings, is_type=meaning == "type")
    flags = _flag_columns(reading.layout.names) if reading.layout.header else ()
    row = split_fields(line, reading.layout.delimiter, reading.layout.width) if flags else []
    for column in (one for one in flags if one < len(row)):
        where, name = reading.layout.name(column), reading.layout.names[column]
        puzzle = add_flagged_rule(puzzle, where, name, row[column].strip(), warnings)
    return puzzle


@lru_cache(maxsize=16)
def _flag_columns(names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the columns that are named after a rule."""
    return tuple(column for column, name in enumerate(names) if not meaning_of(name) and flag_kind(name))


def _parse_board(line: str, fields: Mapping[str, str], reading: TableFacts) -> Puzzle:
    options = reading.options
    _refuse_damaged(fields["puzzle"], fields["solution"], line)
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
    if fields["regions"] and len(fields["regions"]) != len(grid.cells):
        raise ParseError(f"expected {len(grid.cells)} labels of regions, got {len(fields['regions'])}")
    return Puzzle(
        grid_from_regions(fields["regions"]) if fields["regions"] else grid,
        givens=givens,
        symbols=symbols,
        title=fields["title"] or fields["id"],
        author=fields["author"],
        source=fields["source"] or (f"difficulty {fields['difficulty']}" if fields["difficulty"] else ""),
        solution=tuple(solution.values()) or None,
    )


def _refuse_damaged(puzzle: str, solution: str, line: str) -> None:
    """Raise `ParseError` for a puzzle that has fewer or more cells than the board that is its solution."""
    if is_shortened_number(puzzle):
        cells = f"{len(solution)} cells" if square_side(len(solution)) else "the sign of each cell"
        words = f"expected {cells}, got {puzzle!r}, a number that a spreadsheet has shortened: import the column as text"
        raise ParseError(words, column=line.find(puzzle) + 1)
    if is_damaged_board(puzzle, len(solution)) and square_side(len(solution)):
        raise ParseError(f"expected {len(solution)} cells, got {len(puzzle)}", column=line.find(puzzle) + 1)


def _parse_cells(line: str, text: str, grid: Grid | None, symbols: Symbols | None) -> tuple[Grid, Symbols, dict[int, int]]:
    """Read a field as cells, its columns counted in the whole line."""
    start = max(line.find(text), 0)
    try:
        return parse_line(text, grid, symbols, start)
    except ParseError as error:
        raise ParseError(error.problems, column=error.column or start + 1) from error


def _survey_sizes(lines: Sequence[str], layout: TableLayout, options: Options) -> tuple[int | None, alphabets.KnownAlphabets]:
    """Find the most common size and the alphabet of each size; lines that name their own alphabet do not count."""
    used: dict[int, set[str]] = {}
    counts: Counter[int] = Counter()
    for line in lines:
        try:
            fields = _named_fields(line, layout, options) if is_table_line(line) and len(line) <= LONGEST_LINE else {}
        except InvalidInput:
            continue
        if fields and not fields["signs"] and not fields["puzzle"].startswith(DOCUMENT):
            used.setdefault(len(fields["puzzle"]), set()).update(fields["puzzle"])
            counts[len(fields["puzzle"])] += 1
    grids = {length: options.grid or Grid.square(side) for length in used if (side := square_side(length))}
    known = {len(grid.values): detect_symbols(used[length], grid.values) for length, grid in grids.items()}
    return max(grids, key=counts.__getitem__, default=None), known


def sniff(head: str) -> bool:
    """Return whether the first line names a column of puzzles, or a column of the first lines has boards in it."""
    return not is_json(head) and table_layout.is_table(head, Options())


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
    return format_row(fields)


FORMAT = Format(
    "csv",
    "tables with a header that names a column of puzzles, and perhaps solutions",
    (".csv", ".tsv"),
    sniff,
    read,
    write_each(puzzle_to_row, opening=",".join(_COLUMNS) + "\n"),
    {**keep_changed(collapse_space, "title", "author", "source"), **keep_unchanged("solution", "symbols")},
)

"""Read and write puzzles as text: one module or package for each format, recognised by what the text looks like.

`read_records` never raises for what it reads: whatever is wrong with a puzzle, or with the file, becomes the error of a record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sudoku_cp.arguments import checked, each_checked
from sudoku_cp.errors import InvalidInput, ParseError, UnknownName, Unsupported
from sudoku_cp.formats.base import (
    HEAD,
    FaultyOptions,
    Format,
    FormattedPuzzle,
    LeftOutTexts,
    Options,
    Record,
    SolvingState,
    error_record,
    iter_formatted,
)
from sudoku_cp.formats.grid_text import lists_cells, strip_comment
from sudoku_cp.formats.stated_rules import named_rule, unread_rule_warnings
from sudoku_cp.formats.text_files import (
    Source,
    create_text,
    explain_read_error,
    is_file,
    iter_lines,
    open_text,
    plain_text,
    read_errors,
    read_head,
)
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, parse_line, square_side
from sudoku_cp.symbols import Symbols, is_mostly_plain, numerals

if TYPE_CHECKING:
    from sudoku_cp.formats.line_fronts import TakeOff

_NOTHING = "\ufeff \t\r\n"
_CELLS = frozenset("0123456789.\n")

__all__ = [
    "FORMATS",
    "Format",
    "FormattedPuzzle",
    "Options",
    "Record",
    "SolvingState",
    "format_puzzles",
    "read_puzzles",
    "read_records",
    "recognise_format",
    "records_of_text",
    "sniff",
    "write_puzzles",
    "write_texts",
]


# --- reading ----------------------------------------------------------------------------------------------------


def read_records(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002
    grid: Grid | None = None,
    alphabet: str | None = None,
    strict: bool = False,
    name: str = "",
) -> Iterator[Record]:
    """Yield every puzzle of a file, stream (text or bytes, perhaps compressed) or text, or the error in its place.

    ``format``, ``grid`` and ``alphabet`` state what the text itself does not; ``strict`` turns warnings into errors; ``name`` is
    what errors call the source. A `str` is the path of a file if there is one, else a text if it looks like puzzles;
    `records_of_text` never looks for files.
    """
    chosen = format_named(format) if format else None
    options = Options(grid, alphabet, strict)
    if isinstance(source, str) and not is_file(source) and _is_text(source, chosen, grid):
        return _records_of_text(source, chosen, options, name)
    where = name or (str(source) if isinstance(source, str | Path) else "")
    if not isinstance(source, str | Path):
        return _iter_records(source, chosen, options, where)
    return _name_faulty_options(lambda: source, chosen, options, where)


def _is_text(text: str, chosen: Format | None, grid: Grid | None) -> bool:
    """Return whether a text that names no file is puzzles."""
    if chosen or "\n" in text.strip():
        return "\n" in text.strip() or (chosen is not None and chosen.sniff(text))
    try:
        return bool(sniff(plain_text(text), grid=grid))
    except ParseError:
        return False


def records_of_text(
    text: str,
    *,
    format: str | None = None,  # noqa: A002
    grid: Grid | None = None,
    alphabet: str | None = None,
    strict: bool = False,
    name: str = "",
) -> Iterator[Record]:
    """Yield every puzzle of a text, as `read_records` does."""
    return _records_of_text(text, format_named(format) if format else None, Options(grid, alphabet, strict), name)


def _records_of_text(text: str, chosen: Format | None, options: Options, where: str) -> Iterator[Record]:
    return _name_faulty_options(lambda: StringIO(text, newline=None), chosen, options, where)


def _name_faulty_options(source: Callable[[], Source], chosen: Format | None, options: Options, where: str) -> Iterator[Record]:
    """Yield the records of a source that can be read several times, errors with the options that are at fault."""
    faults = FaultyOptions(options, lambda stated: _iter_records(source(), chosen, stated, where))
    return map(faults.name_in, _iter_records(source(), chosen, options, where))


@checked
def read_puzzles(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002
    grid: Grid | None = None,
    alphabet: str | None = None,
    name: str = "",
) -> Iterator[Puzzle]:
    """Yield every puzzle of a file, stream or text, as `read_records` does; raise the error of the first record that has one."""
    for record in read_records(source, format=format, grid=grid, alphabet=alphabet, name=name):
        if record.error:
            raise record.error
        if record.puzzle:
            yield record.puzzle


def puzzle_of_text(text: str, grid: Grid | None = None, symbols: Symbols | None = None) -> Puzzle:
    """Return the one puzzle of a text; raise the error of the first record that has one, or `ParseError` if there are several."""
    alphabet = None if symbols is None or symbols == numerals(grid.values if grid else range(1, 10)) else symbols.signs
    records = list(islice(records_of_text(text, grid=grid, alphabet=alphabet), 2))
    error = records[0].error and records[0].error.renamed({"alphabet": "symbols"})
    if error and (is_mostly_plain(text) or square_side(len(text))) and not _is_text(text, None, grid):
        parse_line(text, grid, symbols)  # which says what is wrong with signs that are in no format
    if error:
        raise ParseError(error.problems, line=error.line if "\n" in text.strip() else None, column=error.column)
    if len(records) > 1 or records[0].puzzle is None:
        raise ParseError("expected one puzzle, got several: read_puzzles yields each of them")
    return records[0].puzzle


def _iter_records(source: Source, chosen: Format | None, options: Options, where: str) -> Iterator[Record]:
    line, empty = 1, True
    try:
        with open_text(source) as stream:
            for record in _read_stream(stream, chosen, options, where):
                line, empty = record.line, False
                if options.strict and record.warnings:
                    record = error_record(line, ParseError(record.warnings))  # noqa: PLW2901
                yield record if record.error is None else Record(None, record.error.at(source=where), line)
        if empty:
            raise ParseError("expected at least one puzzle, got none")
    except InvalidInput as error:
        found = error if isinstance(error, ParseError) else ParseError(error.problems)
        yield Record(None, found.at(source=where), found.line or line)
    except read_errors() as error:
        yield Record(None, ParseError(explain_read_error(error), source=where), line)


def _read_stream(stream: IO[str], chosen: Format | None, options: Options, where: str) -> Iterator[Record]:
    head, failure = read_head(stream)
    if failure and len(head) < HEAD and not head.strip(_NOTHING):
        raise failure
    found, front = recognise_format(head, chosen, options, where)
    if found.read is None:
        raise Unsupported(f"expected a format that can be read, got {found.name!r}, which is only written")
    lines = iter_lines(head, failure, stream)
    records = found.read(front(lines) if front else lines, options)
    headings = [(number, name) for number, line in enumerate(head.split("\n"), 1) if (name := _rule_in_heading(line))]
    return _warn_of_headings(records, headings) if headings else records


def _rule_in_heading(line: str) -> str:
    """Return the rule that a line between puzzles names behind ``#``, a comment or a heading of Markdown; empty for others."""
    return named_rule(line) if line.lstrip().startswith("#") else ""


def _warn_of_headings(records: Iterator[Record], headings: Sequence[tuple[int, str]]) -> Iterator[Record]:
    """Yield the records; a plain puzzle has a warning about the rules that headings between it and the one before name."""
    last = 0
    for record in records:
        names = [name for number, name in headings if last < number <= record.line]
        last = record.line
        puzzle = record.puzzle
        if puzzle and names and len(puzzle.rules) == 1 and puzzle.grid.is_plain:
            new = [name for name in names if not any(name in warning for warning in record.warnings)]
            found = chain.from_iterable(map(unread_rule_warnings, new))
            record = replace(record, warnings=tuple(dict.fromkeys((*record.warnings, *found))))  # noqa: PLW2901
        yield record


def recognise_format(head: str, chosen: Format | None, options: Options, where: str) -> tuple[Format, TakeOff | None]:
    """Return the chosen format, or detect it from ``head``: the first `HEAD` characters of a text, or all of it.

    With it comes what takes off the lines whatever stands around the cells, None if nothing does.
    """
    if len(head) < HEAD and not head.strip(_NOTHING):
        raise ParseError("expected at least one puzzle, got none")
    if chosen is None and options.grid is None and _is_boards_alone(head):
        return FORMATS["line"], None
    if chosen is None and FORMATS["cells"].sniff(head):
        return FORMATS["cells"], None
    from sudoku_cp.formats.line_fronts import find_front  # noqa: PLC0415  # most texts are boards alone

    front = find_front(head)
    bare = "\n".join(front(head.split("\n"))) if front else head
    found = chosen or sniff(_whole_lines(bare), grid=options.grid, name=where)
    return found, None if found.keeps_front else front


def _is_boards_alone(head: str) -> bool:
    """Return whether a text is boards, one a line, of digits and dots and nothing else: nearly all long files are."""
    return _CELLS.issuperset(head) and FORMATS["line"].sniff(_whole_lines(head))


def _whole_lines(head: str) -> str:
    """Return the head without its last line, which may be cut, if it has others."""
    text = head.removeprefix("\ufeff")
    return text[: text.rindex("\n")] if len(head) >= HEAD and "\n" in text.rstrip() else text


# --- writing ----------------------------------------------------------------------------------------------------


def format_puzzles(puzzles: Iterable[Puzzle], format: str = "line", *, strict: bool = False) -> Iterator[FormattedPuzzle]:  # noqa: A002
    """Yield the text of each puzzle, or the error if the format cannot express it, and what was left out.

    The texts joined are a file. With ``strict``, leaving anything out is an error.
    """
    return iter_formatted(puzzles, format_named(format), strict=strict)


@checked
def write_puzzles(puzzles: Iterable[Puzzle], target: str | Path | IO[str], format: str = "line") -> None:  # noqa: A002
    """Write puzzles to a file (compressed if its name ends in .gz, .bz2, .xz or .zst) or to a text stream.

    A file gets its name once it is complete, so an older file of that name can be read meanwhile.
    Raises `Unsupported` for a puzzle that the format cannot express. Titles, authors, sources, rules in words, stated solutions
    and alphabets are left out by formats that have no place for them; this is logged as a warning. `format_puzzles` reports it
    for each puzzle.
    """
    write_texts(_texts_or_error(format_puzzles(each_checked("write_puzzles, puzzles", Puzzle, puzzles), format), format), target)


def _texts_or_error(pieces: Iterable[FormattedPuzzle], name: str) -> Iterator[str]:
    """Yield the texts, or raise the first error; log at the end what was left out."""
    lost = LeftOutTexts()
    for one in pieces:
        if one.error:
            raise one.error
        lost.add(one.index, one.left_out)
        yield one.text
    if lost:
        import logging  # noqa: PLC0415  # 5 ms that reading need not spend

        logging.getLogger("sudoku_cp").warning("%s", lost.describe(name))


def write_texts(chunks: Iterator[str], target: str | Path | IO[str]) -> None:
    """Write text to a file (compressed as its name says) or to a stream."""
    if not isinstance(target, str | Path):
        target.writelines(chunks)
        return
    first = next(chunks, "")  # a puzzle refused at once leaves no file behind
    with create_text(Path(target)) as stream:
        stream.writelines(chain([first], chunks))


# The table of formats, and how the format of a text is recognised. A new format is one module and one line here.


class _Registry(Mapping[str, Format]):
    """The formats by name, in the order in which they are tried; a module is imported when its format is first used.

    A value is the dotted name of a module, and after a colon the name of its format if that is not ``FORMAT``.
    """

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules

    def __getitem__(self, name: str) -> Format:
        module, _, attribute = self._modules[name].partition(":")
        found: Format = getattr(import_module(module), attribute or "FORMAT")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules


FORMATS: Mapping[str, Format] = _Registry(
    {
        "cells": "sudoku_cp.formats.cell_lists",
        "line": "sudoku_cp.formats.puzzle_lines",
        "csv": "sudoku_cp.formats.csv_tables",
        "matrix": "sudoku_cp.formats.matrices",
        "fpuzzles": "sudoku_cp.formats.document_formats:FPUZZLES",
        "sudokupad": "sudoku_cp.formats.document_formats:SUDOKUPAD",
        "json": "sudoku_cp.formats.project_json",
        "iss": "sudoku_cp.formats.iss",
        "killer-ps": "sudoku_cp.formats.killers.number_lists:KILLER_PS",
        "sumocue": "sudoku_cp.formats.killers.number_lists:SUMOCUE",
        "killer81": "sudoku_cp.formats.killers.cages",
        "jigsaw": "sudoku_cp.formats.jigsaws",
        "blocks": "sudoku_cp.formats.stacked_blocks",
        "samurai": "sudoku_cp.formats.overlapping_boards",
        "euler": "sudoku_cp.formats.program_files:EULER",
        "sdk": "sudoku_cp.formats.program_files:SDK",
        "opensudoku": "sudoku_cp.formats.opensudoku",
        "ksudoku": "sudoku_cp.formats.ksudoku",
        "solo": "sudoku_cp.formats.solo",
        "hodoku": "sudoku_cp.formats.hodoku",
        "pencilmarks": "sudoku_cp.formats.pencilmarks",
        "penpa": "sudoku_cp.formats.penpa",
        "sudokuexchange": "sudoku_cp.formats.digit_links:SUDOKUEXCHANGE",
        "sudokuwiki": "sudoku_cp.formats.digit_links:SUDOKUWIKI",
        "comma": "sudoku_cp.formats.comma_cells",
        "ss": "sudoku_cp.formats.program_files:SS",
        "sdx": "sudoku_cp.formats.program_files:SDX",
        "candidates": "sudoku_cp.formats.candidates",
        "grid": "sudoku_cp.formats.drawn_grids",
        "sdm": "sudoku_cp.formats.program_files:SDM",
        "msk": "sudoku_cp.formats.program_files:MSK",
        "spf": "sudoku_cp.formats.program_files:SPF",
        "sudokupad-drawing": "sudoku_cp.formats.document_formats:SUDOKUPAD_DRAWING",
        "dimacs": "sudoku_cp.formats.solver_export:DIMACS",
        "opb": "sudoku_cp.formats.solver_export:OPB",
        "flatzinc": "sudoku_cp.formats.solver_export:FLATZINC",
        "cpsat": "sudoku_cp.formats.cpsat",
        "embedded": "sudoku_cp.formats.embedded_boards",
    }
)
"""Every format by its name, in the order in which recognition tries them."""


_LOOKS = (
    (r"[\[{]|null|true|false", ("json", "fpuzzles", "sudokupad")),
    (r"<", ("opensudoku", "ksudoku", "json")),
    (r".*,", ("csv", "comma", "line")),
    (r".*\n", ("grid", "sdk", "line")),
    (r"", ("line", "grid", "json")),
)
"""How texts look, and the formats that are the nearest to them."""
_WITH_SPACES = ("blocks", "samurai")
"""Formats of drawings in which spaces may mean more than the empty cells of one board."""
_IN_ROWS = frozenset({"grid", "blocks", "samurai", "candidates", "comma"})
"""Formats of rows, for which numbers of rows and columns are like cells."""
_NEAREST = 2


def format_named(name: str) -> Format:
    """Return the format of that name, or raise `UnknownName` with the names there are."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]


def format_to_write(name: str) -> Format:
    """Return the format of that name, or raise `UnknownName` with the names of those that can be written."""
    if name not in FORMATS or FORMATS[name].write is None:
        raise UnknownName("format to write", name, [name for name, one in FORMATS.items() if one.write])
    return FORMATS[name]


def sniff(head: str, *, grid: Grid | None = None, name: str = "") -> Format:
    """Return the format of a text that begins with ``head``; the ending of its file's ``name`` is considered last.

    Raises `ParseError` if no format recognises the text.
    """
    if grid and _has_lines_of(len(grid.cells), head):
        return FORMATS[_format_of_lines(head, grid)]
    recognised = _name_of(head, grid)
    if (not recognised or recognised in _IN_ROWS) and lists_cells(head):
        expected = "expected cells such as r1c2=5, or the names row,col,value above the columns of a list of cells"
        raise ParseError(f"{expected}, got lines with three numbers each in another form")
    if recognised:
        return FORMATS[recognised]
    from sudoku_cp.formats.puzzle_lines import looks_like_signs  # noqa: PLC0415  # a text in no format is rare

    if looks_like_signs(head):
        return FORMATS["line"]
    endings = Path(name).suffixes[-2:]
    for found in FORMATS.values():
        if found.read and found.name != "line" and not set(endings).isdisjoint(found.extensions):
            return found
    raise _unrecognised(head)


def _name_of(head: str, grid: Grid | None) -> str:
    """Return the name of the format that recognises a text, empty if none does."""
    if grid is None and _is_boards_alone(head):
        return "line"
    from sudoku_cp.formats.board_text.drawings import has_spaces_for_cells  # noqa: PLC0415  # most texts are boards alone

    if has_spaces_for_cells(head, (grid.boards[0].rows, grid.boards[0].columns) if grid else None):
        return next((name for name in _WITH_SPACES if FORMATS[name].sniff(head)), "grid")
    return next((name for name, found in FORMATS.items() if found.sniff(head)), "")


def _unrecognised(head: str) -> ParseError:
    """Return the error that names what came, and what it lacks to be a text of the formats that are the nearest to it."""
    from sudoku_cp.formats.board_text.drawings import lacks_marks  # noqa: PLC0415  # a text in no format is rare

    if lacks_marks(head):
        return ParseError("expected a dot for each empty cell, got a drawing in which spaces do not show which cells are empty")
    text = head.strip()
    looks = next(names for look, names in _LOOKS if re.match(look, text, re.DOTALL))
    lacks = {name: lack for name in looks if (lack := _first_problem(FORMATS[name], head))}
    nearest = "; ".join(f"as {name}, {lack}" for name, lack in [*lacks.items()][:_NEAREST])
    others = sum(found.read is not None for found in FORMATS.values())
    words = f"expected a puzzle in a known format (there are {others}), got one that begins {text[:40]!r}"
    return ParseError(f"{words}: {nearest}", nearest=nearest)


def _first_problem(found: Format, head: str) -> str:
    """Return the first fault of a text in a format, or an empty text if it has none."""
    if found.read is None:
        return ""
    try:
        record = next(found.read(iter(head.split("\n")), Options()), None)
    except InvalidInput as error:
        return error.problems[0]
    return "got no puzzle" if record is None else record.error.problems[0] if record.error else ""


def _format_of_lines(head: str, grid: Grid) -> str:
    """Return the name of the format of lines that begin with a board of a required grid."""
    from sudoku_cp.formats.puzzle_lines import is_table  # noqa: PLC0415

    return "csv" if is_table(head, Options(grid)) else "line"


def _has_lines_of(cells: int, head: str) -> bool:
    words = [body.split()[0] for line in head.split("\n") if (body := strip_comment(line)).strip()]
    return bool(words) and 2 * sum(len(word) == cells for word in words) >= len(words)

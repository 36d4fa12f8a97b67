"""The table of formats, and how the format of a text is recognised. A new format is one module and one line here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, ParseError, UnknownName
from sudoku_cp.formats.base import Format, Options
from sudoku_cp.formats.board_text.drawings import has_spaces_for_cells, lacks_marks
from sudoku_cp.formats.grid_text import lists_cells, strip_comment

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid


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
        "sdx": "sudoku_cp.formats.program_files:SDsudoku_cp.formats.",
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
    if has_spaces_for_cells(head, (grid.boards[0].rows, grid.boards[0].columns) if grid else None):
        return next((name for name in _WITH_SPACES if FORMATS[name].sniff(head)), "grid")
    return next((name for name, found in FORMATS.items() if found.sniff(head)), "")


def _unrecognised(head: str) -> ParseError:
    """Return the error that names what came, and what it lacks to be a text of the formats that are the nearest to it."""
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

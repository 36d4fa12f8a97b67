"""Patterns of givens as they are typed: a text, or a file of it."""

from __future__ import annotations

import re
from pathlib import Path

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.generate.pattern_text import MAX_LENGTH, parse_pattern
from sudoku_cp.grid import Cell, Grid

_LOOKS_LIKE_PATH = re.compile(r"[/\\]|\.[A-Za-z]\w*$")


def read_typed_pattern(text: str, grid: Grid) -> tuple[Cell, ...]:
    """Return the cells of givens of a pattern, or of the file of that name; the error names a missing file."""
    if is_file(text):
        return _parse_pattern_file(text, grid)
    try:
        return parse_pattern(text, grid)
    except InvalidInput as error:
        if "\n" in text:
            raise
        no_file = f"expected a pattern or a file, got {text!r:.60}: there is no such file"
        raise InvalidInput([no_file, *(() if _LOOKS_LIKE_PATH.search(text) else error.problems)]) from error


def _parse_pattern_file(name: str, grid: Grid) -> tuple[Cell, ...]:
    try:
        with Path(name).open(encoding="utf-8") as file:
            return parse_pattern(file.read(MAX_LENGTH + 1), grid)
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {problem}" for problem in error.problems) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"expected a file that can be read, got {name}: {error}") from error

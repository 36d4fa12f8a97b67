"""The formats of f-puzzles and SudokuPad: documents as JSON, or packed into links, one a line; SudokuStudio's links too.

One reader serves both formats, as SudokuPad opens the documents of f-puzzles too. Those state rules. SudokuPad only shows
puzzles, and most of its own pieces are drawings without a meaning: a puzzle is written for it as a document of f-puzzles where
that can state it, else with SudokuPad's exact pieces. The format ``sudokupad-drawing`` draws every rule, for people alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.base import Format, attempt_with_warnings, keep_unchanged, line_too_long, peek_head, write_each
from sudoku_cp.formats.document_links import (
    LONGEST_PAYLOAD,
    document_from_link,
    is_comment,
    is_json,
    link_line,
    looks_like,
)
from sudoku_cp.formats.project_json import read_json

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Options, Record
    from sudoku_cp.puzzle import Puzzle

_PAD_FIELDS = frozenset({"cells", "regions", "cages", "cellSize"})
_FPUZZLES_LINK = "https://f-puzzles.com/?load="
_SUDOKUPAD_LINK = "https://sudokupad.app/scl"
_SUDOKUPAD_LINK_OF_FPUZZLES = "https://sudokupad.app/fpuzzles"


# --- reading ----------------------------------------------------------------------------------------------------


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each link or packed text, one a line, or of JSON documents."""
    head, lines = peek_head(lines)
    if is_json(next((line for line in head if line.strip()), "")):
        return read_json(lines, puzzle_from_document)
    return _read_links(lines)


def _read_links(lines: Iterator[str]) -> Iterator[Record]:
    for number, line in enumerate(lines, 1):
        body = line.strip()
        if not body or is_comment(body):
            continue
        if len(body) > LONGEST_PAYLOAD:
            yield line_too_long(number, body, LONGEST_PAYLOAD, "a link")
        else:
            yield attempt_with_warnings(number, partial(_puzzle_from_link, body))


def _puzzle_from_link(link: str, warnings: list[str]) -> Puzzle:
    document = document_from_link(link)
    if not isinstance(document, dict) or _FIELDS.isdisjoint(document):
        what = ", ".join(map(repr, [*document][:5])) if isinstance(document, dict) else type(document).__name__
        raise InvalidInput(f"expected a link with a document of f-puzzles, SudokuPad or SudokuStudio, got one of {what}")
    return puzzle_from_document(document, warnings)


_FIELDS = frozenset({"size", "grid", *_PAD_FIELDS})
"""Fields by which a document in a link is known."""


def puzzle_from_document(data: Any, warnings: list[str]) -> Puzzle:
    """Return the puzzle of a document of either program: f-puzzles' have the key ``grid``, SudokuPad's have others."""
    # Listing and recognising formats does not need the document readers: they are imported lazily, here and below.
    from sudoku_cp.formats.fpuzzles.document import puzzle_from_fpuzzles  # noqa: PLC0415
    from sudoku_cp.formats.sudokupad import puzzle_from_sudokupad  # noqa: PLC0415

    if isinstance(data, dict) and "grid" not in data and not _PAD_FIELDS.isdisjoint(data):
        return puzzle_from_sudokupad(data, warnings)
    if isinstance(data, dict) and isinstance(data.get("grid"), dict) and "elements" in data:
        from sudoku_cp.formats.sudokustudio import studio_to_fpuzzles  # noqa: PLC0415

        return puzzle_from_fpuzzles(studio_to_fpuzzles(data, warnings), warnings)
    return puzzle_from_fpuzzles(data, warnings)


# --- writing ----------------------------------------------------------------------------------------------------


def fpuzzles_link(puzzle: Puzzle) -> str:
    """Return a link that holds the f-puzzles document of the puzzle."""
    from sudoku_cp.formats.fpuzzles.document import puzzle_to_fpuzzles  # noqa: PLC0415

    return link_line(_FPUZZLES_LINK, puzzle_to_fpuzzles(puzzle))


def sudokupad_link(puzzle: Puzzle) -> str:
    """Return a link that holds the puzzle as a document of f-puzzles, or else in SudokuPad's own pieces."""
    from sudoku_cp.formats.fpuzzles.document import puzzle_to_fpuzzles  # noqa: PLC0415
    from sudoku_cp.formats.sudokupad import puzzle_to_sudokupad  # noqa: PLC0415

    problems: list[str] = []
    for link, to_document in ((_SUDOKUPAD_LINK_OF_FPUZZLES, puzzle_to_fpuzzles), (_SUDOKUPAD_LINK, puzzle_to_sudokupad)):
        try:
            return link_line(link, to_document(puzzle))
        except Unsupported as error:
            problems += error.problems
    expected = "expected for the format 'sudokupad' a puzzle that f-puzzles or SudokuPad itself can express"
    raise Unsupported([f"{expected} (json can express everything, sudokupad-drawing draws the rest)", *problems])


def drawing_link(puzzle: Puzzle) -> str:
    """Return a link that holds the drawing of the puzzle."""
    from sudoku_cp.formats.sudokupad import draw_document  # noqa: PLC0415

    return link_line(_SUDOKUPAD_LINK, draw_document(puzzle))


_KEEPS = keep_unchanged("title", "author", "ruleset", "solution")

FPUZZLES = Format(
    "fpuzzles",
    "f-puzzles.com: JSON documents, packed texts and links of any site (also SudokuStudio's), one a line",
    (".fpuzzles",),
    partial(looks_like, pad=False),
    read,
    write_each(fpuzzles_link),
    _KEEPS,
)

SUDOKUPAD = Format(
    "sudokupad",
    "SudokuPad: JSON documents, packed texts and links, one a line",
    (".scl", ".sudokupad"),
    partial(looks_like, pad=True),
    read,
    write_each(sudokupad_link),
    _KEEPS,
)

SUDOKUPAD_DRAWING = Format(
    "sudokupad-drawing",
    "links of SudokuPad that draw the rules and state them in words, for people: programs cannot read them back",
    (),
    lambda _head: False,
    None,
    write_each(drawing_link),
    _KEEPS,
)

"""Simple Sudoku's files (.ss) and what it copies: the givens, then perhaps the digits placed so far, then the candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.formats import drawn_grids
from sudoku_cp.formats.base import Format, Options, Record, peek_head, write_each
from sudoku_cp.formats.board_text.line_classifier import format_bands
from sudoku_cp.model import members

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_FRAME = re.compile(r"^ ?\*-{11,}\*[ \t]*$", re.MULTILINE)
_FRAMES_OF_TWO = 4
_PLAY = "the blocks after the givens are not read: they are what a player has placed and left"


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each grid, but not of those in frames that continue the one before."""
    head, lines = peek_head(lines)
    if not sniff("\n".join(head)):
        yield from drawn_grids.read(lines, options)
        return
    pending: Record | None = None
    for record in drawn_grids.read(lines, options):
        if pending and pending.puzzle and record.puzzle and _continues(pending.puzzle, record.puzzle):
            pending = replace(pending, warnings=(_PLAY,))
        else:
            if pending:
                yield pending
            pending = record
    if pending:
        yield pending


def _continues(puzzle: Puzzle, later: Puzzle) -> bool:
    """Return whether a grid is the same puzzle with more digits, or its candidates."""
    if later.title or later.grid != puzzle.grid or not puzzle.givens:
        return False
    if later.candidates:
        single = {cell: members(domain) for cell, domain in later.candidates.items()}
        return all(single.get(cell) == [value] for cell, value in puzzle.givens.items())
    return all(later.givens.get(cell) == value for cell, value in puzzle.givens.items())


def sniff(head: str) -> bool:
    """Return whether the text begins with frames such as Simple Sudoku copies, at least two."""
    return bool(_FRAME.match(head)) and len(_FRAME.findall(head)) >= _FRAMES_OF_TWO


def puzzle_to_text(puzzle: Puzzle) -> str:
    """Return the rows, an empty line after them."""
    return format_bands("ss", puzzle, "-" * 11)


FORMAT = Format(
    "ss",
    "Simple Sudoku's rows xxx|xxx|xxx, and the blocks that it copies",
    (".ss",),
    sniff,
    read,
    write_each(puzzle_to_text),
)

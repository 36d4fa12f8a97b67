"""Helpers for the formats for solvers: one puzzle a file, a heading, the model, and the domains that givens leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.base import Encoder, Format, keep_changed, one_line
from sudoku_cp.model import members

if TYPE_CHECKING:
    from sudoku_cp.formats.base import KeptTexts
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle

KEEPS = keep_changed(one_line, "title", "author", "source")
"""The texts that `heading_lines` includes."""


def export_format(
    name: str, summary: str, extensions: tuple[str, ...], lines_of: Callable[[Puzzle], Iterable[str]], keeps: KeptTexts = KEEPS
) -> Format:
    """Return a format that is only written; its files hold one puzzle."""
    return Format(name, summary, extensions, lambda _head: False, None, partial(_single_puzzle_encoder, name, lines_of), keeps)


def _single_puzzle_encoder(name: str, lines_of: Callable[[Puzzle], Iterable[str]]) -> Encoder:
    """Return the encoder of a file of one puzzle; a second one is refused."""
    taken = False

    def text_of(puzzle: Puzzle) -> str:
        nonlocal taken
        if taken:
            raise Unsupported(f"expected one puzzle for a file of the format {name!r}, got another")
        text = "".join(lines_of(puzzle))
        taken = True
        return text

    return Encoder(text_of)


def heading_lines(puzzle: Puzzle) -> Iterator[str]:
    """Yield lines that describe the puzzle, for comments."""
    yield f"sudoku_cp: {puzzle.grid}, rules {', '.join(rule.kind for rule in puzzle.rules) or '(none)'}"
    for noun in ("title", "author", "source"):
        text = one_line(getattr(puzzle, noun))
        if text:
            yield f"{noun}: {text}"


def clue_domains(puzzle: Puzzle) -> Iterator[tuple[str, Cell, Domain]]:
    """Yield givens and candidates: a description, the cell, and its remaining values (bits)."""
    name = puzzle.grid.cell_name
    for cell, value in puzzle.givens.items():
        yield f"given {name(cell)}={value}", cell, 1 << value
    for cell, allowed in puzzle.candidates.items():
        yield f"candidates of {name(cell)}: {' '.join(map(str, members(allowed)))}", cell, allowed

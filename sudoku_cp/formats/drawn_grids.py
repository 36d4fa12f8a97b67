"""Grids as people draw them: a row a line, with or without borders and spaces; also grids of candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.base import Encoder, Format, Options, Record, keep_unchanged, one_line_title, require_plain
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.board_text.board_splitter import most_common, split_boards
from sudoku_cp.formats.board_text.drawings import are_candidates, parse_items
from sudoku_cp.formats.board_text.line_classifier import is_row, split_tokens
from sudoku_cp.formats.board_text.rows import BoardShape, TextRow, required_rectangle
from sudoku_cp.grid import MAX_SIDE, Board
from sudoku_cp.model import members
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_DIGITS = 9
_SECTION = re.compile(r"^\[\w+\]\s*$", re.MULTILINE)


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each grid, with the title line before it."""
    rectangle = required_rectangle(options)
    return split_boards(parse_items(lines, rectangle), partial(_find_shape, rectangle=rectangle), options)


def _find_shape(rows: Sequence[TextRow], rectangle: tuple[int, int] | None) -> BoardShape:
    """Return the shape that most rows have; a cell is a character or a token, whichever suits more rows.

    If both suit all rows, choose the one that needs as many rows as there are.
    """
    drawn = [row for row in rows if not row.dashes] or rows
    wide = rectangle[1] if rectangle else most_common(len(row.signs) for row in drawn)
    long = rectangle[1] if rectangle else most_common(len(row.tokens) for row in drawn)
    by_sign = sum(len(row.signs) == wide for row in drawn)
    by_token = sum(len(row.tokens) == long and all(_can_be_cell(token.text, long) for token in row.tokens) for row in drawn)
    padded = long > _DIGITS and _has_leading_zeros(drawn)
    grouped = any(len({len(token.text) for token in row.tokens}) > 1 for row in drawn)
    grouped = grouped or (long < wide and all(are_candidates(row, long) for row in drawn))
    height, other = (rectangle[0], rectangle[0]) if rectangle else (long, wide)
    if (by_token, padded, height == len(drawn), grouped) > (by_sign, False, other == len(drawn), not grouped):
        return BoardShape(height, long, "numbers" if long > _DIGITS or _has_leading_zeros(drawn) else "groups")
    return BoardShape(other, wide, "signs")


def _can_be_cell(text: str, width: int) -> bool:
    if alphabets.is_blank(text):
        return True
    if not (text.isdecimal() and text.isascii()):
        return False
    return len(text) <= 3 and int(text) <= width if width > _DIGITS else int(max(text)) <= width  # noqa: PLR2004  # 010


def _has_leading_zeros(rows: Sequence[TextRow]) -> bool:
    return any(len(token.text) > 1 and token.text[0] == "0" and token.text.isdecimal() for row in rows for token in row.tokens)


def sniff(head: str) -> bool:
    """Return whether the text begins with at least half the rows of a board, with or without a title."""
    if _SECTION.search(head):
        return False
    items = parse_items(iter(head.split("\n")))
    rows: list[TextRow] = []
    for item in islice(items, 2 * MAX_SIDE):
        if isinstance(item, TextRow):
            rows.append(item)
        elif len(rows) > 1:
            break
    if len(rows) < 2:  # noqa: PLR2004
        return False
    if _is_packed(rows[0]) and not any(isinstance(item, TextRow) and not _is_packed(item) for item in items):
        return False
    shape = _find_shape(rows[1:], None)
    return 4 <= shape.columns <= MAX_SIDE and 2 * len(rows) >= shape.rows  # noqa: PLR2004


def _is_packed(row: TextRow) -> bool:
    """Return whether a row is from a line of signs without spaces, too long for a row: such lines have a format of their own."""
    return len(row.text) > MAX_SIDE and not any(sign.isspace() or sign == "|" for sign in row.text.strip())


# --- writing ----------------------------------------------------------------------------------------------------


def write() -> Encoder:
    """Return an encoder: for each puzzle its title, a bordered grid and an empty line."""
    known: alphabets.KnownAlphabets = {}

    def grid_of(puzzle: Puzzle) -> str:
        require_plain("grid", puzzle, candidates=True)
        title = _title(puzzle)
        texts = _candidates(puzzle) if puzzle.candidates else list(puzzle.line())
        comment = "" if puzzle.candidates else alphabets.announce_signs("grid", puzzle, texts, known)
        heading = f"{title}\n" if title else ""
        return f"{comment}{heading}{draw_board(texts, puzzle.grid.boards[0])}\n\n"

    return Encoder(grid_of)


def _title(puzzle: Puzzle) -> str:
    """Return the title as a reader will find it, empty if it would be taken for a row or a border."""
    title = one_line_title(puzzle).replace("·", ".")
    return title if any(sign.isalnum() for sign in title) and not is_row(split_tokens(title)) else ""


def _candidates(puzzle: Puzzle) -> list[str]:
    usual = puzzle.symbols == numerals(puzzle.grid.values) and len(puzzle.grid.values) <= _DIGITS
    texts = ["".join(map(str, members(puzzle.candidates.get(cell, 0)))) or "." for cell in puzzle.grid.cells]
    if not usual or puzzle.givens or not any(len(text) > 1 for text in texts):
        expected = "candidates of digits, several in some cell, and no givens among them, for the format 'grid'"
        raise Unsupported(f"expected {expected} (json can express everything), got others")
    return texts


def draw_board(texts: Sequence[str], board: Board) -> str:
    """Return the cells of a board in boxes drawn with ``+-|``."""
    height, width = board.boxes or (board.rows, board.columns)
    room = max(map(len, texts))
    border = "+" + ("-" * ((room + 1) * width + 1) + "+") * (board.columns // width)
    lines = []
    for row in range(board.rows):
        lines += [border] * (row % height == 0)
        cells = [text.ljust(room) for text in texts[row * board.columns : (row + 1) * board.columns]]
        boxes = (" ".join(cells[start : start + width]) for start in range(0, board.columns, width))
        lines.append("| " + " | ".join(boxes) + " |")
    return "\n".join([*lines, border])


FORMAT = Format(
    "grid",
    "a row a line, bordered and spaced or not; also grids of candidates",
    (".ss", ".msk", ".sol", ".spf"),
    sniff,
    read,
    write,
    {"title": _title, **keep_unchanged("symbols")},
)

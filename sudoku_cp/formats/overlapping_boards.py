"""Boards that overlap, such as samurai: rows of text, one sign a cell, with gaps where no board has a cell.

Gaps are spaces, or a mark that no cell has, or are left out of the rows; if they have the mark of empty cells, the usual shapes
with gaps (`_SHAPES`) are tried. Which boards there are follows from the gaps: the fewest that cover all cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, count, islice
from typing import NamedTuple

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, error_record, record_or_error
from sudoku_cp.formats.board_text.alphabets import symbols_for
from sudoku_cp.formats.board_text.line_classifier import dash_is_blank, is_border, plain_signs
from sudoku_cp.formats.board_text.rows import UPRIGHTS
from sudoku_cp.formats.grid_text import strip_comment
from sudoku_cp.grid import MAX_SIDE, Board, Grid, Place, default_boxes
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.symbols import BLANKS

_SIDES = (9, 6, 4)
_MOST_ROWS = 2 * MAX_SIDE
_MOST_TRIES = 500
"""Boards that are tried before a shape is given up."""
_SHAPES: tuple[tuple[Place, ...], ...] = (
    ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12)),
    ((0, 0), (6, 6)),
    ((0, 6), (6, 0)),
    ((0, 0), (6, 6), (12, 12)),
    ((0, 12), (6, 6), (12, 0)),
)
"""Where the 9x9 boards begin in shapes whose gaps look like empty cells, or are left out: samurai, and chains of boards."""
_SEPARATORS = "\t,;"
_COLUMN = re.compile(rf"[^\s{UPRIGHTS}]")


class _OverlappingBoards(NamedTuple):
    """The boards of a run of rows, the signs by their places, and the title before them."""

    title: str
    boards: tuple[Board, ...]
    signs: Mapping[Place, str]


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each run of rows; empty lines may stand between them, a title before them."""
    for held, found in _runs(lines):
        if isinstance(found, _OverlappingBoards):
            yield record_or_error(held[0][0], partial(_make_puzzle, found, options))
        else:
            yield error_record(held[0][0], found) if found else _unshaped(held)


def _runs(lines: Iterable[str]) -> Iterator[tuple[list[tuple[int, str]], _OverlappingBoards | ParseError | None]]:
    """Yield the rows up to each empty line behind which they are boards, with these; or rows that are none, or too unclear."""
    held: list[tuple[int, str]] = []
    for number, line in enumerate(chain(lines, [""]), 1):
        body = plain_signs(strip_comment(line[:LONGEST_LINE])).rstrip(" \r")
        if body.strip() or body.count("\t") >= min(_SIDES) - 1:
            held.append((number, body))
            continue
        found = _find_boards([text for _, text in held]) if held else None
        if found or len(held) > _MOST_ROWS:
            yield held, found
            held = []
    if held:
        yield held, None


def _unshaped(held: Sequence[tuple[int, str]]) -> Record:
    return error_record(held[0][0], f"expected rows of boards that overlap, with gaps between them, got {len(held)} rows of none")


def _make_puzzle(found: _OverlappingBoards, options: Options) -> Puzzle:
    title, boards, signs = found
    side = boards[0].rows
    grid = Grid.of(boards, range(1, side + 1))
    used = {signs[place] for place in grid.places}
    symbols = symbols_for({}, grid.values, used, options)
    givens, wrong = {}, []
    for cell, place in enumerate(grid.places):
        value = symbols.parse(signs[place])
        if value is not None and value in grid.values:
            givens[cell] = value
        elif signs[place] not in BLANKS and (signs[place].isalnum() or not signs[place].isprintable()):
            wrong.append(f"{signs[place]!r} in {grid.cell_name(cell)}")
    if wrong:
        raise ParseError(f"expected signs of {symbols.signs!r} or blanks, got {', '.join(wrong[:5])}")
    return Puzzle(grid, givens=givens, symbols=symbols, title=title)


# --- which boards there are -------------------------------------------------------------------------------------


def _find_boards(bodies: Sequence[str]) -> _OverlappingBoards | ParseError | None:
    """Return the boards that overlap in rows of text below a title or none; the error of a shape that is too unclear."""
    for skipped in range(min(2, len(bodies))):
        rows = _signs_of(bodies[skipped:])
        if not min(_SIDES) < len(rows) <= _MOST_ROWS:
            continue
        for one in filter(None, (rows, _with_gaps(rows))):
            try:
                boards = _boards_in(one)
            except ParseError as error:
                return error
            if boards:
                signs = {(row, column): sign for row, line in enumerate(one) for column, sign in enumerate(line)}
                return _OverlappingBoards(bodies[0].strip() if skipped else "", boards, signs)
    return None


def _signs_of(bodies: Sequence[str]) -> list[str]:
    """Return rows of equal length with a sign for each cell and a space for each gap, none where cells are longer."""
    dashes = dash_is_blank(bodies)
    bodies = [body for body in bodies if not is_border(body) or (dashes and "+" not in body)]
    mark = next((mark for mark in _SEPARATORS if any(mark in body for body in bodies)), "")
    if mark:
        rows = [[field.strip() or " " for field in body.split(mark)] for body in bodies]
    else:
        columns = sorted({found.start() for body in bodies for found in _COLUMN.finditer(body)})
        rows = [[body[at] if at < len(body) and _COLUMN.match(body[at]) else " " for at in columns] for body in bodies]
    if any(len(sign) > 1 for row in rows for sign in row):
        return []  # numbers, or words
    width = max(map(len, rows), default=0)
    return ["".join(row).ljust(width) for row in rows]


def _with_gaps(rows: Sequence[str]) -> list[str] | None:
    """Return rows whose gaps have been left out with these, None if they are no known shape."""
    packed = [row.replace(" ", "") for row in rows]
    lengths = tuple(map(len, packed))
    for shape in _SHAPES:
        if lengths == _row_lengths(shape):
            places = _places_of(shape)
            width = 1 + max(column for _, column in places)
            signs = [iter(row) for row in packed]
            return ["".join(next(own) if (row, at) in places else " " for at in range(width)) for row, own in enumerate(signs)]
    return None


@lru_cache
def _row_lengths(shape: tuple[Place, ...]) -> tuple[int, ...]:
    """Return how many cells each row of a shape has."""
    cells = Counter(row for row, _ in _places_of(shape))
    return tuple(cells[row] for row in range(1 + max(cells)))


def _places_of(shape: Iterable[Place], side: int = 9) -> set[Place]:
    return {(top + row, left + column) for top, left in shape for row in range(side) for column in range(side)}


def _boards_in(rows: Sequence[str]) -> tuple[Board, ...] | None:
    """Return the boards in rows of signs: as spaces part them, or another mark, or as in a known shape."""
    signs = {(row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line)}
    marks = [" "] if " " in signs.values() else sorted(sign for sign in {*signs.values()} if sign == "0" or not sign.isalnum())
    for mark in marks:
        cells = {place for place, sign in signs.items() if sign != mark}
        largest = max((int(sign) for sign in signs.values() if sign.isdecimal()), default=0)
        for side in _SIDES if mark == " " else _SIDES[:1]:
            if len(rows) >= side >= largest and (starts := _cover(cells, side)):
                return tuple(Board(side, side, default_boxes(side), at=at) for at in starts)
    shape = min((shape for shape in _SHAPES if _fits(shape, rows, signs)), key=lambda shape: len(_places_of(shape)), default=())
    return tuple(Board(9, 9, (3, 3), at=at) for at in sorted(shape)) or None


def _fits(shape: Iterable[Place], rows: Sequence[str], signs: Mapping[Place, str]) -> bool:
    """Return whether rows are as large as a shape, with nothing but digits in its cells and nothing in its gaps."""
    places = _places_of(shape)
    same = len(rows) == 1 + max(row for row, _ in places) == len(rows[0])
    return same and all(signs[gap] in BLANKS for gap in signs.keys() - places) and _are_digits(signs.values())


def _are_digits(signs: Iterable[str]) -> bool:
    """Return whether there are many givens, all of them digits: on one large board, some would be larger."""
    written = [sign for sign in signs if sign not in BLANKS]
    return len(written) >= 9 and all(map(str.isdecimal, written))  # noqa: PLR2004


def _cover(cells: set[Place], side: int) -> tuple[Place, ...] | None:
    """Return where the fewest boards of a side begin that cover just these cells and hang together, None if there are none.

    The first cell is the corner of a board, and all boards share its boxes. Raises `ParseError` if the tries run out.
    """
    if len(cells) <= side * side or len(cells) % side:
        return None
    (row, column), (height, width) = min(cells), default_boxes(side) or (1, 1)
    aligned = (at for at in cells if (at[0] - row) % height == 0 and (at[1] - column) % width == 0)
    boards = {at: board for at in sorted(aligned) if (board := _places_of([at], side)) <= cells}
    if set().union(*boards.values()) != cells:
        return None
    tries = count(1)
    found: list[tuple[Place, ...]] = []

    def search(starts: tuple[Place, ...], left: set[Place]) -> None:
        if found and len(starts) + bool(left) > len(found[0]):
            return
        if not left:
            found.append(starts)
            found[:] = [one for one in found if len(one) == len(starts)]
            return
        if next(tries) > _MOST_TRIES:
            raise ParseError("expected gaps that show where each board begins, got a shape of too many boards")
        first = min(left)
        for at, board in boards.items():
            if first in board:
                search((*starts, at), left - board)

    search((), cells)
    same = {tuple(sorted(one)) for one in found}
    return min(same) if len(same) == 1 and _hang_together(min(same), side) else None


def _hang_together(starts: Sequence[Place], side: int) -> bool:
    """Return whether each board shares cells with others, and all are linked so."""
    linked = {starts[0]} if len(starts) > 1 else set()
    for _ in starts:
        linked |= {one for one in starts if any(max(abs(one[0] - at[0]), abs(one[1] - at[1])) < side for at in linked)}
    return len(linked) == len(starts) and bool(linked)


def sniff(head: str) -> bool:
    """Return whether the text begins with boards that overlap."""
    return any(found for _, found in _runs(islice(head.split("\n"), 2 * _MOST_ROWS)))


FORMAT = Format(
    "samurai",
    "boards that overlap, as rows of signs with gaps (spaces, a mark, or left out)",
    (),
    sniff,
    read,
    None,
)

"""The regions that bars and borders of a drawing show: boxes, or irregular ones of the board's size.

Bars that part every cell from the next, or lie the same way in all rows without borders across them, only adorn a board; heavier
bars among others (``||``, ``┃``, ``═``) are the walls. Where walls end within the board, it has the regions that they enclose.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.board_text.rows import UPRIGHTS, TextRow, Token
from sudoku_cp.formats.union_find import board_of_regions, label_components
from sudoku_cp.grid import Board, Grid, default_boxes

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell

Walls: TypeAlias = list[list[int]]
"""How heavy the walls are behind the cells of each row, or below them; 0 for none."""

_BARS = re.compile(f"[{UPRIGHTS}]+")
_LIGHT, _USUAL, _HEAVY = 1, 2, 3
_WEIGHTS = dict.fromkeys(":┆┊╎", _LIGHT) | dict.fromkeys("┃║=━═", _HEAVY)
_SHOWN = 5


def drawn_board(rows: Sequence[TextRow], reading: str) -> Board | None:
    """Return the square board with the regions that are drawn, None if these are the usual ones or none are drawn.

    Raises `ParseError` if walls enclose no regions of the board's size.
    """
    cells = [row.cells(reading) for row in rows]
    side = len(rows)
    if any(len(row) != side for row in cells) or not any(row.rule or _BARS.search(row.text) for row in rows[1:]):
        return None
    right = _walls([[*_bars_behind(row, tokens)] for row, tokens in zip(rows, cells, strict=True)])
    below = _walls(_borders_above(rows[1:], _places(cells)))
    if all(row == right[0] for row in right) and all(len({*row}) == 1 for row in below):
        down = [at + 1 for at, row in enumerate(below) if row[0]]
        across = [at + 1 for at, wall in enumerate(right[0]) if wall]
        boxes = _drawn_boxes(side, down, across)
        if boxes or not (down and across):
            return Board(side, side, boxes) if boxes and boxes != default_boxes(side) else None
    return _board_between(right, below, rows[0].line)


def _walls(weights: Walls) -> Walls:
    """Return the walls: all bars if some cells have none between them, else the heavier ones."""
    found = {weight for row in weights for weight in row}
    least = 0 if 0 in found else min(found, default=0)
    return [[weight if weight > least else 0 for weight in row] for row in weights]


def _bars_behind(row: TextRow, tokens: Sequence[Token]) -> Iterator[int]:
    """Yield how heavy the bars behind each cell of a row but the last are."""
    for one, other in pairwise(tokens):
        found = _BARS.search(row.text, one.column - 1 + len(one.text), max(other.column - 1, 0))
        yield _weight(found.group()) if found else 0


def _weight(bar: str) -> int:
    return max(_WEIGHTS.get(bar[0], _USUAL), _HEAVY if len(bar) > 1 else 0)


def _places(cells: Sequence[Sequence[Token]]) -> list[int]:
    """Return where each column of cells stands in most rows."""
    return [Counter(token.column - 1 for token in column).most_common(1)[0][0] for column in zip(*cells, strict=True)]


def _borders_above(rows: Sequence[TextRow], places: Sequence[int]) -> Walls:
    """Return how heavy the borders above each cell are.

    Borders that are all alike and have no gap part all cells, even if they are not as wide as the rows.
    """
    whole = len({row.rule.strip() for row in rows if row.rule}) == 1 and all(len(row.rule.split()) <= 1 for row in rows)
    found = []
    for row in rows:
        rule = row.rule if not whole else next(filter(_is_line, row.rule), "") * (max(places) + 1)
        signs = [rule[at : at + 1] for at in places]
        found.append([_weight(sign) if _is_line(sign) else 0 for sign in signs])
    return found


def _is_line(sign: str) -> bool:
    return bool(sign) and not sign.isspace() and sign not in UPRIGHTS


def _drawn_boxes(side: int, down: Sequence[int], across: Sequence[int]) -> tuple[int, int] | None:
    """Return the height and width of the boxes that walls in these rows and columns show; the usual ones if they may be."""
    sizes = [size for size in range(2, side) if side % size == 0]
    heights = [size for size in sizes if [*range(size, side, size)] == [*down]]
    widths = [size for size in sizes if [*range(size, side, size)] == [*across]]
    shown = [(side // width, width) for width in widths if side // width in heights or not down]
    shown += [(height, side // height) for height in heights if not across]
    return shown[0] if shown else None


def _board_between(right: Walls, below: Walls, line: int) -> Board | None:
    """Return the board whose regions lie between walls, or refuse walls that enclose no such regions."""
    side = len(right)
    pairs: list[tuple[Cell, Cell]] = []
    for row in range(side):
        start = row * side
        pairs += [(start + at, start + at + 1) for at, wall in enumerate(right[row]) if not wall]
        pairs += [(start + at, start + at + side) for at, wall in enumerate(below[row] if row + 1 < side else ()) if not wall]
    labels = tuple(label_components(side * side, pairs))
    sizes = Counter(labels)
    if {*sizes.values()} == {side}:
        board = board_of_regions(side, side, labels)
        return None if board == Grid.square(side).boards[0] else board
    shown = ", ".join(map(str, [*sizes.values()][:_SHOWN])) + ", ..." * (len(sizes) > _SHOWN)
    words = f"expected bars and borders around {side} regions of {side} cells, got {len(sizes)} of {shown} cells"
    remedy = "leave bars out for the usual boxes, or write the region of each cell in a block below"
    raise ParseError(f"{words}: {remedy}", line=line)

"""Grids for a terminal: any shape, any alphabet, in colour or not."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.errors import OptionProblem, Unsupported
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import members
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.render.region_borders import region_borders
from sudoku_cp.symbols import LOWERCASE, UPPERCASE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.grid import Place
    from sudoku_cp.render.region_borders import Borders

MOST_SIGNS = 30_000_000
"""The most characters of a drawing: 36x36 cells with all their candidates have 200,000, boards far apart much more."""
_JUNCTIONS = " ╵╷│╶└┌├╴┘┐┤─┴┬┼"
"""The sign where lines meet, by 1 for a line up + 2 down + 4 right + 8 left."""
_ASCII_JUNCTIONS = " ||||+++|+++-+++"

COLOURS: Mapping[Origin | None, str] = MappingProxyType(
    {Origin.GIVEN: "\x1b[1m", Origin.FORCED: "\x1b[36m", Origin.GUESSED: "\x1b[33m"}
)
_POINTED = "\x1b[1;31m"
_RESET = "\x1b[0m"


@dataclass(frozen=True)
class Look:
    """How a grid is drawn.

    ``colour`` distinguishes given, forced and guessed values by ANSI colours; ``marks`` by signs: forced values are circled,
    guessed ones are in parentheses. ``ascii_only`` draws borders with ``+-|`` and circles as ``[5]``.
    """

    colour: bool = False
    marks: bool = False
    ascii_only: bool = False


PLAIN = Look()


@checked
def draw(shown: Puzzle | Position, look: Look = PLAIN, *, pointed: Collection[Cell] = ()) -> str:
    """Return the grid with a border around every region, one line per row.

    An open cell whose candidates the puzzle restricts shows them, and all cells are as wide as the longest. ``pointed`` cells
    are red or, without colour, have a star before them.
    """
    position = Position.of(shown) if isinstance(shown, Puzzle) else shown
    grid = close_gaps(position.puzzle.grid)

    def star(place: Place) -> str:
        return "*" if grid.cell_at[place] in pointed and not look.colour else " "

    signs, widest = cell_texts(position, look, pointed=pointed)
    texts = {place: f"{star(place)}{text}{' ' * (widest - seen)}" for place, (text, seen) in signs.items()}
    return frame_cells(region_borders(grid), [texts], widest + 1, look)


def cell_texts(position: Position, look: Look, *, pointed: Collection[Cell] = ()) -> tuple[dict[Place, tuple[str, int]], int]:
    """Return the text of each cell, coloured if the look asks for it, with its width in columns, and the largest width."""
    found = {}
    for cell, place in enumerate(close_gaps(position.puzzle.grid).places):
        sign = _cell_sign(position, cell, look)
        colour = _POINTED if cell in pointed else COLOURS.get(position.origins[cell], "")
        found[place] = colour_sign(sign, colour, look), display_width(sign)
    return found, max(seen for _, seen in found.values())


def close_gaps(grid: Grid) -> Grid:
    """Return the grid with its boards moved together: of several adjacent rows or columns without cells, one is kept.

    The order of the cells is the same, so that each has the same number on both grids.
    """
    rows, columns = (_drawn_positions({place[axis] for place in grid.places}) for axis in (0, 1))
    return Grid.of(tuple(replace(board, at=(rows[board.at[0]], columns[board.at[1]])) for board in grid.boards), grid.values)


def _drawn_positions(used: Collection[int]) -> Mapping[int, int]:
    """Map rows or columns that have cells to where they are drawn."""
    found: dict[int, int] = {}
    last = drawn = -1
    for number in sorted(used):
        drawn += min(number - last, 2)
        found[number] = drawn
        last = number
    return found


def frame_cells(borders: Borders, texts: Sequence[Mapping[Place, str]], width: int, look: Look) -> str:
    """Return texts with lines around regions; each of ``texts`` is one line of every cell, ``width`` columns wide."""
    frame = _Frame(borders, texts[0], width, look)
    rows = range(max(frame.cells) + 2)
    check_drawing_size(len(frame.lines) + len(texts) * len(frame.cells), frame.width)
    lines = []
    for row in rows:
        if row in frame.lines:
            lines.append(frame.border_line(row))
        if row in frame.cells:
            lines += [frame.text_line(row, line) for line in texts]
    return "\n".join(lines)


class _Frame:
    """Where everything of a drawing is: per row the columns with cells, with lines above cells and with lines left of them.

    Only these are visited, so that a drawing takes as long as what is on it, however far apart its boards are.
    """

    def __init__(self, borders: Borders, places: Collection[Place], width: int, look: Look) -> None:
        """Keep what is drawn around ``places``, cells that are ``width`` columns wide."""
        self._borders, self._width, self._look = borders, width, look
        self.cells = _columns_by_row(places)
        self.lines = _columns_by_row((row, column) for row, column, upright in borders if not upright)
        self._bars = _columns_by_row((row, column) for row, column, upright in borders if upright)
        ruled = {column for columns in self._bars.values() for column in columns}
        self._ruled = ruled
        self._starts = [0]
        for column in range(max(column for _, column in places) + 1):
            self._starts.append(self._text_start(column) + width)

    def _text_start(self, column: int) -> int:
        """Return where the text of a column begins, behind a bar if there is one in any row."""
        return self._starts[column] + (1 + bool(column)) * (column in self._ruled)

    @property
    def width(self) -> int:
        """The width of the whole drawing."""
        return self._text_start(len(self._starts) - 1)

    def border_line(self, row: int) -> str:
        """Return the line above a row: junctions at columns with lines, dashes between."""
        dash = "-" if self._look.ascii_only else "─"
        junctions = _ASCII_JUNCTIONS if self._look.ascii_only else _JUNCTIONS
        above = self.lines[row]
        pieces = []
        for column in sorted({*above, *(one + 1 for one in above), *self._bars.get(row - 1, ()), *self._bars.get(row, ())}):
            left, right = (row, column - 1, False) in self._borders, (row, column, False) in self._borders
            if column in self._ruled:
                up, down = (row - 1, column, True) in self._borders, (row, column, True) in self._borders
                sign = (dash if left else " ") * bool(column) + junctions[up + 2 * down + 4 * right + 8 * left]
                pieces.append((self._starts[column], len(sign), sign))
            if right:
                pieces.append((self._text_start(column), self._width, dash * self._width))
        return join_pieces(pieces)

    def text_line(self, row: int, texts: Mapping[Place, str]) -> str:
        """Return one row of cells."""
        bar = "|" if self._look.ascii_only else "│"
        pieces = []
        for column in sorted({*self.cells[row], *self._bars.get(row, ())}):
            if (row, column, True) in self._borders:
                pieces.append((self._text_start(column) - 1, 1, bar))
            if (row, column) in texts:
                pieces.append((self._text_start(column), self._width, texts[row, column]))
        return join_pieces(pieces)


def _columns_by_row(places: Iterable[Place]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for row, column in places:
        found.setdefault(row, set()).add(column)
    return found


def join_pieces(pieces: Iterable[tuple[int, int, str]]) -> str:
    """Return a line of texts, each with the column where it begins and its width, from left to right."""
    line, reached = [], 0
    for start, width, text in pieces:
        line.append(" " * (start - reached) + text)
        reached = start + width
    return "".join(line).rstrip()


def check_drawing_size(lines: int, width: int) -> None:
    """Raise `Unsupported` for a drawing of more than `MOST_SIGNS` characters."""
    if lines * width > MOST_SIGNS:
        size = f"{lines * width:,} characters ({lines:,} lines of {width:,})"
        words = f"expected a drawing of at most {MOST_SIGNS:,} characters, got {size}; `json` needs none"
        raise Unsupported(OptionProblem(words))


# --- cells ------------------------------------------------------------------------------------------------------


def _cell_sign(position: Position, cell: Cell, look: Look) -> str:
    """Return the text of a cell: its value, marked if the look asks for it, its restricted candidates, or a blank."""
    value, symbols = position.values[cell], position.puzzle.symbols
    if value is None:
        candidates = members(position.puzzle.candidates.get(cell, 0))
        sign = "".join(map(symbols.sign, candidates)) or "."
    else:
        sign = symbols.sign(value)
    return _mark_origin(sign, position.origins[cell], look) if look.marks else sign


def display_width(sign: str) -> int:
    """Return the display width of a sign: a combining circle has none."""
    return len(sign.replace("\u20dd", ""))


def centre_text(text: str, seen: int, width: int) -> str:
    """Return a text that shows ``seen`` columns in the middle of ``width``."""
    before = (width - seen) // 2
    return " " * before + text + " " * (width - seen - before)


def colour_sign(sign: str, colour: str, look: Look) -> str:
    """Return the sign in an ANSI colour, if there is one and the look has colours."""
    return f"{colour}{sign}{_RESET}" if look.colour and colour else sign


def _mark_origin(sign: str, origin: Origin | None, look: Look) -> str:
    if origin is Origin.GUESSED:
        return f"({sign})"
    if origin is Origin.FORCED:
        return f"[{sign}]" if look.ascii_only else f" {circle_sign(sign)} "
    return f" {sign} "


def circle_sign(sign: str) -> str:
    """Return the sign in a circle: Unicode has circled digits and letters, others get a combining circle."""
    for signs, first in (("123456789", "①"), ("0", "⓪"), (UPPERCASE, "Ⓐ"), (LOWERCASE, "ⓐ")):
        if sign in signs:
            return chr(ord(first) + signs.index(sign))
    return f"{sign}\u20dd"

"""Grids for a terminal: any shape, any alphabet, in colour or not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import members
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.render.region_borders import region_borders
from sudoku_cp.symbols import LOWERCASE, UPPERCASE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.grid import Place
    from sudoku_cp.render.region_borders import Borders

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
    """Return the text of each cell, coloured if the look says so, with its width in columns, and the largest width."""
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
    places = [place for line in texts for place in line]
    columns = range(max(column for _, column in places) + 1)
    lines = []
    for row in range(max(row for row, _ in places) + 2):
        if any((row, column, False) in borders for column in columns):
            lines.append(_border_line(borders, row, columns, width, look))
        present = any((row, column) in texts[0] for column in columns)
        lines += [_text_line(borders, row, columns, line, width, look) for line in texts if present]
    return "\n".join(line.rstrip() for line in lines)


def _has_vertical_line(borders: Borders, column: int) -> bool:
    return any(at == column and upright for _, at, upright in borders)


def _border_line(borders: Borders, row: int, columns: range, width: int, look: Look) -> str:
    """Return the line above a row: junctions at columns with lines, dashes between."""
    dash = "-" if look.ascii_only else "─"
    line = ""
    for column in range(columns.stop + 1):
        left, right = (row, column - 1, False) in borders, (row, column, False) in borders
        if _has_vertical_line(borders, column):
            up, down = (row - 1, column, True) in borders, (row, column, True) in borders
            junctions = _ASCII_JUNCTIONS if look.ascii_only else _JUNCTIONS
            line += (dash if left else " ") * bool(column) + junctions[up + 2 * down + 4 * right + 8 * left]
        line += (dash if right else " ") * width
    return line


def _text_line(borders: Borders, row: int, columns: range, texts: Mapping[Place, str], width: int, look: Look) -> str:
    """Return one row of cells."""
    bar = "|" if look.ascii_only else "│"
    line = ""
    for column in range(columns.stop + 1):
        if _has_vertical_line(borders, column):
            line += " " * bool(column) + (bar if (row, column, True) in borders else " ")
        line += texts.get((row, column), " " * width) if column in columns else ""
    return line


# --- cells ------------------------------------------------------------------------------------------------------


def _cell_sign(position: Position, cell: Cell, look: Look) -> str:
    """Return the text of a cell: its value, marked if the look says so, its restricted candidates, or a blank."""
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

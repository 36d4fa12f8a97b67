"""Grids for a terminal: any shape, any alphabet, in colour or not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.arguments import checked
from sudoku_cp.errors import OptionProblem, Unsupported
from sudoku_cp.grid import Cell, Grid, Place
from sudoku_cp.model import members
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.symbols import LOWERCASE, UPPERCASE

if TYPE_CHECKING:
    from sudoku_cp.cosmetics import Cage


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
                sign = ((dash if left else " ") if column else "") + junctions[up + 2 * down + 4 * right + 8 * left]
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


# The lines of a grid between its regions.


Borders: TypeAlias = frozenset[tuple[int, int, bool]]
"""Where lines are: (row, column, True) at the left of that place, (row, column, False) above it."""


def region_borders(grid: Grid) -> Borders:
    """Return the lines between cells of different regions, and around the whole."""
    region = {cell: number for number, cells in enumerate(grid.regions) for cell in cells}
    at: dict[Place, int] = {place: region.get(cell, -1) for cell, place in enumerate(grid.places)}
    found = set()
    for row, column in at:
        for far in (0, 1):
            if at.get((row, column + far - 1)) != at.get((row, column + far)):
                found.add((row, column + far, True))
            if at.get((row + far - 1, column)) != at.get((row + far, column)):
                found.add((row + far, column, False))
    return frozenset(found)


# Grids for a terminal with cages as broken lines next to the solid borders of regions.
#
# Where both coincide the line is heavy, or, in ASCII, ``=`` and ``#``. Totals are in the line above a cell.


REGION, OUTLINE, BOTH = 1, 2, 3
"""What runs along a side of a cell."""
NARROWEST, WIDEST = 3, 9
"""The least and most characters of a cell's width; longer totals are cut."""

_ACROSS, _DOWN = (" ─┄━", " -.="), (" │┆┃", " |:#")
"""The signs of a side (none, region, outline, both), in Unicode and in ASCII."""
_WEIGHTS = """
0000 1000 0100 0010 0001 2000 0200 0020 0002 1010 2020 1020 2010 0101 0202 0201 0102 1100 1200 2100 2200 0110 0210 0120 0220
0011 0012 0021 0022 1001 1002 2001 2002 1110 1210 2110 1120 2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111
0112 0211 0212 0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212 2111 1121 2121 2112 2211 1122
1221 2212 1222 2122 2221 2222
"""
_SIGNS = " ╵╶╷╴╹╺╻╸│┃╽╿─━╼╾└┕┖┗┌┍┎┏┐┑┒┓┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋"
_JOINTS: Mapping[str, str] = MappingProxyType(dict(zip(_WEIGHTS.split(), _SIGNS, strict=True)))
"""The box-drawing sign where lines meet, by their weights: up, right, down, left; 0 for none."""


def draw_outlined(shown: Puzzle | Position, look: Look = PLAIN) -> str:
    """Return the grid with the outlines and totals of its cages, or the result of `draw` if it has none."""
    from sudoku_cp.cosmetics import Cage  # noqa: PLC0415  # plain grids need nothing that rules draw
    from sudoku_cp.render.ground_pieces import cosmetics_of  # noqa: PLC0415  # as above

    position = Position.of(shown) if isinstance(shown, Puzzle) else shown
    grid = close_gaps(position.puzzle.grid)
    cages = [thing.drawn for thing in cosmetics_of(position.puzzle) if isinstance(thing.drawn, Cage) and not thing.faint]
    if not cages:
        return draw(position, look)
    texts, seen = cell_texts(position, look)
    totals = _totals(cages, grid)
    width = max(NARROWEST, seen + 1, min(WIDEST, max(map(len, totals.values()), default=0)))
    sides = _sides(grid, cages)
    rows = range(max(row for row, _ in grid.places) + 2)
    check_drawing_size(2 * len(rows), (width + 1) * (max(column for _, column in grid.places) + 2))
    drawn = _drawn_places(sides, texts)
    lines = []
    for row in rows:
        places = sorted(drawn.get(row, ()))
        starts = [column * (width + 1) for _, column in places]
        above = (_corner_sign(sides, place, look) + _line_above(sides, totals, place, width, look) for place in places)
        inside = (_cell_with_left_line(sides, texts, place, width, look) for place in places)
        widths = [width + 1] * len(places)
        lines += [join_pieces(zip(starts, widths, line, strict=True)) for line in (above, inside)]
    return "\n".join(lines[:-1])


def _drawn_places(sides: Iterable[tuple[int, int, bool]], texts: Iterable[Place]) -> Mapping[int, set[Place]]:
    """Return, by row, the places where anything is drawn: cells, sides, and the corners at both ends of each side."""
    found: dict[int, set[Place]] = {}
    ends = ((row + far * upright, column + far * (not upright)) for row, column, upright in sides for far in (0, 1))
    for row, column in (*texts, *ends):
        found.setdefault(row, set()).add((row, column))
    return found


def _totals(cages: Sequence[Cage], grid: Grid) -> dict[Place, str]:
    """Return the text above each cell: that of each cage goes above the first of its cells that is free."""
    found: dict[Place, str] = {}
    for one in cages:
        places = sorted(grid.places[cell] for cell in one.cells)
        free = next((place for place in places if place not in found), None)
        if one.text and free:
            found[free] = one.text
    return found


def _sides(grid: Grid, cages: Sequence[Cage]) -> Mapping[tuple[int, int, bool], int]:
    """Return what runs at the left of each place, (row, column, True), and above it, (row, column, False)."""
    inside: dict[Place, set[int]] = {}
    for number, one in enumerate(cages):
        for cell in one.cells:
            inside.setdefault(grid.places[cell], set()).add(number)
    borders: Borders = region_borders(grid)
    found = dict.fromkeys(borders, REGION)
    for (row, column), numbers in inside.items():
        for side, other in (
            ((row, column, True), (row, column - 1)),
            ((row, column + 1, True), (row, column + 1)),
            ((row, column, False), (row - 1, column)),
            ((row + 1, column, False), (row + 1, column)),
        ):
            if numbers != inside.get(other, set()):
                found[side] = BOTH if side in borders else OUTLINE
    return found


def _corner_sign(sides: Mapping[tuple[int, int, bool], int], place: Place, look: Look) -> str:
    """Return the sign at the top left corner of a place; where a line goes straight on, the sign of that line."""
    row, column = place
    around = ((row - 1, column, True), (row, column, False), (row, column, True), (row, column - 1, False))
    up, right, down, left = (sides.get(side, 0) for side in around)
    if up == down == 0 and left == right:
        return _ACROSS[look.ascii_only][left]
    if left == right == 0 and up == down:
        return _DOWN[look.ascii_only][up]
    return "+" if look.ascii_only else _JOINTS["".join("0112"[side] for side in (up, right, down, left))]


def _line_above(
    sides: Mapping[tuple[int, int, bool], int], totals: Mapping[Place, str], place: Place, width: int, look: Look
) -> str:
    """Return the line above a place, which begins with the total of its cage."""
    total = totals.get(place, "")
    if len(total) > width:
        total = total[: width - 1] + ("~" if look.ascii_only else "…")
    return total + _ACROSS[look.ascii_only][sides.get((*place, False), 0)] * (width - len(total))


def _cell_with_left_line(
    sides: Mapping[tuple[int, int, bool], int], texts: Mapping[Place, tuple[str, int]], place: Place, width: int, look: Look
) -> str:
    """Return what is left of a place, and the text in it."""
    text, seen = texts.get(place, ("", 0))
    return _DOWN[look.ascii_only][sides.get((*place, True), 0)] + centre_text(text, seen, width)


# Grids of pencil marks for a terminal: every candidate of a cell at its own place within the cell.


def draw_candidates(puzzle: Puzzle, notes: Sequence[Mapping[int, str]], look: Look = PLAIN) -> str:
    """Return the grid with the candidates of each cell; ``notes`` maps them to a suffix ("?", ":12", or nothing).

    A given is alone in its cell, and so is a single candidate without a suffix, in a circle.
    """
    entry = max(len(puzzle.symbols.sign(value) + note) for cell in notes for value, note in cell.items()) if any(notes) else 1
    check_candidates_size(puzzle, entry)
    grid = close_gaps(puzzle.grid)
    across = ceil(sqrt(len(grid.values)))
    width = across * (entry + 1) + 1
    blocks = [_cell_lines(puzzle, cell, notes[cell], across, entry, look) for cell in grid.cells]
    texts = [{place: f" {line} " for place, line in zip(grid.places, row, strict=True)} for row in zip(*blocks, strict=True)]
    return frame_cells(region_borders(grid), texts, width, look)


def check_candidates_size(puzzle: Puzzle, entry: int) -> None:
    """Raise `Unsupported` if the drawing, with ``entry`` characters for a candidate and its suffix, would be too large."""
    places = close_gaps(puzzle.grid).places
    rows, columns = (max(place[axis] for place in places) + 1 for axis in (0, 1))
    across = ceil(sqrt(len(puzzle.grid.values)))
    check_drawing_size(rows * ceil(len(puzzle.grid.values) / across), columns * (across * (entry + 1) + 1))


def _cell_lines(puzzle: Puzzle, cell: Cell, notes: Mapping[int, str], across: int, entry: int, look: Look) -> list[str]:
    """Return the lines of one cell."""
    values, sign_of = puzzle.grid.values, puzzle.symbols.sign
    rows = [values[start : start + across] for start in range(0, len(values), across)]
    if len(notes) == 1 and (cell in puzzle.givens or not any(notes.values())):
        (value,) = notes
        width = across * (entry + 1) - 1
        return _single_value_lines(sign_of(value), len(rows), width, look, given=cell in puzzle.givens)
    lines = [" ".join(_format_candidate(sign_of(value), notes.get(value), entry, look) for value in row) for row in rows]
    short = across - len(rows[-1])
    return [*lines[:-1], lines[-1] + " " * short * (entry + 1)]


def _format_candidate(sign: str, note: str | None, entry: int, look: Look) -> str:
    """Return one candidate with its note, or a dot for a missing one."""
    if note is None:
        return ".".ljust(entry)
    return colour_sign(f"{sign}{note}".ljust(entry), COLOURS[Origin.GUESSED] if note == "?" else "", look)


def _single_value_lines(sign: str, rows: int, width: int, look: Look, *, given: bool) -> list[str]:
    """Return the lines of a cell with one value in the middle."""
    circle = sign if given else f"[{sign}]" if look.ascii_only else circle_sign(sign)
    shown = colour_sign(circle, COLOURS[Origin.GIVEN if given else Origin.FORCED], look)
    middle = centre_text(shown, display_width(circle), width)
    return [middle if row == rows // 2 else " " * width for row in range(rows)]

"""Grids for a terminal with cages as broken lines next to the solid borders of regions.

Where both coincide the line is heavy, or, in ASCII, ``=`` and ``#``. Totals are in the line above a cell.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Cage
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.render.region_borders import region_borders
from sudoku_cp.render.rule_cosmetics import cosmetics_of
from sudoku_cp.render.terminal_grid import PLAIN, Look, cell_texts, centre_text, check_drawing_size, close_gaps, draw, join_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sudoku_cp.grid import Grid, Place
    from sudoku_cp.render.region_borders import Borders

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

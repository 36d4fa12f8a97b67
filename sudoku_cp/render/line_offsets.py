"""Offsets of lines that share a stretch, so that they run side by side: each later line is moved a little as a whole."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.cosmetics import DrawnArrow, Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.render.rule_cosmetics import RuleCosmetic

Offset: TypeAlias = tuple[float, float]
"""How far a line is moved: right, down."""
Stretch: TypeAlias = "frozenset[Cell]"

MIN_CLEARANCE = 0.12
"""Lines this far apart can be followed separately."""
_STEP = 0.14
_OFFSETS: tuple[Offset, ...] = (
    (0, 0), (_STEP, -_STEP), (-_STEP, _STEP), (_STEP, _STEP), (-_STEP, -_STEP),
    (2 * _STEP, -_STEP), (-2 * _STEP, _STEP), (_STEP, 2 * _STEP), (-_STEP, -2 * _STEP),
)  # fmt: skip
"""The offsets to try, in order."""


def line_offsets(things: Sequence[RuleCosmetic], grid: Grid) -> Mapping[RuleCosmetic, Offset]:
    """Return the offset of each line that meets an earlier one in a cell; (0, 0) if they share no stretch."""
    lines = [thing for thing in things if isinstance(thing.drawn, Line | DrawnArrow) and len(set(thing.drawn.cells)) > 1]
    users: dict[Stretch, list[RuleCosmetic]] = {}
    visitors: dict[Cell, list[RuleCosmetic]] = {}
    found: dict[RuleCosmetic, Offset] = {}
    for line in lines:
        stretches = [*_stretches(line)]
        met = [(stretch, other) for stretch in stretches for other in users.get(stretch, ()) if not _share_a_bulb(line, other)]
        ways = [(_direction(stretch, grid), found.get(other, (0, 0))) for stretch, other in met]
        aside = next((aside for aside in _OFFSETS if _clearance(aside, ways) >= MIN_CLEARANCE), None)
        aside = aside or max(_OFFSETS, key=lambda one: _clearance(one, ways))
        if any(not _share_a_bulb(line, other) for cell in line.drawn.cells for other in visitors.get(cell, ())):
            found[line] = aside
        for cell in line.drawn.cells:
            visitors.setdefault(cell, []).append(line)
        for stretch in stretches:
            users.setdefault(stretch, []).append(line)
    return found


def _stretches(line: RuleCosmetic) -> Iterator[Stretch]:
    """Yield the two cells of each stretch of a line."""
    return (frozenset(pair) for pair in pairwise(line.drawn.cells) if pair[0] != pair[1])


def _share_a_bulb(one: RuleCosmetic, other: RuleCosmetic) -> bool:
    """Return whether two lines leave one bulb together before they part: these are drawn as one line that branches."""
    lines = one.drawn, other.drawn
    if one.name != other.name or not all(isinstance(line, Line) and line.start == "bulb" for line in lines):
        return False
    routes = [line.cells for line in lines]
    common = next((n for n, pair in enumerate(zip(*routes, strict=False)) if pair[0] != pair[1]), min(map(len, routes)))
    return common > 0 and not set(routes[0][common:]) & set(routes[1])


def _direction(stretch: Stretch, grid: Grid) -> tuple[float, float]:
    """Return the direction of a stretch: right, down, of length 1."""
    (row, column), (other, across) = sorted(grid.places[cell] for cell in stretch)
    length = hypot(other - row, across - column)
    return (across - column) / length, (other - row) / length


def _clearance(aside: Offset, ways: Sequence[tuple[tuple[float, float], Offset]]) -> float:
    """Return the least distance to the other lines, measured across any shared stretch."""
    return min(
        (abs(right * (aside[1] - other[1]) - down * (aside[0] - other[0])) for (right, down), other in ways),
        default=MIN_CLEARANCE,
    )

"""Signs between cells: dots with or without a text, marks, inequality signs. Those on one edge are placed side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Chevron, Dot, Mark
from sudoku_cp.render.geometry import Point, union
from sudoku_cp.render.ground_pieces import cell_centre, centroid
from sudoku_cp.render.pieces import LETTER_WIDTH, Piece, centred_text, circle, stroke
from sudoku_cp.render.taken_space import TakenSpace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.render.rule_cosmetics import RuleCosmetic

PAIR, FOUR = 2, 4
"""Cells around an edge and around a corner."""
SMALL, LARGE = 0.17, 0.27
"""The radius of a dot on an edge, and on a corner."""
SPARE, REACH = 0.03, 0.47
"""The space around a dot, and how far signs extend from the middle of their edge, or from their corner, to either side."""
STEPS = (0.0, 0.3, -0.3, 0.2, -0.2)
"""How far a sign may be moved along its edge to make way for those of other edges and corners."""
LETTER, ALONE = 0.24, 0.3
"""The size of letters in a dot, that of the totals of cages, and that of a single row of them on a corner."""


def is_sign(thing: RuleCosmetic) -> bool:
    """Return whether a thing is placed here: a dot in a single cell is a ring on the ground instead."""
    return isinstance(thing.drawn, Mark | Chevron) or (isinstance(thing.drawn, Dot) and len(thing.drawn.cells) > 1)


def place_signs(things: Sequence[RuleCosmetic], grid: Grid) -> Iterator[tuple[RuleCosmetic, tuple[Piece, ...]]]:
    """Yield each sign with its pieces: those of one edge or corner side by side, smaller if there are many."""
    room = TakenSpace()
    crowds: dict[frozenset[Cell], list[RuleCosmetic]] = {}
    for thing in filter(is_sign, things):
        crowds.setdefault(frozenset(thing.drawn.cells), []).append(thing)
    for thing in filter(is_sign, things):
        crowd = crowds[frozenset(thing.drawn.cells)]
        yield thing, _place_sign(thing, crowd.index(thing), len(crowd), grid, room)


def _place_sign(thing: RuleCosmetic, number: int, crowd: int, grid: Grid, room: TakenSpace) -> tuple[Piece, ...]:
    """Return the pieces of one sign of a crowd at its own spot, or at the first free spot along the edge."""
    middles = [cell_centre(grid, cell) for cell in thing.drawn.cells]
    at, (across, down) = centroid(middles), _edge_direction(middles)
    radius = SMALL if len(middles) == PAIR else LARGE
    size = min(1.0, (REACH / crowd - SPARE) / radius)
    far = (2 * number + 1 - crowd) * (radius * size + SPARE)
    asides = [(size * smaller, far + step) for step in STEPS for smaller in (1, 0.8, 0.6)]
    spots = (tuple(_draw_sign(thing, middles, at.moved(aside * across, aside * down), scale)) for scale, aside in asides)
    return room.place(spots, lambda pieces: [union(piece.box for piece in pieces)])


def _edge_direction(middles: Sequence[Point]) -> tuple[float, float]:
    """Return the direction in which signs are lined up: along the edge of two cells, else to the right."""
    if len(middles) != PAIR:
        return 1, 0
    return abs(middles[0].y - middles[1].y), abs(middles[1].x - middles[0].x)


def _draw_sign(thing: RuleCosmetic, middles: Sequence[Point], at: Point, scale: float) -> Iterator[Piece]:
    match thing.drawn:
        case Dot() as dot:
            yield from _draw_dot(dot, at, scale)
        case Mark(_, text, colour):
            yield centred_text(at, text, scale * (0.34 if len(middles) < FOUR else 0.26), colour, halo=True)
        case Chevron():
            yield from _draw_chevron(at, middles, scale)


def _draw_dot(thing: Dot, at: Point, scale: float) -> Iterator[Piece]:
    radius = scale * (SMALL if len(thing.cells) == PAIR else LARGE)
    yield circle(at, radius, thing.colour if thing.filled else "#FFFFFF", thing.colour, 0.03)
    words = thing.text.split()
    rows = [" ".join(words)] if len(words) <= PAIR else [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
    letter = scale * (ALONE if len(rows) == 1 and len(thing.cells) == FOUR else LETTER)
    size = min(letter, *(1.8 * radius / (LETTER_WIDTH * max(1, len(row))) for row in rows))
    for line, text in enumerate(row for row in rows if row):
        down = scale * (line - (len(rows) - 1) / 2) * 0.2
        yield centred_text(at.moved(0, down), text, size, "#FFFFFF" if thing.filled else "#000000")


def _draw_chevron(at: Point, middles: Sequence[Point], scale: float) -> Iterator[Piece]:
    larger, smaller = middles
    across, down = (scale * far / 14 for far in (smaller.x - larger.x, smaller.y - larger.y))
    tip, back = at.moved(across, down), at.moved(-across, -down)
    sides = [back.moved(2 * down, -2 * across), tip, back.moved(-2 * down, 2 * across)]
    yield stroke(sides, "#FFFFFF", 0.13 * scale)  # the line it lies on may be as black and as thick
    yield stroke(sides, "#000000", 0.045)

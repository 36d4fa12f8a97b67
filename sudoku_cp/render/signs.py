"""Signs between cells: dots with or without a text, marks, inequality signs. Two on the same edge stand side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Chevron, Dot, Mark
from sudoku_cp.render.pieces import WIDE, Piece, Point, circle, stroke, text, union
from sudoku_cp.render.shapes import centre, middle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Grid
    from sudoku_cp.render.room import Room
    from sudoku_cp.render.things import Thing

PAIR, FOUR = 2, 4
"""Cells around an edge and around a corner."""
SMALL, LARGE = 0.17, 0.27
"""The radius of a dot on an edge, and on a corner."""
LETTER, ALONE = 0.24, 0.3
"""The size of letters in a dot, that of the totals of cages, and that of a single row of them on a corner."""


def is_sign(thing: Thing) -> bool:
    """Say whether a thing is placed here: a dot in a single cell is a ring on the ground instead."""
    return isinstance(thing.drawn, Mark | Chevron) or (isinstance(thing.drawn, Dot) and len(thing.drawn.cells) > 1)


def sign(thing: Thing, grid: Grid, room: Room) -> tuple[Piece, ...]:
    """Return the pieces of a sign at the first spot along its edge or around its corner that no other sign has."""
    middles = [middle(grid, cell) for cell in thing.drawn.cells]
    at = centre(middles)
    spots = (tuple(_drawn(thing, middles, at.moved(*by))) for by in _asides(middles))
    return room.place(spots, lambda pieces: [union(piece.box for piece in pieces)])


def _asides(middles: Sequence[Point]) -> Iterator[tuple[float, float]]:
    """Yield how far a sign may be moved, not at all first: along an edge, or to a side of a corner."""
    yield 0, 0
    if len(middles) == PAIR:
        across, down = middles[1].x - middles[0].x, middles[1].y - middles[0].y
        for far in (0.3, -0.3, 0.2, -0.2):
            yield -far * down, far * across
    elif len(middles) == FOUR:
        far = 2 * LARGE + 0.02
        yield from ((far, 0), (-far, 0), (0, far), (0, -far))


def _drawn(thing: Thing, middles: Sequence[Point], at: Point) -> Iterator[Piece]:
    match thing.drawn:
        case Dot() as dot:
            yield from _dot(dot, at)
        case Mark(_, said, colour):
            yield text(at, said, 0.34 if len(middles) < FOUR else 0.26, colour, halo=True)
        case Chevron():
            yield from _chevron(at, *middles)


def _dot(thing: Dot, at: Point) -> Iterator[Piece]:
    radius = SMALL if len(thing.cells) == PAIR else LARGE
    yield circle(at, radius, thing.colour if thing.filled else "#FFFFFF", thing.colour, 0.03)
    words = thing.text.split()
    rows = [" ".join(words)] if len(words) <= PAIR else [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
    letter = ALONE if len(rows) == 1 and len(thing.cells) == FOUR else LETTER
    size = min(letter, *(1.8 * radius / (WIDE * max(1, len(row))) for row in rows))
    for line, said in enumerate(row for row in rows if row):
        yield text(at.moved(0, (line - (len(rows) - 1) / 2) * 0.2), said, size, "#FFFFFF" if thing.filled else "#000000")


def _chevron(at: Point, larger: Point, smaller: Point) -> Iterator[Piece]:
    across, down = (far / 14 for far in (smaller.x - larger.x, smaller.y - larger.y))
    tip, back = at.moved(across, down), at.moved(-across, -down)
    sides = [back.moved(2.2 * down, -2.2 * across), tip, back.moved(-2.2 * down, 2.2 * across)]
    yield stroke(sides, "#FFFFFF", 0.13)  # the line it lies on may be as black and as thick
    yield stroke(sides, "#000000", 0.045)

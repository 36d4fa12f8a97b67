"""Clues outside the grid: where they are placed, and how kinds are distinguished."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp.cosmetics import Clue
from sudoku_cp.render.geometry import Box, Point, box_around
from sudoku_cp.render.pieces import Piece, arrow_head, centred_text, circle, polygon, stroke
from sudoku_cp.render.taken_space import TakenSpace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Grid, Place
    from sudoku_cp.render.rule_cosmetics import RuleCosmetic

CLUE_SIZE = 0.8
"""The side of the box of a clue outside the grid, in cells."""
WIDEST = 1.2
"""How many letters of one cell's size fit side by side there."""

Ring: TypeAlias = Literal["none", "box", "circle", "hexagon", "slanted", "house", "double"]
"""The shape around a clue."""
ClueStyle: TypeAlias = tuple[Ring, str, str]
"""The shape around a clue, its colour and the colour of its ground."""

PLAIN_STYLE: ClueStyle = ("none", "#000000", "none")
RINGS: tuple[ClueStyle, ...] = (
    ("box", "#0B5394", "#E3EEFA"),
    ("circle", "#B35C00", "#FFF1DC"),
    ("hexagon", "#1B7F3B", "#E4F5E6"),
    ("slanted", "#8E2A8B", "#F8E6F7"),
    ("house", "#A61C1C", "#FCE8E6"),
    ("double", "#444444", "#FFFFFF"),
)
"""The styles of kinds of clues if a picture has several; they differ even without colours."""

_CORNERS: Mapping[Ring, tuple[tuple[float, float], ...]] = MappingProxyType(
    {
        "box": ((-0.33, -0.25), (0.33, -0.25), (0.33, 0.25), (-0.33, 0.25)),
        "double": ((-0.35, -0.28), (0.35, -0.28), (0.35, 0.28), (-0.35, 0.28)),
        "hexagon": ((-0.38, 0), (-0.25, -0.26), (0.25, -0.26), (0.38, 0), (0.25, 0.26), (-0.25, 0.26)),
        "slanted": ((-0.24, -0.25), (0.4, -0.25), (0.24, 0.25), (-0.4, 0.25)),
        "house": ((-0.31, -0.18), (0, -0.38), (0.31, -0.18), (0.31, 0.25), (-0.31, 0.25)),
    }
)


@dataclass(frozen=True)
class PlacedClue:
    """A clue, its kind (``name``), its position, the direction it looks in (rows down, columns right) and whether it is faint."""

    clue: Clue
    name: str
    owner: int
    at: Point
    look: Place
    faint: bool = False

    @property
    def aslant(self) -> bool:
        """Whether it looks along a diagonal, and so has an arrow."""
        return all(self.look)

    @property
    def box(self) -> Box:
        """Its box, with the ring that may be around it."""
        return box_around([self.at], CLUE_SIZE / 2)


ARROWS: Mapping[Place, str] = MappingProxyType(
    {(-1, -1): "↖", (-1, 0): "↑", (-1, 1): "↗", (0, -1): "←", (0, 1): "→", (1, -1): "↙", (1, 0): "↓", (1, 1): "↘"}
)
"""The arrow of a clue placed inside its first cell, by direction."""
MAX_STEPS = 6
"""The most steps a clue is moved outwards to make way for others."""


def place_clues(things: Iterable[RuleCosmetic], grid: Grid) -> tuple[list[PlacedClue], list[RuleCosmetic]]:
    """Return the clues placed outside, and the things whose clues find no room there because cells are in the way.

    A clue is placed before its cells, farther out if the spot is taken; diagonal ones come first.
    """
    clues = [(thing, thing.drawn) for thing in things if isinstance(thing.drawn, Clue) and thing.drawn.text]
    room, found, inner = TakenSpace(), [], []
    for thing, clue in sorted(clues, key=lambda one: not all(clue_direction(one[1], grid))):
        row, column = grid.places[clue.cells[0]]
        down, right = clue_direction(clue, grid)
        steps = (0.5 + 0.55 * CLUE_SIZE + CLUE_SIZE * number for number in range(MAX_STEPS))
        points = (Point(column + 0.5 - right * far, row + 0.5 - down * far) for far in steps)
        name = clue.name or thing.name
        outside = (at for at in points if not _on_a_cell(at, grid))
        spots = (PlacedClue(clue, name, thing.owner, at, (down, right), thing.faint) for at in outside)
        free = next((spot for spot in spots if not room.overlap(spot.box)), None)
        if free is None or _on_a_cell(Point(column + 0.5 - right, row + 0.5 - down), grid):
            inner.append(thing)
            continue
        room.take(free.box)
        found.append(free)
    return found, inner


def _on_a_cell(at: Point, grid: Grid) -> bool:
    return (int(at.y // 1), int(at.x // 1)) in grid.cell_at


def clue_direction(clue: Clue, grid: Grid) -> Place:
    """Return the step from the first cell to the second; a clue on one cell looks to the right."""
    places = [grid.places[cell] for cell in clue.cells[:2]]
    if len(places) == 1:
        return 0, 1
    (row, column), (below, right) = places
    return max(-1, min(1, below - row)), max(-1, min(1, right - column))


def clue_styles(clues: Sequence[PlacedClue]) -> dict[str, ClueStyle]:
    """Return the style of each kind of clue: plain if there is one kind only, and for one kind that arrows already mark."""
    straight = {one.name for one in clues if not one.aslant}
    names = sorted({one.name for one in clues}, key=lambda name: (name in straight, name))
    plain = [names.pop(0)] if len(names) == 1 or (names and names[0] not in straight) else []
    return dict.fromkeys(plain, PLAIN_STYLE) | {name: RINGS[number % len(RINGS)] for number, name in enumerate(names)}


def draw_clue(at: Point, text: str, look: Place, style: ClueStyle) -> Iterator[Piece]:
    """Yield a clue, with the ring of its style, and an arrow if it is diagonal."""
    if style == PLAIN_STYLE:
        yield centred_text(at, text, min(0.4, WIDEST / len(text)))
    else:
        yield from _draw_ring(at, style)
        yield centred_text(at, text, min(0.34, 0.9 * WIDEST / len(text)))
    if all(look):
        yield from _draw_arrow(at, look, style)


def _draw_ring(at: Point, style: ClueStyle) -> Iterator[Piece]:
    """Yield the ring around a clue."""
    ring, colour, ground = style
    if ring == "circle":
        yield circle(at, 0.33, ground, colour)
        return
    for far in (1.0, 0.82) if ring == "double" else (1.0,):
        yield polygon([Point(at.x + far * x, at.y + far * y) for x, y in _CORNERS[ring]], ground, colour, 0.04)


def _draw_arrow(at: Point, look: Place, style: ClueStyle) -> Iterator[Piece]:
    """Yield the arrow of a diagonal clue."""
    tail, tip = (Point(at.x + look[1] * far, at.y + look[0] * far) for far in (0.22 if style == PLAIN_STYLE else 0.27, 0.4))
    yield stroke([tail, tip], "#000000", 0.04)
    yield arrow_head(tip, tail, "#000000", 0.12)

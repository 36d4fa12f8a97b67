"""Clues outside the grid: where they stand, how kinds are told apart, and the legend that says which is which."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp.render.shapes import Element, Point, arrow_head, circle, label, polygon, stroke, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import Clue
    from sudoku_cp.grid import Grid, Place

ROOM = 0.8
"""Cells that a clue outside the grid takes."""

Ring: TypeAlias = Literal["none", "box", "circle", "hexagon", "slanted", "house", "double"]
"""What stands around a clue."""
Style: TypeAlias = tuple[Ring, str, str]
"""What stands around a clue, its colour and the colour of its ground."""

PLAIN: Style = ("none", "#000000", "none")
RINGS: tuple[Style, ...] = (
    ("box", "#0B5394", "#E3EEFA"),
    ("circle", "#B35C00", "#FFF1DC"),
    ("hexagon", "#1B7F3B", "#E4F5E6"),
    ("slanted", "#8E2A8B", "#F8E6F7"),
    ("house", "#A61C1C", "#FCE8E6"),
    ("double", "#444444", "#FFFFFF"),
)
"""How kinds of clues look where a picture has several; every one differs from the others without colours too."""

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
class Placed:
    """A clue, the point it stands at and the way it looks, (rows down, columns right)."""

    clue: Clue
    at: Point
    look: Place

    @property
    def aslant(self) -> bool:
        """Whether it looks along a diagonal, and so has an arrow."""
        return all(self.look)


def placed(clues: Iterable[Clue], grid: Grid) -> list[Placed]:
    """Return where each clue stands: before its cells, farther out where another stands already; aslant ones come first."""
    looks = {clue: _look(clue, grid) for clue in clues}
    found: list[Placed] = []
    for clue in sorted(looks, key=lambda clue: not all(looks[clue])):
        row, column = grid.places[clue.cells[0]]
        look, far = looks[clue], 0.5 + 0.55 * ROOM
        at = Point(column + 0.5 - look[1] * far, row + 0.5 - look[0] * far)
        while any(hypot(at.x - other.at.x, at.y - other.at.y) < ROOM / 2 for other in found):
            at = Point(at.x - look[1] * ROOM, at.y - look[0] * ROOM)
        found.append(Placed(clue, at, look))
    return found


def _look(clue: Clue, grid: Grid) -> Place:
    """Return the step from the first cell to the second; a clue on one cell looks to the right."""
    places = [grid.places[cell] for cell in clue.cells[:2]]
    if len(places) == 1:
        return 0, 1
    (row, column), (below, right) = places
    return max(-1, min(1, below - row)), max(-1, min(1, right - column))


def styles(clues: Sequence[Placed]) -> dict[str, Style]:
    """Return the look of each kind of clue: plain where there is one kind only, and for one kind that arrows tell already."""
    straight = {one.clue.name for one in clues if not one.aslant}
    names = sorted({one.clue.name for one in clues}, key=lambda name: (name in straight, name))
    plain = [names.pop(0)] if len(names) == 1 or (names and names[0] not in straight) else []
    return dict.fromkeys(plain, PLAIN) | {name: RINGS[number % len(RINGS)] for number, name in enumerate(names)}


def drawn(one: Placed, style: Style) -> Iterator[Element]:
    """Yield a clue, with an arrow if it is aslant."""
    yield from _said(one.at, one.clue.text, style)
    if one.aslant:
        yield from _pointer(one.at, one.look, style)


def _ring(at: Point, style: Style) -> Iterator[Element]:
    """Yield what stands around a clue."""
    ring, colour, ground = style
    if ring == "circle":
        yield circle(at, 0.33, ground, colour)
        return
    for far in (1.0, 0.82) if ring == "double" else (1.0,):
        yield polygon([Point(at.x + far * x, at.y + far * y) for x, y in _CORNERS[ring]], ground, colour, 0.04)


def _pointer(at: Point, look: Place, style: Style) -> Iterator[Element]:
    """Yield the arrow of a clue aslant."""
    tail, tip = (Point(at.x + look[1] * far, at.y + look[0] * far) for far in (0.22 if style == PLAIN else 0.27, 0.4))
    yield stroke([tail, tip], "#000000", 0.04)
    yield arrow_head(tip, tail, "#000000", 0.12)


def _said(at: Point, said: str, style: Style) -> Iterator[Element]:
    """Yield a text with what its style has around it."""
    if style == PLAIN:
        yield text(at, said, 0.4)
        return
    yield from _ring(at, style)
    yield text(at, said, min(0.34, 0.8 / max(1, len(said))))


# --- the legend -------------------------------------------------------------------------------------------------

LINE = 0.9
"""Cells from one line of the legend to the next."""
LETTER, WIDE = 0.3, 0.185
"""The size of its letters, and the width that each is given."""


@dataclass(frozen=True)
class Entry:
    """One kind of clue in the legend: its name and how it looks, from a point at its left."""

    name: str
    style: Style
    aslant: bool
    at: Point

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.at.x + ROOM + WIDE * len(self.name) + 0.2


def legend(clues: Sequence[Placed], looks: Mapping[str, Style], left: float, top: float, right: float) -> list[Entry]:
    """Return an entry for each kind of clue below ``top``, as many on a line as go; none where there is one kind only."""
    found: list[Entry] = []
    at = Point(left, top + 0.1 + LINE / 2)
    aslant = {name for name in looks if all(one.aslant for one in clues if one.clue.name == name)}
    for name, style in looks.items() if len(looks) > 1 else ():
        entry = Entry(name, style, name in aslant, at)
        if entry.right > right and at.x > left:
            entry = Entry(name, style, name in aslant, Point(left, at.y + LINE))
        found.append(entry)
        at = Point(entry.right, entry.at.y)
    return found


def told(entry: Entry) -> Iterator[Element]:
    """Yield one entry of a legend: how the clue looks, with "n" for its number, and its name."""
    middle = Point(entry.at.x + ROOM / 2, entry.at.y)
    yield from _said(middle, "n", entry.style)
    if entry.aslant:
        yield from _pointer(middle, (1, 1), entry.style)
    yield label(Point(entry.at.x + ROOM + 0.1, entry.at.y), entry.name, LETTER)

"""Small labels in cells: which there are, and where they keep clear of all other letters.

They are totals of cages and lines, letters of groups, signs of notes, and clues that have no room outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, product
from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from sudoku_cp.cosmetics import Cage, Clue, Dot, Line, Note, Shade
from sudoku_cp.render.colours import readable_ink
from sudoku_cp.render.geometry import (
    DIGIT_HEIGHT,
    LETTER_WIDTH,
    Box,
    Piece,
    Point,
    arrow_head,
    box_around,
    centred_text,
    circle,
    left_text,
    polygon,
    rectangle,
    stroke,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Grid, Place
    from sudoku_cp.render.ground_pieces import RuleCosmetic


LETTER = 0.24
"""The size of label letters, in cells."""
SIZES = (LETTER, 0.2, 0.17, 0.14)
"""Smaller ones are for crowded cells and long texts."""
PAD, EDGE = 0.025, 0.04
"""The ground around the letters, and its distance from the cell's edge."""
MAX_TRIED_CELLS = 12
"""The most cells of a thing that are tried for a spot."""
STRIP = EDGE + 2 * PAD + DIGIT_HEIGHT * LETTER
"""The height of the strip at the top of a cell that labels take."""


@dataclass(frozen=True)
class CellLabel:
    """A text that belongs in one of ``places``, preferably the first; in a colour, on a ground."""

    text: str
    places: tuple[Place, ...]
    colour: str = "#000000"
    ground: str = "#FFFFFF"


# --- which labels a picture has -------------------------------------------------------------------------------


def cell_labels(
    things: Sequence[RuleCosmetic], inner: Collection[RuleCosmetic], grid: Grid
) -> list[tuple[RuleCosmetic, CellLabel]]:
    """Return the label of each thing that has one; those with a single possible cell come first."""
    letters = {**_group_letters(things), **_note_signs(things)}
    found = [(thing, one) for thing in things for one in _labels_for(thing, letters.get(thing, ""), inner, grid)]
    return sorted(found, key=lambda one: len(one[1].places) > 1)


def note_texts(things: Sequence[RuleCosmetic]) -> list[tuple[str, str]]:
    """Return the sign and the text of each note, equal ones once."""
    signs = _note_signs(things)
    return [*dict.fromkeys((signs[thing], thing.drawn.text) for thing in things if isinstance(thing.drawn, Note))]


def _labels_for(thing: RuleCosmetic, letter: str, inner: Collection[RuleCosmetic], grid: Grid) -> Iterator[CellLabel]:
    places = tuple(grid.places[cell] for cell in thing.drawn.cells)
    match thing.drawn:
        case Cage(_, text, colour) if text:
            yield CellLabel(text, tuple(sorted(set(places))), readable_ink(colour))
        case Line(_, colour) as line if line.text:
            yield CellLabel(line.text, places, ground=colour)
        case Dot((_,), text) if text:
            yield CellLabel(text, places)
        case Clue(_, text) as clue if thing in inner:
            yield CellLabel(f"{text}{ARROWS[clue_direction(clue, grid)]}", places[:1])
        case Shade(_, colour) if letter:
            yield CellLabel(letter, tuple(sorted(set(places))), ground=colour)
        case Note() if letter and places:
            yield CellLabel(letter, places)


def _group_letters(things: Sequence[RuleCosmetic]) -> Mapping[RuleCosmetic, str]:
    """Return a letter for each group of a rule that has several, where another rule of that kind has several too."""
    groups: dict[tuple[str, int], list[RuleCosmetic]] = {}
    for thing in things:
        if isinstance(thing.drawn, Shade) and thing.drawn.group:
            groups.setdefault((thing.name, thing.owner), []).append(thing)
    several = {key: found for key, found in groups.items() if len(found) > 1}
    names = [name for name, _ in several]
    lettered = [key for key in several if names.count(key[0]) > 1]
    return {thing: _letter(number) for number, key in enumerate(lettered) for thing in several[key]}


def _note_signs(things: Sequence[RuleCosmetic]) -> Mapping[RuleCosmetic, str]:
    """Return the sign of each note, with a letter if one sign stands for several texts."""
    notes = [(thing, thing.drawn) for thing in things if isinstance(thing.drawn, Note)]
    texts: dict[str, list[str]] = {}
    for _, note in notes:
        known = texts.setdefault(note.sign, [])
        known += [note.text] * (note.text not in known)
    return {
        thing: note.sign + (_letter(texts[note.sign].index(note.text)) if note.sign and len(texts[note.sign]) > 1 else "")
        for thing, note in notes
    }


def _letter(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ..."""
    before, last = divmod(number, len(ascii_lowercase))
    return (_letter(before - 1) if before else "") + ascii_lowercase[last]


# --- where they are placed ------------------------------------------------------------------------------------


def place_label(one: CellLabel, room: TakenSpace, others: Sequence[Place]) -> tuple[tuple[Piece, ...], Place]:
    """Return the pieces of a label at the first free spot, and its place; places that ``others`` use come last."""
    spots = chain(_spots(one, {*others}), _spot_in_gap(one, room))
    size, box, place = room.place(spots, lambda spot: spot[1:2])
    pad = (box.bottom - box.top - DIGIT_HEIGHT * size) / 2
    words = left_text(Point(box.left + pad, (box.top + box.bottom) / 2), one.text, size, one.colour)
    return (rectangle(box, one.ground), words), place


def _spots(one: CellLabel, others: set[Place]) -> Iterator[tuple[float, Box, Place]]:
    """Yield the spots for a label, best first: the top left of its first place, elsewhere in it, then its other places."""
    places = one.places[:MAX_TRIED_CELLS]
    alone = [place for place in places if place not in others]
    for size in _sizes(one.text):
        width, height = _extent(one.text, size)
        for place in (*alone, *(place for place in places if place in others)):
            for left, top in _corners(width, height):
                at = Point(place[1] + left, place[0] + top)
                yield size, Box(at.x, at.y, at.x + width, at.y + height), place


def _spot_in_gap(one: CellLabel, room: TakenSpace) -> Iterator[tuple[float, Box, Place]]:
    """Yield a spot for a label that finds none elsewhere: the gap in which it has to be shrunk least."""
    size = _sizes(one.text)[-1]
    width, height = _extent(one.text, size)

    def scale(gap: Box) -> float:
        return min(1, (gap.right - gap.left) / width, (gap.bottom - gap.top) / height)

    found = (
        (gap, (row, column))
        for row, column in one.places
        for gap in room.gaps(Box(column, row, column + 1, row + 1).grown(-EDGE))
    )
    if best := max(found, key=lambda spot: scale(spot[0]), default=None):
        gap, place = best
        least = scale(gap)
        yield size * least, Box(gap.left, gap.top, gap.left + width * least, gap.top + height * least), place


def _sizes(text: str) -> Sequence[float]:
    """Return the sizes of letters in which a text fits into a cell, largest first."""
    widest = (1 - 2 * EDGE - 2 * PAD) / (LETTER_WIDTH * len(text))
    return [size for size in SIZES if size <= widest] or [widest]


def _extent(text: str, size: float) -> tuple[float, float]:
    """Return the width and height of a label, with the ground around its letters."""
    return LETTER_WIDTH * size * len(text) + 2 * PAD, DIGIT_HEIGHT * size + 2 * PAD


def _corners(width: float, height: float) -> Iterator[tuple[float, float]]:
    """Yield the positions of a label's top left corner in a cell: along its top, its left and right side, its bottom."""
    low, right = 1 - EDGE - height, 1 - EDGE - width
    across = [EDGE + step * 0.06 for step in range(1 + int((right - EDGE + 1e-9) / 0.06))]
    down = [EDGE + step * 0.06 for step in range(1, 1 + int((low - EDGE) / 0.06))]
    yield from ((left, EDGE) for left in (*across, right))
    yield from ((left, top) for left in (EDGE, right) for top in down)
    yield from ((left, low) for left in (*across, right))


# Clues outside the grid: where they are placed, and how kinds are distinguished.


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


# Space that is taken: each text gets the first of its possible spots that is free, or a gap where none of them is.


S = TypeVar("S")

_MARGIN = 0.01
"""The space around what is placed in a gap, so that nothing touches."""


class TakenSpace:
    """The boxes that are taken, indexed by the cells they touch."""

    def __init__(self, taken: Iterable[Box] = ()) -> None:
        """Start with some boxes taken."""
        self._boxes: dict[Place, list[Box]] = {}
        for box in taken:
            self.take(box)

    def take(self, box: Box) -> None:
        """Mark a box as taken."""
        for place in _places(box):
            self._boxes.setdefault(place, []).append(box)

    def overlap(self, box: Box) -> float:
        """Return the area of a box that is taken."""
        return sum(box.shared(other) for place in _places(box) for other in self._boxes.get(place, ()))

    def place(self, spots: Iterable[S], boxes_of: Callable[[S], Sequence[Box]]) -> S:
        """Take the first spot whose boxes are free, or else the one with the least area taken, and return it."""
        best, least = None, float("inf")
        for spot in spots:
            taken = sum(map(self.overlap, boxes_of(spot)))
            if taken < least:
                best, least = spot, taken
            if not taken:
                break
        if best is None:
            raise ValueError("expected a spot to choose from, got none")
        for box in boxes_of(best):
            self.take(box)
        return best

    def gaps(self, area: Box) -> Iterator[Box]:
        """Yield free boxes in an area, every one that cannot be larger among them.

        Such a box reaches from side to side of what is taken: for each left and right edge that bounds it, it is what is left
        between the taken boxes that lie one below the other there.
        """
        near = {box.grown(_MARGIN) for place in _places(area) for box in self._boxes.get(place, ()) if box.meets(area)}
        lefts = sorted({area.left, *(box.right for box in near)})
        rights = sorted({area.right, *(box.left for box in near)})
        for left, right in product(lefts, rights):
            if area.left <= left < right <= area.right:
                top = area.top
                for box in sorted((box for box in near if box.left < right and left < box.right), key=lambda box: box.top):
                    if top < box.top:
                        yield Box(left, top, right, box.top)
                    top = max(top, box.bottom)
                if top < area.bottom:
                    yield Box(left, top, right, area.bottom)


def _places(box: Box) -> list[Place]:
    """Return the places that a box overlaps or touches."""
    return [
        (row, column)
        for row in range(int(box.top // 1), int(box.bottom // 1) + 1)
        for column in range(int(box.left // 1), int(box.right // 1) + 1)
    ]

"""The few things that can be drawn on a grid. A rule returns some of them; renderers know these and no rules.

Cells are cells of the grid; colours are ``#RRGGBB``, by default those that setters are used to; sizes are in cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias, assert_never

from sudoku_cp.arguments import CheckedFields
from sudoku_cp.errors import InvalidInput, Problem
from sudoku_cp.grid import MAX_SIDE, MAX_START, Cell

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid

End: TypeAlias = Literal["plain", "bulb", "circle", "diamond"]
"""What is drawn at an end of a line: nothing, a filled circle in its colour, an open circle, an open diamond."""
RING = "#A1A1A1"
"""The colour of circles in one cell, and of the arrows that come from them."""
Shape: TypeAlias = Literal["cell", "circle", "square", "diamond"]


@dataclass(frozen=True)
class Line:
    """A line through the centres of ``cells``, in their order; it extends ``beyond`` cells past either end.

    A ``text``, such as a total, is written in a corner of its first cell.
    """

    cells: tuple[Cell, ...]
    colour: str = "#CFCFCF"
    width: float = 0.25
    start: End = "plain"
    end: End = "plain"
    beyond: float = 0.0
    text: str = ""


@dataclass(frozen=True)
class DrawnArrow:
    """A thin line from the first of ``cells`` that ends in an arrow head at the last.

    It begins at the edge of its bulb: of the circle in its first cell, or of the pill around ``bulb``.
    """

    cells: tuple[Cell, ...]
    colour: str = RING
    bulb: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Cage:
    """A dashed outline around ``cells``, with a text in its top-left corner."""

    cells: tuple[Cell, ...]
    text: str = ""
    colour: str = "#000000"


@dataclass(frozen=True)
class Pill:
    """An open outline around ``cells`` as one long pill, as of the bulb of an arrow that is read as a number."""

    cells: tuple[Cell, ...]
    colour: str = RING


@dataclass(frozen=True)
class Dot:
    """A circle in one cell, on the edge of two or on the corner of four, with a text in it."""

    cells: tuple[Cell, ...]
    text: str = ""
    filled: bool = False
    colour: str = "#000000"


@dataclass(frozen=True)
class Mark:
    """A text without a circle: in the middle of one cell, on the edge of two or on the corner of four."""

    cells: tuple[Cell, ...]
    text: str
    colour: str = "#000000"


@dataclass(frozen=True)
class Chevron:
    """An inequality sign on the edge of two cells: it points to the second of them, the smaller one."""

    cells: tuple[Cell, Cell]


@dataclass(frozen=True)
class Clue:
    """A text outside the grid, before the first of ``cells``; the clue looks along them (with an arrow if diagonal).

    ``name`` is the kind of clue: a picture with several kinds draws each in its own style.
    """

    cells: tuple[Cell, ...]
    text: str
    name: str = ""


@dataclass(frozen=True)
class Shade:
    """A coloured background, over the whole of each cell or as a shape in it.

    The cells of a ``group`` belong together: groups of another rule, or of another colour, are drawn apart from it.
    """

    cells: tuple[Cell, ...]
    colour: str = "#D8D8D8"
    shape: Shape = "cell"
    group: bool = False


@dataclass(frozen=True)
class Note:
    """A text for the legend about ``cells``, after a sign that is also drawn in the first of them."""

    cells: tuple[Cell, ...]
    text: str
    sign: str = ""


@dataclass(frozen=True)
class NestedDrawing:
    """A ``thing`` drawn by a rule inside another, with the kind of the inner rule; ``faint`` if that need not hold."""

    thing: Cosmetic
    name: str
    faint: bool = False

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the thing."""
        return self.thing.cells


# --- what is drawn on the candidates of a position --------------------------------------------------------------

Candidate: TypeAlias = "tuple[Cell, int]"
"""A value that a cell may hold: its pencil mark."""
MarkShape: TypeAlias = Literal["circle", "square", "diamond", "hexagon", "filled", "struck"]
"""How a candidate is marked: a pale shape with an edge, a filled circle with a white digit, or struck out."""


@dataclass(frozen=True)
class CandidateMark:
    """A shape around a candidate, or a stroke through it. Whatever means something else has another shape, not only a colour."""

    candidate: Candidate
    shape: MarkShape
    colour: str


@dataclass(frozen=True)
class CandidateLink:
    """A curve between two candidates, or two groups of them, whose members are drawn as belonging together."""

    starts: tuple[Candidate, ...]
    ends: tuple[Candidate, ...]
    colour: str = "#333333"
    dashed: bool = False


@dataclass(frozen=True)
class CellGround:
    """A coloured or hatched ground of some cells."""

    cells: tuple[Cell, ...]
    colour: str
    hatched: bool = False


@dataclass(frozen=True)
class Annotation:
    """What a picture of a position adds to its puzzle. The ``key`` explains marks below the picture, each with a text.

    A mark on a candidate that is no pencil mark of the position adds it, if its cell is open.
    """

    marks: tuple[CandidateMark, ...] = ()
    links: tuple[CandidateLink, ...] = ()
    grounds: tuple[CellGround, ...] = ()
    key: tuple[tuple[CandidateMark, str], ...] = ()


Drawable: TypeAlias = Line | DrawnArrow | Cage | Pill | Dot | Mark | Chevron | Clue | Shade
Cosmetic: TypeAlias = Drawable | Note | NestedDrawing


def unconditional_drawables(things: Iterable[Cosmetic]) -> Iterator[Drawable]:
    """Yield the things that certainly hold, unwrapped, for tools that draw nothing faintly and have no legend."""
    for thing in things:
        if isinstance(thing, NestedDrawing):
            yield from () if thing.faint else unconditional_drawables([thing.thing])
        elif not isinstance(thing, Note):
            yield thing


# --- what a source draws apart from its rules -----------------------------------------------------------------------
#
# A puzzle keeps these as they are: they mean nothing to it, whatever words about them its source has. A point is a row and a
# column in cells from the top left corner of the plane, so that the middle of the first cell is (0.5, 0.5).

DrawnPoint: TypeAlias = tuple[float, float]
"""Down, right."""
DrawnForm: TypeAlias = Literal["rectangle", "ellipse", "pill"]

MOST_DRAWINGS, MOST_POINTS, MOST_LETTERS = 2_000, 20_000, 200
"""The most drawings of a puzzle, the most points and cells of them all, and the longest text of one."""
REACH = 10
"""How far from its boards a puzzle may have points of drawings, in cells."""
_FARTHEST = MAX_START + MAX_SIDE + REACH
_LARGEST, _FULL_TURN = 50, 360
_COLOUR = re.compile("#[0-9A-Fa-f]{6}")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character: no file can have it."""


def _colour_problems(**colours: str) -> Iterator[str]:
    for name, colour in colours.items():
        if not _COLOUR.fullmatch(colour):
            yield f"expected a {name} such as '#CFCFCF', got {colour!r:.40}"


def _size_problems(least: float, most: float, **sizes: float) -> Iterator[str]:
    for name, size in sizes.items():
        if not least <= size <= most:  # true of NaN, too
            yield f"expected the {name} from {least} to {most}, got {size!r:.40}"


def _point_problems(points: Iterable[DrawnPoint]) -> Iterator[str]:
    for point in points:
        if not all(-REACH <= number <= _FARTHEST for number in point):
            yield f"expected a row and a column from {-REACH} to {_FARTHEST}, got {point!r:.60}"


def _text_problems(text: str) -> Iterator[str]:
    if len(text) > MOST_LETTERS:
        yield f"expected a text of at most {MOST_LETTERS} characters, got {len(text)}"
    elif LONE_SURROGATE.search(text):
        yield f"expected a text of characters that UTF-8 has, got {text!r:.40}"


@dataclass(frozen=True)
class _Drawing(CheckedFields):
    """What all drawings share: they are checked when they are made."""

    kind: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn."""
        super().__post_init__()
        if problems := list(self.problems()):
            raise InvalidInput(f"{self.kind}: {problem}" for problem in problems[:_MOST_LISTED])

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the fields."""
        yield from ()


_MOST_LISTED = 10


@dataclass(frozen=True)
class DrawnLine(_Drawing):
    """A line from point to point, with a head at the last if ``head`` is its length; a ``fill`` fills what it encloses."""

    kind: ClassVar[str] = "line"
    points: tuple[DrawnPoint, ...]
    colour: str = "#CFCFCF"
    width: float = 0.25
    fill: str = ""
    head: float = 0.0
    over: bool = False

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the fields."""
        if not 1 <= len(self.points) <= MOST_POINTS:
            yield f"expected 1 to {MOST_POINTS} points, got {len(self.points)}"
        yield from _point_problems(self.points)
        yield from _colour_problems(colour=self.colour, **{"fill": self.fill} if self.fill else {})
        yield from _size_problems(0, _LARGEST, width=self.width, head=self.head)


@dataclass(frozen=True)
class DrawnShape(_Drawing):
    """A shape around a point, turned clockwise by an ``angle`` in degrees. Its ``fill`` or its edge's ``colour`` may be ""."""

    kind: ClassVar[str] = "shape"
    at: DrawnPoint
    shape: DrawnForm = "rectangle"
    width: float = 1.0
    height: float = 1.0
    fill: str = ""
    colour: str = ""
    angle: float = 0.0
    over: bool = False

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the fields."""
        yield from _point_problems([self.at])
        if not self.fill and not self.colour:
            yield "expected a fill or a colour, got neither"
        yield from _colour_problems(**{name: one for name, one in (("fill", self.fill), ("colour", self.colour)) if one})
        yield from _size_problems(0, _LARGEST, width=self.width, height=self.height)
        yield from _size_problems(-_FULL_TURN, _FULL_TURN, angle=self.angle)


@dataclass(frozen=True)
class DrawnText(_Drawing):
    """A line of text with its middle at a point, its letters of a ``size`` in cells, turned clockwise by an ``angle``."""

    kind: ClassVar[str] = "text"
    at: DrawnPoint
    text: str
    size: float = 0.5
    colour: str = "#000000"
    angle: float = 0.0
    over: bool = True

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the fields."""
        yield from _point_problems([self.at])
        if not self.text.strip():
            yield f"expected a text, got {self.text!r:.40}"
        yield from _text_problems(self.text)
        yield from _colour_problems(colour=self.colour)
        yield from _size_problems(0, _LARGEST, size=self.size)
        yield from _size_problems(-_FULL_TURN, _FULL_TURN, angle=self.angle)


@dataclass(frozen=True)
class DrawnCage(_Drawing):
    """A dashed outline around ``cells`` with a text in its top left corner: a cage of no rule."""

    kind: ClassVar[str] = "cage"
    cells: tuple[Cell, ...]
    text: str = ""
    colour: str = "#000000"

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the fields."""
        if not self.cells or len(set(self.cells)) < len(self.cells):
            yield f"expected some cells, each once, got {self.cells!r:.60}"
        yield from _text_problems(self.text)
        yield from _colour_problems(colour=self.colour)


Drawing: TypeAlias = DrawnLine | DrawnShape | DrawnText | DrawnCage
DRAWINGS: Mapping[str, type[Drawing]] = MappingProxyType({one.kind: one for one in (DrawnLine, DrawnShape, DrawnText, DrawnCage)})
"""The kinds of drawings by name."""


def drawing_points(drawing: Drawing) -> tuple[DrawnPoint, ...]:
    """Return the points that a drawing has; none for a cage, which has cells."""
    match drawing:
        case DrawnLine(points):
            return points
        case DrawnShape(at) | DrawnText(at):
            return (at,)
        case DrawnCage():
            return ()
        case _:
            assert_never(drawing)


def drawing_size(drawing: Drawing) -> int:
    """Return how many points or cells a drawing has."""
    return len(drawing.cells) if isinstance(drawing, DrawnCage) else len(drawing_points(drawing))


def drawing_problems(drawings: tuple[object, ...], grid: Grid) -> Iterator[Problem]:
    """Yield what is wrong with the drawings of a puzzle on a grid, each with its index."""
    known = [one for one in drawings if isinstance(one, Drawing)]
    count = sum(map(drawing_size, known))
    if len(drawings) > MOST_DRAWINGS:
        yield Problem(f"expected at most {MOST_DRAWINGS:,} drawings, got {len(drawings):,}", ["drawings"])
    elif len(known) < len(drawings):
        strange = next(one for one in drawings if not isinstance(one, Drawing))
        yield Problem(f"expected drawings such as DrawnLine(((0.5, 0.5), (1.5, 0.5))), got {strange!r:.60}", ["drawings"])
    elif count > MOST_POINTS:
        yield Problem(f"expected drawings of at most {MOST_POINTS:,} points and cells in all, got {count:,}", ["drawings"])
    else:
        yield from _misplaced_drawings(known, grid)


def _misplaced_drawings(drawings: Iterable[Drawing], grid: Grid) -> Iterator[Problem]:
    bottom, right = (max(place[axis] for place in grid.places) + 1 + REACH for axis in (0, 1))
    for index, one in enumerate(drawings):
        far = next((point for point in drawing_points(one) if point[0] > bottom or point[1] > right), None)
        if far:
            yield Problem(f"expected drawings within {REACH} cells of {grid}, got a {one.kind} at {far}", ["drawings", index])
        elif isinstance(one, DrawnCage) and any(cell not in grid.cells for cell in one.cells):
            words = f"expected a drawn cage of cells of {grid} (0 to {len(grid.cells) - 1}), got {one.cells!r:.60}"
            yield Problem(words, ["drawings", index])


def in_drawing_order(drawings: Iterable[Drawing]) -> tuple[Drawing, ...]:
    """Return drawings in the order in which programs for puzzles draw them, whatever order their files have."""
    return tuple(sorted(drawings, key=_layer))


def _layer(drawing: Drawing) -> int:
    match drawing:
        case DrawnShape():
            return 4 if drawing.over else 0
        case DrawnText():
            return 5 if drawing.over else 1
        case DrawnLine():
            return 3 if drawing.head else 2
        case DrawnCage():
            return 6
        case _:
            assert_never(drawing)

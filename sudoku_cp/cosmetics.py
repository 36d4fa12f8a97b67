"""The few things that can be drawn on a grid. A rule returns some of them; renderers know these and no rules.

Cells are cells of the grid; colours are ``#RRGGBB``, by default those that setters are used to; sizes are in cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell

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

"""How puzzles are to be printed: the options, each puzzle with its entries and solution, and what a page consists of."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias
from unicodedata import name as unicode_name

from sudoku_cp.arguments import CheckedFields
from sudoku_cp.errors import BackendMissing, InvalidInput, OptionProblem
from sudoku_cp.puzzle import Origin, Position
from sudoku_cp.render.geometry import Box, Point, printable
from sudoku_cp.render.png_picture import BOLD, REGULAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.render.picture_layers import PictureItem


Solutions: TypeAlias = Literal["none", "end", "same", "upside-down"]
PER_PAGE = (1, 2, 4, 6, 9)
"""How many puzzles a page may have."""
MOST_BLEED = 20
"""Millimetres."""
LONGEST_NUMBER = 9
"""Digits of the first puzzle's number."""
LONGEST_TITLE = 200
"""Characters of a title or an author's name."""


def parse_numbering(text: str) -> int | None:
    """Return the number of the first puzzle, None for ``none``; raise `InvalidInput` for anything else."""
    word = text.strip().lower()
    if word == "none":
        return None
    if not (word.isascii() and word.isdecimal() and len(word) <= LONGEST_NUMBER):
        words = f"expected a number of at most {LONGEST_NUMBER} digits or none, got {text!r:.40}"
        raise InvalidInput(OptionProblem(words, "numbering"))
    return int(word)


@dataclass(frozen=True)
class SheetOptions(CheckedFields):
    """How puzzles are printed.

    ``paper`` is a name or a size in millimetres; ``margin`` and ``bleed`` are millimetres. ``first_number`` numbers the puzzles,
    None leaves them without numbers. ``solutions`` are printed at the end, or small below each puzzle, perhaps upside down.
    A ``booklet`` has a cover, contents, a section for each level, and an even number of pages.
    """

    such_as: ClassVar[str] = "SheetOptions(per_page=6)"
    per_page: int = 1
    paper: str = "a4"
    landscape: bool = False
    solutions: Solutions = "none"
    title: str = ""
    author: str = ""
    first_number: int | None = 1
    rules_in_words: bool = False
    margin: float = 15.0
    bleed: float = 0.0
    booklet: bool = False

    def __post_init__(self) -> None:
        """Refuse what no page can be made of."""
        super().__post_init__()
        problems = []
        try:
            page = parse_paper(self.paper, landscape=self.landscape)
            most = round(min(page) / POINTS_PER_MM / 4, 1)
            if not 0 <= self.margin <= most:
                problems.append(OptionProblem(f"expected 0 to {most:g} mm on this paper, got {self.margin:g}", "margin"))
        except InvalidInput as error:
            problems += [OptionProblem(problem, "paper") for problem in error.problems]
        if self.per_page not in PER_PAGE:
            problems.append(OptionProblem(f"expected one of {', '.join(map(str, PER_PAGE))}, got {self.per_page}", "per_page"))
        if not 0 <= self.bleed <= MOST_BLEED:
            problems.append(OptionProblem(f"expected 0 to {MOST_BLEED} mm, got {self.bleed:g}", "bleed"))
        for name, text in (("title", self.title), ("author", self.author)):
            if len(text) > LONGEST_TITLE:
                problems.append(OptionProblem(f"expected at most {LONGEST_TITLE} characters, got {len(text)}", name))
        if problems:
            raise InvalidInput(problems)

    @cached_property
    def page_size(self) -> PageSize:
        """The size of the trimmed page in points."""
        return parse_paper(self.paper, landscape=self.landscape)


# Sizes of paper, in points (72 an inch).


POINTS_PER_MM = 72 / 25.4
PAPERS = MappingProxyType(
    {"a3": (297, 420), "a4": (210, 297), "a5": (148, 210), "letter": (215.9, 279.4), "legal": (215.9, 355.6)}
)
"""Width and height of each named paper in millimetres."""
LEAST_MM, MOST_MM = 50, 2000
"""The sides that paper may have."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)")


class PageSize(NamedTuple):
    """Width and height of a page in points."""

    width: float
    height: float


def parse_paper(text: str, *, landscape: bool = False) -> PageSize:
    """Return the size of a paper: a name such as ``a4``, or ``WIDTHxHEIGHT`` in millimetres; ``landscape`` swaps the sides."""
    name = text.strip().lower()
    found = _SIZE.fullmatch(name)
    sides = (float(found[1]), float(found[2])) if found else PAPERS.get(name)
    if sides is None or not all(LEAST_MM <= side <= MOST_MM for side in sides):
        expected = f"expected {', '.join(PAPERS)}, or WIDTHxHEIGHT in millimetres from {LEAST_MM} to {MOST_MM}, such as 148x210"
        raise InvalidInput(f"{expected}; got {text!r:.60}")
    width, height = (side * POINTS_PER_MM for side in sides)
    return PageSize(height, width) if landscape else PageSize(width, height)


# What a page consists of, before it is written. Lengths are in points; pages begin at their top left corner.


Tag: TypeAlias = Literal["H1", "H2", "P", "Caption", "Artifact"]
"""What a text is, for those who have a page read to them; artifacts (page numbers) are not read."""
Align: TypeAlias = Literal["left", "centre", "right"]
LEADING = 1.3
"""From line to line, in sizes of the font."""


class TextBlock(NamedTuple):
    """Lines of text below a point, each ending at, beginning at, or centred on it."""

    at: Point
    lines: tuple[str, ...]
    size: float
    tag: Tag = "P"
    bold: bool = False
    align: Align = "left"
    colour: str = "#000000"

    @property
    def height(self) -> float:
        """The height of all lines."""
        return len(self.lines) * self.size * LEADING


class PlacedPicture(NamedTuple):
    """Items of a picture, ``scale`` points per cell, whose ``frame`` (in cells) begins at a point.

    It may be turned ``upside_down`` in its place, or cut at the frame (``clipped``). Without words in ``alt`` it is decoration.
    """

    at: Point
    scale: float
    frame: Box
    items: Sequence[PictureItem]
    alt: str = ""
    upside_down: bool = False
    clipped: bool = False


class PlacedLink(NamedTuple):
    """A box that leads to a page, by its index, or to an address."""

    box: Box
    target: int | str


Item: TypeAlias = TextBlock | PlacedPicture | PlacedLink


@dataclass
class Page:
    """A page, to which items are added."""

    items: list[Item] = field(default_factory=list)


# A puzzle as it is to be printed: what has been filled in, its solution, its level, a link to it.


@dataclass(frozen=True)
class PrintedPuzzle:
    """A position with its ``number``, None without numbers.

    ``solution`` is None where none is printed; ``note`` then says why it is missing, if it is. ``level`` is the heading of the
    section of a booklet, ``link`` an address where the puzzle can be played.
    """

    position: Position
    number: int | None = None
    solution: tuple[int, ...] | None = None
    note: str = ""
    level: str = ""
    link: str = ""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle without entries."""
        return self.position.puzzle

    @property
    def heading(self) -> str:
        """The number, title and author, those that there are."""
        words = " by ".join(part for part in (self.puzzle.title, self.puzzle.author) if part)
        return ". ".join(part for part in (str(self.number or ""), words) if part)

    @property
    def name(self) -> str:
        """The number, or the heading, or at least the kind of grid."""
        return str(self.number) if self.number is not None else self.heading or f"Sudoku on {self.puzzle.grid}"

    @property
    def description(self) -> str:
        """The givens in words for those who cannot see the picture."""
        puzzle = self.puzzle
        givens = puzzle.line() if len(puzzle.grid.boards) == 1 else " / ".join(str(puzzle).splitlines())
        return f"{self.heading or 'Sudoku'}: {puzzle.grid}, {f'row by row {givens}' if puzzle.givens else 'no givens'}"

    def solved(self) -> Position:
        """Return the solution as a position; all values are of one ink."""
        assert self.solution is not None  # noqa: S101  # asked for only where there is one
        givens = self.puzzle.givens
        plain = tuple(Origin.GIVEN if cell in givens else Origin.FORCED for cell in self.puzzle.grid.cells)
        return Position(self.puzzle, self.solution, plain)


# The fonts that are embedded: those that the package carries, and perhaps others; each PDF holds only the signs that it uses.


class TextRun(NamedTuple):
    """A part of a text that one font has."""

    font: Any
    """reportlab's ``TTFont``."""
    text: str


def require_reportlab() -> None:
    """Raise `BackendMissing` if reportlab, which the extra ``pdf`` installs, is not there."""
    try:
        import reportlab  # noqa: F401, PLC0415  # only who prints needs it
    except ModuleNotFoundError as error:
        raise BackendMissing("printing needs reportlab: pip install 'sudoku-cp[pdf]'") from error


@cache
def _load(path: Path) -> Any:
    """Return a font of reportlab; it may be used for one document after another."""
    from reportlab.pdfbase.ttfonts import TTFError, TTFont  # noqa: PLC0415  # only who prints needs it

    try:
        return TTFont(path.stem, str(path), asciiReadable=0, shapable=False)
    except (TTFError, OSError, AssertionError) as error:
        raise InvalidInput(f"expected a TrueType font, got {path}: {error}") from error


class Typefaces:
    """Fonts in the order in which they are asked for a sign: ours, then any others."""

    def __init__(self, others: Iterable[Path] = ()) -> None:
        """Load the fonts; ``others`` are TrueType files, used for signs that ours lack."""
        require_reportlab()
        loaded = tuple(map(_load, others))
        self._fonts = {False: (_load(REGULAR), *loaded), True: (_load(BOLD), _load(REGULAR), *loaded)}
        self.width = lru_cache(maxsize=1 << 14)(self._width)
        """Returns the width of a text, bold or not, in sizes of the font."""

    def _font_of(self, sign: str, *, bold: bool) -> Any:
        code, fonts = ord(sign), self._fonts[bold]
        return next((font for font in fonts if code in font.face.charToGlyph), fonts[0])

    def runs(self, text: str, *, bold: bool) -> Iterator[TextRun]:
        """Yield the parts of a text, each with a font that has its signs."""
        first = self._fonts[bold][0]
        if first.face.charToGlyph.keys() >= {*map(ord, text)}:
            yield TextRun(first, text)
            return
        for font, signs in groupby(text, lambda sign: self._font_of(sign, bold=bold)):
            yield TextRun(font, "".join(signs))

    def _width(self, text: str, *, bold: bool = False) -> float:
        widths = (run.font.face.getCharWidth(ord(sign)) for run in self.runs(text, bold=bold) for sign in run.text)
        return float(sum(widths)) / 1000

    def missing(self, text: str) -> list[str]:
        """Return the names of the signs in a text that no font has, each once."""
        regular = self._fonts[False]
        signs = [
            sign for sign in dict.fromkeys(printable(text)) if not any(ord(sign) in font.face.charToGlyph for font in regular)
        ]
        return [f"{sign!r} (U+{ord(sign):04X} {unicode_name(sign, 'without a name')})" for sign in signs if not sign.isspace()]

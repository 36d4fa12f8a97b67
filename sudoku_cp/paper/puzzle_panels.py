"""Puzzles made ready for paper, and their panels: their pictures, their small solutions and codes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.backends import UNLIMITED, Limits, Solution
from sudoku_cp.errors import InvalidInput, LimitReached, Unsupported
from sudoku_cp.formats import format_puzzles
from sudoku_cp.paper.sheet_options import LEADING, PlacedLink, PlacedPicture, PrintedPuzzle, TextBlock, require_reportlab
from sudoku_cp.puzzle import Position
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.queries import is_unique, solve
from sudoku_cp.render.geometry import UNITS, Box, Piece, Point, Routes, Text, box_around, printable
from sudoku_cp.render.picture_layers import PictureItem, make_picture
from sudoku_cp.render.svg_picture import item_elements
from sudoku_cp.symbols import alphabet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.paper.sheet_options import Item, SheetOptions, Typefaces
    from sudoku_cp.puzzle import Puzzle


BLACK = "#000000"
EDGE = 0.04
"""Around a picture, in cells, so that its outer lines are whole."""
SMALL_CELL = 6.6
"""Points of a cell of a solution next to its puzzle."""
MODULE = 0.85
"""Points of a module of a QR code: 0.3 mm, which telephones read from a hand's distance."""


def puzzle_panel(printed: PrintedPuzzle, options: SheetOptions) -> Panel:
    """Return what is printed of a puzzle."""
    ours = options.rules_in_words and not printed.puzzle.ruleset
    picture = make_picture(printed.position, keyed=ours)
    items = [item for layer in picture.layers.values() for item in layer]
    drawing = Drawing(items, picture.frame.grown(EDGE), printed.description)
    extras = []
    if options.solutions in {"same", "upside-down"} and printed.solution:
        turned = options.solutions == "upside-down"
        extras.append(Extra(solution_drawing(printed), SMALL_CELL, turned))
    if printed.link:
        extras.append(Extra(qr_drawing(printed.link, f"Link to {printed.name}"), MODULE, link=printed.link))
    words = "\n".join(part for part in (ruleset_text(printed.puzzle) if options.rules_in_words else "", printed.note) if part)
    return Panel(printed.heading, drawing, words, tuple(extras))


def solution_drawing(printed: PrintedPuzzle) -> Drawing:
    """Return the solution: the grid and its values, without what rules draw."""
    picture = make_picture(printed.solved())
    items = [*picture.layers["paper"], *picture.layers["lines"], *map(_in_black, picture.layers["values"])]
    places = printed.puzzle.grid.places
    frame = box_around([Point(column + corner, row + corner) for row, column in places for corner in (0, 1)], EDGE)
    return Drawing(items, frame, f"Solution of {printed.name}")


def _in_black(item: PictureItem) -> PictureItem:
    """Return an item whose texts are black, as givens already stand out by being bold."""
    pieces = (
        piece._replace(shape=piece.shape._replace(colour=BLACK)) if isinstance(piece.shape, Text) else piece
        for piece in item.pieces
    )
    return replace(item, pieces=tuple(pieces))


# A puzzle on a page: heading, picture, rules in words, with a small solution and a QR code next to it or below.


LEAST_CELL, MOST_CELL = 10.3, 56.7
"""Points of a cell: below the first, values would have less than 7 points; the second (20 mm) lets a 9x9 reach across A4."""
GAP = 7.0
"""Between the parts of a panel, in points."""
HEADING_LINES = 2


class Drawing(NamedTuple):
    """Items of a picture, the frame around them in cells, and words for those who cannot see it."""

    items: Sequence[PictureItem]
    frame: Box
    alt: str = ""

    @property
    def width(self) -> float:
        """The width of the frame."""
        return self.frame.right - self.frame.left

    @property
    def height(self) -> float:
        """The height of the frame."""
        return self.frame.bottom - self.frame.top


class Extra(NamedTuple):
    """A small drawing that goes with a puzzle, in its final size; perhaps it leads to an address."""

    drawing: Drawing
    scale: float
    upside_down: bool = False
    link: str = ""

    @property
    def width(self) -> float:
        """Its width in points."""
        return self.scale * self.drawing.width

    @property
    def height(self) -> float:
        """Its height in points."""
        return self.scale * self.drawing.height

    def items(self, at: Point) -> Iterator[Item]:
        """Yield it at a point."""
        yield PlacedPicture(at, self.scale, self.drawing.frame, self.drawing.items, self.drawing.alt, self.upside_down)
        if self.link:
            yield PlacedLink(Box(at.x, at.y, at.x + self.width, at.y + self.height), self.link)


class Panel(NamedTuple):
    """What is printed of a puzzle."""

    heading: str
    drawing: Drawing
    words: str = ""
    extras: tuple[Extra, ...] = ()


class PanelStyle(NamedTuple):
    """Sizes of the fonts of a panel, in points."""

    heading: float
    words: float


class PanelLayout(NamedTuple):
    """A panel that fits: its items, how large its cells are, and where it ends."""

    items: tuple[Item, ...]
    scale: float
    bottom: float


def lay_out_panel(panel: Panel, slot: Box, style: PanelStyle, typefaces: Typefaces) -> PanelLayout | None:
    """Return the panel in a slot with cells as large as possible; None if they would be too small to read.

    Extras are below the picture, to the right of the words, or beside it: whichever leaves more room.
    """
    ways = [_lay_out(panel, slot, style, typefaces, beside=beside) for beside in ((False, True) if panel.extras else (False,))]
    best = max(ways, key=lambda layout: layout.scale)
    return best if best.scale >= LEAST_CELL else None


def _lay_out(panel: Panel, slot: Box, style: PanelStyle, typefaces: Typefaces, *, beside: bool) -> PanelLayout:
    wide = slot.right - slot.left
    heading = wrap_text(panel.heading, wide, style.heading, typefaces, bold=True)
    title = TextBlock(Point(slot.left, slot.top), shortened_lines(heading, HEADING_LINES), style.heading, "H2", bold=True)
    top = slot.top + (title.height + GAP / 2 if title.lines else 0)
    aside = max((extra.width for extra in panel.extras), default=-GAP) if beside else -GAP
    row = -GAP if beside else sum(extra.width + GAP for extra in panel.extras) - GAP
    lines = wrap_text(panel.words, wide - max(0.0, row + GAP), style.words, typefaces)
    written = len(lines) * style.words * LEADING
    below = max(written, 0 if beside else max((extra.height for extra in panel.extras), default=0))
    room = Point(wide - aside - GAP, slot.bottom - top - below - (GAP if below else 0))
    drawing = panel.drawing
    scale = min(room.x / drawing.width, room.y / drawing.height, MOST_CELL)
    if scale <= 0 or (beside and sum(extra.height + GAP for extra in panel.extras) - GAP > slot.bottom - top - written):
        return PanelLayout((), 0.0, slot.bottom)
    left = slot.left + (room.x - scale * drawing.width) / 2
    bottom = top + scale * drawing.height
    picture = PlacedPicture(Point(left, top), scale, drawing.frame, drawing.items, drawing.alt)
    middle = left + scale * drawing.width / 2
    first = title._replace(at=Point(middle, slot.top), align="centre")
    if beside:
        bottom = max(bottom, top + sum(extra.height + GAP for extra in panel.extras) - GAP)
        extras = [*_stack(panel.extras, Point(left + scale * drawing.width + GAP, bottom))]
    else:
        extras = [*_row(panel.extras, Point(slot.right, bottom + GAP))]
    text = TextBlock(Point(slot.left, bottom + GAP), lines, style.words)
    items = (*([first] if title.lines else []), picture, *([text] if lines else []), *extras)
    return PanelLayout(items, scale, bottom + below + (GAP if below else 0))


def _row(extras: Sequence[Extra], right_top: Point) -> Iterator[Item]:
    """Yield extras side by side, the last one at the right."""
    x = right_top.x
    for extra in reversed(extras):
        x -= extra.width
        yield from extra.items(Point(x, right_top.y))
        x -= GAP


def _stack(extras: Sequence[Extra], left_bottom: Point) -> Iterator[Item]:
    """Yield extras below each other, the last one at the bottom."""
    y = left_bottom.y
    for extra in reversed(extras):
        y -= extra.height
        yield from extra.items(Point(left_bottom.x, y))
        y -= GAP


# QR codes as drawings.


MOST_BYTES = 2953
"""Bytes of the largest code with the least correction of errors."""
QUIET = 2
"""White modules around a code: the paper around it is white too."""


def qr_drawing(text: str, alt: str) -> Drawing:
    """Return the code of a text, a cell of the drawing for each module."""
    modules = _modules(text)
    side = len(modules)
    runs = [run for row, line in enumerate(modules) for run in _runs(row, line)]
    frame = Box(-QUIET, -QUIET, side + QUIET, side + QUIET)
    return Drawing([PictureItem((Piece(Routes(tuple(runs), "#000000", closed=True), frame),))], frame, alt)


def qr_svg(text: str) -> str:
    """Return the code of a text as one element of SVG, on white; raise `InvalidInput` if it is too long."""
    require_reportlab()
    drawing = qr_drawing(text, "")
    frame = drawing.frame
    box = [round(UNITS * length) for length in (frame.left, frame.top, drawing.width, drawing.height)]
    paper = '<rect x="{}" y="{}" width="{}" height="{}" fill="#FFFFFF"/>'.format(*box)
    dark = "".join(element for item in drawing.items for element in item_elements(item))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(map(str, box))}">{paper}{dark}</svg>'


def _modules(text: str) -> list[list[Any]]:
    from reportlab.graphics.barcode import qrencoder  # noqa: PLC0415  # only who prints codes needs it

    if len(text.encode()) > MOST_BYTES:
        raise InvalidInput(f"expected a link of at most {MOST_BYTES:,} bytes for a QR code, got {len(text.encode()):,}")
    code: Any = qrencoder.QRCode(None, qrencoder.QRErrorCorrectLevel.L)
    code.addData(text)
    code.make()
    found: list[list[Any]] = code.modules
    return found


def _runs(row: int, line: list[Any]) -> Iterator[tuple[Point, ...]]:
    """Yield the dark stretches of a row as rectangles."""
    start = None
    for column, dark in enumerate([*line, False]):
        if dark and start is None:
            start = column
        elif not dark and start is not None:
            yield Point(start, row), Point(column, row), Point(column, row + 1), Point(start, row + 1)
            start = None


# Text broken into lines of a width.


_ELLIPSIS = "…"


def wrap_text(text: str, width: float, size: float, typefaces: Typefaces, *, bold: bool = False) -> tuple[str, ...]:
    """Return the lines of a text, a paragraph on each of its own lines, none wider than ``width`` points."""
    most = max(width / size, 1)
    return tuple(line for paragraph in text.splitlines() for line in _wrap_paragraph(printable(paragraph), most, typefaces, bold))


def _wrap_paragraph(text: str, most: float, typefaces: Typefaces, bold: bool) -> Iterator[str]:  # noqa: FBT001
    """Yield the lines of a paragraph, at most so many sizes of the font wide; longer words are broken."""
    line, wide, space = list[str](), 0.0, typefaces.width(" ", bold=bold)
    for word in text.split():
        for part in _break_word(word, most, typefaces, bold):
            length = typefaces.width(part, bold=bold)
            if line and wide + space + length > most:
                yield " ".join(line)
                line, wide = [], 0.0
            wide += length + (space if line else 0)
            line.append(part)
    if line:
        yield " ".join(line)


def _break_word(word: str, most: float, typefaces: Typefaces, bold: bool) -> Iterator[str]:  # noqa: FBT001
    """Yield a word, in several parts if it is wider than a line."""
    if typefaces.width(word, bold=bold) <= most:
        yield word
        return
    part, wide = "", 0.0
    for sign in word:
        length = typefaces.width(sign, bold=bold)
        if part and wide + length > most:
            yield part
            part, wide = "", 0.0
        part, wide = part + sign, wide + length
    yield part


def shortened_lines(lines: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Return the first lines, with an ellipsis if there are more."""
    return lines if len(lines) <= most else (*lines[: most - 1], f"{lines[most - 1][:-2].rstrip()}{_ELLIPSIS}")


# Puzzles made ready for paper: entries and alphabets, and the numbers, solutions, levels and links that are wanted.


PLAYER = "https://sudokupad.app/"
"""Where links lead: SudokuPad reads the documents of f-puzzles."""
_FPUZZLES = "https://f-puzzles.com/?load="
_NOTES = {
    "none": "This puzzle has no solution.",
    "multiple": "This puzzle has several solutions.",
    "unknown": "No solution was found in time.",
}


def prepare_puzzles(
    positions: Iterable[Position],
    options: SheetOptions,
    *,
    marks: bool = False,
    symbols: str | None = None,
    links: bool = False,
    limits: Limits = UNLIMITED,
) -> list[PrintedPuzzle]:
    """Return the puzzles in the order in which they are printed: in booklets by level.

    With ``marks`` entries and pencil marks are printed too. ``symbols`` is an alphabet, ``links`` adds QR codes, and ``limits``
    are for each puzzle that must be solved or rated.
    """
    found = []
    for position in positions:
        shown = _with_symbols(position if marks else _without_marks(position), symbols)
        printed = PrintedPuzzle(shown)
        if options.solutions != "none":
            solution, note = _solution_of(shown.puzzle, limits)
            printed = replace(printed, solution=solution, note=note)
        found.append(replace(printed, link=link_to_play(shown.puzzle) if links else ""))
    if options.booklet:
        found = _by_level(found, limits)
    if options.first_number is None:
        return found
    return [replace(printed, number=number) for number, printed in enumerate(found, options.first_number)]


def _without_marks(position: Position) -> Position:
    """Return the givens alone."""
    return Position.of(replace(position.puzzle, candidates={}) if position.puzzle.candidates else position.puzzle)


def _by_level(puzzles: Sequence[PrintedPuzzle], limits: Limits) -> list[PrintedPuzzle]:
    """Return puzzles in the order of their levels, each with its name; last those not rated within the limits."""
    from sudoku_cp.logic.rating.levels import LEVELS  # noqa: PLC0415  # loads every technique, which sheets do without

    named = [replace(printed, level=_level_name(printed.puzzle, limits)) for printed in puzzles]
    order = [*(name.capitalize() for name in LEVELS.names), ""]
    return sorted(named, key=lambda printed: order.index(printed.level))


def _level_name(puzzle: Puzzle, limits: Limits) -> str:
    """Return the name of the level; empty for a puzzle without exactly one solution, and where the time is too short."""
    from sudoku_cp.logic.rating.puzzle_levels import band_of  # noqa: PLC0415  # as above

    clock = limits.started()
    try:
        return str(band_of(puzzle, limits=clock.left())).capitalize() if is_unique(puzzle, limits=clock.left()) else ""
    except LimitReached:
        return ""


def _with_symbols(position: Position, name: str | None) -> Position:
    if name is None:
        return position
    puzzle = replace(position.puzzle, symbols=alphabet(name, position.puzzle.grid.values))
    return replace(position, puzzle=puzzle)


def _solution_of(puzzle: Puzzle, limits: Limits) -> tuple[Solution | None, str]:
    """Return the solution, or None and why: a stated one that obeys every rule, or else the one that is found."""
    if puzzle.solution is not None and puzzle.holds(puzzle.solution):
        return puzzle.solution, ""
    answer = solve(puzzle, limits=limits)
    return (answer.solution, "") if answer.status == "unique" else (None, _NOTES[answer.status])


def link_to_play(puzzle: Puzzle) -> str:
    """Return the address at which the puzzle can be played; raise `Unsupported` if it cannot be sent there."""
    first = next(format_puzzles([puzzle], "fpuzzles"))
    if first.error or not first.text:
        raise Unsupported(f"expected a puzzle that has a link to play, got one that f-puzzles cannot express: {first.error}")
    return first.text.strip().replace(_FPUZZLES, f"{PLAYER}fpuzzles", 1)

"""Puzzles as sheets: the function that makes the PDF."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import groupby, pairwise
from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.paper.puzzle_panels import (
    GAP,
    PanelStyle,
    lay_out_panel,
    puzzle_panel,
    shortened_lines,
    solution_drawing,
    wrap_text,
)
from sudoku_cp.paper.sheet_options import (
    LEADING,
    POINTS_PER_MM,
    Page,
    PlacedLink,
    PlacedPicture,
    PrintedPuzzle,
    TextBlock,
    Typefaces,
    require_reportlab,
)
from sudoku_cp.render.geometry import UNITS, Box, Piece, Point, Polyline, Routes, box_around, printable
from sudoku_cp.render.svg_picture import item_elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sudoku_cp.paper.puzzle_panels import Drawing, Panel
    from sudoku_cp.paper.sheet_options import Item, PageSize, SheetOptions
    from sudoku_cp.render.picture_layers import PictureItem


# Panels, texts and small solutions on pages, one after the other.


SHAPES = MappingProxyType({1: (1, 1), 2: (2, 1), 4: (2, 2), 6: (3, 2), 9: (3, 3)})
"""Rows and columns of puzzles on an upright page; on one that lies, they are swapped."""
FOOTER = 18.0
"""Above the bottom margin, in points, for the number of the page."""
BETWEEN = 20.0
"""Between puzzles, in points."""
TITLE, SECTION = 20.0, 15.0
"""Sizes of the font of the title, and of the heading of a section."""
SOLUTION_CELL, LEAST_SOLUTION_CELL = 12.2, 8.0
"""Points of a cell of a solution: of 9x9, and at least."""
_LARGE_SIDE = 9


def panel_style(per_page: int) -> PanelStyle:
    """Return the sizes of fonts for so many puzzles on a page."""
    if per_page == 1:
        return PanelStyle(13, 9.5)
    return PanelStyle(10, 8) if per_page <= 4 else PanelStyle(9, 7)  # noqa: PLR2004  # two columns of words at most


class SheetBuilder:
    """Makes pages; the next panel goes into the first free slot of the last one."""

    def __init__(self, options: SheetOptions, typefaces: Typefaces) -> None:
        """Begin without any page."""
        self.pages: list[Page] = []
        self._options, self._typefaces = options, typefaces
        self._style = panel_style(options.per_page)
        self._free: list[Box] = []
        self._body = Box(0, 0, 0, 0)
        width, height = options.page_size
        margin = options.margin * POINTS_PER_MM
        self.area = Box(margin, margin, width - margin, height - margin - FOOTER)
        """Where panels are placed."""

    # --- pages --------------------------------------------------------------------------------------------------

    def start_page(self) -> Page:
        """Add an empty page, whose slots are not free."""
        self.pages.append(Page())
        self._body, self._free = self.area, []
        return self.pages[-1]

    def start_section(self, heading: str, words: str = "", *, size: float = SECTION) -> None:
        """Begin a page with a heading, and perhaps smaller words below it; panels go below both."""
        page = self.start_page()
        for text, at_size, tag in ((heading, size, "H1"), (words, size / 2, "P")):
            lines = wrap_text(text, self.area.right - self.area.left, at_size, self._typefaces, bold=tag == "H1")
            if lines:
                at = Point((self.area.left + self.area.right) / 2, self._body.top)
                block = TextBlock(at, shortened_lines(lines, 3), at_size, "H1" if tag == "H1" else "P", tag == "H1", "centre")
                page.items.append(block)
                self._body = self._body._replace(top=self._body.top + block.height + GAP / 2)
        self._body = self._body._replace(top=self._body.top + GAP)
        self._free = [*_slots(self._body, self._options)]

    # --- puzzles ------------------------------------------------------------------------------------------------

    def add_panel(self, panel: Panel) -> int:
        """Add a puzzle, and return the index of its page: in the next slot, on a page of its own, or split over several."""
        if not self._free:
            self.start_page()
            self._free = [*_slots(self._body, self._options)]
        layout = lay_out_panel(panel, self._free[0], self._style, self._typefaces)
        if layout is None:
            return self._add_large(panel)
        del self._free[0]
        self.pages[-1].items += layout.items
        return len(self.pages) - 1

    def _add_large(self, panel: Panel) -> int:
        """Add a panel that fits into no slot on pages of its own, the first of which may have the heading of a section."""
        if len(self._free) < len([*_slots(self._body, self._options)]):
            self.start_page()
        wordless = panel._replace(words="")
        layout, words = lay_out_panel(panel, self._body, self._style, self._typefaces), ""
        if layout is None:  # the words on the pages after it
            layout, words = lay_out_panel(wordless, self._body, self._style, self._typefaces), panel.words
        if layout is None and self._body != self.area:
            self.start_page()
            layout = lay_out_panel(wordless, self._body, self._style, self._typefaces)
        first = len(self.pages) - 1
        self._free = []
        if layout is None:
            self._split(panel)
            return first
        self.pages[-1].items += layout.items
        if words:
            self._add_words(panel.heading, words)
        return first

    def _split(self, panel: Panel) -> None:
        """Draw a board that is too large for a page on several, whose edges overlap."""
        wide, high = self.area.right - self.area.left, self.area.bottom - self.area.top - 2 * self._style.heading
        scale, tiles = split_drawing(panel.drawing, wide, high)
        for number, tile in enumerate(tiles, 1):
            page = self.pages[-1] if number == 1 else self.start_page()
            words = f"{panel.heading}  (part {number} of {len(tiles)})".strip()
            lines = wrap_text(words, self.area.right - self.area.left, self._style.heading, self._typefaces, bold=True)
            page.items.append(TextBlock(Point(self.area.left, self.area.top), lines[:1], self._style.heading, "H2", bold=True))
            at = Point(self.area.left, self.area.top + 2 * self._style.heading)
            alt = panel.drawing.alt if number == 1 else f"Part {number} of {len(tiles)}"
            page.items.append(PlacedPicture(at, scale, tile.frame, tile.items, alt, clipped=True))
        if panel.words:
            self._add_words(panel.heading, panel.words)

    def _add_words(self, heading: str, words: str) -> None:
        """Print words on pages of their own, as many as they need."""
        size = self._style.words
        lines = wrap_text(words, self.area.right - self.area.left, size, self._typefaces)
        most = int((self.area.bottom - self.area.top) / (size * LEADING)) - 3
        for start in range(0, len(lines), most):
            page = self.start_page()
            title = wrap_text(heading, self.area.right - self.area.left, self._style.heading, self._typefaces, bold=True)[:1]
            page.items.append(TextBlock(Point(self.area.left, self.area.top), title, self._style.heading, "Caption", bold=True))
            at = Point(self.area.left, self.area.top + 2 * self._style.heading)
            page.items.append(TextBlock(at, lines[start : start + most], size))

    # --- solutions ----------------------------------------------------------------------------------------------

    def add_solutions(self, drawings: Iterable[tuple[str, Drawing]]) -> None:
        """Draw small boards with captions in rows, each board in the size that suits it, as many on a page as fit."""
        left, top, high = self._body.left, self._body.top, 0.0
        for caption, drawing in drawings:
            scale = self._solution_scale(drawing)
            width, height = scale * drawing.width, scale * drawing.height + 12
            if left > self._body.left and left + width > self._body.right + 0.1:
                left, top, high = self._body.left, top + high + GAP, 0.0
            if top + height > self._body.bottom + 0.1 and top > self._body.top:
                self.start_page()
                left, top, high = self._body.left, self._body.top, 0.0
            lines = shortened_lines(wrap_text(caption, width, 8, self._typefaces, bold=True), 1)
            items: list[Item] = [TextBlock(Point(left, top), lines, 8, "Caption", bold=True)]
            items.append(PlacedPicture(Point(left, top + 12), scale, drawing.frame, drawing.items, drawing.alt))
            self.pages[-1].items += items
            left, high = left + width + BETWEEN, max(high, height)

    def _solution_scale(self, drawing: Drawing) -> float:
        """Return the points of a cell: four boards of 9x9 side by side on A4, larger boards in smaller cells."""
        wide, high = self.area.right - self.area.left, self._body.bottom - self._body.top - 12
        usual = SOLUTION_CELL if drawing.width < _LARGE_SIDE + 1 else max(LEAST_SOLUTION_CELL, 9 * SOLUTION_CELL / drawing.width)
        return min(usual, wide / drawing.width, high / drawing.height)


def _slots(body: Box, options: SheetOptions) -> Iterator[Box]:
    """Yield the places of puzzles on a page, row by row."""
    rows, columns = SHAPES[options.per_page]
    width, height = options.page_size
    if width > height:
        rows, columns = columns, rows
    wide = (body.right - body.left - (columns - 1) * BETWEEN) / columns
    high = (body.bottom - body.top - (rows - 1) * BETWEEN) / rows
    for row in range(rows):
        for column in range(columns):
            left, top = body.left + column * (wide + BETWEEN), body.top + row * (high + BETWEEN)
            yield Box(left, top, left + wide, top + high)


# A picture that is too large for a page, cut into tiles: each has what is drawn there and no more, and empty ones are left out.
#
# So pages and their contents grow with what is drawn, not with how far apart the boards of a puzzle are.


_Tile: TypeAlias = "tuple[int, int]"
"""The row and the column of a tile."""
SPLIT_CELL, OVERLAP = 16.0, 1.0
"""Points of a cell, at least, of a board that is split over pages, and the cells that neighbouring pages share."""


class Tile(NamedTuple):
    """A part of a drawing: its frame, and the items in it."""

    frame: Box
    items: list[PictureItem]


def split_drawing(drawing: Drawing, wide: float, high: float) -> tuple[float, list[Tile]]:
    """Return the points of a cell and the parts of a drawing, row by row, for pages of so many points; neighbours overlap."""
    across, down = (
        ceil((length - OVERLAP) / ceil((length - OVERLAP) / (points / SPLIT_CELL - OVERLAP)))  # whole cells
        for length, points in ((drawing.width, wide), (drawing.height, high))
    )
    tiling = _Tiling(drawing.frame, across, down)
    found: dict[_Tile, list[PictureItem]] = {}
    for item in drawing.items:
        pieces: dict[_Tile, list[Piece]] = {}
        for piece in item.pieces:
            for tile, part in tiling.parts(piece):
                pieces.setdefault(tile, []).append(part)
        for tile, own in pieces.items():
            found.setdefault(tile, []).append(replace(item, pieces=tuple(own)))
    width, height = min(across + OVERLAP, drawing.width), min(down + OVERLAP, drawing.height)
    return min(wide / width, high / height), [Tile(tiling.frame_of(tile), found[tile]) for tile in sorted(found)]


class _Tiling(NamedTuple):
    """Tiles over a frame, which begin every ``across`` and ``down`` cells and are `OVERLAP` cells larger."""

    frame: Box
    across: int
    down: int

    def frame_of(self, tile: _Tile) -> Box:
        """Return the part of the frame that a tile covers."""
        row, column = tile
        left, top = self.frame.left + column * self.across, self.frame.top + row * self.down
        right, bottom = left + self.across + OVERLAP, top + self.down + OVERLAP
        return Box(left, top, min(right, self.frame.right), min(bottom, self.frame.bottom))

    def parts(self, piece: Piece) -> Iterator[tuple[_Tile, Piece]]:
        """Yield the tiles that a piece meets; of many routes in one shape, each tile gets its own."""
        if not isinstance(piece.shape, Routes):
            for tile in dict.fromkeys(tile for box in _boxes(piece) for tile in self._tiles_at(box)):
                yield tile, piece
            return
        edge = piece.shape.stroke.width if piece.shape.stroke else 0.0
        routes: dict[_Tile, list[tuple[Point, ...]]] = {}
        for route in piece.shape.routes:
            for tile in self._tiles_at(box_around(route, edge)):
                routes.setdefault(tile, []).append(route)
        for tile, own in routes.items():
            yield tile, piece._replace(shape=piece.shape._replace(routes=tuple(own)))

    def _tiles_at(self, box: Box) -> Iterator[_Tile]:
        """Yield the tiles that a box meets."""
        frame = self.frame
        rows = _numbers(box.top - frame.top, box.bottom - frame.top, self.down, frame.bottom - frame.top)
        columns = _numbers(box.left - frame.left, box.right - frame.left, self.across, frame.right - frame.left)
        return ((row, column) for row in rows for column in columns)


def _numbers(first: float, last: float, step: int, length: float) -> Iterable[int]:
    """Return the numbers of the parts, ``step`` and an overlap long, of a length that a stretch of it meets."""
    parts = max(1, ceil((length - OVERLAP) / step))
    return range(max(0, ceil((first - OVERLAP) / step) - 1), min(parts - 1, floor(last / step)) + 1)


def _boxes(piece: Piece) -> Iterable[Box]:
    """Return boxes that cover a piece: that of each stretch of a line, which may lead far."""
    if not isinstance(piece.shape, Polyline):
        return (piece.box,)
    return (box_around(pair, piece.shape.stroke.width) for pair in pairwise(piece.shape.points))


class Preview(NamedTuple):
    """The first page as SVG, and how many pages there are."""

    svg: str
    pages: int


def make_pdf(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, *, fonts: Iterable[Path] = ()) -> bytes:
    """Return the puzzles as a PDF; ``fonts`` are TrueType files for signs that DejaVu lacks.

    Raises `InvalidInput` if there is no puzzle, or if no font has a sign, which is named.
    """
    require_reportlab()
    from sudoku_cp.paper.pdf_file import FileInfo, write_pdf  # noqa: PLC0415  # imports reportlab

    typefaces = Typefaces(fonts)
    pages = _checked_pages(puzzles, options, typefaces)
    about = FileInfo(options.title or puzzles[0].puzzle.title or "Sudoku", options.author)
    return write_pdf(pages, options.page_size, options.bleed * POINTS_PER_MM, typefaces, about)


def preview_pages(puzzles: Sequence[PrintedPuzzle], options: SheetOptions) -> Preview:
    """Return what `make_pdf` would print, for a preview: the first page; raises the same errors."""
    require_reportlab()
    pages = _checked_pages(puzzles, options, Typefaces())
    return Preview(page_svg(pages[0], options.page_size), len(pages))


def _checked_pages(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, typefaces: Typefaces) -> list[Page]:
    """Return the pages; raise `InvalidInput` if there is nothing to print, or no font has a sign."""
    if not puzzles:
        raise InvalidInput("expected at least one puzzle to print, got none")
    _refuse_missing_signs(puzzles, options, typefaces)
    pages = _sheet_pages(puzzles, options, typefaces)
    _refuse_missing_labels(pages, typefaces)
    return pages


def _sheet_pages(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, typefaces: Typefaces) -> list[Page]:
    if options.booklet:
        return booklet_pages(puzzles, options, typefaces)
    builder = SheetBuilder(options, typefaces)
    if options.title or options.author:
        builder.start_section(options.title or options.author, options.author if options.title else "", size=TITLE)
    for printed in puzzles:
        builder.add_panel(puzzle_panel(printed, options))
    add_solutions(builder, puzzles, options)
    number_pages(builder.pages, options, first=0)
    return builder.pages


def _refuse_missing_signs(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, typefaces: Typefaces) -> None:
    """Raise `InvalidInput` that names each sign that no font has, and where it stands."""
    problems = [
        OptionProblem(f"{where}expected signs that a font has (others: `font` FILE), got {', '.join(missing[:5])}", option)
        for option, where, text in _texts(puzzles, options)
        if (missing := typefaces.missing(text))
    ]
    if problems:
        raise InvalidInput(problems)


def _texts(puzzles: Sequence[PrintedPuzzle], options: SheetOptions) -> Iterator[tuple[str, str, str]]:
    """Yield every text that is printed after the option, or else the place, that it is from."""
    yield "title", "", options.title
    yield "author", "", options.author
    for index, printed in enumerate(puzzles):
        puzzle = printed.puzzle
        yield "", f"puzzle {index}, symbols: ", puzzle.symbols.signs
        yield "", f"puzzle {index}, title: ", puzzle.title
        yield "", f"puzzle {index}, author: ", puzzle.author
        if options.rules_in_words:
            yield "", f"puzzle {index}, rules in words: ", puzzle.ruleset


def _refuse_missing_labels(pages: Iterable[Page], typefaces: Typefaces) -> None:
    """Raise `InvalidInput` that names each sign of what is drawn, in letters of cages, notes or texts, that no font has."""
    pictures = (item for page in pages for item in page.items if isinstance(item, PlacedPicture))
    labels = dict.fromkeys(piece.text for picture in pictures for item in picture.items for piece in item.pieces)
    missing = dict.fromkeys(sign for label in labels for sign in typefaces.missing(label))
    if missing:
        words = f"labels of rules and drawings: expected signs that a font has (others: `font` FILE), got {', '.join(missing)}"
        raise InvalidInput(OptionProblem(words))


# Booklets: a cover, contents, a section for each level, solutions, and an even number of pages.


COVER_TITLE, COVER_AUTHOR, ENTRY = 34.0, 16.0, 10.5
"""Sizes of fonts."""
DEFAULT_TITLE = "Sudoku"


class _Entry(NamedTuple):
    """A line of the contents: its words, the index of its page, and whether it is a section."""

    words: str
    page: int
    is_section: bool


def booklet_pages(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, typefaces: Typefaces) -> list[Page]:
    """Return the pages: puzzles of one level stand together, in their order."""
    builder = SheetBuilder(options, typefaces)
    _add_cover(builder.start_page(), builder.area, puzzles, puzzle_panel(puzzles[0], options).drawing, options, typefaces)
    contents = builder.start_page()
    entries = []
    for level, members in groupby(puzzles, lambda printed: printed.level):
        section = [*members]
        builder.start_section(level or "Puzzles")
        entries.append(_Entry(f"{level or 'Puzzles'}  ({len(section)})", len(builder.pages) - 1, is_section=True))
        for printed in section:
            page = builder.add_panel(puzzle_panel(printed, options))
            if printed.puzzle.title:
                entries.append(_Entry(printed.heading, page, is_section=False))
    before = len(builder.pages)
    add_solutions(builder, puzzles, options)
    if len(builder.pages) > before:
        entries.append(_Entry("Solutions", before, is_section=True))
    _add_contents(contents, builder.area, entries, typefaces)
    if len(builder.pages) % 2:
        builder.start_page()
    number_pages(builder.pages, options, first=1)
    return builder.pages


def _add_cover(
    page: Page,
    area: Box,
    puzzles: Sequence[PrintedPuzzle],
    sample: Drawing,
    options: SheetOptions,
    typefaces: Typefaces,
) -> None:
    """Add title, author, the first puzzle as a picture, and how many puzzles there are."""
    middle, top = (area.left + area.right) / 2, area.top + (area.bottom - area.top) * 0.08
    texts = [(options.title or DEFAULT_TITLE, COVER_TITLE, True), (options.author, COVER_AUTHOR, False)]
    for text, size, bold in texts:
        lines = shortened_lines(wrap_text(text, area.right - area.left, size, typefaces, bold=bold), 4)
        block = TextBlock(Point(middle, top), lines, size, "H1" if bold else "P", bold, "centre")
        if lines:
            page.items.append(block)
        top += block.height + size / 2
    count = f"{len(puzzles):,} puzzle{'s' * (len(puzzles) > 1)}"
    bottom = area.bottom - 3 * COVER_AUTHOR
    scale = min((area.right - area.left) * 0.62 / sample.width, max(0.0, bottom - top - COVER_AUTHOR) / sample.height)
    if scale > 1:
        left, high = middle - scale * sample.width / 2, scale * sample.height
        at = Point(left, top + max(0.0, (bottom - top - high) / 2))
        page.items.append(PlacedPicture(at, scale, sample.frame, sample.items))  # decoration: it comes again inside
    page.items.append(TextBlock(Point(middle, bottom + COVER_AUTHOR), (count,), COVER_AUTHOR, align="centre"))


def _add_contents(page: Page, area: Box, entries: Sequence[_Entry], typefaces: Typefaces) -> None:
    """Add lines with page numbers that are links; if titles are too many for the page, sections alone."""
    page.items.append(TextBlock(Point(area.left, area.top), ("Contents",), 1.6 * ENTRY, "H1", bold=True))
    top, step = area.top + 4 * ENTRY, ENTRY * LEADING * 1.15
    most = int((area.bottom - top) / step)
    shown = entries if len(entries) <= most else [entry for entry in entries if entry.is_section]
    for place, entry in enumerate(shown[:most]):
        y, bold = top + place * step, entry.is_section
        left = area.left + (0 if bold else ENTRY)
        lines = wrap_text(entry.words, area.right - left - 4 * ENTRY, ENTRY, typefaces, bold=bold)
        page.items.append(TextBlock(Point(left, y), shortened_lines(lines, 1), ENTRY, "P", bold))
        page.items.append(TextBlock(Point(area.right, y), (str(entry.page + 1),), ENTRY, "P", bold, "right"))
        page.items.append(PlacedLink(Box(left, y, area.right, y + step), entry.page))


# What pages end with: solutions behind the puzzles, and a number on every page.


PAGE_NUMBER = 8.0
"""The size of the font of page numbers."""


def add_solutions(builder: SheetBuilder, puzzles: Sequence[PrintedPuzzle], options: SheetOptions) -> None:
    """Add the solutions at the end, if they are wanted there; each has the number of its puzzle."""
    if options.solutions == "end" and any(printed.solution for printed in puzzles):
        builder.start_section("Solutions")
        builder.add_solutions((printed.name, solution_drawing(printed)) for printed in puzzles if printed.solution)


def number_pages(pages: Sequence[Page], options: SheetOptions, *, first: int) -> None:
    """Number pages from that index on, if there are several: in the middle, in booklets at the outer edge."""
    width, height = options.page_size
    margin = options.margin * POINTS_PER_MM
    base = height - margin - FOOTER / 2
    for index, page in enumerate(pages):
        if index >= first and len(pages) > 1:
            x = width / 2
            if options.booklet:
                x = margin + PAGE_NUMBER if index % 2 else width - margin - PAGE_NUMBER
            page.items.append(TextBlock(Point(x, base), (str(index + 1),), PAGE_NUMBER, "Artifact", align="centre"))


# A page as SVG, to preview it before printing. Lengths are in points, as in its items.


_ANCHORS = {"left": "start", "centre": "middle", "right": "end"}
_ASCENT = 0.95
"""From the top of a line to its baseline, in sizes of the font."""


def page_svg(page: Page, size: PageSize) -> str:
    """Return the trimmed page as one element of SVG."""
    width, height = f"{size.width:g}", f"{size.height:g}"
    fonts = "DejaVu Sans, Verdana, sans-serif"
    letters = f'font-family="{fonts}" text-rendering="geometricPrecision"'  # lines are as wide as they were measured
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {letters}>'
    return "".join([head, f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>', *_elements(page), "</svg>"])


def _elements(page: Page) -> Iterator[str]:
    for item in page.items:
        if isinstance(item, TextBlock):
            yield from _lines(item)
        elif isinstance(item, PlacedPicture):
            yield _picture(item)


def _lines(block: TextBlock) -> Iterator[str]:
    weight = ' font-weight="bold"' if block.bold else ""
    style = f'font-size="{block.size:g}" fill="{block.colour}" text-anchor="{_ANCHORS[block.align]}"{weight}'
    for number, line in enumerate(block.lines):
        baseline = block.at.y + (number * LEADING + _ASCENT) * block.size
        yield f'<text x="{block.at.x:g}" y="{baseline:g}" {style}>{escape(printable(line))}</text>'


def _picture(picture: PlacedPicture) -> str:
    """Return the picture in a box of its own; what lies beyond its frame shows unless it is clipped."""
    frame, at = picture.frame, picture.at
    wide, high = frame.right - frame.left, frame.bottom - frame.top
    width, height = picture.scale * wide, picture.scale * high
    view = " ".join(f"{UNITS * length:g}" for length in (frame.left, frame.top, wide, high))
    overflow = "hidden" if picture.clipped else "visible"
    place = f'x="{at.x:g}" y="{at.y:g}" width="{width:g}" height="{height:g}"'
    drawn = "".join(element for item in picture.items for element in item_elements(item))
    whole = f'<svg {place} viewBox="{view}" overflow="{overflow}">{drawn}</svg>'
    turn = f"rotate(180 {at.x + width / 2:g} {at.y + height / 2:g})"
    return f'<g transform="{turn}">{whole}</g>' if picture.upside_down else whole

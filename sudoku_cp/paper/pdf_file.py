"""Pages as a PDF: fonts embedded, headings and pictures tagged, links, page boxes; the same pages always make the same bytes.

reportlab embeds the fonts and writes the objects; the content of pages, the structure and the annotations are made here.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, assert_never

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFDocument,
    PDFInfo,
    PDFName,
    PDFObjectReference,
    PDFPage,
    PDFStream,
    PDFString,
    PDFZCompress,
)

from sudoku_cp.paper.sheet_options import LEADING, Page, PageSize, PlacedLink, PlacedPicture, TextBlock, Typefaces
from sudoku_cp.render.geometry import (
    UNITS,
    Circle,
    Curve,
    Point,
    Polygon,
    Polyline,
    Rectangle,
    Routes,
    Text,
    format_length,
    printable,
    turned,
)
from sudoku_cp.render.picture_layers import FAINT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.render.geometry import Shape, Stroke


# Shapes as operators of PDF, written straight into the content of a page.
#
# Coordinates are those of the SVG writer: hundredths of a cell, downwards. The page's matrix turns them over, and texts turn
# back. Colours, widths and dashes are written when they change; a `ShapeWriter` knows the state since the last ``q`` or ``Q``.


_ROUNDNESS = 0.5522847498
"""How far the control points of a cubic curve lie on its tangents, in radii, if it is to be a quarter of a circle."""
_BUTT, _ROUND, _SQUARE = "0 J", "1 J", "2 J"
_MITRED, _ROUNDED = "0 j", "1 j"


class TextEncoder:
    """Texts as strings of PDF in the subsets of fonts that a document embeds."""

    def __init__(self, document: Any, typefaces: Typefaces) -> None:
        """Encode for a document of reportlab."""
        self._document, self._typefaces = document, typefaces
        self._known: dict[tuple[str, bool], tuple[tuple[str, str], ...]] = {}
        self.width = typefaces.width

    def strings(self, text: str, *, bold: bool) -> tuple[tuple[str, str], ...]:
        """Return the parts of a text, each as the name of a font and a string in parentheses."""
        found = self._known.get((text, bold))
        if found is None:
            found = self._known[text, bold] = tuple(
                (run.font.getSubsetInternalName(subset, self._document), _escape(codes))
                for run in self._typefaces.runs(text, bold=bold)
                for subset, codes in run.font.splitString(run.text, self._document)
            )
        return found


def _escape(codes: bytes) -> str:
    """Return bytes as a string of PDF that consists of visible ASCII."""
    return f"({''.join(_ESCAPED[code] for code in codes)})"


_ESCAPED = [chr(code) if 32 <= code < 127 and chr(code) not in "()\\" else f"\\{code:03o}" for code in range(256)]  # noqa: PLR2004  # ASCII


class ShapeWriter:
    """Writes shapes as operators; `operators` are those written so far."""

    def __init__(self, encoder: TextEncoder) -> None:
        """Begin with the state of a new page."""
        self.operators: list[str] = []
        self._encoder = encoder
        self._state: dict[str, str] = {}
        self._saved: list[dict[str, str]] = []

    def save(self, *operators: str) -> None:
        """Save the state, and write operators that change it."""
        self._saved.append(dict(self._state))
        self.operators += ["q", *operators]

    def restore(self) -> None:
        """Return to the state last saved."""
        self._state = self._saved.pop()
        self.operators.append("Q")

    def _set(self, name: str, operator: str) -> None:
        if self._state.get(name) != operator:
            self._state[name] = operator
            self.operators.append(operator)

    def write(self, shape: Shape) -> None:
        """Write a shape."""
        match shape:
            case Circle(centre, radius, fill, stroke):
                self._paint(_circle_path(centre, radius), fill, stroke)
            case Rectangle(box, fill, stroke, radius):
                self._paint(_rectangle_path(*box, radius), fill, stroke)
            case Polygon(corners, fill, stroke):
                self._paint(f"{_line_path(corners)}h\n", fill, stroke)
            case Polyline(points, stroke):
                self._paint(_line_path(points), None, stroke, *_stroke_ends(stroke))
            case Curve(points, stroke):
                self._paint(_curve_path(*points), None, stroke, *_stroke_ends(stroke))
            case Routes(routes, fill, stroke, closed, extended):
                self._paint(_routes_path(routes, closed=closed), fill, stroke, _SQUARE if extended else _BUTT)
            case Text():
                self._write_text(shape)
            case _:
                assert_never(shape)

    def _paint(self, path: str, fill: str | None, stroke: Stroke | None, cap: str = _BUTT, join: str = _MITRED) -> None:
        if fill:
            self._set("fill", f"{_colour(fill)} rg")
        if stroke:
            self._set("stroke", f"{_colour(stroke.colour)} RG")
            self._set("width", f"{format_length(stroke.width)} w")
            self._set("dashes", f"[{' '.join(map(format_length, stroke.dashes))}] 0 d")
            self._set("cap", cap)
            self._set("join", join)
        operator = "B" if fill and stroke else "f" if fill else "S" if stroke else "n"
        self.operators.append(path + operator)

    def _write_text(self, shape: Text) -> None:
        left = shape.at.x - (self._encoder.width(shape.text, bold=shape.bold) * shape.size / 2 if shape.centred else 0)
        place = _text_matrix(Point(left, shape.at.y), shape)
        strings = self._encoder.strings(shape.text, bold=shape.bold)
        size = format_length(shape.size)
        shown = "\n".join(f"{font} {size} Tf {string} Tj" for font, string in strings)
        if shape.halo:
            self._set("stroke", "1 1 1 RG")
            self._set("width", f"{format_length(shape.halo)} w")
            self._set("join", _ROUNDED)
            self._set("dashes", "[] 0 d")
            # The halo is the text once more: a reader is told that it says nothing.
            self.operators.append(f"/Span <</ActualText ()>> BDC\nBT\n{place} 1 Tr\n{shown}\nET\nEMC")
        self._set("fill", f"{_colour(shape.colour)} rg")
        self.operators.append(f"BT\n{place} 0 Tr\n{shown}\nET" if shape.halo else f"BT\n{place}\n{shown}\nET")


def _text_matrix(start: Point, shape: Text) -> str:
    """Return the operator that places a text which begins at a point, before it is turned."""
    if not shape.angle:
        return f"1 0 0 -1 {format_length(start.x)} {format_length(start.y)} Tm"
    begin, right, up = turned([start, start.moved(1, 0), start.moved(0, -1)], shape.pivot, shape.angle)
    directions = " ".join(f"{number:.5f}" for end in (right, up) for number in (end.x - begin.x, end.y - begin.y))
    return f"{directions} {format_length(begin.x)} {format_length(begin.y)} Tm"


# --- paths ------------------------------------------------------------------------------------------------------


def _stroke_ends(stroke: Stroke) -> tuple[str, str]:
    return (_BUTT, _MITRED) if stroke.dashes else (_ROUND, _ROUNDED)


@lru_cache(maxsize=4096)
def _colour(colour: str) -> str:
    """Return the three numbers of a colour ``#RRGGBB``."""
    return " ".join(f"{int(colour[start : start + 2], 16) / 255:.3f}".rstrip("0").rstrip(".") for start in (1, 3, 5))


def _pair(x: float, y: float) -> str:
    return f"{format_length(x)} {format_length(y)}"


def _line_path(points: Iterable[Point]) -> str:
    first, *others = (_pair(x, y) for x, y in points)
    return f"{first} m\n" + "".join(f"{one} l\n" for one in others)


def _cubic(control: Point, other: Point, end: Point) -> str:
    return f"{_pair(*control)} {_pair(*other)} {_pair(*end)} c\n"


def _curve_path(start: Point, towards: Point, end: Point) -> str:
    """Return a quadratic curve as a cubic one, whose control points lie two thirds of the way to that of the quadratic."""
    first, second = (Point(p.x + 2 / 3 * (towards.x - p.x), p.y + 2 / 3 * (towards.y - p.y)) for p in (start, end))
    return f"{_pair(*start)} m\n{_cubic(first, second, end)}"


def _circle_path(centre: Point, radius: float) -> str:
    return _rectangle_path(centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius, radius)


def _rectangle_path(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    """Return a rectangle whose corners are quarters of circles of this radius, or less if that is too large."""
    r = min(radius, (right - left) / 2, (bottom - top) / 2)
    if not r:
        return f"{_pair(left, top)} {_pair(right - left, bottom - top)} re\n"
    k = r * (1 - _ROUNDNESS)
    return (
        f"{_pair(left + r, top)} m\n{_pair(right - r, top)} l\n"
        + _cubic(Point(right - k, top), Point(right, top + k), Point(right, top + r))
        + f"{_pair(right, bottom - r)} l\n"
        + _cubic(Point(right, bottom - k), Point(right - k, bottom), Point(right - r, bottom))
        + f"{_pair(left + r, bottom)} l\n"
        + _cubic(Point(left + k, bottom), Point(left, bottom - k), Point(left, bottom - r))
        + f"{_pair(left, top + r)} l\n"
        + _cubic(Point(left, top + k), Point(left + k, top), Point(left + r, top))
        + "h\n"
    )


@lru_cache(maxsize=256)  # the lines of a grid come again in every picture
def _routes_path(routes: Sequence[tuple[Point, ...]], *, closed: bool) -> str:
    return "".join(_line_path(route) + "h\n" * closed for route in routes)


VERSION = (1, 7)


class FileInfo(NamedTuple):
    """What a file says of itself."""

    title: str
    author: str = ""
    language: str = "en"


class _Page(PDFPage):  # type: ignore[misc]  # reportlab has no types
    """A page that is tagged."""

    __NoDefault__: ClassVar = [*PDFPage.__NoDefault__, "StructParents", "Tabs"]
    ExtGState = None


class _Info(PDFInfo):  # type: ignore[misc]  # as above
    """Title and author, without dates."""

    def format(self, document: Any) -> Any:
        """Return the dictionary as bytes."""
        fields = {"Title": self.title, "Author": self.author, "Creator": "sudoku_cp", "Producer": "reportlab"}
        return PDFDictionary({name: PDFString(text) for name, text in fields.items() if text}).format(document)


def write_pdf(pages: Sequence[Page], size: PageSize, bleed: float, typefaces: Typefaces, about: FileInfo) -> bytes:
    """Return the file; ``size`` is that of the trimmed page and ``bleed`` what is around it, in points."""
    document: Any = PDFDocument(compression=1, invariant=1, pdfVersion=VERSION, lang=about.language)
    document.info = _Info()
    document.info.title, document.info.author = printable(about.title), printable(about.author)
    encoder = TextEncoder(document, typefaces)
    marks = []
    for number, page in enumerate(pages):
        content = page_content(page, size.height + 2 * bleed, bleed, encoder)
        marks.append(content.marks)
        document.addPage(_make_page(page, number, content.operators, size, bleed))
    _add_structure(document, marks)
    add_outline(document, pages)
    document.Catalog.ViewerPreferences = PDFDictionary({"DisplayDocTitle": "true"})
    found: bytes = document.GetPDFData(None)
    return found


def _page_reference(number: int) -> Any:
    return PDFObjectReference(f"Page{number + 1}")


def _make_page(page: Page, number: int, operators: str, size: PageSize, bleed: float) -> Any:
    made: Any = _Page()
    width, height = size.width + 2 * bleed, size.height + 2 * bleed
    made.Contents = _compressed(operators)
    made.MediaBox = made.BleedBox = _box(0, 0, width, height)
    made.TrimBox = _box(bleed, bleed, width - bleed, height - bleed)
    made.StructParents, made.Tabs = number, PDFName("S")
    made.ExtGState = PDFDictionary({FAINT_STATE[1:]: PDFDictionary({"ca": FAINT, "CA": FAINT})})
    made._shadingUsed = {}  # noqa: SLF001  # a canvas would have set it
    links = [item for item in page.items if isinstance(item, PlacedLink)]
    made.Annots = [_link(link, height - bleed, bleed) for link in links]
    return made


def _compressed(operators: str) -> Any:
    """Return the content of a page; by itself reportlab would write it in ASCII, a quarter longer and more slowly."""
    stream: Any = PDFStream(content=operators)
    stream.filters = [PDFZCompress]
    return stream


def _box(left: float, bottom: float, right: float, top: float) -> Any:
    return PDFArray([round(length, 3) for length in (left, bottom, right, top)])


def _link(link: PlacedLink, height: float, bleed: float) -> Any:
    """Return the annotation of a link on a page that begins at this height."""
    left, top, right, bottom = link.box
    fields = {"Type": PDFName("Annot"), "Subtype": PDFName("Link"), "Border": PDFArray([0, 0, 0]), "F": 4}
    fields["Rect"] = _box(left + bleed, height - bottom, right + bleed, height - top)
    if isinstance(link.target, int):
        fields["Dest"] = PDFArray([_page_reference(link.target), PDFName("Fit")])
    else:
        fields["A"] = PDFDictionary({"S": PDFName("URI"), "URI": PDFString(link.target)})
    return PDFDictionary(fields)


# --- structure --------------------------------------------------------------------------------------------------


def _add_structure(document: Any, pages: Sequence[tuple[MarkedContent, ...]]) -> None:
    """Add the tree of headings, paragraphs and pictures, in the order in which they are read."""
    whole = PDFObjectReference("Structure.document")
    rows = [
        [_element(document, mark, page, place, whole) for place, mark in enumerate(marks)] for page, marks in enumerate(pages)
    ]
    parents: list[Any] = []
    for page, row in enumerate(rows):
        parents += [page, PDFArray(row)]
    tree = PDFDictionary({"Nums": PDFArray(parents)})
    root = PDFDictionary(
        {"Type": PDFName("StructTreeRoot"), "K": whole, "ParentTree": document.Reference(tree, "Structure.parents")}
    )
    document.Catalog.StructTreeRoot = document.Reference(root, "Structure.root")
    document.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})
    fields = {"Type": PDFName("StructElem"), "S": PDFName("Document"), "P": PDFObjectReference("Structure.root")}
    document.Reference(PDFDictionary(fields | {"K": PDFArray([one for row in rows for one in row])}), "Structure.document")


def _element(document: Any, mark: MarkedContent, page: int, place: int, parent: Any) -> Any:
    """Return a reference to the element of a marked part."""
    fields = {"Type": PDFName("StructElem"), "S": PDFName(mark.tag), "P": parent, "Pg": _page_reference(page), "K": place}
    if mark.alt:
        fields["Alt"] = PDFString(mark.alt)
    return document.Reference(PDFDictionary(fields), f"Structure.{page}.{place}")


# The outline of a file, which readers show next to its pages: its headings, those of puzzles below those of sections.


_ROOT = "Outline.root"


class _Heading(NamedTuple):
    """A heading: its words, its level (1 or 2) and the index of its page."""

    words: str
    level: int
    page: int


def add_outline(document: Any, pages: Sequence[Page]) -> None:
    """Add an entry for each heading, and have readers show them; nothing if there are fewer than two."""
    headings = [*_headings(pages)]
    if len(headings) < 2:  # noqa: PLR2004  # one says no more than the title
        return
    parents = _parents(headings)
    children: dict[int | None, list[int]] = {}
    for place, parent in enumerate(parents):
        children.setdefault(parent, []).append(place)
    for parent, siblings in children.items():
        for place, before, after in zip(siblings, [None, *siblings], [*siblings[1:], None], strict=False):
            entry = {
                "Title": PDFString(printable(headings[place].words)),
                "Dest": PDFArray([PDFObjectReference(f"Page{headings[place].page + 1}"), PDFName("Fit")]),
                "Parent": _reference(parent),
                **({} if before is None else {"Prev": _reference(before)}),
                **({} if after is None else {"Next": _reference(after)}),
                **_ends(children.get(place, []), opened=False),
            }
            document.Reference(PDFDictionary(entry), _name(place))
    root = {"Type": PDFName("Outlines"), **_ends(children[None], opened=True)}
    document.Outlines = SimpleNamespace(prepare=lambda *_: None, ready=1)  # else reportlab takes ours for one without entries
    document.Catalog.Outlines = document.Reference(PDFDictionary(root), _ROOT)
    document.Catalog.PageMode = PDFName("UseOutlines")


def _headings(pages: Sequence[Page]) -> Iterator[_Heading]:
    """Yield the headings of all pages, in their order."""
    for number, page in enumerate(pages):
        for item in page.items:
            if isinstance(item, TextBlock) and item.tag in {"H1", "H2"} and any(item.lines):
                yield _Heading(" ".join(item.lines), 1 if item.tag == "H1" else 2, number)


def _parents(headings: Sequence[_Heading]) -> list[int | None]:
    """Return the index of the section that each heading belongs to, None for sections and for what comes before any."""
    section: int | None = None
    found = []
    for place, heading in enumerate(headings):
        section = place if heading.level == 1 else section
        found.append(None if heading.level == 1 else section)
    return found


def _ends(children: Sequence[int], *, opened: bool) -> dict[str, Any]:
    """Return the first and the last entry of a level, and how many there are: negative where they are folded."""
    if not children:
        return {}
    count = len(children) if opened else -len(children)
    return {"First": _reference(children[0]), "Last": _reference(children[-1]), "Count": count}


def _name(place: int) -> str:
    return f"Outline.{place}"


def _reference(place: int | None) -> Any:
    return PDFObjectReference(_ROOT if place is None else _name(place))


# The items of a page as its content: operators, with a mark around each part that has a place in the structure.


FAINT_STATE = "/Faint"
"""The graphics state of what need not hold."""
_ASCENT = 0.95
"""From the top of a line to its baseline, in sizes of the font."""


class MarkedContent(NamedTuple):
    """A marked part of a page: its tag in the structure, and words instead of it if it is a picture."""

    tag: str
    alt: str = ""


class PageContent(NamedTuple):
    """The operators of a page, and the marks in them in the order of their numbers."""

    operators: str
    marks: tuple[MarkedContent, ...]


def page_content(page: Page, height: float, bleed: float, encoder: TextEncoder) -> PageContent:
    """Return the content of a page of this height (its bleed included), whose items begin within the bleed."""
    writer, marks = ShapeWriter(encoder), list[MarkedContent]()
    # Downwards, as shapes are; a point is what a cell is in a picture.
    writer.save(f"{1 / UNITS:g} 0 0 {-1 / UNITS:g} {_number(bleed)} {_number(height - bleed)} cm")
    for item in page.items:
        if isinstance(item, TextBlock):
            _open_mark(writer, marks, MarkedContent("" if item.tag == "Artifact" else item.tag))
            _write_block(writer, item, encoder)
            writer.operators.append("EMC")
        elif isinstance(item, PlacedPicture):
            _open_mark(writer, marks, MarkedContent("Figure" if item.alt else "", item.alt))
            _write_picture(writer, item)
            writer.operators.append("EMC")
    writer.restore()
    return PageContent("\n".join(writer.operators), tuple(marks))


def _open_mark(writer: ShapeWriter, marks: list[MarkedContent], mark: MarkedContent) -> None:
    if mark.tag:
        writer.operators.append(f"/{mark.tag} <</MCID {len(marks)}>> BDC")
        marks.append(mark)
    else:
        writer.operators.append("/Artifact BMC")


def _write_block(writer: ShapeWriter, block: TextBlock, encoder: TextEncoder) -> None:
    share = {"left": 0.0, "centre": 0.5, "right": 1.0}[block.align]
    for number, line in enumerate(block.lines):
        x = block.at.x - share * encoder.width(line, bold=block.bold) * block.size
        y = block.at.y + (number * LEADING + _ASCENT) * block.size
        writer.write(Text(Point(x, y), line, block.size, block.colour, block.bold))


def _write_picture(writer: ShapeWriter, picture: PlacedPicture) -> None:
    """Write the items of a picture in its own coordinates."""
    frame, scale = picture.frame, picture.scale
    left, top = UNITS * (picture.at.x - scale * frame.left), UNITS * (picture.at.y - scale * frame.top)
    matrix = f"{_number(scale)} 0 0 {_number(scale)} {_number(left)} {_number(top)} cm"
    if picture.upside_down:
        right, bottom = UNITS * (picture.at.x + scale * frame.right), UNITS * (picture.at.y + scale * frame.bottom)
        matrix = f"{_number(-scale)} 0 0 {_number(-scale)} {_number(right)} {_number(bottom)} cm"
    writer.save(matrix)
    if picture.clipped:
        box = (frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)
        writer.operators.append(f"{' '.join(_number(UNITS * length) for length in box)} re W n")
    for item in picture.items:
        if item.faint:
            writer.save(f"{FAINT_STATE} gs")
        for piece in item.pieces:
            writer.write(piece.shape)
        if item.faint:
            writer.restore()
    writer.restore()


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")

"""Pages as a PDF: fonts embedded, headings and pictures tagged, links, page boxes; the same pages always make the same bytes.

reportlab embeds the fonts and writes the objects; the content of pages, the structure and the annotations are made here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

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

from sudoku_cp.paper.page_items import PlacedLink
from sudoku_cp.paper.pdf_outline import add_outline
from sudoku_cp.paper.pdf_pages import FAINT_STATE, page_content
from sudoku_cp.paper.pdf_shapes import TextEncoder
from sudoku_cp.render.picture_layers import FAINT
from sudoku_cp.render.pieces import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.paper.page_items import Page
    from sudoku_cp.paper.page_sizes import PageSize
    from sudoku_cp.paper.pdf_pages import MarkedContent
    from sudoku_cp.paper.typefaces import Typefaces

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

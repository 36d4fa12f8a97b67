"""The outline of a file, which readers show next to its pages: its headings, those of puzzles below those of sections."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObjectReference, PDFString

from sudoku_cp.paper.page_items import TextBlock
from sudoku_cp.render.pieces import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.paper.page_items import Page

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

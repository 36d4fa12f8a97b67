"""Makes the pictures of printed pages in docs, from the program itself: ``make pictures`` runs this file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pypdfium2
from PIL import Image

from sudoku_cp import Position, read_puzzles
from sudoku_cp.paper import SheetOptions, make_pdf, prepare_puzzles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp import Puzzle

ROOT = Path(__file__).parents[2]
KINDS = ("killer", "thermometer", "arrow", "sandwich", "kropki", "jigsaw")
"""The examples on the sheet, one of each."""
GAP, GREY = 8, "#969696"
"""Between and around pages, in pixels, and its colour."""
COLOURS = 64


class Printed(NamedTuple):
    """What is printed for a picture, which of its pages are shown, and how large: in pixels for a point."""

    puzzles: Sequence[Puzzle]
    options: SheetOptions
    pages: slice
    scale: float


def examples(*kinds: str) -> list[Puzzle]:
    """Return the first puzzle of each kind, of all kinds without any."""
    files = [f"{kind}.jsonl" for kind in kinds] or sorted(path.name for path in (ROOT / "examples/variants").glob("*.jsonl"))
    return [next(iter(read_puzzles(ROOT / "examples/variants" / file))) for file in files]


def pictures() -> dict[str, bytes]:
    """Return the pictures as PNG, by their names."""
    sheet = SheetOptions(per_page=6, solutions="upside-down", title="Six kinds of rules")
    booklet = SheetOptions(per_page=4, solutions="end", title="Variants", author="sudoku_cp", booklet=True)
    return {
        "print-sheet.png": picture_of(Printed(examples(*KINDS), sheet, slice(1), 1.0)),
        "print-booklet.png": picture_of(Printed(examples(), booklet, slice(4), 0.62)),
    }


def picture_of(printed: Printed) -> bytes:
    """Return pages beside each other, as PNG in few colours."""
    prepared = prepare_puzzles(map(Position.of, printed.puzzles), printed.options)
    document = pypdfium2.PdfDocument(make_pdf(prepared, printed.options))
    pages = [page.render(scale=printed.scale).to_pil() for page in [*document][printed.pages]]
    width, height = sum(page.width + GAP for page in pages) + GAP, max(page.height for page in pages) + 2 * GAP
    whole, left = Image.new("RGB", (width, height), GREY), GAP
    for page in pages:
        whole.paste(page, (left, GAP))
        left += page.width + GAP
    file = io.BytesIO()
    whole.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    for name, picture in pictures().items():
        (ROOT / "docs" / name).write_bytes(picture)

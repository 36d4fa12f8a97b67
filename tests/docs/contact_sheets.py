"""Makes the contact sheet of generated variants in docs: ``make pictures`` runs this file.

``python -m tests.docs.contact_sheets FOLDER [NAMES...]`` draws twenty puzzles of each kind, the first of seed 1, into a folder.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from sudoku_cp import generate
from sudoku_cp.render.png_picture import svg_to_png
from sudoku_cp.render.svg_picture import svg
from tests.docs.page_pictures import COLOURS, ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp import Puzzle

KINDS = ("thermometer", "arrow", "kropki", "killer")
"""The rows of the sheet in docs."""
EVERY_KIND = (*KINDS, "sandwich", "xv", "whisper", "renban", "little-killer", "thermometer,kropki,killer")
ACROSS, MANY = 5, 20
SIDE, GAP = 220, 8
"""Pixels of a puzzle, and between two."""


def puzzles(rules: str, count: int) -> list[Puzzle]:
    """Return the first puzzles of seed 1."""
    return [made.puzzle for made in generate(count, seed=1, rules=rules, prove=False)]


def contact_sheet(found: Sequence[Puzzle]) -> bytes:
    """Return pictures of the puzzles, five in a row, as PNG in few colours."""
    rows = -(-len(found) // ACROSS)
    whole = Image.new("RGB", (ACROSS * (SIDE + GAP) + GAP, rows * (SIDE + GAP) + GAP), "white")
    for index, puzzle in enumerate(found):
        picture = Image.open(io.BytesIO(svg_to_png(svg(puzzle)))).convert("RGB")
        picture.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
        row, column = divmod(index, ACROSS)
        whole.paste(picture, (GAP + column * (SIDE + GAP), GAP + row * (SIDE + GAP)))
    file = io.BytesIO()
    whole.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for name in sys.argv[2:] or EVERY_KIND:
            (Path(sys.argv[1]) / f"{name}.png").write_bytes(contact_sheet(puzzles(name, MANY)))
    else:
        found = [puzzle for name in KINDS for puzzle in puzzles(name, ACROSS)]
        (ROOT / "docs" / "generated-variants.png").write_bytes(contact_sheet(found))

"""The documents of f-puzzles.com, as JSON or packed into links: nearly every variant there is."""

from functools import partial

from sudoku_cp.formats.base import Format
from sudoku_cp.formats.links import looks_like, read, write

LINK = "https://f-puzzles.com/?load="

FORMAT = Format(
    "fpuzzles",
    "f-puzzles.com: JSON documents, packed texts and links (also SudokuPad's fpuzzles...), one a line",
    (".fpuzzles",),
    partial(looks_like, pad=False),
    read,
    partial(write, link=LINK, document="fpuzzles_document"),
)

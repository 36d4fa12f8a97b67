"""The documents of SudokuPad (sudokupad.app), as JSON or packed into links: what they say exactly, and our drawing."""

from functools import partial

from sudoku_cp.formats.base import Format
from sudoku_cp.formats.links import looks_like, read, write

LINK = "https://sudokupad.app/scl"

FORMAT = Format(
    "sudokupad",
    "SudokuPad: JSON documents, packed texts and links, one a line; rules are drawn and told in words",
    (".scl", ".sudokupad"),
    partial(looks_like, pad=True),
    read,
    partial(write, link=LINK, document="sudokupad_drawing"),
)

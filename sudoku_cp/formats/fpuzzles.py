"""The documents of f-puzzles.com, as JSON or packed into links: nearly every variant there is."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import Format, Options, Record
from sudoku_cp.formats.links import looks_like, read_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.puzzle import Puzzle

LINK = "https://f-puzzles.com/?load="


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each link, packed text or document."""
    return read_links(lines)


def write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield a link for each puzzle."""
    from sudoku_cp.formats.fpuzzles_document import document_of  # noqa: PLC0415  # sniffing needs no rules
    from sudoku_cp.formats.lzstring import compress  # noqa: PLC0415

    for puzzle in puzzles:
        text = json.dumps(document_of(puzzle), ensure_ascii=False, separators=(",", ":"))
        yield f"{LINK}{compress(text)}\n"


FORMAT = Format(
    "fpuzzles",
    "f-puzzles.com: JSON documents, packed texts and links (also SudokuPad's fpuzzles...), one a line",
    (".fpuzzles",),
    partial(looks_like, pad=False),
    read,
    write,
)

"""OpenSudoku's XML: games with their cells as 81 digits, or as value, notes and "editable" for each cell.

Version 1 states a name and an author for all games, version 2 has folders. Editable digits are a player's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import (
    Encoder,
    Format,
    Options,
    Record,
    attempt_with_warnings,
    collapse_space,
    error_record,
    first_problems,
    keep_changed,
)
from sudoku_cp.formats.board_text.line_classifier import SIDE, format_rows, require_nine
from sudoku_cp.formats.xml_events import escape_attribute, iter_events
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, parse_line
from sudoku_cp.symbols import numerals

_GRID = Grid.square(SIDE)
_TEXTS = ("name", "author", "source", "sourceURL", "description", "comment", "created", "level")
_DATES = ("created",)
"""Elements whose text does not describe a puzzle."""
_KNOWN = frozenset({"opensudoku", "folder", "game", *_TEXTS})
_VERSIONED = re.compile(r"version:\s*(\d{1,3})\s+(.*)", re.DOTALL)
_FIELDS = {1: 3, 2: 3, 3: 3, 4: 4, 5: 5}
"""The number of parts of a cell in each data version: 4 added a second kind of notes, 5 colours."""
_BEGINNING = re.compile(r"\s*(<\?xml[^>]*\?>\s*)?(<!--.*?-->\s*)*<opensudoku[\s>/]", re.DOTALL)


@dataclass
class _Collection:
    """The texts around the games that have been read so far."""

    texts: dict[str, str]
    folder: str = ""


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each game; an error in the XML itself is the last record."""
    collection = _Collection({})
    try:
        for name, attributes, text, line in iter_events(lines, ("opensudoku",)):
            if text is None and name == "folder":
                collection.folder = attributes.get("name", "")
            elif text is None and name == "game":
                yield attempt_with_warnings(line, partial(_make_puzzle, attributes, collection))
            elif text is None and name not in _KNOWN:
                yield error_record(line, f"expected elements of OpenSudoku, got {name[:40]!r}")
            elif text is not None and name in _TEXTS:
                collection.texts[name] = " ".join(text.split())
    except ParseError as error:
        yield error_record(error.line or 1, error)


def _make_puzzle(attributes: Mapping[str, str], collection: _Collection, warnings: list[str]) -> Puzzle:
    if "data" not in attributes:
        raise ParseError("expected a game with the attribute 'data', got one without")
    data = attributes["data"].strip()
    found = _VERSIONED.fullmatch(data)
    texts = collection.texts
    source = texts.get("source", "") or texts.get("sourceURL", "")
    title = collection.folder or texts.get("name", "")
    used = {"author", "source" if texts.get("source") else "sourceURL", *["name"] * (not collection.folder), *_DATES}
    unread = [name for name in _TEXTS if texts.get(name) and name not in used]
    if unread:
        warnings.append(f"not read: {', '.join(unread)}")
    if found is None:
        _, _, givens = parse_line(data, _GRID, numerals(_GRID.values))
    else:
        givens = _parse_cells(int(found[1]), found[2].strip(), warnings)
    return Puzzle(_GRID, givens=givens, title=title, author=texts.get("author", ""), source=source)


def _parse_cells(version: int, text: str, warnings: list[str]) -> dict[int, int]:
    """Return the values of the cells that cannot be edited."""
    if version not in _FIELDS:
        raise ParseError(f"expected data of a version from 1 to {max(_FIELDS)}, got version {version}")
    number = _FIELDS[version]
    # Data of version 2 was written with a bar too many for a while.
    parts = (text.replace("||", "|") if version <= 3 else text).rstrip("|").split("|")  # noqa: PLR2004
    if len(parts) != number * len(_GRID.cells):
        expected = f"{len(_GRID.cells)} cells of {number} parts with '|' after each"
        raise ParseError(f"expected {expected}, got {len(parts)} parts")
    cells = [parts[start : start + number] for start in range(0, len(parts), number)]
    _check_cells(cells)
    values = [int(cell[0]) for cell in cells]
    placed = sum(bool(value) and cell[-1] == "1" for value, cell in zip(values, cells, strict=True))
    noted = sum(any(note not in {"-", "0", ""} for note in cell[1:3][: number - 2]) for cell in cells)
    if placed:
        warnings.append(f"digits of a player are not read: {placed}")
    if noted:
        warnings.append(f"notes of a player are not read: in {noted} cells")
    return {cell: value for cell, value in enumerate(values) if value and cells[cell][-1] == "0"}


def _check_cells(cells: Sequence[Sequence[str]]) -> None:
    wrong = []
    for cell, parts in enumerate(cells):
        name = _GRID.cell_name(cell)
        if not (len(parts[0]) == 1 and parts[0] in "0123456789"):
            wrong.append(f"expected a value from 0 to 9 in {name}, got {parts[0][:12]!r}")
        if parts[-1] not in {"0", "1"}:
            wrong.append(f"expected 0 or 1 (can be edited) for {name}, got {parts[-1][:12]!r}")
    if wrong:
        raise ParseError(first_problems(wrong))


def sniff(head: str) -> bool:
    """Return whether the text begins with the element."""
    return _BEGINNING.match(head) is not None


_END_OF_FOLDER = "  </folder>\n"


def write() -> Encoder:
    """Return a document of version 2, a folder for each run of puzzles of one title."""
    folder: str | None = None

    def game_of(puzzle: Puzzle) -> str:
        nonlocal folder
        require_nine("opensudoku", puzzle)
        title, text = collapse_space(puzzle.title), f'    <game data="{"".join(format_rows(puzzle, "0"))}" />\n'
        if title == folder:
            return text
        before, folder = folder, title
        return _END_OF_FOLDER * (before is not None) + f'  <folder name="{escape_attribute(title)}">\n' + text

    return Encoder(
        game_of,
        '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku version="2">\n',
        lambda: _END_OF_FOLDER * (folder is not None) + "</opensudoku>\n",
    )


FORMAT = Format(
    "opensudoku",
    "OpenSudoku's XML, of version 1 and 2",
    (".opensudoku",),
    sniff,
    read,
    write,
    keep_changed(collapse_space, "title"),
)

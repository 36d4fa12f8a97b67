"""Links of Penpa+: a drawing, of which the digits, killer cages and thermometers of a square board are read.

``p=`` is followed by raw deflate in base64: lines, the first of which states the kind of paper and the texts, the fourth what
the setter has drawn, the sixth the cells of the board. Lines and signs have no meaning in the file; they are named in a warning.
"""

from __future__ import annotations

import binascii
import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import Format, make_rule, read_each_line
from sudoku_cp.formats.grid_text import label_components, most_lines
from sudoku_cp.formats.project_json import unique_fields
from sudoku_cp.grid import MAX_SIDE, Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Houses

if TYPE_CHECKING:
    from sudoku_cp.rules import Rule

_LINK = re.compile(r"(?:https?://\S*)?[#?&](?:\S*&)?p=([A-Za-z0-9+/=%_\-]+)")
_INDEX = re.compile(r"[0-9]{1,8}")
_SITE = re.compile(r"\s*https?://\S*penpa\S*[#?&]p=", re.IGNORECASE)
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|z[0-9A-Z_]')
_LONGEST = 1 << 20
_PAPER = ("square", "sudoku")
_FRAME = 4
"""Cells of paper around the board, two on each side, that the numbering counts."""
_LINES = 6
_NUMBER, _CAGES, _THERMOMETERS, _CORNERS, _EDGES = "zN", "z6", "zT", "z1", "zE"
_DRAWN = {
    "zS": "shaded cells",
    "zY": "symbols",
    "zF": "freehand lines",
    "z2": "small signs",
    "z3": "arrows",
    "zD": "directions",
    "z0": "squares",
    "z5": "polygons",
    "zL": "lines",
    "zW": "walls",
    "zC": "drawn cages",
    "z4": "crosses on lines",
    "z7": "bulbless thermometers",
}
_GIVEN = "1"
"""How a number alone in its cell is written."""


@dataclass(frozen=True)
class _Paper:
    """The size of the paper, by which cells are numbered, and the place of the board on it."""

    width: int
    height: int
    top: int
    left: int
    side: int

    def cell(self, index: int) -> int | None:
        """Return the cell that the drawing numbers ``index``, None outside the board."""
        row, column = divmod(index, self.width)
        row, column = row - self.top, column - self.left
        return row * self.side + column if 0 <= row < self.side and 0 <= column < self.side else None


def _parse_puzzle(line: str, warnings: list[str]) -> Puzzle:
    parts = _unpack(line.strip())
    head = parts[0].split(",")
    if head[0] not in _PAPER:
        raise Unsupported(f"expected a drawing on square paper, got {head[0][:40]!r}")
    drawn, cells = _parse_json(parts[3], dict, "what is drawn"), _parse_json(parts[5], list, "the cells of the board")
    _check_layers(drawn)
    paper = _find_board(head, cells)
    grid = _make_grid(paper, drawn, warnings)
    rules = (Houses(), *_read_cages(paper, drawn, grid, warnings), *_read_thermometers(paper, drawn, warnings))
    strange = [words for key, words in _DRAWN.items() if drawn.get(key)]
    if strange:
        warnings.append(f"drawings whose meaning the file does not show are not read: {', '.join(strange)}")
    texts = [unquote(text) for text in head[15:19]] + [""] * 4
    return Puzzle(
        grid,
        rules,
        _read_givens(paper, drawn, grid, warnings),
        title=texts[0].removeprefix("Title:").strip(),
        author=texts[1].removeprefix("Author:").strip(),
        source=texts[2].strip(),
        ruleset=texts[3].strip(),
    )


def _unpack(link: str) -> list[str]:
    """Return the lines after ``p=``."""
    found = _LINK.search(link)
    if not found:
        raise ParseError(f"expected a link of Penpa+ with 'p=' in it, got {link[:40]!r}")
    try:
        unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
        data = unpacking.decompress(b64decode(unquote(found[1]), validate=True), _LONGEST)
        lines = data.decode().split("\n")
    except (binascii.Error, zlib.error, UnicodeDecodeError, ValueError) as error:
        raise ParseError(f"expected base64 of deflated text after 'p=', got an error in it: {error}") from error
    if unpacking.unconsumed_tail or not unpacking.eof:
        what = f"more than {_LONGEST} bytes" if unpacking.unconsumed_tail else "a truncated one"
        raise ParseError(f"expected a whole drawing after 'p=', got {what}")
    if len(lines) < _LINES:
        raise ParseError(f"expected a drawing of at least {_LINES} lines, got {len(lines)}")
    return lines


def _parse_json(text: str, kind: type, noun: str) -> Any:
    """Parse JSON in which frequent names are short and without quotes."""
    try:
        whole = _WORD.sub(lambda found: found[0] if found[0].startswith('"') else f'"{found[0]}"', text)
        data = json.loads(whole, object_pairs_hook=unique_fields)
    except (ValueError, RecursionError) as error:
        raise ParseError(f"expected JSON for {noun}, got an error in it: {str(error)[:80]}") from error
    if not isinstance(data, kind):
        raise ParseError(f"expected JSON for {noun}, got {text[:40]!r}")
    return data


def _check_layers(drawn: Mapping[str, Any]) -> None:
    """Refuse layers of a wrong type."""
    kinds = dict.fromkeys((_NUMBER, _CORNERS, _EDGES), dict) | dict.fromkeys((_CAGES, _THERMOMETERS), list)
    wrong = [key for key, kind in kinds.items() if not isinstance(drawn.get(key, kind()), kind)]
    if wrong:
        raise ParseError([f"expected a layer of {key} in the drawing, got {str(drawn[key])[:40]!r}" for key in wrong])


def _find_board(head: Sequence[str], deltas: Sequence[object]) -> _Paper:
    if len(head) < 3 or not all(text.isascii() and text.isdecimal() and len(text) < 4 for text in head[1:3]):  # noqa: PLR2004
        raise ParseError(f"expected the width and the height of the paper, got {','.join(head[1:3])[:40]!r}")
    width, height = int(head[1]) + _FRAME, int(head[2]) + _FRAME
    steps = [one for one in deltas if isinstance(one, int) and 0 <= one < 10**6]
    if not steps or len(steps) < len(deltas) or len(deltas) > width * height:
        raise ParseError("expected the numbers of the board's cells, got others")
    places = [divmod(index, width) for index in accumulate(steps)]
    top, left = min(row for row, _ in places), min(column for _, column in places)
    side = max(row for row, _ in places) - top + 1
    square = {(top + row, left + column) for row in range(side) for column in range(side)} if side <= MAX_SIDE else set()
    if set(places) != square or side < 2:  # noqa: PLR2004
        raise Unsupported(f"expected a square board of 2 to {MAX_SIDE} cells a side, got {len(places)} cells of another shape")
    return _Paper(width, height, top, left, side)


def _make_grid(paper: _Paper, drawn: Mapping[str, Any], warnings: list[str]) -> Grid:
    """Return the board with the regions that drawn edges make, or with the usual boxes if they make none."""
    usual, side = Grid.square(paper.side), paper.side
    walls = set()
    for key in drawn.get(_EDGES, {}):
        ends = sorted(_parse_point(text, paper) for text in str(key).split(","))
        walls.add(tuple(ends))
    together = []
    for row, column in usual.places:
        # The corner of a cell at its lower right has the cell's own number, one layer up.
        down, right = paper.top + row, paper.left + column
        if column + 1 < side and ((down - 1, right), (down, right)) not in walls:
            together.append((row * side + column, row * side + column + 1))
        if row + 1 < side and ((down, right - 1), (down, right)) not in walls:
            together.append((row * side + column, (row + 1) * side + column))
    regions = tuple(label_components(side * side, together))
    if all(regions.count(label) == side for label in set(regions)):
        for height in range(2, side):
            if side % height == 0 and Board(side, side, (height, side // height)).labels() == list(regions):
                return Grid.square(side, (height, side // height))
        return Grid.of((Board(side, side, None, regions),), range(1, side + 1))
    boxes = f"boxes of {usual.boards[0].boxes[0]} x {usual.boards[0].boxes[1]} cells" if usual.boards[0].boxes else "no boxes"
    warnings.append(f"the edges drawn make no regions of {side} cells: {boxes} are assumed")
    return usual


def _parse_point(text: str, paper: _Paper) -> tuple[int, int]:
    number = int(text) if _INDEX.fullmatch(text) else -1
    return divmod(number - paper.width * paper.height, paper.width) if number >= 0 else (-1, -1)


def _read_givens(paper: _Paper, drawn: Mapping[str, Any], grid: Grid, warnings: list[str]) -> dict[int, int]:
    givens, others = {}, 0
    for key, entry in _valid_entries(drawn.get(_NUMBER, {})):
        cell = paper.cell(int(key))
        text = str(entry[0]) if entry else ""
        value = int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else -1  # noqa: PLR2004
        if cell is not None and value in grid.values and len(entry) > 2 and str(entry[2]) == _GIVEN:  # noqa: PLR2004
            givens[cell] = value
        else:
            others += 1
    if others:
        warnings.append(f"words, small numbers and numbers beside the board are not read: {others}")
    return givens


def _valid_entries(layer: Mapping[str, Any]) -> list[tuple[str, list[Any]]]:
    """Return the entries of a layer that have the right type."""
    return [(key, entry) for key, entry in layer.items() if _INDEX.fullmatch(key) and isinstance(entry, list)]


def _read_cages(paper: _Paper, drawn: Mapping[str, Any], grid: Grid, warnings: list[str]) -> Iterator[Rule]:
    """Yield the cages, each with the number in the upper left corner of its first cell."""
    corners = {key: str(entry[0]) for key, entry in _valid_entries(drawn.get(_CORNERS, {})) if entry}
    for cells in _cells_of_groups(paper, drawn.get(_CAGES, []), "killer cage", warnings):
        row, column = grid.places[min(cells)]
        index = (paper.top + row) * paper.width + paper.left + column
        text = corners.pop(str(4 * (paper.width * paper.height + index)), "")
        total = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else None  # noqa: PLR2004
        if text and total is None:
            warnings.append(f"the text of a cage is not read: {text[:20]!r}")
        yield make_rule("killer-cage", cells, total)
    if corners:
        warnings.append(f"numbers in corners are not read: {len(corners)}")


def _read_thermometers(paper: _Paper, drawn: Mapping[str, Any], warnings: list[str]) -> Iterator[Rule]:
    for cells in _cells_of_groups(paper, drawn.get(_THERMOMETERS, []), "thermometer", warnings):
        if len(cells) > 1:
            yield make_rule("thermometer", cells)
        else:
            warnings.append("a thermometer of one cell is not read")


def _cells_of_groups(paper: _Paper, groups: Sequence[object], noun: str, warnings: list[str]) -> Iterator[tuple[int, ...]]:
    """Yield the cells of each group on the board; a group wholly outside it is an ornament."""
    for group in groups:
        found = [paper.cell(one) if isinstance(one, int) else None for one in group] if isinstance(group, list) else []
        cells = tuple(cell for cell in found if cell is not None)
        if cells and len(cells) < len(found):
            raise Unsupported(f"expected each {noun} on the board, got one that leaves it")
        if cells:
            yield cells
        else:
            warnings.append(f"a {noun} beside the board is not read")


def sniff(head: str) -> bool:
    """Return whether at least half of the first lines are such links."""
    return most_lines(head, lambda line: _SITE.match(line[:1000]) is not None)


FORMAT = Format(
    "penpa",
    "links of Penpa+: digits, regions, killer cages and thermometers of square boards",
    (),
    sniff,
    read_each_line(_parse_puzzle),
    None,
)

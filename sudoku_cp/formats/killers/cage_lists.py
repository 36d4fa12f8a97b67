"""Killer sudokus as a list of cages by the names of their cells: ``22 = r1c1 + r1c2``, ``22: r1c1 r1c2``, or a table of both.

That values in a cage differ is not said in such a list. It is assumed where the cages are those of a killer: in one piece, no
cell in two of them, and either all cells in one or a word that calls them cages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import Options, first_problems, not_read_lines
from sudoku_cp.formats.grid_text import label_components
from sudoku_cp.formats.killers.cages import SIDE, CellSum, puzzle_from_cages
from sudoku_cp.grid import Grid

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_NAME = r"[rR]\d{1,2}\s?[cC]\d{1,2}"
_CELLS = rf"[\"'(\[]?\s*(?P<cells>{_NAME}(?:[\s+,;&]+{_NAME})*)\s*[\"')\]]?"
_SUM = r"(?:sum\s*)?(?P<total>\d{1,2})"
_SIGN = r"\s*(?:=|:|->|→|[,;|]|\s)\s*"
_FORMS = [
    re.compile(form, re.IGNORECASE)
    for form in (rf"\s*{_SUM}{_SIGN}{_CELLS}\s*[;,.]?\s*", rf"\s*{_CELLS}{_SIGN}{_SUM}\s*[;,.]?\s*")
]
"""A cage with its sum before its cells, or behind them."""
_PLACE = re.compile(r"[rR](\d{1,2})\s?[cC](\d{1,2})")
_CALLED = re.compile(r"\b(?:killer|cages?)\b", re.IGNORECASE)
_HEADER = re.compile(r"(?:cage)?(?:sum|total|value)s?[,;|\s]+cells?|cells?[,;|\s]+(?:sum|total|value)s?", re.IGNORECASE)
_LEAST, _LONGEST = 4, 1 << 16


@dataclass(frozen=True)
class CageList:
    """The cages of a text as rows and columns from 1, the lines that state them, and the lines of words."""

    line: int
    cages: Sequence[tuple[int, int, Sequence[tuple[int, int]]]]
    """The line, the sum and the places of each."""
    words: Sequence[str]

    @property
    def is_called(self) -> bool:
        """Whether a word calls these cages."""
        return any(map(_CALLED.search, self.words))


def find_cages(text: str) -> CageList | None:
    """Return the cages of a text that lists nothing else, None for any other text."""
    if len(text) > _LONGEST or not _PLACE.search(text):
        return None
    lines = [(number, " ".join(line.split())) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    words = [line for _, line in lines if not any(map(str.isdigit, line)) and not _HEADER.fullmatch(line)]
    stated = [(number, line) for number, line in lines if any(map(str.isdigit, line))]
    form = next((form for form in _FORMS if form.fullmatch(stated[0][1])), None) if len(stated) >= _LEAST else None
    found = [form.fullmatch(line) for _, line in stated] if form else []
    cages = [
        (number, int(one["total"]), [(int(row), int(column)) for row, column in _PLACE.findall(one["cells"])])
        for (number, _), one in zip(stated, found, strict=False)
        if one
    ]
    large = sum(len(places) > 1 for _, _, places in cages)
    return CageList(stated[0][0], cages, words) if len(cages) == len(stated) >= _LEAST and 2 * large >= len(cages) else None


def puzzle_from_list(found: CageList, options: Options, warnings: list[str]) -> Puzzle:
    """Return the killer, or raise `ParseError` with what keeps the cages from being those of one."""
    grid = options.grid or Grid.square(SIDE)
    problems = [
        f"expected cells of {grid}, got r{row}c{column} (line {number})"
        for number, _, places in found.cages
        for row, column in places
        if (row - 1, column - 1) not in grid.cell_at
    ]
    if problems:
        raise ParseError(first_problems(problems), line=found.line)
    cages = [
        CellSum(tuple(grid.cell_at[row - 1, column - 1] for row, column in places), total) for _, total, places in found.cages
    ]
    times = Counter(cell for cage in cages for cell in cage.cells)
    problems = [
        f"expected each cell in one cage, got {grid.cell_name(cell)} in several" for cell, many in times.items() if many > 1
    ]
    problems += [
        f"expected a cage in one piece, got cells apart (line {number})"
        for (number, _, _), cage in zip(found.cages, cages, strict=True)
        if not _is_connected(cage.cells, grid)
    ]
    if len(times) < len(grid.cells) and not found.is_called:
        problems.append(f"expected a word such as 'killer' with cages in {len(times)} of {len(grid.cells)} cells, got sums alone")
    if problems:
        raise ParseError(first_problems(problems), line=found.line)
    warnings += [*not_read_lines(found.words, "around the cages"), "read as a killer: the values in a cage differ"]
    return puzzle_from_cages(cages, grid=grid)


def _is_connected(cells: Sequence[int], grid: Grid) -> bool:
    places = [grid.places[cell] for cell in cells]
    beside = [
        (one, other)
        for one, (row, column) in enumerate(places)
        for other, place in enumerate(places)
        if place in {(row + 1, column), (row, column + 1)}
    ]
    return len({*label_components(len(places), beside)}) == 1

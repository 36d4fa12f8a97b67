"""The cells beside the board that a constraint string speaks of: those of ``Var``, and those that two words bring with them.

Rules of this file: a group is a rectangle of its own, row by row; its cells touch each other and nothing else. On our grid each
of them is a board of its own, far from every other cell, so that no rule about the whole grid reaches it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError
from sudoku_cp.grid import Board

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.formats.iss.strings import Word
    from sudoku_cp.grid import Cell, Place

MOST_CELLS = 1000
"""So many cells may there be, those beside the board counted, as in the Interactive Sudoku Solver."""
DOPPELGANGERS = ("DGZ", "DGR", "DGC", "DGB")
"""Beside doppelgangers: a cell that holds 0, and what each column, each row and each box misses."""
REGIONS = "CC"
"""Beside a chaos construction: the number of each cell's region."""

_COUNT = re.compile(r"([1-9]\d{0,2})(?:x([1-9]\d{0,2}))?")
_FAR = 20
_ACROSS = 40


@dataclass(frozen=True)
class Group:
    """Cells beside the board, ``columns`` in a row: called by their prefix and a number from 1, by the prefix alone if alone."""

    prefix: str
    cells: tuple[Cell, ...]
    columns: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells."""
        return tuple(self.prefix + str(number) * (len(self.cells) > 1) for number in range(1, len(self.cells) + 1))

    @cached_property
    def touching(self) -> tuple[tuple[Cell, Cell], ...]:
        """Every two cells that share an edge."""
        across = (pair for number, pair in enumerate(pairwise(self.cells), 1) if number % self.columns)
        return (*across, *zip(self.cells, self.cells[self.columns :], strict=False))

    def place(self, cell: Cell) -> Place:
        """Return the row and the column of a cell in the group."""
        return divmod(self.cells.index(cell), self.columns)

    def at(self, place: Place) -> Cell | None:
        """Return the cell in a row and a column of the group, None where there is none."""
        row, column = place
        inside = 0 <= column < self.columns and 0 <= row * self.columns + column < len(self.cells)
        return self.cells[row * self.columns + column] if inside else None


def read_groups(words: Sequence[Word], board: Board) -> list[Group]:
    """Return the groups beside a board: those of ``Var``, and those of other words where the string names cells of them."""
    sizes = dict[str, tuple[int, int]]()
    for word in words:
        if word.name == "Var":
            prefix, size = _var(word.arguments, board)
            if prefix in sizes:
                raise ParseError(f"Var: expected cells {prefix!r} to be said once, got them twice")
            sizes[prefix] = size
    present = {word.name for word in words}
    named = set(_prefixes(words))
    if "Doppelganger" in present and (sizes or named & {*DOPPELGANGERS}):
        height, width = board.boxes or (0, 1)
        counts = (1, board.columns, board.rows, height * width)
        across = (board.columns, board.columns, board.columns, width)
        sizes |= {prefix: (count, row) for prefix, count, row in zip(DOPPELGANGERS, counts, across, strict=True) if count}
    if "ChaosConstruction" in present and REGIONS in named | ({REGIONS} if present & {"ChaosArrow", "ChaosCount"} else set()):
        sizes[REGIONS] = (board.rows * board.columns, board.columns)
    total = board.rows * board.columns + sum(count for count, _ in sizes.values())
    if total > MOST_CELLS:
        raise ParseError(f"Var: expected at most {MOST_CELLS} cells, those of the board counted, got {total}")
    return list(_numbered(sizes, board.rows * board.columns))


def _var(arguments: Sequence[str], board: Board) -> tuple[str, tuple[int, int]]:
    """Return the prefix that a word says, how many cells, and how many of them are a row."""
    prefix, _, count = (*arguments, "", "", "")[:3]
    found = _COUNT.fullmatch(count or "1")
    if not found or not prefix.isascii() or not prefix.isalpha() or not prefix.isupper():
        raise ParseError(f"Var: expected letters, a label and how many cells such as 'A~sum~2', got {'~'.join(arguments)[:40]!r}")
    return f"V{prefix}", (int(found[1]) * int(found[2] or 1), int(found[2] or board.columns))


def _prefixes(words: Iterable[Word]) -> Iterator[str]:
    """Yield what the names of cells in the words begin with, their numbers left out."""
    for word in words:
        if word.name in {"ChaosArrow", "ChaosCount"}:
            yield REGIONS
        yield from (argument.split("_", 1)[0].rstrip("0123456789") for argument in word.arguments)
        yield from _prefixes(word.inside)


def _numbered(sizes: dict[str, tuple[int, int]], first: Cell) -> Iterator[Group]:
    for prefix, (count, columns) in sizes.items():
        yield Group(prefix, tuple(range(first, first + count)), columns)
        first += count


def boards_beside(groups: Iterable[Group], rows: int) -> list[Board]:
    """Return a board for each cell, below a board of so many rows; they come in the order of the cells."""
    count = len([*chain.from_iterable(group.cells for group in groups)])
    places = ((rows + _FAR * (1 + number // _ACROSS), _FAR * (number % _ACROSS)) for number in range(count))
    return [Board(1, 1, at=place) for place in places]

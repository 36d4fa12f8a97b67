"""Extra cells outside the board: those that ``Var`` declares, and those that two other words bring with them.

A group is a rectangle of its own, row by row; its cells are neighbours of each other and of nothing else. On our grid each of
them is a board of its own, far from every other cell, so that no rule about the whole grid reaches it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.iss.word_syntax import word_text
from sudoku_cp.grid import Board

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.word_syntax import Word
    from sudoku_cp.grid import Cell, Place
    from sudoku_cp.puzzle import Puzzle

MOST_CELLS = 1000
"""Most cells, extra cells included, as in the Interactive Sudoku Solver."""
DOPPELGANGERS = ("DGZ", "DGR", "DGC", "DGB")
"""Extra cells of doppelgangers: a cell that holds 0, and the value missing from each column, row and box."""
REGIONS = "CC"
"""Extra cells of a chaos construction: the number of each cell's region."""

_WITHOUT_CELLS = frozenset({"Shape", "NoBoxes", "Jigsaw", "RegionSize", "SearchPriority", "Priority"})
"""Words whose arguments name no cells of a rule."""
_COUNT = re.compile(r"([1-9]\d{0,2})(?:x([1-9]\d{0,2}))?")
_FAR = 20
_ACROSS, _DOWN = 10, 45
"""Extra cells in a row, so that a terminal has room for it; more if there would be too many rows for a grid."""


@dataclass(frozen=True)
class ExtraCells:
    """A group of cells outside the board, ``columns`` in a row: named by a prefix and a number from 1 (one cell: the prefix)."""

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
        """Return the cell in a row and a column of the group, None if there is none."""
        row, column = place
        inside = 0 <= column < self.columns and 0 <= row * self.columns + column < len(self.cells)
        return self.cells[row * self.columns + column] if inside else None


def read_extra_cells(words: Sequence[Word], board: Board) -> list[ExtraCells]:
    """Return the groups of extra cells: those of ``Var``, and those of other words if the string names any of their cells."""
    sizes = dict[str, tuple[int, int]]()
    for word in words:
        if word.name == "Var":
            prefix, size = _parse_var(word.arguments, board)
            if prefix in sizes:
                raise ParseError(f"Var: expected cells {prefix!r} to be declared once, got them twice")
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
    return list(_number_cells(sizes, board.rows * board.columns))


def _parse_var(arguments: Sequence[str], board: Board) -> tuple[str, tuple[int, int]]:
    """Return the prefix of a Var, the number of cells, and how many are in a row."""
    prefix, _, count = (*arguments, "", "", "")[:3]
    found = _COUNT.fullmatch(count or "1")
    if not found or not prefix.isascii() or not prefix.isalpha() or not prefix.isupper():
        raise ParseError(f"Var: expected letters, a label and how many cells such as 'A~sum~2', got {'~'.join(arguments)[:40]!r}")
    return f"V{prefix}", (int(found[1]) * int(found[2] or 1), int(found[2] or board.columns))


def _prefixes(words: Iterable[Word]) -> Iterator[str]:
    """Yield the prefixes of the cell names in the words."""
    for word in words:
        if word.name in {"ChaosArrow", "ChaosCount"}:
            yield REGIONS
        if word.name not in _WITHOUT_CELLS:
            yield from (argument.split("_", 1)[0].rstrip("0123456789") for argument in word.arguments)
        yield from _prefixes(word.inside)


def _number_cells(sizes: dict[str, tuple[int, int]], first: Cell) -> Iterator[ExtraCells]:
    for prefix, (count, columns) in sizes.items():
        yield ExtraCells(prefix, tuple(range(first, first + count)), columns)
        first += count


def boards_of_extra_cells(groups: Iterable[ExtraCells], rows: int) -> list[Board]:
    """Return a board for each extra cell, in their order, below a board of ``rows`` rows."""
    count = len([*chain.from_iterable(group.cells for group in groups)])
    across = max(_ACROSS, -(-count // _DOWN))
    places = ((rows + _FAR * (1 + number // across), _FAR * (number % across)) for number in range(count))
    return [Board(1, 1, at=place) for place in places]


# --- writing ----------------------------------------------------------------------------------------------------


def find_extra_cells(puzzle: Puzzle) -> list[ExtraCells]:
    """Return groups for the single cells outside the board of a puzzle; refuse cells that strings cannot have there."""
    board, *others = puzzle.grid.boards
    size = board.rows * board.columns
    if not others:
        return []
    if not all(map(_is_far, others, [(board, *others[:index]) for index in range(len(others))])):
        expected = f"one board, and single cells at least {_FAR} rows below it and apart, for the format 'iss'"
        raise Unsupported(f"expected {expected}, got {puzzle.grid}")
    if len(puzzle.grid.cells) > MOST_CELLS:
        raise Unsupported(f"expected at most {MOST_CELLS} cells for the format 'iss', got {len(puzzle.grid.cells)}")
    rules: list[Any] = [*puzzle.rules]
    regions = {rule.regions for rule in rules if rule.kind == "chaos-construction" and rule.regions}
    layouts = {(rule.cells, rule.columns) for rule in rules if rule.kind == "connected-values" and rule.columns}
    found = [ExtraCells(REGIONS, cells, board.columns) for cells in regions]
    layouts -= {(group.cells, group.columns) for group in found}
    free = (f"V{first}{second}" for first in ("", *ascii_uppercase) for second in ascii_uppercase)
    beside = [(cells, columns) for cells, columns in sorted(layouts) if min(cells) >= size]
    found += [ExtraCells(prefix, cells, columns) for (cells, columns), prefix in zip(beside, free, strict=False)]
    used = [*chain.from_iterable(group.cells for group in found)]
    if len(used) > len({*used}) or len(regions) > 1:
        raise Unsupported("expected rules about other cells beside the board each, for the format 'iss', got some about the same")
    rest = tuple(cell for cell in puzzle.grid.cells[size:] if cell not in used)
    return sorted([*found, *([ExtraCells(next(free), rest, board.columns)] if rest else [])], key=lambda group: group.cells)


def _is_far(board: Board, others: Sequence[Board]) -> bool:
    """Return whether a board is a single cell, below the first of the others and far from all that are single cells."""
    first, *singles = others
    (row, column), below = board.at, board.at[0] - first.rows
    apart = all(max(abs(row - other.at[0]), abs(column - other.at[1])) >= _FAR for other in singles)
    return board.rows == board.columns == 1 and below >= _FAR - 1 and apart


def words_of_extra_cells(groups: Iterable[ExtraCells], columns: int) -> list[str]:
    """Return the words that declare these cells; the numbers of regions need none."""
    found = []
    for group in groups:
        rows, rest = divmod(len(group.cells), group.columns)
        usual = group.columns == columns
        if not usual and rest:
            raise Unsupported(f"expected whole rows of {group.columns} cells beside the board, got {len(group.cells)} cells")
        count = len(group.cells) if usual else f"{rows}x{group.columns}"
        if group.prefix != REGIONS:
            found.append(word_text("Var", group.prefix[1:], *([] if group.cells[1:] == () else ["", count])))
    return found

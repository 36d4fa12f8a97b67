"""The board of a constraint string: its shape, its cells by name, and the lines, boxes and windows that words assume.

Sides and values are limited to 16, as in the Interactive Sudoku Solver; a row or column is one character (``R1Ca``: column 10).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from math import isqrt
from string import ascii_uppercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.grid import Board

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid, House, Place
    from sudoku_cp.puzzle import Puzzle


# The constraint string of the Interactive Sudoku Solver as a tree of words: ``.Name~argument~argument``, ``.Or ... .End``.


COMPOSITES = frozenset({"Or", "And", "Replicate"})
"""The words that contain others, up to ``.End``."""
DEEPEST = 8
"""How deep such words may be nested."""
LONGEST_STRING = 1 << 20
"""The longest string: automata of thousands of states take a hundred thousand letters."""
GIVEN = "Given"
"""The name of the empty word."""

_LINK = re.compile(r"[?&#]q=([^&#\s]*)")
_WORD = re.compile(r"[^.]+")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Word:
    """A word of a string with its arguments, and the words inside it; columns count from 1."""

    name: str
    arguments: tuple[str, ...]
    column: int
    inside: tuple[Word, ...] = ()


def find_string(line: str) -> tuple[str, int]:
    """Return the constraint string of a line, which may be a link to it, and the column it begins in."""
    link = _LINK.search(line)
    if link:
        return unquote(link[1]), link.start(1) + 1
    text = line.strip()
    return text, line.index(text) + 1 if text else 1


def parse_words(text: str, column: int = 1) -> tuple[Word, ...]:
    """Return the words of a constraint string that begins in ``column``, or raise `ParseError`."""
    if text[:1] != ".":
        raise ParseError(f"expected a constraint string that begins with '.', got {text[:20]!r}", column=column)
    open_words: list[tuple[Word, list[Word]]] = [(Word("", (), column), [])]
    for found in _parts(text):
        name, *arguments = _SPACE.sub("", found.group()).split("~")
        word = Word(name or GIVEN, tuple(arguments), column + found.start())
        if name == "End":
            if len(open_words) == 1:
                expected = f"an Or, And or Replicate before '.End' at column {word.column}"
                raise ParseError(f"expected {expected}, got none that is open", column=word.column)
            closed, inside = open_words.pop()
            open_words[-1][1].append(Word(closed.name, closed.arguments, closed.column, tuple(inside)))
        elif name in COMPOSITES:
            if len(open_words) > DEEPEST:
                raise ParseError(f"expected at most {DEEPEST} words inside each other, got more", column=word.column)
            open_words.append((word, []))
        else:
            open_words[-1][1].append(word)
    if len(open_words) > 1:
        last = open_words[-1][0]
        raise ParseError(f"expected '.End' after {last.name!r} at column {last.column}, got the end", column=last.column)
    return tuple(open_words[0][1])


def _parts(text: str) -> Iterator[re.Match[str]]:
    """Yield the text after each dot; a dot without text, as at the end of many strings, is ignored."""
    return _WORD.finditer(text)


def word_text(name: str, *arguments: object) -> str:
    """Return a word of a string."""
    return ".".join(["", "~".join(["" if name == GIVEN else name, *map(str, arguments)])])


def composite_text(name: str, inside: Iterable[str], *arguments: object) -> str:
    """Return a word that contains others."""
    return "".join([word_text(name, *arguments), *inside, ".End"])


LONGEST = 16
"""The longest side, and the most values."""
SIGNS = "123456789abcdefg"
"""The character of each row and column."""

_CELL = re.compile(r"[Rr]([1-9a-gA-G])[Cc]([1-9a-gA-G])")
_EXTRA = re.compile(r"(V[A-Z]+|CC|DG[ZRCB])\d*|\$\d+")
_MOST_TOLD = 5
"""Groups of extra cells that an error lists; the others are counted."""
_LINE = re.compile(r"([RC])([1-9]\d?)")
_NUMBER = re.compile(r"-?\d{1,6}")


@lru_cache(maxsize=256)
def box_sides(rows: int, columns: int, size: int) -> tuple[int, int] | None:
    """Return the (height, width) of boxes of ``size`` cells: as square as they can be, rather wide than high."""
    for small in range(isqrt(size), 1, -1):
        large, rest = divmod(size, small)
        if not rest and not rows % small and not columns % large:
            return small, large
        if not rest and not rows % large and not columns % small:
            return large, small
    return None


@dataclass(frozen=True)
class IssLayout:
    """A grid of one board with its extra cells, and what a string states about its shape.

    ``raw`` boards have no houses; ``region_size`` is the stated size of boxes; ``regions`` is false if the string has
    other regions than the grid; ``ties`` says which ranks of lines may be equal; ``groups`` are the extra cells; ``shift`` (rows
    down, columns right) is added to every cell that is read, of the group ``moving`` or of the board.
    """

    grid: Grid
    raw: bool = False
    region_size: int | None = None
    regions: bool = True
    ties: str = "only-unclued"
    groups: Mapping[str, ExtraCells] = field(default_factory=dict)
    shift: Place = (0, 0)
    moving: str = ""

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.grid.boards[0].rows

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.grid.boards[0].columns

    @property
    def size(self) -> int:
        """The number of cells on the board; cells from there on are extra cells."""
        return self.rows * self.columns

    @property
    def values(self) -> range:
        """The values of the grid."""
        return self.grid.values

    @property
    def is_square(self) -> bool:
        """Whether there are as many rows as columns."""
        return self.rows == self.columns

    @property
    def longest(self) -> int:
        """The number of rows or of columns, whichever is larger."""
        return max(self.rows, self.columns)

    def shifted(self, shift: Place, moving: str = "") -> IssLayout:
        """Return the same board with a further shift of the cells of a group, or of the board."""
        if self.shift != (0, 0) and moving != self.moving:
            raise ParseError(f"expected cells of {_group(self.moving)} inside Replicate, got those of {_group(moving)}")
        moved = replace(self, shift=(self.shift[0] + shift[0], self.shift[1] + shift[1]), moving=moving)
        vars(moved)["_extra_cells"] = self._extra_cells  # the same for hundreds of copies
        return moved

    # --- names --------------------------------------------------------------------------------------------------

    @cached_property
    def _extra_cells(self) -> Mapping[str, tuple[ExtraCells, Cell]]:
        found = {
            name: (group, cell) for group in self.groups.values() for name, cell in zip(group.names, group.cells, strict=True)
        }
        return MappingProxyType(found)

    @property
    def _declared_cells(self) -> str:
        """The declared extra cells as the end of an error message; of many groups only the first."""
        ranges = [" to ".join(dict.fromkeys((group.names[0], group.names[-1]))) for group in self.groups.values()]
        more = [f"{len(ranges) - _MOST_TOLD} more"] if len(ranges) > _MOST_TOLD else []
        return f" (beside it are {', '.join([*ranges[:_MOST_TOLD], *more])})" if ranges else ""

    def cell(self, name: str) -> Cell:
        """Return the cell called ``R1Ca``, or one beside the board."""
        found = _CELL.fullmatch(name)
        if not found and name not in self._extra_cells:
            if _EXTRA.fullmatch(name):
                what = f"a cell beside it that no word declares{self._declared_cells}"
                raise Unsupported(f"expected a cell of the board, got {name!r}, {what}")
            raise ParseError(f"expected a cell such as 'R4C7', got {name!r:.40}")
        own = "" if found else self._extra_cells[name][0].prefix
        if self.shift != (0, 0) and own != self.moving:
            raise ParseError(f"expected cells of {_group(self.moving)} inside Replicate, got {name!r}")
        if found:
            row, column = (SIGNS.index(sign.lower()) for sign in found.groups())
        else:
            row, column = self._extra_cells[name][0].place(self._extra_cells[name][1])
        cell = self.at(own, (row + self.shift[0], column + self.shift[1]))
        if cell is None:
            where = "" if self.shift == (0, 0) else " as it is repeated"
            raise ParseError(f"expected a cell of {self.board_name}, got {name!r}{where}")
        return cell

    @property
    def region_numbers(self) -> tuple[Cell, ...]:
        """The extra cells that hold the numbers of unknown regions, if there are any."""
        return self.groups[REGIONS].cells if REGIONS in self.groups else ()

    @property
    def board_name(self) -> str:
        """The board in words."""
        return f"a {self.rows}x{self.columns} grid"

    def at(self, prefix: str, place: Place) -> Cell | None:
        """Return the cell at a place of a group, or of the board (no prefix), None if there is none."""
        if prefix:
            return self.groups[prefix].at(place)
        row, column = place
        return self.grid.cell_at.get(place) if 0 <= row < self.rows and 0 <= column < self.columns else None

    def home(self, cell: Cell) -> tuple[str, Place]:
        """Return the prefix of a cell's group (empty: the board), and its place there."""
        for group in self.groups.values():
            if cell in group.cells:
                return group.prefix, group.place(cell)
        return "", self.grid.places[cell]

    def cells(self, names: Iterable[str]) -> tuple[Cell, ...]:
        """Return the cells of these names; there is at least one."""
        found = tuple(map(self.cell, names))
        if not found:
            raise ParseError("expected cells, got none")
        return found

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""
        prefix, (row, column) = self.home(cell)
        return self.groups[prefix].names[self.groups[prefix].cells.index(cell)] if prefix else f"R{SIGNS[row]}C{SIGNS[column]}"

    def names(self, cells: Iterable[Cell]) -> list[str]:
        """Return the names of cells."""
        return [self.name(cell) for cell in cells]

    def value(self, text: str) -> int:
        """Return a value of the grid."""
        value = number(text)
        if value not in self.values:
            raise ParseError(f"expected a value from {self.values[0]} to {self.values[-1]}, got {text!r}")
        return value

    # --- lines --------------------------------------------------------------------------------------------------

    def line(self, name: str) -> House:
        """Return the row ``R1`` or the column ``C12`` from its first cell."""
        found = _LINE.fullmatch(name)
        if self.shift != (0, 0):
            raise ParseError(f"expected no clue outside the board inside Replicate, got {name!r:.40}")
        if not found or not 1 <= int(found[2]) <= (self.rows if found[1] == "R" else self.columns):
            raise ParseError(f"expected a row or column of {self.grid} such as 'R1', got {name!r:.40}")
        return self._lines[name]

    @cached_property
    def _lines(self) -> Mapping[str, House]:
        at = self.grid.cell_at
        rows = {f"R{row + 1}": tuple(at[row, column] for column in range(self.columns)) for row in range(self.rows)}
        columns = {f"C{column + 1}": tuple(at[row, column] for row in range(self.rows)) for column in range(self.columns)}
        return MappingProxyType(rows | columns)

    def line_name(self, cells: Sequence[Cell]) -> tuple[str, bool] | None:
        """Return the name of a whole line and whether it is read from its first cell; None for other cells."""
        for name, line in self._lines.items():
            if tuple(cells) in (line, line[::-1]):
                return name, tuple(cells) == line
        return None

    @cached_property
    def diagonals(self) -> Mapping[str, House]:
        """Every diagonal of two cells or more, by the name of the cell it is read from, each in one direction only."""
        rows, columns = self.rows, self.columns
        starts = [((row, 0), (1, 1)) for row in range(rows - 1)]
        starts += [((row, columns - 1), (-1, -1)) for row in range(1, rows - 1)]
        starts += [((0, column), (1, -1)) for column in range(1, columns)]
        starts += [((rows - 1, column), (-1, 1)) for column in range(1, columns - 1)]
        found: dict[frozenset[Cell], House] = {}
        for (row, column), (down, right) in starts:
            cells = []
            while (row, column) in self.grid.cell_at:
                cells.append(self.grid.cell_at[row, column])
                row, column = row + down, column + right  # noqa: PLW2901
            if len(cells) > 1:
                found.setdefault(frozenset(cells), tuple(cells))
        return MappingProxyType({self.name(cells[0]): cells for cells in found.values()})

    # --- areas --------------------------------------------------------------------------------------------------

    @property
    def assumed_boxes(self) -> tuple[int, int] | None:
        """The sides of the boxes that words assume, whether the board has them or not."""
        return box_sides(self.rows, self.columns, self.region_size or max(self.rows, self.columns))

    def windows(self) -> list[House]:
        """Return the windows of a windoku."""
        sides = box_sides(self.rows, self.columns, self.region_size or len(self.values))
        if not sides or not self.is_square:
            return []
        height, width = sides
        at = self.grid.cell_at
        return [
            tuple(at[top + down, left + right] for down in range(height) for right in range(width))
            for top in range(1, self.rows - height, height + 1)
            for left in range(1, self.columns - width, width + 1)
        ]

    def disjoint_sets(self) -> list[House]:
        """Return the cells in the same place of every box, for each place."""
        if not self.assumed_boxes or not self.is_square:
            return []
        height, width = self.assumed_boxes
        at = self.grid.cell_at
        return [
            tuple(at[row, column] for row in range(down, self.rows, height) for column in range(right, self.columns, width))
            for down in range(height)
            for right in range(width)
        ]

    def touching(self, cells: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
        """Return the pairs of these cells that share an edge, each pair in the order in which the cells are named."""
        rank = {cell: index for index, cell in reversed([*enumerate(cells)])}
        pairs = (sorted(pair, key=rank.__getitem__) for pair in self.neighbours if rank.keys() >= {*pair})
        return sorted(((one, other) for one, other in pairs), key=lambda pair: (rank[pair[0]], rank[pair[1]]))

    @cached_property
    def neighbours(self) -> tuple[tuple[Cell, Cell], ...]:
        """All pairs of cells that share an edge, extra cells included."""
        return (*self.grid.pairs((0, 1), (1, 0)), *chain.from_iterable(group.touching for group in self.groups.values()))


def _group(prefix: str) -> str:
    return f"the group {prefix!r}" if prefix else "the board"


def number(text: str) -> int:
    """Return a whole number."""
    if not _NUMBER.fullmatch(text):
        raise ParseError(f"expected a whole number, got {text!r:.40}")
    return int(text)


# Extra cells outside the board: those that ``Var`` declares, and those that two other words bring with them.
#
# A group is a rectangle of its own, row by row; its cells are neighbours of each other and of nothing else. On our grid each of
# them is a board of its own, far from every other cell, so that no rule about the whole grid reaches it.


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

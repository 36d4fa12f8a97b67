"""Geometry only: where cells are, what they are called, which of them form houses.

Glossary; every module uses these words in this sense:

- **cell**: an ``int``, the index of a cell of a grid in reading order (row by row); ``r1c1`` of a plain grid is 0.
- **place**: the (row, column) of a cell, counted from 0. Only names count from 1.
- **value**: an ``int`` that a cell can hold, one of ``grid.values``. How it is written is the business of `symbols`.
- **board**: a rectangle of cells with rows, columns and (perhaps) regions. A grid is one board, or several that overlap.
- **house**: a tuple of cells that is a row, a column or a region of a board.

Nothing outside this file assumes that a grid is a rectangle: a grid is cells with places, and houses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import isqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

from sudoku_cp.arguments import CheckedFields, checked
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Cell: TypeAlias = Annotated[int, "cell"]
"""An ``int`` to type checkers; code that reads annotations at run time (fields of rules) can recognise it."""
Place: TypeAlias = tuple[int, int]
House: TypeAlias = tuple[Cell, ...]

MAX_SIDE = 36
"""The longest row or column of a board."""
MAX_VALUE = 61
"""The largest value: 0 to 61 are as many values as there are signs 0-9, A-Z, a-z."""
MAX_BOARDS = 1000
"""The most boards of a grid."""
MAX_START = 999
"""The last row or column of the plane, counted from 0, in which a board can start."""

_MOST_LISTED = 10
"""More boards than these are counted, not listed."""

_NAME = re.compile(r"r([1-9][0-9]{0,3})c([1-9][0-9]{0,3})", re.IGNORECASE)


@dataclass(frozen=True)
class Board(CheckedFields):
    """A rectangle of cells cut into equal boxes, into irregular regions, or not at all.

    ``boxes`` is (height, width). ``regions`` gives every cell of the board, in reading order, the label of its region,
    or None where a cell lies in no region. ``at`` is the place of the top-left cell on the grid's plane.
    """

    such_as: ClassVar[str] = "Board(9, 9, (3, 3))"
    rows: int
    columns: int
    boxes: tuple[int, int] | None = None
    regions: tuple[int | None, ...] | None = None
    at: Place = (0, 0)

    def __post_init__(self) -> None:
        """Refuse a shape that is no board, naming everything wrong with it."""
        super().__post_init__()
        problems = [
            f"expected 1 to {MAX_SIDE} {name}, got {number!r}"
            for name, number in (("rows", self.rows), ("columns", self.columns))
            if not 1 <= number <= MAX_SIDE
        ]
        if self.boxes and self.regions is not None:
            problems.append("expected boxes or irregular regions, got both")
        if self.boxes and (min(self.boxes) < 1 or self.rows % self.boxes[0] or self.columns % self.boxes[1]):
            boxes = "{} rows x {} columns".format(*self.boxes)
            problems.append(f"expected boxes that tile {self.rows} x {self.columns} cells, got boxes of {boxes}")
        if self.regions is not None and len(self.regions) != self.rows * self.columns:
            problems.append(f"expected a region for each of {self.rows * self.columns} cells, got {len(self.regions)}")
        if min(self.at) < 0 or max(self.at) > MAX_START:
            problems.append(f"expected a board to start at a row and a column from 0 to {MAX_START}, got {self.at}")
        if problems:
            raise InvalidInput(problems)

    def places(self) -> list[Place]:
        """Return the places of the board's cells on the plane, in reading order."""
        top, left = self.at
        return [(top + row, left + column) for row in range(self.rows) for column in range(self.columns)]

    def labels(self) -> Sequence[int | None]:
        """Return the region label of every cell in reading order; boxes are numbered in reading order too."""
        if self.regions is not None:
            return self.regions
        if not self.boxes:
            return [None] * (self.rows * self.columns)
        height, width = self.boxes
        across = self.columns // width
        return [r // height * across + c // width for r in range(self.rows) for c in range(self.columns)]


@dataclass(frozen=True)
class Grid(CheckedFields):
    """Cells with places, their houses, and the range of values a cell can hold.

    Make one with `square`, `rectangle` or `jigsaw`, or `of` boards of your own (several that overlap are a samurai): these
    return the same object for the same shape, so that its geometry is computed once.
    """

    such_as: ClassVar[str] = "Grid.square(9)"
    boards: tuple[Board, ...]
    values: range

    def __post_init__(self) -> None:
        """Refuse values outside 0 to 61, and a grid with no boards or too many."""
        super().__post_init__()
        if not 1 <= len(self.boards) <= MAX_BOARDS:
            raise InvalidInput(f"expected a grid of 1 to {MAX_BOARDS} boards, got {len(self.boards) or 'none'}")
        if not self.values or self.values.step != 1 or self.values.start < 0 or self.values.stop > MAX_VALUE + 1:
            raise InvalidInput(f"expected values in one run between 0 and {MAX_VALUE}, got {self.values!r}")

    # --- making one ---------------------------------------------------------------------------------------------

    @staticmethod
    @checked
    @lru_cache(maxsize=256)
    def of(boards: tuple[Board, ...], values: range) -> Grid:
        """Return the grid of these boards, the same object each time."""
        return Grid(boards, values)

    @staticmethod
    @checked
    @lru_cache(maxsize=256)
    def square(size: int = 9, boxes: tuple[int, int] | None = None, values: range | None = None) -> Grid:
        """Return a board of ``size`` x ``size`` cells, with boxes (height, width) as square as they can be."""
        if not 2 <= size <= MAX_SIDE:  # noqa: PLR2004
            raise InvalidInput(f"expected a side of 2 to {MAX_SIDE}, got {size!r}")
        return Grid.rectangle(size, size, boxes or default_boxes(size), values)

    @staticmethod
    @checked
    @lru_cache(maxsize=256)
    def rectangle(rows: int, columns: int, boxes: tuple[int, int] | None = None, values: range | None = None) -> Grid:
        """Return a board of any rectangle, with boxes (height, width) or none; values run from 1 up to the number needed."""
        longest = max(rows, columns, boxes[0] * boxes[1] if boxes else 0)
        return Grid.of((Board(rows, columns, boxes),), values or range(1, longest + 1))

    @staticmethod
    @checked
    @lru_cache(maxsize=256)
    def jigsaw(layout: str, values: range | None = None) -> Grid:
        """Return a board with irregular regions.

        ``layout`` has one word a row and one letter a cell, the same letter in each cell of a region, ``.`` in no region;
        a layout in one word is a square.
        """
        rows = layout.split()
        if len(rows) == 1 and isqrt(len(rows[0])) ** 2 == len(rows[0]):
            word, side = rows[0], isqrt(len(rows[0]))
            rows = [word[start : start + side] for start in range(0, len(word), side)]
        if not rows or len({len(row) for row in rows}) != 1:
            raise InvalidInput(f"expected rows of the same length, got lengths {[len(row) for row in rows]}")
        numbers: dict[str, int] = {}
        labels = tuple(None if sign == "." else numbers.setdefault(sign, len(numbers)) for sign in "".join(rows))
        largest = max((labels.count(label) for label in numbers.values()), default=0)
        longest = max(len(rows), len(rows[0]), largest)
        return Grid.of((Board(len(rows), len(rows[0]), None, labels),), values or range(1, longest + 1))

    # --- cells and their names ----------------------------------------------------------------------------------

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The place of every cell."""
        return tuple(sorted({place for board in self.boards for place in board.places()}))

    @cached_property
    def cells(self) -> range:
        """Every cell."""
        return range(len(self.places))

    @cached_property
    def cell_at(self) -> Mapping[Place, Cell]:
        """The cell at each place that has one."""
        return MappingProxyType({place: cell for cell, place in enumerate(self.places)})

    def cell_name(self, cell: Cell) -> str:
        """Return ``r4c7`` for the cell in row 4, column 7."""
        try:
            return self._cell_names[cell]
        except (TypeError, IndexError):  # no test beforehand: models name cells by the thousand
            last = len(self.cells) - 1
            raise InvalidInput(f"cell_name, cell: expected a cell of {self} (0 to {last}), got {cell!r:.80}") from None

    @cached_property
    def _cell_names(self) -> tuple[str, ...]:
        return tuple([f"r{row + 1}c{column + 1}" for row, column in self.places])

    def parse_cell(self, name: str) -> Cell:
        """Return the cell called ``r4c7``: upper or lower case, with nothing around it."""
        found = _NAME.fullmatch(str(name))
        if not found:
            raise InvalidInput(f"expected a cell such as 'r4c7', got {name!r:.80}")
        cell = self.cell_at.get((int(found[1]) - 1, int(found[2]) - 1))
        if cell is None:
            raise InvalidInput(f"expected a cell of {self}, got {name!r}")
        return cell

    # --- houses -------------------------------------------------------------------------------------------------

    @cached_property
    def houses(self) -> Mapping[str, House]:
        """Every row, column and region by its name: ``row 1``, ``column 9``, ``box 5``, ``region 2 of board 3``."""
        return MappingProxyType(
            {
                name + (f" of board {number}" if len(self.boards) > 1 else ""): house
                for number, board in enumerate(self.boards, 1)
                for name, house in self._houses_of(board)
            }
        )

    @cached_property
    def regions(self) -> tuple[House, ...]:
        """The boxes or irregular regions of every board."""
        return tuple(house for name, house in self.houses.items() if name.startswith(("box", "region")))

    @cached_property
    def lines(self) -> tuple[House, ...]:
        """The rows, then the columns, of every board."""
        return tuple(house for name, house in self.houses.items() if name.startswith(("row", "column")))

    def _houses_of(self, board: Board) -> Iterator[tuple[str, House]]:
        cells = [self.cell_at[place] for place in board.places()]
        labels = board.labels()
        for row in range(board.rows):
            yield f"row {row + 1}", tuple(cells[row * board.columns : (row + 1) * board.columns])
        for column in range(board.columns):
            yield f"column {column + 1}", tuple(cells[column :: board.columns])
        noun = "box" if board.boxes else "region"
        for number, label in enumerate(dict.fromkeys(label for label in labels if label is not None), 1):
            yield f"{noun} {number}", tuple(cell for cell, own in zip(cells, labels, strict=True) if own == label)

    def pairs(self, *steps: Place) -> Iterator[tuple[Cell, Cell]]:
        """Yield every unordered pair of cells one of ``steps`` (rows down, columns right) apart."""
        for (row, column), (down, right) in product(self.places, steps):
            other = self.cell_at.get((row + down, column + right))
            if other is not None:
                yield self.cell_at[row, column], other

    # --- showing ------------------------------------------------------------------------------------------------

    @cached_property
    def is_plain(self) -> bool:
        """Whether the grid is one square board with the usual boxes and values from 1, so that a line of text suffices."""
        size = self.boards[0].rows
        return 2 <= size <= MAX_SIDE and self == Grid.square(size)  # noqa: PLR2004

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the shape alone."""
        return Grid.of, (self.boards, self.values)

    def __str__(self) -> str:
        """Return the shape in words: the boards, and how many of them are single cells."""
        shapes = [f"{board.rows}x{board.columns}" for board in self.boards if (board.rows, board.columns) != (1, 1)]
        single = len(self.boards) - len(shapes)
        parts = [f"{single} single cells" if single > 1 else "a single cell"] if single else []
        if shapes:
            listed = len(shapes) <= _MOST_LISTED
            parts.insert(0, f"a {' + '.join(shapes)} grid" if listed else f"a grid of {len(shapes)} boards")
        return " and ".join(parts)

    def __repr__(self) -> str:
        """Return an expression that rebuilds the grid, the short one where there is one."""
        if self.is_plain:
            return f"Grid.square({self.boards[0].rows})"
        return f"Grid(boards={self.boards!r}, values={self.values!r})"


def default_boxes(size: int) -> tuple[int, int] | None:
    """Return the usual (height, width) of the boxes of a square board: 3x3 at 9, 2x3 at 6; None for a prime side."""
    height = max(factor for factor in range(1, isqrt(size) + 1) if size % factor == 0)
    return (height, size // height) if height > 1 else None

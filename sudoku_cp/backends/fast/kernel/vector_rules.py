"""The rules of sudoku on vectors: a vector is one cell of as many puzzles as there are lanes.

Nothing here moves data from lane to lane: every rule is one logical expression on whole vectors. A *triad* is the cells
that a line shares with a box; a *band* is the lines that run through one row of boxes (or, turned, one column of boxes).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING

from sudoku_cp.backends.fast.kernel.lane_expressions import (
    Condition,
    Lanes,
    Value,
    at_least_two,
    fuse,
    select,
    union,
    unions_of_others,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.backends.fast.kernel.vector_memory import Vectors

    Triad = tuple[int, int]
    """A line of the band and a box of the band."""


_CHAIN = 3
"""The largest size for which removing values one by one is quicker than counting bits by arithmetic."""


@dataclass(frozen=True)
class BoardLayout:
    """A plain grid with boxes of ``height`` x ``width`` cells, and the extra vectors in which the rules keep their results.

    A candidate set is ``bits`` bits wide, value 1 in the lowest. ``counting`` means that all rules that count values apply;
    without it, only those that are `bounding`. ``chained`` means that the processor does not count bits, so that small sizes are
    found by removing one value after the other. ``folded`` means that placed values leave their boxes as the values of their
    triads do, and not before: fewer instructions, which pays though it takes some more rounds. Probes do without, as the
    puzzles that a seed makes depend on their guesses.
    """

    height: int
    width: int
    counting: bool
    chained: bool = False
    folded: bool = False

    @property
    def side(self) -> int:
        """The number of cells in a line, and of values."""
        return self.height * self.width

    @property
    def cells(self) -> int:
        """The number of cells in the grid."""
        return self.side**2

    @property
    def bits(self) -> int:
        """The number of bits of a candidate set in memory."""
        return 16 if self.side <= 16 else 32  # noqa: PLR2004

    @property
    def everything(self) -> int:
        """The set of all values."""
        return (1 << self.side) - 1

    @property
    def bounding(self) -> bool:
        """Whether sizes are only bounded, by removing a few values, in the rules where that pays."""
        return not self.counting and max(self.height, self.width) <= _CHAIN

    # The vectors after those of the cells.

    @property
    def measure(self) -> int:
        """The vector of a number that falls whenever a candidate is removed."""
        return self.cells

    @property
    def before(self) -> int:
        """The vector of the same number a round earlier."""
        return self.cells + 1

    @property
    def smallest(self) -> int:
        """The vector of the least candidate set as a number: 0 in lanes where some cell has no candidates."""
        return self.cells + 2

    @property
    def placeable(self) -> int:
        """The vector of the values that still have a place in every house."""
        return self.cells + 3

    @property
    def ones(self) -> int:
        """The vector of ones: from memory, lest LLVM see through ``x & (x - 1)`` and compute it twice."""
        return self.cells + 4

    @property
    def vectors(self) -> int:
        """The number of vectors of a board, including these."""
        return self.cells + 5

    @cached_property
    def summed(self) -> bool:
        """Whether the sum of all candidate sets fits into a lane and is least where every cell has one."""
        return self.cells * self.everything < 1 << self.bits


@dataclass(frozen=True)
class Band:
    """How the lines of a band lie: ``along`` a line and ``across`` to the next one, in cells.

    There are ``lines`` lines and as many boxes, with ``length`` cells to a triad.
    """

    lines: int
    length: int
    along: int
    across: int

    @property
    def triads(self) -> list[Triad]:
        """Every triad of the band."""
        return [(line, box) for line in range(self.lines) for box in range(self.lines)]

    def cells(self, triad: Triad) -> list[int]:
        """Return the cells of a triad, counted from the band's first."""
        line, box = triad
        return [line * self.across + (box * self.length + place) * self.along for place in range(self.length)]


def begin_round(layout: BoardLayout, board: Vectors) -> None:
    """Reset what the last round noted."""
    board[layout.measure] = 0
    board[layout.smallest] = layout.everything
    board[layout.placeable] = layout.everything


def propagate_rows(layout: BoardLayout, board: Vectors, number: Value) -> None:
    """Apply all rules to the rows of a band."""
    band = Band(layout.height, layout.width, along=1, across=layout.side)
    cells = board.starting_at(number, layout.height * layout.side)
    if not layout.folded:
        for box in range(band.lines):
            eliminate_placed(layout, board, cells, [band.cells((line, box)) for line in range(band.lines)])
    propagate_triads(layout, board, cells, band)


def propagate_columns(layout: BoardLayout, board: Vectors, number: Value) -> None:
    """Apply all rules but that of placed values to the columns of a band, and take the board's measure."""
    band = Band(layout.width, layout.height, along=layout.side, across=1)
    left = propagate_triads(layout, board, board.starting_at(number, layout.width), band)
    measure, smallest = board[layout.measure], board[layout.smallest]
    for candidates in left:
        measure = measure + (candidates if layout.summed else candidates.size())
        smallest = smallest.minimum(candidates)
    board[layout.measure], board[layout.smallest] = measure, smallest


def eliminate_placed(layout: BoardLayout, board: Vectors, cells: Vectors, box: list[list[int]]) -> None:
    """Naked singles: remove each placed value from the other cells of its box.

    The value is then alone in its box, so `propagate_triads` carries it along its row and column.
    """
    candidates = [[cells[cell] for cell in row] for row in box]
    placed = [placed_values(layout, board, row) for row in candidates]
    beside = [unions_of_others(row) for row in placed]
    beyond = unions_of_others([row[0] | others[0] for row, others in zip(placed, beside, strict=True)])
    for row, own, near, far in zip(box, candidates, beside, beyond, strict=True):
        for cell, x, others in zip(row, own, near, strict=True):
            # A value placed twice in a box, which no other rule would notice soon, leaves both cells empty.
            cells[cell] = fuse(lambda x, near, far: x & ~(near | far), x, others, far)


def placed_values(layout: BoardLayout, board: Vectors, cells: Sequence[Lanes]) -> list[Lanes]:
    """Return the value of each cell that has one candidate, the empty set for the others."""
    one = board[layout.ones]
    return [select((x & (x - one)).equals(0), x, 0) for x in cells]


def propagate_triads(layout: BoardLayout, board: Vectors, cells: Vectors, band: Band) -> list[Lanes]:
    """Hidden singles and locked candidates of a band; return what is left in each cell."""
    sets = {triad: [cells[cell] for cell in band.cells(triad)] for triad in band.triads}
    possible = {triad: union(own) for triad, own in sets.items()}
    note_missing(layout, board, band, possible)
    forced = forced_triads(layout, board, band, possible)
    beside: dict[Triad, list[Lanes]] = {}
    if layout.folded and band.along == 1:
        for triad, own in sets.items():
            placed = placed_values(layout, board, own)
            beside[triad] = unions_of_others(placed)
            forced[triad] = forced[triad] | placed[0] | beside[triad][0]
    if band.lines > 3:  # noqa: PLR2004  # in a smaller band another line or box is left without the value
        note_clashing(layout, board, band, forced)
    left = []
    for triad, own in sets.items():
        allowed = ~union(others(band, forced, triad))
        if layout.counting and band.along == 1:
            # If as many values must lie here as there are cells, there is no room for others. In columns this does not pay.
            allowed = select(has_size(layout, board, forced[triad], band.length), allowed & forced[triad], allowed)
        elif layout.bounding and band.along == 1:
            allowed = select(exceeds(board[layout.ones], forced[triad], band.length - 1), allowed & forced[triad], allowed)
        single = forced[triad] & ~at_least_two(own)  # forced into the triad, possible in one cell of it: a hidden single
        for place, cell in enumerate(band.cells(triad)):
            # Loaded again: with many cells there are not enough registers to keep them.
            x = cells[cell]
            if triad in beside:
                x = x & ~beside[triad][place]
            x = x & select((x & single).equals(0), allowed, single)
            cells[cell] = x
            left.append(x)
    return left


def note_missing(layout: BoardLayout, board: Vectors, band: Band, possible: Mapping[Triad, Lanes]) -> None:
    """Note the values that have no place left in a line or a box of the band."""
    placeable = board[layout.placeable]
    for one in range(band.lines):
        placeable = placeable & union(possible[one, box] for box in range(band.lines))
        if band.along == 1:  # the columns' boxes are the rows' boxes
            placeable = placeable & union(possible[line, one] for line in range(band.lines))
    board[layout.placeable] = placeable


def note_clashing(layout: BoardLayout, board: Vectors, band: Band, forced: Mapping[Triad, Lanes]) -> None:
    """Note the values that are forced into two triads of a line or a box as not placeable."""
    lines = [at_least_two([forced[line, box] for box in range(band.lines)]) for line in range(band.lines)]
    boxes = [at_least_two([forced[line, box] for line in range(band.lines)]) for box in range(band.lines)]
    board[layout.placeable] = board[layout.placeable] & ~union([*lines, *boxes])


def forced_triads(layout: BoardLayout, board: Vectors, band: Band, possible: Mapping[Triad, Lanes]) -> dict[Triad, Lanes]:
    """Return the values that must lie in each triad: it is the only one of its line or of its box to have them.

    Or it has no more values than cells, so that it needs them all.
    """
    in_line = [at_least_two([possible[line, box] for box in range(band.lines)]) for line in range(band.lines)]
    in_box = [at_least_two([possible[line, box] for line in range(band.lines)]) for box in range(band.lines)]
    forced = {}
    for (line, box), own in possible.items():
        found = fuse(lambda own, line, box: own & ~(line & box), own, in_line[line], in_box[box])
        if layout.counting:
            found = select(has_size(layout, board, own, band.length), own, found)
        elif layout.bounding and band.along != 1:  # in rows this does not pay
            found = select(exceeds(board[layout.ones], own, band.length), found, own)
        forced[line, box] = found
    return forced


def has_size(layout: BoardLayout, board: Vectors, values: Lanes, number: int) -> Condition:
    """Return the lanes in which a set has so many values; at least one."""
    if not layout.chained or number > _CHAIN:
        return values.size().equals(number)
    one = board[layout.ones]
    for _ in range(number - 1):
        values = values & (values - one)
    return values.differs(0) & (values & (values - one)).equals(0)


def exceeds(one: Lanes, values: Lanes, number: int) -> Condition:
    """Return the lanes in which a set has more values than ``number``; ``one`` is the vector of ones.

    Where a set has fewer values than its cells need, the lane is contradictory whatever a rule makes of it.
    """
    for _ in range(number):
        values = values & (values - one)
    return values.differs(0)


def others(band: Band, sets: Mapping[Triad, Lanes], triad: Triad) -> list[Lanes]:
    """Return the sets of the other triads in the triad's line and in its box."""
    line, box = triad
    return [sets[line, k] for k in range(band.lines) if k != box] + [sets[k, box] for k in range(band.lines) if k != line]


def lane_outcomes(layout: BoardLayout, board: Vectors) -> tuple[Condition, ...]:
    """Return the lanes that are contradictory, those whose measure is the least possible, and those in which nothing changed."""
    measure = board[layout.measure]
    dead = board[layout.smallest].equals(0) | board[layout.placeable].differs(layout.everything)
    unchanged = measure.equals(board[layout.before])
    board[layout.before] = measure
    least = layout.side * layout.everything if layout.summed else layout.cells
    return dead, measure.equals(least), unchanged


def full_lanes(layout: BoardLayout, board: Vectors) -> tuple[Condition, ...]:
    """Return the lanes in which every house has all values.

    Where the measure is also the least possible and no cell is empty, each cell of them has one candidate: the lane is solved.
    """
    side, height, width = layout.side, layout.height, layout.width
    columns: list[list[Lanes]] = [[] for _ in range(side)]
    houses = []
    for corner in range(0, layout.cells, height * side):
        triads: dict[Triad, Lanes] = {}
        for line in range(height):
            row = [board[corner + line * side + place] for place in range(side)]
            for column, x in zip(columns, row, strict=True):
                column.append(x)
            triads |= {(line, box): union(row[box * width : (box + 1) * width]) for box in range(height)}
        houses += [union(triads[line, box] for box in range(height)) for line in range(height)]
        houses += [union(triads[line, box] for line in range(height)) for box in range(height)]
    houses += [union(column) for column in columns]
    return (reduce(Lanes.__and__, houses).equals(layout.everything),)

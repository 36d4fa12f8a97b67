"""The engine ``fast``: plain grids only, recognised by their houses."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.backends.base import NOTHING, UNLIMITED, ArrayAnswer, Assumed, Clock, Limits, Session, Solution
from sudoku_cp.backends.fast import SHAPES, Boxes, shape_of, side_of
from sudoku_cp.errors import LimitReached, UnknownName, Unsupported
from sudoku_cp.model import AllDifferent, Constraint, Domain, Model, members
from sudoku_cp.time_limits import loading, ticked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.grid import Cell


class Fast:
    """Solves one puzzle by big integers, arrays by vector lanes; ``fast:bigint`` and ``fast:lanes`` use only one of them.

    ``fast:scalar`` has a search of its own, and can prove what the lanes find.
    """

    name = "fast"
    takes: frozenset[type[Constraint]] = frozenset({AllDifferent})

    def __init__(self, kind: str = "") -> None:
        """Choose the kind, one of `KINDS`."""
        if kind not in KINDS:
            raise UnknownName("kind of the fast engine", kind, filter(None, KINDS))
        self.name = f"fast:{kind}" if kind else "fast"
        self._session = KINDS[kind]

    def open(self, model: Model) -> Session:
        """Return a session on ``model``; raise `Unsupported` unless it is the houses of a plain grid."""
        boxes = shape_of(model)
        if boxes is None:
            shapes = ", ".join(f"{height}x{width}" for height, width in SHAPES)
            raise Unsupported(f"{self.name}: expected a square with boxes of {shapes} and no other rules; got another model")
        return self._session(boxes)


class BigIntSession:
    """One shape of grid, solved one puzzle at a time by big integers."""

    def __init__(self, boxes: Boxes) -> None:
        """Keep the shape; the first question prepares what it needs, within its own limits."""
        self._boxes = boxes
        self._counts = dict.fromkeys(COUNTERS, 0)
        self._stack: Stack = []

    def counters(self) -> Mapping[str, int]:
        """Return nodes, guesses and backtracks of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a grid that propagation has narrowed."""
        clock = limits.started()
        self._counts = counts = dict.fromkeys(COUNTERS, 0)
        board = bitplane_board(*self._boxes)
        self._stack = stack = [(grid_from(board, assume), 0)]
        yield from search(board, stack, clock, counts)

    def unsearched(self) -> list[Assumed]:
        """Return grids, as candidates, that together have the solutions not yet found when a limit stopped the last question."""
        board = bitplane_board(*self._boxes)
        return [candidates(board, grid) for grid, _ in ticked(self._stack)]


class _SolvesArrays:
    """A session that answers arrays, by vector lanes where it names no other solver."""

    _boxes: Boxes

    def solve_many(
        self,
        puzzles: NDArray[Any],
        solution_limit: int | None = 2,
        *,
        candidates: bool = False,
        limits: Limits = UNLIMITED,
        threads: int = 1,
    ) -> ArrayAnswer:
        """Count the solutions of each of ``puzzles`` up to ``solution_limit`` and keep the first."""
        solve_many = self._load_solver()
        return solve_many(puzzles, solution_limit, boxes=self._boxes, candidates=candidates, limits=limits, threads=threads)

    def _load_solver(self) -> Callable[..., ArrayAnswer]:
        with loading():
            from sudoku_cp.backends.fast.lane_solver import solve_many  # noqa: PLC0415  # 0.3 s, with Numba

        return solve_many


class FastSession(_SolvesArrays, BigIntSession):
    """One shape of grid: one puzzle by big integers, arrays of them by vector lanes."""


class LaneSession(_SolvesArrays):
    """One shape of grid, everything by vector lanes."""

    def __init__(self, boxes: Boxes) -> None:
        """Keep the shape; the first question loads the kernel."""
        self._boxes = boxes
        self._counts = {"nodes": 0}

    def counters(self) -> Mapping[str, int]:
        """Return how many grids the kernel searched for the last question, as nodes."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a grid that the kernel searches."""
        clock = limits.started()
        self._counts = counts = {"nodes": 0}
        clock.check()
        with loading():
            from sudoku_cp.backends.fast.lane_solver import partition_around  # noqa: PLC0415  # 0.3 s, with Numba
            from sudoku_cp.backends.fast.puzzle_arrays import grid_from_assumptions  # noqa: PLC0415  # it needs NumPy

        batch = grid_from_assumptions(side_of(self._boxes), assume)[None]
        waiting: list[tuple[NDArray[np.uint32], NDArray[np.uint8]]] = []
        while batch.all():
            clock.nodes += len(batch)
            counts["nodes"] += len(batch)
            clock.check()
            found = self.solve_many(batch, candidates=True, limits=clock.left())
            for grid, solution, count in zip(batch, found.solutions, found.counts, strict=True):
                if count:
                    yield tuple(solution.tolist())
                if count > 1:
                    waiting.append((grid, solution))
            if found.stopped(2).any():
                clock.check()
                counts["nodes"] += (clock.nodes_left() or 0) + 1  # the kernel has spent all nodes it was allowed
                raise LimitReached("nodes", f"{clock.elapsed:.3g} s, {counts['nodes']} nodes")
            if not waiting:
                return
            batch = partition_around(*waiting.pop())


class ScalarSession(_SolvesArrays):
    """One shape of grid, one puzzle at a time in compiled code."""

    def __init__(self, boxes: Boxes) -> None:
        """Keep the shape; the first question loads the kernel."""
        self._boxes = boxes
        self._counts = {"nodes": 0}

    def counters(self) -> Mapping[str, int]:
        """Return nodes, guesses and backtracks of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a grid that propagation has narrowed."""
        clock = limits.started()
        self._counts = counts = {"nodes": 0}
        with loading():
            from sudoku_cp.backends.fast.scalar_solver import iter_solutions  # noqa: PLC0415  # 0.3 s, with Numba

        yield from iter_solutions(self._boxes, assume, clock, counts)

    def _load_solver(self) -> Callable[..., ArrayAnswer]:
        with loading():
            from sudoku_cp.backends.fast.scalar_solver import solve_many  # noqa: PLC0415  # 0.3 s, with Numba

        return solve_many


KINDS: Mapping[str, type[BigIntSession | LaneSession | ScalarSession]] = {
    "": FastSession,
    "bigint": BigIntSession,
    "lanes": LaneSession,
    "scalar": ScalarSession,
}
"""The session of each kind (what follows the colon)."""


# One puzzle at a time in plain Python: all candidates of the grid are the bits of one integer.
#
# Every step acts on all values and all cells at once, in the terms of `bitplanes`.


# The layout of a shape of grid as big integers: the bit of each candidate, and the masks that propagation needs.
#
# - **plane**: the bits of one value, one for each cell; the planes follow each other.
# - **segment**: the cells that a line (row or column) and a box have in common; its first cell stands for it.
#
# A group is folded onto its first member by shifts, and unfolded by a product, whose terms never overlap.


Bits: TypeAlias = int
"""A set of candidates, or of places in a plane."""


def _bits(places: Iterable[int]) -> Bits:
    return sum(1 << place for place in places)


class ShiftGroup:
    """Bits at equal distances, such as the cells of a segment; the first one represents them all."""

    __slots__ = ("shifts", "whole")

    def __init__(self, count: int, step: int) -> None:
        """Compute the shifts of ``count`` members a ``step`` apart, and ``whole``: a first times it sets all members."""
        self.shifts = tuple(range(step, count * step, step))
        self.whole = _bits((0, *self.shifts))

    def any(self, members: Bits) -> Bits:
        """Return, at each first, whether any member is set (and nonsense elsewhere)."""
        found = members
        for shift in self.shifts:
            found |= members >> shift
        return found

    def any_and_more(self, members: Bits) -> tuple[Bits, Bits]:
        """Return, at each first, whether any member is set, and whether more than one is."""
        shifts = self.shifts
        if len(shifts) == 2:  # noqa: PLR2004  # most have three members: a special formula saves 5% of the time
            second, third = members >> shifts[0], members >> shifts[1]
            found = members | second
            return found | third, members & second | third & found
        found, more = members, 0
        for shift in shifts:
            other = members >> shift
            more |= found & other
            found |= other
        return found, more


class SegmentDirection:
    """One way to cut every line and box into segments: along the rows, or along the columns."""

    __slots__ = ("cells", "firsts", "in_box", "in_line", "lines")

    def __init__(self, cells: ShiftGroup, in_line: ShiftGroup, in_box: ShiftGroup, firsts: Bits, lines: Bits) -> None:
        """Keep the cells of a segment, the segments of a line and of a box, the first cells of all segments and lines."""
        self.cells, self.in_line, self.in_box, self.firsts, self.lines = cells, in_line, in_box, firsts, lines


class BitplaneBoard:
    """The masks of all grids with boxes of one height and width."""

    __slots__ = ("box", "boxes", "columns", "every", "far", "full", "houses", "near", "plane", "planes", "rows")

    def __init__(self, height: int, width: int) -> None:
        """Compute the masks for boxes of ``height`` rows and ``width`` columns."""
        side = height * width
        size = side * side
        whole, tops, lefts = range(side), range(0, side, height), range(0, side, width)

        def at(rows: range, columns: range) -> Bits:
            return _bits(row * side + column for row in rows for column in columns)

        self.planes = range(0, side * size, size)
        """Where the plane of each value begins."""
        self.near, self.far = ShiftGroup(width, size), ShiftGroup(height, width * size)
        """The planes within a group of ``width`` values, and the ``height`` such groups."""
        self.every = _bits(self.planes)
        self.plane = (1 << size) - 1
        self.full = (1 << side * size) - 1
        self.box = at(range(height), range(width))
        self.boxes = at(tops, lefts) * self.every
        """The first cell of every box."""
        beside, below = ShiftGroup(width, 1), ShiftGroup(height, side)
        row, column = at(range(1), whole), at(whole, range(1))
        self.rows = SegmentDirection(beside, ShiftGroup(height, width), below, at(whole, lefts) * self.every, column * self.every)
        self.columns = SegmentDirection(
            below, ShiftGroup(width, height * side), beside, at(tops, whole) * self.every, row * self.every
        )
        self.houses = {
            1 << down * side + right: row << down * side
            | column << right
            | self.box << down // height * height * side + right // width * width
            for down in whole
            for right in whole
        }
        """For the bit of each cell in a plane, the cells in its houses."""


@lru_cache(maxsize=32)
def bitplane_board(height: int, width: int) -> BitplaneBoard:
    """Return the board with boxes of ``height`` rows and ``width`` columns, the same object each time."""
    return BitplaneBoard(height, width)


Stack: TypeAlias = list[tuple[Bits, Bits]]
"""Grids that have no solution in common, each with the place of the guess that led to it."""

COUNTERS = ("nodes", "guesses", "backtracks")
TIGHT = 3
"""Extra weight of a candidate shared with a cell that also has the fewest candidates (best by measurement: 2 to 4)."""


# --- propagation ------------------------------------------------------------------------------------------------


def _exclude_by_segments(grid: Bits, way: SegmentDirection, boxes: Bits) -> tuple[Bits, Bits]:
    """Return the grid without what segments exclude, and the candidates alone in a line or box; zeros on a contradiction.

    A value with a single segment left in a line or in a box is needed there, so it is excluded from the other segments
    of that line and box. For 3x3 boxes this is all that can be deduced about a value in a band.
    """
    in_line, in_box, lines = way.in_line, way.in_box, way.lines
    some, crowded = way.cells.any_and_more(grid)
    some &= way.firsts
    line_has, line_has_more = in_line.any_and_more(some)
    box_has, box_has_more = in_box.any_and_more(some)
    if line_has & lines != lines or box_has & boxes != boxes:
        return 0, 0
    needed = some & ~((line_has_more & lines) * in_line.whole & (box_has_more & boxes) * in_box.whole)
    lines_in_need, boxes_in_need = in_line.any(needed) & lines, in_box.any(needed) & boxes
    if not lines_in_need.bit_count() == boxes_in_need.bit_count() == needed.bit_count():  # a value needed twice in a line or box
        return 0, 0
    excluded = (lines_in_need * in_line.whole | boxes_in_need * in_box.whole) & (some ^ needed)
    segment = way.cells.whole
    return grid & ~(excluded * segment), grid & (needed & ~crowded) * segment


def propagate(board: BitplaneBoard, grid: Bits) -> Bits:
    """Return ``grid`` without the candidates that propagation excludes; 0 if it has no solution."""
    rows, columns, near, far = board.rows, board.columns, board.near, board.far
    plane, every, boxes = board.plane, board.every, board.boxes
    before = 0
    while grid != before:
        before = grid
        some, more = near.any_and_more(grid)
        found, most = far.any_and_more(some)
        if found & plane != plane:
            return 0
        alone = grid & (plane & ~(most | far.any(more))) * every
        held = rows.in_box.any(rows.cells.any(alone) & rows.firsts) & boxes
        if held.bit_count() != alone.bit_count():  # a value twice in a box
            return 0
        grid &= ~(held * board.box) | alone
        grid, alone = _exclude_by_segments(grid, rows, boxes)
        grid, other = _exclude_by_segments(grid, columns, boxes)
        if not grid:
            return 0
        alone |= other
        settled = far.any(near.any(alone)) & plane
        if settled.bit_count() != alone.bit_count():  # two values in a cell
            return 0
        grid &= ~(settled * every) | alone
    return grid


# --- search -----------------------------------------------------------------------------------------------------


def grid_from(board: BitplaneBoard, assume: Assumed) -> Bits:
    """Return the empty grid under ``assume``."""
    planes = [0] * len(board.planes)
    every = (2 << len(planes)) - 2
    cells = 0
    for cell, allowed in assume.items():
        place = 1 << cell
        cells |= place
        for value in members(allowed & every):
            planes[value - 1] |= place
    return board.full & ~(cells * board.every) | sum(plane << start for plane, start in zip(planes, board.planes, strict=True))


def candidates(board: BitplaneBoard, grid: Bits) -> dict[Cell, Domain]:
    """Return the candidates (bits) of every cell; the inverse of `grid_from`."""
    planes = [(1 << value, grid >> start & board.plane) for value, start in enumerate(board.planes, 1)]
    return {cell: sum(value for value, plane in planes if plane & place) for cell, place in enumerate(board.houses)}


def values_of(board: BitplaneBoard, grid: Bits) -> Solution:
    """Return the value of every cell of a grid that has one candidate in each."""
    values = [0] * len(board.houses)
    for value, start in enumerate(board.planes, 1):
        for cell in members(grid >> start & board.plane):
            values[cell] = value
    return tuple(values)


def _select_place(board: BitplaneBoard, grid: Bits) -> Bits:
    """Return the place to guess in: of those with the fewest candidates, the one that shares most candidates with its peers."""
    planes = [grid >> start & board.plane for start in board.planes]
    one = two = three = 0
    for plane in planes:
        three |= two & plane
        two |= one & plane
        one |= plane
    places = _single_bits(two & ~three) or _places_with_fewest(planes, _single_bits(two))
    fewest = sum(places)
    scores = dict.fromkeys(places, 0)
    for plane in planes:
        tight = plane & fewest
        for place in _single_bits(tight):
            houses = board.houses[place]
            scores[place] += (plane & houses).bit_count() + TIGHT * (tight & houses).bit_count()
    return max(scores, key=scores.__getitem__)


def _places_with_fewest(planes: Sequence[Bits], places: Sequence[Bits]) -> list[Bits]:
    """Return the places with the fewest candidates."""
    counts = {place: sum(1 for plane in planes if plane & place) for place in places}
    fewest = min(counts.values())
    return [place for place, count in counts.items() if count == fewest]


def _single_bits(bits: Bits) -> list[Bits]:
    """Return every bit on its own, the lowest first."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest)
        bits ^= lowest
    return found


def search(board: BitplaneBoard, stack: Stack, clock: Clock, counts: dict[str, int]) -> Iterator[Solution]:
    """Yield every solution within the grids of ``stack``; a node is a grid that was propagated.

    ``counts`` is kept up to date, and so is ``stack``: after `LimitReached` it holds what has not been searched.

    Guesses are made in the places of the last two contradictions while these are open (last-conflict reasoning; Lecoutre, Sais,
    Tabary and Vidal, 2009): cells that cannot be filled together are found once, not again under each guess elsewhere.
    """
    cells = len(board.houses)
    last, before = 0, 0
    while stack:
        clock.nodes += 1
        counts["nodes"] += 1
        clock.check()
        grid, place = stack.pop()
        grid = propagate(board, grid)
        if not grid:
            counts["backtracks"] += 1
            if place != last:
                last, before = place, last
        elif grid.bit_count() == cells:
            yield values_of(board, grid)
        else:
            counts["guesses"] += 1
            place = next((one for one in (last, before) if _is_open(board, grid, one)), 0) or _select_place(board, grid)
            choices = grid & place * board.every
            stack += [(grid & ~choices | choice, place) for choice in _single_bits(choices)]


def _is_open(board: BitplaneBoard, grid: Bits, place: Bits) -> bool:
    return (grid & place * board.every).bit_count() > 1

"""One puzzle at a time in plain Python: all candidates of the grid are the bits of one integer.

Every step acts on all values and all cells at once, in the terms of `bitplanes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.backends.fast.bitplanes import Bits
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.backends.base import Assumed, Clock, Solution
    from sudoku_cp.backends.fast.bitplanes import BitplaneBoard, SegmentDirection
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain

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

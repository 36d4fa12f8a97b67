"""Sue de Coq: cells where box and line cross, with cells of the line's and the box's rest that take all their surplus values."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.removable_places import BarrenSearches
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step, distinct, once_in
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import BoxLineCrossing, CellSet
    from sudoku_cp.model import Domain

_SIZES = (2, 3)
"""Cells of the crossing that a pattern takes."""
_ALL_SUBSETS, _WIDEST = 8, 3
"""Of so many open cells in the rest of a line or box all subsets are looked at; of more, those of 3 cells."""


_barren = BarrenSearches()


class _Side(NamedTuple):
    """Cells of the rest of a line or box; ``room`` is how many values of the crossing they take."""

    cells: CellSet
    values: Domain
    room: int


def sue_de_coqs(board: CandidateBoard) -> Iterator[Step]:
    """Yield the patterns in all crossings of a box and a line."""
    layout = board.layout
    for crossing in layout.crossings:
        line, box = (layout.readers[house](board.candidates) for house in (crossing.line, crossing.box))
        cells = layout.groups[crossing.line].mask | layout.groups[crossing.box].mask
        key = layout, crossing, cells & board.open, line, box
        yield from _barren.steps_of(key, partial(_at_crossing, board, crossing))


def _at_crossing(board: CandidateBoard, crossing: BoxLineCrossing) -> Iterator[Step]:
    """Yield the patterns with two or three open cells of a crossing that have two values or more too many."""
    shared = members(crossing.mask & board.open)
    for size in _SIZES:
        for cells in map(to_mask, combinations(shared, size)):
            values = board.values_in(cells)
            if values.bit_count() >= size + 2:
                yield from _around(board, crossing, cells, values)


def _around(board: CandidateBoard, crossing: BoxLineCrossing, cells: CellSet, values: Domain) -> Iterator[Step]:
    """Yield the patterns with these cells of the crossing."""
    surplus = values.bit_count() - cells.bit_count()
    line_rest, box_rest = (board.layout.groups[house].mask & board.open & ~cells for house in (crossing.line, crossing.box))
    if surplus > _widest(line_rest) + _widest(box_rest):
        return
    on_line, boxes = (_sides(board, rest, values, surplus - 1) for rest in (line_rest, box_rest))
    if not _may_meet(on_line, boxes, values, surplus):
        return
    in_box: defaultdict[int, list[_Side]] = defaultdict(list)
    for box in boxes:
        in_box[box.room].append(box)
    for line in on_line:
        board.tick()
        for box in in_box.get(surplus - line.room, ()):
            if not line.cells & box.cells and not line.values & box.values & values:
                step = _step(board, crossing, CellsAndValues(cells, values), line, box)
                if step.eliminations:
                    yield step


def _may_meet(lines: Iterable[_Side], boxes: Iterable[_Side], values: Domain, surplus: int) -> bool:
    """Return whether some two sides take the whole surplus and share none of the values: many have the same room and values."""
    in_box = {(box.room, box.values & values) for box in boxes}
    on_line = {(line.room, line.values & values) for line in lines} if in_box else ()
    return any(one + other == surplus and not taken & held for one, taken in on_line for other, held in in_box)


def _widest(rest: CellSet) -> int:
    """Return how many of these open cells are taken at most."""
    return rest.bit_count() if rest.bit_count() <= _ALL_SUBSETS else _WIDEST


def _sides(board: CandidateBoard, rest: CellSet, values: Domain, most: int) -> list[_Side]:
    """Return the sets of the open cells ``rest`` that take at least one of ``values``, and at most ``most``.

    A set with as many foreign values as cells takes none: so one with more of them than further cells can make up for is left.
    """
    known, widest, cells_left = [(0, 0, 0)], _widest(rest), rest.bit_count()
    for cell in members(rest):
        board.tick()
        own, bit = board.candidates[cell], 1 << cell
        cells_left -= 1
        known += [
            (cells | bit, union | own, size + 1)
            for cells, union, size in known
            if size < widest and (foreign := ((union | own) & ~values).bit_count()) < widest and foreign <= size + cells_left
        ]
    return [
        _Side(cells, union, room)
        for cells, union, size in known
        if 0 < (room := size - (union & ~values).bit_count()) <= most and union & values
    ]


def _step(board: CandidateBoard, crossing: BoxLineCrossing, crossed: CellsAndValues, line: _Side, box: _Side) -> Step:
    layout, values = board.layout, crossed.values
    cells = crossed.cells | line.cells | box.cells
    line_rest, box_rest = (layout.groups[house].mask & ~cells for house in (crossing.line, crossing.box))
    both = line.values & box.values  # outside the crossing: each stands once in line and box
    removed = [(value, line_rest) for value in members((values | line.values) & ~box.values | both)]
    removed += [(value, box_rest) for value in members((values | box.values) & ~line.values | both)]
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
    proof += [once_in(layout, value, crossing.line) for value in members((values | line.values) & ~box.values | both)]
    proof += [once_in(layout, value, crossing.box) for value in members((values | box.values) & ~line.values | both)]
    sets = (crossed, CellsAndValues(line.cells, line.values), CellsAndValues(box.cells, box.values))
    pattern = Pattern((crossing.line, crossing.box), sets=sets)
    everything = values | line.values | box.values
    return Step(Technique.SUE_DE_COQ, everything, cells, board.eliminations(removed), (), pattern, distinct(proof))

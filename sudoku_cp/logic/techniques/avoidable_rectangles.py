"""Avoidable rectangles: unique rectangles of which some cells are filled already, though none is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.deadly_rectangles import rectangles_of
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.deadly_rectangles import CellRectangle
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.model import Domain

_SIDES = ((0, 1), (2, 3), (0, 2), (1, 3))
"""The corners at both ends of each side of a rectangle; corners i and 3 - i are opposite."""
_PAIR = 2


def avoidable_rectangles_1(board: CandidateBoard) -> Iterator[Step]:
    """Yield rectangles with three placed cells a, b / b, in which the open corner cannot be a."""
    for rectangle in _not_given(board, open_corners=1):
        last = next(index for index, cell in enumerate(rectangle.corners) if board.open >> cell & 1)
        value, other, same = (board.values[rectangle.corners[index]] for index in (3 - last, *_neighbours(last)))
        if value is not None and other is not None and other == same != value:
            removed = [(value, 1 << rectangle.corners[last])]
            yield from _steps(board, Technique.AVOIDABLE_RECTANGLE_1, rectangle, 1 << value | 1 << other, removed)


def avoidable_rectangles_2(board: CandidateBoard) -> Iterator[Step]:
    """Yield rectangles with one side placed as a, b and x as the only other candidate of the cells opposite: one is x."""
    for rectangle in _not_given(board, open_corners=2):
        for ends in _SIDES:
            a, b = (board.values[rectangle.corners[index]] for index in ends)
            first, second = (rectangle.corners[3 - index] for index in ends)
            if a is None or b is None:
                continue
            extra = board.candidates[first] & ~(1 << a)
            wanted = (1 << a | extra, 1 << b | extra)
            if extra.bit_count() == 1 and (board.candidates[first], board.candidates[second]) == wanted and not extra >> b & 1:
                seeing = board.layout.seen_by_all(1 << first | 1 << second)
                removed = [(extra.bit_length() - 1, seeing)]
                yield from _steps(board, Technique.AVOIDABLE_RECTANGLE_2, rectangle, 1 << a | 1 << b, removed)


def _not_given(board: CandidateBoard, open_corners: int) -> Iterator[CellRectangle]:
    """Yield the rectangles with so many open corners of which none is given."""
    givens, is_open = board.givens, board.open
    for rectangle in rectangles_of(board.layout, board.tick):
        mask = rectangle.mask
        if not mask & givens and (mask & is_open).bit_count() == open_corners:
            yield rectangle


def _neighbours(corner: int) -> tuple[int, int]:
    """Return the corners next to one."""
    return (1, 2) if corner in {0, 3} else (0, 3)


def _steps(
    board: CandidateBoard, technique: Technique, rectangle: CellRectangle, pair: Domain, removed: list[tuple[int, CellSet]]
) -> Iterator[Step]:
    """Yield the step if it has an effect, and if each of the four cells could take either of the two values."""
    eliminations = board.eliminations(removed)
    if eliminations and all(not pair & ~board.domains[cell] for cell in rectangle.corners):
        pattern = Pattern(fins=rectangle.mask & board.open, sets=(CellsAndValues(rectangle.mask, pair),))
        proof = tuple(ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(rectangle.mask & board.open))
        values = pair | 1 << removed[0][0]
        yield Step(technique, values, rectangle.mask, eliminations, (), pattern, proof)

"""Hints as pictures: what is drawn on a position at each level, never more than the level tells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Annotation, CellGround
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.hints import HintLevel, place_to_look
from sudoku_cp.logic.pictures import draw_step
from sudoku_cp.model import members
from sudoku_cp.render import svg

if TYPE_CHECKING:
    from sudoku_cp.logic.hints import Hint
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.puzzle import Position

_SHADE = "#FBEFD9"
"""The ground of the cells to look at."""


def draw_hint(position: Position, hint: Hint, level: HintLevel, *, cell: int = 50) -> str:
    """Return the picture of a hint as SVG, ``cell`` pixels per cell.

    It shades the place to look at, from `HintLevel.CELLS` on the step's cells instead; then it shows the step on all pencil
    marks, and last the position after it, with red grounds where values were placed. Without a step it is the position, with red
    grounds where values are wrong.
    """
    if hint.step is None:
        return svg(position, cell=cell, pointed=[one for one, _ in hint.check.wrong_values])
    if level >= HintLevel.APPLY and hint.position is not None:
        return svg(hint.position, cell=cell, pointed=[one for one, _ in hint.step.placements])
    board = make_board(position)
    if level >= HintLevel.STEP:
        return draw_step(replace(position, marks=tuple(board.candidates)), hint.step, board, cell=cell)
    place = place_to_look(board.layout, position.puzzle.symbols, hint.step)
    return _shaded(position, hint.step.cells if level >= HintLevel.CELLS else place.cells, cell)


def _shaded(position: Position, cells: CellSet, cell: int) -> str:
    """Return the picture of a position as it is, with some cells shaded."""
    return svg(position, cell=cell, annotation=Annotation(grounds=(CellGround(tuple(members(cells)), _SHADE),)))

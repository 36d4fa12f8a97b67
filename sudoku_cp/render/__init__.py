"""Pictures of puzzles and positions. A renderer draws what it is given and knows no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports
from sudoku_cp.render.text import Look, draw

if TYPE_CHECKING:
    from sudoku_cp.render.marks import draw_candidates
    from sudoku_cp.render.outlined import draw_outlined
    from sudoku_cp.render.pictures import svg

__all__ = ["Look", "draw", "draw_candidates", "draw_outlined", "svg"]

EXPORTS = {"marks": "draw_candidates", "outlined": "draw_outlined", "pictures": "svg"}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)

"""Pictures of puzzles and positions. A renderer draws what it is given and knows no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.late import late
from sudoku_cp.render.text import Look, draw

if TYPE_CHECKING:
    from sudoku_cp.render.marks import draw_candidates
    from sudoku_cp.render.outlined import draw_outlined
    from sudoku_cp.render.pictures import svg

__all__ = ["Look", "draw", "draw_candidates", "draw_outlined", "svg"]

__getattr__ = late(__name__, {"marks": "draw_candidates", "outlined": "draw_outlined", "pictures": "svg"})

"""Pictures of puzzles and positions, for terminals and as SVG. Nothing here knows a rule, only the cosmetics that rules yield."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.render.svg_picture import layers, svg, thumbnail
    from sudoku_cp.render.terminal_grid import Look, draw, draw_candidates, draw_outlined

__all__ = ["Look", "draw", "draw_candidates", "draw_outlined", "layers", "svg", "thumbnail"]

EXPORTS = {
    "svg_picture": "layers svg thumbnail",
    "terminal_grid": "Look draw draw_candidates draw_outlined",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)

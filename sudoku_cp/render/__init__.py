"""Pictures of puzzles and positions, for terminals and as SVG. Nothing here knows a rule, only the cosmetics that rules yield."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.render.page_layers import layers
    from sudoku_cp.render.svg_picture import svg
    from sudoku_cp.render.terminal_cages import draw_outlined
    from sudoku_cp.render.terminal_candidates import draw_candidates
    from sudoku_cp.render.terminal_grid import Look, draw
    from sudoku_cp.render.thumbnails import thumbnail

__all__ = ["Look", "draw", "draw_candidates", "draw_outlined", "layers", "svg", "thumbnail"]

EXPORTS = {
    "page_layers": "layers",
    "terminal_candidates": "draw_candidates",
    "terminal_cages": "draw_outlined",
    "terminal_grid": "Look draw",
    "svg_picture": "svg",
    "thumbnails": "thumbnail",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)

"""Pictures of puzzles and positions. A renderer draws what it is given and knows no rule."""

from sudoku_cp.render.text import Look, draw

__all__ = ["Look", "draw"]

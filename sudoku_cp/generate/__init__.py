"""New puzzles of any size under any rules: proved to have one solution, as difficult as requested, reproducible by seed."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late

if TYPE_CHECKING:
    from sudoku_cp.generate.base import Made, Maker, Sheet, Span, Target, Wishes
    from sudoku_cp.generate.making import generate, maker_of
    from sudoku_cp.generate.wishing import wishes_of

__all__ = ["Made", "Maker", "Sheet", "Span", "Target", "Wishes", "generate", "maker_of", "wishes_of"]

HOMES = {"base": "Made Maker Sheet Span Target Wishes", "making": "generate maker_of", "wishing": "wishes_of"}

__getattr__ = late(__name__, HOMES)
